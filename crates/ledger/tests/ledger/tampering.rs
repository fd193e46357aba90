//! Changed proofs are refused.

use countersign_ledger::{
    Hash, consistency_proof, empty_root, inclusion_proof, root_at, verify_consistency, verify_inclusion,
};

use crate::log::Log;

const TREES: [(u64, u64); 9] = [(1, 2), (2, 3), (3, 4), (4, 7), (5, 8), (6, 8), (7, 300), (256, 257), (299, 300)];

/// All copies of the hashes in which one bit is flipped.
fn with_one_bit_flipped(hashes: &[Hash]) -> impl Iterator<Item = Vec<Hash>> {
    (0..hashes.len() * 256).map(|bit| {
        let mut changed = hashes.to_vec();
        let mut bytes = *changed[bit / 256].as_bytes();
        bytes[bit % 256 / 8] ^= 1 << (bit % 8);
        changed[bit / 256] = Hash::from_bytes(bytes);
        changed
    })
}

/// Copies of a proof with a hash too few, a hash too many, or the hashes reversed.
fn of_another_shape(proof: &[Hash]) -> Vec<Vec<Hash>> {
    let mut shapes = vec![[proof, &[empty_root()]].concat(), [&[empty_root()], proof].concat()];
    if !proof.is_empty() {
        shapes.extend([proof[1..].to_vec(), proof[..proof.len() - 1].to_vec()]);
    }
    if proof.len() > 1 {
        shapes.push(proof.iter().rev().copied().collect());
    }
    shapes
}

#[test]
fn an_inclusion_proof_with_a_flipped_bit_is_refused() {
    let log = Log::numbered(300);
    for (index, size) in TREES {
        let proof = inclusion_proof(log.at(size), index, size).unwrap();
        let claim = [&[log.leaves[index as usize], root_at(&log, size).unwrap()], proof.as_slice()].concat();
        let verdict = |claim: &[Hash]| verify_inclusion(&claim[0], index, size, &claim[2..], &claim[1]);
        assert_eq!(verdict(&claim), Ok(()));
        assert!(with_one_bit_flipped(&claim).all(|changed| verdict(&changed).is_err()), "leaf {index} of {size}");
    }
}

#[test]
fn a_consistency_proof_with_a_flipped_bit_is_refused() {
    let log = Log::numbered(300);
    for (from, to) in TREES {
        let proof = consistency_proof(log.at(to), from, to).unwrap();
        let claim = [&[root_at(&log, from).unwrap(), root_at(&log, to).unwrap()], proof.as_slice()].concat();
        let verdict = |claim: &[Hash]| verify_consistency(from, to, &claim[2..], &claim[0], &claim[1]);
        assert_eq!(verdict(&claim), Ok(()));
        assert!(with_one_bit_flipped(&claim).all(|changed| verdict(&changed).is_err()), "{from} to {to}");
    }
}

#[test]
fn a_proof_of_another_shape_is_refused() {
    let log = Log::numbered(300);
    for (from, to) in TREES {
        let (root_from, root_to) = (root_at(log.at(to), from).unwrap(), root_at(&log, to).unwrap());
        for changed in of_another_shape(&inclusion_proof(&log, from, to).unwrap()) {
            let leaf = &log.leaves[from as usize];
            assert!(verify_inclusion(leaf, from, to, &changed, &root_to).is_err(), "leaf {from} of {to}");
        }
        for changed in of_another_shape(&consistency_proof(&log, from, to).unwrap()) {
            assert!(verify_consistency(from, to, &changed, &root_from, &root_to).is_err(), "{from} to {to}");
        }
    }
}

#[test]
fn a_leaf_is_only_proven_at_its_own_index() {
    let log = Log::numbered(70);
    let root = root_at(log.at(70), 70).unwrap();
    for index in 0..70 {
        let proof = inclusion_proof(&log, index, 70).unwrap();
        let accepted: Vec<u64> = (0..80)
            .filter(|other| verify_inclusion(&log.leaves[index as usize], *other, 70, &proof, &root).is_ok())
            .collect();
        assert_eq!(accepted, [index]);
    }
}
