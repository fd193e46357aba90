//! The transaction that a verification reads in.

use std::{cell::RefCell, future::Future};

use tokio::task::JoinHandle;
use tokio_postgres::Row;

use crate::{
    error::{Result, StoreError},
    postgres::session::{Session, Sessions, Threads},
};

/// A long log takes longer than the time limits that suit other clients of the database. Scans read their tables to the end, so
/// they need the plan that is fastest for all rows and not for the first ones. Compiling the many short statements would take
/// longer than running them.
const BEGIN_SQL: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
     SET LOCAL statement_timeout = 0;
     SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL cursor_tuple_fraction = 1;
     SET LOCAL jit = off";

/// How many rows of a scan are fetched at a time.
const SCAN_ROWS: usize = 1_000;

/// A read-only transaction that sees the database as of one moment. It begins with the first question. A failed statement aborts
/// it; the next question begins another one, which may see a later moment.
pub(super) struct Snapshot<'a> {
    threads: &'a Threads,
    sessions: &'a Sessions,
    session: RefCell<Option<Session>>,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(threads: &'a Threads, sessions: &'a Sessions) -> Self {
        Self { threads, sessions, session: RefCell::default() }
    }

    /// Asks something, and blocks the calling thread until there is an answer.
    pub(super) fn ask<T, Answer>(&self, question: impl FnOnce(Session) -> Answer) -> Result<T>
    where
        T: Send + 'static,
        Answer: Future<Output = Result<T>> + Send + 'static,
    {
        let answer = self.threads.block_on(question(self.session()?));
        if answer.is_err() {
            self.end();
        }
        answer
    }

    /// Asks something whose answer is needed later.
    pub(super) fn ask_ahead<T, Answer>(&self, question: impl FnOnce(Session) -> Answer) -> Result<Pending<T>>
    where
        T: Send + 'static,
        Answer: Future<Output = Result<T>> + Send + 'static,
    {
        Ok(Pending(self.threads.spawn(question(self.session()?))?))
    }

    pub(super) fn wait<T: Send + 'static>(&self, mut pending: Pending<T>) -> Result<T> {
        self.ask(|_| async move {
            let done = (&mut pending.0).await;
            done.unwrap_or_else(|error| Err(StoreError::Database(format!("a read was aborted: {error}"))))
        })
    }

    /// Calls `each` with the rows of a statement, some at a time. It may ask other questions.
    pub(super) fn scan(&self, sql: &str, each: &mut dyn FnMut(&[Row]) -> Result<()>) -> Result<()> {
        let declare = format!("DECLARE scan NO SCROLL CURSOR FOR {sql}");
        let mut rows = self.ask(|session| async move {
            tokio::try_join!(biased; session.run(&declare), fetch(&session)).map(|((), rows)| rows)
        })?;
        let scanned = loop {
            if let Err(error) = each(&rows) {
                break Err(error);
            }
            if rows.len() < SCAN_ROWS {
                break Ok(());
            }
            rows = self.ask(|session| async move { fetch(&session).await })?;
        };
        let closed = self.ask(|session| async move { session.run("CLOSE scan").await });
        scanned.and(closed)
    }

    fn session(&self) -> Result<Session> {
        if let Some(session) = self.session.borrow().clone() {
            return Ok(session);
        }
        let sessions = self.sessions.clone();
        let session = self.threads.block_on(async move {
            let session = sessions.get().await?;
            session.run(BEGIN_SQL).await?;
            Ok(session)
        })?;
        *self.session.borrow_mut() = Some(session.clone());
        Ok(session)
    }

    /// Ends the transaction, so that the connection doesn't go back to the pool with it.
    fn end(&self) {
        let Some(session) = self.session.take() else { return };
        let ended = self.threads.block_on(async move {
            match session.run("ROLLBACK").await {
                Ok(()) => Ok(()),
                Err(error) => {
                    session.abandon().await;
                    Err(error)
                }
            }
        });
        if let Err(error) = ended {
            tracing::debug!(%error, "the transaction of a verification was not ended");
        }
    }
}

async fn fetch(session: &Session) -> Result<Vec<Row>> {
    session.rows(&format!("FETCH {SCAN_ROWS} FROM scan"), &[]).await
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

/// A question that is being answered. Dropping it aborts it.
pub(super) struct Pending<T>(JoinHandle<Result<T>>);

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
