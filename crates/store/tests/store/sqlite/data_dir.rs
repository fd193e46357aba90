//! The files of a data directory: who may read them, what happens when one is lost, and who may open the database.

use std::{fs, os::unix::fs::PermissionsExt};

use countersign_domain::NewEvent;
use countersign_ledger::WitnessSigningKey;
use countersign_store::{StoreError, Threading, backup, verify};

use rusqlite::Connection;

use super::SqliteFiles;
use crate::{
    contract::ledger::grow,
    fixture::{Fixture, assert_good},
};

fn quietly(_: u64, _: u64) {}

#[tokio::test]
async fn other_users_can_not_read_the_data() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    grow(&fixture, &store, 1).await;
    while store.index_logs_step().await.unwrap() {}
    for file in ["countersign.db", "countersign.db-wal", "countersign.db-shm", "search.db"] {
        let mode = fs::metadata(fixture.dir().path().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_store_without_its_database_is_not_opened() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    grow(&fixture, &store, 3).await;
    store.close().await.unwrap();
    drop(store);
    let (lost, kept) = (fixture.dir().database(), fixture.folder.path().join("kept"));
    fs::rename(&lost, &kept).unwrap();
    match fixture.refused() {
        StoreError::Tampered(said) => assert!(said.contains("the database is gone"), "{said}"),
        other => panic!("{other:?}"),
    }
    assert!(!lost.exists(), "nothing is made in its place");
    fs::rename(&kept, &lost).unwrap();
    assert_eq!(fixture.open(Threading::Inline).size().await.unwrap(), 3);
}

#[test]
fn a_store_that_is_open_is_not_opened_again() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let error = fixture.refused();
    assert!(matches!(&error, StoreError::InUse { .. }), "{error:?}");
    let said = error.to_string();
    let pid = format!("(process {})", std::process::id());
    assert!(said.contains("is in use by another countersign") && said.contains(&pid), "{said}");
    drop(store);
    drop(fixture.open(Threading::Inline));
}

#[test]
fn a_store_of_another_version_is_refused_and_left_alone() {
    let fixture = Fixture::new();
    drop(fixture.open(Threading::Inline));
    let conn = Connection::open(fixture.dir().database()).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    let error = fixture.refused();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error:?}");
    assert!(matches!(verify(&fixture.location(), None, &mut quietly), Err(StoreError::Newer { .. })));
    let copy = fixture.folder.path().join("copy.db");
    assert!(matches!(backup(&fixture.location(), &copy, &mut quietly), Err(StoreError::Newer { .. })));
    let conn = Connection::open(fixture.dir().database()).unwrap();
    conn.pragma_update(None, "user_version", 8).unwrap();
    drop(conn);
    let error = fixture.refused();
    assert!(matches!(error, StoreError::Older { found: 8, .. }), "{error:?}");
    assert!(matches!(verify(&fixture.location(), None, &mut quietly), Err(StoreError::Older { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_write_ahead_log_starts_over_while_events_keep_coming() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let metadata = format!(r#"{{"note":"{}"}}"#, "long ".repeat(3_000));
    for round in 0..220 {
        let long = |n| NewEvent { metadata: metadata.clone(), ..fixture.started(&format!("{round}-{n}")) };
        store.append((0..60).map(long).collect()).await.unwrap();
    }
    let mut log = fixture.dir().database().into_os_string();
    log.push("-wal");
    let bytes = fs::metadata(log).unwrap().len();
    // Without checkpointing it would be more than twice as much.
    assert!(bytes < 100 * 1024 * 1024, "{bytes} bytes are waiting to be checkpointed");
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_late_cosignature_does_not_replace_a_newer_checkpoint_in_the_data_directory() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    grow(&fixture, &store, 3).await;
    store.sign_checkpoint().await.unwrap();
    let witness = WitnessSigningKey::from_seed("witness.example/w", &[5; 32]).unwrap();
    let late = witness.cosign(&store.checkpoint().unwrap(), 100).unwrap();
    grow(&fixture, &store, 5).await;
    let database = Connection::open(fixture.dir().database()).unwrap();
    let refusing =
        "CREATE TRIGGER no_checkpoints BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(ABORT, 'not today'); END";
    database.execute_batch(refusing).unwrap();
    store.sign_checkpoint().await.unwrap_err();
    database.execute_batch("DROP TRIGGER no_checkpoints").unwrap();
    let signed_size = || {
        let note = fs::read_to_string(fixture.dir().checkpoint()).unwrap();
        store.verifying_key().open(&note).unwrap().size
    };
    assert_eq!((store.signed_size(), signed_size()), (3, 5), "the data directory is ahead of the database");
    store.add_cosignature(3, &late).await.unwrap();
    assert_eq!(signed_size(), 5);
    store.sign_checkpoint().await.unwrap();
    assert_eq!((store.signed_size(), signed_size()), (5, 5));
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}
