//! Rows that are derived from events. The same derivation writes them and, in `verify`, checks them.

use countersign_domain::{
    Event, EventId, EventType, NewEvent, ReportId, Score, Time,
    payload::{AuditLogCreated, ReportGenerated},
};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use serde_json::{Map, Value as Json};

/// A table whose rows each stand for one event: `seq` first, then the id that must be unique, then what may be forgotten.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) event_types: &'static [EventType],
    pub(crate) insert: &'static str,
    pub(crate) find_seq: &'static str,
    pub(crate) select: &'static str,
    /// Columns of `select` that an erasure leaves, the id among them.
    pub(crate) kept: usize,
    /// Blanks the others, if there are any.
    pub(crate) forget: Option<&'static str>,
    /// Whether an erasure says what the row keeps. Not where that is an id which its sender chose.
    pub(crate) says_what_it_keeps: bool,
}

pub(crate) const TABLES: [&Table; 7] =
    [&TRANSACTION_IDS, &ALERTS, &INVESTIGATIONS, &LOG_ENTRIES, &REPORT_ENTRIES, &VALIDATION_ENTRIES, &REVIEW_ENTRIES];

/// On the way of every transaction, so it holds what must be unique and nothing else.
pub(crate) const TRANSACTION_IDS: Table = Table {
    name: "transaction_ids",
    event_types: &[EventType::TransactionReceived],
    insert: "INSERT OR FAIL INTO transaction_ids (seq, transaction_id) VALUES (?1, ?2) ON CONFLICT (transaction_id) DO NOTHING",
    find_seq: "SELECT seq FROM transaction_ids WHERE transaction_id = ?1",
    select: "SELECT transaction_id FROM transaction_ids WHERE seq = ?1",
    kept: 1,
    forget: None,
    says_what_it_keeps: false,
};

pub(crate) const ALERTS: Table = Table {
    name: "alerts",
    event_types: &[EventType::FraudAlertCreated],
    insert: "INSERT OR FAIL INTO alerts (seq, alert_id, user_id, severity, score, transaction_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (alert_id) DO NOTHING",
    find_seq: "SELECT seq FROM alerts WHERE alert_id = ?1",
    select: "SELECT alert_id, user_id, severity, score, transaction_id FROM alerts WHERE seq = ?1",
    kept: 1,
    forget: Some(
        "UPDATE alerts SET user_id = NULL, severity = NULL, score = NULL, transaction_id = NULL WHERE seq = ?1",
    ),
    says_what_it_keeps: false,
};

pub(crate) const INVESTIGATIONS: Table = Table {
    name: "investigations",
    event_types: &[EventType::InvestigationCreated],
    insert: "INSERT OR FAIL INTO investigations (seq, investigation_id, alert_id, user_id, severity, risk_score)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (investigation_id) DO NOTHING",
    find_seq: "SELECT seq FROM investigations WHERE investigation_id = ?1",
    select: "SELECT investigation_id, alert_id, user_id, severity, risk_score FROM investigations WHERE seq = ?1",
    kept: 1,
    forget: Some(
        "UPDATE investigations SET alert_id = NULL, user_id = NULL, severity = NULL, risk_score = NULL WHERE seq = ?1",
    ),
    says_what_it_keeps: false,
};

/// On the way of every answer. What it keeps of an erased one is counted on.
pub(crate) const LOG_ENTRIES: Table = Table {
    name: "log_entries",
    event_types: &[EventType::AuditLogCreated],
    insert: "INSERT OR FAIL INTO log_entries (seq, id, created_at, risk_score, idempotency)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO NOTHING",
    find_seq: "SELECT seq FROM log_entries WHERE id = ?1",
    select: "SELECT id, created_at, risk_score, idempotency FROM log_entries WHERE seq = ?1",
    kept: 3,
    forget: Some("UPDATE log_entries SET idempotency = NULL WHERE seq = ?1 AND idempotency IS NOT NULL"),
    // It does, in a form of its own.
    says_what_it_keeps: false,
};

/// Its content lies apart, in `report_bodies`.
pub(crate) const REPORT_ENTRIES: Table = Table {
    name: "report_entries",
    event_types: &[EventType::ReportGenerated],
    insert: "INSERT OR FAIL INTO report_entries (seq, id, investigation_id, report_type, version, fraud_detection_id,
               transaction_id, severity, risk_score, content_hash, generated_at, regeneration_of)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO NOTHING",
    find_seq: "SELECT seq FROM report_entries WHERE id = ?1",
    select: "SELECT id, investigation_id, report_type, version, fraud_detection_id, transaction_id, severity,
               risk_score, content_hash, generated_at, regeneration_of
             FROM report_entries WHERE seq = ?1",
    kept: 4,
    forget: Some(
        "UPDATE report_entries SET fraud_detection_id = NULL, transaction_id = NULL, severity = NULL, risk_score = NULL,
           content_hash = NULL, generated_at = NULL, regeneration_of = NULL WHERE seq = ?1 AND content_hash IS NOT NULL",
    ),
    says_what_it_keeps: true,
};

/// Nothing in it is personal; the verdict's text goes with its event.
pub(crate) const VALIDATION_ENTRIES: Table = Table {
    name: "validation_entries",
    event_types: &[EventType::ReportApproved, EventType::ReportNeedsReview],
    insert: "INSERT OR FAIL INTO validation_entries (seq, id, report_id, passed, validation_score, validated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    find_seq: "SELECT seq FROM validation_entries WHERE id = ?1",
    select: "SELECT id, report_id, passed, validation_score, validated_at FROM validation_entries WHERE seq = ?1",
    kept: 5,
    forget: None,
    says_what_it_keeps: true,
};

/// Who decided, and what they said, goes with the event.
pub(crate) const REVIEW_ENTRIES: Table = Table {
    name: "review_entries",
    event_types: &[EventType::ReviewDecided],
    insert: "INSERT OR FAIL INTO review_entries (seq, report_id, investigation_id) VALUES (?1, ?2, ?3)",
    find_seq: "SELECT seq FROM review_entries WHERE report_id = ?1",
    select: "SELECT report_id, investigation_id FROM review_entries WHERE seq = ?1",
    kept: 2,
    forget: None,
    says_what_it_keeps: true,
};

/// The table with the rows of these events, if they have one.
pub(crate) fn table_of(event_type: EventType) -> Option<&'static Table> {
    TABLES.into_iter().find(|table| table.event_types.contains(&event_type))
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

pub(crate) fn row_of<'a>(event_id: EventId, event: &'a Event, metadata: &str) -> Option<Row<'a>> {
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
            id: owned(investigation.investigation_id.to_string()),
            more: vec![
                text(investigation.alert_id.as_str()),
                text(investigation.user_id.as_str()),
                text(investigation.severity.as_str()),
                integer(investigation.risk_score.get().into()),
            ],
        }),
        Event::AuditLogCreated(log) => Some(Row {
            table: &LOG_ENTRIES,
            id: owned(log.log_id.to_string()),
            more: vec![integer(log.created_at.micros()), risk_score(log), idempotency(metadata)],
        }),
        Event::ReportGenerated(report) => Some(report_row(report)),
        Event::ReportApproved(verdict) if !says_not_stored(metadata) => {
            Some(validation_row(event_id, &verdict.report_id, true, verdict.validation_score, verdict.approved_at))
        }
        Event::ReportNeedsReview(verdict) if !says_not_stored(metadata) => {
            Some(validation_row(event_id, &verdict.report_id, false, verdict.validation_score, verdict.flagged_at))
        }
        Event::ReviewDecided(review) => Some(Row {
            table: &REVIEW_ENTRIES,
            id: text(review.report_id.as_str()),
            more: vec![review.investigation_id.map_or(NULL, |id| owned(id.to_string()))],
        }),
        _ => None,
    }
}

fn report_row(report: &ReportGenerated) -> Row<'_> {
    Row {
        table: &REPORT_ENTRIES,
        id: text(report.report_id.as_str()),
        more: vec![
            owned(report.investigation_id.to_string()),
            text(report.report_type.as_str()),
            integer(report.version.into()),
            report.fraud_detection_id.as_ref().map_or(NULL, |id| text(id.as_str())),
            report.transaction_id.as_ref().map_or(NULL, |id| text(id.as_str())),
            report.severity.map_or(NULL, |severity| text(severity.in_capitals())),
            report.risk_score.map_or(NULL, |score| integer(score.get().into())),
            text(&report.content_hash),
            owned(report.generated_at.to_string()),
            report.regeneration_of.as_ref().map_or(NULL, |id| text(id.as_str())),
        ],
    }
}

fn validation_row(event_id: EventId, report_id: &ReportId, passed: bool, score: Score, at: Time) -> Row<'_> {
    Row {
        table: &VALIDATION_ENTRIES,
        id: owned(event_id.to_string()),
        more: vec![
            text(report_id.as_str()),
            integer(passed.into()),
            integer(score.get().into()),
            owned(at.to_string()),
        ],
    }
}

/// Under this name a verdict's metadata says why it has no row.
const NOT_STORED: &str = "validation_not_stored";

fn says_not_stored(metadata: &str) -> bool {
    metadata.contains(NOT_STORED)
        && serde_json::from_str::<Map<String, Json>>(metadata).is_ok_and(|noted| noted.contains_key(NOT_STORED))
}

/// The metadata of a verdict whose row could not be stored.
pub(crate) fn say_not_stored(metadata: &str, why: &str) -> serde_json::Result<String> {
    let mut noted: Map<String, Json> = serde_json::from_str(metadata)?;
    noted.insert(NOT_STORED.to_owned(), why.into());
    serde_json::to_string(&noted)
}

/// A log without a score from 0 to 10 has no row that the table would take, and so is refused.
fn risk_score(log: &AuditLogCreated) -> ToSqlOutput<'static> {
    log.audit.risk_score().map_or(NULL, |score| integer(score.get().into()))
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
    noted.map_or(NULL, owned)
}

const NULL: ToSqlOutput<'static> = ToSqlOutput::Owned(Value::Null);

fn text(value: &str) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes()))
}

fn owned(value: String) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Text(value))
}

fn integer(value: i64) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Integer(value))
}
