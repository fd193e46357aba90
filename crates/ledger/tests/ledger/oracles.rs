//! Compares the roots and proofs of large and random trees with two implementations that share no code with this one.

use countersign_ledger::{
    Hash, consistency_proof, inclusion_proof, leaf_hash, root_at, verify_consistency, verify_inclusion,
};
use ct_merkle::mem_backed_tree::MemoryBackedTree;
use proptest::prelude::{ProptestConfig, any, proptest};
use sha2::Sha256;

use crate::log::{Log, numbered_leaf};

/// Every node of a tree in the storage order of `tlog_tiles`.
#[derive(Default)]
struct Tlog(Vec<tlog_tiles::Hash>);

impl Tlog {
    fn numbered(size: u64) -> Self {
        let mut tlog = Self::default();
        for leaf in 0..size {
            let stored = tlog_tiles::stored_hashes(leaf, &numbered_leaf(leaf), &tlog).unwrap();
            tlog.0.extend(stored);
        }
        tlog
    }
}

impl tlog_tiles::HashReader for Tlog {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, tlog_tiles::Error> {
        Ok(indexes.iter().map(|index| self.0[*index as usize]).collect())
    }
}

fn ours(hashes: Vec<tlog_tiles::Hash>) -> Vec<Hash> {
    hashes.into_iter().map(|hash| Hash::from_bytes(hash.0)).collect()
}

fn hashes_in(bytes: &[u8]) -> Vec<Hash> {
    bytes.chunks(32).map(|chunk| Hash::from_slice(chunk).unwrap()).collect()
}

fn check_against_tlog(log: &Log, tlog: &Tlog, index: u64, from: u64, size: u64) {
    let root = root_at(log.at(size), size).unwrap();
    assert_eq!(vec![root], ours(vec![tlog_tiles::tree_hash(size, tlog).unwrap()]), "root of {size}");

    let inclusion = inclusion_proof(log, index, size).unwrap();
    assert_eq!(inclusion, ours(tlog_tiles::prove_record(size, index, tlog).unwrap()), "leaf {index} of {size}");
    assert_eq!(verify_inclusion(&leaf_hash(&numbered_leaf(index)), index, size, &inclusion, &root), Ok(()));

    let root_from = root_at(log, from).unwrap();
    let consistency = consistency_proof(log, from, size).unwrap();
    assert_eq!(consistency, ours(tlog_tiles::prove_tree(size, from, tlog).unwrap()), "{from} to {size}");
    assert_eq!(verify_consistency(from, size, &consistency, &root_from, &root), Ok(()));
}

fn check_against_ct_merkle(leaves: &[Vec<u8>], index: usize, from: usize) {
    let mut tree = MemoryBackedTree::<Sha256, Vec<u8>>::new();
    leaves.iter().for_each(|leaf| tree.push(leaf.clone()));
    let log = Log::of(leaves.iter().map(Vec::as_slice));
    let size = leaves.len() as u64;

    assert_eq!(log.frontier.root().as_bytes().as_slice(), tree.root().as_bytes().as_slice());
    let inclusion = inclusion_proof(log.at(size), index as u64, size).unwrap();
    assert_eq!(inclusion, hashes_in(tree.prove_inclusion(index).as_bytes()));
    let consistency = consistency_proof(&log, from as u64, size).unwrap();
    assert_eq!(consistency, hashes_in(tree.prove_consistency(leaves.len() - from).as_bytes()));
}

#[test]
fn trees_around_the_stored_levels_match_tlog() {
    let (log, tlog) = (Log::numbered(65_800), Tlog::numbered(65_800));
    for size in [255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 65_791, 65_792, 65_793] {
        for position in [0, 1, 127, 128, 254, size / 2, size - 2, size - 1] {
            check_against_tlog(&log, &tlog, position, position + 1, size);
        }
    }
}

#[test]
fn trees_of_random_sizes_match_tlog() {
    let (log, tlog) = (Log::numbered(5000), Tlog::numbered(5000));
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) };
    proptest!(config, |(size in 1..=5000_u64, index: u64, from: u64)| {
        check_against_tlog(&log, &tlog, index % size, from % size + 1, size);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn trees_of_random_leaves_match_ct_merkle(
        leaves in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 1..600),
        index: proptest::sample::Index,
        from: proptest::sample::Index,
    ) {
        check_against_ct_merkle(&leaves, index.index(leaves.len()), from.index(leaves.len()) + 1);
    }
}
