//! The compact right edge of the tree: enough to append a leaf and to compute the root, both in logarithmic time.
//!
//! It knows nothing of the past. Proofs and earlier roots need stored hashes; see `proof.rs`.

use crate::{Hash, LedgerError, empty_root, node_hash};

/// One node is stored for each complete subtree at levels 8, 16, 24 and so on. Recomputing the levels between them takes at most
/// 128 hashes, which is cheaper than storing them.
pub const NODE_STRIDE: u8 = 8;

/// Sizes fit a signed 64-bit integer, like database columns, so no append can overflow.
pub const TREE_SIZE_MAX: u64 = i64::MAX as u64;

/// A complete subtree over the leaves `index * 2^level .. (index + 1) * 2^level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    pub level: u8,
    pub index: u64,
}

/// Holds one peak for every bit set in `size`, the largest subtree first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    peaks: Vec<Hash>,
}

impl Frontier {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf hash, and calls `on_node` for every subtree it completes at a positive multiple of
    /// [`NODE_STRIDE`], lowest level first.
    pub fn push(&mut self, leaf: Hash, mut on_node: impl FnMut(NodeId, Hash)) {
        let mut node = leaf;
        let mut level = 0;
        let mut index = self.size;
        // An odd index is a right child: its left sibling is the last peak.
        while index & 1 == 1
            && let Some(left) = self.peaks.pop()
        {
            node = node_hash(&left, &node);
            level += 1;
            index >>= 1;
            if level % NODE_STRIDE == 0 {
                on_node(NodeId { level, index }, node);
            }
        }
        self.peaks.push(node);
        self.size += 1;
    }

    pub fn root(&self) -> Hash {
        fold_peaks(&self.peaks).unwrap_or_else(empty_root)
    }

    /// The peaks, 32 bytes each, largest subtree first. The size must be stored separately.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.peaks.iter().flat_map(|peak| *peak.as_bytes()).collect()
    }

    pub fn from_bytes(size: u64, bytes: &[u8]) -> Result<Self, LedgerError> {
        if size > TREE_SIZE_MAX {
            return Err(LedgerError::TooLarge { size });
        }
        let (chunks, _) = bytes.as_chunks::<32>();
        let expected_bytes = size.count_ones() as usize * 32;
        if bytes.len() != expected_bytes {
            return Err(LedgerError::BadLength { expected_bytes, actual_bytes: bytes.len() });
        }
        Ok(Self { size, peaks: chunks.iter().copied().map(Hash::from_bytes).collect() })
    }
}

/// Combines complete subtrees of decreasing size, from the right, into the root over all of them.
pub(crate) fn fold_peaks(peaks: &[Hash]) -> Option<Hash> {
    peaks.iter().rev().copied().reduce(|right, left| node_hash(&left, &right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf_hash;

    fn grown_to(size: u64, mut on_node: impl FnMut(u64, NodeId)) -> Frontier {
        let mut frontier = Frontier::new();
        for leaf in 0..size {
            frontier.push(leaf_hash(&leaf.to_be_bytes()), |id, _| on_node(leaf, id));
        }
        frontier
    }

    #[test]
    fn a_frontier_read_back_from_its_bytes_is_the_same_and_grows_the_same() {
        for size in (0..70).chain([255, 256, 257, 1023, 1024, 1025]) {
            let mut grown = grown_to(size, |_, _| ());
            let mut read = Frontier::from_bytes(size, &grown.to_bytes()).unwrap();
            assert_eq!(read, grown, "size {size}");

            grown.push(leaf_hash(b"next"), |_, _| ());
            read.push(leaf_hash(b"next"), |_, _| ());
            assert_eq!(read.root(), grown.root(), "size {size}");
        }
    }

    #[test]
    fn each_stride_level_node_is_reported_once_when_its_last_leaf_arrives() {
        let mut reported = Vec::new();
        grown_to(131_073, |leaf, id| reported.push((leaf, id)));

        let mut expected = Vec::new();
        for index in 0..512 {
            expected.push((index * 256 + 255, NodeId { level: 8, index }));
        }
        expected.insert(256, (65_535, NodeId { level: 16, index: 0 }));
        expected.push((131_071, NodeId { level: 16, index: 1 }));
        assert_eq!(reported, expected);
    }

    fn check_refused(size: u64, bytes: usize, expected: LedgerError) {
        assert_eq!(Frontier::from_bytes(size, &vec![0; bytes]), Err(expected), "size {size}, {bytes} bytes");
    }

    #[test]
    fn bytes_that_do_not_hold_one_peak_per_set_bit_are_refused() {
        check_refused(0, 32, LedgerError::BadLength { expected_bytes: 0, actual_bytes: 32 });
        check_refused(1, 0, LedgerError::BadLength { expected_bytes: 32, actual_bytes: 0 });
        check_refused(7, 64, LedgerError::BadLength { expected_bytes: 96, actual_bytes: 64 });
        check_refused(8, 31, LedgerError::BadLength { expected_bytes: 32, actual_bytes: 31 });
        check_refused(8, 33, LedgerError::BadLength { expected_bytes: 32, actual_bytes: 33 });
        check_refused(u64::MAX, 2048, LedgerError::TooLarge { size: u64::MAX });
    }

    #[test]
    fn the_largest_tree_still_takes_a_leaf() {
        let mut frontier = Frontier::from_bytes(TREE_SIZE_MAX, &[0; 63 * 32]).unwrap();
        let mut levels = Vec::new();
        frontier.push(leaf_hash(b"last"), |id, _| levels.push(id.level));
        assert_eq!((frontier.size(), levels), (1 << 63, vec![8, 16, 24, 32, 40, 48, 56]));
    }
}
