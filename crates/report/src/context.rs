//! The context: everything that a report may say. A `Context` is redacted when it is built, so all of it may go to a model, into a
//! report and into an export. A report must not say anything that is not in its context.
//!
//! Each fact has one place. Claims are traced to it by its JSON pointer in the serialised context.

use countersign_domain::{
    Money, Score, Severity, SignalName, Time, json,
    payload::{Level, ReportType},
    severity::capitals,
    signal::RuleFlag,
    transaction::Channel,
};
use countersign_ledger::{Hash, sha256};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The usual size of a context as JSON.
const JSON_BYTES_USUAL: usize = 8 * 1024;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Context {
    pub case: CaseHeader,
    pub subject: SubjectFacts,
    /// Missing if an outside alert names no transaction that is on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<TransactionFacts>,
    /// The known signals in the order of `SignalName::ALL`, then others of an outside alert, by name.
    pub signals: Vec<SignalFacts>,
    pub score: ScoreFacts,
    /// Missing if there are no earlier transactions in the same currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineFacts>,
    pub correlation: Correlation,
    /// Oldest first.
    pub timeline: Vec<TimelineEvent>,
    /// The number of earlier events left out of `timeline` for length.
    pub timeline_omitted: u64,
    /// The number of metadata fields of the alert and the transaction that are not shown, because their keys are not on the
    /// allow-list, because they name somebody, or because there are too many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub metadata_withheld: u64,
}

impl Context {
    /// SHA-256 of the context's JSON. A report stores it.
    pub fn sha256(&self) -> Hash {
        // Serialising can't fail: a context consists of maps, texts and numbers.
        sha256(json::to_string(self, JSON_BYTES_USUAL).unwrap_or_default().as_bytes())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseHeader {
    pub alert_id: String,
    pub investigation_id: String,
    pub report_type: ReportType,
    #[serde(with = "capitals")]
    pub severity: Severity,
    pub risk_score: Score,
    pub regulatory_impact: Level,
    pub alert_created_at: Time,
    pub source: AlertSource,
    /// The hash of the rules in force, if the alert states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_hash: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertSource {
    Detector,
    External,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubjectFacts {
    /// `***` and the last four characters.
    pub user_id: String,
    /// The relationship to the institution: `account holder`.
    pub relationship: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_opened_at: Option<Time>,
    /// At the time of the transaction or, without one, of the alert.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_age_days: Option<u64>,
    /// The number of earlier transactions on record, without this one.
    pub transaction_count: u64,
    /// The number of recent earlier transactions in other currencies. Amounts are not converted, so the baseline excludes them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub transactions_in_other_currencies: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_transaction_at: Option<Time>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TransactionFacts {
    pub transaction_id: String,
    pub amount: Money,
    pub occurred_at: Time,
    pub status: TransactionStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merchant: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<PlaceFacts>,
    /// `[REDACTED]` if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<String>,
    /// `[REDACTED]` if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_fingerprint: Option<String>,
    /// Where the funds came from, according to the sender's metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_of_funds: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_of_funds: Option<String>,
    /// The fields of the sender's metadata whose keys are known, masked. Free text such as a memo is data, never an instruction.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransactionStatus {
    Completed,
    Attempted,
    NotStated,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlaceFacts {
    /// ISO 3166 alpha-2.
    pub country: String,
    /// The name in English; the code if it has no name.
    pub country_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignalFacts {
    /// A `SignalName`, or the name that an outside alert uses.
    pub name: String,
    pub outcome: SignalOutcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The points that it adds to the score, if the alert states them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contribution: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub baseline: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<RuleFlag>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignalOutcome {
    Fired,
    Clear,
    InsufficientHistory,
    NotApplicable,
    /// Reported by an outside alert without an outcome.
    Reported,
}

impl SignalFacts {
    pub fn known(&self) -> Option<SignalName> {
        SignalName::ALL.into_iter().find(|name| name.as_str() == self.name)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreFacts {
    pub total: Score,
    pub maximum: u8,
    /// The signals that added points, in the order of `signals`.
    pub contributions: Vec<Contribution>,
    /// The sum of the contributions, before the cap.
    pub sum: u32,
    pub is_capped: bool,
    /// The lowest score of the severity's band.
    pub band_from: u8,
    pub band_to: u8,
    /// Whether the score is in the severity's band.
    pub agrees_with_severity: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    pub signal: String,
    pub points: u8,
}

/// The customer's own earlier transactions in the transaction's currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaselineFacts {
    pub transactions: u64,
    pub first_at: Time,
    pub last_at: Time,
    /// Whole days from first to last.
    pub days: u64,
    pub median_amount: Money,
    pub smallest_amount: Money,
    pub largest_amount: Money,
    pub total_amount: Money,
    /// This transaction's amount divided by the median, to one decimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_to_median: Option<f64>,
    /// The difference between the amount and the median, without a sign. Missing if they are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference_from_median: Option<Money>,
    /// At most five, those with the most transactions first.
    pub countries: Vec<CountryCount>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountryCount {
    pub country: String,
    pub country_name: String,
    pub transactions: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Correlation {
    /// The number of alerts of the same customer before this one.
    pub prior_alerts: u64,
    pub prior_alerts_by_severity: BySeverity,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_alert_at: Option<Time>,
    /// The number of alerts of all customers before this one with the same severity and a score at most `similar_within_points`
    /// away.
    pub similar_alerts: u64,
    pub similar_within_points: u8,
}

impl Correlation {
    pub fn new(by: BySeverity, last_alert_at: Option<Time>, similar_alerts: u64, similar_within_points: u8) -> Self {
        let BySeverity { low, medium, high, critical } = by;
        Self {
            prior_alerts: low.saturating_add(medium).saturating_add(high).saturating_add(critical),
            prior_alerts_by_severity: by,
            last_alert_at,
            similar_alerts,
            similar_within_points,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BySeverity {
    pub low: u64,
    pub medium: u64,
    pub high: u64,
    pub critical: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimelineEvent {
    pub timestamp: Time,
    pub happening: TimelineEventKind,
    /// A sentence or part of one.
    pub event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<PlaceFacts>,
    /// Only of alerts.
    #[serde(default, with = "capitals::optional", skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_score: Option<Score>,
}

/// The kind of an event in the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimelineEventKind {
    AccountOpened,
    PriorTransaction,
    PriorAlert,
    /// The transaction that the alert is about.
    Transaction,
    AlertCreated,
    InvestigationOpened,
}
