//! Backups that move a store from one database to another, and what a restore leaves of the store that it replaces.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use countersign_store::{
    DataDir, Store, StoreError, StoreLocation, Threading, Verification, backup, restore, verify, verify_file,
};
use countersign_test_store::{address, create_database, run};
use rusqlite::{Connection, types::Value};
use tempfile::TempDir;
use tokio_postgres::Client;

use crate::{
    fixture::{Fixture, assert_good},
    sqlite::{
        SqliteFiles,
        populated::{StoreCopy, populated},
    },
};

fn quietly(_: u64, _: u64) {}

/// A populated store on SQLite, a backup of it, and a folder for more.
struct Moving {
    folder: TempDir,
    source: StoreCopy,
    copy: PathBuf,
    fixture: &'static Fixture,
}

impl Moving {
    /// `change` changes the source by hand before the backup is made.
    fn of_changed(change: &str) -> Self {
        let (folder, source) = (tempfile::tempdir().unwrap(), StoreCopy::new());
        Connection::open(source.dir.database()).unwrap().execute_batch(change).unwrap();
        let copy = folder.path().join("copy");
        backup(&source.dir.location(), &copy, &mut quietly).unwrap();
        Self { folder, source, copy, fixture: &populated().fixture }
    }

    fn new() -> Self {
        Self::of_changed("")
    }

    fn dir(&self, name: &str) -> DataDir {
        DataDir::new(self.folder.path().join(name))
    }

    fn on_postgres(&self, name: &str) -> StoreLocation {
        let dir = self.dir(name);
        let address = create_database(dir.path());
        StoreLocation::on_postgres(dir, &address).unwrap()
    }

    /// Restores a backup after checking it with the public key of the log that it was made of.
    fn restore(&self, file: &Path, of: &DataDir, to: &StoreLocation) {
        let key = countersign_store::public_key(of).unwrap();
        assert_good(&verify_file(file, &key, &mut quietly).unwrap());
        restore(to, file, Some(&key), &self.fixture.seams).unwrap();
    }

    /// Verifies a store, appends an event to it, and verifies it again. Returns the first result.
    fn goes_on(&self, location: &StoreLocation) -> Verification {
        let found = verify(location, None, &mut quietly).unwrap();
        assert_good(&found);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = Store::open(location, Threading::Threaded, self.fixture.seams.clone()).unwrap();
            assert_eq!(store.append(vec![self.fixture.started("next")]).await.unwrap(), found.events);
            store.close().await.unwrap();
        });
        assert_good(&verify(location, None, &mut quietly).unwrap());
        found
    }
}

/// All rows of a backup, except those that differ because the log is another one.
fn rows(file: &Path) -> BTreeMap<String, Vec<Vec<Value>>> {
    let conn = Connection::open(file).unwrap();
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('ledger_head', 'checkpoints')";
    let mut statement = conn.prepare(names).unwrap();
    let names: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let rows_of = |name: String| {
        let mut statement = conn.prepare(&format!("SELECT * FROM {name} ORDER BY 1, 2")).unwrap();
        let columns = statement.column_count();
        let read = |row: &rusqlite::Row<'_>| (0..columns).map(|at| row.get(at)).collect();
        let rows = statement.query_map([], read).unwrap().map(Result::unwrap).collect();
        (name, rows)
    };
    names.into_iter().map(rows_of).collect()
}

/// The schemas that restores have put aside, with their numbers of events.
fn put_aside(dir: &DataDir) -> Vec<(String, i64)> {
    run(&address(dir.path()), async |client: Client| {
        let sql =
            "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'countersign\\_before\\_restore\\_%' ORDER BY 1";
        let mut found = Vec::new();
        for row in client.query(sql, &[]).await.unwrap() {
            let name: String = row.get(0);
            let count = client.query_one(&format!("SELECT count(*) FROM {name}.event_log"), &[]).await.unwrap();
            found.push((name, count.get(0)));
        }
        found
    })
}

#[test]
fn a_store_moves_to_postgres_and_back_and_every_row_is_the_same() {
    let moving = Moving::new();
    let (there, back) = (moving.on_postgres("there"), StoreLocation::in_dir(moving.dir("back")));
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let second = moving.folder.path().join("second");
    let mut last = (0, 0);
    let events = backup(&there, &second, &mut |done, total| last = (done, total)).unwrap();
    assert_eq!(last, (events, events));
    moving.restore(&second, there.dir(), &back);

    let (before, after) = (rows(&moving.copy), rows(&second));
    assert!(before.values().filter(|rows| !rows.is_empty()).count() > 20, "the store has something in its tables");
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (table, rows) in before {
        assert_eq!(after.get(&table), Some(&rows), "{table}");
    }
    let source = moving.source.verify().unwrap();
    for location in [&there, &back] {
        let moved = moving.goes_on(location);
        assert_eq!((moved.events, moved.root, moved.erased), (source.events, source.root, source.erased));
    }
}

#[test]
fn a_text_that_postgres_can_not_store_is_changed_in_a_derived_row() {
    let change = "INSERT INTO agent_registry VALUES ('a', 'idle', 1, 0, 't', 't', 0, 0, 0, 0, 'x' || char(0) || 'y')";
    let moving = Moving::of_changed(change);
    let there = moving.on_postgres("there");
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let found: String = run(&address(there.dir().path()), async |client: Client| {
        let sql = "SELECT last_error FROM countersign.agent_registry WHERE name = 'a'";
        client.query_one(sql, &[]).await.unwrap().get(0)
    });
    assert_eq!(found, "x\u{2400}y");
}

#[test]
fn a_restore_puts_the_old_schema_and_key_aside() {
    let moving = Moving::new();
    let there = moving.on_postgres("there");
    moving.restore(&moving.copy, &moving.source.dir, &there);
    assert_eq!(put_aside(there.dir()), [], "there was nothing to put aside");
    let (old, old_key) = (moving.goes_on(&there), fs::read(there.dir().key()).unwrap());
    // A second one at the same moment as the first would have the same name, so time goes on.
    moving.fixture.clock.move_by_seconds(1);
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let aside = put_aside(there.dir());
    let [(_, events)] = aside.as_slice() else { panic!("{aside:?}") };
    assert_eq!(u64::try_from(*events).unwrap(), old.events + 1);
    let folders = fs::read_dir(there.dir().path()).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = folders.filter(|path| path.to_string_lossy().contains("before-restore-")).collect();
    let [folder] = folders.as_slice() else { panic!("{folders:?}") };
    assert_eq!(fs::read(DataDir::new(folder).key()).unwrap(), old_key);
    moving.goes_on(&there);

    // The names are taken now.
    assert!(restore(&there, &moving.copy, None, &moving.fixture.seams).is_err());
    assert_good(&verify(&there, None, &mut quietly).unwrap());
}

#[test]
fn a_store_that_a_restore_left_half_replaced_is_refused() {
    let moving = Moving::new();
    let there = moving.on_postgres("there");
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let dir = there.dir();
    let files = [dir.key(), dir.public_key(), dir.checkpoint()];
    let old = files.each_ref().map(|path| fs::read(path).unwrap());
    moving.fixture.clock.move_by_seconds(1);
    moving.restore(&moving.copy, &moving.source.dir, &there);
    // As if the second restore had ended right after its commit.
    for (path, content) in files.iter().zip(old) {
        fs::write(path, content).unwrap();
    }
    match Store::open(&there, Threading::Inline, moving.fixture.seams.clone()) {
        Ok(_) => panic!("it opened"),
        Err(error) => assert!(matches!(error, StoreError::Tampered(_)), "{error:?}"),
    }
    moving.fixture.clock.move_by_seconds(1);
    moving.restore(&moving.copy, &moving.source.dir, &there);
    moving.goes_on(&there);
}

#[test]
fn a_process_with_another_data_directory_writes_nothing_into_the_new_log() {
    let moving = Moving::new();
    let there = moving.on_postgres("there");
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let other = moving.dir("other");
    other.create().unwrap();
    let names = ["ledger.key", "ledger.pub", "ledger.checkpoint"];
    for name in names {
        fs::copy(there.dir().path().join(name), other.path().join(name)).unwrap();
    }
    let other = StoreLocation::on_postgres(other, &address(there.dir().path())).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (fixture, store) =
        (moving.fixture, Store::open(&other, Threading::Threaded, moving.fixture.seams.clone()).unwrap());
    let writing = runtime.spawn(async move {
        loop {
            if let Err(error) = store.append(vec![fixture.started("other")]).await {
                return error;
            }
            begun.send(()).unwrap();
        }
    });
    has_begun.recv().unwrap();
    fixture.clock.move_by_seconds(1);
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let refused = runtime.block_on(writing).unwrap();
    assert!(matches!(refused, StoreError::Tampered(_)), "{refused:?}");
    assert_eq!(moving.goes_on(&there).events, moving.source.verify().unwrap().events);
}

#[test]
fn only_the_owner_of_the_schema_can_restore() {
    let moving = Moving::new();
    let there = moving.on_postgres("there");
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let role = address(there.dir().path()).rsplit_once('/').unwrap().1.replace("test", "role");
    let create = format!("DROP ROLE IF EXISTS {role}; CREATE ROLE {role} LOGIN PASSWORD 'x'");
    run(&address(there.dir().path()), async move |client: Client| client.batch_execute(&create).await.unwrap());
    countersign_store::prepare_database(&there, Some(&role)).unwrap();
    let address = address(there.dir().path());
    let (_, host) = address.rsplit_once('@').unwrap();
    let as_role = format!("postgres://{role}:x@{host}");
    let as_role = StoreLocation::on_postgres(there.dir().clone(), &as_role).unwrap();
    moving.goes_on(&as_role);
    moving.fixture.clock.move_by_seconds(1);
    let refused = restore(&as_role, &moving.copy, None, &moving.fixture.seams);
    assert!(matches!(refused, Err(StoreError::Address(_))), "{refused:?}");
    moving.goes_on(&as_role);
}

#[test]
fn a_restore_that_fails_halfway_leaves_the_store_as_it_was() {
    let moving = Moving::new();
    let there = moving.on_postgres("there");
    moving.restore(&moving.copy, &moving.source.dir, &there);
    let before = verify(&there, None, &mut quietly).unwrap();
    let conn = Connection::open(&moving.copy).unwrap();
    let guard = "SELECT sql FROM sqlite_schema WHERE name = 'alerts_no_update'";
    let guard: String = conn.query_row(guard, [], |row| row.get(0)).unwrap();
    // Without the key this is not noticed before the row is written.
    let change = "UPDATE alerts SET alert_id = CAST(x'ff' AS TEXT) WHERE seq = (SELECT max(seq) FROM alerts)";
    conn.execute_batch(&format!("DROP TRIGGER alerts_no_update; {change}; {guard}")).unwrap();
    drop(conn);
    moving.fixture.clock.move_by_seconds(1);
    let refused = restore(&there, &moving.copy, None, &moving.fixture.seams);
    assert!(matches!(refused, Err(StoreError::Corrupt(_))), "{refused:?}");
    assert_eq!(put_aside(there.dir()), []);
    let after = moving.goes_on(&there);
    assert_eq!((before.events, before.root), (after.events, after.root));
}
