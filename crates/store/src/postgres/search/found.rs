//! Collects what a search finds: the logs of a page, or only their number.

use std::{collections::BTreeSet, ops::Range};

use super::{
    super::{
        logs::PageBuilder,
        session::Session,
        stats::point_sql,
        values::{Columns as _, number, values},
    },
    bodies::{self, LogKey},
    vectors::SearchWords,
};
use crate::{
    derive::log_counts::{CountsByStart, TimeRange, count_log},
    error::Result,
    logs::{Deadline, LogQuery},
};

/// The maximum number of positions that are read at once.
const KEYS_MAX: i64 = 1_000;
/// The number of long texts that are read at once.
const LONG_TEXTS: usize = 8;

/// How a search ended.
pub(super) enum SearchEnd {
    /// All logs were searched.
    AtTheEnd,
    /// There are more matches than wanted.
    Full,
    /// Only the logs from this position on were searched.
    OutOfTime { from: u64 },
}

pub(super) enum Found {
    Page(PageBuilder),
    Counts(Counter),
}

/// The numbers of logs with each score.
pub(super) struct Counter {
    pub(super) counts: CountsByStart,
    /// The width of the points, if there are points.
    pub(super) width: Option<i64>,
}

/// Positions whose logs are searched in the index, by a `tsquery`.
pub(super) struct Window {
    pub(super) expression: String,
    pub(super) range: Range<u64>,
}

/// The searched words, and when the search has to stop.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) session: &'a Session,
    pub(super) words: &'a SearchWords,
    pub(super) query: &'a LogQuery,
    pub(super) deadline: Deadline,
}

impl Found {
    /// Adds the matches among logs whose texts must be read, newest first. Returns true if there are more matches than wanted.
    pub(super) async fn add_texts(&mut self, search: Search<'_>, logs: &[LogKey]) -> Result<bool> {
        let times = TimeRange::new(search.query.from, search.query.to);
        let scores = search.query.min_score..=search.query.max_score;
        let is_wanted = |log: &&LogKey| {
            !log.is_erased
                && (times.from..times.to).contains(&log.created_at)
                && scores.contains(&log.score)
        };
        let logs = logs.iter().filter(is_wanted);
        match self {
            Self::Page(page) => {
                let seqs: Vec<u64> = logs.map(|log| log.seq).collect();
                page.add(search.session, &seqs, |_, payload| search.words.are_in(payload)).await
            }
            Self::Counts(Counter { counts, width }) => {
                let logs: Vec<_> = logs.collect();
                let seqs = logs.iter().map(|log| number(log.seq)).collect();
                let payloads = bodies::payloads(search.session, seqs).await?;
                for log in logs {
                    if payloads.get(&log.seq).is_some_and(|payload| search.words.are_in(payload)) {
                        count_log(counts, log.created_at, log.score.into(), *width);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Adds the matches in a window. Returns how the search ended, if it did.
    pub(super) async fn add_window(&mut self, search: Search<'_>, window: &Window) -> Result<Option<SearchEnd>> {
        match self {
            Self::Page(page) => page_window(page, search, window).await,
            Self::Counts(counter) => {
                counter.add_indexed(search, window).await?;
                self.add_long_texts(search, window).await
            }
        }
    }

    /// Adds the matches among the logs that have too many words for the index.
    async fn add_long_texts(&mut self, search: Search<'_>, window: &Window) -> Result<Option<SearchEnd>> {
        let range = (number(window.range.start), number(window.range.end));
        let rows = search.session.rows(LONG_TEXTS_SQL, values![range.0, range.1]).await?;
        let mut logs = Vec::with_capacity(rows.len());
        for row in &rows {
            let score = u8::try_from(row.number(2)?).unwrap_or(u8::MAX);
            logs.push(LogKey { seq: row.number(0)?, created_at: row.column(1)?, score, is_erased: false });
        }
        let mut chunks = logs.chunks(LONG_TEXTS).peekable();
        while let Some(chunk) = chunks.next() {
            if self.add_texts(search, chunk).await? {
                return Ok(Some(SearchEnd::Full));
            }
            if let Some(last) = chunk.last().filter(|_| chunks.peek().is_some() && search.deadline.has_passed()) {
                return Ok(Some(SearchEnd::OutOfTime { from: last.seq }));
            }
        }
        Ok(None)
    }
}

const LONG_TEXTS_SQL: &str = "SELECT w.seq, e.created_at, e.risk_score
     FROM countersign.log_words w
     JOIN countersign.log_entries e ON e.seq = w.seq AND e.seq >= $1 AND e.seq < $2
     WHERE NOT w.is_whole AND w.seq >= $1 AND w.seq < $2 ORDER BY w.seq DESC";

/// The search is materialized, or the planner might scan the window backwards in the hope of finding enough matches soon.
const WINDOW_SQL: &str = "WITH found AS MATERIALIZED (
       SELECT seq, is_whole FROM countersign.log_words
       WHERE words @@ $1::text::tsquery AND is_whole AND seq >= $2 AND seq < $3)
     SELECT seq, is_whole FROM found
     UNION ALL
     SELECT seq, is_whole FROM countersign.log_words WHERE NOT is_whole AND seq >= $2 AND seq < $3
     ORDER BY seq DESC LIMIT $4";

async fn page_window(page: &mut PageBuilder, search: Search<'_>, window: &Window) -> Result<Option<SearchEnd>> {
    let (start, mut end) = (number(window.range.start), number(window.range.end));
    loop {
        let rows = search.session.rows(WINDOW_SQL, values![window.expression, start, end, KEYS_MAX]).await?;
        let (mut seqs, mut long) = (Vec::with_capacity(rows.len()), BTreeSet::new());
        for row in &rows {
            let seq = row.number(0)?;
            seqs.push(seq);
            if !row.column::<bool>(1)? {
                long.insert(seq);
            }
        }
        let mut rest = seqs.as_slice();
        while !rest.is_empty() {
            // Few at first, because most of them match.
            let (chunk, more) = rest.split_at(rest.len().min(page.keys_wanted().max(LONG_TEXTS)));
            let is_match = |seq, payload: &str| !long.contains(&seq) || search.words.are_in(payload);
            if page.add(search.session, chunk, is_match).await? {
                return Ok(Some(SearchEnd::Full));
            }
            // Matches outside the query's time and scores take time too.
            let last = chunk.last().filter(|_| !more.is_empty() && search.deadline.has_passed());
            if let Some(last) = last {
                return Ok(Some(SearchEnd::OutOfTime { from: *last }));
            }
            rest = more;
        }
        match seqs.last() {
            Some(last) if page_is_full_of_keys(seqs.len()) => end = number(*last),
            _ => return Ok(None),
        }
    }
}

/// Whether there may be more positions than were read at once.
fn page_is_full_of_keys(keys: usize) -> bool {
    i64::try_from(keys).is_ok_and(|keys| keys >= KEYS_MAX)
}

impl Counter {
    /// Counts the matches in a window whose words are all in the index.
    async fn add_indexed(&mut self, search: Search<'_>, window: &Window) -> Result<()> {
        let times = TimeRange::new(search.query.from, search.query.to);
        let (start, end) = (number(window.range.start), number(window.range.end));
        let values = values![window.expression, start, end, times.from, times.to, self.width];
        for row in &search.session.rows(&count_sql(), values).await? {
            self.add_row(row)?;
        }
        Ok(())
    }

    fn add_row(&mut self, row: &tokio_postgres::Row) -> Result<()> {
        let (point, score, logs) = (row.column(0)?, row.number(1)?, row.number(2)?);
        let scores = self.counts.entry(point).or_default();
        let score = usize::try_from(score).ok().and_then(|score| scores.get_mut(score));
        score.into_iter().for_each(|count| *count += logs);
        Ok(())
    }
}

fn count_sql() -> String {
    format!(
        "WITH found AS MATERIALIZED (
           SELECT seq FROM countersign.log_words
           WHERE words @@ $1::text::tsquery AND is_whole AND seq >= $2 AND seq < $3)
         SELECT {point}, e.risk_score, count(*)
         FROM found f JOIN countersign.log_entries e ON e.seq = f.seq AND e.seq >= $2 AND e.seq < $3
         WHERE e.created_at >= $4 AND e.created_at < $5 AND EXISTS (
           SELECT 1 FROM countersign.event_bodies b WHERE b.seq = f.seq AND b.seq >= $2 AND b.seq < $3)
         GROUP BY 1, 2",
        point = point_sql("e.created_at", "$6")
    )
}
