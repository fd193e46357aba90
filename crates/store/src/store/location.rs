//! Where a store is kept.

use super::backend::{Database, on_database};
use crate::{data_dir::DataDir, error::Result};

/// Where a store is kept: its database, and the data directory of the process that serves it (with the signing key, the last
/// signed checkpoint, and the address of the running server).
#[derive(Debug, Clone)]
pub struct StoreLocation {
    dir: DataDir,
    pub(super) database: Database,
}

impl StoreLocation {
    /// The location of a store whose database is also in the data directory.
    pub fn in_dir(dir: DataDir) -> Self {
        Self { database: Database::in_dir(&dir), dir }
    }

    /// The location of a store whose database is a Postgres database, at an address like `postgres://user:password@host/name`.
    pub fn on_postgres(dir: DataDir, address: &str) -> Result<Self> {
        Ok(Self { database: Database::at(address)?, dir })
    }

    /// The database, for people: its file, or its address without the password.
    pub fn database(&self) -> String {
        on_database!(self, database => database.place())
    }

    pub fn dir(&self) -> &DataDir {
        &self.dir
    }

    /// Fails if there is no store here.
    pub fn check_exists(&self) -> Result<()> {
        on_database!(self, database => database.check_exists())
    }
}

/// Creates the tables of a database or brings them up to date, and gives a role exactly the rights that a server needs. Opening a
/// store also creates its tables, if it may; this is for a server whose role may not.
pub fn prepare_database(location: &StoreLocation, grant_to: Option<&str>) -> Result<()> {
    on_database!(location, database => database.prepare(grant_to))
}
