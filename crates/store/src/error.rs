//! The store's errors, as far as callers need to distinguish them.

use std::path::PathBuf;

use countersign_ledger::LedgerError;

#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    #[error("{} is in use by another countersign (process {holder}); stop it first, or choose another --data-dir", dir.display())]
    InUse { dir: PathBuf, holder: String },
    #[error(
        "the store was written by a newer countersign (schema {found}, this one knows {known}); upgrade this binary"
    )]
    Newer { found: u32, known: u32 },
    #[error(
        "the store was written by an older countersign (schema {found}, this one needs {known}), which this version can't \
         upgrade; export it with the version that wrote it, or choose another --data-dir"
    )]
    Older { found: u32, known: u32 },
    #[error("{database} {found} is too old: versions before {minimum} {why}")]
    OldDatabase { database: &'static str, found: String, minimum: &'static str, why: &'static str },
    #[error("the ledger is not the one that was signed: {0}")]
    Tampered(String),
    #[error(
        "the database's schema differs from the one that this version creates: {0} (run `countersign verify`; put a backup in its \
         place, or remove what was added by hand)"
    )]
    Schema(String),
    #[error("{place}: there is no store here")]
    NoStore { place: String },
    #[error("DATABASE_URL can't be used: {0}")]
    Address(String),
    #[error("another server is using this database; stop it first, because one server per database is supported")]
    ServedElsewhere,
    #[error("not found")]
    NotFound,
    #[error("{0}")]
    Conflict(String),
    #[error("the write queue is full; try again")]
    Busy,
    #[error("the disk is full")]
    DiskFull,
    #[error("the store has been closed")]
    Closed,
    #[error("database: {0}")]
    Database(String),
    #[error("{what}: {error}")]
    Io { what: String, error: String },
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("stored data can't be read: {0}")]
    Corrupt(String),
}

impl StoreError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error: error.to_string() }
    }

    /// Whether the same call may succeed a little later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Busy | Self::DiskFull | Self::Database(_) | Self::Io { .. })
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

pub type Result<T, E = StoreError> = std::result::Result<T, E>;
