//! Yes or no against a label.

use serde::Serialize;

/// A confusion table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Decisions {
    pub right: u64,
    /// Flagged without a label: false positives.
    pub wrong: u64,
    /// Labelled and not flagged: false negatives.
    pub missed: u64,
    /// Neither flagged nor labelled.
    pub quiet: u64,
}

impl Decisions {
    pub fn add(&mut self, flagged: bool, labelled: bool) {
        let count = match (flagged, labelled) {
            (true, true) => &mut self.right,
            (true, false) => &mut self.wrong,
            (false, true) => &mut self.missed,
            (false, false) => &mut self.quiet,
        };
        *count += 1;
    }

    pub fn precision(&self) -> Option<f64> {
        ratio(self.right, self.right + self.wrong)
    }

    pub fn recall(&self) -> Option<f64> {
        ratio(self.right, self.right + self.missed)
    }

    pub fn f1(&self) -> Option<f64> {
        self.f(1)
    }

    pub fn f2(&self) -> Option<f64> {
        self.f(2)
    }

    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.right + self.quiet, self.right + self.wrong + self.missed + self.quiet)
    }

    /// The mean of the share of positives found and the share of negatives left alone.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        Some((self.recall()? + ratio(self.quiet, self.quiet + self.wrong)?) / 2.0)
    }

    pub fn false_positive_rate(&self) -> Option<f64> {
        ratio(self.wrong, self.wrong + self.quiet)
    }

    fn f(&self, beta: u64) -> Option<f64> {
        let square = beta * beta;
        ratio((1 + square) * self.right, (1 + square) * self.right + square * self.missed + self.wrong)
    }
}

pub(crate) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measures_follow_their_definitions() {
        let table = Decisions { right: 6, wrong: 2, missed: 4, quiet: 8 };
        assert_eq!(table.precision(), Some(0.75));
        assert_eq!(table.recall(), Some(0.6));
        assert_eq!(table.f1(), Some(12.0 / 18.0));
        assert_eq!(table.f2(), Some(30.0 / 48.0));
        assert_eq!(table.accuracy(), Some(0.7));
        assert_eq!(table.balanced_accuracy(), Some(0.7));
        assert_eq!(table.false_positive_rate(), Some(0.2));
    }

    #[test]
    fn nothing_is_invented_where_there_is_nothing_to_divide_by() {
        let none = Decisions::default();
        assert_eq!((none.precision(), none.recall(), none.f1(), none.accuracy()), (None, None, None, None));
    }
}
