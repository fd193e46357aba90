//! Verification of proofs without access to the log (RFC 9162 sections 2.1.3.2 and 2.1.4.2).
//!
//! Roots are taken as given. The checkpoint's signature shows that a root is the log's own.

use crate::{Hash, LedgerError, empty_root, node_hash};

/// Checks that `leaf` is at `index` in the tree of `size` leaves with this root.
pub fn verify_inclusion(leaf: &Hash, index: u64, size: u64, proof: &[Hash], root: &Hash) -> Result<(), LedgerError> {
    if index >= size {
        return Err(LedgerError::BadProof);
    }
    let mut walk = Walk { node: index, last: size - 1 };
    let mut hash = *leaf;
    for sibling in proof {
        hash = match walk.step()? {
            Side::Left => node_hash(sibling, &hash),
            Side::Right => node_hash(&hash, sibling),
        };
    }
    accept_if(walk.is_at_root() && hash == *root)
}

/// Checks that the tree of `from` leaves is a prefix of the tree of `to` leaves.
pub fn verify_consistency(
    from: u64,
    to: u64,
    proof: &[Hash],
    root_from: &Hash,
    root_to: &Hash,
) -> Result<(), LedgerError> {
    if from == to {
        let roots_agree = root_from == root_to && (from > 0 || *root_from == empty_root());
        return accept_if(proof.is_empty() && roots_agree);
    }
    if from == 0 {
        return accept_if(proof.is_empty() && *root_from == empty_root());
    }
    if from > to {
        return Err(LedgerError::BadProof);
    }

    // If the old tree is complete, it is a node of the new one, and the proof omits it.
    let (start, rest) = match proof {
        _ if from.is_power_of_two() => (root_from, proof),
        [first, rest @ ..] => (first, rest),
        [] => return Err(LedgerError::BadProof),
    };
    let mut walk = Walk { node: from - 1, last: to - 1 };
    walk.climb_while(|node| node & 1 == 1);
    let (mut old, mut new) = (*start, *start);
    for sibling in rest {
        match walk.step()? {
            Side::Left => {
                old = node_hash(sibling, &old);
                new = node_hash(sibling, &new);
            }
            Side::Right => new = node_hash(&new, sibling),
        }
    }
    accept_if(walk.is_at_root() && old == *root_from && new == *root_to)
}

/// A node on the path to the root, and the last node of its level: `fn` and `sn` in RFC 9162.
struct Walk {
    node: u64,
    last: u64,
}

enum Side {
    Left,
    Right,
}

impl Walk {
    /// Returns the side of the next sibling, and moves up one level.
    fn step(&mut self) -> Result<Side, LedgerError> {
        if self.is_at_root() {
            return Err(LedgerError::BadProof);
        }
        let side = if self.node & 1 == 1 || self.node == self.last { Side::Left } else { Side::Right };
        if matches!(side, Side::Left) {
            // The last node of a level may be its own parent for several levels.
            self.climb_while(|node| node & 1 == 0 && node != 0);
        }
        self.climb();
        Ok(side)
    }

    fn climb_while(&mut self, more: impl Fn(u64) -> bool) {
        while more(self.node) {
            self.climb();
        }
    }

    fn climb(&mut self) {
        self.node >>= 1;
        self.last >>= 1;
    }

    fn is_at_root(&self) -> bool {
        self.last == 0
    }
}

fn accept_if(holds: bool) -> Result<(), LedgerError> {
    if holds { Ok(()) } else { Err(LedgerError::BadProof) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf_hash;

    fn check_consistency(from: u64, to: u64, proof: &[Hash], roots: [Hash; 2], holds: bool) {
        let [root_from, root_to] = &roots;
        let verdict = verify_consistency(from, to, proof, root_from, root_to);
        assert_eq!(verdict.is_ok(), holds, "{from} to {to} with {} hashes", proof.len());
    }

    #[test]
    fn trees_that_are_empty_or_equal_need_an_empty_proof_and_the_right_roots() {
        let (empty, a, b) = (empty_root(), leaf_hash(b"a"), leaf_hash(b"b"));
        check_consistency(0, 0, &[], [empty, empty], true);
        check_consistency(0, 5, &[], [empty, a], true);
        check_consistency(5, 5, &[], [a, a], true);

        check_consistency(0, 0, &[], [a, a], false);
        check_consistency(0, 0, &[a], [empty, empty], false);
        check_consistency(0, 5, &[], [a, b], false);
        check_consistency(0, 5, &[a], [empty, a], false);
        check_consistency(5, 5, &[], [a, b], false);
        check_consistency(5, 5, &[a], [a, a], false);
        check_consistency(5, 4, &[], [a, a], false);
    }

    #[test]
    fn a_growth_without_a_proof_is_refused() {
        let a = leaf_hash(b"a");
        for (from, to) in [(1, 2), (2, 4), (3, 4), (4, 5), (5, u64::MAX)] {
            check_consistency(from, to, &[], [a, a], false);
        }
    }

    #[test]
    fn a_leaf_outside_the_tree_is_refused() {
        let leaf = leaf_hash(b"a");
        for (index, size) in [(0, 0), (1, 1), (2, 1), (u64::MAX, u64::MAX)] {
            assert_eq!(verify_inclusion(&leaf, index, size, &[], &leaf), Err(LedgerError::BadProof));
        }
        assert_eq!(verify_inclusion(&leaf, 0, 1, &[], &leaf), Ok(()));
    }
}
