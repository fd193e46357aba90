//! Compares the roots and proofs of every small tree with the naive implementation of RFC 6962.

use countersign_ledger::{
    consistency_proof, empty_root, inclusion_proof, root_at, verify_consistency, verify_inclusion,
};

use crate::log::Log;
use crate::naive;

#[test]
fn the_frontier_and_the_stored_hashes_agree_on_the_root_of_every_size() {
    let mut log = Log::default();
    for size in 0..=1100 {
        let expected = naive::root(&log.leaves);
        assert_eq!(log.frontier.size(), size);
        assert_eq!(log.frontier.root(), expected, "size {size}");
        assert_eq!(root_at(log.at(size), size), Ok(expected), "size {size}");
        log.push(&size.to_be_bytes());
    }
}

/// The ends, the middle, and the positions next to those where trees divide.
fn positions_below(size: u64) -> impl Iterator<Item = u64> {
    let power = size.next_power_of_two() / 2;
    [0, 1, size / 2, power.saturating_sub(1), power, power + 1, 255, 256, size.saturating_sub(1)]
        .into_iter()
        .filter(move |position| *position < size)
}

#[test]
fn inclusion_proofs_are_those_of_the_rfc_and_verify() {
    let log = Log::numbered(600);
    for size in 0..=600_u64 {
        let leaves = &log.leaves[..size as usize];
        let root = naive::root(leaves);
        for index in positions_below(size) {
            let proof = inclusion_proof(log.at(size), index, size).unwrap();
            assert_eq!(proof, naive::path(index as usize, leaves), "leaf {index} of {size}");
            assert_eq!(verify_inclusion(&leaves[index as usize], index, size, &proof, &root), Ok(()));
        }
    }
}

#[test]
fn consistency_proofs_are_those_of_the_rfc_and_verify() {
    let log = Log::numbered(600);
    for to in 1..=600_u64 {
        let leaves = &log.leaves[..to as usize];
        let root_to = naive::root(leaves);
        for from in positions_below(to).map(|position| position + 1) {
            let proof = consistency_proof(log.at(to), from, to).unwrap();
            assert_eq!(proof, naive::consistency(from as usize, leaves), "{from} to {to}");
            let root_from = naive::root(&leaves[..from as usize]);
            assert_eq!(verify_consistency(from, to, &proof, &root_from, &root_to), Ok(()), "{from} to {to}");
        }
    }
}

#[test]
fn growth_from_the_empty_tree_and_no_growth_need_no_hashes() {
    let log = Log::numbered(20);
    for size in 0..=20 {
        let root = root_at(log.at(size), size).unwrap();
        assert_eq!(consistency_proof(log.at(0), 0, size), Ok(vec![]));
        assert_eq!(consistency_proof(log.at(0), size, size), Ok(vec![]));
        assert_eq!(verify_consistency(0, size, &[], &empty_root(), &root), Ok(()));
        assert_eq!(verify_consistency(size, size, &[], &root, &root), Ok(()));
    }
}
