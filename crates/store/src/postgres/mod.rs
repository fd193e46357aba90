//! The store on Postgres: any number of processes may write, and the row with the tree's head puts their commits in order.
//!
//! Nothing that this process remembers of the log is relied on: what it has heard of the log's size is a hint, and every commit
//! reads what it needs under the lock of that row. No setting of a session and no prepared statement is relied on either, because
//! behind a pooler the next transaction may run in another session.
//!
//! | file              | job                                                                                |
//! |-------------------|------------------------------------------------------------------------------------|
//! | `address.rs`      | the database's address, and how the connection is encrypted                        |
//! | `database.rs`     | opening a database, and reading it while another process may have it open          |
//! | `prepare.rs`      | creating the schema with one role, for a program that uses another                 |
//! | `schema.rs`       | creating the schema, and comparing it with this version's                          |
//! | `session.rs`      | connections, and the threads that everything runs on                               |
//! | `values.rs`       | values of statements, and columns of rows                                          |
//! | `writer.rs`       | the writer's task and its queue                                                    |
//! | `commit/`         | jobs, applied in one transaction                                                   |
//! | `event_tables.rs` | statements for the tables that have one row per event                               |
//! | `follower.rs`     | hears of what other processes append                                               |
//! | `lease.rs`        | the lease by which one process is the database's server                            |
//! | `ledger.rs`       | the stored tree                                                                    |
//! | `reads.rs`        | events, progress, registry, dead letters, keys                                     |
//! | `snapshots.rs`    | reads that gather several things from one snapshot                                 |
//! | `logs.rs`, `stats.rs`, `search/` | audit logs, their statistics, and the search index                  |
//! | `history.rs`, `alert_lists.rs`, `ranks.rs`, `cases.rs` | transactions, alerts and investigations       |
//! | `reports.rs`, `validations.rs`, `reviews.rs`, `addenda.rs`, `answers.rs` | reports, verdicts, reviews and answers |
//! | `json_fields.rs`  | fields of payloads                                                                 |
//! | `verify/`         | answers the questions of verification                                              |
//! | `copying.rs`      | copies rows between the database and another one: half of a backup or restore      |
//! | `restore.rs`      | replaces the store with a backup, in one transaction                               |

mod addenda;
mod address;
mod alert_lists;
mod answers;
mod cases;
mod commit;
mod copying;
mod database;
mod event_tables;
mod follower;
mod history;
mod json_fields;
mod lease;
mod ledger;
mod logs;
mod prepare;
mod ranks;
mod reads;
mod reports;
mod restore;
mod reviews;
mod schema;
mod search;
mod session;
mod snapshots;
mod stats;
mod validations;
mod values;
mod verify;
mod writer;

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use countersign_domain::EventType;
use tokio::sync::watch;

use self::{
    session::{Session, Sessions, Threads},
    values::Columns,
    writer::Writer,
};
use crate::{
    data_dir::DirLock,
    error::Result,
    heads::TypeWatchers,
    job::{Job, JobOutcome, Priority},
};

pub(crate) use database::PostgresDatabase;
pub(crate) use lease::holder;

/// A store on an open Postgres database. Clones share it.
#[derive(Clone)]
pub(crate) struct PostgresStore {
    inner: Arc<Inner>,
}

struct Inner {
    threads: Threads,
    /// Connections for reads, the writer's, and the lease's, which must not wait for reads.
    sessions: Sessions,
    writing: Sessions,
    for_lease: Sessions,
    writer: Writer,
    head: watch::Receiver<u64>,
    watchers: Arc<TypeWatchers>,
    /// The lease of a process that is the server.
    lease: lease::Token,
    /// Whether everything that an unclean stop left unfinished has been handled.
    is_recovered: AtomicBool,
    /// Declared last, so that it is released after everything else is closed.
    _lock: DirLock,
}

impl Inner {
    fn close(&self) {
        self.writer.close(&self.threads);
        self.writing.close();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
        self.sessions.close();
    }
}

impl PostgresStore {
    fn new(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn head(&self) -> watch::Receiver<u64> {
        self.inner.head.clone()
    }

    pub(crate) fn head_of(&self, types: &[EventType]) -> watch::Receiver<u64> {
        self.inner.watchers.head_of(types, &self.inner.head)
    }

    pub(crate) async fn size(&self) -> Result<u64> {
        let sql = "SELECT size FROM countersign.ledger_head WHERE id = 1";
        self.read(move |session| async move { session.row(sql, &[]).await?.number(0) }).await
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

    #[expect(clippy::unused_async, reason = "as on other backends")]
    pub(crate) async fn has_unfinished_work(&self) -> Result<bool> {
        Ok(!self.inner.is_recovered.load(Ordering::Acquire))
    }

    pub(crate) fn set_recovered(&self) {
        self.inner.is_recovered.store(true, Ordering::Release);
    }

    pub(crate) async fn submit(&self, job: Job, priority: Priority) -> Result<JobOutcome> {
        self.inner.writer.submit(&self.inner.threads, job, priority).await
    }

    /// Makes this process the server of its database. `ServedElsewhere` if another one is. The receiver turns true if this process
    /// loses that place to another one, because it stalled or was cut off; from then on its commits fail.
    pub(crate) async fn serve_alone(&self, holder: String) -> Result<watch::Receiver<bool>> {
        let (sessions, token) = (self.inner.for_lease.clone(), Arc::clone(&self.inner.lease));
        let (lost, is_lost) = watch::channel(false);
        let (for_keeping, kept) = (sessions.clone(), Arc::clone(&token));
        self.inner.threads.run(async move { lease::take(&sessions, &holder, &token).await }).await?;
        self.inner.threads.spawn(lease::keep(for_keeping, kept, lost))?;
        Ok(is_lost)
    }

    pub(crate) async fn close(&self) -> Result<()> {
        // What an unclean stop left unfinished stays marked until it has been handled.
        let recorded = match self.inner.is_recovered.load(Ordering::Acquire) {
            true => self.submit(Job::RecordCleanStop, Priority::Prompt).await.map(drop),
            false => Ok(()),
        };
        let (sessions, token) = (self.inner.for_lease.clone(), Arc::clone(&self.inner.lease));
        let inner = Arc::clone(&self.inner);
        // Not on this backend's own threads, which the writer needs to finish.
        drop(tokio::task::spawn_blocking(move || inner.close()).await);
        // After the last commit, which still needs it.
        let released = self.inner.threads.run(async move { lease::release(&sessions, &token).await });
        if let Err(error) = released.await {
            tracing::warn!(%error, "the server's lease could not be released; it ends by itself");
        }
        recorded
    }

    /// Runs a read in a session of its own.
    async fn read<T, Read>(&self, read: impl FnOnce(Session) -> Read + Send + 'static) -> Result<T>
    where
        T: Send + 'static,
        Read: Future<Output = Result<T>> + Send + 'static,
    {
        self.inner.threads.run(session::read(self.inner.sessions.clone(), read)).await
    }

    /// Like `read`, but everything that is read is as of one moment.
    async fn read_snapshot<T, Read>(&self, read: impl FnOnce(Session) -> Read + Send + 'static) -> Result<T>
    where
        T: Send + 'static,
        Read: Future<Output = Result<T>> + Send + 'static,
    {
        self.inner.threads.run(session::read_snapshot(self.inner.sessions.clone(), read)).await
    }
}
