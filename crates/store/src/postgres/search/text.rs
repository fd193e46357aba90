//! Finds logs by their words, newest first and within a time budget. The caller's session must be in a snapshot, so that the index
//! and the position up to which it goes fit together.

use std::{collections::BTreeSet, ops::Range};

use super::{
    super::{
        logs::{PageBuilder, time},
        session::Session,
        stats::point_sql,
        values::{Columns as _, number, page_limit, values},
    },
    bodies::{self, LogKey},
    vectors::SearchWords,
    windows::{Next, SearchEnd, Windows, created_at},
};
use crate::{
    derive::log_counts::{CountsByStart, TimeRange, add_count, count_log},
    error::Result,
    logs::{Deadline, LogCursor, LogPage, LogQuery},
};

/// The maximum number of positions that are read at once.
const KEYS_MAX: usize = 1_000;
/// The number of long texts that are read at once.
const LONG_TEXTS: usize = 8;

/// A search for words.
#[derive(Clone, Copy)]
pub(in crate::postgres) struct Search<'a> {
    pub(in crate::postgres) session: &'a Session,
    pub(in crate::postgres) words: &'a SearchWords,
    pub(in crate::postgres) query: &'a LogQuery,
    pub(in crate::postgres) deadline: Deadline,
}

impl Search<'_> {
    /// A page of matching logs, newest position first.
    pub(in crate::postgres) async fn page(self) -> Result<LogPage> {
        let mut page = PageBuilder::new(self.query);
        let mut windows = Windows::begin(self.session, self.query).await?;
        let ended = loop {
            let ended = match windows.next(self.session, self.deadline).await? {
                Next::Logs(logs) => self.add_texts(&mut page, &logs).await?,
                Next::Block { range, block } => self.add_block(&mut page, range, block).await?,
                Next::Ended(ended) => Some(ended),
            };
            if let Some(ended) = ended {
                break ended;
            }
        };
        self.finish(page, ended).await
    }

    async fn finish(self, page: PageBuilder, ended: SearchEnd) -> Result<LogPage> {
        let next = match ended {
            SearchEnd::AtTheEnd => None,
            SearchEnd::Full => page.last(),
            SearchEnd::OutOfTime { .. } if page.is_full() => page.last(),
            SearchEnd::OutOfTime { from } => {
                let created_at = time(created_at(self.session, from).await?)?;
                return Ok(page.finish_partial(LogCursor { created_at, seq: from }));
            }
        };
        Ok(page.finish(next))
    }

    /// Adds the matches among logs that aren't in the index.
    async fn add_texts(self, page: &mut PageBuilder, logs: &[LogKey]) -> Result<Option<SearchEnd>> {
        let seqs: Vec<u64> = self.wanted(logs).map(|log| log.seq).collect();
        let is_full = page.add(self.session, &seqs, |_, payload| self.words.are_in(payload)).await?;
        Ok(is_full.then_some(SearchEnd::Full))
    }

    /// Adds the matches in a block of the index.
    async fn add_block(self, page: &mut PageBuilder, range: Range<u64>, block: u32) -> Result<Option<SearchEnd>> {
        let expression = self.words.in_block(range.start, block);
        let (start, mut end, limit) = (number(range.start), number(range.end), page_limit(KEYS_MAX));
        loop {
            let rows = self.session.rows(BLOCK_SQL, values![expression, start, end, limit]).await?;
            let (mut seqs, mut long) = (Vec::with_capacity(rows.len()), BTreeSet::new());
            for row in &rows {
                let seq = row.number(0)?;
                seqs.push(seq);
                if !row.column::<bool>(1)? {
                    long.insert(seq);
                }
            }
            let ended = self.add_keys(page, &seqs, &long).await?;
            match seqs.last() {
                Some(last) if ended.is_none() && seqs.len() >= KEYS_MAX => end = number(*last),
                _ => return Ok(ended),
            }
        }
    }

    /// Adds the logs at these positions. Those in `long` have too many words for the index, so their texts must be read.
    async fn add_keys(self, page: &mut PageBuilder, seqs: &[u64], long: &BTreeSet<u64>) -> Result<Option<SearchEnd>> {
        let is_match = |seq: u64, payload: &str| !long.contains(&seq) || self.words.are_in(payload);
        let mut rest = seqs;
        while !rest.is_empty() {
            // Nearly all of them match.
            let (chunk, more) = rest.split_at(rest.len().min(page.keys_wanted().max(LONG_TEXTS)));
            if page.add(self.session, chunk, is_match).await? {
                return Ok(Some(SearchEnd::Full));
            }
            // Matches outside the query's time and scores take time too.
            if let Some(last) = chunk.last().filter(|_| !more.is_empty() && self.deadline.has_passed()) {
                return Ok(Some(SearchEnd::OutOfTime { from: *last }));
            }
            rest = more;
        }
        Ok(None)
    }

    /// Counts the matching logs by points of this width. The flag is true if time ran out before all of them were found.
    pub(in crate::postgres) async fn count(self, width: Option<i64>) -> Result<(CountsByStart, bool)> {
        let mut counts = CountsByStart::new();
        let mut windows = Windows::begin(self.session, self.query).await?;
        loop {
            match windows.next(self.session, self.deadline).await? {
                Next::Logs(logs) => self.count_texts(&mut counts, &logs, width).await?,
                Next::Block { range, block } => {
                    self.count_block(&mut counts, &range, block, width).await?;
                    if !self.count_long_texts(&mut counts, &range, width).await? {
                        return Ok((counts, true));
                    }
                }
                Next::Ended(ended) => return Ok((counts, !matches!(ended, SearchEnd::AtTheEnd))),
            }
        }
    }

    /// Counts the matches in a block whose words are all in the index.
    async fn count_block(
        self,
        counts: &mut CountsByStart,
        range: &Range<u64>,
        block: u32,
        width: Option<i64>,
    ) -> Result<()> {
        let expression = self.words.in_block(range.start, block);
        let times = TimeRange::new(self.query.from, self.query.to);
        let (start, end) = (number(range.start), number(range.end));
        let values = values![expression, start, end, times.from, times.to, width];
        for row in &self.session.rows(&count_sql(), values).await? {
            add_count(counts, row.column(0)?, row.number(1)?, row.number(2)?);
        }
        Ok(())
    }

    /// Counts the matches in a block that have too many words for the index. Returns whether there was time for all.
    async fn count_long_texts(
        self,
        counts: &mut CountsByStart,
        range: &Range<u64>,
        width: Option<i64>,
    ) -> Result<bool> {
        let rows = self.session.rows(LONG_TEXTS_SQL, values![number(range.start), number(range.end)]).await?;
        let logs = rows.iter().map(LogKey::of_stored).collect::<Result<Vec<_>>>()?;
        let mut chunks = logs.chunks(LONG_TEXTS).peekable();
        while let Some(chunk) = chunks.next() {
            self.count_texts(counts, chunk, width).await?;
            if chunks.peek().is_some() && self.deadline.has_passed() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts the matches among logs whose texts must be read.
    async fn count_texts(self, counts: &mut CountsByStart, logs: &[LogKey], width: Option<i64>) -> Result<()> {
        let seqs = self.wanted(logs).map(|log| number(log.seq)).collect();
        let payloads = bodies::payloads(self.session, seqs).await?;
        for log in self.wanted(logs) {
            if payloads.get(&log.seq).is_some_and(|payload| self.words.are_in(payload)) {
                count_log(counts, log.created_at, log.score.into(), width);
            }
        }
        Ok(())
    }

    /// The logs in the query's time range and scores whose bodies are stored.
    fn wanted(self, logs: &[LogKey]) -> impl Iterator<Item = &LogKey> {
        let times = TimeRange::new(self.query.from, self.query.to);
        let scores = self.query.min_score..=self.query.max_score;
        logs.iter().filter(move |log| {
            !log.is_erased && (times.from..times.to).contains(&log.created_at) && scores.contains(&log.score)
        })
    }
}

/// Looks words up in their index, and in no other: the planner doesn't know that vectors which are stored apart are slow to read,
/// so it might rather filter all logs of the block, or scan it backwards in the hope of finding enough matches soon. Therefore the
/// search is materialized, and its conditions on positions don't fit an index.
const BLOCK_SQL: &str = "WITH found AS MATERIALIZED (
       SELECT seq, is_whole FROM countersign.log_words
       WHERE words @@ $1::text::tsquery AND is_whole AND seq + 0 >= $2 AND seq + 0 < $3)
     SELECT seq, is_whole FROM found
     UNION ALL
     SELECT seq, is_whole FROM countersign.log_words WHERE NOT is_whole AND seq >= $2 AND seq < $3
     ORDER BY seq DESC LIMIT $4";

const LONG_TEXTS_SQL: &str = "SELECT w.seq, e.created_at, e.risk_score FROM countersign.log_words w
     JOIN countersign.log_entries e ON e.seq = w.seq AND e.seq >= $1 AND e.seq < $2
     WHERE NOT w.is_whole AND w.seq >= $1 AND w.seq < $2 ORDER BY w.seq DESC";

fn count_sql() -> String {
    format!(
        "WITH found AS MATERIALIZED (
           SELECT seq FROM countersign.log_words
           WHERE words @@ $1::text::tsquery AND is_whole AND seq + 0 >= $2 AND seq + 0 < $3)
         SELECT {}, e.risk_score, count(*)
         FROM found f JOIN countersign.log_entries e ON e.seq = f.seq AND e.seq >= $2 AND e.seq < $3
         WHERE e.created_at >= $4 AND e.created_at < $5 AND EXISTS (
           SELECT 1 FROM countersign.event_bodies b WHERE b.seq = f.seq AND b.seq >= $2 AND b.seq < $3)
         GROUP BY 1, 2",
        point_sql("e.created_at", "$6")
    )
}
