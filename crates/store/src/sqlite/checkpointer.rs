//! Folds the write-ahead log into the database beside the writer, so that hardly any commit waits for it.
//!
//! A thread with a connection of its own copies what is there when it is asked; that stops nobody. What came in meanwhile
//! is little, and the writer folds it in itself: only then can the log start over.

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

/// Rows between two rounds, roughly.
const ROWS_EACH: usize = 4_000;

pub(crate) struct Checkpointer {
    ask: Option<SyncSender<()>>,
    is_done: Arc<AtomicBool>,
    is_asked: bool,
    rows: usize,
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
        Ok(Self { ask: Some(ask), is_done, is_asked: false, rows: 0, thread: Some(thread) })
    }

    /// After a commit of so many rows. `true` if the writer is to fold in the rest now.
    pub(crate) fn committed(&mut self, rows: usize) -> bool {
        self.rows += rows;
        if self.is_asked {
            // A thread that has ended will never say that it is done.
            let is_gone = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
            let is_turn = self.is_done.swap(false, Ordering::AcqRel) || is_gone;
            self.is_asked = !is_turn;
            return is_turn;
        }
        if self.rows >= ROWS_EACH {
            self.rows = 0;
            self.is_asked = self.ask.as_ref().is_some_and(|ask| ask.try_send(()).is_ok());
            // Nobody is there to ask: then it is the writer's alone.
            return !self.is_asked;
        }
        false
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
