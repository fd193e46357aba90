//! Sessions: connections from the pool, and the thread pool that everything of this backend runs on.
//!
//! The backend has threads of its own, so that its connections outlive the runtime of whoever happened to open them, and so that
//! a caller whose runtime is paused or blocked delays no commit.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, mpsc},
    time::Duration,
};

use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime as PoolRuntime, Timeouts,
};
use tokio_postgres::{Row, RowStream, error::SqlState};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{address::PostgresAddress, values::SqlValue};
use crate::{
    error::{Result, StoreError},
    store::Threading,
};

/// Connections for reads, at most. The writer and the listener have their own.
pub(super) const READS_MAX: usize = 16;
/// How long a read waits for a connection.
const WAIT_MAX: Duration = Duration::from_secs(10);
/// How long a read may take.
const READ_MAX: Duration = Duration::from_secs(60);

/// The backend's own threads.
pub(super) struct Threads {
    runtime: Option<tokio::runtime::Runtime>,
    threading: Threading,
}

impl Threads {
    pub(super) fn start(threading: Threading) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("store-postgres")
            .enable_all()
            .build()
            .map_err(StoreError::io("the threads of the store could not be started"))?;
        Ok(Self { runtime: Some(runtime), threading })
    }

    fn handle(&self) -> Result<&tokio::runtime::Handle> {
        self.runtime.as_ref().map(tokio::runtime::Runtime::handle).ok_or(StoreError::Closed)
    }

    pub(super) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<tokio::task::JoinHandle<T>> {
        Ok(self.handle()?.spawn(task))
    }

    /// Runs a task on these threads, and waits for it: asynchronously, or, in a store without threads, on the caller's thread.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        match self.threading {
            Threading::Inline => self.block_on(task),
            Threading::Threaded => {
                let done = self.spawn(task)?.await;
                done.unwrap_or_else(|error| Err(StoreError::Database(format!("a task was aborted: {error}"))))
            }
        }
    }

    /// Runs a task on these threads, and blocks the caller's thread until it is done. Unlike a runtime's own `block_on`, this may
    /// be called on a thread of another runtime.
    pub(super) fn block_on<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let (done, result) = mpsc::sync_channel(1);
        self.spawn(async move {
            // Whoever asked is waiting below.
            let _ = done.send(task.await);
        })?;
        result.recv().unwrap_or_else(|_| Err(StoreError::Database("a task was aborted".into())))
    }
}

/// Dropping a runtime would block, which is forbidden on another runtime's threads.
impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The pool of connections.
#[derive(Clone)]
pub(super) struct Sessions {
    pool: Pool,
    tls: MakeRustlsConnect,
}

impl Sessions {
    /// A pool of at most `most` connections, which are opened when they are needed.
    pub(super) fn new(address: &PostgresAddress, most: usize) -> Result<Self> {
        // Whether a connection is closed is known without asking the server; every statement may fail later anyway.
        let config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let tls = address.tls()?;
        let manager = Manager::from_config(address.config().clone(), tls.clone(), config);
        let timeouts = Timeouts { wait: Some(WAIT_MAX), create: Some(WAIT_MAX), recycle: Some(WAIT_MAX) };
        let pool = Pool::builder(manager).max_size(most).timeouts(timeouts).runtime(PoolRuntime::Tokio1).build();
        let pool = pool.map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self { pool, tls })
    }

    pub(super) async fn get(&self) -> Result<Session> {
        let object = self.pool.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(_) => StoreError::Database("no connection became free in time; try again".into()),
            PoolError::Closed => StoreError::Closed,
            other => StoreError::Database(other.to_string()),
        })?;
        Ok(Session { object: Arc::new(object), tls: self.tls.clone() })
    }

    /// Closes the connections that aren't in use; the others are closed after use.
    pub(super) fn close(&self) {
        self.pool.close();
    }
}

/// A connection from the pool. Clones share it; it goes back when the last one is dropped.
#[derive(Clone)]
pub(super) struct Session {
    object: Arc<Object>,
    tls: MakeRustlsConnect,
}

impl Session {
    /// All rows of a statement.
    pub(super) async fn rows(&self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<Row>> {
        Ok(self.object.query_typed(sql, values).await?)
    }

    /// The first row of a statement.
    pub(super) async fn row_if_any(&self, sql: &str, values: &[SqlValue<'_>]) -> Result<Option<Row>> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// The first row of a statement. `NotFound` if there is none.
    pub(super) async fn row(&self, sql: &str, values: &[SqlValue<'_>]) -> Result<Row> {
        self.row_if_any(sql, values).await?.ok_or(StoreError::NotFound)
    }

    /// Whether a statement returns a row.
    pub(super) async fn exists(&self, sql: &str, values: &[SqlValue<'_>]) -> Result<bool> {
        Ok(!self.rows(sql, values).await?.is_empty())
    }

    /// The rows of a statement one by one. They are read from the server no faster than they are taken.
    pub(super) async fn stream(&self, sql: &str) -> Result<Pin<Box<RowStream>>> {
        let values: [SqlValue<'_>; 0] = [];
        Ok(Box::pin(self.object.query_typed_raw(sql, values).await?))
    }

    /// Runs a statement that returns no rows. Returns how many rows it changed.
    pub(super) async fn execute(&self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64> {
        Ok(self.object.execute_typed(sql, values).await?)
    }

    /// Runs statements without values, such as BEGIN.
    pub(super) async fn run(&self, sql: &str) -> Result<()> {
        Ok(self.object.batch_execute(sql).await?)
    }

    /// Like `run`, with Postgres's own error.
    pub(super) async fn try_run(&self, sql: &str) -> Result<(), tokio_postgres::Error> {
        self.object.batch_execute(sql).await
    }

    /// Like `execute`, with an error that says whether the server has answered.
    pub(super) async fn send(&self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64, tokio_postgres::Error> {
        self.object.execute_typed(sql, values).await
    }

    pub(super) async fn send_commit(&self) -> Result<u64, tokio_postgres::Error> {
        self.object.batch_execute("COMMIT").await.map(|()| 0)
    }
}

/// Runs a read in a session of its own, which ends if it takes too long.
pub(super) async fn read<T, Read>(sessions: Sessions, read: impl FnOnce(Session) -> Read) -> Result<T>
where
    Read: Future<Output = Result<T>>,
{
    let session = sessions.get().await?;
    bounded(session.clone(), read(session)).await
}

/// Like [`read`], but everything that is read is as of one moment.
pub(super) async fn read_snapshot<T, Read>(sessions: Sessions, read: impl FnOnce(Session) -> Read) -> Result<T>
where
    Read: Future<Output = Result<T>>,
{
    let session = sessions.get().await?;
    let cancelled = session.clone();
    let in_snapshot = async move {
        // Sent together with the first query. In order, because the first is polled first.
        let begin = session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        let (began, value) = tokio::join!(biased; begin, read(session.clone()));
        // Also after an error, or the connection would go back to the pool with an open transaction.
        let ended = session.run("COMMIT").await;
        value.and_then(|value| began.and(ended).map(|()| value))
    };
    bounded(cancelled, in_snapshot).await
}

/// Ends a read that takes too long. It holds the other clones of its session.
async fn bounded<T>(session: Session, read: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(READ_MAX, read).await {
        Ok(result) => result,
        Err(_) => {
            session.abandon().await;
            Err(StoreError::Database("a read took too long and was cancelled".into()))
        }
    }
}

impl Session {
    /// Ends a transaction that failed, or the session if that isn't possible, so that nothing goes back to the pool unfinished.
    pub(super) async fn roll_back(self) {
        if self.run("ROLLBACK").await.is_err() {
            self.abandon().await;
        }
    }

    /// Cancels what the session is doing, and never uses it again.
    pub(super) async fn abandon(self) {
        let cancel = self.object.cancel_token();
        if let Ok(object) = Arc::try_unwrap(self.object) {
            drop(Object::take(object));
        }
        // Closing the connection doesn't stop the server's work. If this fails, the server's own time-outs do.
        let _ = tokio::time::timeout(Duration::from_secs(2), cancel.cancel_query(self.tls)).await;
    }
}

/// Whether the same statement may succeed a little later: the server is stopping or out of resources, accepts no writes at the
/// moment, or cancelled the statement because of a lock or its time.
pub(super) fn may_pass(error: &tokio_postgres::Error) -> bool {
    let Some(cause) = error.as_db_error() else { return true };
    let code = cause.code().code();
    let states = [
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::IN_FAILED_SQL_TRANSACTION,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    states.contains(cause.code()) || ["08", "40", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class))
}

/// Messages are taken without their details, which repeat values.
impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(cause) = error.as_db_error() else {
            let source = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
            return Self::Database(format!("{error}{source}"));
        };
        let code = cause.code();
        if *code == SqlState::DISK_FULL {
            return Self::DiskFull;
        }
        if *code == SqlState::INSUFFICIENT_PRIVILEGE {
            return Self::Address(format!(
                "its role lacks a right ({}); run `countersign prepare-database` with the role that owns the database (see \
                 docs/postgres.md)",
                cause.message()
            ));
        }
        // Class 23 is integrity constraint violations, which includes the refusals of triggers.
        if code.code().starts_with("23") {
            return Self::Conflict(cause.message().to_owned());
        }
        Self::Database(format!("{} ({})", cause.message(), code.code()))
    }
}
