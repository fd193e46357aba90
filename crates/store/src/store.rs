//! The store: everything that callers can do with the log, whichever database it is kept in.
//!
//! | file                      | job                                                                     |
//! |---------------------------|-------------------------------------------------------------------------|
//! | `store/location.rs`       | where a store is kept                                                   |
//! | `store/backend.rs`        | which database a store is kept in                                       |
//! | `store/opening.rs`        | what must hold before a store is opened                                 |
//! | `store/writing.rs`        | appending, agents' steps, dead letters, erasing                         |
//! | `store/reading.rs`        | events, agents' progress and registry, dead letters, access keys        |
//! | `store/ledger.rs`         | checkpoints, proofs, leaves                                             |
//! | `store/logs.rs`           | audit logs: pages, search, statistics, unfinished answers               |
//! | `store/investigations.rs` | transactions, alerts, investigations                                    |
//! | `store/reports.rs`        | reports, verdicts, reviews, addenda                                     |
//! | `store/verification.rs`   | verifying a store, a backup or a bundle                                 |
//! | `store/bundle.rs`         | the log as a file that anybody can check                                |
//! | `store/backup.rs`         | backup and restore                                                      |
//! | `store/report_reader.rs`  | reports of a store that another process may be using                    |
//!
//! Every backend promises this for every call:
//!
//! - **Order.** Positions begin at 0 and have no gaps, and an event's position is its place in the order of commits. So a read
//!   that sees an event sees every event before it. Recorded times never decrease with the position.
//! - **Durability.** A call that writes returns after its commit is on disk, and the commit is carried out even if the caller
//!   stops waiting. A call makes one commit, as a whole or not at all, unless its documentation says otherwise. A call that
//!   fails has changed nothing, except with `Closed`, a failure of the disk, or a database that stayed away after a commit was
//!   sent to it, which leave open whether the commit was made.
//! - **Isolation.** Commits take effect one after the other, as if there were one writer. A read sees whole commits: every one
//!   whose call had returned in this process before the read began, and perhaps later ones, even before [`Store::head`]
//!   announces them. Where a method's documentation promises one snapshot, the whole answer is as of one moment; otherwise the
//!   parts of an answer may be of different moments.

pub(crate) mod backend;
mod backup;
mod bundle;
mod investigations;
mod ledger;
mod location;
mod logs;
pub(crate) mod opening;
mod reading;
mod report_reader;
mod reports;
mod verification;
mod writing;

use std::sync::{Arc, Mutex, PoisonError};

use countersign_domain::EventType;
use countersign_ledger::SigningKey;
use tokio::sync::watch;

use self::{
    backend::{Backend, on_backend},
    ledger::SignedCheckpoint,
};
use crate::{
    error::{Result, StoreError},
    seams::Seams,
};

pub use backup::{backup, restore};
pub use bundle::export;
pub use location::{StoreLocation, prepare_database};
pub use report_reader::ReportReader;
pub use verification::{SearchCheck, verify, verify_against, verify_file, verify_file_against, verify_search};
pub use writing::BULK_EVENTS_PER_COMMIT;

/// The threads on which the store works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threading {
    /// The store has a thread of its own, which commits for many callers at once.
    Threaded,
    /// Everything runs on the caller's thread, with one commit per job. This is for tests that control the clock.
    Inline,
}

/// An open store. Clones share it.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
    backend: Backend,
}

/// The part that doesn't depend on the backend: the location, the key and what was signed with it.
struct Shared {
    threading: Threading,
    seams: Seams,
    location: StoreLocation,
    key: Arc<SigningKey>,
    signed: Mutex<SignedCheckpoint>,
    /// The size of the newest signed checkpoint.
    signed_head: watch::Sender<u64>,
    /// One signature at a time: an older checkpoint must never replace a newer one in the data directory.
    signing: tokio::sync::Mutex<()>,
}

impl Store {
    /// Opens a store, or creates it. Blocks, but no longer for a long log than for a short one, because nothing is rebuilt.
    ///
    /// Refuses a store that is not the one that was signed last (`Tampered`), has another schema (`Schema`, `Older`, `Newer`)
    /// or is already open (`InUse`), if only one process may have a store open.
    pub fn open(location: &StoreLocation, threading: Threading, seams: Seams) -> Result<Self> {
        location.dir().create()?;
        let (backend, ledger) = location.database.open(location.dir(), threading, &seams)?;
        let shared = Shared {
            threading,
            seams,
            location: location.clone(),
            key: ledger.key,
            signed_head: watch::channel(ledger.signed.size).0,
            signed: Mutex::new(ledger.signed),
            signing: tokio::sync::Mutex::default(),
        };
        Ok(Self { shared: Arc::new(shared), backend })
    }

    /// The same store for threads that may block: each read runs on the calling thread, because handing it to another thread
    /// takes as long as most reads do. Has no effect on a backend whose reads don't block.
    pub fn with_inline_reads(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), backend: self.backend.with_inline_reads() }
    }

    pub fn seams(&self) -> &Seams {
        &self.shared.seams
    }

    pub fn location(&self) -> &StoreLocation {
        &self.shared.location
    }

    /// The name of the database that the store is kept in, as `/health` reports it.
    pub fn database_name(&self) -> &'static str {
        self.backend.name()
    }

    /// The number of durable events, as far as this process knows. It changes after commits that add events. This is a hint: it
    /// may lag behind the database, but never runs ahead of it and never goes back. Once a threaded store is closed, waiting
    /// for a change fails.
    pub fn head(&self) -> watch::Receiver<u64> {
        on_backend!(self, backend => backend.head())
    }

    /// Like [`Store::head`], but it changes only after commits that may have added events of these types. An empty list means
    /// all types.
    pub fn head_of(&self, types: &[EventType]) -> watch::Receiver<u64> {
        on_backend!(self, backend => backend.head_of(types))
    }

    /// The number of durable events in the database. It includes every commit whose call had returned, in any process, before
    /// this call began.
    pub async fn size(&self) -> Result<u64> {
        on_backend!(self, backend => backend.size().await)
    }

    /// The number of durable events that this process knows of. It includes every commit whose call has returned in this
    /// process. There may be more; [`Store::size`] asks the database.
    pub fn known_size(&self) -> u64 {
        on_backend!(self, backend => backend.known_size())
    }

    /// Whether this process could write when it last tried; true before the first attempt. This is a hint: the next write may
    /// turn out differently.
    pub fn is_writable(&self) -> bool {
        on_backend!(self, backend => backend.is_writable())
    }

    /// How many of this process's jobs are waiting to be written.
    pub fn waiting(&self) -> usize {
        on_backend!(self, backend => backend.waiting())
    }

    /// Makes this process the only server on its store. `ServedElsewhere` if another process is. The receiver turns true if this
    /// process has lost that place to another one; then its writes fail with `ServedElsewhere`. On a database of which only one
    /// process can open a store, there is nothing to do.
    pub async fn serve_alone(&self) -> Result<watch::Receiver<bool>> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(watch::channel(false).1),
            Backend::Postgres(postgres) => {
                let (shared, dir) = (Arc::clone(&self.shared), self.location().dir().clone());
                let holder = self.run_blocking(move || crate::postgres::holder(&dir, &shared.seams.entropy)).await?;
                postgres.serve_alone(holder).await
            }
        }
    }

    /// Whether an earlier process ended without [`Store::close`], so that events may have been in progress, and their recovery
    /// has not been reported with [`Store::set_recovered`] yet.
    pub async fn has_unfinished_work(&self) -> Result<bool> {
        on_backend!(self, backend => backend.has_unfinished_work().await)
    }

    /// Reports that everything that an unclean stop left unfinished has been handled. [`Store::close`] makes that durable, so
    /// if the process is killed before that, the next one finds unfinished work again.
    pub fn set_recovered(&self) {
        on_backend!(self, backend => backend.set_recovered());
    }

    /// Signs what is not signed yet, finishes the jobs that are waiting, and records a clean stop, unless the process found
    /// unfinished work and has not recovered it. Later writes fail with `Closed`. The store counts as open until its last clone
    /// is dropped.
    pub async fn close(&self) -> Result<()> {
        let signed = self.sign_checkpoint().await;
        on_backend!(self, backend => backend.close().await)?;
        signed.map(|_| ())
    }

    #[cfg(test)]
    pub(crate) fn sqlite(&self) -> &crate::sqlite::SqliteStore {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite,
            Backend::Postgres(_) => panic!("this store is on Postgres"),
        }
    }

    fn signed(&self) -> std::sync::MutexGuard<'_, SignedCheckpoint> {
        self.shared.signed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs work that blocks, such as writing a file, on a thread where it may.
    async fn run_blocking<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        match self.shared.threading {
            Threading::Inline => work(),
            Threading::Threaded => {
                let done = tokio::task::spawn_blocking(work).await;
                done.unwrap_or_else(|error| Err(StoreError::Database(format!("a blocking task was aborted: {error}"))))
            }
        }
    }
}
