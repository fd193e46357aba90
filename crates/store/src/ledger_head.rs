//! The tree's right edge as a backend stores it, and its seal.

use countersign_ledger::{Frontier, Hash, SigningKey, VerifyingKey};

/// What a backend stores of the tree, in one record. (The head of the *log*, [`crate::Store::head`], is a number: its size.)
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LedgerHead {
    pub(crate) origin: String,
    pub(crate) root: Hash,
    pub(crate) frontier: Frontier,
    /// The key's signature over size and root, made in the commit that wrote them. `None` in a store that was written before
    /// commits were sealed.
    pub(crate) seal: Option<Vec<u8>>,
}

impl LedgerHead {
    /// The `LedgerHead` of a new log.
    pub(crate) fn empty(key: &SigningKey) -> Self {
        let frontier = Frontier::new();
        let root = frontier.root();
        let seal = Some(key.seal(0, &root).to_vec());
        Self { origin: key.verifying_key().name().to_owned(), root, frontier, seal }
    }

    /// Whether a holder of this key wrote it.
    pub(crate) fn is_sealed_by(&self, key: &VerifyingKey) -> bool {
        let seal = self.seal.as_deref();
        seal.is_some_and(|seal| key.check_seal(self.frontier.size(), &self.root, seal).is_ok())
    }
}
