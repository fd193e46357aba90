//! Queries about investigations and their results: histories, alerts, cases, reports, verdicts.
//!
//! Pages are newest first, by position, and leave out erased entries. For the next page, `before` is
//! the last entry's `seq`. No list is longer than [`LIST_MAX`].

use countersign_domain::{
    Alert, AlertId, AlertState, Event, EventId, InvestigationId, ReportId, Score, Severity, State, StoredEvent, Time,
    TransactionId, UserId, investigation::Case, payload::ReportType,
};
use countersign_ledger::HashedText;
use serde_json::value::RawValue;

use crate::error::{Result, StoreError};

/// The maximum number of entries on a page.
pub const LIST_MAX: usize = 10_000;

/// Selects transactions.
#[derive(Debug, Clone, Default)]
pub struct TransactionQuery {
    /// If given, only transactions in this user's history are returned. The agent that indexes histories may lag behind the log.
    pub user_id: Option<UserId>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// A user's transactions before a position.
#[derive(Debug, Clone, Default)]
pub struct CustomerRecord {
    /// The transaction that was named, if it is the user's own. History and summary end before it.
    pub transaction: Option<StoredEvent>,
    /// Newest first.
    pub history: Vec<StoredEvent>,
    pub summary: HistorySummary,
}

/// A summary of a user's transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistorySummary {
    pub count: u64,
    /// When the first of them in the log occurred. `None` if there are no transactions, or if that one can't be read.
    pub first_occurred_at: Option<Time>,
}

/// Selects alerts.
#[derive(Debug, Clone, Default)]
pub struct AlertQuery {
    pub severity: Option<Severity>,
    pub status: Option<AlertState>,
    pub user_id: Option<UserId>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// Selects investigations.
#[derive(Debug, Clone, Default)]
pub struct InvestigationQuery {
    pub severity: Option<Severity>,
    pub status: Option<State>,
    pub user_id: Option<UserId>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// Selects reports, in their current versions only.
#[derive(Debug, Clone, Default)]
pub struct ReportQuery {
    pub severity: Option<Severity>,
    pub report_type: Option<ReportType>,
    pub user_id: Option<UserId>,
    /// The state of the report itself; other reports of the same investigation may have another one.
    pub status: Option<State>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// The state of an investigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseState {
    pub investigation_id: InvestigationId,
    /// The position of the newest event that was applied to it.
    pub seq: u64,
    pub case: Case,
    /// The positions of its alert, its opening, its newest report and its assignment.
    pub alert_seq: Option<u64>,
    pub opened_seq: Option<u64>,
    pub report_seq: Option<u64>,
    pub assigned_seq: Option<u64>,
}

/// An alert with its state.
#[derive(Debug, Clone)]
pub struct AlertEntry {
    /// Its FRAUD_ALERT_CREATED.
    pub event: StoredEvent,
    pub state: AlertState,
    /// `None` for an alert that is only recorded.
    pub case: Option<CaseState>,
}

/// An investigation with its state.
#[derive(Debug, Clone)]
pub struct InvestigationEntry {
    /// Its INVESTIGATION_CREATED.
    pub event: StoredEvent,
    pub case: CaseState,
    /// The payload of its FRAUD_ALERT_CREATED, as JSON. `None` if that was erased.
    pub alert: Option<Box<RawValue>>,
}

/// Something that waits for a person's decision: a report, or an investigation that has no report yet.
#[derive(Debug, Clone)]
pub struct OpenReview {
    /// The position of the report, or of the investigation's opening.
    pub seq: u64,
    pub investigation: InvestigationEntry,
    pub report_id: Option<ReportId>,
    pub waiting_since: Time,
}

/// A stored report, with the alert that it is about and that alert's related alerts.
#[derive(Debug, Clone)]
pub struct ReportFile {
    /// The exact text that was stored.
    pub content: HashedText,
    /// SHA-256 in hex, as the report's event has it.
    pub content_hash: String,
    pub alert: Alert,
    pub related: RelatedAlerts,
}

/// The data that a report about an alert is written from. Everything is as of the alert's position, so the same query gets the
/// same answer later.
#[derive(Debug, Clone)]
pub struct AlertRecord {
    pub alert: Alert,
    pub customer: CustomerRecord,
    pub related: RelatedAlerts,
    /// The newest version of this type, even if it was erased: the next version must not reuse its number.
    pub current_report: Option<ReportEntry>,
}

/// A version of a report, without its content. The optional fields are `None` if the report was erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportEntry {
    /// Its REPORT_GENERATED.
    pub seq: u64,
    pub id: ReportId,
    pub investigation_id: InvestigationId,
    pub report_type: ReportType,
    pub version: u32,
    pub fraud_detection_id: Option<AlertId>,
    pub transaction_id: Option<TransactionId>,
    pub severity: Option<Severity>,
    pub risk_score: Option<Score>,
    pub content_hash: Option<String>,
    pub generated_at: Option<Time>,
    /// The version that this one replaces.
    pub regeneration_of: Option<ReportId>,
    /// Whether this is the newest version for its alert and type.
    pub is_current: bool,
    /// The state of the report itself; `None` if a newer version has replaced it.
    pub state: Option<State>,
}

impl ReportEntry {
    pub fn is_erased(&self) -> bool {
        self.content_hash.is_none()
    }
}

/// A verdict of the supervisor.
#[derive(Debug, Clone)]
pub struct Validation {
    pub seq: u64,
    pub id: EventId,
    pub report_id: ReportId,
    pub passed: bool,
    pub validation_score: Score,
    pub validated_at: Time,
    /// The whole verdict as JSON; `None` if its event doesn't contain it.
    pub verdict: Option<Box<RawValue>>,
    pub issues: Box<RawValue>,
    pub feedback: String,
    /// `{}` if its event contains none.
    pub structured_feedback: Box<RawValue>,
    /// From the event's payload. `None` for approvals, which don't have this field.
    pub requires_regeneration: Option<bool>,
}

/// A summary of the newest verdict on a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastVerdict {
    pub passed: bool,
    pub validation_score: Score,
    pub validated_at: Time,
    /// The number of issues.
    pub issues: u64,
}

/// A user's earlier alerts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriorAlerts {
    /// The number of alerts of each severity, from low to critical.
    pub by_severity: [u64; 4],
    /// Newest first.
    pub newest: Vec<PriorAlert>,
}

/// Alerts raised before a given one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RelatedAlerts {
    /// Those of the same user.
    pub prior: PriorAlerts,
    /// How many alerts of any user, erased ones included, have the same severity and a similar score.
    pub similar: u64,
}

/// Bounds for [`RelatedAlerts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelatedAlertsLimits {
    /// The user's newest alerts to return; all of them are counted.
    pub newest_max: usize,
    /// Scores no further apart than this are similar.
    pub similar_within_points: u8,
}

impl RelatedAlertsLimits {
    /// These limits, with no list longer than [`LIST_MAX`].
    pub(crate) fn bounded(self) -> Self {
        Self { newest_max: self.newest_max.min(LIST_MAX), ..self }
    }
}

impl PriorAlerts {
    pub fn count(&self) -> u64 {
        self.by_severity.iter().sum()
    }

    pub fn last(&self) -> Option<&PriorAlert> {
        self.newest.first()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriorAlert {
    pub seq: u64,
    pub alert_id: AlertId,
    pub created_at: Time,
    pub severity: Severity,
    pub score: Score,
}

/// The alert in its FRAUD_ALERT_CREATED. `NotFound` if it is another event, `Corrupt` if it was erased or can't be read.
pub(crate) fn alert_of(event: &StoredEvent) -> Result<Alert> {
    match event.event() {
        Ok(Event::FraudAlertCreated(alert)) => Ok(alert),
        Ok(_) => Err(StoreError::NotFound),
        Err(error) => Err(StoreError::Corrupt(error.to_string())),
    }
}
