//! Reading events, agents' progress and registry, dead letters and access keys.

use countersign_domain::{EventId, Header, StoredEvent, Time};
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter, types::Value};
use serde_json::value::RawValue;

use super::SqliteStore;
use crate::{
    error::{Result, StoreError},
    events::{EventQuery, SealedBody, SealedEvent},
    operations::{AccessKey, DeadLetter, DeadLetterQuery, RegistryEntry},
    verify::records::TypedPayload,
};

impl SqliteStore {
    pub(crate) async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>> {
        // This process has made every commit, so what it remembers of their types is never behind.
        if !self.inner.newest.may_have(&query.types, query.from_seq) {
            return Ok(Vec::new());
        }
        self.read(move |conn| events(conn, &query)).await
    }

    pub(crate) async fn event(&self, id: EventId) -> Result<StoredEvent> {
        self.read(move |conn| event_by_id(conn, id)?.ok_or(StoreError::NotFound)).await
    }

    pub(crate) async fn progress(&self, agent: &'static str) -> Result<(u64, Vec<u64>)> {
        self.read(move |conn| progress(conn, agent)).await
    }

    pub(crate) async fn registry(&self) -> Result<Vec<RegistryEntry>> {
        self.read(registry).await
    }

    pub(crate) async fn dead_letters(&self, query: DeadLetterQuery) -> Result<Vec<DeadLetter>> {
        self.read(move |conn| dead_letters(conn, &query)).await
    }

    pub(crate) async fn access_keys(&self) -> Result<Vec<AccessKey>> {
        self.read(access_keys).await
    }
}

const COLUMNS: &str =
    "SELECT l.header, b.payload, b.metadata FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq";

pub(crate) fn events(conn: &Connection, query: &EventQuery) -> Result<Vec<StoredEvent>> {
    let (sql, values) = events_sql(query);
    events_of(conn, &sql, values)
}

/// Reads no more rows than it returns, however long the log: every branch walks an index in the order of `seq`.
fn events_sql(query: &EventQuery) -> (String, Vec<Value>) {
    let from = position(query.from_seq);
    let types = query.types.iter().map(|event_type| Value::Text(event_type.as_str().to_owned()));
    let (sql, mut values) = if let Some(id) = query.correlation_id {
        // One correlation has few events. The plus keeps the planner from using the index of types instead.
        let marks = vec!["?"; types.len()].join(", ");
        let of_type = if types.len() == 0 { String::new() } else { format!("AND +l.event_type IN ({marks})") };
        let values = [Value::Text(id.to_string()), from].into_iter().chain(types).collect();
        (format!("{COLUMNS} WHERE l.correlation_id = ? AND l.seq >= ? {of_type}"), values)
    } else if types.len() == 0 {
        (format!("{COLUMNS} WHERE l.seq >= ?"), vec![from])
    } else {
        // With IN, all matching events would be sorted. Separate arms are merged in order and stop at the limit.
        let one = "SELECT seq FROM event_log WHERE event_type = ? AND seq >= ?";
        let each = vec![one; types.len()].join(" UNION ALL ");
        let mut values: Vec<_> = types.flat_map(|name| [name, from.clone()]).collect();
        values.push(page_limit(query.limit));
        (format!("{COLUMNS} WHERE l.seq IN (SELECT seq FROM ({each} ORDER BY seq LIMIT ?))"), values)
    };
    values.push(page_limit(query.limit));
    (format!("{sql} ORDER BY l.seq LIMIT ?"), values)
}

/// The events that a statement selects. Its first columns must be header, payload and metadata.
pub(crate) fn events_of(
    conn: &Connection,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<StoredEvent>> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(read_event(row)?);
    }
    Ok(events)
}

/// The position before which a page begins. Without a position, the page begins at the newest event.
pub(crate) fn before(seq: Option<u64>) -> Value {
    Value::Integer(seq.and_then(|seq| i64::try_from(seq).ok()).unwrap_or(i64::MAX))
}

/// The length of a page, which the store has bounded.
pub(crate) fn page_limit(limit: usize) -> Value {
    Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX))
}

/// A position as SQLite's integer. If it is too large, this is the largest integer, where there is no event.
fn position(seq: u64) -> Value {
    Value::Integer(i64::try_from(seq).unwrap_or(i64::MAX))
}

pub(crate) fn read_event(row: &Row<'_>) -> Result<StoredEvent> {
    let header: Header<'_> = serde_json::from_str(row.get_ref(0)?.as_str().map_err(corrupt)?)?;
    let raw = |text: Option<String>| text.map(RawValue::from_string).transpose();
    Ok(StoredEvent::from_parts(header, raw(row.get(1)?)?, raw(row.get(2)?)?))
}

pub(crate) fn corrupt(error: impl ToString) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

pub(crate) fn event_by_id(conn: &Connection, id: EventId) -> Result<Option<StoredEvent>> {
    let mut statement = conn.prepare_cached(&format!("{COLUMNS} WHERE l.event_id = ?1"))?;
    let mut rows = statement.query([id.to_string()])?;
    rows.next()?.map(read_event).transpose()
}

pub(crate) fn event_at(conn: &Connection, seq: u64) -> Result<Option<StoredEvent>> {
    let mut statement = conn.prepare_cached(&format!("{COLUMNS} WHERE l.seq = ?1"))?;
    let mut rows = statement.query([seq])?;
    rows.next()?.map(read_event).transpose()
}

/// The type and payload of the event at a position, if it has a body.
pub(crate) fn payload(conn: &Connection, seq: u64) -> Result<Option<TypedPayload>> {
    let sql = "SELECT l.event_type, b.payload FROM event_log l JOIN event_bodies b ON b.seq = l.seq WHERE l.seq = ?1";
    let read = |row: &Row<'_>| Ok(TypedPayload { event_type: row.get(0)?, payload: row.get(1)? });
    Ok(conn.prepare_cached(sql)?.query_row([position(seq)], read).optional()?)
}

pub(crate) fn header_at(conn: &Connection, seq: u64) -> Result<Option<String>> {
    let sql = "SELECT header FROM event_log WHERE seq = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([position(seq)], |row| row.get(0)).optional()?)
}

/// Headers from a position on, oldest first.
pub(crate) fn headers_from(conn: &Connection, seq: u64, limit: usize) -> Result<Vec<String>> {
    let mut statement = conn.prepare_cached("SELECT header FROM event_log WHERE seq >= ?1 ORDER BY seq LIMIT ?2")?;
    let headers = statement.query_map([position(seq), page_limit(limit)], |row| row.get(0))?;
    Ok(headers.collect::<rusqlite::Result<_>>()?)
}

/// A leaf and the body that it commits to, in one statement.
pub(crate) fn sealed_at(conn: &Connection, seq: u64) -> Result<Option<SealedEvent>> {
    let sql = "SELECT l.header, b.salt, b.payload, b.metadata
               FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq WHERE l.seq = ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query([position(seq)])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let body = match row.get::<_, Option<Vec<u8>>>(1)? {
        Some(salt) => Some(SealedBody { salt, payload: row.get(2)?, metadata: row.get(3)? }),
        None => None,
    };
    Ok(Some(SealedEvent { header: row.get(0)?, body }))
}

/// An agent's mark, and the finished events above it.
pub(crate) fn progress(conn: &Connection, agent: &str) -> Result<(u64, Vec<u64>)> {
    let sql = "SELECT low FROM agent_progress WHERE agent = ?1";
    let low = conn.prepare_cached(sql)?.query_row([agent], |row| row.get(0)).optional()?.unwrap_or(0);
    let mut statement = conn.prepare_cached("SELECT seq FROM agent_done WHERE agent = ?1 ORDER BY seq")?;
    let done = statement.query_map([agent], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok((low, done))
}

pub(crate) fn registry(conn: &Connection) -> Result<Vec<RegistryEntry>> {
    let mut statement = conn.prepare_cached(
        "SELECT name, state, priority, paused, started_at, heartbeat_at, processed, failed, dead_lettered, lag, last_error
         FROM agent_registry ORDER BY name",
    )?;
    let mut rows = statement.query([])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(RegistryEntry {
            name: row.get(0)?,
            state: row.get_ref(1)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
            priority: row.get(2)?,
            paused: row.get(3)?,
            started_at: time(row, 4)?,
            heartbeat_at: time(row, 5)?,
            processed: row.get(6)?,
            failed: row.get(7)?,
            dead_lettered: row.get(8)?,
            lag: row.get(9)?,
            last_error: row.get(10)?,
        });
    }
    Ok(entries)
}

pub(crate) fn time(row: &Row<'_>, column: usize) -> Result<Time> {
    row.get_ref(column)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)
}

pub(crate) fn time_if_any(row: &Row<'_>, column: usize) -> Result<Option<Time>> {
    row.get::<_, Option<String>>(column)?.map(|text| text.parse().map_err(corrupt)).transpose()
}

pub(crate) fn dead_letters(conn: &Connection, query: &DeadLetterQuery) -> Result<Vec<DeadLetter>> {
    let (sql, values) = dead_letters_sql(query);
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut letters = Vec::new();
    while let Some(row) = rows.next()? {
        letters.push(DeadLetter {
            id: row.get_ref(0)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
            agent: row.get(1)?,
            event_seq: row.get(2)?,
            event_id: row.get_ref(3)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
            event_type: row.get(4)?,
            attempts: row.get(5)?,
            error: row.get(6)?,
            dead_lettered_at: time(row, 7)?,
            state: row.get_ref(8)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
        });
    }
    Ok(letters)
}

/// Ids are UUIDv7, so their order is the order in which they were made. Every index ends in the id.
fn dead_letters_sql(query: &DeadLetterQuery) -> (String, Vec<Value>) {
    let conditions = [
        ("agent = ?", query.agent.clone()),
        ("state = ?", query.state.map(|state| state.to_string())),
        ("id < ?", query.before.map(|id| id.to_string())),
    ];
    let given = conditions.into_iter().filter_map(|(sql, value)| Some((sql, Value::Text(value?))));
    let (conditions, mut values): (Vec<_>, Vec<_>) = given.unzip();
    let wanted = if conditions.is_empty() { "true".into() } else { conditions.join(" AND ") };
    values.push(page_limit(query.limit));
    let sql = format!(
        "SELECT id, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state
         FROM dead_letters WHERE {wanted} ORDER BY id DESC LIMIT ?"
    );
    (sql, values)
}

pub(crate) fn access_keys(conn: &Connection) -> Result<Vec<AccessKey>> {
    let mut statement = conn.prepare_cached(
        "SELECT id, name, role, secret_sha256, created_at, expires_at, revoked_at FROM access_keys ORDER BY created_at, id",
    )?;
    let mut rows = statement.query([])?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next()? {
        keys.push(AccessKey {
            id: row.get::<_, String>(0)?.try_into().map_err(corrupt)?,
            name: row.get(1)?,
            role: row.get_ref(2)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
            secret_sha256: row.get(3)?,
            created_at: time(row, 4)?,
            expires_at: time_if_any(row, 5)?,
            revoked_at: time_if_any(row, 6)?,
        });
    }
    Ok(keys)
}

pub(crate) fn clean_stop(conn: &Connection) -> Result<bool> {
    // A missing row counts as an unclean stop.
    Ok(conn.query_row("SELECT clean_stop FROM process_state", [], |row| row.get(0)).optional()?.unwrap_or(false))
}

/// Position and time of the newest event. No later event is recorded before that time.
pub(crate) fn last_recorded(conn: &Connection) -> Result<Option<(u64, Time)>> {
    let newest = conn
        .prepare_cached("SELECT seq, header FROM event_log ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get::<_, u64>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    newest.map(|(seq, header)| Ok((seq, serde_json::from_str::<Header<'_>>(&header)?.recorded_at))).transpose()
}

#[cfg(test)]
pub(crate) mod tests {
    use countersign_domain::{CorrelationId, DeadLetterId, DeadLetterState, EventType};

    use super::*;
    use crate::sqlite::schema;

    /// No read may scan a whole table or sort: the log may have ten million rows, and a page has a hundred.
    #[track_caller]
    pub(crate) fn check_plan(sql: &str, values: impl IntoIterator<Item = Value>, indexes: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let conn = schema::open_for_writing(&folder.path().join("log.db")).unwrap();
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let plan: Vec<String> =
            statement.query_map(params_from_iter(values), |row| row.get(3)).unwrap().map(Result::unwrap).collect();
        // Tables that the statement itself makes may be scanned.
        let temporary_table = |line: &'_ String| {
            ["CO-ROUTINE ", "MATERIALIZE "].iter().find_map(|kind| line.strip_prefix(kind).map(str::to_owned))
        };
        let temporary: Vec<String> = plan.iter().filter_map(temporary_table).collect();
        let scans_or_sorts = |line: &String| {
            let scanned = line.strip_prefix("SCAN ");
            let scanned = scanned.filter(|of| *of != "CONSTANT ROW" && !temporary.iter().any(|table| table == of));
            scanned.is_some_and(|of| !of.contains("(subquery") && !of.contains("USING INDEX"))
                || line.contains("TEMP B-TREE FOR ORDER BY")
        };
        assert!(!plan.iter().any(scans_or_sorts), "{sql}\n{plan:#?}");
        for index in indexes {
            assert!(plan.iter().any(|line| line.contains(index)), "{index}: {sql}\n{plan:#?}");
        }
    }

    fn check(sql: &str, values: Vec<Value>, index: &str) {
        check_plan(sql, values, &[index]);
    }

    #[test]
    fn a_page_of_events_is_read_through_an_index() {
        const ONE: [EventType; 1] = [EventType::AgentStarted];
        const THREE: [EventType; 3] = [EventType::AgentStarted, EventType::AgentStopped, EventType::KeyChanged];
        let id = Some(CorrelationId::v7(Time::from_micros(0).unwrap(), [1; 10]));
        for (types, correlation_id, index) in [
            (&[][..], None, "INTEGER PRIMARY KEY (rowid>?)"),
            (&ONE[..], None, "event_log_by_type (event_type=? AND seq>?)"),
            (&THREE[..], None, "event_log_by_type (event_type=? AND seq>?)"),
            (&[][..], id, "event_log_by_correlation (correlation_id=? AND seq>?)"),
            (&THREE[..2], id, "event_log_by_correlation (correlation_id=? AND seq>?)"),
        ] {
            let (sql, values) =
                events_sql(&EventQuery { from_seq: 7, types: types.to_vec(), correlation_id, limit: 100 });
            check(&sql, values, index);
        }
    }

    #[test]
    fn a_page_of_dead_letters_is_read_through_an_index() {
        let agent = || Some("a".to_owned());
        let dead = Some(DeadLetterState::Dead);
        let before = Some(DeadLetterId::v7(Time::from_micros(0).unwrap(), [1; 10]));
        for (agent, state, index) in [
            (None, None, "PRIMARY KEY (id<?)"),
            (agent(), None, "dead_letters_by_agent (agent=? AND id<?)"),
            (None, dead, "dead_letters_by_state (state=? AND id<?)"),
            (agent(), dead, "dead_letters_by_agent_and_state (agent=? AND state=? AND id<?)"),
        ] {
            let query = DeadLetterQuery { before, agent, state, limit: 100 };
            let (sql, values) = dead_letters_sql(&query);
            check(&sql, values, index);
        }
    }
}
