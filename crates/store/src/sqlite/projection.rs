//! Rows that are derived from events. The same derivation writes them and, in `verify`, checks them.

use countersign_domain::{Event, EventType, NewEvent, payload::AuditLogCreated};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

/// A table whose rows each stand for one event: `seq` first, then the id that must be unique, then what may be forgotten.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) event_type: EventType,
    pub(crate) insert: &'static str,
    pub(crate) find_seq: &'static str,
    pub(crate) select: &'static str,
    /// Columns of `select` that an erasure leaves, the id among them.
    pub(crate) kept: usize,
    /// Blanks the others, if there are any.
    pub(crate) forget: Option<&'static str>,
}

pub(crate) const TABLES: [&Table; 4] = [&TRANSACTION_IDS, &ALERTS, &INVESTIGATIONS, &LOG_ENTRIES];

/// On the way of every transaction, so it holds what must be unique and nothing else.
pub(crate) const TRANSACTION_IDS: Table = Table {
    name: "transaction_ids",
    event_type: EventType::TransactionReceived,
    insert: "INSERT INTO transaction_ids (seq, transaction_id) VALUES (?1, ?2) ON CONFLICT (transaction_id) DO NOTHING",
    find_seq: "SELECT seq FROM transaction_ids WHERE transaction_id = ?1",
    select: "SELECT transaction_id FROM transaction_ids WHERE seq = ?1",
    kept: 1,
    forget: None,
};

pub(crate) const ALERTS: Table = Table {
    name: "alerts",
    event_type: EventType::FraudAlertCreated,
    insert: "INSERT INTO alerts (seq, alert_id, user_id, severity, score, transaction_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (alert_id) DO NOTHING",
    find_seq: "SELECT seq FROM alerts WHERE alert_id = ?1",
    select: "SELECT alert_id, user_id, severity, score, transaction_id FROM alerts WHERE seq = ?1",
    kept: 1,
    forget: Some(
        "UPDATE alerts SET user_id = NULL, severity = NULL, score = NULL, transaction_id = NULL WHERE seq = ?1",
    ),
};

pub(crate) const INVESTIGATIONS: Table = Table {
    name: "investigations",
    event_type: EventType::InvestigationCreated,
    insert: "INSERT INTO investigations (seq, investigation_id, alert_id, user_id, severity, risk_score)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (investigation_id) DO NOTHING",
    find_seq: "SELECT seq FROM investigations WHERE investigation_id = ?1",
    select: "SELECT investigation_id, alert_id, user_id, severity, risk_score FROM investigations WHERE seq = ?1",
    kept: 1,
    forget: Some(
        "UPDATE investigations SET alert_id = NULL, user_id = NULL, severity = NULL, risk_score = NULL WHERE seq = ?1",
    ),
};

/// On the way of every answer. What it keeps of an erased one is counted on.
pub(crate) const LOG_ENTRIES: Table = Table {
    name: "log_entries",
    event_type: EventType::AuditLogCreated,
    insert: "INSERT INTO log_entries (seq, id, created_at, risk_score, idempotency)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO NOTHING",
    find_seq: "SELECT seq FROM log_entries WHERE id = ?1",
    select: "SELECT id, created_at, risk_score, idempotency FROM log_entries WHERE seq = ?1",
    kept: 3,
    forget: Some("UPDATE log_entries SET idempotency = NULL WHERE seq = ?1 AND idempotency IS NOT NULL"),
};

/// The table with the rows of these events, if they have one.
pub(crate) fn table_of(event_type: EventType) -> Option<&'static Table> {
    TABLES.into_iter().find(|table| table.event_type == event_type)
}

/// The row of an event, without its `seq`.
pub(crate) struct Row<'a> {
    pub(crate) table: &'static Table,
    pub(crate) id: ToSqlOutput<'a>,
    pub(crate) more: Vec<ToSqlOutput<'a>>,
}

impl<'a> Row<'a> {
    /// The id and what follows it, in the order of the table's columns.
    pub(crate) fn values(&self) -> impl Iterator<Item = &ToSqlOutput<'a>> {
        std::iter::once(&self.id).chain(&self.more)
    }
}

pub(crate) fn row_of<'a>(event: &'a Event, metadata: &str) -> Option<Row<'a>> {
    match event {
        Event::TransactionReceived(transaction) => {
            Some(Row { table: &TRANSACTION_IDS, id: text(transaction.transaction_id.as_str()), more: Vec::new() })
        }
        Event::FraudAlertCreated(alert) => Some(Row {
            table: &ALERTS,
            id: text(alert.alert_id.as_str()),
            more: vec![
                text(alert.user_id.as_str()),
                text(alert.severity.as_str()),
                integer(alert.score.get().into()),
                alert.metadata.transaction_id.as_ref().map_or(NULL, |id| text(id.as_str())),
            ],
        }),
        Event::InvestigationCreated(investigation) => Some(Row {
            table: &INVESTIGATIONS,
            id: ToSqlOutput::Owned(Value::Text(investigation.investigation_id.to_string())),
            more: vec![
                text(investigation.alert_id.as_str()),
                text(investigation.user_id.as_str()),
                text(investigation.severity.as_str()),
                integer(investigation.risk_score.get().into()),
            ],
        }),
        Event::AuditLogCreated(log) => Some(Row {
            table: &LOG_ENTRIES,
            id: text(&log.log_id),
            more: vec![integer(log.created_at.micros()), risk_score(log), idempotency(metadata)],
        }),
        _ => None,
    }
}

/// A log without a score from 0 to 10 has no row that the table would take, and so is refused.
fn risk_score(log: &AuditLogCreated) -> ToSqlOutput<'static> {
    log.audit.get("risk_score").and_then(serde_json::Value::as_i64).map_or(NULL, integer)
}

/// The hash by which a repeated request is recognised, if its sender asked for that.
fn idempotency(metadata: &str) -> ToSqlOutput<'static> {
    #[derive(serde::Deserialize)]
    struct Noted {
        idempotency: Option<String>,
    }
    if metadata == NewEvent::NO_METADATA {
        return NULL;
    }
    let noted = serde_json::from_str::<Noted>(metadata).ok().and_then(|noted| noted.idempotency);
    noted.map_or(NULL, |key| ToSqlOutput::Owned(Value::Text(key)))
}

const NULL: ToSqlOutput<'static> = ToSqlOutput::Owned(Value::Null);

fn text(value: &str) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes()))
}

fn integer(value: i64) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Integer(value))
}
