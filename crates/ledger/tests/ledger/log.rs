//! A log in memory, stored like a real one: leaf hashes, and the nodes that `Frontier::push` reports.
//!
//! Its `HashSource` also checks that every read keeps the trait's contract, so every test here checks the reads too.

use std::cell::Cell;
use std::collections::BTreeMap;

use countersign_ledger::{Frontier, Hash, HashSource, NODE_STRIDE, NodeId, leaf_hash};

#[derive(Default)]
pub(crate) struct Log {
    pub(crate) leaves: Vec<Hash>,
    pub(crate) frontier: Frontier,
    nodes: BTreeMap<NodeId, Hash>,
    /// The size of the tree that a proof is being made for. Reads beyond it fail.
    asked_about: Cell<u64>,
}

impl Log {
    pub(crate) fn of<'a>(leaves: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut log = Self::default();
        for leaf in leaves {
            log.push(leaf);
        }
        log
    }

    pub(crate) fn numbered(size: u64) -> Self {
        let mut log = Self::default();
        for leaf in 0..size {
            log.push(&numbered_leaf(leaf));
        }
        log
    }

    pub(crate) fn push(&mut self, leaf: &[u8]) {
        let hash = leaf_hash(leaf);
        self.leaves.push(hash);
        self.frontier.push(hash, |id, node| assert_eq!(self.nodes.insert(id, node), None, "{id:?} came twice"));
    }

    pub(crate) fn at(&self, size: u64) -> &Self {
        self.asked_about.set(size);
        self
    }
}

impl HashSource for Log {
    type Error = String;

    fn hashes(&self, level: u8, from: u64, to: u64) -> Result<Vec<Hash>, String> {
        assert_eq!(level % NODE_STRIDE, 0, "level {level} is not stored");
        assert!(from < to && to - from <= 256, "the read {from}..{to} is empty or too long");
        assert!(to << level <= self.asked_about.get(), "level {level}, {from}..{to} is incomplete in the tree");
        let read = |index| match level {
            0 => self.leaves.get(usize::try_from(index).unwrap()),
            _ => self.nodes.get(&NodeId { level, index }),
        };
        (from..to).map(|index| read(index).copied().ok_or(format!("no node {index} at level {level}"))).collect()
    }
}

pub(crate) fn numbered_leaf(leaf: u64) -> [u8; 8] {
    leaf.to_be_bytes()
}
