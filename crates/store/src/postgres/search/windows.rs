//! Which positions a search for words looks at, and in which order: backwards in windows, so that it can stop when time runs out
//! and be resumed there.
//!
//! A search for words that never occur together would read the whole index before it could be asked to stop. So every log is
//! also indexed under a tag for each block of positions that it is in, and each statement asks for one block. Logs that aren't in
//! the index yet are read from the log, a few at a time.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use futures_util::future::try_join;

use super::{
    super::{
        session::Session,
        values::{Columns as _, number, values},
    },
    Extent,
    bodies::{self, Batch, BatchMax, LogKey},
    vectors::BLOCKS,
};
use crate::{
    derive::log_counts::{TimeRange, covering_buckets},
    error::Result,
    logs::{Deadline, LogQuery},
};

/// A search goes on to larger blocks if one took less than the first time, and to smaller blocks if one took more than the
/// second. The time that the statements spend on the network is not counted; there are two, unless there are many matches.
const BLOCK_TIMES: (Duration, Duration) = (Duration::from_millis(6), Duration::from_millis(30));
/// The maximum of logs that are not in the index and are read at once.
const UNINDEXED_MAX: BatchMax = BatchMax { logs: 512, bytes: 2 * 1024 * 1024 };

/// What a search looks at next.
pub(super) enum Next {
    /// Logs that aren't in the index, newest first. Their texts must be read.
    Logs(Vec<LogKey>),
    /// Indexed logs in this range of positions. It ends in `block`, the size of which is an exponent of two.
    Block {
        range: Range<u64>,
        block: u32,
    },
    Ended(SearchEnd),
}

/// How a search ended.
pub(super) enum SearchEnd {
    /// All logs were searched.
    AtTheEnd,
    /// There are more matches than wanted.
    Full,
    /// Only the logs from this position on were searched.
    OutOfTime { from: u64 },
}

/// The windows of one search.
pub(super) struct Windows {
    /// The logs from this position on have been searched, or are outside the query.
    end: u64,
    /// The logs before this position are in the index.
    indexed: u64,
    /// The first position of the indexed logs in the query's time range, and the position after the last; empty if there are none.
    bounds: Range<u64>,
    /// The size of the next block, as an index of `BLOCKS`.
    level: usize,
    /// When the last block began.
    began: Option<Instant>,
    round_trip: Duration,
    has_begun: bool,
}

impl Windows {
    /// The windows of a search that begins at the query's cursor. The session must be in a snapshot.
    pub(super) async fn begin(session: &Session, query: &LogQuery) -> Result<Self> {
        let began = Instant::now();
        // Sent together. The planner must not prefer to read all words, see the search's statement.
        let settings = session.run("SET LOCAL enable_seqscan = off");
        let ((), extent) = try_join(settings, Extent::read(session)).await?;
        let round_trip = began.elapsed();
        let end = query.before.map_or(extent.size, |before| before.seq.min(extent.size));
        let bounds = bounds(session, TimeRange::new(query.from, query.to)).await?;
        let indexed = extent.indexed;
        Ok(Self { end, indexed, bounds, level: 0, began: None, round_trip, has_begun: false })
    }

    pub(super) async fn next(&mut self, session: &Session, deadline: Deadline) -> Result<Next> {
        if self.end <= self.indexed {
            self.end = self.end.min(self.bounds.end);
        }
        if self.end == 0 || (self.end <= self.indexed && self.end <= self.bounds.start) {
            return Ok(Next::Ended(SearchEnd::AtTheEnd));
        }
        // Each call searches something, so that a search without time gets on, too.
        if self.has_begun && deadline.has_passed() {
            return Ok(Next::Ended(SearchEnd::OutOfTime { from: self.end }));
        }
        self.has_begun = true;
        if self.end > self.indexed { self.next_logs(session).await } else { Ok(self.next_block()) }
    }

    async fn next_logs(&mut self, session: &Session) -> Result<Next> {
        let range = self.indexed..self.end;
        let Batch { logs, is_all } = Batch::read(session, range, bodies::From::Newest, UNINDEXED_MAX).await?;
        self.end = logs.last().filter(|_| !is_all).map_or(self.indexed, |oldest| oldest.seq);
        Ok(Next::Logs(logs))
    }

    fn next_block(&mut self) -> Next {
        if let Some(took) = self.began.map(|began| began.elapsed().saturating_sub(self.round_trip * 2)) {
            self.level = match took {
                took if took < BLOCK_TIMES.0 => (self.level + 1).min(BLOCKS.len() - 1),
                took if took > BLOCK_TIMES.1 => self.level.saturating_sub(1),
                _ => self.level,
            };
        }
        self.began = Some(Instant::now());
        let block = BLOCKS.get(self.level).copied().unwrap_or_default();
        let start = (((self.end - 1) >> block) << block).max(self.bounds.start);
        let range = start..self.end;
        self.end = start;
        Next::Block { range, block }
    }
}

/// The positions of the indexed logs in a time range, to the minute.
async fn bounds(session: &Session, range: TimeRange) -> Result<Range<u64>> {
    let buckets = covering_buckets(range);
    let widths: Vec<i64> = buckets.iter().map(|(width, _)| *width).collect();
    let starts: Vec<i64> = buckets.iter().map(|(_, range)| range.from).collect();
    let ends: Vec<i64> = buckets.iter().map(|(_, range)| range.to).collect();
    let row = session.row(BOUNDS_SQL, values![widths, starts, ends]).await?;
    Ok(match row.number_if_any(0)?.zip(row.number_if_any(1)?) {
        Some((first, last)) => first..last + 1,
        None => 0..0,
    })
}

const BOUNDS_SQL: &str = "SELECT min(c.first_seq), max(c.last_seq)
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS part(micros, begins, ends)
     JOIN countersign.log_counts c ON c.micros = part.micros AND c.start >= part.begins AND c.start < part.ends";

/// When the first log from this position on was created, in microseconds.
pub(super) async fn created_at(session: &Session, seq: u64) -> Result<i64> {
    let sql = "SELECT created_at FROM countersign.log_entries WHERE seq >= $1 ORDER BY seq LIMIT 1";
    let row = session.row_if_any(sql, values![number(seq)]).await?;
    row.map_or(Ok(0), |row| row.column(0))
}
