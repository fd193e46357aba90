//! Single answers: found by their id or by the key of a repeated request, and those whose audit isn't finished.

use countersign_domain::{LogId, StoredEvent, Time};
use tokio_postgres::Row;

use super::{
    PostgresStore,
    reads::{self, read_event},
    session::Session,
    values::{Columns, corrupt, page_limit, storable, values},
};
use crate::{
    error::Result,
    logs::{FoundLog, LogEntry, OpenState},
};

impl PostgresStore {
    pub(crate) async fn log(&self, id: LogId) -> Result<Option<FoundLog>> {
        self.read(move |session| async move { find(&session, id).await }).await
    }

    pub(crate) async fn log_by_idempotency(
        &self,
        key: &str,
        since: Time,
    ) -> Result<Option<(LogEntry, Option<String>)>> {
        let key = key.to_owned();
        self.read(move |session| async move { by_idempotency(&session, &key, since).await }).await
    }

    pub(crate) async fn open_answers(&self, state: OpenState, limit: usize) -> Result<Vec<StoredEvent>> {
        self.read(move |session| async move {
            reads::events_of(&session, OPEN_SQL, values![state.as_str(), page_limit(limit)]).await
        })
        .await
    }
}

/// One statement, because an audit that commits between two would move the log from one table to the other. A log that is audited
/// comes first.
const FIND_SQL: &str = "WITH found AS MATERIALIZED (
       SELECT seq, NULL AS state FROM countersign.log_ids WHERE id = $1
       UNION ALL SELECT seq, state FROM countersign.open_answers WHERE log_id = $1)
     SELECT l.header, b.payload, b.metadata, f.seq, f.state FROM found f
     LEFT JOIN countersign.event_log l ON l.seq = f.seq
     LEFT JOIN countersign.event_bodies b ON b.seq = f.seq ORDER BY f.state NULLS FIRST LIMIT 1";

async fn find(session: &Session, id: LogId) -> Result<Option<FoundLog>> {
    let id = id.to_string();
    let Some(row) = session.row_if_any(FIND_SQL, values![id]).await? else { return Ok(None) };
    if row.text_if_any(0)?.is_none() {
        return Err(corrupt(format!("event {} is missing", row.number(3)?)));
    }
    if row.text_if_any(1)?.is_none() {
        return Ok(Some(FoundLog::Erased));
    }
    let Some(state) = row.text_if_any(4)? else { return Ok(Some(FoundLog::Audited(log_entry(&row)?))) };
    let state = OpenState::parse(state).ok_or_else(|| corrupt(format!("open_answers has the state {state}")))?;
    Ok(Some(FoundLog::Open { state, event: read_event(&row)? }))
}

/// The log in a row that begins with the columns of its event.
fn log_entry(row: &Row) -> Result<LogEntry> {
    let event = read_event(row)?;
    let payload = event.payload.ok_or_else(|| corrupt(format!("event {} has no body", event.seq)))?;
    Ok(LogEntry { seq: event.seq, event_id: event.event_id, payload })
}

const IDEMPOTENCY_SQL: &str = "SELECT l.header, b.payload, b.metadata, e.created_at FROM countersign.log_entries e
     CROSS JOIN LATERAL (SELECT header FROM countersign.event_log WHERE seq = e.seq LIMIT 1) l
     CROSS JOIN LATERAL (SELECT payload, metadata FROM countersign.event_bodies WHERE seq = e.seq LIMIT 1) b
     WHERE (e.idempotency, e.seq) >= ($1, 0) AND e.idempotency <= $1 AND e.idempotency IS NOT NULL
     ORDER BY e.idempotency DESC, e.seq DESC LIMIT 1";

async fn by_idempotency(session: &Session, key: &str, since: Time) -> Result<Option<(LogEntry, Option<String>)>> {
    let Some(row) = session.row_if_any(IDEMPOTENCY_SQL, values![storable(key)]).await? else { return Ok(None) };
    if Time::from_micros(row.column(3)?).map_err(corrupt)? < since {
        return Ok(None);
    }
    Ok(Some((log_entry(&row)?, row.column(2)?)))
}

const OPEN_SQL: &str = "SELECT l.header, b.payload, b.metadata FROM countersign.open_answers a
     CROSS JOIN LATERAL (SELECT header FROM countersign.event_log WHERE seq = a.seq LIMIT 1) l
     CROSS JOIN LATERAL (SELECT payload, metadata FROM countersign.event_bodies WHERE seq = a.seq LIMIT 1) b
     WHERE (a.state, a.seq) >= ($1, 0) AND a.state <= $1 ORDER BY a.state, a.seq LIMIT $2";
