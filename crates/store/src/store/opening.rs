//! Checks before a store is opened that its tree, its key and the last signed checkpoint belong together.
//!
//! A store that fails here was rolled back, truncated or replaced. Opening it would let the ledger contradict itself.

use std::sync::Arc;

use countersign_domain::Time;
use countersign_ledger::{Frontier, Hash, SigningKey};

use super::ledger::SignedCheckpoint;
use crate::{
    data_dir::DataDir,
    error::{Result, StoreError},
    ledger_head::LedgerHead,
    seams::Seams,
    signer,
};

/// The ledger that a backend finds in its database before it writes anything.
pub(crate) struct StoredLedger {
    /// Position and time of the newest event.
    pub(crate) newest: Option<(u64, Time)>,
    /// `None` in a new store.
    pub(crate) head: Option<LedgerHead>,
    /// The size of the newest checkpoint in the database.
    pub(crate) newest_checkpoint: Option<u64>,
}

/// A ledger that may be opened.
pub(crate) struct OpenedLedger {
    pub(crate) key: Arc<SigningKey>,
    pub(crate) head: LedgerHead,
    /// Whether the backend must store `head`, because it is new or has just got its seal.
    pub(crate) must_store_head: bool,
    /// The time of the newest event. The next one must not be recorded before it.
    pub(crate) last_recorded: Time,
    pub(super) signed: SignedCheckpoint,
}

/// Checks a ledger, and creates the key and the first checkpoint of a new one. `root_at` gives the root that the stored tree
/// had at a size.
pub(crate) fn check(
    dir: &DataDir,
    seams: &Seams,
    stored: StoredLedger,
    root_at: impl FnOnce(u64) -> Result<Hash>,
) -> Result<OpenedLedger> {
    let StoredLedger { newest, head, newest_checkpoint } = stored;
    let key = Arc::new(signer::load_or_create_key(dir, newest.is_some(), &seams.entropy)?);
    let is_new = head.is_none();
    let mut head = head.unwrap_or_else(|| LedgerHead::empty(&key));
    check_head(&head, newest.map(|(seq, _)| seq), &key)?;
    let signed = check_signed(dir, newest_checkpoint, &key, head.frontier.size(), root_at)?;
    let has_new_seal = add_seal_if_all_is_signed(&mut head, signed.size, &key)?;
    let last_recorded = match newest {
        Some((_, recorded_at)) => recorded_at,
        None => Time::from_micros(0).map_err(|error| StoreError::Corrupt(error.to_string()))?,
    };
    Ok(OpenedLedger { key, head, must_store_head: is_new || has_new_seal, last_recorded, signed })
}

/// The [`LedgerHead`] must cover exactly the events that are stored, and belong to this key's log.
fn check_head(head: &LedgerHead, newest_seq: Option<u64>, key: &SigningKey) -> Result<()> {
    let events = newest_seq.map_or(0, |seq| seq + 1);
    if head.frontier.size() != events {
        return Err(StoreError::Tampered(format!(
            "the tree has {} leaves, but the log has {events} events",
            head.frontier.size()
        )));
    }
    if head.frontier.root() != head.root {
        return Err(StoreError::Tampered("the stored root does not belong to the stored tree".into()));
    }
    if head.origin != key.verifying_key().name() {
        return Err(StoreError::Tampered(format!(
            "the database belongs to the log {}, but ledger.key signs for {}",
            head.origin,
            key.verifying_key().name()
        )));
    }
    Ok(())
}

/// Events after the last checkpoint must have been written by a holder of the key too, which the seal in the [`LedgerHead`]
/// proves. If there is no seal yet, it is added, provided that all events are signed. Returns whether it was added.
fn add_seal_if_all_is_signed(head: &mut LedgerHead, signed_size: u64, key: &SigningKey) -> Result<bool> {
    let size = head.frontier.size();
    if head.seal.is_none() && signed_size == size {
        head.seal = Some(key.seal(size, &head.root).to_vec());
        return Ok(true);
    }
    if head.is_sealed_by(&key.verifying_key()) {
        return Ok(false);
    }
    Err(StoreError::Tampered(format!(
        "the stored tree of {size} events is not sealed by the log's key; events after the first {signed_size} may have been \
         added by somebody else"
    )))
}

fn check_signed(
    dir: &DataDir,
    newest_checkpoint: Option<u64>,
    key: &SigningKey,
    size: u64,
    root_at: impl FnOnce(u64) -> Result<Hash>,
) -> Result<SignedCheckpoint> {
    let Some((signed, note)) = signer::last_signed(dir, &key.verifying_key())? else {
        // An empty log is signed before its first event, so a log without a signature can't be genuine.
        if newest_checkpoint.is_none() && size == 0 {
            let note = signer::sign(dir, key, 0, Frontier::new().root())?;
            return Ok(SignedCheckpoint { note: Some(note.into()), size: 0, in_dir: 0, kept: None });
        }
        return Err(StoreError::Tampered(format!(
            "{} is missing, but the log is not empty; put it back, or restore a backup as a new log",
            dir.checkpoint().display()
        )));
    };
    signer::check_against_last_signed(&signed, size, root_at)?;
    Ok(SignedCheckpoint { note: Some(note.into()), size: signed.size, in_dir: signed.size, kept: None })
}
