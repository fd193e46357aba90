//! Requests with the same idempotency key are one exchange: known from memory while it runs, and from the log afterwards.
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

const KEPT_MICROS: i64 = 24 * 3_600 * 1_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Idempotency {
    /// The hash of caller, route and key.
    pub(crate) scope: String,
    /// The hash of the body.
    pub(crate) body: String,
}

impl Idempotency {
    pub(crate) fn new(caller: &str, route: &str, key: &str, body: &[u8]) -> Self {
        // Lengths make sure that different triples give different texts.
        let scope = format!("{}:{caller}{}:{route}{key}", caller.len(), route.len());
        Self { scope: sha256(scope.as_bytes()).to_hex(), body: sha256(body).to_hex() }
    }
}

/// The keys of exchanges under way.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashSet<String>>>);

pub(crate) enum Claim {
    New(Claimed),
    Answered(Box<AuditLogCreated>),
    InFlight,
    OtherBody,
}

/// A key in use. Dropping this releases it.
pub(crate) struct Claimed {
    keys: InFlight,
    scope: String,
}

impl Drop for Claimed {
    fn drop(&mut self) {
        self.keys.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.scope);
    }
}

#[derive(Deserialize)]
struct Noted {
    body: String,
}

impl InFlight {
    pub(crate) async fn claim(&self, store: &Store, key: &Idempotency) -> Result<Claim, StoreError> {
        // Released on every return below, except where it is handed to the caller.
        let claimed = self.take(&key.scope);
        // Look in the log even if another request holds the key: that request may only be reading the stored answer, or may have
        // recorded its own a moment ago.
        let since = Time::from_micros(store.seams().now().micros() - KEPT_MICROS)
            .map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let Some((entry, metadata)) = store.log_by_idempotency(&key.scope, since).await? else {
            return Ok(claimed.map_or(Claim::InFlight, Claim::New));
        };
        let noted = metadata.as_deref().and_then(|text| serde_json::from_str::<Noted>(text).ok());
        if noted.is_none_or(|noted| noted.body != key.body) {
            return Ok(Claim::OtherBody);
        }
        let log = serde_json::from_str(entry.payload.get())
            .map_err(|error| StoreError::Corrupt(format!("the log at {} can't be read: {error}", entry.seq)))?;
        Ok(Claim::Answered(Box::new(log)))
    }

    fn take(&self, scope: &str) -> Option<Claimed> {
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(scope.to_owned());
        is_new.then(|| Claimed { keys: self.clone(), scope: scope.to_owned() })
    }
}
