//! Verifies a Postgres database: answers what the rules of verification (`crate::verify`) ask about it.
//!
//! Every question would be a round trip, and almost all of them are about the event that is being checked. So the log is read in
//! pages, each with everything that the rules are likely to ask about its events, and the next page is read while the rules work
//! on the present one. A question that a page can't answer is a statement of its own.
//!
//! Everything is read in one transaction, so as of one moment, and nothing is written. The search index is checked in
//! `search/verify.rs`.
//!
//! | file             | job                                                            |
//! |------------------|----------------------------------------------------------------|
//! | `snapshot.rs`    | the transaction that everything is read in                     |
//! | `walk.rs`        | reads the events in order, a page at a time                    |
//! | `wanted.rs`      | which rows the rules will ask about, given a page of events    |
//! | `answers.rs`     | reads those rows                                               |
//! | `questions.rs`   | statements for single questions                                |
//! | `own_tables.rs`  | checks the tables that only Postgres has                       |
//! | `records.rs`     | answers what the rules ask                                     |

mod answers;
mod own_tables;
mod questions;
mod records;
mod snapshot;
mod walk;
mod wanted;

use countersign_ledger::VerifyingKey;

use self::{records::PostgresRecords, snapshot::Snapshot};
use super::{
    schema,
    session::{Sessions, Threads},
};
use crate::{
    anchor::Anchor,
    check::{EachEvent, LastCheckpoint, Verification},
    error::Result,
    verify::verify_records,
};

/// Checks a database. Blocks the calling thread.
pub(super) fn verify(
    threads: &Threads,
    sessions: &Sessions,
    key: &VerifyingKey,
    last_checkpoint: &LastCheckpoint<'_>,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    let snapshot = Snapshot::new(threads, sessions);
    snapshot.ask(|session| async move { schema::check_version(&session).await })?;
    Ok(verify_records(&PostgresRecords::new(snapshot), key, last_checkpoint, anchors, progress))
}

/// Calls `each` with every event before `size`, in order. Blocks the calling thread.
pub(super) fn for_each_event(
    threads: &Threads,
    sessions: &Sessions,
    size: u64,
    each: &mut EachEvent<'_>,
) -> Result<()> {
    walk::for_each_event(&Snapshot::new(threads, sessions), size, each)
}
