//! Builds cases: customers with a history, a suspicious transaction, and the output of the real detector and the real
//! context builder. Some alerts are external and have signals in their own format, or no signals.
//!
//! | file         | job                                                           |
//! |--------------|---------------------------------------------------------------|
//! | `mod.rs`     | the patterns of cases, and from a pattern to a context        |
//! | `story.rs`   | a customer's history and the transaction under suspicion      |
//! | `outside.rs` | alerts as other systems send them                             |
//! | `pools.rs`   | cities, merchants, currencies and texts to choose from        |

mod outside;
mod pools;
mod story;

use countersign_domain::{Alert, AlertId, Severity, Time, payload::ReportType};
use countersign_report::{BySeverity, Context, ContextInputs, Correlation, EarlierAlert};
use countersign_signals::{Detector, History};
use serde_json::json;

use crate::chance::Chance;
use outside::{outside_alert, outside_thin, outside_with_signals};
use story::{Story, story};

/// The number of cases per pattern.
const VARIANTS: u64 = 11;

const MICROS_PER_MINUTE: i64 = 60_000_000;

const SIMILAR_WITHIN_POINTS: u8 = 10;

/// What is suspicious about a case. The variants' names seed the random choices (`context`), so renaming one changes its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    LargeAmount,
    LargeAmountAbroad,
    ImpossibleTravel,
    Burst,
    Everything,
    Structuring,
    Dormant,
    TinyHistory,
    RapidInOut,
    LargeAndFast,
    /// The history is in another currency, so there is no baseline.
    OtherCurrency,
    OutsideWithTransaction,
    OutsideWithSignals,
    /// An external alert without signals and without a transaction.
    OutsideThin,
}

const PATTERNS: [Pattern; 14] = [
    Pattern::LargeAmount,
    Pattern::LargeAmountAbroad,
    Pattern::ImpossibleTravel,
    Pattern::Burst,
    Pattern::Everything,
    Pattern::Structuring,
    Pattern::Dormant,
    Pattern::TinyHistory,
    Pattern::RapidInOut,
    Pattern::LargeAndFast,
    Pattern::OtherCurrency,
    Pattern::OutsideWithTransaction,
    Pattern::OutsideWithSignals,
    Pattern::OutsideThin,
];

/// All cases of the corpus whose severity leads to an investigation.
pub(crate) fn contexts() -> Vec<Context> {
    let detector = Detector::built_in();
    let of = |pattern: Pattern, variants: u64| (0..variants).map(move |variant| (pattern, variant));
    PATTERNS
        .into_iter()
        // Cases without signals and transactions are all alike, so a few are enough.
        .flat_map(|pattern| of(pattern, if pattern == Pattern::OutsideThin { 4 } else { VARIANTS }))
        .filter_map(|(pattern, variant)| context(pattern, variant, &detector))
        .filter(|context| context.case.severity.is_investigated())
        .collect()
}

/// External alerts with neither a signal nor a transaction: a score without any evidence.
pub(crate) fn without_evidence(count: u64) -> Vec<Context> {
    (100..100 + count).filter_map(|variant| outside_thin(variant, &mut Chance::named("thin", variant))).collect()
}

fn context(pattern: Pattern, variant: u64, detector: &Detector) -> Option<Context> {
    let mut chance = Chance::named(&format!("{pattern:?}"), variant);
    match pattern {
        Pattern::OutsideThin => outside_thin(variant, &mut chance),
        Pattern::OutsideWithSignals => outside_with_signals(variant, &mut chance),
        _ => with_transaction(pattern, variant, detector, &mut chance),
    }
}

fn with_transaction(pattern: Pattern, variant: u64, detector: &Detector, chance: &mut Chance) -> Option<Context> {
    let Story { history, transaction } = story(pattern, variant, chance)?;
    let mut known = History::new();
    for (seq, earlier) in (1..).zip(&history) {
        known.add(seq, earlier);
    }
    let seq = u64::try_from(history.len()).unwrap_or(0) + 1;
    let assessment = detector.assess(seq, &transaction, &known);
    let is_outside = pattern == Pattern::OutsideWithTransaction;
    let alert = if is_outside {
        outside_alert(variant, transaction.user_id.as_str(), Some(transaction.transaction_id.as_str()))?
    } else {
        if !assessment.fires() {
            return None;
        }
        let mut alert: Alert = serde_json::from_value(json!({
            "alert_id": AlertId::of_transaction(&transaction.transaction_id),
            "user_id": transaction.user_id, "severity": assessment.severity, "score": assessment.score,
            "metadata": {"transaction_id": transaction.transaction_id}
        }))
        .ok()?;
        alert.metadata.signals = assessment.signals_json();
        alert.metadata.more.insert("rules_hash".into(), detector.rules().hash().into());
        alert
    };
    let created = Time::from_micros(transaction.occurred_at.micros() + chance.between(1, 40) * 1_000_000).ok()?;
    let (prior, correlation) = earlier_alerts(variant, created, chance)?;
    Some(Context::build(&ContextInputs {
        alert: &alert,
        alert_created_at: created,
        alert_from_detector: !is_outside,
        report_type: report_type(variant),
        regulatory_impact: None,
        transaction: Some(&transaction),
        history: &history,
        transaction_count: u64::try_from(history.len()).unwrap_or(0),
        first_transaction_at: history.iter().map(|earlier| earlier.occurred_at).min(),
        prior_alerts: &prior,
        correlation,
    }))
}

/// A time between February 2025 and June 2026, in microseconds.
fn moment(chance: &mut Chance) -> i64 {
    1_735_700_000_000_000
        + chance.between(40 * 1_440, 520 * 1_440) * MICROS_PER_MINUTE
        + chance.between(0, 59) * 1_000_000
}

fn report_type(variant: u64) -> ReportType {
    match variant % 4 {
        0 => ReportType::Full,
        3 => ReportType::Internal,
        _ => ReportType::Compliance,
    }
}

/// Earlier alerts, which half of the customers have.
fn earlier_alerts(variant: u64, before: Time, chance: &mut Chance) -> Option<(Vec<EarlierAlert>, Correlation)> {
    let mut by = BySeverity::default();
    let mut prior = Vec::new();
    let count = if variant.is_multiple_of(2) { 0 } else { 1 + variant % 5 };
    for n in 0..count {
        let score = countersign_domain::Score::new(u8::try_from(chance.between(18, 96)).ok()?).ok()?;
        let severity = Severity::of(score);
        match severity {
            Severity::Low => by.low += 1,
            Severity::Medium => by.medium += 1,
            Severity::High => by.high += 1,
            Severity::Critical => by.critical += 1,
        }
        let days = 3 + 11 * i64::try_from(n).ok()? + chance.between(0, 4);
        let created_at = Time::from_micros(before.micros() - days * 1_440 * MICROS_PER_MINUTE).ok()?;
        prior.push(EarlierAlert { created_at, severity, score });
    }
    let last = prior.iter().map(|alert| alert.created_at).max();
    let similar = u64::try_from(chance.between(0, 23)).ok()?;
    Some((prior, Correlation::new(by, last, similar, SIMILAR_WITHIN_POINTS)))
}
