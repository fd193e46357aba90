//! The files that a backup and a restore write, and backups that were changed by hand.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use countersign_store::{DataDir, StoreError, Threading, backup, restore, verify};

use super::SqliteFiles;
use crate::{
    contract::bundles::filled,
    fixture::{Fixture, assert_good},
};

fn quietly(_: u64, _: u64) {}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_backup_is_one_file_that_only_its_owner_can_read() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    store.append(vec![fixture.started("x")]).await.unwrap();
    let target = fixture.folder.path().join("copy.db");
    backup(&fixture.location(), &target, &mut quietly).unwrap();
    assert_eq!(names_in(fixture.folder.path()), ["copy.db", "data"], "one file and nothing beside it");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_backup_that_fails_halfway_leaves_no_partial_file() {
    let (fixture, _) = filled().await;
    // The source ends in the middle of the copy.
    let whole = fs::read(fixture.dir().database()).unwrap();
    fs::write(fixture.dir().database(), &whole[..whole.len() / 2]).unwrap();
    assert!(backup(&fixture.location(), &fixture.folder.path().join("copy.db"), &mut quietly).is_err());
    assert_eq!(names_in(fixture.folder.path()), ["data"]);
}

#[tokio::test]
async fn a_restore_keeps_the_files_that_it_replaces() {
    let (fixture, old_key) = filled().await;
    let (dir, copy) = (fixture.dir(), fixture.folder.path().join("copy.db"));
    backup(&dir.location(), &copy, &mut quietly).unwrap();
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.started("later")]).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    restore(&dir.location(), &copy, None, &fixture.seams).unwrap();
    let aside: Vec<_> = names_in(dir.path()).into_iter().filter(|name| name.starts_with("before-restore-")).collect();
    let [aside] = aside.as_slice() else { panic!("{aside:?}") };
    let aside = DataDir::new(dir.path().join(aside));
    assert_eq!(names_in(aside.path()), ["countersign.db", "ledger.checkpoint", "ledger.key", "ledger.pub"]);
    let old = verify(&aside.location(), Some(&old_key), &mut quietly).unwrap();
    assert_good(&old);
    assert_eq!(old.events, 10);
    assert!(!dir.path().join("restoring").exists());
    assert_eq!(fs::metadata(dir.database()).unwrap().permissions().mode() & 0o777, 0o600);

    // A second restore at the same moment doesn't overwrite the files that the first one put aside.
    assert!(restore(&dir.location(), &copy, None, &fixture.seams).is_err());
    assert_good(&fixture.verify());
    fixture.clock.move_by_seconds(1);
    restore(&dir.location(), &copy, None, &fixture.seams).unwrap();
}

#[tokio::test]
async fn a_file_that_only_starts_like_a_database_is_not_restored() {
    let (fixture, _) = filled().await;
    let not_a_backup = fixture.folder.path().join("no-backup.db");
    fs::write(&not_a_backup, "SQLite format 3\0 but nothing more").unwrap();
    assert!(restore(&fixture.location(), &not_a_backup, None, &fixture.seams).is_err());
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_store_can_be_restored_from_its_own_database_file() {
    let (fixture, _) = filled().await;
    restore(&fixture.location(), &fixture.dir().database(), None, &fixture.seams).unwrap();
    assert_eq!(fixture.open(Threading::Inline).size().await.unwrap(), 9);
}

#[tokio::test]
async fn a_changed_backup_is_not_restored_if_the_logs_key_is_given() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.started("x"), fixture.started("y")]).await.unwrap();
    let (key, copy) = (store.verifying_key(), fixture.folder.path().join("copy.db"));
    backup(&fixture.location(), &copy, &mut quietly).unwrap();
    store.close().await.unwrap();
    drop(store);
    let conn = rusqlite::Connection::open(&copy).unwrap();
    let guard = "SELECT sql FROM sqlite_schema WHERE name = 'event_bodies_no_update'";
    let guard: String = conn.query_row(guard, [], |row| row.get(0)).unwrap();
    let change = "UPDATE event_bodies SET payload = '{}' WHERE seq = 1";
    conn.execute_batch(&format!("DROP TRIGGER event_bodies_no_update; {change}; {guard}")).unwrap();
    drop(conn);
    let refused = restore(&fixture.location(), &copy, Some(&key), &fixture.seams);
    assert!(matches!(refused, Err(StoreError::Tampered(_))), "{refused:?}");
    assert_eq!(fixture.open(Threading::Inline).verifying_key(), key, "nothing was touched");
}
