//! Counts logs by score. Whole buckets come from the search index; the ends of the time range and logs that aren't indexed yet
//! come from the log itself. So the numbers are exact however far the index has got. Only a search for words reads every log.

use futures_util::future::try_join_all;

use super::{
    PostgresStore,
    search::{Extent, text::Search, vectors::SearchWords},
    session::Session,
    values::{Columns as _, number, page_limit, values},
};
use crate::{
    derive::log_counts::{self, CountsByStart, RangePart, TimeRange, add_count},
    error::Result,
    logs::{Bucket, Deadline, LogStats, StatsQuery},
};

impl PostgresStore {
    pub(crate) async fn log_stats(&self, query: StatsQuery) -> Result<LogStats> {
        self.read_snapshot(move |session| async move { stats(&session, &query).await }).await
    }
}

/// The session is in a snapshot, so the size of the log, the index and the logs fit together.
async fn stats(session: &Session, query: &StatsQuery) -> Result<LogStats> {
    let extent = Extent::read(session).await?;
    let width = query.bucket.map(Bucket::micros);
    let log_query = query.log_query();
    let (counts, partial) = match SearchWords::of(&log_query) {
        _ if query.min_score > query.max_score.min(10) => (CountsByStart::new(), false),
        Some(words) => {
            let deadline = Deadline::after(query.time_budget);
            Search { session, words: &words, query: &log_query, deadline }.count(width).await?
        }
        None => (counted(session, extent, query, width).await?, false),
    };
    log_counts::stats(counts, query, extent.size, partial)
}

async fn counted(session: &Session, extent: Extent, query: &StatsQuery, width: Option<i64>) -> Result<CountsByStart> {
    let range = TimeRange::new(query.from, query.to);
    let parts = log_counts::range_parts(range, width);
    let indexed = parts.into_iter().map(|part| count_part(session, part, query, extent.indexed));
    let mut counts = CountsByStart::new();
    for PointCount { start, score, logs } in try_join_all(indexed).await?.into_iter().flatten() {
        add_count(&mut counts, start, score, logs);
    }
    for PointCount { start, score, logs } in unindexed(session, extent.indexed, range, width).await? {
        add_count(&mut counts, start, score, logs);
    }
    Ok(counts)
}

/// How many logs of a point have a score.
struct PointCount {
    start: i64,
    score: u64,
    logs: u64,
}

/// Counts the indexed logs of a part of the time range.
async fn count_part(session: &Session, part: RangePart, query: &StatsQuery, indexed: u64) -> Result<Vec<PointCount>> {
    match (part.width, part.point) {
        (Some(width), Some(point)) => sum_of_buckets(session, part.range, width, point).await,
        (Some(width), None) => buckets(session, part.range, width, query).await,
        (None, point) => exact(session, part.range, point.unwrap_or(part.range.from), indexed).await,
    }
}

/// The sum of all buckets in a range.
async fn sum_of_buckets(session: &Session, range: TimeRange, width: i64, point: i64) -> Result<Vec<PointCount>> {
    let rows = session.rows(SUM_SQL, values![width, range.from, range.to]).await?;
    rows.iter().map(|row| Ok(PointCount { start: point, score: row.number(0)?, logs: row.number(1)? })).collect()
}

const SUM_SQL: &str = "SELECT n.nth - 1, sum(n.logs)::bigint
     FROM countersign.log_counts c CROSS JOIN unnest(c.scores) WITH ORDINALITY AS n(logs, nth)
     WHERE c.micros = $1 AND c.start >= $2 AND c.start < $3 GROUP BY n.nth";

/// Each bucket in a range that has a log with one of the query's scores. One more than a trend may have is enough to refuse it.
async fn buckets(session: &Session, range: TimeRange, width: i64, query: &StatsQuery) -> Result<Vec<PointCount>> {
    // Arrays begin at 1.
    let scores = (i64::from(query.min_score) + 1, i64::from(query.max_score) + 1);
    let limit = page_limit(LogStats::TREND_POINTS_MAX + 1);
    let values = values![width, range.from, range.to, scores.0, scores.1, limit];
    let mut counts = Vec::new();
    for row in &session.rows(BUCKETS_SQL, values).await? {
        let start = row.column(0)?;
        let of_scores: Vec<i64> = row.column(1)?;
        let logs = of_scores.into_iter().map(u64::try_from).filter_map(std::result::Result::ok);
        counts.extend((0..).zip(logs).map(|(score, logs)| PointCount { start, score, logs }));
    }
    Ok(counts)
}

const BUCKETS_SQL: &str = "SELECT c.start, c.scores FROM countersign.log_counts c
     WHERE c.micros = $1 AND c.start >= $2 AND c.start < $3
       AND EXISTS (SELECT 1 FROM unnest(c.scores[$4::int : $5::int]) AS n(logs) WHERE n.logs > 0)
     ORDER BY c.start LIMIT $6";

/// Counts the logs of a range shorter than a minute one by one.
async fn exact(session: &Session, range: TimeRange, point: i64, indexed: u64) -> Result<Vec<PointCount>> {
    let rows = session.rows(EXACT_SQL, values![range.from, range.to, number(indexed)]).await?;
    rows.iter().map(|row| Ok(PointCount { start: point, score: row.number(0)?, logs: row.number(1)? })).collect()
}

const EXACT_SQL: &str = "SELECT risk_score, count(*) FROM countersign.log_entries
     WHERE created_at >= $1 AND created_at < $2 AND seq < $3 GROUP BY risk_score";

/// Counts the logs that aren't in the index, by points of this width.
async fn unindexed(session: &Session, from: u64, range: TimeRange, width: Option<i64>) -> Result<Vec<PointCount>> {
    let rows = session.rows(&unindexed_sql(), values![number(from), range.from, range.to, width]).await?;
    let count = |row: &tokio_postgres::Row| {
        Ok(PointCount { start: row.column(0)?, score: row.number(1)?, logs: row.number(2)? })
    };
    rows.iter().map(count).collect()
}

fn unindexed_sql() -> String {
    format!(
        "SELECT {}, risk_score, count(*) FROM countersign.log_entries
         WHERE seq >= $1 AND created_at >= $2 AND created_at < $3 GROUP BY 1, 2",
        point_sql("created_at", "$4")
    )
}

/// The start of the point that a time belongs to. Without a width there is a single point.
pub(super) fn point_sql(micros: &str, width: &str) -> String {
    format!("coalesce({micros} - ({micros} % {width} + {width}) % {width}, '-9223372036854775808')")
}
