//! Builds the context from what is on record: everything is computed, redacted and bounded here.
//!
//! | file             | part of the context                                                  |
//! |------------------|----------------------------------------------------------------------|
//! | this one         | case, subject, score and places; puts the parts together             |
//! | `transaction.rs` | the transaction, with source and destination of funds                |
//! | `signals.rs`     | the alert's signals, from our detector or in any shape from outside  |
//! | `baseline.rs`    | the customer's earlier transactions in the same currency             |
//! | `timeline.rs`    | the timeline of events                                               |
//!
//! No input makes a context larger than `CONTEXT_BYTES_MAX`: open JSON, texts and the timeline each have a limit.

mod baseline;
mod signals;
mod timeline;
mod transaction;

use countersign_domain::{
    Alert, InvestigationId, Score, Severity, Time, Transaction,
    payload::{Level, ReportType},
};
use countersign_factcheck::country_name;
pub(crate) use signals::shown_signal_name;

use crate::{
    AlertSource, CaseHeader, Context, Contribution, Correlation, PlaceFacts, ScoreFacts, SignalFacts, SubjectFacts,
    redact::{Redactor, clean, is_digest, mask_id},
};

/// The largest size of a context as JSON.
pub const CONTEXT_BYTES_MAX: usize = 256 * 1024;

const ID_CHARS_MAX: usize = 128;
const LABEL_CHARS_MAX: usize = 256;
const MICROS_A_DAY: i64 = 86_400_000_000;

/// What is on record about an alert, not redacted yet.
pub struct ContextInputs<'a> {
    pub alert: &'a Alert,
    pub alert_created_at: Time,
    pub alert_from_detector: bool,
    pub report_type: ReportType,
    /// If `None`, it is derived from the severity.
    pub regulatory_impact: Option<Level>,
    pub transaction: Option<&'a Transaction>,
    /// Earlier transactions of the same user, in any order. The caller bounds their number.
    pub history: &'a [Transaction],
    /// The number of all earlier transactions on record, including those in `history`.
    pub transaction_count: u64,
    pub first_transaction_at: Option<Time>,
    /// The newest earlier alerts of the same user. The caller bounds their number.
    pub prior_alerts: &'a [EarlierAlert],
    /// Counts of all earlier alerts, including those in `prior_alerts`.
    pub correlation: Correlation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlierAlert {
    pub created_at: Time,
    pub severity: Severity,
    pub score: Score,
}

impl Context {
    pub fn build(inputs: &ContextInputs<'_>) -> Self {
        let redactor = Redactor::new(inputs.alert, inputs.transaction, inputs.history);
        let earlier = earlier(inputs);
        let (signals, signals_withheld) = signals::facts(inputs, &redactor);
        let transaction = inputs.transaction.map(|transaction| transaction::facts(transaction, &redactor));
        let (transaction, transaction_withheld) = transaction.unzip();
        let mut context = Self {
            case: case(inputs, &redactor),
            subject: subject(inputs, &earlier),
            baseline: inputs.transaction.and_then(|transaction| baseline::facts(transaction, &earlier, &redactor)),
            score: score(inputs.alert, &signals),
            signals,
            transaction,
            correlation: inputs.correlation.clone(),
            timeline: Vec::new(),
            timeline_omitted: 0,
            metadata_withheld: signals_withheld
                .saturating_add(transaction_withheld.unwrap_or_default())
                .saturating_add(unread_fields(inputs.alert)),
        };
        let bytes_left = CONTEXT_BYTES_MAX.saturating_sub(timeline::bytes(&context));
        (context.timeline, context.timeline_omitted) = timeline::facts(inputs, &earlier, &redactor, bytes_left);
        context
    }
}

/// The number of fields of an alert's own metadata that are not read: all but the rules' hash.
fn unread_fields(alert: &Alert) -> u64 {
    alert.metadata.more.keys().filter(|key| *key != "rules_hash").count() as u64
}

/// The customer's transactions that happened before this one, oldest first.
fn earlier<'a>(inputs: &ContextInputs<'a>) -> Vec<&'a Transaction> {
    let is_earlier = |other: &&Transaction| {
        inputs
            .transaction
            .is_none_or(|this| other.transaction_id != this.transaction_id && other.occurred_at <= this.occurred_at)
    };
    let mut earlier: Vec<_> = inputs.history.iter().filter(is_earlier).collect();
    // The order of the input must not matter.
    earlier.sort_by(|a, b| (a.occurred_at, &a.transaction_id).cmp(&(b.occurred_at, &b.transaction_id)));
    earlier
}

fn case(inputs: &ContextInputs<'_>, redactor: &Redactor) -> CaseHeader {
    let alert = inputs.alert;
    let rules_hash = alert.metadata.more.get("rules_hash").and_then(|hash| hash.as_str());
    CaseHeader {
        alert_id: redactor.reference(alert.alert_id.as_str(), ID_CHARS_MAX),
        investigation_id: InvestigationId::of_alert(&alert.alert_id).to_string(),
        report_type: inputs.report_type,
        severity: alert.severity,
        risk_score: alert.score,
        regulatory_impact: inputs.regulatory_impact.unwrap_or(Level::of_impact(alert.severity)),
        alert_created_at: inputs.alert_created_at,
        source: if inputs.alert_from_detector { AlertSource::Detector } else { AlertSource::External },
        // The sender of an outside alert can write anything here.
        rules_hash: rules_hash.filter(|hash| is_digest(hash) && hash.len() <= ID_CHARS_MAX).map(str::to_owned),
    }
}

fn subject(inputs: &ContextInputs<'_>, earlier: &[&Transaction]) -> SubjectFacts {
    let happened_at = inputs.transaction.map_or(inputs.alert_created_at, |transaction| transaction.occurred_at);
    let newest_first = inputs.transaction.into_iter().chain(earlier.iter().rev().copied());
    let account_opened_at = newest_first.filter_map(|transaction| transaction.account_opened_at).next();
    let first_seen = earlier.first().map(|transaction| transaction.occurred_at);
    SubjectFacts {
        user_id: mask_id(&clean(inputs.alert.user_id.as_str())),
        relationship: "account holder".to_owned(),
        account_opened_at,
        account_age_days: account_opened_at.and_then(|opened_at| days_between(opened_at, happened_at)),
        transaction_count: inputs.transaction_count,
        transactions_in_other_currencies: inputs.transaction.map_or(0, |this| {
            let currency = this.amount.currency();
            earlier.iter().filter(|other| other.amount.currency() != currency).count() as u64
        }),
        first_transaction_at: inputs.first_transaction_at.or(first_seen),
    }
}

/// Whole days. `None` if `to` is before `from`.
fn days_between(from: Time, to: Time) -> Option<u64> {
    u64::try_from(to.micros().checked_sub(from.micros())?).ok().map(|micros| micros / MICROS_A_DAY.unsigned_abs())
}

fn score(alert: &Alert, signals: &[SignalFacts]) -> ScoreFacts {
    let contributions: Vec<_> = signals
        .iter()
        .filter_map(|signal| Some((signal.name.clone(), signal.contribution.filter(|points| *points > 0)?)))
        .map(|(signal, points)| Contribution { signal, points })
        .collect();
    let sum = contributions.iter().map(|contribution| u32::from(contribution.points)).sum();
    let (band_from, band_to) = band(alert.severity);
    ScoreFacts {
        total: alert.score,
        maximum: 100,
        sum,
        is_capped: sum > 100,
        contributions,
        band_from,
        band_to,
        agrees_with_severity: Severity::of(alert.score) == alert.severity,
    }
}

/// The lowest and highest score of a severity.
fn band(severity: Severity) -> (u8, u8) {
    let is_in = |score: &u8| Score::new(*score).is_ok_and(|score| Severity::of(score) == severity);
    let scores: Vec<u8> = (0..=100).filter(is_in).collect();
    (scores.first().copied().unwrap_or(0), scores.last().copied().unwrap_or(0))
}

fn place(transaction: &Transaction, redactor: &Redactor, city_chars_max: usize) -> Option<PlaceFacts> {
    let location = transaction.location.as_ref()?;
    let country = redactor.country(&location.country, 8);
    Some(PlaceFacts {
        country_name: country_name(&country).map_or_else(|| country.clone(), str::to_owned),
        country,
        city: location.city.as_ref().map(|city| redactor.city(city, city_chars_max)).filter(|city| !city.is_empty()),
    })
}
