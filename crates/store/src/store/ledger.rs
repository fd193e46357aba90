//! The ledger: signed checkpoints, proofs, and the leaves they are about.

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
    /// Size and minute of the newest checkpoint in the database, which keeps one per minute.
    pub(super) kept: Option<(u64, i64)>,
}

impl Store {
    pub fn verifying_key(&self) -> VerifyingKey {
        self.shared.key.verifying_key()
    }

    /// The newest signed checkpoint, as this process knows it.
    pub fn checkpoint(&self) -> Option<Arc<str>> {
        self.signed().note.clone()
    }

    /// The size of the newest signed checkpoint.
    pub fn signed_size(&self) -> u64 {
        self.signed().size
    }

    /// The size of the newest signed checkpoint; it changes whenever one is signed.
    pub fn signed_head(&self) -> watch::Receiver<u64> {
        self.shared.signed_head.subscribe()
    }

    /// Signs the tree if it has grown. Returns whether it had. The checkpoint is written to the data directory first and to the
    /// database after that, so a database that was rolled back can't hide what was signed.
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
        let minute = self.seams().now().micros().div_euclid(MINUTE_MICROS);
        let replaces = kept.filter(|(_, kept_minute)| *kept_minute == minute).map(|(size, _)| size);
        self.submit_prompt(Job::Checkpoint { size, note: note.clone(), replaces }).await?;
        *self.signed() = SignedCheckpoint { note: Some(note.into()), size, kept: Some((size, minute)) };
        self.shared.signed_head.send_replace(size);
        Ok(true)
    }

    /// Adds a witness's cosignature to the newest checkpoint, if that is still the one that was cosigned, and to its row in the
    /// database. The caller has checked the cosignature.
    pub async fn add_cosignature(&self, size: u64, cosignature: &Cosignature) -> Result<()> {
        let _signing = self.shared.signing.lock().await;
        let newest = Some(self.signed()).filter(|signed| signed.size == size).and_then(|signed| signed.note.clone());
        if let Some(note) = newest {
            let note = with_cosignature(&note, cosignature)?;
            let (path, text) = (self.shared.location.dir().checkpoint(), note.clone());
            self.run_blocking(move || write_durably(&path, text.as_bytes(), false)).await?;
            self.signed().note = Some(note.into());
        }
        self.submit_prompt(Job::Cosign { size, cosignature: cosignature.clone() }).await
    }

    /// Proves that the leaf at `index` is in the tree of this size.
    pub async fn inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>> {
        on_backend!(self, backend => backend.inclusion(index, size).await)
    }

    /// Proves that the tree of size `to` begins with the tree of size `from`.
    pub async fn consistency(&self, from: u64, to: u64) -> Result<Vec<Hash>> {
        on_backend!(self, backend => backend.consistency(from, to).await)
    }

    /// The root that the tree had at this size.
    pub async fn root_at(&self, size: u64) -> Result<Hash> {
        on_backend!(self, backend => backend.root_at(size).await)
    }

    /// The stored header of an event: the leaf's bytes.
    pub async fn leaf(&self, index: u64) -> Result<String> {
        on_backend!(self, backend => backend.leaf(index).await)
    }

    /// The leaves from an index on, oldest first.
    pub async fn leaves(&self, from: u64, limit: usize) -> Result<Vec<String>> {
        on_backend!(self, backend => backend.leaves(from, limit).await)
    }

    /// A leaf with the body that it commits to.
    pub async fn sealed(&self, index: u64) -> Result<SealedEvent> {
        on_backend!(self, backend => backend.sealed(index).await)
    }
}
