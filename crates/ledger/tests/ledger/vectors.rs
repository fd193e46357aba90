//! The tree of eight leaves that the certificate-transparency reference tests publish.

use countersign_ledger::{
    Hash, consistency_proof, empty_root, inclusion_proof, leaf_hash, root_at, verify_consistency, verify_inclusion,
};

use crate::log::Log;

const LEAVES: [&[u8]; 8] = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    b"\x50\x51\x52\x53\x54\x55\x56\x57",
    b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
];

/// The roots by tree size, starting with the empty tree.
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

const LEAF_0: &str = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d";
const LEAF_1: &str = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const LEAF_4: &str = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const LEAVES_0_1: &str = "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125";
const LEAVES_2_3: &str = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const LEAVES_4_5: &str = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const LEAVES_6_7: &str = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const LEAVES_0_3: &str = "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7";
const LEAVES_4_7: &str = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";

fn root(size: u64) -> Hash {
    Hash::from_hex(ROOTS[size as usize]).unwrap()
}

fn hexes(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(Hash::to_hex).collect()
}

#[test]
fn the_roots_are_the_published_ones() {
    assert_eq!(empty_root(), root(0));
    for size in 0..=8 {
        let log = Log::of(LEAVES.into_iter().take(size as usize));
        assert_eq!(log.frontier.root(), root(size), "size {size}");
        assert_eq!(root_at(log.at(size), size), Ok(root(size)), "size {size}");
    }
}

fn check_inclusion(index: u64, size: u64, expected: &[&str]) {
    let proof = inclusion_proof(Log::of(LEAVES).at(size), index, size).unwrap();
    assert_eq!(hexes(&proof), expected, "leaf {index} of {size}");
    let leaf = leaf_hash(LEAVES[index as usize]);
    assert_eq!(verify_inclusion(&leaf, index, size, &proof, &root(size)), Ok(()));
}

#[test]
fn the_inclusion_paths_are_the_published_ones() {
    check_inclusion(0, 1, &[]);
    check_inclusion(0, 2, &[LEAF_1]);
    check_inclusion(1, 2, &[LEAF_0]);
    check_inclusion(2, 3, &[LEAVES_0_1]);
    check_inclusion(1, 5, &[LEAF_0, LEAVES_2_3, LEAF_4]);
    check_inclusion(0, 8, &[LEAF_1, LEAVES_2_3, LEAVES_4_7]);
    check_inclusion(5, 8, &[LEAF_4, LEAVES_6_7, LEAVES_0_3]);
}

fn check_consistency(from: u64, to: u64, expected: &[&str]) {
    let proof = consistency_proof(Log::of(LEAVES).at(to), from, to).unwrap();
    assert_eq!(hexes(&proof), expected, "{from} to {to}");
    assert_eq!(verify_consistency(from, to, &proof, &root(from), &root(to)), Ok(()));
}

#[test]
fn the_consistency_proofs_are_the_published_ones() {
    check_consistency(1, 1, &[]);
    check_consistency(2, 5, &[LEAVES_2_3, LEAF_4]);
    check_consistency(1, 8, &[LEAF_1, LEAVES_2_3, LEAVES_4_7]);
    check_consistency(6, 8, &[LEAVES_4_5, LEAVES_6_7, LEAVES_0_3]);
}
