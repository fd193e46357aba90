//! Checkpoints the write-ahead log on a thread of its own, so that hardly any commit waits for it.
//!
//! The thread has its own connection. When it is asked to, it copies the log's pages into the database, without locking out
//! readers or the writer. Once the log has become long, the writer itself copies the few pages that were added meanwhile, because
//! only then can the log start over. (Ledger checkpoints are something else: here the word means SQLite's.)

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::JoinHandle,
};

use rusqlite::Connection;

use super::schema;
use crate::error::{Result, StoreError};

/// The number of pages after which a new round begins, 8 MB. A commit that comes while a round's pages are being synced to disk
/// waits for them too, so rounds are frequent and small.
const ROUND_PAGES: usize = 2_048;
/// The length at which the log should start over, 64 MB. The writer pauses for a moment to do that.
const PAGES_MAX: usize = 16_384;

pub(crate) struct Checkpointer {
    /// Asks the thread for a round. `None` ends the thread.
    ask: Option<SyncSender<()>>,
    /// Set by the thread at the end of a round.
    is_done: Arc<AtomicBool>,
    /// Whether a round has been asked for and isn't done yet.
    is_asked: bool,
    /// Pages in the log when the last round ended; 0 once it has started over.
    copied_pages: usize,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(crate) fn start(database: &Path) -> Result<Self> {
        let (ask, requests) = sync_channel(1);
        let is_done = Arc::new(AtomicBool::new(false));
        let (path, done) = (database.to_owned(), Arc::clone(&is_done));
        let thread = std::thread::Builder::new()
            .name("store-checkpointer".into())
            .spawn(move || checkpoint_when_asked(&path, &requests, &done))
            .map_err(StoreError::io("the checkpointer's thread could not be started"))?;
        Ok(Self { ask: Some(ask), is_done, is_asked: false, copied_pages: 0, thread: Some(thread) })
    }

    /// Called after a commit, with the number of pages in the log. Returns whether the writer should copy the rest now.
    pub(crate) fn committed(&mut self, wal_pages: usize) -> bool {
        let mut is_done = false;
        if self.is_asked {
            // A thread that has ended never reports that it is done.
            let is_gone = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
            is_done = self.is_done.swap(false, Ordering::AcqRel) || is_gone;
            self.is_asked = !is_done;
        } else if wal_pages < self.copied_pages {
            self.copied_pages = 0;
        } else if wal_pages - self.copied_pages >= ROUND_PAGES {
            self.is_asked = self.ask.as_ref().is_some_and(|ask| ask.try_send(()).is_ok());
            // There is no thread to ask, so the writer does all of it.
            is_done = !self.is_asked;
        }
        if is_done {
            self.copied_pages = wal_pages;
        }
        is_done && wal_pages >= PAGES_MAX
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.ask = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the checkpointer's thread panicked");
        }
    }
}

fn checkpoint_when_asked(path: &Path, requests: &Receiver<()>, is_done: &AtomicBool) {
    let mut conn = None;
    while requests.recv().is_ok() {
        let done = match &conn {
            Some(conn) => checkpoint(conn),
            None => open(path).and_then(|new| checkpoint(conn.insert(new))),
        };
        if let Err(error) = done {
            tracing::warn!(%error, "the write-ahead log could not be checkpointed; the writer will do it instead");
        }
        is_done.store(true, Ordering::Release);
    }
}

fn open(path: &Path) -> Result<Connection> {
    let conn = Connection::open(path)?;
    conn.execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;")?;
    conn.busy_timeout(schema::BUSY_TIMEOUT)?;
    Ok(conn)
}

/// Copies the pages that no reader needs in their old state, without waiting for readers or the writer.
pub(crate) fn checkpoint(conn: &Connection) -> Result<()> {
    conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    Ok(())
}
