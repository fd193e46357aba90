//! The index of logs in a file of its own: words of their texts, and counts per minute, hour and day.
//!
//! Derived, and no part of the ledger: whatever is wrong with the file, it is made anew from the database. It is opened
//! when it is first needed, so that it costs the start nothing. Readers do without it where it is missing or behind:
//! they get the same answers, later.

mod fill;
pub(crate) mod text;
pub(crate) mod verify;

pub(crate) use fill::end_of_log;

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError, TryLockError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, InterruptHandle, OpenFlags, OptionalExtension};

use super::{schema, schema_object::SchemaObject};
use crate::error::{Result, StoreError};

/// Another number makes every index that was written before it anew.
const VERSION: i32 = 1;
/// Marks the file as ours.
const APPLICATION_ID: i32 = 0x4373_6c78;
const IDLE_MAX: usize = 4;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The words. Without their places and with the texts left where they are, it is a quarter of their size. Also made in
/// memory, for logs that are not in the file yet.
const WORDS: &str = "CREATE VIRTUAL TABLE log_words USING fts5(query, response, tags, content='', contentless_delete=1,
                     detail='none', tokenize='unicode61 remove_diacritics 2')";

/// `counts` has one row per bucket: where its logs begin and end, and how many there are of each score.
const TABLES: &str = "
CREATE TABLE progress (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  origin      TEXT NOT NULL,
  next_seq    INTEGER NOT NULL,
  must_forget INTEGER NOT NULL
) STRICT;
CREATE TABLE counts (
  micros INTEGER NOT NULL, start INTEGER NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
  s0 INTEGER NOT NULL, s1 INTEGER NOT NULL, s2 INTEGER NOT NULL, s3 INTEGER NOT NULL, s4 INTEGER NOT NULL,
  s5 INTEGER NOT NULL, s6 INTEGER NOT NULL, s7 INTEGER NOT NULL, s8 INTEGER NOT NULL, s9 INTEGER NOT NULL,
  s10 INTEGER NOT NULL,
  PRIMARY KEY (micros, start)
) STRICT, WITHOUT ROWID;";

/// Whose fault it was: the index can be done without, the store can't.
#[derive(Debug)]
pub(crate) enum Failed {
    Index(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The index as a reader sees it: one snapshot, and the position that it has come to.
#[derive(Clone, Copy)]
pub(crate) struct Indexed<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) next_seq: u64,
}

pub(crate) struct Search {
    path: PathBuf,
    /// The log that it must be the index of: a restored backup is another one.
    origin: String,
    filler: Mutex<Option<Connection>>,
    /// Breaks off what the filler is at, so that nobody waits for it to end.
    interrupt: Mutex<Option<InterruptHandle>>,
    readers: Mutex<Idle>,
    is_broken: AtomicBool,
}

#[derive(Default)]
struct Idle {
    conns: Vec<Connection>,
    /// Counts the files that there have been: a connection to an earlier one is of no use.
    file: u64,
}

impl Search {
    pub(crate) fn new(path: PathBuf, origin: String) -> Self {
        Self {
            path,
            origin,
            filler: Mutex::default(),
            interrupt: Mutex::default(),
            readers: Mutex::default(),
            is_broken: AtomicBool::new(false),
        }
    }

    /// Reads with the index, or without it where there is none or it fails.
    pub(crate) fn read<T>(&self, read: impl Fn(Option<Indexed<'_>>) -> Result<T, Failed>) -> Result<T> {
        match self.read_indexed(&read) {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => {}
            Err(Failed::Store(error)) => return Err(error),
            Err(Failed::Index(error)) => {
                tracing::warn!(%error, "the search index can't be read; this once it is done without");
                if is_damage(&error) {
                    self.is_broken.store(true, Ordering::Release);
                }
            }
        }
        read(None).map_err(|failed| match failed {
            Failed::Index(error) => error.into(),
            Failed::Store(error) => error,
        })
    }

    fn read_indexed<T>(&self, read: impl Fn(Option<Indexed<'_>>) -> Result<T, Failed>) -> Result<Option<T>, Failed> {
        if self.is_broken.load(Ordering::Acquire) {
            return Ok(None);
        }
        let (idle, file) = {
            let mut readers = lock(&self.readers);
            (readers.conns.pop(), readers.file)
        };
        let Some(conn) = idle.map_or_else(|| self.open_reader(), |conn| Ok(Some(conn)))? else { return Ok(None) };
        let snapshot = conn.unchecked_transaction()?;
        let next_seq = snapshot.prepare_cached("SELECT next_seq FROM progress")?.query_row([], |row| row.get(0))?;
        let value = read(Some(Indexed { conn: &snapshot, next_seq }));
        drop(snapshot);
        let mut readers = lock(&self.readers);
        if value.is_ok() && readers.file == file && readers.conns.len() < IDLE_MAX {
            readers.conns.push(conn);
        }
        value.map(Some)
    }

    fn open_reader(&self) -> rusqlite::Result<Option<Connection>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(&self.path, flags)?;
        conn.busy_timeout(BUSY_TIMEOUT)?;
        conn.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -4096")?;
        Ok(self.is_ours(&conn)?.then_some(conn))
    }

    /// Indexes some more of what `main` holds. Returns whether there is more to do.
    pub(crate) fn fill(&self, main: &Connection) -> Result<bool> {
        let mut filler = lock(&self.filler);
        if self.is_broken.load(Ordering::Acquire) {
            self.discard(&mut filler, "it is damaged")?;
        }
        let filled = match filler.as_ref() {
            Some(conn) => fill::step(conn, main),
            None => self.open_filler(main).and_then(|conn| {
                *lock(&self.interrupt) = Some(conn.get_interrupt_handle());
                fill::step(filler.insert(conn), main)
            }),
        };
        match filled {
            Ok(more) => Ok(more),
            Err(Failed::Store(error)) => Err(error),
            Err(Failed::Index(error)) if is_damage(&error) || is_other_schema(&error) => {
                self.discard(&mut filler, &error.to_string())?;
                Ok(true)
            }
            // The store is being closed; what was begun is begun again after the next start.
            Err(Failed::Index(error)) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                Ok(false)
            }
            Err(Failed::Index(error)) => Err(error.into()),
        }
    }

    fn open_filler(&self, main: &Connection) -> Result<Connection, Failed> {
        if self.path.exists() {
            let conn = open_writable(&self.path)?;
            if self.is_ours(&conn)? && is_behind(&conn, main)? {
                return Ok(conn);
            }
            drop(conn);
            self.discard(&mut None, "it is of another version, or of another log")?;
        }
        schema::create_private(&self.path)?;
        let conn = open_writable(&self.path)?;
        self.create(&conn)?;
        Ok(conn)
    }

    fn create(&self, conn: &Connection) -> rusqlite::Result<()> {
        let transaction = conn.unchecked_transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.execute_batch(WORDS)?;
        transaction
            .execute("INSERT INTO progress (id, origin, next_seq, must_forget) VALUES (1, ?1, 0, 0)", [&self.origin])?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()
    }

    fn is_ours(&self, conn: &Connection) -> rusqlite::Result<bool> {
        let number = |name| conn.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        if number("application_id")? != APPLICATION_ID || number("user_version")? != VERSION {
            return Ok(false);
        }
        let origin: Option<String> = conn.query_row("SELECT origin FROM progress", [], |row| row.get(0)).optional()?;
        Ok(origin.as_ref() == Some(&self.origin) && has_our_schema(conn))
    }

    /// Removes the file. The next step begins a new one.
    fn discard(&self, filler: &mut Option<Connection>, why: &str) -> Result<()> {
        tracing::warn!(why, "the search index is made anew");
        *filler = None;
        let mut readers = lock(&self.readers);
        readers.conns.clear();
        readers.file += 1;
        for suffix in ["", "-wal", "-shm"] {
            let mut path = self.path.clone().into_os_string();
            path.push(suffix);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(StoreError::io(format!("{} can't be removed", self.path.display()))(error));
                }
                _ => {}
            }
        }
        self.is_broken.store(false, Ordering::Release);
        Ok(())
    }

    pub(crate) fn close(&self) {
        lock(&self.readers).conns.clear();
        loop {
            match self.filler.try_lock() {
                Ok(mut filler) => return drop(filler.take()),
                Err(TryLockError::Poisoned(filler)) => return drop(filler.into_inner().take()),
                Err(TryLockError::WouldBlock) => {
                    // Again and again: one that comes between two statements has no effect.
                    lock(&self.interrupt).iter().for_each(InterruptHandle::interrupt);
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
    }
}

/// An index that somebody has added a trigger to, or taken a table from, is made anew.
fn has_our_schema(conn: &Connection) -> bool {
    static EXPECTED: OnceLock<Option<Vec<SchemaObject>>> = OnceLock::new();
    let expected = EXPECTED.get_or_init(|| verify::schema().ok());
    // Where the comparison can't be made, what is read will tell.
    expected.as_ref().is_none_or(|expected| SchemaObject::all(conn).is_ok_and(|found| found == *expected))
}

/// Losing the newest commits costs nothing: the mark goes back with them.
fn open_writable(path: &Path) -> rusqlite::Result<Connection> {
    let conn = Connection::open(path)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
         PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864;",
    )?;
    Ok(conn)
}

/// An index that is ahead of the log is not this log's.
fn is_behind(conn: &Connection, main: &Connection) -> Result<bool, Failed> {
    let next_seq: u64 = conn.query_row("SELECT next_seq FROM progress", [], |row| row.get(0))?;
    Ok(next_seq <= end_of_log(main)?)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Where no words from outside are involved, a statement that can't be carried out finds other tables than we made.
fn is_other_schema(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::Unknown) || matches!(error, rusqlite::Error::QueryReturnedNoRows)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
