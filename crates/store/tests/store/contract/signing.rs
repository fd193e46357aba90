//! How a signed checkpoint is announced, and the cosignatures that are added to it.

use std::fs;

use countersign_ledger::{Cosignature, WitnessSigningKey};
use countersign_store::{Store, Threading};

use super::{Setup, for_each_threading, ledger::grow};
use crate::fixture::{Fixture, assert_good};

for_each_threading! {
    the_signed_head_changes_when_a_checkpoint_is_signed,
    the_newest_checkpoint_gets_its_cosignatures_everywhere,
}

async fn the_signed_head_changes_when_a_checkpoint_is_signed(setup: Setup) -> Setup {
    let store = setup.open();
    let mut signed = store.signed_head();
    signed.mark_unchanged();
    assert_eq!(*signed.borrow(), 0);
    grow(&setup.fixture, &store, 3).await;
    assert!(!signed.has_changed().unwrap(), "nothing was signed");
    store.sign_checkpoint().await.unwrap();
    assert!(signed.has_changed().unwrap());
    assert_eq!((*signed.borrow_and_update(), store.signed_size()), (3, 3));
    store.sign_checkpoint().await.unwrap();
    store.add_cosignature(3, &cosigned(&store, "witness.example/w", 1)).await.unwrap();
    assert!(!signed.has_changed().unwrap(), "nothing more was signed");
    grow(&setup.fixture, &store, 5).await;
    store.close().await.unwrap();
    assert_eq!((signed.has_changed().unwrap(), *signed.borrow_and_update()), (true, 5));
    drop(store);
    assert_eq!(*setup.open().signed_head().borrow(), 5);
    setup
}

fn witness(name: &str) -> WitnessSigningKey {
    WitnessSigningKey::from_seed(name, &[5; 32]).unwrap()
}

/// A witness's cosignature on the newest checkpoint.
fn cosigned(store: &Store, name: &str, time_s: u64) -> Cosignature {
    witness(name).cosign(&store.checkpoint().unwrap(), time_s).unwrap()
}

async fn the_newest_checkpoint_gets_its_cosignatures_everywhere(setup: Setup) -> Setup {
    let store = setup.open();
    grow(&setup.fixture, &store, 3).await;
    store.sign_checkpoint().await.unwrap();
    let (one, two) = ("one.example/w", "two.example/w");
    for (name, time_s) in [(one, 100), (two, 101), (one, 102)] {
        store.add_cosignature(3, &cosigned(&store, name, time_s)).await.unwrap();
    }
    let note = store.checkpoint().unwrap();
    assert_eq!(store.verifying_key().open(&note).unwrap().size, 3);
    let time_of = |name| witness(name).witness_key().cosignature_on(&note).unwrap().time_s;
    assert_eq!((time_of(one), time_of(two)), (102, 101));
    assert_eq!(note.lines().filter(|line| line.contains(one)).count(), 1, "the newer one replaces the older one");
    assert_eq!(fs::read_to_string(setup.fixture.dir().checkpoint()).unwrap(), *note);
    assert_eq!(setup.fixture.kept_checkpoints(), [(3, note.to_string())]);
    assert_good(&setup.fixture.verify());
    store.close().await.unwrap();
    drop(store);
    assert_eq!(setup.open().checkpoint(), Some(note));
    setup
}

#[tokio::test]
async fn a_late_cosignature_is_added_to_the_checkpoint_it_is_for_and_to_no_newer_one() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let mut late = Vec::new();
    // The checkpoint over 2 events is replaced in the same minute, that over 3 is kept.
    for size in [2, 3, 5] {
        grow(&fixture, &store, size).await;
        store.sign_checkpoint().await.unwrap();
        late.push((size, cosigned(&store, "witness.example/w", size)));
        fixture.clock.move_by_seconds(if size == 3 { 60 } else { 0 });
    }
    late.pop();
    let (newest, kept) = (store.checkpoint().unwrap(), fixture.kept_checkpoints());
    for (size, cosignature) in late {
        store.add_cosignature(size, &cosignature).await.unwrap();
    }
    assert_eq!(store.checkpoint().unwrap(), newest);
    assert_eq!(fs::read_to_string(fixture.dir().checkpoint()).unwrap(), *newest);
    let [(3, third), (5, fifth)] = &fixture.kept_checkpoints()[..] else { panic!("{kept:?}") };
    assert_eq!(witness("witness.example/w").witness_key().cosignature_on(third).unwrap().time_s, 3);
    assert_eq!(*fifth, *newest);
    assert_good(&fixture.verify());
}
