//! Scores in 0..1 against labels, whatever the threshold.

use serde::Serialize;

use crate::Decisions;

const BINS: usize = 10;

#[derive(Debug, Clone, Default)]
pub struct Ranking {
    rows: Vec<(f64, bool)>,
}

/// Rows whose scores lie in one tenth of the range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    pub from: f64,
    pub rows: u64,
    pub mean_score: f64,
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

    /// Flagged at or above `threshold`.
    pub fn at(&self, threshold: f64) -> Decisions {
        let mut table = Decisions::default();
        for &(score, positive) in &self.rows {
            table.add(score >= threshold, positive);
        }
        table
    }

    pub fn roc_auc(&self) -> Option<f64> {
        let (positives, negatives) = self.totals();
        let (mut above, mut won) = (0.0, 0.0);
        for (right, wrong) in self.steps() {
            won += wrong as f64 * (above + right as f64 / 2.0);
            above += right as f64;
        }
        let pairs = positives as f64 * negatives as f64;
        (pairs > 0.0).then(|| won / pairs)
    }

    pub fn pr_auc(&self) -> Option<f64> {
        let (positives, _) = self.totals();
        let (mut right, mut flagged, mut sum) = (0, 0, 0.0);
        for (new, wrong) in self.steps() {
            right += new;
            flagged += new + wrong;
            sum += new as f64 * right as f64 / flagged as f64;
        }
        (positives > 0).then(|| sum / positives as f64)
    }

    pub fn calibration(&self) -> Vec<Bin> {
        let mut sums = [(0_u64, 0.0, 0_u64); BINS];
        for &(score, positive) in &self.rows {
            let bin = &mut sums[((score * BINS as f64) as usize).min(BINS - 1)];
            *bin = (bin.0 + 1, bin.1 + score, bin.2 + u64::from(positive));
        }
        let bins = sums.iter().enumerate().filter(|(_, sum)| sum.0 > 0);
        bins.map(|(n, &(rows, scores, positives))| Bin {
            from: n as f64 / BINS as f64,
            rows,
            mean_score: scores / rows as f64,
            positives: positives as f64 / rows as f64,
        })
        .collect()
    }

    pub fn calibration_error(&self) -> Option<f64> {
        let off = |bin: &Bin| (bin.mean_score - bin.positives).abs() * bin.rows as f64;
        let sum: f64 = self.calibration().iter().map(off).sum();
        (!self.rows.is_empty()).then(|| sum / self.rows.len() as f64)
    }

    fn totals(&self) -> (u64, u64) {
        let positives = self.rows.iter().filter(|row| row.1).count();
        (positives as u64, (self.rows.len() - positives) as u64)
    }

    /// Positives and negatives of each score that occurs, from the highest.
    fn steps(&self) -> Vec<(u64, u64)> {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let same = rows.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq());
        same.map(|rows| {
            let positives = rows.iter().filter(|row| row.1).count();
            (positives as u64, (rows.len() - positives) as u64)
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
    fn average_precision_by_hand() {
        let rows = ranking(&[(0.9, true), (0.8, false), (0.7, true), (0.6, false)]);
        assert_eq!(rows.pr_auc(), Some((1.0 + 2.0 / 3.0) / 2.0));
        assert_eq!(rows.roc_auc(), Some(0.75));
    }

    #[test]
    fn calibration_compares_what_was_said_with_what_was() {
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
