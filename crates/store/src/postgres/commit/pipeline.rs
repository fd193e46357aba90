//! Sends the statements of a commit, with the COMMIT as the last, without waiting for one another.

use std::{future::poll_fn, task::Poll};

use futures_util::{FutureExt, future::BoxFuture};

use crate::postgres::{session::Session, values::SqlValue};

type SqlResult = Result<u64, tokio_postgres::Error>;

/// Statements that are sent together, without waiting for one another.
pub(super) struct Pipeline<'s> {
    session: &'s Session,
    sent: Vec<BoxFuture<'s, SqlResult>>,
}

impl<'s> Pipeline<'s> {
    pub(super) fn new(session: &'s Session) -> Self {
        Self { session, sent: Vec::new() }
    }

    /// The place that the next statement will have.
    pub(super) fn len(&self) -> usize {
        self.sent.len()
    }

    /// Sends everything, with the COMMIT behind it. `verdicts` is the place of the statement that inserts verdicts, if there is one.
    pub(super) async fn commit(mut self, verdicts: Option<usize>) -> Sent {
        let session = self.session;
        self.sent.push(async move { session.send_commit().await }.boxed());
        judge(self.results().await, verdicts)
    }

    pub(super) fn add(&mut self, sql: &'s str, values: Vec<SqlValue<'s>>) {
        let session = self.session;
        self.sent.push(async move { session.send(sql, &values).await }.boxed());
    }

    pub(super) fn add_if(&mut self, is_needed: bool, sql: &'s str, values: impl FnOnce() -> Vec<SqlValue<'s>>) {
        if is_needed {
            self.add(sql, values());
        }
    }

    /// Sends the statements in their order, and returns their results in the same order.
    async fn results(mut self) -> Vec<SqlResult> {
        let mut results: Vec<Option<SqlResult>> = self.sent.iter().map(|_| None).collect();
        // A statement is sent when it is first polled, so they are polled in order.
        poll_fn(|context| {
            let mut is_done = true;
            for (statement, result) in self.sent.iter_mut().zip(&mut results) {
                if result.is_none() {
                    match statement.poll_unpin(context) {
                        Poll::Ready(done) => *result = Some(done),
                        Poll::Pending => is_done = false,
                    }
                }
            }
            if is_done { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        results.into_iter().flatten().collect()
    }
}

/// How the statements of a commit ended.
pub(super) enum Sent {
    Committed,
    /// A statement failed, and nothing was changed. `verdict` says that it was the rows of verdicts, which their events can do
    /// without.
    RolledBack {
        error: tokio_postgres::Error,
        verdict: bool,
    },
    /// The commit was sent, but its answer was an error, or was lost. It may have been made.
    Unknown(tokio_postgres::Error),
}

/// The first error decides: after it, Postgres refuses every other statement and rolls back at the COMMIT.
fn judge(results: Vec<SqlResult>, verdicts: Option<usize>) -> Sent {
    let last = results.len().saturating_sub(1);
    let failed = results.into_iter().enumerate().find_map(|(at, result)| result.err().map(|error| (at, error)));
    match failed {
        None => Sent::Committed,
        // Without an answer to an earlier statement, nothing is known of the COMMIT behind it.
        Some((at, error)) if at == last || error.as_db_error().is_none() => Sent::Unknown(error),
        Some((at, error)) => Sent::RolledBack { verdict: verdicts == Some(at), error },
    }
}
