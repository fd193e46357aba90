//! Backup and restore.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use countersign_store::{DataDir, EventQuery, Mode, StoreError, backup, export, restore, verify, verify_file};

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

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_busy_store_is_a_complete_prefix_of_its_log() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    store.append((0..300).map(|n| fixture.started(&n.to_string())).collect()).await.unwrap();
    store.sign_checkpoint().await.unwrap();
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
    let target = fixture.folder.path().join("copy.db");
    let (dir, to) = (fixture.dir(), target.clone());
    let copied =
        tokio::task::spawn_blocking(move || backup(&dir.location(), &to, &mut quietly).unwrap()).await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    let report = verify_file(&target, &store.verifying_key(), &mut quietly).unwrap();
    assert_good(&report);
    assert!((300..=620).contains(&copied));
    assert_eq!((report.events, report.root), (copied, store.root_at(copied).await.unwrap()));
    assert!(report.signed_events >= 300, "the copy carries what was signed");
    assert_eq!(names_in(fixture.folder.path()), ["copy.db", "data"], "one file and nothing beside it");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_failed_backup_overwrites_nothing_and_leaves_no_partial_file() {
    let (fixture, _) = filled().await;
    let target = fixture.folder.path().join("copy.db");
    fs::write(&target, "mine").unwrap();
    let refused = backup(&fixture.location(), &target, &mut quietly);
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    assert!(matches!(export(&fixture.location(), &target, &mut quietly), Err(StoreError::Conflict(_))));
    assert_eq!(fs::read(&target).unwrap(), b"mine");

    let nowhere = fixture.folder.path().join("no-such-folder/copy.db");
    assert!(matches!(backup(&fixture.location(), &nowhere, &mut quietly), Err(StoreError::Io { .. })));
    let missing = DataDir::new(fixture.folder.path().join("no-such-store"));
    assert!(backup(&missing.location(), &fixture.folder.path().join("b.db"), &mut quietly).is_err());
    // The source ends in the middle of the copy.
    let whole = fs::read(fixture.dir().database()).unwrap();
    fs::write(fixture.dir().database(), &whole[..whole.len() / 2]).unwrap();
    let other = fixture.folder.path().join("other.db");
    assert!(backup(&fixture.location(), &other, &mut quietly).is_err());
    assert_eq!(names_in(fixture.folder.path()), ["copy.db", "data"]);
}

#[tokio::test]
async fn a_restored_backup_is_a_new_log_and_the_old_files_are_kept() {
    let (fixture, old_key) = filled().await;
    let (dir, copy) = (fixture.dir(), fixture.folder.path().join("copy.db"));
    backup(&dir.location(), &copy, &mut quietly).unwrap();
    // The old log goes on after the backup.
    let store = fixture.open(Mode::Inline);
    store.append(vec![fixture.started("later")]).await.unwrap();
    let in_use = restore(&dir.location(), &copy, None, &fixture.seams);
    assert!(matches!(in_use, Err(StoreError::InUse { .. })), "{in_use:?}");
    store.close().await.unwrap();
    drop(store);

    let origin = restore(&dir.location(), &copy, None, &fixture.seams).unwrap();
    assert_ne!(origin, old_key.name());
    let aside: Vec<_> = names_in(dir.path()).into_iter().filter(|name| name.starts_with("before-restore-")).collect();
    let [aside] = aside.as_slice() else { panic!("{aside:?}") };
    let aside = DataDir::new(dir.path().join(aside));
    assert_eq!(names_in(aside.path()), ["countersign.db", "ledger.checkpoint", "ledger.key", "ledger.pub"]);
    assert_good(&verify(&aside.location(), Some(&old_key), &mut quietly).unwrap());
    assert!(fs::read_to_string(dir.checkpoint()).unwrap().starts_with(&format!("{origin}\n9\n")));
    assert!(!dir.path().join("restoring").exists());
    assert_eq!(fs::metadata(dir.database()).unwrap().permissions().mode() & 0o777, 0o600);

    let store = fixture.open(Mode::Threaded);
    assert_eq!((store.size().await.unwrap(), store.verifying_key().name()), (9, origin.as_str()));
    assert_eq!(store.append(vec![fixture.started("new")]).await.unwrap(), 9);
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
    let by_the_old_key = verify(&dir.location(), Some(&old_key), &mut quietly).unwrap();
    assert!(!by_the_old_key.is_good());

    // A second restore at the same moment doesn't overwrite the files that the first one put aside.
    assert!(restore(&dir.location(), &copy, None, &fixture.seams).is_err());
    assert_good(&fixture.verify());
    fixture.clock.move_by_seconds(1);
    assert_ne!(restore(&dir.location(), &copy, None, &fixture.seams).unwrap(), origin);
}

#[tokio::test]
async fn a_failed_restore_leaves_the_store_as_it_was() {
    let (fixture, _) = filled().await;
    let no_backup = fixture.folder.path().join("no-backup.db");
    fs::write(&no_backup, "SQLite format 3\0 but nothing more").unwrap();
    assert!(restore(&fixture.location(), &no_backup, None, &fixture.seams).is_err());
    fs::write(&no_backup, "nothing of the kind").unwrap();
    assert!(restore(&fixture.location(), &no_backup, None, &fixture.seams).is_err());
    assert!(restore(&fixture.location(), &fixture.folder.path().join("missing"), None, &fixture.seams).is_err());
    assert_good(&fixture.verify());
    // A store can be restored from its own database file.
    restore(&fixture.location(), &fixture.dir().database(), None, &fixture.seams).unwrap();
    assert_eq!(fixture.open(Mode::Inline).size().await.unwrap(), 9);
}

#[tokio::test]
async fn a_changed_backup_is_not_restored_if_its_key_is_given() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Inline);
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
    assert_eq!(fixture.open(Mode::Inline).verifying_key(), key, "nothing was touched");
}

#[tokio::test]
async fn a_restore_repeats_erasures_made_since_the_backup() {
    let (fixture, _) = filled().await;
    let copy = fixture.folder.path().join("copy.db");
    backup(&fixture.location(), &copy, &mut quietly).unwrap();
    let store = fixture.open(Mode::Inline);
    store.append(vec![fixture.transaction("tx-later", "1.00")]).await.unwrap();
    store.erase(vec![0, 9], "asked for", "ana").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    restore(&fixture.location(), &copy, None, &fixture.seams).unwrap();
    let store = fixture.open(Mode::Inline);
    let events = store.events(EventQuery { limit: 100, ..Default::default() }).await.unwrap();
    assert!(events.first().unwrap().payload.is_none(), "it stays erased");
    assert_eq!((events.len(), events[9].event_type.as_str()), (10, "PAYLOAD_ERASED"));
    store.close().await.unwrap();
    drop(store);
    let report = fixture.verify();
    assert_good(&report);
    assert_eq!(report.erased, 2);
}
