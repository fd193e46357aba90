//! A closed store on SQLite with something in every table, whatever backend is under test, and copies of it for tests to change
//! by hand.

use std::{fs, sync::OnceLock};

use countersign_store::{DataDir, Store, Threading, Verification, verify};
use rusqlite::{Connection, config::DbConfig};
use tempfile::TempDir;

use super::SqliteFiles;
use crate::{
    fixture::{Fixture, assert_good},
    populated::fill,
};

/// The closed store: its database as one file without a write-ahead log, and the fixture with its other files.
pub(crate) struct Populated {
    pub(crate) fixture: Fixture,
    pub(crate) database: Vec<u8>,
}

/// The same store in every run. It is made once per process.
pub(crate) fn populated() -> &'static Populated {
    static MADE: OnceLock<Populated> = OnceLock::new();
    MADE.get_or_init(|| {
        let fixture = Fixture::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let store = Store::open(&fixture.dir().location(), Threading::Inline, fixture.seams.clone()).unwrap();
        runtime.block_on(fill(&fixture, store));
        let conn = Connection::open(fixture.dir().database()).unwrap();
        conn.execute_batch("PRAGMA journal_mode = DELETE; VACUUM").unwrap();
        drop(conn);
        assert_good(&verify(&fixture.dir().location(), None, &mut |_, _| {}).unwrap());
        let database = fs::read(fixture.dir().database()).unwrap();
        Populated { fixture, database }
    })
}

/// A copy of the populated store in a folder of its own.
pub(crate) struct StoreCopy {
    pub(crate) dir: DataDir,
    _folder: TempDir,
}

impl StoreCopy {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let copy = Self { dir: DataDir::new(folder.path()), _folder: folder };
        copy.restore();
        copy
    }

    /// Undoes every change.
    pub(crate) fn restore(&self) {
        let from = populated().fixture.dir();
        for (source, target) in [
            (from.checkpoint(), self.dir.checkpoint()),
            (from.public_key(), self.dir.public_key()),
            (from.key(), self.dir.key()),
        ] {
            fs::copy(source, target).unwrap();
        }
        fs::write(self.dir.database(), &populated().database).unwrap();
    }

    /// Opens the copy's database without triggers, checks and syncs.
    pub(crate) fn connection(&self) -> Connection {
        let conn = Connection::open(self.dir.database()).unwrap();
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false).unwrap();
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false).unwrap();
        conn.execute_batch(
            "PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY",
        )
        .unwrap();
        conn
    }

    pub(crate) fn verify(&self) -> countersign_store::Result<Verification> {
        verify(&self.dir.location(), None, &mut |_, _| {})
    }
}
