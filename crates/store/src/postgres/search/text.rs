//! Finds logs by their words, newest first and within a time budget. The search goes backwards in windows of positions, so that
//! it can stop when time runs out and be resumed there.
//!
//! A search for words that never occur together would read the whole index before it could be asked to stop. So every log is
//! also indexed under a tag for each block of positions that it is in, and each statement asks for one block. Logs that aren't in
//! the index yet are read and split into words, a few at a time.
//!
//! The caller's session must be in a snapshot, so that the position up to which logs are indexed fits the index.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use super::{
    super::{
        logs::{PageBuilder, time},
        session::Session,
        values::{Columns as _, number, values},
    },
    Extent,
    bodies::{self, Batch, BatchMax},
    found::{Counter, Found, Search, SearchEnd, Window},
    vectors::{BLOCKS, SearchWords},
};
use crate::{
    derive::log_counts::{CountsByStart, TimeRange, covering_buckets},
    error::Result,
    logs::{Deadline, LogCursor, LogPage, LogQuery},
};

/// A search goes on to larger blocks if one took less than the first time, and to smaller blocks if one took more than the
/// second. The time on the network is not counted.
const BLOCK_TIMES: (Duration, Duration) = (Duration::from_millis(6), Duration::from_millis(30));
/// The maximum of logs that are not in the index and are read at once.
const UNINDEXED_MAX: BatchMax = BatchMax { logs: 512, bytes: 2 * 1024 * 1024 };

/// A page of matching logs, newest position first.
pub(in crate::postgres) async fn page(
    session: &Session,
    words: &SearchWords,
    query: &LogQuery,
    deadline: Deadline,
) -> Result<LogPage> {
    let search = Search { session, words, query, deadline };
    let mut found = Found::Page(PageBuilder::new(query));
    let ended = run(search, &mut found).await?;
    match found {
        Found::Page(page) => finish(page, ended, session).await,
        Found::Counts(_) => Ok(PageBuilder::new(query).finish(None)),
    }
}

/// Counts the matching logs by points of this width. The flag is true if time ran out before all of them were found.
pub(in crate::postgres) async fn count(
    session: &Session,
    words: &SearchWords,
    query: &LogQuery,
    width: Option<i64>,
    deadline: Deadline,
) -> Result<(CountsByStart, bool)> {
    let search = Search { session, words, query, deadline };
    let mut found = Found::Counts(Counter { counts: CountsByStart::new(), width });
    let ended = run(search, &mut found).await?;
    let counts = match found {
        Found::Counts(counter) => counter.counts,
        Found::Page(_) => CountsByStart::new(),
    };
    Ok((counts, !matches!(ended, SearchEnd::AtTheEnd)))
}
