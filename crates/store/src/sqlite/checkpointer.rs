//! Folds the write-ahead log into the database beside the writer, so that hardly any commit waits for it.
//!
//! A thread with a connection of its own copies what is there when it is asked; that stops nobody. Where the log has become
//! long, the writer folds in itself what came in meanwhile, which is little: only then can the log start over.

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

/// Pages that come into the log between two rounds, 8 MB. Whoever commits while a round's pages go to the disk waits for them too:
/// better often and little.
const PAGES_EACH: usize = 2_048;
/// Pages in the log from which it is to start over, 64 MB. For that the writer has to stop for a moment.
const PAGES_MAX: usize = 16_384;

pub(crate) struct Checkpointer {
    ask: Option<SyncSender<()>>,
    is_done: Arc<AtomicBool>,
    is_asked: bool,
    /// Pages in the log when the last round ended; 0 once it has started over.
    folded_pages: usize,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(crate) fn beside(database: &Path) -> Result<Self> {
        let (ask, asked) = sync_channel(1);
        let is_done = Arc::new(AtomicBool::new(false));
        let (path, done) = (database.to_owned(), Arc::clone(&is_done));
        let thread = std::thread::Builder::new()
            .name("store-checkpointer".into())
            .spawn(move || fold_when_asked(&path, &asked, &done))
            .map_err(StoreError::io("the checkpointer's thread could not be started"))?;
        Ok(Self { ask: Some(ask), is_done, is_asked: false, folded_pages: 0, thread: Some(thread) })
    }

    /// After a commit that left so many pages in the log. `true` if the writer is to fold in the rest now.
    pub(crate) fn committed(&mut self, wal_pages: usize) -> bool {
        let mut is_done = false;
        if self.is_asked {
            // A thread that has ended will never say that it is done.
            let is_gone = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
            is_done = self.is_done.swap(false, Ordering::AcqRel) || is_gone;
            self.is_asked = !is_done;
        } else if wal_pages < self.folded_pages {
            self.folded_pages = 0;
        } else if wal_pages - self.folded_pages >= PAGES_EACH {
            self.is_asked = self.ask.as_ref().is_some_and(|ask| ask.try_send(()).is_ok());
            // Nobody is there to ask: then it is the writer's alone.
            is_done = !self.is_asked;
        }
        if is_done {
            self.folded_pages = wal_pages;
        }
        is_done && wal_pages >= PAGES_MAX
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.ask = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the checkpointer's thread had panicked");
        }
    }
}

fn fold_when_asked(path: &Path, asked: &Receiver<()>, is_done: &AtomicBool) {
    let mut conn = None;
    while asked.recv().is_ok() {
        let folded = match &conn {
            Some(conn) => fold(conn),
            None => open(path).and_then(|new| fold(conn.insert(new))),
        };
        if let Err(error) = folded {
            tracing::warn!(%error, "the write-ahead log could not be folded in; the writer does it");
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

/// Copies what no reader still needs as it was, and waits for nobody.
pub(crate) fn fold(conn: &Connection) -> Result<()> {
    conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    Ok(())
}
