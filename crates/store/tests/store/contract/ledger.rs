//! Proofs, checkpoints and the key that signs them.

use std::fs;

use countersign_ledger::{Frontier, Hash, leaf_hash, verify_consistency, verify_inclusion};
use countersign_store::{Mode, Store, StoreError};

use crate::fixture::{Fixture, assert_good};

pub(crate) async fn grow(fixture: &Fixture, store: &Store, size: u64) {
    let events = (store.size().await.unwrap()..size).map(|n| fixture.started(&n.to_string())).collect();
    store.append(events).await.unwrap();
}

/// What an outsider computes from the leaves alone.
async fn roots(store: &Store) -> Vec<Hash> {
    let mut tree = Frontier::new();
    let mut roots = vec![tree.root()];
    for index in 0..store.size().await.unwrap() {
        tree.push(leaf_hash(store.leaf(index).await.unwrap().as_bytes()), |_, _| {});
        roots.push(tree.root());
    }
    roots
}

#[tokio::test]
async fn proofs_convince_an_outsider_around_every_boundary_of_the_stored_tree() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Inline);
    grow(&fixture, &store, 1_500).await;
    let roots = roots(&store).await;
    let sizes = [1, 2, 255, 256, 257, 511, 512, 513, 1_024, 1_499, 1_500];
    for size in sizes {
        let root = &roots[size as usize];
        assert_eq!(store.root_at(size).await.unwrap(), *root);
        for index in [0, 1, 254, 255, 256, 257, 1_023, 1_024, size - 1].into_iter().filter(|index| *index < size) {
            let leaf = leaf_hash(store.leaf(index).await.unwrap().as_bytes());
            let proof = store.inclusion(index, size).await.unwrap();
            verify_inclusion(&leaf, index, size, &proof, root).unwrap();
            let other = leaf_hash(b"another");
            assert!(verify_inclusion(&other, index, size, &proof, root).is_err());
        }
        for from in sizes.into_iter().filter(|from| *from <= size) {
            let proof = store.consistency(from, size).await.unwrap();
            verify_consistency(from, size, &proof, &roots[from as usize], root).unwrap();
        }
    }
    assert!(store.inclusion(1_500, 1_500).await.is_err());
    assert!(store.root_at(1_501).await.is_err());
    assert!(matches!(store.leaf(1_500).await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn the_tree_survives_reopening_at_every_size() {
    let fixture = Fixture::new();
    for size in [1, 3, 255, 256, 257, 300] {
        let store = fixture.open(Mode::Inline);
        grow(&fixture, &store, size).await;
    }
    let store = fixture.open(Mode::Threaded);
    grow(&fixture, &store, 520).await;
    let roots = roots(&store).await;
    for size in [1, 3, 255, 256, 257, 300, 512, 520] {
        assert_eq!(store.root_at(size).await.unwrap(), roots[size as usize], "{size}");
    }
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_checkpoint_is_signed_when_the_log_has_grown_and_kept_in_the_directory() {
    for mode in [Mode::Threaded, Mode::Inline] {
        let fixture = Fixture::new();
        let store = fixture.open(mode);
        let empty = store.verifying_key().open(&store.checkpoint().unwrap()).unwrap();
        assert_eq!(empty.size, 0, "an empty log is signed before its first event");
        grow(&fixture, &store, 5).await;
        assert!(store.sign_checkpoint().await.unwrap());
        assert!(!store.sign_checkpoint().await.unwrap(), "nothing grew");
        let note = store.checkpoint().unwrap();
        assert_eq!(fs::read_to_string(fixture.dir().checkpoint()).unwrap(), *note);
        let opened = store.verifying_key().open(&note).unwrap();
        assert_eq!((opened.size, opened.root), (5, store.root_at(5).await.unwrap()));
        grow(&fixture, &store, 6).await;
        assert_eq!(store.signed_size(), 5);
        store.close().await.unwrap();
        let outside = fs::read_to_string(fixture.dir().checkpoint()).unwrap();
        assert_eq!(store.verifying_key().open(&outside).unwrap().size, 6);
        drop(store);
        let store = fixture.open(mode);
        assert_eq!((store.signed_size(), store.checkpoint().as_deref()), (6, Some(outside.as_str())));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_signers_never_leave_an_older_checkpoint_in_the_directory() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    for round in 1..20 {
        let signers: Vec<_> = (0..4)
            .map(|_| {
                let (store, event) = (store.clone(), fixture.started("x"));
                tokio::spawn(async move {
                    store.append(vec![event]).await.unwrap();
                    store.sign_checkpoint().await.unwrap();
                })
            })
            .collect();
        for signer in signers {
            signer.await.unwrap();
        }
        let outside = fs::read_to_string(fixture.dir().checkpoint()).unwrap();
        assert_eq!(store.verifying_key().open(&outside).unwrap().size, round * 4);
        assert_eq!(store.signed_size(), round * 4);
    }
}

#[tokio::test]
async fn the_key_stays_and_a_lost_public_half_is_written_again() {
    let fixture = Fixture::new();
    let key = fixture.open(Mode::Inline).verifying_key().to_vkey();
    fs::remove_file(fixture.dir().public_key()).unwrap();
    assert_eq!(fixture.open(Mode::Inline).verifying_key().to_vkey(), key);
    assert_eq!(fs::read_to_string(fixture.dir().public_key()).unwrap().trim(), key);
}
