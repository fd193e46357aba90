//! Reading audit logs: pages, single logs, repeated requests, open answers.

use countersign_domain::{EventId, LogId, Time};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params_from_iter, types::Value};
use serde_json::value::RawValue;

use super::{
    SqliteStore,
    reads::{self, corrupt},
    search::text::SearchWords,
    stats,
};
use crate::{
    error::Result,
    logs::{Deadline, FoundLog, LogCursor, LogEntry, LogPage, LogQuery, LogStats, OpenState, StatsQuery},
};

impl SqliteStore {
    pub(crate) async fn logs(&self, query: LogQuery) -> Result<LogPage> {
        let store = self.clone();
        self.read(move |conn| {
            let deadline = Deadline::after(query.time_budget);
            match SearchWords::of(&query)? {
                Some(words) => store.inner.search.read(|indexed| words.page(conn, indexed, &query, deadline)),
                None => page(conn, &query, deadline),
            }
        })
        .await
    }

    pub(crate) async fn log(&self, id: LogId) -> Result<Option<FoundLog>> {
        let id = id.to_string();
        // In one snapshot: an audit that commits in between moves the log from one table to the other.
        self.read_snapshot(move |conn| find(conn, &id)).await
    }

    pub(crate) async fn log_by_idempotency(
        &self,
        key: &str,
        since: Time,
    ) -> Result<Option<(LogEntry, Option<String>)>> {
        let key = key.to_owned();
        self.read(move |conn| by_idempotency(conn, &key, since)).await
    }

    pub(crate) async fn open_answers(
        &self,
        state: OpenState,
        limit: usize,
    ) -> Result<Vec<countersign_domain::StoredEvent>> {
        self.read(move |conn| open_answers(conn, state, limit)).await
    }

    pub(crate) async fn log_stats(&self, query: StatsQuery) -> Result<LogStats> {
        let store = self.clone();
        self.read(move |conn| store.inner.search.read(|indexed| stats::stats(conn, indexed, &query))).await
    }

    pub(crate) async fn index_logs_step(&self) -> Result<bool> {
        let store = self.clone();
        self.read(move |conn| store.inner.search.fill(conn)).await
    }
}

/// Collects a page from positions, which come in the order of the list.
pub(crate) struct PageBuilder<'a> {
    select: CachedStatement<'a>,
    times: (i64, i64),
    scores: (u8, u8),
    limit: usize,
    items: Vec<LogEntry>,
    last: Option<LogCursor>,
}

impl<'a> PageBuilder<'a> {
    pub(crate) fn new(conn: &'a Connection, query: &LogQuery) -> Result<Self> {
        let select = conn.prepare_cached(
            "SELECT l.event_id, b.payload, e.created_at FROM log_entries e JOIN event_bodies b ON b.seq = e.seq
             JOIN event_log l ON l.seq = e.seq
             WHERE e.seq = ?1 AND +e.created_at >= ?2 AND +e.created_at < ?3 AND +e.risk_score BETWEEN ?4 AND ?5",
        )?;
        let limit = query.limit;
        let scores = (query.min_score, query.max_score);
        Ok(Self { select, times: times(query), scores, limit, items: Vec::new(), last: None })
    }

    /// Adds a log, unless it is erased or outside the query's time and scores. Returns true if the log matches but belongs to
    /// the next page.
    pub(crate) fn add_if_matching(&mut self, seq: u64) -> Result<bool> {
        let mut rows = self.select.query((seq, self.times.0, self.times.1, self.scores.0, self.scores.1))?;
        let Some(row) = rows.next()? else { return Ok(false) };
        if self.items.len() >= self.limit {
            return Ok(true);
        }
        self.items.push(entry(seq, row)?);
        self.last = Some(LogCursor { created_at: time(row.get(2)?)?, seq });
        Ok(false)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.items.len() >= self.limit
    }

    pub(crate) fn last(&self) -> Option<LogCursor> {
        self.last
    }

    pub(crate) fn into_items(self) -> Vec<LogEntry> {
        self.items
    }
}

/// The log in a row whose first columns are event id and payload.
fn entry(seq: u64, row: &Row<'_>) -> Result<LogEntry> {
    let event_id: EventId = row.get_ref(0)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?;
    Ok(LogEntry { seq, event_id, payload: RawValue::from_string(row.get(1)?)? })
}

fn time(micros: i64) -> Result<Time> {
    Time::from_micros(micros).map_err(corrupt)
}

/// The query's time range, end exclusive.
pub(crate) fn times(query: &LogQuery) -> (i64, i64) {
    (query.from.map_or(i64::MIN, Time::micros), query.to.map_or(i64::MAX, Time::micros))
}

fn page(conn: &Connection, query: &LogQuery, deadline: Deadline) -> Result<LogPage> {
    let mut page = PageBuilder::new(conn, query)?;
    let (sql, values) = keys_sql(query);
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        let cursor = LogCursor { created_at: time(row.get(0)?)?, seq: row.get(1)? };
        if page.add_if_matching(cursor.seq)? {
            return Ok(LogPage { next: page.last(), items: page.into_items(), partial: false });
        }
        // There may be many erased logs in a row.
        if !page.is_full() && deadline.has_passed() {
            return Ok(LogPage { items: page.into_items(), next: Some(cursor), partial: true });
        }
    }
    Ok(LogPage { items: page.into_items(), next: None, partial: false })
}

/// Selects the logs' times and positions, newest first, in the order of an index: for all scores, the index of times; otherwise,
/// the index of scores, with one `UNION ALL` arm per score.
fn keys_sql(query: &LogQuery) -> (String, Vec<Value>) {
    let (min, max) = (query.min_score, query.max_score.min(10));
    let (from, to) = times(query);
    // Before the cursor and before the end of the time range, whichever is earlier.
    let end = (to, 0);
    let before = query
        .before
        .map_or(end, |before| (before.created_at.micros(), i64::try_from(before.seq).unwrap_or(i64::MAX)).min(end));
    let range = [from, before.0, before.1].map(Value::Integer);
    // SQLite seeks to the time and skips the logs with the same microsecond, which are few.
    let within = "created_at >= ? AND (created_at, seq) < (?, ?)";
    let one = |condition: &str| format!("SELECT created_at, seq FROM log_entries WHERE {condition} {within}");
    let (keys, values) = match (min, max) {
        (0, 10) => (one(""), range.to_vec()),
        _ => {
            let arms = vec![one("risk_score = ? AND"); usize::from(max.saturating_sub(min)) + 1].join(" UNION ALL ");
            let values = (min..=max).flat_map(|score| [Value::Integer(score.into())].into_iter().chain(range.clone()));
            (arms, values.collect())
        }
    };
    (format!("{keys} ORDER BY created_at DESC, seq DESC"), values)
}

fn find(conn: &Connection, id: &str) -> Result<Option<FoundLog>> {
    let mut statement = conn.prepare_cached(
        "SELECT l.event_id, b.payload, e.seq FROM log_entries e JOIN event_log l ON l.seq = e.seq
         LEFT JOIN event_bodies b ON b.seq = e.seq WHERE e.id = ?1",
    )?;
    let mut rows = statement.query([id])?;
    if let Some(row) = rows.next()? {
        let has_body = row.get_ref(1)? != rusqlite::types::ValueRef::Null;
        return Ok(Some(if has_body { FoundLog::Audited(entry(row.get(2)?, row)?) } else { FoundLog::Erased }));
    }
    let sql = "SELECT state, seq FROM open_answers WHERE log_id = ?1";
    let open: Option<(String, u64)> =
        conn.prepare_cached(sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((state, seq)) = open else { return Ok(None) };
    let state = OpenState::parse(&state).ok_or_else(|| corrupt(format!("open_answers has the state {state}")))?;
    let event = reads::event_at(conn, seq)?.ok_or_else(|| corrupt(format!("event {seq} is missing")))?;
    Ok(Some(if event.payload.is_some() { FoundLog::Open { state, event } } else { FoundLog::Erased }))
}

fn by_idempotency(conn: &Connection, key: &str, since: Time) -> Result<Option<(LogEntry, Option<String>)>> {
    let mut statement = conn.prepare_cached(IDEMPOTENCY_SQL)?;
    let mut rows = statement.query([key])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    if time(row.get(4)?)? < since {
        return Ok(None);
    }
    Ok(Some((entry(row.get(2)?, row)?, row.get(3)?)))
}

const IDEMPOTENCY_SQL: &str = "SELECT l.event_id, b.payload, e.seq, b.metadata, e.created_at FROM log_entries e
     JOIN event_bodies b ON b.seq = e.seq JOIN event_log l ON l.seq = e.seq
     WHERE e.idempotency = ?1 ORDER BY e.seq DESC LIMIT 1";

fn open_answers(conn: &Connection, state: OpenState, limit: usize) -> Result<Vec<countersign_domain::StoredEvent>> {
    let mut statement = conn.prepare_cached(
        "SELECT a.seq FROM open_answers a JOIN event_bodies b ON b.seq = a.seq
         WHERE a.state = ?1 ORDER BY a.seq LIMIT ?2",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let seqs: Vec<u64> =
        statement.query_map((state.as_str(), limit), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let events = seqs.into_iter().map(|seq| reads::event_at(conn, seq)).collect::<Result<Vec<_>>>()?;
    Ok(events.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{schema, stats};

    fn plan(sql: &str, values: impl IntoIterator<Item = Value>) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let conn = schema::open_for_writing(&folder.path().join("log.db")).unwrap();
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        statement.query_map(params_from_iter(values), |row| row.get(3)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn a_page_of_logs_is_read_in_the_order_of_an_index() {
        let cursor = LogCursor { created_at: Time::from_micros(5).unwrap(), seq: 7 };
        let by_time = "log_entries_by_time (created_at>? AND created_at<?)";
        let by_score = "log_entries_by_score (risk_score=? AND created_at>? AND created_at<?)";
        for (min_score, max_score, index) in [(0, 10, by_time), (7, 7, by_score), (0, 3, by_score), (1, 10, by_score)] {
            let query = LogQuery { min_score, max_score, before: Some(cursor), ..Default::default() };
            let (sql, values) = keys_sql(&query);
            let plan = plan(&sql, values);
            assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{plan:#?}");
            let arms = plan.iter().filter(|line| line.contains("COVERING INDEX") && line.contains(index)).count();
            assert_eq!(
                arms,
                if (min_score, max_score) == (0, 10) { 1 } else { usize::from(max_score - min_score) + 1 },
                "{plan:#?}"
            );
        }
    }

    #[test]
    fn counting_a_partial_minute_reads_only_an_index() {
        let plan = plan(stats::EXACT_SQL, [3, 5, 7, 9].map(Value::Integer));
        assert_eq!(plan.len(), 1, "{plan:?}");
        assert!(
            plan[0].contains("COVERING INDEX log_entries_by_score (risk_score=? AND created_at>? AND created_at<?)"),
            "{plan:?}"
        );
    }

    #[test]
    fn the_newest_log_of_a_request_is_read_through_its_index() {
        let plan = plan(IDEMPOTENCY_SQL, [Value::Text("x".into())]);
        assert!(plan.iter().any(|line| line.contains("log_entries_by_idempotency (idempotency=?)")), "{plan:#?}");
        assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{plan:#?}");
    }
}
