//! Roots and proofs computed from stored hashes, in a handful of short range reads.
//!
//! Too few hashes from the source are an error. Wrong hashes are not detected here, but when the proof is verified.

use crate::frontier::fold_peaks;
use crate::{Hash, NODE_STRIDE, empty_root, node_hash};

/// A source of stored hashes: leaf hashes, and one node for each complete subtree at levels 8, 16, 24, ...
///
/// `hashes` returns level `level` from `from` up to but not including `to`, in order. The level is 0 for leaf hashes
/// and otherwise a multiple of 8. It is never asked for more than 256 hashes at once, and never for a node that is
/// incomplete in the tree the caller named.
pub trait HashSource {
    type Error;

    fn hashes(&self, level: u8, from: u64, to: u64) -> Result<Vec<Hash>, Self::Error>;
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofError<E> {
    #[error("{asked} lies outside a tree of {size} leaves")]
    OutOfRange { asked: u64, size: u64 },
    #[error("the stored hash {index} of level {level} is missing")]
    Missing { level: u8, index: u64 },
    #[error("stored hashes could not be read")]
    Source(#[source] E),
}

/// The root the tree had when it held `size` leaves.
pub fn root_at<S: HashSource>(source: &S, size: u64) -> Result<Hash, ProofError<S::Error>> {
    range_root(source, 0, size)
}

/// The path that proves leaf `index` in the tree of `size` leaves, lowest sibling first (RFC 6962 section 2.1.1).
pub fn inclusion_proof<S: HashSource>(source: &S, index: u64, size: u64) -> Result<Vec<Hash>, ProofError<S::Error>> {
    if index >= size {
        return Err(ProofError::OutOfRange { asked: index, size });
    }
    let (mut begin, mut end) = (0, size);
    let mut path = Vec::new();
    while end - begin > 1 {
        let middle = split(begin, end);
        if index < middle {
            path.push(range_root(source, middle, end)?);
            end = middle;
        } else {
            path.push(range_root(source, begin, middle)?);
            begin = middle;
        }
    }
    path.reverse();
    Ok(path)
}

/// The proof that the tree of `from` leaves is a prefix of the tree of `to` leaves (RFC 6962 section 2.1.2).
///
/// Nothing needs proving, and the proof is empty, when `from` is 0 or equal to `to`.
pub fn consistency_proof<S: HashSource>(source: &S, from: u64, to: u64) -> Result<Vec<Hash>, ProofError<S::Error>> {
    if from > to {
        return Err(ProofError::OutOfRange { asked: from, size: to });
    }
    let mut path = Vec::new();
    if from == 0 {
        return Ok(path);
    }
    let (mut begin, mut end) = (0, to);
    while from != end {
        let middle = split(begin, end);
        if from <= middle {
            path.push(range_root(source, middle, end)?);
            end = middle;
        } else {
            path.push(range_root(source, begin, middle)?);
            begin = middle;
        }
    }
    // If the walk never turned right, it ends at the old tree, whose root the verifier already has.
    if begin > 0 {
        path.push(range_root(source, begin, end)?);
    }
    path.reverse();
    Ok(path)
}

/// Where RFC 6962 divides a range of two leaves or more: after the largest power of two smaller than its length.
fn split(begin: u64, end: u64) -> u64 {
    begin + (1 << (end - begin - 1).ilog2())
}

/// The root over the leaves `begin..end`, where `begin` is aligned as `split` leaves it.
///
/// Every level that is stored covers a run of fewer than 256 nodes, so each costs one read.
fn range_root<S: HashSource>(source: &S, begin: u64, end: u64) -> Result<Hash, ProofError<S::Error>> {
    let mut peaks = Vec::new();
    let mut at = begin;
    for level in (0..64).step_by(NODE_STRIDE.into()).rev() {
        let count = (end - at) >> level;
        if count > 0 {
            read_peaks(source, level, at >> level, count, &mut peaks)?;
            at += count << level;
        }
    }
    Ok(fold_peaks(&peaks).unwrap_or_else(empty_root))
}

/// Reads `count` neighbours and appends the roots of the complete subtrees they form, largest first.
fn read_peaks<S: HashSource>(
    source: &S,
    level: u8,
    from: u64,
    count: u64,
    peaks: &mut Vec<Hash>,
) -> Result<(), ProofError<S::Error>> {
    let hashes = source.hashes(level, from, from + count).map_err(ProofError::Source)?;
    let mut rest = hashes.as_slice();
    let mut left = count;
    while left > 0 {
        let width = 1_usize << left.ilog2();
        let Some((run, after)) = rest.split_at_checked(width) else {
            return Err(ProofError::Missing { level, index: from + hashes.len() as u64 });
        };
        peaks.extend(fold_complete(run));
        rest = after;
        left -= width as u64;
    }
    Ok(())
}

/// The root of a complete subtree, from a power of two of its nodes.
fn fold_complete(nodes: &[Hash]) -> Option<Hash> {
    let mut row = nodes.to_vec();
    while row.len() > 1 {
        let (pairs, _) = row.as_chunks::<2>();
        row = pairs.iter().map(|[left, right]| node_hash(left, right)).collect();
    }
    row.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf_hash;

    /// Holds only the first leaves of a tree, whatever is asked of it.
    struct Short(u64);

    impl HashSource for Short {
        type Error = &'static str;

        fn hashes(&self, level: u8, from: u64, to: u64) -> Result<Vec<Hash>, Self::Error> {
            if level > 0 {
                return Err("no nodes here");
            }
            Ok((from..to.min(self.0)).map(|leaf| leaf_hash(&leaf.to_be_bytes())).collect())
        }
    }

    #[test]
    fn the_first_hash_that_a_source_lacks_is_named() {
        assert_eq!(root_at(&Short(10), 13), Err(ProofError::Missing { level: 0, index: 10 }));
        assert_eq!(inclusion_proof(&Short(10), 3, 13), Err(ProofError::Missing { level: 0, index: 10 }));
        assert_eq!(consistency_proof(&Short(10), 3, 13), Err(ProofError::Missing { level: 0, index: 10 }));
    }

    #[test]
    fn an_error_of_the_source_is_passed_on() {
        assert_eq!(root_at(&Short(10), 256), Err(ProofError::Source("no nodes here")));
    }

    #[test]
    fn positions_outside_the_tree_have_no_proof() {
        let source = Short(10);
        assert_eq!(inclusion_proof(&source, 0, 0), Err(ProofError::OutOfRange { asked: 0, size: 0 }));
        assert_eq!(inclusion_proof(&source, 5, 5), Err(ProofError::OutOfRange { asked: 5, size: 5 }));
        assert_eq!(consistency_proof(&source, 6, 5), Err(ProofError::OutOfRange { asked: 6, size: 5 }));
    }

    #[test]
    fn the_largest_size_is_answered_without_overflow() {
        struct Endless;
        impl HashSource for Endless {
            type Error = ();
            fn hashes(&self, _: u8, from: u64, to: u64) -> Result<Vec<Hash>, ()> {
                Ok((from..to).map(|_| empty_root()).collect())
            }
        }
        assert_eq!(inclusion_proof(&Endless, u64::MAX - 1, u64::MAX).map(|path| path.len()), Ok(63));
        assert_eq!(consistency_proof(&Endless, 1, u64::MAX).map(|path| path.len()), Ok(64));
    }
}
