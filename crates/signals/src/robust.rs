//! Median and spread of amounts on a logarithmic scale, without taking 64 logarithms.
//!
//! Amounts of money vary by factors, not by differences: twice the usual amount is as far from it as half of it. The median
//! absolute deviation of logarithms is the logarithm of the median factor, so one or two logarithms are enough.

use crate::history::ENTRIES_MAX;

/// The 0.75 quantile of the normal distribution. Dividing by it makes a MAD comparable with a standard deviation.
const MAD_SCALE: f64 = 0.6745;
/// Multiplying by it makes a mean absolute deviation comparable with a standard deviation.
const MEAN_AD_SCALE: f64 = 1.253_314;

/// Amounts to take the baseline of, without a heap allocation.
#[derive(Debug, Clone)]
pub(crate) struct AmountSample {
    minor: [u64; ENTRIES_MAX],
    len: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AmountBaseline {
    pub(crate) transactions: u32,
    /// The median. With two middle amounts, it is their mean, rounded half up to a whole minor unit.
    pub(crate) median_minor: u64,
    /// The spread of log amounts, as a standard deviation. 0 if all amounts are equal.
    pub(crate) spread: f64,
    pub(crate) spread_from: SpreadFrom,
}

/// The data from which the spread was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpreadFrom {
    MedianDeviation,
    /// Used if more than half of the amounts are equal.
    MeanDeviation,
    AllEqual,
}

impl Default for AmountSample {
    fn default() -> Self {
        Self { minor: [0; ENTRIES_MAX], len: 0 }
    }
}

impl AmountSample {
    pub(crate) fn push(&mut self, minor: u64) {
        if let Some(slot) = self.minor.get_mut(self.len) {
            *slot = minor;
            self.len += 1;
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len as u32
    }

    pub(crate) fn baseline(&mut self) -> Option<AmountBaseline> {
        let amounts = self.minor.get_mut(..self.len).filter(|amounts| !amounts.is_empty())?;
        let (low, high) = middle(amounts, u64::cmp);
        // Half a minor unit is rounded up, as reports do: both must state the same median.
        let median_minor = (low + (high - low).div_ceil(2)).max(1);
        let (spread, spread_from) = spread(amounts, median_minor as f64);
        Some(AmountBaseline { transactions: self.len as u32, median_minor, spread, spread_from })
    }
}

fn spread(amounts: &[u64], median: f64) -> (f64, SpreadFrom) {
    let mut factors = [1.0_f64; ENTRIES_MAX];
    for (factor, amount) in factors.iter_mut().zip(amounts) {
        let ratio = (*amount).max(1) as f64 / median;
        *factor = if ratio < 1.0 { 1.0 / ratio } else { ratio };
    }
    let factors = factors.get_mut(..amounts.len()).unwrap_or_default();
    let (low, high) = middle(factors, f64::total_cmp);
    let mad = f64::midpoint(low.ln(), high.ln());
    if mad > 0.0 {
        return (mad / MAD_SCALE, SpreadFrom::MedianDeviation);
    }
    let mean = factors.iter().map(|factor| factor.ln()).sum::<f64>() / factors.len().max(1) as f64;
    if mean > 0.0 { (mean * MEAN_AD_SCALE, SpreadFrom::MeanDeviation) } else { (0.0, SpreadFrom::AllEqual) }
}

/// The two middle values of an even number of values. For an odd number, the middle value twice.
fn middle<T: Copy + Default>(values: &mut [T], by: impl Fn(&T, &T) -> std::cmp::Ordering + Copy) -> (T, T) {
    let half = values.len() / 2;
    if values.is_empty() {
        return (T::default(), T::default());
    }
    let is_even = values.len().is_multiple_of(2);
    let (below, high, _) = values.select_nth_unstable_by(half, by);
    let high = *high;
    let low = if is_even { below.iter().copied().max_by(by).unwrap_or(high) } else { high };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(amounts: &[u64], median: u64, spread: f64, spread_from: SpreadFrom) {
        let mut all = AmountSample::default();
        amounts.iter().for_each(|amount| all.push(*amount));
        let found = all.baseline().unwrap();
        assert_eq!((found.median_minor, found.spread_from), (median, spread_from), "{amounts:?}");
        assert!((found.spread - spread).abs() < 1e-9, "{amounts:?}: {} is not {spread}", found.spread);
    }

    #[test]
    fn the_spread_is_the_median_deviation_of_logarithms() {
        // Factors 4, 2, 1, 2, 4: their median is 2.
        check(&[25, 50, 100, 200, 400], 100, 2_f64.ln() / 0.6745, SpreadFrom::MedianDeviation);
        // Median 150, factors 3, 1.5, 4/3, 2: between 1.5 and 2.
        check(&[50, 100, 200, 300], 150, (1.5_f64.ln() + 2_f64.ln()) / 2.0 / 0.6745, SpreadFrom::MedianDeviation);
    }

    #[test]
    fn half_a_minor_unit_between_two_middle_amounts_is_rounded_up() {
        for (amounts, median) in [(&[100, 101][..], 101), (&[100, 102], 101), (&[1, 100, 103, 900], 102)] {
            let mut all = AmountSample::default();
            amounts.iter().for_each(|amount| all.push(*amount));
            assert_eq!(all.baseline().unwrap().median_minor, median, "{amounts:?}");
        }
    }

    #[test]
    fn the_mean_deviation_is_used_if_most_amounts_are_equal() {
        check(&[100, 100, 100, 100, 200], 100, 2_f64.ln() / 5.0 * 1.253_314, SpreadFrom::MeanDeviation);
    }

    #[test]
    fn equal_amounts_have_no_spread() {
        check(&[100; 64], 100, 0.0, SpreadFrom::AllEqual);
        check(&[7], 7, 0.0, SpreadFrom::AllEqual);
    }

    #[test]
    fn the_largest_amounts_do_not_overflow() {
        check(&[u64::MAX; 2], u64::MAX, 0.0, SpreadFrom::AllEqual);
        assert!(AmountSample::default().baseline().is_none());
    }
}
