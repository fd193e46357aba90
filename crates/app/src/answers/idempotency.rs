//! Requests with the same idempotency key lead to one exchange. While it runs, the others are refused; afterwards they get its
//! answer from the log.
//!
//! A key is stored as the hash of caller, route and key, in the record of the answer itself. So an answer and its key are durable
//! together, a failed exchange releases its key, and a crash leaves no key taken.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use countersign_domain::{Time, payload::AuditLogCreated};
use countersign_ledger::sha256;
use countersign_store::{Store, StoreError};
use serde::Deserialize;

/// Keys are looked up in the answers of this period.
const KEY_LIFETIME_MICROS: i64 = 24 * 3_600 * 1_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Idempotency {
    /// The hash of caller, route and key.
    pub(crate) key_hash: String,
    pub(crate) body_hash: String,
}

impl Idempotency {
    pub(crate) fn new(caller: &str, route: &str, key: &str, body: &[u8]) -> Self {
        // The lengths make sure that different triples give different texts.
        let scoped_key = format!("{}:{caller}{}:{route}{key}", caller.len(), route.len());
        Self { key_hash: sha256(scoped_key.as_bytes()).to_hex(), body_hash: sha256(body).to_hex() }
    }
}

/// The idempotency keys of exchanges under way.
#[derive(Clone, Default)]
pub(crate) struct KeysInFlight(Arc<Mutex<HashSet<String>>>);

/// The result of claiming a key.
pub(crate) enum KeyClaim {
    New(ClaimedKey),
    /// An earlier request with this key has this answer.
    Answered(Box<AuditLogCreated>),
    /// Another request with this key is under way.
    InFlight,
    /// The key was used before, with another body.
    Reused,
}

/// A key in use. Dropping this releases it.
pub(crate) struct ClaimedKey {
    keys: KeysInFlight,
    key_hash: String,
}

impl Drop for ClaimedKey {
    fn drop(&mut self) {
        self.keys.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key_hash);
    }
}

/// The part of a record's metadata that identifies the request's body: its hash.
#[derive(Deserialize)]
struct RecordedBody {
    body: String,
}

impl KeysInFlight {
    pub(crate) async fn claim(&self, store: &Store, key: &Idempotency) -> Result<KeyClaim, StoreError> {
        // Released on every return below, except where it is handed to the caller.
        let claimed = self.try_claim(&key.key_hash);
        // Look in the log even if another request holds the key: that request may only be reading the stored answer, or may just
        // have recorded its own.
        let since = Time::from_micros(store.seams().now().micros() - KEY_LIFETIME_MICROS)
            .map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let Some((entry, metadata)) = store.log_by_idempotency(&key.key_hash, since).await? else {
            return Ok(claimed.map_or(KeyClaim::InFlight, KeyClaim::New));
        };
        let recorded = metadata.as_deref().and_then(|text| serde_json::from_str::<RecordedBody>(text).ok());
        if recorded.is_none_or(|recorded| recorded.body != key.body_hash) {
            return Ok(KeyClaim::Reused);
        }
        let log = serde_json::from_str(entry.payload.get())
            .map_err(|error| StoreError::Corrupt(format!("the log at {} can't be read: {error}", entry.seq)))?;
        Ok(KeyClaim::Answered(Box::new(log)))
    }

    fn try_claim(&self, key_hash: &str) -> Option<ClaimedKey> {
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key_hash.to_owned());
        is_new.then(|| ClaimedKey { keys: self.clone(), key_hash: key_hash.to_owned() })
    }
}
