//! Proofs, checkpoints and the key that signs them.

use std::{fs, os::unix::fs::PermissionsExt};

use countersign_ledger::{
    Checkpoint, Frontier, Hash, SigningKey, body_commitment, leaf_hash, verify_consistency, verify_inclusion,
};
use countersign_store::{SealedEvent, Store, StoreError, Threading};

use crate::fixture::{Fixture, assert_good, assert_says};

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
    let store = fixture.open(Threading::Inline);
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
async fn leaves_are_listed_from_an_index_on() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    grow(&fixture, &store, 300).await;
    store.erase(vec![2], "asked for", "ana").await.unwrap();
    let mut each = Vec::new();
    for index in 0..301 {
        each.push(store.leaf(index).await.unwrap());
    }
    assert_eq!(store.leaves(0, 1_000).await.unwrap(), each);
    assert_eq!(store.leaves(1, 3).await.unwrap(), each[1..4]);
    assert_eq!(store.leaves(299, 3).await.unwrap(), each[299..]);
    for (from, limit) in [(301, 3), (10_000, 3), (0, 0)] {
        assert!(store.leaves(from, limit).await.unwrap().is_empty(), "{limit} from {from}");
    }
}

#[tokio::test]
async fn a_sealed_event_has_the_bytes_that_were_hashed() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let mut alert = fixture.alert("a-1");
    alert.metadata = r#"{"rule": "velocity"}"#.into();
    store.append(vec![alert.clone(), fixture.started("x")]).await.unwrap();
    let sealed = store.sealed(0).await.unwrap();
    assert_eq!(sealed.header, store.leaf(0).await.unwrap());
    let body = sealed.body.unwrap();
    assert_eq!((body.payload.as_str(), body.metadata.as_str()), (alert.payload.as_str(), alert.metadata.as_str()));
    let salt = body.salt.as_slice().try_into().unwrap();
    let commitment = body_commitment(salt, body.payload.as_bytes(), body.metadata.as_bytes());
    let header: serde_json::Value = serde_json::from_str(&sealed.header).unwrap();
    assert_eq!(header["commitment"], commitment.to_hex());
    store.erase(vec![0], "asked for", "ana").await.unwrap();
    assert_eq!(store.sealed(0).await.unwrap(), SealedEvent { header: sealed.header, body: None });
    assert!(matches!(store.sealed(3).await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn the_tree_survives_reopening_at_every_size() {
    let fixture = Fixture::new();
    for size in [1, 3, 255, 256, 257, 300] {
        let store = fixture.open(Threading::Inline);
        grow(&fixture, &store, size).await;
    }
    let store = fixture.open(Threading::Threaded);
    grow(&fixture, &store, 520).await;
    let roots = roots(&store).await;
    for size in [1, 3, 255, 256, 257, 300, 512, 520] {
        assert_eq!(store.root_at(size).await.unwrap(), roots[size as usize], "{size}");
    }
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_checkpoint_is_signed_when_the_log_has_grown_and_kept_in_the_directory() {
    for threading in [Threading::Threaded, Threading::Inline] {
        let fixture = Fixture::new();
        let store = fixture.open(threading);
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
        let store = fixture.open(threading);
        assert_eq!((store.signed_size(), store.checkpoint().as_deref()), (6, Some(outside.as_str())));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_signers_never_leave_an_older_checkpoint_in_the_directory() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
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
async fn one_checkpoint_per_minute_is_kept() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    for size in 1..=6 {
        grow(&fixture, &store, size).await;
        store.sign_checkpoint().await.unwrap();
        if size % 3 == 0 {
            fixture.clock.move_by_seconds(60);
        }
    }
    let sizes: Vec<_> = fixture.kept_checkpoints().into_iter().map(|(size, _)| size).collect();
    assert_eq!(sizes, [3, 6]);
    assert_good(&fixture.verify());
}

/// A closed store with three events, all of them signed.
async fn closed() -> Fixture {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    grow(&fixture, &store, 3).await;
    store.close().await.unwrap();
    fixture
}

#[tokio::test]
async fn a_store_without_its_key_or_its_checkpoint_is_not_opened() {
    let fixture = closed().await;
    for (lost, why) in [
        (fixture.dir().key(), "is missing, but the store holds events"),
        (fixture.dir().checkpoint(), "is missing, but the log is not empty"),
    ] {
        let kept = fixture.folder.path().join("kept");
        fs::rename(&lost, &kept).unwrap();
        match fixture.refused() {
            StoreError::Tampered(said) => assert!(said.contains(why), "{said}"),
            other => panic!("{other:?}"),
        }
        assert!(!lost.exists(), "nothing is made in its place");
        fs::rename(&kept, &lost).unwrap();
        assert_eq!(fixture.open(Threading::Inline).size().await.unwrap(), 3);
    }
}

#[tokio::test]
async fn a_store_with_a_forged_checkpoint_is_not_opened_and_does_not_verify() {
    let fixture = closed().await;
    let key = SigningKey::from_text(fs::read_to_string(fixture.dir().key()).unwrap().trim()).unwrap();
    let note = fs::read_to_string(fixture.dir().checkpoint()).unwrap();
    let signed = key.verifying_key().open(&note).unwrap();
    // With another key anybody can sign anything, even under our name.
    let theirs = SigningKey::from_seed(&signed.origin, &[9; 32]).unwrap().sign(&signed);
    let shorter = note.replacen("\n3\n", "\n2\n", 1);
    assert_ne!(shorter, note);
    for forged in [theirs.as_bytes(), shorter.as_bytes(), b"", b"no note at all", &[0xff, 0xfe]] {
        fs::write(fixture.dir().checkpoint(), forged).unwrap();
        assert_says(&fixture.verify(), "the last signed checkpoint is forged or damaged");
        let refused = fixture.refused();
        assert!(matches!(refused, StoreError::Tampered(_)), "{refused:?}");
    }
    // Notes by our key over a root that the log never had, and over more events than it has.
    let lies = [
        (Checkpoint { root: leaf_hash(b"another"), ..signed.clone() }, "not those that were signed"),
        (Checkpoint { size: 4, ..signed }, "it was rolled back or truncated"),
    ];
    for (lie, why) in lies {
        fs::write(fixture.dir().checkpoint(), key.sign(&lie)).unwrap();
        assert!(!fixture.verify().is_good());
        match fixture.refused() {
            StoreError::Tampered(said) => assert!(said.contains(why), "{said}"),
            other => panic!("{other:?}"),
        }
    }
    fs::write(fixture.dir().checkpoint(), note).unwrap();
    assert_eq!(fixture.open(Threading::Inline).size().await.unwrap(), 3);
}

#[tokio::test]
async fn other_users_can_not_read_the_key() {
    let fixture = closed().await;
    let mode_of = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode_of(fixture.dir().path().to_owned()), mode_of(fixture.dir().key())), (0o700, 0o600));
    fs::set_permissions(fixture.dir().key(), fs::Permissions::from_mode(0o644)).unwrap();
    let refused = fixture.refused();
    assert!(refused.to_string().contains("chmod 600"), "{refused}");
}

#[tokio::test]
async fn the_key_stays_and_a_lost_public_half_is_written_again() {
    let fixture = Fixture::new();
    let key = fixture.open(Threading::Inline).verifying_key().to_vkey();
    fs::remove_file(fixture.dir().public_key()).unwrap();
    assert_eq!(fixture.open(Threading::Inline).verifying_key().to_vkey(), key);
    assert_eq!(fs::read_to_string(fixture.dir().public_key()).unwrap().trim(), key);
}
