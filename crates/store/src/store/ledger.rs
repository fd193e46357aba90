//! The ledger: signed checkpoints, proofs, and the leaves that they are about.

use std::sync::Arc;

use countersign_ledger::{Cosignature, Hash, VerifyingKey, with_cosignature};
use tokio::sync::watch;

use super::{Store, backend::on_backend};
use crate::{data_dir::write_durably, error::Result, events::SealedEvent, job::Job, signer};

const MINUTE_MICROS: i64 = 60_000_000;

/// The newest signed checkpoint.
#[derive(Default)]
pub(super) struct SignedCheckpoint {
    pub(super) note: Option<Arc<str>>,
    pub(super) size: u64,
    /// The size of the checkpoint in the data directory. It is larger than `size` if that checkpoint could not be stored in the
    /// database.
    pub(super) in_dir: u64,
    /// Size and minute of the newest checkpoint that this process stored in the database, which keeps one per minute.
    pub(super) kept: Option<(u64, i64)>,
}

impl Store {
    pub fn verifying_key(&self) -> VerifyingKey {
        self.shared.key.verifying_key()
    }

    /// The newest signed checkpoint that this process knows, as a signed note.
    pub fn checkpoint(&self) -> Option<Arc<str>> {
        self.signed().note.clone()
    }

    /// The size of the newest signed checkpoint that this process knows.
    pub fn signed_size(&self) -> u64 {
        self.signed().size
    }

    /// Like [`Store::signed_size`]; it changes whenever this process signs a checkpoint.
    pub fn signed_head(&self) -> watch::Receiver<u64> {
        self.shared.signed_head.subscribe()
    }

    /// Signs the tree if it has grown since the last checkpoint that this process knows. Returns whether it has. The checkpoint
    /// is written to the data directory first and to the database after that, so a database that was rolled back can't hide
    /// what was signed. If the second write fails, the next call signs again. The database keeps one checkpoint per minute.
    pub async fn sign_checkpoint(&self) -> Result<bool> {
        let _signing = self.shared.signing.lock().await;
        let (last_size, kept) = {
            let signed = self.signed();
            (signed.note.as_ref().map(|_| signed.size), signed.kept)
        };
        let size = self.size().await?;
        if last_size == Some(size) {
            return Ok(false);
        }
        let (shared, root) = (Arc::clone(&self.shared), self.root_at(size).await?);
        let note = self.run_blocking(move || signer::sign(shared.location.dir(), &shared.key, size, root)).await?;
        self.signed().in_dir = size;
        let minute = self.seams().now().micros().div_euclid(MINUTE_MICROS);
        let replaces = kept.filter(|(_, kept_minute)| *kept_minute == minute).map(|(size, _)| size);
        self.submit_prompt(Job::Checkpoint { size, note: note.clone(), replaces }).await?;
        *self.signed() = SignedCheckpoint { note: Some(note.into()), size, in_dir: size, kept: Some((size, minute)) };
        self.shared.signed_head.send_replace(size);
        Ok(true)
    }

    /// Adds a witness's cosignature to the newest checkpoint, if that is still the one that was cosigned, and to the checkpoint
    /// of this size in the database, if it was kept. A newer cosignature by the same witness replaces an older one. The caller
    /// must have checked the cosignature. If only the second write fails, the data directory has the cosignature and the database
    /// doesn't; the call may be repeated.
    pub async fn add_cosignature(&self, size: u64, cosignature: &Cosignature) -> Result<()> {
        let _signing = self.shared.signing.lock().await;
        // An older checkpoint must not replace a newer one in the data directory.
        let is_newest = |signed: &SignedCheckpoint| signed.size == size && signed.in_dir == size;
        let newest = Some(self.signed()).filter(|signed| is_newest(signed)).and_then(|signed| signed.note.clone());
        if let Some(note) = newest {
            let note = with_cosignature(&note, cosignature)?;
            let (path, text) = (self.shared.location.dir().checkpoint(), note.clone());
            self.run_blocking(move || write_durably(&path, text.as_bytes(), false)).await?;
            self.signed().note = Some(note.into());
        }
        self.submit_prompt(Job::Cosign { size, cosignature: cosignature.clone() }).await
    }

    /// Proves that the leaf at `index` is in the tree of this size. Fails if `index` isn't smaller than `size`. The log must
    /// have had this size.
    pub async fn inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>> {
        on_backend!(self, backend => backend.inclusion(index, size).await)
    }

    /// Proves that the tree of size `to` begins with the tree of size `from`. Fails if `from` is larger than `to`. The log must
    /// have had both sizes.
    pub async fn consistency(&self, from: u64, to: u64) -> Result<Vec<Hash>> {
        on_backend!(self, backend => backend.consistency(from, to).await)
    }

    /// The root that the tree had at this size. Fails if the log is shorter.
    pub async fn root_at(&self, size: u64) -> Result<Hash> {
        on_backend!(self, backend => backend.root_at(size).await)
    }

    /// The stored header of an event: the leaf's exact bytes. `NotFound` if there is no event at this position.
    pub async fn leaf(&self, index: u64) -> Result<String> {
        on_backend!(self, backend => backend.leaf(index).await)
    }

    /// Up to `limit` leaves from an index on, oldest first.
    pub async fn leaves(&self, from: u64, limit: usize) -> Result<Vec<String>> {
        on_backend!(self, backend => backend.leaves(from, limit).await)
    }

    /// A leaf with the body that it commits to, in one snapshot. `NotFound` if there is no event at this position.
    pub async fn sealed(&self, index: u64) -> Result<SealedEvent> {
        on_backend!(self, backend => backend.sealed(index).await)
    }
}
