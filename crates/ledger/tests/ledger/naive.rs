//! A literal implementation of RFC 6962 section 2.1: recursive, quadratic, and obviously correct.

use countersign_ledger::{Hash, empty_root, node_hash};

pub(crate) fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => empty_root(),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(largest_power_below(leaves.len()));
            node_hash(&root(left), &root(right))
        }
    }
}

pub(crate) fn path(index: usize, leaves: &[Hash]) -> Vec<Hash> {
    if leaves.len() == 1 {
        return Vec::new();
    }
    let middle = largest_power_below(leaves.len());
    let (left, right) = leaves.split_at(middle);
    if index < middle {
        joined(path(index, left), root(right))
    } else {
        joined(path(index - middle, right), root(left))
    }
}

pub(crate) fn consistency(from: usize, leaves: &[Hash]) -> Vec<Hash> {
    subproof(from, leaves, true)
}

fn subproof(from: usize, leaves: &[Hash], is_whole: bool) -> Vec<Hash> {
    if from == leaves.len() {
        return if is_whole { Vec::new() } else { vec![root(leaves)] };
    }
    let middle = largest_power_below(leaves.len());
    let (left, right) = leaves.split_at(middle);
    if from <= middle {
        joined(subproof(from, left, is_whole), root(right))
    } else {
        joined(subproof(from - middle, right, false), root(left))
    }
}

fn joined(mut proof: Vec<Hash>, last: Hash) -> Vec<Hash> {
    proof.push(last);
    proof
}

fn largest_power_below(len: usize) -> usize {
    let mut power = 1;
    while power * 2 < len {
        power *= 2;
    }
    power
}
