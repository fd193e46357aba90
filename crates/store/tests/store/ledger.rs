//! Proofs, checkpoints and the key that signs them.

use std::{fs, os::unix::fs::PermissionsExt};

use countersign_ledger::{Frontier, Hash, leaf_hash, verify_consistency, verify_inclusion};
use countersign_store::{Mode, Store, StoreError};

use crate::fixture::{Fixture, assert_good};

async fn grow(fixture: &Fixture, store: &Store, size: u64) {
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
async fn a_checkpoint_is_signed_when_the_log_has_grown_and_kept_outside() {
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
async fn signers_at_once_never_leave_an_older_checkpoint_outside() {
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
async fn one_checkpoint_a_minute_is_history_enough() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Inline);
    for size in 1..=6 {
        grow(&fixture, &store, size).await;
        store.sign_checkpoint().await.unwrap();
        if size % 3 == 0 {
            fixture.clock.move_by_seconds(60);
        }
    }
    let conn = rusqlite::Connection::open(fixture.dir().database()).unwrap();
    let mut statement = conn.prepare("SELECT size FROM checkpoints ORDER BY size").unwrap();
    let sizes: Vec<u64> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(sizes, [3, 6]);
    assert_good(&fixture.verify());
}

fn mode_of(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn others_can_read_neither_the_key_nor_the_data() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    grow(&fixture, &store, 1).await;
    let dir = fixture.dir();
    assert_eq!(mode_of(dir.path()), 0o700);
    for file in ["ledger.key", "countersign.db", "countersign.db-wal", "countersign.db-shm"] {
        assert_eq!(mode_of(&dir.path().join(file)), 0o600, "{file}");
    }
    store.close().await.unwrap();
    drop(store);
    fs::set_permissions(dir.key(), fs::Permissions::from_mode(0o644)).unwrap();
    let refused = refused(&fixture);
    assert!(refused.to_string().contains("chmod 600"), "{refused}");
}

#[track_caller]
fn refused(fixture: &Fixture) -> StoreError {
    match Store::open(&fixture.dir(), Mode::Inline, fixture.seams.clone()) {
        Ok(_) => panic!("it opened"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn the_key_stays_and_its_public_half_comes_back() {
    let fixture = Fixture::new();
    let key = fixture.open(Mode::Inline).verifying_key().to_vkey();
    fs::remove_file(fixture.dir().public_key()).unwrap();
    assert_eq!(fixture.open(Mode::Inline).verifying_key().to_vkey(), key);
    assert_eq!(fs::read_to_string(fixture.dir().public_key()).unwrap().trim(), key);
}

#[tokio::test]
async fn a_store_that_lost_its_key_or_its_memory_is_not_opened() {
    type Lose = fn(&Fixture) -> std::path::PathBuf;
    let cases: [(Lose, &str); 3] = [
        (|f| f.dir().key(), "is missing, but the store holds events"),
        (|f| f.dir().checkpoint(), "is missing, but the log is not empty"),
        (|f| f.dir().database(), "the database is gone"),
    ];
    for (lose, why) in cases {
        let fixture = Fixture::new();
        let store = fixture.open(Mode::Inline);
        grow(&fixture, &store, 3).await;
        store.close().await.unwrap();
        drop(store);
        let (lost, kept) = (lose(&fixture), fixture.folder.path().join("kept"));
        fs::rename(&lost, &kept).unwrap();
        match refused(&fixture) {
            StoreError::Tampered(said) => assert!(said.contains(why), "{said}"),
            other => panic!("{other:?}"),
        }
        assert!(!lost.exists(), "nothing is made in its place");
        fs::rename(&kept, &lost).unwrap();
        assert_eq!(fixture.open(Mode::Inline).size().await.unwrap(), 3);
    }
}
