//! Which database a store is kept in: the one place that chooses between databases.
//!
//! [`Database`] is the database of a store that another process may have open: verification, bundles, backups and the commands
//! that run while a server is running work on it. [`Backend`] is the database of a store that this process has open. Both are
//! enums and not traits, because every database is known here, and callers of the store need neither a type parameter nor a trait
//! object.

use std::path::Path;

use countersign_ledger::VerifyingKey;

use super::{
    Threading,
    opening::{self, OpenedLedger},
};
use crate::{
    anchor::Anchor,
    check::{LastCheckpoint, Verification},
    data_dir::DataDir,
    error::Result,
    postgres::{PostgresDatabase, PostgresStore},
    seams::Seams,
    sqlite::{self, SourceFile, SqliteDatabase, SqliteFiles, SqliteStore},
};

/// The database of a [`crate::StoreLocation`].
#[derive(Debug, Clone)]
pub(crate) enum Database {
    Sqlite(SqliteFiles),
    Postgres(Box<PostgresDatabase>),
}

/// Makes the same call on whichever database it is: `on_database!(location, database => database.check_exists())`.
macro_rules! on_database {
    ($location:expr, $database:ident => $call:expr) => {
        match &$location.database {
            $crate::store::backend::Database::Sqlite($database) => $call,
            $crate::store::backend::Database::Postgres($database) => $call,
        }
    };
}
pub(super) use on_database;

impl Database {
    /// The Postgres database at this address.
    pub(super) fn at(address: &str) -> Result<Self> {
        Ok(Self::Postgres(Box::new(PostgresDatabase::parse(address)?)))
    }

    /// The database whose files are in the data directory.
    pub(super) fn in_dir(dir: &DataDir) -> Self {
        Self::Sqlite(SqliteFiles::of(dir))
    }

    /// Copies the database to a file. Backups are files of SQLite, whatever database they are made of.
    pub(super) fn backup(&self, dir: &DataDir, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
        match self {
            Self::Sqlite(files) => files.backup(target, progress),
            Self::Postgres(database) => {
                let check_exists = || database.check_exists();
                sqlite::backup_from(target, dir, check_exists, |file| database.copy_to(file, progress))
            }
        }
    }

    /// Replaces the database, and the key and checkpoint in the data directory, with a backup.
    pub(super) fn restore(
        &self,
        dir: &DataDir,
        file: &Path,
        key: Option<&VerifyingKey>,
        seams: &Seams,
    ) -> Result<String> {
        match self {
            Self::Sqlite(files) => files.restore(file, key, seams),
            Self::Postgres(database) => database.restore(dir, &mut SourceFile::open(file, key)?, seams),
        }
    }

    /// Opens the database for this process. Its ledger is checked before anything is written.
    pub(super) fn open(&self, dir: &DataDir, threading: Threading, seams: &Seams) -> Result<(Backend, OpenedLedger)> {
        match self {
            Self::Sqlite(files) => {
                let database = SqliteDatabase::open(files)?;
                let ledger = opening::check(dir, seams, database.ledger()?, |size| database.root_at(size))?;
                Ok((Backend::Sqlite(database.start(files, threading, seams, &ledger)?), ledger))
            }
            Self::Postgres(database) => {
                let database = database.open(dir, threading)?;
                let ledger = opening::check(dir, seams, database.ledger()?, |size| database.root_at(size))?;
                Ok((Backend::Postgres(database.start(threading, seams, &ledger)?), ledger))
            }
        }
    }
}

/// The database of an open [`crate::Store`].
#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

impl Backend {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "sqlite",
            Self::Postgres(_) => "postgres",
        }
    }

    pub(super) fn with_inline_reads(&self) -> Self {
        match self {
            Self::Sqlite(sqlite) => Self::Sqlite(sqlite.with_inline_reads()),
            // Its reads don't block.
            Self::Postgres(postgres) => Self::Postgres(postgres.clone()),
        }
    }
}

/// Makes the same call on whichever backend it is: `on_backend!(self, backend => backend.events(query).await)`.
macro_rules! on_backend {
    ($store:expr, $backend:ident => $call:expr) => {
        match &$store.backend {
            $crate::store::backend::Backend::Sqlite($backend) => $call,
            $crate::store::backend::Backend::Postgres($backend) => $call,
        }
    };
}
pub(super) use on_backend;

/// A backup in the form of a database, as opposed to a bundle.
pub(super) enum BackupFile<'a> {
    Sqlite(&'a Path),
}

impl<'a> BackupFile<'a> {
    /// `None` if the file is not a backup of this kind.
    pub(super) fn recognize(file: &'a Path) -> Option<Self> {
        sqlite::is_database(file).then_some(Self::Sqlite(file))
    }

    pub(super) fn verify(
        &self,
        key: &VerifyingKey,
        anchors: &[Anchor],
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Verification> {
        match self {
            Self::Sqlite(file) => {
                sqlite::verify::verify_database(file, key, &LastCheckpoint::NotKept, anchors, progress)
            }
        }
    }
}
