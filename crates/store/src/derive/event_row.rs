//! The tables that have one row per event: which events, which columns, and what an erasure leaves of a row.

use countersign_domain::{
    Event, EventId, EventType, NewEvent, ReportId, Score, Time,
    payload::{AuditLogCreated, ReportGenerated},
};
use serde_json::{Map, Value};

use super::{audit::risk_score, column::ColumnValue};

/// A table with one row per event. Its first column is the event's position, and the second an id that must be unique, except in
/// review entries. The others are what queries ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EventTable {
    /// Every transaction writes this table, so it holds only what must be unique.
    TransactionIds,
    Alerts,
    Investigations,
    /// Every answer writes this table. Erased logs are still counted.
    LogEntries,
    /// The reports' contents are in a table of their own.
    ReportEntries,
    /// Contains nothing personal; the verdict's text is in its event and is erased with it.
    ValidationEntries,
    /// Who decided, and what they said, is in the event and is erased with it.
    ReviewEntries,
}

impl EventTable {
    pub(crate) const ALL: [Self; 7] = [
        Self::TransactionIds,
        Self::Alerts,
        Self::Investigations,
        Self::LogEntries,
        Self::ReportEntries,
        Self::ValidationEntries,
        Self::ReviewEntries,
    ];

    /// The table that has the rows of these events, if there is one.
    pub(crate) fn of(event_type: EventType) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.event_types().contains(&event_type))
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::TransactionIds => "transaction_ids",
            Self::Alerts => "alerts",
            Self::Investigations => "investigations",
            Self::LogEntries => "log_entries",
            Self::ReportEntries => "report_entries",
            Self::ValidationEntries => "validation_entries",
            Self::ReviewEntries => "review_entries",
        }
    }

    pub(crate) const fn event_types(self) -> &'static [EventType] {
        match self {
            Self::TransactionIds => &[EventType::TransactionReceived],
            Self::Alerts => &[EventType::FraudAlertCreated],
            Self::Investigations => &[EventType::InvestigationCreated],
            Self::LogEntries => &[EventType::AuditLogCreated],
            Self::ReportEntries => &[EventType::ReportGenerated],
            Self::ValidationEntries => &[EventType::ReportApproved, EventType::ReportNeedsReview],
            Self::ReviewEntries => &[EventType::ReviewDecided],
        }
    }

    /// The number of columns after the position that an erasure leaves as they are. The others become null.
    pub(crate) const fn columns_kept(self) -> usize {
        match self {
            Self::TransactionIds | Self::Alerts | Self::Investigations => 1,
            Self::LogEntries => 3,
            Self::ReportEntries => 4,
            Self::ValidationEntries => 5,
            Self::ReviewEntries => 2,
        }
    }

    /// Whether the erasure's event repeats the columns that are kept. It doesn't repeat ids that a sender chose, because those
    /// may be personal, and it repeats those of logs in a form of their own.
    pub(crate) const fn is_repeated_by_erasures(self) -> bool {
        matches!(self, Self::ReportEntries | Self::ValidationEntries | Self::ReviewEntries)
    }
}

/// An event's row, without its position.
pub(crate) struct EventRow<'a> {
    pub(crate) table: EventTable,
    pub(crate) id: ColumnValue<'a>,
    /// The columns after the id. Empty, and so without an allocation, for a transaction.
    more: Vec<ColumnValue<'a>>,
}

impl<'a> EventRow<'a> {
    /// The id and the columns after it, in the table's order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &ColumnValue<'a>> {
        std::iter::once(&self.id).chain(&self.more)
    }
}

/// The row that follows from an event, if its type has a table and its metadata doesn't say that the row is missing.
pub(crate) fn row_of<'a>(event_id: EventId, event: &'a Event, metadata: &str) -> Option<EventRow<'a>> {
    match event {
        Event::TransactionReceived(transaction) => Some(EventRow {
            table: EventTable::TransactionIds,
            id: ColumnValue::text(transaction.transaction_id.as_str()),
            more: Vec::new(),
        }),
        Event::FraudAlertCreated(alert) => Some(EventRow {
            table: EventTable::Alerts,
            id: ColumnValue::text(alert.alert_id.as_str()),
            more: vec![
                ColumnValue::text(alert.user_id.as_str()),
                ColumnValue::text(alert.severity.as_str()),
                score(alert.score),
                ColumnValue::or_null(alert.metadata.transaction_id.as_ref().map(|id| ColumnValue::text(id.as_str()))),
            ],
        }),
        Event::InvestigationCreated(investigation) => Some(EventRow {
            table: EventTable::Investigations,
            id: ColumnValue::owned(investigation.investigation_id),
            more: vec![
                ColumnValue::text(investigation.alert_id.as_str()),
                ColumnValue::text(investigation.user_id.as_str()),
                ColumnValue::text(investigation.severity.as_str()),
                score(investigation.risk_score),
            ],
        }),
        Event::AuditLogCreated(log) => Some(log_row(log, metadata)),
        Event::ReportGenerated(report) => Some(report_row(report)),
        Event::ReportApproved(verdict) if !says_not_stored(metadata) => {
            Some(validation_row(event_id, &verdict.report_id, true, verdict.validation_score, verdict.approved_at))
        }
        Event::ReportNeedsReview(verdict) if !says_not_stored(metadata) => {
            Some(validation_row(event_id, &verdict.report_id, false, verdict.validation_score, verdict.flagged_at))
        }
        Event::ReviewDecided(review) => Some(EventRow {
            table: EventTable::ReviewEntries,
            id: ColumnValue::text(review.report_id.as_str()),
            more: vec![ColumnValue::or_null(review.investigation_id.map(ColumnValue::owned))],
        }),
        _ => None,
    }
}

fn log_row<'a>(log: &'a AuditLogCreated, metadata: &str) -> EventRow<'a> {
    EventRow {
        table: EventTable::LogEntries,
        id: ColumnValue::owned(log.log_id),
        more: vec![
            ColumnValue::Integer(log.created_at.micros()),
            ColumnValue::or_null(risk_score(log).map(ColumnValue::Integer)),
            ColumnValue::or_null(idempotency(metadata).map(ColumnValue::owned)),
        ],
    }
}

fn report_row(report: &ReportGenerated) -> EventRow<'_> {
    EventRow {
        table: EventTable::ReportEntries,
        id: ColumnValue::text(report.report_id.as_str()),
        more: vec![
            ColumnValue::owned(report.investigation_id),
            ColumnValue::text(report.report_type.as_str()),
            ColumnValue::Integer(report.version.into()),
            ColumnValue::or_null(report.fraud_detection_id.as_ref().map(|id| ColumnValue::text(id.as_str()))),
            ColumnValue::or_null(report.transaction_id.as_ref().map(|id| ColumnValue::text(id.as_str()))),
            ColumnValue::or_null(report.severity.map(|severity| ColumnValue::text(severity.in_capitals()))),
            ColumnValue::or_null(report.risk_score.map(score)),
            ColumnValue::text(&report.content_hash),
            ColumnValue::owned(report.generated_at),
            ColumnValue::or_null(report.regeneration_of.as_ref().map(|id| ColumnValue::text(id.as_str()))),
        ],
    }
}

fn validation_row(event_id: EventId, report_id: &ReportId, passed: bool, validated: Score, at: Time) -> EventRow<'_> {
    EventRow {
        table: EventTable::ValidationEntries,
        id: ColumnValue::owned(event_id),
        more: vec![
            ColumnValue::text(report_id.as_str()),
            ColumnValue::Integer(passed.into()),
            score(validated),
            ColumnValue::owned(at),
        ],
    }
}

fn score(score: Score) -> ColumnValue<'static> {
    ColumnValue::Integer(score.get().into())
}

/// The key under which a verdict's metadata says why the verdict has no row.
const NOT_STORED: &str = "validation_not_stored";

fn says_not_stored(metadata: &str) -> bool {
    metadata.contains(NOT_STORED)
        && serde_json::from_str::<Map<String, Value>>(metadata).is_ok_and(|noted| noted.contains_key(NOT_STORED))
}

/// The metadata of a verdict whose row could not be stored.
pub(crate) fn with_reason_not_stored(metadata: &str, why: &str) -> serde_json::Result<String> {
    let mut noted: Map<String, Value> = serde_json::from_str(metadata)?;
    noted.insert(NOT_STORED.to_owned(), why.into());
    serde_json::to_string(&noted)
}

/// The hash of the request's idempotency key, if it had one.
fn idempotency(metadata: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct RequestMetadata {
        idempotency: Option<String>,
    }
    if metadata == NewEvent::NO_METADATA {
        return None;
    }
    serde_json::from_str::<RequestMetadata>(metadata).ok()?.idempotency
}
