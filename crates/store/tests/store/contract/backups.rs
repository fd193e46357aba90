//! Backup and restore: a complete copy of a store in use, and a new log made of it.

use std::fs;

use countersign_ledger::SigningKey;
use countersign_store::{EventQuery, Store, StoreError, Threading, backup, export, restore, verify, verify_file};

use super::bundles::filled;
use crate::fixture::{Fixture, assert_good};

fn quietly(_: u64, _: u64) {}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_busy_store_is_a_complete_prefix_of_its_log() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    store.append((0..300).map(|n| fixture.started(&n.to_string())).collect()).await.unwrap();
    store.sign_checkpoint().await.unwrap();
    store.append(vec![fixture.started("not signed yet")]).await.unwrap();
    let writers: Vec<_> = (0..8)
        .map(|_| {
            let events: Vec<_> = (0..40).map(|_| fixture.started("x")).collect();
            let store = store.clone();
            tokio::spawn(async move {
                for event in events {
                    store.append(vec![event]).await.unwrap();
                }
            })
        })
        .collect();
    let target = fixture.folder.path().join("backup");
    let (location, to) = (fixture.location(), target.clone());
    let copied = tokio::task::spawn_blocking(move || backup(&location, &to, &mut quietly).unwrap()).await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    let report = verify_file(&target, &store.verifying_key(), &mut quietly).unwrap();
    assert_good(&report);
    assert!((301..=621).contains(&copied));
    assert_eq!((report.events, report.root), (copied, store.root_at(copied).await.unwrap()));
    assert_eq!(report.signed_events, copied, "the copy has a signature over exactly its events");
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_failed_backup_overwrites_nothing_and_leaves_no_file() {
    let (fixture, _) = filled().await;
    let target = fixture.folder.path().join("backup");
    fs::write(&target, "mine").unwrap();
    let refused = backup(&fixture.location(), &target, &mut quietly);
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    assert!(matches!(export(&fixture.location(), &target, &mut quietly), Err(StoreError::Conflict(_))));
    assert_eq!(fs::read(&target).unwrap(), b"mine");

    let nowhere = fixture.folder.path().join("no-such-folder/backup");
    assert!(matches!(backup(&fixture.location(), &nowhere, &mut quietly), Err(StoreError::Io { .. })));
    let of_nothing = fixture.folder.path().join("of-nothing");
    assert!(backup(&fixture.location_in("no-such-store"), &of_nothing, &mut quietly).is_err());
    assert!(!of_nothing.exists());
}

#[tokio::test]
async fn a_restored_backup_is_a_new_log() {
    let (fixture, old_key) = filled().await;
    let copy = fixture.folder.path().join("backup");
    assert_eq!(backup(&fixture.location(), &copy, &mut quietly).unwrap(), 9);
    // The old log goes on after the backup.
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.started("later")]).await.unwrap();
    let in_use = restore(&fixture.location(), &copy, None, &fixture.seams);
    assert!(matches!(in_use, Err(StoreError::InUse { .. })), "{in_use:?}");
    store.close().await.unwrap();
    drop(store);

    let origin = restore(&fixture.location(), &copy, None, &fixture.seams).unwrap();
    assert_ne!(origin, old_key.name());
    assert!(fs::read_to_string(fixture.dir().checkpoint()).unwrap().starts_with(&format!("{origin}\n9\n")));
    assert_good(&fixture.verify());
    let store = fixture.open(Threading::Threaded);
    assert_eq!((store.size().await.unwrap(), store.verifying_key().name()), (9, origin.as_str()));
    assert_eq!(store.append(vec![fixture.started("new")]).await.unwrap(), 9);
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
    let with_old_key = verify(&fixture.location(), Some(&old_key), &mut quietly).unwrap();
    assert!(!with_old_key.is_good());

    fixture.clock.move_by_seconds(1);
    assert_ne!(restore(&fixture.location(), &copy, None, &fixture.seams).unwrap(), origin);
}

#[tokio::test]
async fn a_backup_is_restored_where_there_was_no_store() {
    let (fixture, key) = filled().await;
    let copy = fixture.folder.path().join("backup");
    backup(&fixture.location(), &copy, &mut quietly).unwrap();
    let elsewhere = fixture.location_in("elsewhere");
    let origin = restore(&elsewhere, &copy, Some(&key), &fixture.seams).unwrap();
    let (old, new) =
        (fixture.open(Threading::Inline), Store::open(&elsewhere, Threading::Inline, fixture.seams.clone()).unwrap());
    assert_eq!((old.verifying_key().name(), new.verifying_key().name()), (key.name(), origin.as_str()));
    // The same events, in two logs that go on separately.
    assert_eq!(old.root_at(9).await.unwrap(), new.root_at(9).await.unwrap());
    assert_eq!(new.append(vec![fixture.started("new")]).await.unwrap(), 9);
    assert_eq!((old.size().await.unwrap(), new.size().await.unwrap()), (9, 10));
    new.close().await.unwrap();
    drop((old, new));
    assert_good(&fixture.verify());
    assert_good(&verify(&elsewhere, None, &mut quietly).unwrap());
}

#[tokio::test]
async fn a_failed_restore_leaves_the_store_as_it_was() {
    let (fixture, key) = filled().await;
    let copy = fixture.folder.path().join("backup");
    backup(&fixture.location(), &copy, &mut quietly).unwrap();
    let whole = fs::read(&copy).unwrap();
    let not_a_backup = fixture.folder.path().join("no-backup");
    for content in [b"nothing of the kind", &b""[..], &whole[..whole.len() / 2]] {
        fs::write(&not_a_backup, content).unwrap();
        for given in [None, Some(&key)] {
            let refused = restore(&fixture.location(), &not_a_backup, given, &fixture.seams);
            assert!(refused.is_err(), "{} bytes, with a key: {}", content.len(), given.is_some());
        }
    }
    assert!(restore(&fixture.location(), &fixture.folder.path().join("missing"), None, &fixture.seams).is_err());
    assert_good(&fixture.verify());
    let store = fixture.open(Threading::Inline);
    assert_eq!((store.size().await.unwrap(), store.verifying_key()), (9, key));
}

#[tokio::test]
async fn a_backup_that_does_not_verify_with_the_given_key_is_not_restored() {
    let (fixture, key) = filled().await;
    let copy = fixture.folder.path().join("backup");
    backup(&fixture.location(), &copy, &mut quietly).unwrap();
    let other = SigningKey::from_seed(key.name(), &[9; 32]).unwrap().verifying_key();
    let refused = restore(&fixture.location(), &copy, Some(&other), &fixture.seams);
    assert!(matches!(refused, Err(StoreError::Tampered(_))), "{refused:?}");
    assert_eq!(fixture.open(Threading::Inline).verifying_key(), key, "nothing was touched");
}

#[tokio::test]
async fn a_restore_repeats_erasures_made_since_the_backup() {
    let (fixture, _) = filled().await;
    let copy = fixture.folder.path().join("backup");
    backup(&fixture.location(), &copy, &mut quietly).unwrap();
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.transaction("tx-later", "1.00")]).await.unwrap();
    store.erase(vec![0, 9], "asked for", "ana").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    restore(&fixture.location(), &copy, None, &fixture.seams).unwrap();
    let store = fixture.open(Threading::Inline);
    let events = store.events(EventQuery { limit: 100, ..Default::default() }).await.unwrap();
    assert!(events.first().unwrap().payload.is_none(), "it stays erased");
    assert_eq!((events.len(), events[9].event_type.as_str()), (10, "PAYLOAD_ERASED"));
    store.close().await.unwrap();
    drop(store);
    let report = fixture.verify();
    assert_good(&report);
    assert_eq!(report.erased, 2);
}
