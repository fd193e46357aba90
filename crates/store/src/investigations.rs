//! What can be asked about investigations, and what comes back: histories, alerts, cases, reports, verdicts.
//!
//! Lists are newest first and paged by position: what follows is before the last one's `seq`. They leave out what was
//! erased. No list is longer than [`LIST_MAX`].

use countersign_domain::{
    Alert, AlertId, AlertState, EventId, InvestigationId, Score, Severity, State, StoredEvent, Time, TransactionId,
    UserId, investigation::Case, payload::ReportType,
};
use countersign_ledger::HashedText;
use serde_json::value::RawValue;

/// The longest page.
pub const LIST_MAX: usize = 10_000;

/// Which transactions.
#[derive(Debug, Clone, Default)]
pub struct TransactionQuery {
    /// With one, as far as the history reaches.
    pub user_id: Option<UserId>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// A user's transactions before a position.
#[derive(Debug, Clone, Default)]
pub struct CustomerRecord {
    /// The one that was asked for by its id, if it is the user's own. The others are those before it.
    pub transaction: Option<StoredEvent>,
    /// Newest first.
    pub history: Vec<StoredEvent>,
    pub summary: HistorySummary,
}

/// A user's transactions, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistorySummary {
    pub count: u64,
    /// Of the one that was taken first.
    pub first_occurred_at: Option<Time>,
}

/// Which alerts.
#[derive(Debug, Clone, Default)]
pub struct AlertQuery {
    pub severity: Option<Severity>,
    pub status: Option<AlertState>,
    pub user_id: Option<UserId>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// Which investigations.
#[derive(Debug, Clone, Default)]
pub struct InvestigationQuery {
    pub severity: Option<Severity>,
    pub status: Option<State>,
    pub user_id: Option<UserId>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// Which reports: current versions only.
#[derive(Debug, Clone, Default)]
pub struct ReportQuery {
    pub severity: Option<Severity>,
    pub report_type: Option<ReportType>,
    pub user_id: Option<UserId>,
    /// Those that stand so themselves, whatever other reports of the same investigation do.
    pub status: Option<State>,
    pub before: Option<u64>,
    pub limit: usize,
}

/// Where an investigation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseState {
    pub investigation_id: InvestigationId,
    /// The newest event about it.
    pub seq: u64,
    pub case: Case,
    /// Where its alert, its opening, its newest report and its assignment stand in the log.
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
    /// What its FRAUD_ALERT_CREATED says, as JSON. `None` if that was erased.
    pub alert: Option<Box<RawValue>>,
}

/// What waits for a person's decision: a report, or an investigation that has none yet.
#[derive(Debug, Clone)]
pub struct OpenReview {
    /// Of the report, or of the investigation's opening.
    pub seq: u64,
    pub investigation: InvestigationEntry,
    pub report_id: Option<String>,
    pub waiting_since: Time,
}

/// A stored report, with the alert it is about and what came before that alert.
#[derive(Debug, Clone)]
pub struct ReportFile {
    /// The exact text that was stored.
    pub content: HashedText,
    /// SHA-256 in hex, as the report's event has it.
    pub content_hash: String,
    pub alert: Alert,
    pub related: RelatedAlerts,
}

/// What a report about an alert is written from. Everything is as of the alert's position, so the same question gets the
/// same answer later.
#[derive(Debug, Clone)]
pub struct AlertRecord {
    pub alert: Alert,
    pub customer: CustomerRecord,
    pub related: RelatedAlerts,
    /// The newest version of this type, even if it was erased: the next version must not reuse its number.
    pub current_report: Option<ReportEntry>,
}

/// A version of a report, without its content. What is optional here is gone when the report was erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportEntry {
    /// Its REPORT_GENERATED.
    pub seq: u64,
    pub id: String,
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
    pub regeneration_of: Option<String>,
    /// There is no later version of the same alert and type.
    pub is_current: bool,
    /// Where the report itself stands; `None` if a newer version replaced it.
    pub state: Option<State>,
}

impl ReportEntry {
    pub fn is_erased(&self) -> bool {
        self.content_hash.is_none()
    }
}

/// A verdict of the supervisor, as `report_validations` shows it.
#[derive(Debug, Clone)]
pub struct Validation {
    pub seq: u64,
    pub id: EventId,
    pub report_id: String,
    pub passed: bool,
    pub validation_score: Score,
    pub validated_at: Time,
    /// The whole verdict as it was emitted; `None` if its event carries none.
    pub verdict: Option<Box<RawValue>>,
    pub issues: Box<RawValue>,
    pub feedback: String,
    /// `{}` if its event has none.
    pub structured_feedback: Box<RawValue>,
    /// As the event's payload says; an approval says nothing.
    pub requires_regeneration: Option<bool>,
}

/// The newest verdict on a report, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastVerdict {
    pub passed: bool,
    pub validation_score: Score,
    pub validated_at: Time,
    /// How many.
    pub issues: u64,
}

/// Earlier alerts of a user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriorAlerts {
    /// How many of each, from low to critical.
    pub by_severity: [u64; 4],
    /// Newest first.
    pub newest: Vec<PriorAlert>,
}

/// Alerts raised before a given one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RelatedAlerts {
    /// Those of the same user.
    pub prior: PriorAlerts,
    /// How many alerts of any user have the same severity and a similar score.
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
    /// The same, with no list longer than [`LIST_MAX`].
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
