//! How well scores find fraud, from pairs of a score and a label.
//!
//! With "caught" for frauds at or above a score, "alerts" for all transactions at or above it:
//!
//! | measure | definition |
//! |---|---|
//! | precision | caught / alerts; none without alerts |
//! | recall | caught / frauds; none without frauds |
//! | F1 | 2 caught / (alerts + frauds); none without either |
//! | alerts per 1,000 | 1,000 alerts / transactions |
//! | average precision | over the scores that occur, from the highest: the sum of (recall - recall before) x precision |
//! | ROC-AUC | the chance that a fraud scores above a legitimate transaction, a tie counting half |
//! | card precision@k | see [`CardPrecision`] |
//!
//! Equal scores are one step, so that the order of the rows changes nothing. Rows without a label are not measured.

mod cards;

use std::collections::BTreeMap;

use countersign_domain::Score;
use serde::Serialize;

pub use cards::{CardPrecision, DayPrecision};

/// Where severities begin: medium, high, critical.
pub const THRESHOLDS: [u8; 3] = [40, 60, 80];
/// Kinds beyond these are counted together: a file decides how many there are.
const KINDS_MAX: usize = 64;
const KINDS_BEYOND: &str = "(others)";

/// Counts by score. Its size doesn't depend on how much is added.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    all: Counts,
    kinds: BTreeMap<String, Histogram>,
}

/// One place per score from 0 to 100.
#[derive(Debug, Clone)]
struct Histogram([u64; 101]);

#[derive(Debug, Clone, Default)]
struct Counts {
    fraud: Histogram,
    legitimate: Histogram,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measures {
    pub transactions: u64,
    pub frauds: u64,
    /// At each of [`THRESHOLDS`].
    pub at: Vec<AtScore>,
    pub average_precision: Option<f64>,
    pub roc_auc: Option<f64>,
    /// By the kind of fraud, where it is known.
    pub kinds: BTreeMap<String, KindRecall>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AtScore {
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

impl Tally {
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

    fn kind(&mut self, kind: &str) -> &mut Histogram {
        let known = self.kinds.contains_key(kind) || self.kinds.len() < KINDS_MAX;
        self.kinds.entry(if known { kind } else { KINDS_BEYOND }.to_owned()).or_default()
    }

    pub fn measures(&self) -> Measures {
        let frauds = self.all.fraud.from(0);
        Measures {
            transactions: frauds + self.all.legitimate.from(0),
            frauds,
            at: THRESHOLDS.iter().map(|score| self.at(*score)).collect(),
            average_precision: self.all.average_precision(),
            roc_auc: self.all.roc_auc(),
            kinds: self.kinds.iter().map(|(kind, scores)| (kind.clone(), scores.recalls())).collect(),
        }
    }

    /// The same at a score of one's own choice.
    pub fn at(&self, score: u8) -> AtScore {
        let Counts { fraud, legitimate } = &self.all;
        let (caught, frauds) = (fraud.from(score), fraud.from(0));
        let alerts = caught + legitimate.from(score);
        AtScore {
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

impl Counts {
    fn average_precision(&self) -> Option<f64> {
        let frauds = self.fraud.from(0);
        let (mut caught, mut alerts, mut sum) = (0, 0, 0.0);
        for (fraud, legitimate) in self.steps().rev() {
            caught += fraud;
            alerts += fraud + legitimate;
            sum += ratio(caught, alerts).unwrap_or(0.0) * fraud as f64;
        }
        (frauds > 0).then(|| sum / frauds as f64)
    }

    fn roc_auc(&self) -> Option<f64> {
        let pairs = self.fraud.from(0) as f64 * self.legitimate.from(0) as f64;
        let (mut below, mut won) = (0.0, 0.0);
        for (fraud, legitimate) in self.steps() {
            won += fraud as f64 * (below + legitimate as f64 / 2.0);
            below += legitimate as f64;
        }
        (pairs > 0.0).then(|| won / pairs)
    }

    /// Frauds and legitimate transactions of each score, from 0 up.
    fn steps(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        self.fraud.0.into_iter().zip(self.legitimate.0)
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self([0; 101])
    }
}

impl Histogram {
    fn count(&mut self, score: Score) {
        if let Some(place) = self.0.get_mut(usize::from(score.get())) {
            *place += 1;
        }
    }

    /// How many are at or above a score.
    fn from(&self, score: u8) -> u64 {
        self.0.iter().skip(usize::from(score)).sum()
    }

    fn recalls(&self) -> KindRecall {
        let frauds = self.from(0);
        KindRecall { frauds, recall: THRESHOLDS.iter().map(|score| ratio(self.from(*score), frauds)).collect() }
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests;
