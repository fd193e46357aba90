//! Yes-or-no decisions compared with labels.

use serde::Serialize;

/// Counts of decisions by outcome. The serialised names are part of `eval --json`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ConfusionMatrix {
    #[serde(rename = "right")]
    pub true_positives: u64,
    #[serde(rename = "wrong")]
    pub false_positives: u64,
    #[serde(rename = "missed")]
    pub false_negatives: u64,
    #[serde(rename = "quiet")]
    pub true_negatives: u64,
}

impl ConfusionMatrix {
    pub fn add(&mut self, flagged: bool, labelled: bool) {
        let count = match (flagged, labelled) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *count += 1;
    }

    pub fn precision(&self) -> Option<f64> {
        ratio(self.true_positives, self.true_positives + self.false_positives)
    }

    pub fn recall(&self) -> Option<f64> {
        ratio(self.true_positives, self.true_positives + self.false_negatives)
    }

    pub fn f1(&self) -> Option<f64> {
        self.f(1)
    }

    pub fn f2(&self) -> Option<f64> {
        self.f(2)
    }

    pub fn accuracy(&self) -> Option<f64> {
        ratio(
            self.true_positives + self.true_negatives,
            self.true_positives + self.false_positives + self.false_negatives + self.true_negatives,
        )
    }

    /// The mean of the true positive rate and the true negative rate.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        Some((self.recall()? + ratio(self.true_negatives, self.true_negatives + self.false_positives)?) / 2.0)
    }

    pub fn false_positive_rate(&self) -> Option<f64> {
        ratio(self.false_positives, self.false_positives + self.true_negatives)
    }

    fn f(&self, beta: u64) -> Option<f64> {
        let square = beta * beta;
        ratio(
            (1 + square) * self.true_positives,
            (1 + square) * self.true_positives + square * self.false_negatives + self.false_positives,
        )
    }
}

/// `None` if `whole` is 0.
pub(crate) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measures_follow_their_definitions() {
        let matrix = ConfusionMatrix { true_positives: 6, false_positives: 2, false_negatives: 4, true_negatives: 8 };
        assert_eq!(matrix.precision(), Some(0.75));
        assert_eq!(matrix.recall(), Some(0.6));
        assert_eq!(matrix.f1(), Some(12.0 / 18.0));
        assert_eq!(matrix.f2(), Some(30.0 / 48.0));
        assert_eq!(matrix.accuracy(), Some(0.7));
        assert_eq!(matrix.balanced_accuracy(), Some(0.7));
        assert_eq!(matrix.false_positive_rate(), Some(0.2));
    }

    #[test]
    fn a_measure_whose_divisor_is_zero_is_none() {
        let empty = ConfusionMatrix::default();
        assert_eq!((empty.precision(), empty.recall(), empty.f1(), empty.accuracy()), (None, None, None, None));
    }
}
