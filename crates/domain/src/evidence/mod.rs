//! How strongly measurements support an alert: a pure function from evidence to a strength and its reasons.
//!
//! Evidence is what was measured: signals beyond their threshold, with value, threshold and unit; rules that held for a
//! transaction on record; and the customer's own history for comparison. A statement that something is unknown is not
//! evidence. The first row that applies gives the strength:
//!
//! | row                | evidence on record                                                               | strength |
//! |--------------------|----------------------------------------------------------------------------------|----------|
//! | `nothing_measured` | no measured signal, and no rule that held on a transaction on record             | none     |
//! | `no_transaction`   | measured signals, but no transaction on record to check them against             | weak     |
//! | `one_rule`         | a single rule held, and no signal was measured beyond its threshold              | weak     |
//! | `one_source`       | one measured signal without a rule, or several rules without a measured signal   | adequate |
//! | `corroborated`     | two or more measured signals, or one together with a rule                        | strong   |
//!
//! Each kind of weakness then lowers the strength by its steps, but never to `none`, which is for alerts without evidence.
//!
//! | weakness               | when                                                                    | steps | issue  |
//! |------------------------|-------------------------------------------------------------------------|-------|--------|
//! | `uncorroborated`       | the row is `one_rule` or `one_source` (the row has counted it already)  | 0     | low    |
//! | `narrow_margin`        | every measured signal is less than a quarter beyond its threshold       | 0     | low    |
//! | `thin_baseline`        | fewer than 10 earlier transactions in the transaction's currency        | 1     | medium |
//! | `stale_baseline`       | the last of them more than 90 days before the transaction               | 1     | medium |
//! | `several_currencies`   | earlier transactions in other currencies, which no baseline includes    | 1     | low    |
//! | `contradictory_signal` | a signal contradicts its own figures or the record                      | 1     | medium |
//! | `unmeasured_signal`    | a signal was given as a reason without value, threshold and unit        | 0     | low    |
//! | `insufficient_history` | a signal could not be measured for lack of history                      | 0     | low    |

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{payload::Level, validation::Strength};

/// A baseline of fewer transactions than this is thin.
pub const BASELINE_TRANSACTIONS_MIN: u64 = 10;
/// A baseline whose last transaction is more days than this before the one in question is stale.
pub const BASELINE_AGE_DAYS_MAX: u64 = 90;
/// At least one measured signal should exceed its threshold by this factor.
pub const MARGIN: f64 = 1.25;
/// The number of names in a reason; further ones are only counted.
const NAMES_MAX: usize = 4;

/// What was measured about an alert. Names and units from outside are redacted and bounded before they get here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Evidence {
    /// Signals at or beyond their threshold, each with value, threshold and unit.
    pub signals: Vec<MeasuredSignal>,
    /// Names of the rules that held for the transaction on record.
    pub rules: Vec<String>,
    pub transaction_on_record: bool,
    /// `None` without a transaction on record, because then there is nothing to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineSize>,
    #[serde(default)]
    pub transactions_in_other_currencies: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<ContradictorySignal>,
    /// Signals given as a reason without value, threshold and unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<String>,
    /// Signals that could not be measured for lack of history.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub insufficient_history: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct MeasuredSignal {
    pub name: String,
    pub value: f64,
    pub threshold: f64,
    pub unit: String,
    /// The number of transactions that the signal was compared with, if it is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_transactions: Option<u64>,
}

impl MeasuredSignal {
    /// A margin is only defined for a positive threshold.
    fn is_narrow(&self) -> bool {
        self.threshold > 0.0 && self.value < self.threshold * MARGIN
    }
}

/// The customer's earlier transactions in the transaction's currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct BaselineSize {
    pub transactions: u64,
    /// Whole days from the last of these transactions to the transaction in question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days_since_last: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ContradictorySignal {
    pub signal: String,
    pub contradiction: Contradiction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contradiction {
    /// Given as a reason although its value is below its threshold.
    BelowThreshold,
    /// Sent as clear although its value reaches its threshold. Only checked for alerts from outside, because our own travel
    /// signal is clear for fast trips over a short distance.
    ClearBeyondThreshold,
    /// An amount deviation that fired although the amount is not above the customer's median.
    AmountNotAboveMedian,
    /// Travel that was measured although the transaction on record has no location.
    TravelWithoutLocation,
    /// The signals' points add up to more than the score.
    PointsExceedScore,
}

/// A row of the table of strengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceRow {
    NothingMeasured,
    NoTransaction,
    OneRule,
    OneSource,
    Corroborated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WeaknessKind {
    Uncorroborated,
    NarrowMargin,
    ThinBaseline,
    StaleBaseline,
    SeveralCurrencies,
    ContradictorySignal,
    UnmeasuredSignal,
    InsufficientHistory,
}

/// One thing that weakens the evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Weakness {
    pub kind: WeaknessKind,
    /// One sentence.
    pub detail: String,
    /// The steps by which this kind lowers the strength, however often it occurs.
    pub steps: u8,
}

/// Evidence and the strength that it gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct WeighedEvidence {
    pub counted: Evidence,
    pub row: EvidenceRow,
    /// The strength that the row gives.
    pub base: Strength,
    /// The strength after the weaknesses.
    pub strength: Strength,
    pub weaknesses: Vec<Weakness>,
}

impl WeighedEvidence {
    pub fn of(evidence: Evidence) -> Self {
        let row = EvidenceRow::of(&evidence);
        let weaknesses = weaknesses(&evidence, row);
        let mut kinds: Vec<WeaknessKind> = weaknesses.iter().map(|weakness| weakness.kind).collect();
        kinds.dedup();
        let steps = kinds.into_iter().map(WeaknessKind::steps).sum();
        let base = row.strength();
        Self { counted: evidence, row, base, strength: base.lowered(steps), weaknesses }
    }
}

impl EvidenceRow {
    pub const ALL: [Self; 5] =
        [Self::NothingMeasured, Self::NoTransaction, Self::OneRule, Self::OneSource, Self::Corroborated];

    fn of(evidence: &Evidence) -> Self {
        // Without a transaction on record, there was nothing for a rule to check.
        let rules = if evidence.transaction_on_record { evidence.rules.len() } else { 0 };
        match (evidence.signals.len(), rules) {
            (0, 0) => Self::NothingMeasured,
            _ if !evidence.transaction_on_record => Self::NoTransaction,
            (0, 1) => Self::OneRule,
            (0, _) | (1, 0) => Self::OneSource,
            _ => Self::Corroborated,
        }
    }

    pub const fn strength(self) -> Strength {
        match self {
            Self::NothingMeasured => Strength::None,
            Self::NoTransaction | Self::OneRule => Strength::Weak,
            Self::OneSource => Strength::Adequate,
            Self::Corroborated => Strength::Strong,
        }
    }

    /// One sentence for readers of a verdict.
    pub const fn description(self) -> &'static str {
        match self {
            Self::NothingMeasured => {
                "No signal was measured beyond its threshold, and no rule held on a transaction on record."
            }
            Self::NoTransaction => "The signals cannot be checked, because no transaction is on record.",
            Self::OneRule => "The alert rests on a single rule; no signal was measured beyond its threshold.",
            Self::OneSource => "The alert rests on a single measured signal, or on rules alone.",
            Self::Corroborated => "Several measurements support the alert.",
        }
    }
}

impl WeaknessKind {
    pub const ALL: [Self; 8] = [
        Self::Uncorroborated,
        Self::NarrowMargin,
        Self::ThinBaseline,
        Self::StaleBaseline,
        Self::SeveralCurrencies,
        Self::ContradictorySignal,
        Self::UnmeasuredSignal,
        Self::InsufficientHistory,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Uncorroborated => "uncorroborated",
            Self::NarrowMargin => "narrow_margin",
            Self::ThinBaseline => "thin_baseline",
            Self::StaleBaseline => "stale_baseline",
            Self::SeveralCurrencies => "several_currencies",
            Self::ContradictorySignal => "contradictory_signal",
            Self::UnmeasuredSignal => "unmeasured_signal",
            Self::InsufficientHistory => "insufficient_history",
        }
    }

    /// The steps by which it lowers the strength.
    pub const fn steps(self) -> u8 {
        match self {
            Self::ThinBaseline | Self::StaleBaseline | Self::SeveralCurrencies | Self::ContradictorySignal => 1,
            Self::Uncorroborated | Self::NarrowMargin | Self::UnmeasuredSignal | Self::InsufficientHistory => 0,
        }
    }

    /// The level of the issue, which decides its points.
    pub const fn level(self) -> Level {
        match self {
            Self::ThinBaseline | Self::StaleBaseline | Self::ContradictorySignal => Level::Medium,
            Self::Uncorroborated
            | Self::NarrowMargin
            | Self::SeveralCurrencies
            | Self::UnmeasuredSignal
            | Self::InsufficientHistory => Level::Low,
        }
    }
}

impl Weakness {
    fn new(kind: WeaknessKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), steps: kind.steps() }
    }
}

/// The weaknesses in the order of the table, grouped by kind.
fn weaknesses(evidence: &Evidence, row: EvidenceRow) -> Vec<Weakness> {
    let mut found = Vec::new();
    if matches!(row, EvidenceRow::OneRule | EvidenceRow::OneSource) {
        found.push(Weakness::new(WeaknessKind::Uncorroborated, row.description()));
    }
    if !evidence.signals.is_empty() && evidence.signals.iter().all(MeasuredSignal::is_narrow) {
        let detail = "No measured signal is a quarter or more beyond its threshold.";
        found.push(Weakness::new(WeaknessKind::NarrowMargin, detail));
    }
    // The baseline is irrelevant if nothing was measured.
    if row != EvidenceRow::NothingMeasured {
        found.extend(evidence.baseline.into_iter().flat_map(baseline_weaknesses));
        found.extend(currency_weakness(evidence.transactions_in_other_currencies));
    }
    found.extend(evidence.contradictions.iter().map(|found| {
        Weakness::new(WeaknessKind::ContradictorySignal, format!("{}: {}.", found.signal, found.contradiction))
    }));
    if !evidence.unmeasured.is_empty() {
        let named = listed(&evidence.unmeasured);
        let detail = format!("Given as a reason without value, threshold and unit: {named}.");
        found.push(Weakness::new(WeaknessKind::UnmeasuredSignal, detail));
    }
    if !evidence.insufficient_history.is_empty() {
        let detail = format!("Not measured for lack of history: {}.", listed(&evidence.insufficient_history));
        found.push(Weakness::new(WeaknessKind::InsufficientHistory, detail));
    }
    found
}

fn baseline_weaknesses(baseline: BaselineSize) -> impl Iterator<Item = Weakness> {
    let thin = (baseline.transactions < BASELINE_TRANSACTIONS_MIN).then(|| {
        let earlier = match baseline.transactions {
            0 => "no earlier transaction".to_owned(),
            1 => "1 earlier transaction".to_owned(),
            more => format!("{more} earlier transactions"),
        };
        let detail = format!(
            "The baseline holds {earlier} in this currency; fewer than {BASELINE_TRANSACTIONS_MIN} make a thin baseline."
        );
        Weakness::new(WeaknessKind::ThinBaseline, detail)
    });
    let stale = baseline.days_since_last.filter(|days| *days > BASELINE_AGE_DAYS_MAX).map(|days| {
        let detail = format!(
            "The last transaction of the baseline was {days} days before this one; more than {BASELINE_AGE_DAYS_MAX} \
             days make a stale baseline."
        );
        Weakness::new(WeaknessKind::StaleBaseline, detail)
    });
    thin.into_iter().chain(stale)
}

fn currency_weakness(others: u64) -> Option<Weakness> {
    let earlier = match others {
        0 => return None,
        1 => "1 earlier transaction is in another currency and is".to_owned(),
        more => format!("{more} earlier transactions are in other currencies and are"),
    };
    Some(Weakness::new(WeaknessKind::SeveralCurrencies, format!("{earlier} not part of the baseline.")))
}

fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(NAMES_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(NAMES_MAX).filter(|more| *more > 0) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BelowThreshold => "given as a reason although its value is below its threshold",
            Self::ClearBeyondThreshold => "sent as clear although its value reaches its threshold",
            Self::AmountNotAboveMedian => "fired although the amount is not above the customer's median",
            Self::TravelWithoutLocation => "measured although the transaction on record has no location",
            Self::PointsExceedScore => "the points of the signals add up to more than the score",
        })
    }
}

#[cfg(test)]
mod tests;
