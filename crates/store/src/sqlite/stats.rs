//! Counts logs by score. Whole buckets come from the search index; the ends of the time range and logs that aren't indexed yet
//! come from the log itself. So the numbers are exact however far the index has got. Only a search for words reads every log.

use rusqlite::Connection;

use super::search::{IndexFailure, IndexSnapshot, end_of_log, text::SearchWords};
use crate::{
    derive::log_counts::{self, CountsByStart, RangePart, ScoreCounts, TimeRange, add_counts, count_log},
    error::{Result, StoreError},
    logs::{Bucket, Deadline, LogStats, StatsQuery},
};

pub(crate) fn stats(
    main: &Connection,
    indexed: Option<IndexSnapshot<'_>>,
    query: &StatsQuery,
) -> Result<LogStats, IndexFailure> {
    // One snapshot of the log for everything below, not older than that of the index.
    let main = &main.unchecked_transaction().map_err(StoreError::from)?;
    let as_of = end_of_log(main)?;
    let range = TimeRange::new(query.from, query.to);
    let width = query.bucket.map(Bucket::micros);
    let words = SearchWords::of(&query.log_query())?;
    let (counts, partial) = match words {
        _ if query.min_score > query.max_score.min(10) => (CountsByStart::new(), false),
        Some(words) => searched(&words, main, indexed, query, width)?,
        None => (counted(main, indexed, range, width)?, false),
    };
    Ok(log_counts::stats(counts, query, as_of, partial)?)
}

fn counted(
    main: &Connection,
    indexed: Option<IndexSnapshot<'_>>,
    range: TimeRange,
    width: Option<i64>,
) -> Result<CountsByStart, IndexFailure> {
    let mut points = CountsByStart::new();
    if let Some(indexed) = indexed {
        let counter = IndexCounter { main, indexed };
        for part in log_counts::range_parts(range, width) {
            counter.add(&mut points, part)?;
        }
    }
    add_unindexed(&mut points, main, indexed.map_or(0, |indexed| indexed.next_seq), range, width)?;
    Ok(points)
}

/// Counts the logs with these words. The flag is true if time ran out before all of them were found.
fn searched(
    words: &SearchWords,
    main: &Connection,
    indexed: Option<IndexSnapshot<'_>>,
    query: &StatsQuery,
    width: Option<i64>,
) -> Result<(CountsByStart, bool), IndexFailure> {
    let mut points = CountsByStart::new();
    let deadline = Deadline::after(query.time_budget);
    let is_complete = words.each(main, indexed, &query.log_query(), deadline, |created_at, score| {
        count_log(&mut points, created_at, score, width);
    })?;
    Ok((points, !is_complete))
}

/// Counts the logs that are in the index.
struct IndexCounter<'a> {
    main: &'a Connection,
    indexed: IndexSnapshot<'a>,
}

impl IndexCounter<'_> {
    fn add(&self, points: &mut CountsByStart, part: RangePart) -> Result<(), IndexFailure> {
        let RangePart { range, width, point } = part;
        match width {
            Some(width) => self.each_bucket(range, width, |start, scores| {
                add_counts(points.entry(point.unwrap_or(start)).or_default(), scores);
            }),
            None => self.add_exact(points.entry(point.unwrap_or(range.from)).or_default(), range),
        }
    }

    fn each_bucket(
        &self,
        range: TimeRange,
        width: i64,
        mut each: impl FnMut(i64, &ScoreCounts),
    ) -> Result<(), IndexFailure> {
        let sql = "SELECT start, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10 FROM counts
                   WHERE micros = ?1 AND start >= ?2 AND start < ?3 ORDER BY start";
        let mut statement = self.indexed.conn.prepare_cached(sql)?;
        let mut rows = statement.query([width, range.from, range.to])?;
        while let Some(row) = rows.next()? {
            let mut scores = [0; 11];
            for (column, score) in (1..).zip(&mut scores) {
                *score = row.get(column)?;
            }
            each(row.get(0)?, &scores);
        }
        Ok(())
    }

    /// Adds the logs of a range shorter than a minute, counted row by row in a covering index.
    fn add_exact(&self, sum: &mut ScoreCounts, range: TimeRange) -> Result<(), IndexFailure> {
        for (score, sum) in (0_i64..).zip(sum) {
            *sum += exact(self.main, score, range, self.indexed.next_seq)?;
        }
        Ok(())
    }
}

fn exact(main: &Connection, score: i64, range: TimeRange, before_seq: u64) -> Result<u64> {
    let mut count = main.prepare_cached(EXACT_SQL)?;
    Ok(count.query_row((score, range.from, range.to, before_seq), |row| row.get(0))?)
}

pub(crate) const EXACT_SQL: &str = "SELECT count(*) FROM log_entries INDEXED BY log_entries_by_score
                         WHERE risk_score = ?1 AND created_at >= ?2 AND created_at < ?3 AND seq < ?4";

/// Adds the logs from position `mark` on, which the index doesn't have.
fn add_unindexed(
    points: &mut CountsByStart,
    main: &Connection,
    mark: u64,
    range: TimeRange,
    width: Option<i64>,
) -> Result<()> {
    let mut statement = main.prepare_cached(
        "SELECT created_at, risk_score FROM log_entries WHERE seq >= ?1 AND +created_at >= ?2 AND +created_at < ?3",
    )?;
    let mark = i64::try_from(mark).unwrap_or(i64::MAX);
    let mut rows = statement.query([mark, range.from, range.to])?;
    while let Some(row) = rows.next()? {
        count_log(points, row.get(0)?, row.get(1)?, width);
    }
    Ok(())
}
