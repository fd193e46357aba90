//! Reading events, agents' progress and registry, dead letters and access keys.
//!
//! Postgres plans every statement from statistics, which may be old and know little about rare values. The log may have a hundred
//! million rows, so statements here and in the other files are written in a form that leaves only one good plan:
//!
//! - A page walks a range of one index. The range is a comparison of rows, such as `(event_type, seq) >= ($1, $2)`, and the page is
//!   ordered by all columns of the index. With `event_type = $1 ORDER BY seq`, Postgres may walk the primary key instead and
//!   filter, which reads the whole log for a rare type. `seq >= $2` is repeated, because only that excludes partitions.
//! - A page's positions are selected first, in a `MATERIALIZED` query or a `LATERAL` one with a limit, and joined with headers and
//!   bodies after that. `LATERAL (… LIMIT 1)` looks up one row at a time and keeps the order.
//! - `event_type || ''` keeps the index of types from being used.

use countersign_domain::{EventId, Header, Score, StoredEvent, Time};
use serde_json::value::RawValue;
use tokio_postgres::Row;

use super::{
    PostgresStore,
    session::Session,
    values::{Columns, SqlValue, corrupt, number, page_limit, storable, values},
};
use crate::{
    error::{Result, StoreError},
    events::{EventQuery, SealedBody, SealedEvent},
    operations::{AccessKey, DeadLetter, DeadLetterQuery, RegistryEntry},
};

impl PostgresStore {
    pub(crate) async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>> {
        self.read(move |session| async move { events(&session, &query).await }).await
    }

    pub(crate) async fn event(&self, id: EventId) -> Result<StoredEvent> {
        self.read(move |session| async move { event_by_id(&session, id).await?.ok_or(StoreError::NotFound) }).await
    }

    pub(crate) async fn progress(&self, agent: &'static str) -> Result<(u64, Vec<u64>)> {
        self.read(move |session| async move { progress(&session, agent).await }).await
    }

    pub(crate) async fn registry(&self) -> Result<Vec<RegistryEntry>> {
        self.read(|session| async move { registry(&session).await }).await
    }

    pub(crate) async fn dead_letters(&self, query: DeadLetterQuery) -> Result<Vec<DeadLetter>> {
        self.read(move |session| async move { dead_letters(&session, &query).await }).await
    }

    pub(crate) async fn access_keys(&self) -> Result<Vec<AccessKey>> {
        self.read(|session| async move { access_keys(&session).await }).await
    }
}

const ALL_SQL: &str = "WITH keys AS MATERIALIZED (
       SELECT seq, header FROM countersign.event_log WHERE seq >= $1 ORDER BY seq LIMIT $2)
     SELECT k.header, b.payload, b.metadata FROM keys k
     LEFT JOIN countersign.event_bodies b ON b.seq = k.seq AND b.seq >= $1 ORDER BY k.seq";

const OF_TYPES_SQL: &str = "WITH keys AS MATERIALIZED (
       SELECT k.seq FROM unnest($3) AS t(event_type)
       CROSS JOIN LATERAL (
         SELECT l.seq FROM countersign.event_log l
         WHERE (l.event_type, l.seq) >= (t.event_type, $1) AND l.event_type <= t.event_type AND l.seq >= $1
         ORDER BY l.event_type, l.seq LIMIT $2) k
       ORDER BY k.seq LIMIT $2)
     SELECT l.header, b.payload, b.metadata FROM keys k
     JOIN countersign.event_log l ON l.seq = k.seq AND l.seq >= $1
     LEFT JOIN countersign.event_bodies b ON b.seq = k.seq AND b.seq >= $1 ORDER BY k.seq";

const OF_CORRELATION_SQL: &str = "WITH keys AS MATERIALIZED (
       SELECT seq, header FROM countersign.event_log
       WHERE (correlation_id, seq) >= ($4::uuid, $1) AND correlation_id <= $4::uuid AND seq >= $1
         AND (cardinality($3) = 0 OR event_type || '' = ANY ($3))
       ORDER BY correlation_id, seq LIMIT $2)
     SELECT k.header, b.payload, b.metadata FROM keys k
     LEFT JOIN countersign.event_bodies b ON b.seq = k.seq AND b.seq >= $1 ORDER BY k.seq";

pub(super) async fn events(session: &Session, query: &EventQuery) -> Result<Vec<StoredEvent>> {
    let (from, limit) = (number(query.from_seq), page_limit(query.limit));
    let mut types: Vec<&str> = query.types.iter().map(|event_type| event_type.as_str()).collect();
    types.sort_unstable();
    types.dedup();
    match query.correlation_id.map(|id| id.to_string()) {
        Some(id) => events_of(session, OF_CORRELATION_SQL, values![from, limit, types, id]).await,
        None if types.is_empty() => events_of(session, ALL_SQL, values![from, limit]).await,
        None => events_of(session, OF_TYPES_SQL, values![from, limit, types]).await,
    }
}

/// The events that a statement selects. Its first columns must be header, payload and metadata.
pub(super) async fn events_of(session: &Session, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<StoredEvent>> {
    session.rows(sql, values).await?.iter().map(read_event).collect()
}

/// Reads an event from a row whose first columns are header, payload and metadata.
pub(super) fn read_event(row: &Row) -> Result<StoredEvent> {
    let header: Header<'_> = serde_json::from_str(row.text(0)?)?;
    Ok(StoredEvent::from_parts(header, raw_json_if_any(row, 1)?, raw_json_if_any(row, 2)?))
}

pub(super) fn raw_json_if_any(row: &Row, at: usize) -> Result<Option<Box<RawValue>>> {
    Ok(row.column::<Option<String>>(at)?.map(RawValue::from_string).transpose()?)
}

pub(super) fn score(row: &Row, at: usize) -> Result<Score> {
    u8::try_from(row.column::<i64>(at)?).map_err(corrupt).and_then(|score| Score::new(score).map_err(corrupt))
}

pub(super) async fn event_by_id(session: &Session, id: EventId) -> Result<Option<StoredEvent>> {
    let sql = "SELECT l.header, b.payload, b.metadata FROM countersign.event_ids i
               JOIN countersign.event_log l ON l.seq = i.seq
               LEFT JOIN countersign.event_bodies b ON b.seq = i.seq WHERE i.event_id = $1::uuid";
    let id = id.to_string();
    session.row_if_any(sql, values![id]).await?.as_ref().map(read_event).transpose()
}

pub(super) async fn header_at(session: &Session, seq: u64) -> Result<Option<String>> {
    let sql = "SELECT header FROM countersign.event_log WHERE seq = $1";
    session.row_if_any(sql, values![number(seq)]).await?.map(|row| row.column(0)).transpose()
}

/// Headers from a position on, oldest first.
pub(super) async fn headers_from(session: &Session, seq: u64, limit: usize) -> Result<Vec<String>> {
    let sql = "SELECT header FROM countersign.event_log WHERE seq >= $1 ORDER BY seq LIMIT $2";
    session.rows(sql, values![number(seq), page_limit(limit)]).await?.iter().map(|row| row.column(0)).collect()
}

/// A leaf and the body that it commits to, in one statement.
pub(super) async fn sealed_at(session: &Session, seq: u64) -> Result<Option<SealedEvent>> {
    let sql = "SELECT l.header, b.salt, b.payload, b.metadata FROM countersign.event_log l
               LEFT JOIN countersign.event_bodies b ON b.seq = l.seq WHERE l.seq = $1";
    let Some(row) = session.row_if_any(sql, values![number(seq)]).await? else { return Ok(None) };
    let body = match row.column::<Option<Vec<u8>>>(1)? {
        Some(salt) => Some(SealedBody { salt, payload: row.column(2)?, metadata: row.column(3)? }),
        None => None,
    };
    Ok(Some(SealedEvent { header: row.column(0)?, body }))
}

/// Position and time of the newest event. No later event is recorded before that time.
pub(super) async fn last_recorded(session: &Session) -> Result<Option<(u64, Time)>> {
    let sql = "SELECT seq, header FROM countersign.event_log ORDER BY seq DESC LIMIT 1";
    let newest = session.row_if_any(sql, &[]).await?;
    newest.map(|row| Ok((row.number(0)?, serde_json::from_str::<Header<'_>>(row.text(1)?)?.recorded_at))).transpose()
}

/// An agent's mark, and the finished events above it, in one statement.
pub(super) async fn progress(session: &Session, agent: &str) -> Result<(u64, Vec<u64>)> {
    let sql = "SELECT coalesce((SELECT low FROM countersign.agent_progress WHERE agent = $1), 0),
                 ARRAY(SELECT seq FROM countersign.agent_done WHERE agent = $1 ORDER BY seq)";
    let row = session.row(sql, values![agent]).await?;
    let done: Vec<i64> = row.column(1)?;
    Ok((row.number(0)?, done.into_iter().map(|seq| u64::try_from(seq).map_err(corrupt)).collect::<Result<_>>()?))
}

pub(super) async fn registry(session: &Session) -> Result<Vec<RegistryEntry>> {
    let sql = "SELECT name, state, priority, paused, started_at, heartbeat_at, processed, failed, dead_lettered, lag,
                 last_error
               FROM countersign.agent_registry ORDER BY name";
    let read = |row: &Row| {
        Ok(RegistryEntry {
            name: row.column(0)?,
            state: row.parsed(1)?,
            priority: row.column(2)?,
            paused: row.column::<i64>(3)? != 0,
            started_at: row.time(4)?,
            heartbeat_at: row.time(5)?,
            processed: row.number(6)?,
            failed: row.number(7)?,
            dead_lettered: row.number(8)?,
            lag: row.number(9)?,
            last_error: row.column(10)?,
        })
    };
    session.rows(sql, &[]).await?.iter().map(read).collect()
}

macro_rules! dead_letters_sql {
    ($range:literal, order: $order:literal) => {
        concat!(
            "SELECT id, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state
             FROM countersign.dead_letters WHERE ",
            $range,
            " ORDER BY ",
            $order,
            " LIMIT $2"
        )
    };
}

const LETTERS_SQL: &str = dead_letters_sql!("id < $1", order: "id DESC");
const LETTERS_OF_AGENT_SQL: &str =
    dead_letters_sql!("(agent, id) < ($3, $1) AND agent >= $3", order: "agent DESC, id DESC");
const LETTERS_IN_STATE_SQL: &str =
    dead_letters_sql!("(state, id) < ($3, $1) AND state >= $3", order: "state DESC, id DESC");
const LETTERS_OF_AGENT_IN_STATE_SQL: &str = dead_letters_sql!(
    "(agent, state, id) >= ($3, $4, '') AND (agent, state, id) < ($3, $4, $1)",
    order: "agent DESC, state DESC, id DESC"
);

/// Ids are UUIDv7, so their order is the order in which they were made. Every index ends in the id.
pub(super) async fn dead_letters(session: &Session, query: &DeadLetterQuery) -> Result<Vec<DeadLetter>> {
    // In the order of bytes, `~` is after every UUID.
    let before = query.before.map_or_else(|| "~".to_owned(), |id| id.to_string());
    let limit = page_limit(query.limit);
    let agent = query.agent.as_deref().map(storable);
    let state = query.state.map(|state| state.to_string());
    let rows = match (agent, state) {
        (None, None) => session.rows(LETTERS_SQL, values![before, limit]).await?,
        (Some(agent), None) => session.rows(LETTERS_OF_AGENT_SQL, values![before, limit, agent]).await?,
        (None, Some(state)) => session.rows(LETTERS_IN_STATE_SQL, values![before, limit, state]).await?,
        (Some(agent), Some(state)) => {
            session.rows(LETTERS_OF_AGENT_IN_STATE_SQL, values![before, limit, agent, state]).await?
        }
    };
    rows.iter().map(dead_letter).collect()
}

fn dead_letter(row: &Row) -> Result<DeadLetter> {
    Ok(DeadLetter {
        id: row.parsed(0)?,
        agent: row.column(1)?,
        event_seq: row.number(2)?,
        event_id: row.parsed(3)?,
        event_type: row.column(4)?,
        attempts: u32::try_from(row.number(5)?).map_err(corrupt)?,
        error: row.column(6)?,
        dead_lettered_at: row.time(7)?,
        state: row.parsed(8)?,
    })
}

pub(super) async fn access_keys(session: &Session) -> Result<Vec<AccessKey>> {
    let sql = "SELECT id, name, role, secret_sha256, created_at, expires_at, revoked_at
               FROM countersign.access_keys ORDER BY created_at, id";
    let read = |row: &Row| {
        Ok(AccessKey {
            id: row.column::<String>(0)?.try_into().map_err(corrupt)?,
            name: row.column(1)?,
            role: row.parsed(2)?,
            secret_sha256: row.column(3)?,
            created_at: row.time(4)?,
            expires_at: row.parsed_if_any(5)?,
            revoked_at: row.parsed_if_any(6)?,
        })
    };
    session.rows(sql, &[]).await?.iter().map(read).collect()
}
