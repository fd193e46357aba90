//! Scores from 0 to 1 compared with labels: areas under curves, calibration, and decisions at a threshold.

use serde::Serialize;

use crate::ConfusionMatrix;
use crate::curve::{self, CurveStep};

const BINS: usize = 10;

/// Scores with their labels. Memory: one entry per score.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    rows: Vec<(f64, bool)>,
}

/// The rows whose scores are in one tenth of the range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// The lowest score of the bin.
    pub from: f64,
    pub rows: u64,
    pub mean_score: f64,
    /// The share of the bin's rows that are labelled positive. The name is part of `eval --json`.
    pub positives: f64,
}

impl Ranking {
    pub fn add(&mut self, score: f64, positive: bool) {
        self.rows.push((score, positive));
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The decisions at a threshold: scores at or above it are flagged.
    pub fn at(&self, threshold: f64) -> ConfusionMatrix {
        let mut table = ConfusionMatrix::default();
        for &(score, positive) in &self.rows {
            table.add(score >= threshold, positive);
        }
        table
    }

    pub fn roc_auc(&self) -> Option<f64> {
        curve::roc_auc(self.steps())
    }

    pub fn pr_auc(&self) -> Option<f64> {
        curve::average_precision(self.steps())
    }

    /// For each bin, the mean score and the share of positives. Empty bins are left out.
    pub fn calibration(&self) -> Vec<CalibrationBin> {
        let mut sums = [(0_u64, 0.0, 0_u64); BINS];
        for &(score, positive) in &self.rows {
            let bin = &mut sums[((score * BINS as f64) as usize).min(BINS - 1)];
            *bin = (bin.0 + 1, bin.1 + score, bin.2 + u64::from(positive));
        }
        let bins = sums.iter().enumerate().filter(|(_, sum)| sum.0 > 0);
        bins.map(|(n, &(rows, scores, positives))| CalibrationBin {
            from: n as f64 / BINS as f64,
            rows,
            mean_score: scores / rows as f64,
            positives: positives as f64 / rows as f64,
        })
        .collect()
    }

    /// The expected calibration error: the mean gap between the mean score and the share of positives of a bin, weighted by rows.
    /// `None` without rows.
    pub fn calibration_error(&self) -> Option<f64> {
        let gap = |bin: &CalibrationBin| (bin.mean_score - bin.positives).abs() * bin.rows as f64;
        let sum: f64 = self.calibration().iter().map(gap).sum();
        (!self.rows.is_empty()).then(|| sum / self.rows.len() as f64)
    }

    /// One step per distinct score, from the highest down.
    fn steps(&self) -> Vec<CurveStep> {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let same_score = rows.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq());
        same_score
            .map(|rows| {
                let positives = rows.iter().filter(|row| row.1).count();
                CurveStep { positives: positives as u64, negatives: (rows.len() - positives) as u64 }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ranking(rows: &[(f64, bool)]) -> Ranking {
        Ranking { rows: rows.to_vec() }
    }

    #[test]
    fn a_perfect_order_scores_one_and_a_tie_scores_a_half() {
        let perfect = ranking(&[(0.9, true), (0.8, true), (0.1, false)]);
        assert_eq!((perfect.roc_auc(), perfect.pr_auc()), (Some(1.0), Some(1.0)));
        let tied = ranking(&[(0.5, true), (0.5, false)]);
        assert_eq!((tied.roc_auc(), tied.pr_auc()), (Some(0.5), Some(0.5)));
    }

    #[test]
    fn average_precision_matches_a_calculation_by_hand() {
        let rows = ranking(&[(0.9, true), (0.8, false), (0.7, true), (0.6, false)]);
        assert_eq!(rows.pr_auc(), Some((1.0 + 2.0 / 3.0) / 2.0));
        assert_eq!(rows.roc_auc(), Some(0.75));
    }

    #[test]
    fn calibration_compares_mean_scores_with_shares_of_positives() {
        let rows = ranking(&[(0.95, true), (0.95, false), (0.05, false)]);
        let error = rows.calibration_error().unwrap();
        assert!((error - (2.0 * 0.45 + 0.05) / 3.0).abs() < 1e-12, "{error}");
    }

    proptest! {
        #[test]
        fn roc_auc_is_the_share_of_pairs_in_order(rows in prop::collection::vec((0_u8..6, any::<bool>()), 0..40)) {
            let rows: Vec<(f64, bool)> = rows.into_iter().map(|(score, label)| (f64::from(score) / 5.0, label)).collect();
            let (mut won, mut pairs) = (0.0, 0.0);
            for positive in rows.iter().filter(|row| row.1) {
                for negative in rows.iter().filter(|row| !row.1) {
                    pairs += 1.0;
                    won += if positive.0 > negative.0 { 1.0 } else if positive.0 < negative.0 { 0.0 } else { 0.5 };
                }
            }
            match ranking(&rows).roc_auc() {
                Some(auc) => prop_assert!((auc - won / pairs).abs() < 1e-9),
                None => prop_assert_eq!(pairs, 0.0),
            }
        }
    }
}
