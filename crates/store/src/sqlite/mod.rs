//! The store on SQLite: one writer with group commit, readers that don't block it, and the ledger updated in every commit.
//!
//! The directory's lock makes this process the only one that writes. So what it remembers of its own commits (the log's size,
//! the newest event of each type) is always up to date here. On a backend with several writing processes it would be a hint.
//!
//! | file                | job                                                                              |
//! |---------------------|----------------------------------------------------------------------------------|
//! | `files.rs`          | the files of a store, and reading them while another process may have them open  |
//! | `schema.rs`         | opening the database file; its settings and its schema                           |
//! | `schema_object.rs`  | what a schema consists of, and how two schemas differ                            |
//! | `writer.rs`         | the writer's thread and its queue                                                |
//! | `commit/`           | jobs, applied in one transaction                                                 |
//! | `checkpointer.rs`   | copies the write-ahead log into the database, on a thread of its own             |
//! | `ledger.rs`         | the stored tree                                                                  |
//! | `event_tables.rs`   | statements for the tables that have one row per event                            |
//! | `columns.rs`        | column values as SQLite stores them                                              |
//! | `readers.rs`        | the pool of read connections                                                     |
//! | `reads.rs`          | events, progress, registry, dead letters, keys                                   |
//! | `snapshots.rs`      | reads that gather several things from one snapshot                               |
//! | `logs.rs`, `stats.rs`, `search/` | audit logs, their statistics, and the search index                  |
//! | `history.rs`, `alert_lists.rs`, `ranks.rs`, `cases.rs` | transactions, alerts and investigations       |
//! | `reports.rs`, `reviews.rs`, `addenda.rs`, `answers.rs` | reports, reviews and answers                  |
//! | `erasures.rs`       | reads what an erasure must keep                                                  |
//! | `verify/`           | what verification asks about a database file                                     |
//! | `backup.rs`         | backup and restore                                                               |
//! | `copying.rs`        | copies rows between a file and another database                                  |

mod addenda;
mod alert_lists;
mod answers;
mod backup;
mod cases;
mod checkpointer;
mod columns;
mod commit;
mod copying;
mod erasures;
mod event_tables;
mod files;
mod history;
mod ledger;
mod logs;
mod ranks;
mod readers;
mod reads;
mod reports;
mod reviews;
mod schema;
mod schema_object;
mod search;
mod snapshots;
mod stats;
pub(crate) mod verify;
mod writer;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use countersign_domain::EventType;
use countersign_ledger::Hash;
use rusqlite::Connection;
use tokio::sync::watch;

use self::{checkpointer::Checkpointer, commit::Committer, readers::Readers, search::SearchIndex, writer::StoreWriter};
use crate::{
    data_dir::DirLock,
    error::{Result, StoreError},
    heads::{Heads, TypeWatchers},
    job::{Job, JobOutcome, Priority},
    newest::NewestByType,
    seams::Seams,
    store::{
        Threading,
        opening::{OpenedLedger, StoredLedger},
    },
};

pub(crate) use backup::backup_from;
pub(crate) use copying::SourceFile;
pub(crate) use files::SqliteFiles;

/// A database file that this process has locked, before its ledger has been checked.
pub(crate) struct SqliteDatabase {
    conn: Connection,
    lock: DirLock,
}

impl SqliteDatabase {
    pub(crate) fn open(files: &SqliteFiles) -> Result<Self> {
        let dir = files.dir();
        let lock = dir.lock()?;
        if !files.database().exists() && dir.checkpoint().exists() {
            return Err(StoreError::Tampered(format!(
                "{} is there, but the database is gone; put it back, or use `countersign restore`",
                dir.checkpoint().display()
            )));
        }
        Ok(Self { conn: schema::open_for_writing(&files.database())?, lock })
    }

    pub(crate) fn ledger(&self) -> Result<StoredLedger> {
        let conn = &self.conn;
        Ok(StoredLedger {
            newest: reads::last_recorded(conn)?,
            head: ledger::read_head(conn)?,
            newest_checkpoint: conn.query_row("SELECT max(size) FROM checkpoints", [], |row| row.get(0))?,
        })
    }

    pub(crate) fn root_at(&self, size: u64) -> Result<Hash> {
        ledger::root_of(&self.conn, size)
    }

    /// Starts the writer on a ledger that has been checked.
    pub(crate) fn start(
        self,
        files: &SqliteFiles,
        threading: Threading,
        seams: &Seams,
        opened: &OpenedLedger,
    ) -> Result<SqliteStore> {
        let Self { conn, lock } = self;
        let head = &opened.head;
        if opened.must_store_head {
            ledger::store_head(&conn, head)?;
        }
        let had_clean_stop = reads::clean_stop(&conn)?;
        conn.execute(
            "INSERT INTO process_state (id, clean_stop) VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET clean_stop = 0",
            [],
        )?;
        let key = Arc::clone(&opened.key);
        let mut committer = Committer::new(conn, head.frontier.clone(), opened.last_recorded, key, seams.clone());
        let newest = committer.newest();
        let (heads, head_of_all, watchers) = Heads::new(head.frontier.size(), Arc::clone(&newest));
        let writer = match threading {
            Threading::Threaded => {
                committer.leave_wal_to_writer()?;
                StoreWriter::thread(committer, heads, Checkpointer::start(&files.database())?)?
            }
            Threading::Inline => StoreWriter::inline(committer, heads),
        };
        let inner = Inner {
            writer,
            readers: Readers::new(files.database()),
            search: SearchIndex::new(files.search(), head.origin.clone()),
            threading,
            head: head_of_all,
            watchers,
            newest,
            is_recovered: AtomicBool::new(had_clean_stop),
            _lock: lock,
        };
        Ok(SqliteStore { inner: Arc::new(inner), reads_inline: threading == Threading::Inline })
    }
}

/// A store on an open SQLite database. Clones share it.
#[derive(Clone)]
pub(crate) struct SqliteStore {
    inner: Arc<Inner>,
    /// Whether reads run on the caller's thread.
    reads_inline: bool,
}

struct Inner {
    writer: StoreWriter,
    readers: Readers,
    search: SearchIndex,
    threading: Threading,
    head: watch::Receiver<u64>,
    watchers: Arc<TypeWatchers>,
    newest: Arc<NewestByType>,
    /// Whether everything that an unclean stop left unfinished has been handled.
    is_recovered: AtomicBool,
    /// Declared last, so that it is released after everything else is closed.
    _lock: DirLock,
}

impl SqliteStore {
    pub(crate) fn with_inline_reads(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), reads_inline: true }
    }

    pub(crate) fn head(&self) -> watch::Receiver<u64> {
        self.inner.head.clone()
    }

    pub(crate) fn head_of(&self, types: &[EventType]) -> watch::Receiver<u64> {
        self.inner.watchers.head_of(types, &self.inner.head)
    }

    #[expect(clippy::unused_async, reason = "backends in which other processes may write ask their database")]
    pub(crate) async fn size(&self) -> Result<u64> {
        // This process holds the directory's lock, so it made every commit there is.
        Ok(self.known_size())
    }

    pub(crate) fn known_size(&self) -> u64 {
        *self.inner.head.borrow()
    }

    pub(crate) fn is_writable(&self) -> bool {
        self.inner.writer.is_writable()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.inner.writer.waiting()
    }

    #[expect(clippy::unused_async, reason = "backends in which other processes may stop ask their database")]
    pub(crate) async fn has_unfinished_work(&self) -> Result<bool> {
        Ok(!self.inner.is_recovered.load(Ordering::Acquire))
    }

    pub(crate) fn set_recovered(&self) {
        self.inner.is_recovered.store(true, Ordering::Release);
    }

    pub(crate) async fn submit(&self, job: Job, priority: Priority) -> Result<JobOutcome> {
        self.inner.writer.submit(job, priority).await
    }

    pub(crate) async fn close(&self) -> Result<()> {
        // What an unclean stop left unfinished stays marked until it has been handled.
        if self.inner.is_recovered.load(Ordering::Acquire) {
            self.submit(Job::RecordCleanStop, Priority::Prompt).await?;
        }
        let inner = Arc::clone(&self.inner);
        match self.inner.threading {
            Threading::Inline => inner.close(),
            Threading::Threaded => drop(tokio::task::spawn_blocking(move || inner.close()).await),
        }
        Ok(())
    }

    async fn read<T: Send + 'static>(&self, read: impl FnOnce(&Connection) -> Result<T> + Send + 'static) -> Result<T> {
        let _permit = self.inner.readers.permit().await;
        if self.reads_inline {
            return self.inner.readers.with(read);
        }
        let inner = Arc::clone(&self.inner);
        let done = tokio::task::spawn_blocking(move || inner.readers.with(read)).await;
        done.unwrap_or_else(|error| Err(StoreError::Database(format!("a read was aborted: {error}"))))
    }
}

impl Inner {
    fn close(&self) {
        // Readers first: the last connection to be closed copies the write-ahead log into the database, and a reader can't.
        self.readers.close();
        self.search.close();
        self.writer.close();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

/// Whether `path` looks like a SQLite database.
pub(crate) fn is_database(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 16];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"SQLite format 3\0"
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match &error {
            rusqlite::Error::QueryReturnedNoRows => Self::NotFound,
            rusqlite::Error::SqliteFailure(cause, _) if cause.code == ErrorCode::DiskFull => Self::DiskFull,
            rusqlite::Error::SqliteFailure(cause, message) if cause.code == ErrorCode::ConstraintViolation => {
                Self::Conflict(message.clone().unwrap_or_else(|| error.to_string()))
            }
            _ => Self::Database(error.to_string()),
        }
    }
}
