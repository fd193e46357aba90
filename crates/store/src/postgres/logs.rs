//! Reading audit logs: pages, and the search index's next step.
//!
//! Positions are selected first, in the order of an index. Then the logs at these positions are read, which tells the planner
//! which partitions they are in.

use std::collections::BTreeMap;

use countersign_domain::{EventId, Time};
use serde_json::value::RawValue;

use super::{
    PostgresStore,
    search::{
        fill::{self, WhenLocked},
        text::Search,
        vectors::SearchWords,
    },
    session::Session,
    values::{Columns as _, SqlValue, corrupt, number, page_limit, typed, values},
};
use crate::{
    derive::log_counts::TimeRange,
    error::{Result, StoreError},
    logs::{Deadline, LogCursor, LogEntry, LogPage, LogQuery},
};

/// The fewest positions that are read after the first ones of a page didn't fill it, because logs were erased.
const MORE_KEYS_MIN: usize = 64;

impl PostgresStore {
    pub(crate) async fn logs(&self, query: LogQuery) -> Result<LogPage> {
        let deadline = Deadline::after(query.time_budget);
        match SearchWords::of(&query) {
            Some(words) => {
                self.read_snapshot(move |session| async move {
                    Search { session: &session, words: &words, query: &query, deadline }.page().await
                })
                .await
            }
            None => self.read(move |session| async move { page(&session, &query, deadline).await }).await,
        }
    }

    pub(crate) async fn index_logs_step(&self) -> Result<bool> {
        match self.read(|session| async move { fill::step(&session, WhenLocked::Return).await }).await {
            // The batch is repeated after the next start.
            Err(StoreError::Closed) => Ok(false),
            done => done,
        }
    }
}

/// Collects a page from positions, which come in the order of the list.
pub(super) struct PageBuilder {
    times: TimeRange,
    scores: (i64, i64),
    limit: usize,
    items: Vec<LogEntry>,
    last: Option<LogCursor>,
}

impl PageBuilder {
    pub(super) fn new(query: &LogQuery) -> Self {
        Self {
            times: TimeRange::new(query.from, query.to),
            scores: (query.min_score.into(), query.max_score.into()),
            limit: query.limit,
            items: Vec::new(),
            last: None,
        }
    }

    /// Adds the logs at these positions, unless they are erased, outside the query's time and scores, or refused by `is_match`,
    /// which is given the position and the payload. Returns true if a log matches but belongs to the next page.
    pub(super) async fn add(
        &mut self,
        session: &Session,
        seqs: &[u64],
        is_match: impl Fn(u64, &str) -> bool,
    ) -> Result<bool> {
        if seqs.is_empty() {
            return Ok(false);
        }
        let mut entries = self.entries(session, seqs).await?;
        for seq in seqs {
            let Some((created_at, entry)) = entries.remove(seq) else { continue };
            if !is_match(*seq, entry.payload.get()) {
                continue;
            }
            if self.is_full() {
                return Ok(true);
            }
            self.items.push(entry);
            self.last = Some(LogCursor { created_at, seq: *seq });
        }
        Ok(false)
    }

    async fn entries(&self, session: &Session, seqs: &[u64]) -> Result<BTreeMap<u64, (Time, LogEntry)>> {
        let seqs: Vec<i64> = seqs.iter().copied().map(number).collect();
        let values = values![seqs, self.times.from, self.times.to, self.scores.0, self.scores.1];
        let rows = session.rows(ENTRIES_SQL, values).await?;
        let mut entries = BTreeMap::new();
        for row in &rows {
            let (seq, event_id) = (row.number(0)?, row.parsed::<EventId>(2)?);
            let payload = RawValue::from_string(row.column(3)?)?;
            entries.insert(seq, (time(row.column(1)?)?, LogEntry { seq, event_id, payload }));
        }
        Ok(entries)
    }

    pub(super) fn is_full(&self) -> bool {
        self.items.len() >= self.limit
    }

    /// How many positions suffice if none is skipped: those that the page has room for, and one to know whether it is the last
    /// page.
    pub(super) fn keys_wanted(&self) -> usize {
        self.limit.saturating_sub(self.items.len()) + 1
    }

    /// A page that is full, or at the end of the list.
    pub(super) fn finish(self, next: Option<LogCursor>) -> LogPage {
        LogPage { items: self.items, next, partial: false }
    }

    /// A page that ends because time ran out.
    pub(super) fn finish_partial(self, next: LogCursor) -> LogPage {
        LogPage { items: self.items, next: Some(next), partial: true }
    }

    pub(super) fn last(&self) -> Option<LogCursor> {
        self.last
    }
}

const ENTRIES_SQL: &str = "SELECT e.seq, e.created_at, l.header::json ->> 'event_id', b.payload
     FROM countersign.log_entries e JOIN countersign.event_bodies b ON b.seq = e.seq
     JOIN countersign.event_log l ON l.seq = e.seq
     WHERE e.seq = ANY($1) AND b.seq = ANY($1) AND l.seq = ANY($1)
       AND e.created_at >= $2 AND e.created_at < $3 AND e.risk_score BETWEEN $4 AND $5";

pub(super) fn time(micros: i64) -> Result<Time> {
    Time::from_micros(micros).map_err(corrupt)
}

async fn page(session: &Session, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
    let mut page = PageBuilder::new(query);
    let mut keys = LogKeys::of(query);
    let mut wanted = page.keys_wanted();
    loop {
        let found = keys.next(session, wanted).await?;
        let seqs: Vec<u64> = found.iter().map(|key| key.seq).collect();
        if page.add(session, &seqs, |_, _| true).await? {
            let next = page.last();
            return Ok(page.finish(next));
        }
        let Some(last) = found.last().filter(|_| found.len() == wanted) else { return Ok(page.finish(None)) };
        // There may be many erased logs in a row.
        if !page.is_full() && deadline.has_passed() {
            return Ok(page.finish_partial(*last));
        }
        wanted = page.keys_wanted().max(MORE_KEYS_MIN);
    }
}

/// The logs of a query by time and position, newest first.
struct LogKeys {
    sql: String,
    from: i64,
    /// Before this time and position.
    before: (i64, i64),
    scores: Vec<i64>,
}

impl LogKeys {
    fn of(query: &LogQuery) -> Self {
        let TimeRange { from, to } = TimeRange::new(query.from, query.to);
        // Before the cursor and before the end of the time range, whichever is earlier.
        let end = (to, 0);
        let cursor = query.before.map(|before| (before.created_at.micros(), number(before.seq)));
        let scores = match (query.min_score, query.max_score.min(10)) {
            (0, 10) => Vec::new(),
            (min, max) => (min..=max).map(i64::from).collect(),
        };
        Self { sql: keys_sql(scores.len()), from, before: cursor.map_or(end, |cursor| cursor.min(end)), scores }
    }

    async fn next(&mut self, session: &Session, limit: usize) -> Result<Vec<LogCursor>> {
        let limit = page_limit(limit);
        let mut values: Vec<SqlValue<'_>> = values![self.from, self.before.0, self.before.1, limit].to_vec();
        values.extend(self.scores.iter().map(typed));
        let mut found = Vec::new();
        for row in session.rows(&self.sql, &values).await? {
            self.before = (row.column(0)?, row.column(1)?);
            found.push(LogCursor { created_at: time(self.before.0)?, seq: row.number(1)? });
        }
        Ok(found)
    }
}

/// Selects the logs' times and positions in the order of an index: for all scores, the index of times; otherwise, the index of
/// scores, with one arm per score, whose values follow the first four.
fn keys_sql(scores: usize) -> String {
    let ordered = "ORDER BY created_at DESC, seq DESC LIMIT $4";
    let one = |condition: &str| {
        format!(
            "SELECT created_at, seq FROM countersign.log_entries
             WHERE {condition} created_at >= $1 AND (created_at, seq) < ($2, $3) {ordered}"
        )
    };
    if scores == 0 {
        return one("");
    }
    let arms: Vec<_> = (5..5 + scores).map(|value| one(&format!("risk_score = ${value} AND"))).collect();
    match &arms[..] {
        [arm] => arm.clone(),
        arms => format!("({}) {ordered}", arms.join(") UNION ALL (")),
    }
}
