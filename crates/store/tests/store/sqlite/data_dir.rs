//! The files of a data directory: who may read them, what happens when one is lost, and who may open the database.

use std::{fs, os::unix::fs::PermissionsExt};

use countersign_domain::NewEvent;
use countersign_store::{Mode, Store, StoreError, backup, verify};

use super::SqliteFiles;
use crate::{
    contract::ledger::grow,
    fixture::{Fixture, assert_good},
};

fn quietly(_: u64, _: u64) {}

#[tokio::test]
async fn one_checkpoint_per_minute_is_kept() {
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
async fn other_users_can_read_neither_the_key_nor_the_data() {
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

#[tokio::test]
async fn a_store_without_its_key_its_checkpoint_or_its_database_is_not_opened() {
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

#[track_caller]
fn refused(fixture: &Fixture) -> StoreError {
    match Store::open(&fixture.location(), Mode::Inline, fixture.seams.clone()) {
        Ok(_) => panic!("it opened"),
        Err(error) => error,
    }
}

#[test]
fn a_store_that_is_open_is_not_opened_again() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    let Err(error) = Store::open(&fixture.location(), Mode::Inline, fixture.seams.clone()) else { panic!("it opened") };
    assert!(matches!(&error, StoreError::InUse { .. }), "{error:?}");
    let said = error.to_string();
    let pid = format!("(process {})", std::process::id());
    assert!(said.contains("is in use by another countersign") && said.contains(&pid), "{said}");
    drop(store);
    drop(fixture.open(Mode::Inline));
}

#[test]
fn a_store_of_another_version_is_refused_and_left_alone() {
    let fixture = Fixture::new();
    drop(fixture.open(Mode::Inline));
    let conn = rusqlite::Connection::open(fixture.dir().database()).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    let Err(error) = Store::open(&fixture.location(), Mode::Inline, fixture.seams.clone()) else { panic!("it opened") };
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error:?}");
    assert!(matches!(verify(&fixture.location(), None, &mut quietly), Err(StoreError::Newer { .. })));
    let copy = fixture.folder.path().join("copy.db");
    assert!(matches!(backup(&fixture.location(), &copy, &mut quietly), Err(StoreError::Newer { .. })));
    let conn = rusqlite::Connection::open(fixture.dir().database()).unwrap();
    conn.pragma_update(None, "user_version", 8).unwrap();
    drop(conn);
    let Err(error) = Store::open(&fixture.location(), Mode::Inline, fixture.seams.clone()) else { panic!("it opened") };
    assert!(matches!(error, StoreError::Older { found: 8, .. }), "{error:?}");
    assert!(matches!(verify(&fixture.location(), None, &mut quietly), Err(StoreError::Older { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_write_ahead_log_starts_over_while_events_keep_coming() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
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
