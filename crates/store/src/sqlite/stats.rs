//! Counting logs by score: whole buckets from the index, the ragged ends and what is not indexed yet from the logs
//! themselves. However far the index has come, the numbers are exact. Only a search for words goes from log to log.

use std::collections::BTreeMap;

use countersign_domain::Time;
use rusqlite::Connection;

use super::{
    logs::Deadline,
    search::{Failed, Indexed, end_of_log, text::Words},
};
use crate::{
    error::{Result, StoreError},
    logs::{Bucket, LogStats, StatsQuery, TrendPoint},
};

type Scores = [u64; 11];

/// Microseconds, end exclusive.
#[derive(Clone, Copy)]
struct Span {
    from: i64,
    to: i64,
}

/// Scores by the start of their bucket; without buckets everything has one.
type Points = BTreeMap<i64, Scores>;

pub(crate) fn stats(main: &Connection, indexed: Option<Indexed<'_>>, query: &StatsQuery) -> Result<LogStats, Failed> {
    // One view of the log for all that follows, younger than that of the index.
    let main = &main.unchecked_transaction().map_err(StoreError::from)?;
    let as_of = end_of_log(main)?;
    let span = Span { from: query.from.map_or(i64::MIN, Time::micros), to: query.to.map_or(i64::MAX, Time::micros) };
    let width = query.bucket.map(Bucket::micros);
    let words = Words::of(&query.listed())?;
    let (mut points, partial) = match words {
        _ if query.min_score > query.max_score.min(10) => (Points::new(), false),
        Some(words) => searched(&words, main, indexed, query, width)?,
        None => (counted(main, indexed, span, width)?, false),
    };
    points.values_mut().for_each(|scores| keep(scores, query));
    let mut scores = [0; 11];
    points.values().for_each(|point| add(&mut scores, point));
    let trend = if width.is_some() { trend(points)? } else { Vec::new() };
    Ok(LogStats { scores, trend, as_of, partial })
}

fn counted(main: &Connection, indexed: Option<Indexed<'_>>, span: Span, width: Option<i64>) -> Result<Points, Failed> {
    let mut points = Points::new();
    if let Some(indexed) = indexed {
        let counter = Counter { main, indexed };
        match width {
            Some(width) => counter.add_points(&mut points, span, width)?,
            None => counter.add_all(points.entry(i64::MIN).or_default(), span, &WIDTHS)?,
        }
    }
    add_unindexed(&mut points, main, indexed.map_or(0, |indexed| indexed.next_seq), span, width)?;
    Ok(points)
}

/// What has the words, and whether the time ran out before all of it was found.
fn searched(
    words: &Words,
    main: &Connection,
    indexed: Option<Indexed<'_>>,
    query: &StatsQuery,
    width: Option<i64>,
) -> Result<(Points, bool), Failed> {
    let mut points = Points::new();
    let deadline = Deadline::after(query.time_budget);
    let is_whole = words.each(main, indexed, &query.listed(), deadline, |created_at, score| {
        count_one(&mut points, created_at, score, width);
    })?;
    Ok((points, !is_whole))
}

fn keep(scores: &mut Scores, query: &StatsQuery) {
    let outside = (0..).zip(scores).filter(|(score, _)| !(query.min_score..=query.max_score).contains(score));
    outside.for_each(|(_, count)| *count = 0);
}

fn count_one(points: &mut Points, created_at: i64, score: usize, width: Option<i64>) {
    let start = width.map_or(i64::MIN, |width| floor(created_at, width));
    if let Some(count) = points.entry(start).or_default().get_mut(score) {
        *count += 1;
    }
}

/// From wide to narrow.
const WIDTHS: [i64; 3] = [86_400_000_000, 3_600_000_000, 60_000_000];

/// The start of the bucket of this width that a time lies in.
pub(crate) fn floor(micros: i64, width: i64) -> i64 {
    micros.saturating_sub(micros.rem_euclid(width))
}

/// The first start of a bucket that does not lie before a time.
pub(crate) fn ceil(micros: i64, width: i64) -> i64 {
    match micros.rem_euclid(width) {
        0 => micros,
        over => micros.saturating_add(width - over),
    }
}

fn add(sum: &mut Scores, more: &Scores) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn trend(points: Points) -> Result<Vec<TrendPoint>> {
    let points: Vec<_> = points.into_iter().filter(|(_, scores)| scores.iter().any(|count| *count > 0)).collect();
    if points.len() > LogStats::TREND_POINTS_MAX {
        let most = LogStats::TREND_POINTS_MAX;
        return Err(StoreError::Conflict(format!("the trend has more than {most} points; ask for wider ones")));
    }
    let point = |(start, scores)| {
        let start = Time::from_micros(start).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(TrendPoint { start, scores })
    };
    points.into_iter().map(point).collect()
}

/// Counts what the index has.
struct Counter<'a> {
    main: &'a Connection,
    indexed: Indexed<'a>,
}

impl Counter<'_> {
    /// All logs of a span: the widest buckets that fit whole, and the rest by narrower ones.
    fn add_all(&self, sum: &mut Scores, span: Span, widths: &[i64]) -> Result<(), Failed> {
        if span.from >= span.to {
            return Ok(());
        }
        let Some((width, narrower)) = widths.split_first() else { return self.add_exact(sum, span) };
        let whole = Span { from: ceil(span.from, *width), to: floor(span.to, *width) };
        if whole.from >= whole.to {
            return self.add_all(sum, span, narrower);
        }
        self.each_bucket(whole, *width, |_, scores| add(sum, scores))?;
        // The end of time needs no narrower look.
        if span.from != i64::MIN {
            self.add_all(sum, Span { from: span.from, to: whole.from }, narrower)?;
        }
        if span.to != i64::MAX {
            self.add_all(sum, Span { from: whole.to, to: span.to }, narrower)?;
        }
        Ok(())
    }

    /// The same, by buckets of one width.
    fn add_points(&self, points: &mut Points, span: Span, width: i64) -> Result<(), Failed> {
        if span.from >= span.to {
            return Ok(());
        }
        let narrower: Vec<_> = WIDTHS.into_iter().filter(|narrower| *narrower < width).collect();
        let whole = Span { from: ceil(span.from, width), to: floor(span.to, width) };
        if whole.from < whole.to {
            self.each_bucket(whole, width, |start, scores| add(points.entry(start).or_default(), scores))?;
        }
        let first = Span { from: span.from, to: whole.from.min(span.to) };
        let last = Span { from: whole.to.max(first.to), to: span.to };
        for ragged in [first, last] {
            if ragged.from < ragged.to && ragged.from != i64::MIN && ragged.to != i64::MAX {
                self.add_all(points.entry(floor(ragged.from, width)).or_default(), ragged, &narrower)?;
            }
        }
        Ok(())
    }

    fn each_bucket(&self, span: Span, width: i64, mut each: impl FnMut(i64, &Scores)) -> Result<(), Failed> {
        let sql = "SELECT start, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10 FROM counts
                   WHERE micros = ?1 AND start >= ?2 AND start < ?3 ORDER BY start";
        let mut statement = self.indexed.conn.prepare_cached(sql)?;
        let mut rows = statement.query([width, span.from, span.to])?;
        while let Some(row) = rows.next()? {
            let mut scores = [0; 11];
            for (column, score) in (1..).zip(&mut scores) {
                *score = row.get(column)?;
            }
            each(row.get(0)?, &scores);
        }
        Ok(())
    }

    /// Less than a minute, or what is left of one: row by row, but from an index alone.
    fn add_exact(&self, sum: &mut Scores, span: Span) -> Result<(), Failed> {
        for (score, sum) in (0_i64..).zip(sum) {
            *sum += exact(self.main, score, span, self.indexed.next_seq)?;
        }
        Ok(())
    }
}

fn exact(main: &Connection, score: i64, span: Span, before_seq: u64) -> Result<u64> {
    let mut count = main.prepare_cached(EXACT_SQL)?;
    Ok(count.query_row((score, span.from, span.to, before_seq), |row| row.get(0))?)
}

pub(crate) const EXACT_SQL: &str = "SELECT count(*) FROM log_entries INDEXED BY log_entries_by_score
                         WHERE risk_score = ?1 AND created_at >= ?2 AND created_at < ?3 AND seq < ?4";

/// What is in the log from `mark` on. Without a width everything is one point.
fn add_unindexed(points: &mut Points, main: &Connection, mark: u64, span: Span, width: Option<i64>) -> Result<()> {
    let mut statement = main.prepare_cached(
        "SELECT created_at, risk_score FROM log_entries WHERE seq >= ?1 AND +created_at >= ?2 AND +created_at < ?3",
    )?;
    let mark = i64::try_from(mark).unwrap_or(i64::MAX);
    let mut rows = statement.query([mark, span.from, span.to])?;
    while let Some(row) = rows.next()? {
        count_one(points, row.get(0)?, row.get(1)?, width);
    }
    Ok(())
}
