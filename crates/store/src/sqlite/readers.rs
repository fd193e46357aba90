//! The pool of read connections. Reads never wait for writes, and writes never wait for reads.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::schema::keep_plans;
use crate::error::Result;

/// The maximum number of concurrent reads; others wait. Each read takes a thread and a connection, and opening a connection means
/// reading the whole schema, which costs as much as reading a report. So as many connections are kept as may be used at one time.
const READS_MAX: usize = 16;
/// More than the number of different statements, so that none is prepared twice on one connection.
const STATEMENTS_MAX: usize = 64;

pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

impl Readers {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, idle: Mutex::default(), permits: Semaphore::new(READS_MAX) }
    }

    /// Waits until another read may run. Never `None`, because the semaphore is never closed.
    pub(crate) async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        self.permits.acquire().await.ok()
    }

    pub(crate) fn with<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let conn = idle.map_or_else(|| open_read_only(&self.path), Ok)?;
        let result = read(&conn);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // A connection that is still in a transaction would show later readers an old state.
        if idle.len() < READS_MAX && conn.is_autocommit() {
            idle.push(conn);
        }
        result
    }

    /// Closes the connections that aren't in use.
    pub(crate) fn close(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

pub(crate) fn open_read_only(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    keep_plans(&conn)?;
    conn.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -4096; PRAGMA busy_timeout = 5000;")?;
    Ok(conn)
}
