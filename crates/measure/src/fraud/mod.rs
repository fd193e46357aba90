//! Fraud scores compared with labels: by threshold, by kind of fraud, and as ranked lists.
//!
//! "Caught" counts the frauds at or above a score, "alerts" all transactions at or above it. Transactions without a label
//! are not measured; the caller leaves them out.

mod cards;

use std::collections::BTreeMap;

use countersign_domain::Score;
use serde::Serialize;

use crate::curve::{self, CurveStep};
use crate::decisions::ratio;

pub use cards::{CardPrecision, DayPrecision};

/// The lowest scores of medium, high and critical severity.
pub const THRESHOLDS: [u8; 3] = [40, 60, 80];
/// The input file decides how many kinds of fraud there are; those beyond this limit are counted together.
const KINDS_MAX: usize = 64;
const OTHER_KINDS: &str = "(others)";

/// Counts of transactions by score. Its size doesn't depend on how many are added.
#[derive(Debug, Clone, Default)]
pub struct FraudTally {
    all: LabelledScores,
    kinds: BTreeMap<String, ScoreHistogram>,
}

/// One counter for each score from 0 to 100.
#[derive(Debug, Clone)]
struct ScoreHistogram([u64; 101]);

/// The scores of transactions by label.
#[derive(Debug, Clone, Default)]
struct LabelledScores {
    fraud: ScoreHistogram,
    legitimate: ScoreHistogram,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FraudMeasures {
    pub transactions: u64,
    pub frauds: u64,
    /// At each of [`THRESHOLDS`].
    pub at: Vec<ThresholdMeasures>,
    pub average_precision: Option<f64>,
    pub roc_auc: Option<f64>,
    /// By kind of fraud, where the kind is known.
    pub kinds: BTreeMap<String, KindRecall>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThresholdMeasures {
    pub score: u8,
    pub alerts: u64,
    pub caught: u64,
    pub precision: Option<f64>,
    pub recall: Option<f64>,
    pub f1: Option<f64>,
    pub alerts_per_1000: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindRecall {
    pub frauds: u64,
    /// At each of [`THRESHOLDS`].
    pub recall: Vec<Option<f64>>,
}

impl FraudTally {
    pub fn add(&mut self, score: Score, fraud: bool, kind: Option<&str>) {
        if !fraud {
            self.all.legitimate.count(score);
            return;
        }
        self.all.fraud.count(score);
        if let Some(kind) = kind {
            self.kind(kind).count(score);
        }
    }

    fn kind(&mut self, kind: &str) -> &mut ScoreHistogram {
        let known = self.kinds.contains_key(kind) || self.kinds.len() < KINDS_MAX;
        self.kinds.entry(if known { kind } else { OTHER_KINDS }.to_owned()).or_default()
    }

    pub fn measures(&self) -> FraudMeasures {
        let frauds = self.all.fraud.from(0);
        FraudMeasures {
            transactions: frauds + self.all.legitimate.from(0),
            frauds,
            at: THRESHOLDS.iter().map(|score| self.at(*score)).collect(),
            average_precision: curve::average_precision(self.all.steps()),
            roc_auc: curve::roc_auc(self.all.steps()),
            kinds: self.kinds.iter().map(|(kind, scores)| (kind.clone(), scores.recalls())).collect(),
        }
    }

    /// The measures at any threshold.
    pub fn at(&self, score: u8) -> ThresholdMeasures {
        let LabelledScores { fraud, legitimate } = &self.all;
        let (caught, frauds) = (fraud.from(score), fraud.from(0));
        let alerts = caught + legitimate.from(score);
        ThresholdMeasures {
            score,
            alerts,
            caught,
            precision: ratio(caught, alerts),
            recall: ratio(caught, frauds),
            f1: ratio(2 * caught, alerts + frauds),
            alerts_per_1000: ratio(1000 * alerts, frauds + legitimate.from(0)),
        }
    }
}

impl LabelledScores {
    /// One step per score that occurs, from the highest down.
    fn steps(&self) -> impl Iterator<Item = CurveStep> {
        let steps = self.fraud.0.into_iter().zip(self.legitimate.0).rev();
        steps.filter(|counts| *counts != (0, 0)).map(|(positives, negatives)| CurveStep { positives, negatives })
    }
}

impl Default for ScoreHistogram {
    fn default() -> Self {
        Self([0; 101])
    }
}

impl ScoreHistogram {
    fn count(&mut self, score: Score) {
        if let Some(counter) = self.0.get_mut(usize::from(score.get())) {
            *counter += 1;
        }
    }

    /// How many transactions are at or above a score.
    fn from(&self, score: u8) -> u64 {
        self.0.iter().skip(usize::from(score)).sum()
    }

    fn recalls(&self) -> KindRecall {
        let frauds = self.from(0);
        KindRecall { frauds, recall: THRESHOLDS.iter().map(|score| ratio(self.from(*score), frauds)).collect() }
    }
}

#[cfg(test)]
mod tests;
