//! `amount_deviation`: how far an amount lies from the customer's own earlier ones in the same currency.
//!
//! The measure is a modified z-score of log amounts: the distance from the median in units of the scaled median absolute
//! deviation. The measured spread is drawn towards a typical one; otherwise a customer whose amounts hardly vary would raise an
//! alert by paying a tenth more. If all earlier amounts are equal, the typical spread alone is the scale. Only amounts above the
//! baseline bring points: thieves take more than usual, not less, and many small amounts are `velocity_anomaly`'s concern.

use countersign_domain::{Signal, signal::DetectionOutcome};
use serde_json::{Map, Value, json};

use crate::{
    robust::{AmountBaseline, SpreadFrom},
    settings::AmountSettings,
    snapshot::CustomerSnapshot,
    wording::{MoneySum, counted, number, rounded},
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AmountMeasurement {
    pub(crate) outcome: DetectionOutcome,
    /// The modified z-score.
    z: f64,
    /// The amount divided by the median.
    ratio: f64,
    pub(crate) points: u8,
}

impl AmountMeasurement {
    pub(crate) fn measure(settings: &AmountSettings, snapshot: &CustomerSnapshot) -> Self {
        let enough = |transactions| transactions >= settings.transactions_min;
        let Some(baseline) = snapshot.baseline.filter(|baseline| enough(baseline.transactions)) else {
            return Self { outcome: DetectionOutcome::InsufficientHistory, z: 0.0, ratio: 0.0, points: 0 };
        };
        let ratio = snapshot.minor as f64 / baseline.median_minor as f64;
        let z = ratio.ln() / scale(settings, baseline);
        let points = settings.points.points(z / settings.z_threshold);
        let outcome = if z >= settings.z_threshold { DetectionOutcome::Fired } else { DetectionOutcome::Clear };
        Self { outcome, z, ratio, points }
    }

    pub(crate) fn signal(&self, settings: &AmountSettings, snapshot: &CustomerSnapshot) -> Signal {
        let is_measured = self.outcome != DetectionOutcome::InsufficientHistory;
        Signal {
            outcome: self.outcome,
            value: is_measured.then(|| rounded(self.z)),
            threshold: Some(settings.z_threshold),
            unit: Some("modified z-score".into()),
            contribution: self.points,
            explanation: self.explanation(settings, snapshot),
            baseline: baseline(settings, snapshot),
            details: if is_measured { self.details(snapshot) } else { Map::new() },
            flags: Vec::new(),
        }
    }

    fn details(&self, snapshot: &CustomerSnapshot) -> Map<String, Value> {
        Map::from_iter([
            ("amount".into(), money(snapshot, snapshot.minor).json()),
            ("ratio_to_median".into(), json!(rounded(self.ratio))),
        ])
    }

    fn explanation(&self, settings: &AmountSettings, snapshot: &CustomerSnapshot) -> String {
        let Some(baseline) = snapshot.baseline.filter(|_| self.outcome != DetectionOutcome::InsufficientHistory) else {
            return format!(
                "The record held {} in {}, fewer than the {} that a comparison of amounts needed.",
                counted(snapshot.same_currency, "earlier transaction", "earlier transactions"),
                snapshot.currency,
                settings.transactions_min,
            );
        };
        let (z, threshold) = (number(rounded(self.z)), number(settings.z_threshold));
        let verdict = match self.outcome {
            DetectionOutcome::Fired => format!("its modified z-score of {z} reached the threshold of {threshold}"),
            _ if self.points > 0 => format!(
                "its modified z-score of {z} stayed below the threshold of {threshold} and added {}",
                counted(self.points.into(), "point", "points")
            ),
            _ => format!("its modified z-score of {z} stayed below the threshold of {threshold}"),
        };
        format!(
            "The amount of {} was {} times the customer's median of {} over {}; {verdict}.",
            money(snapshot, snapshot.minor).text(),
            number(rounded(self.ratio)),
            money(snapshot, baseline.median_minor).text(),
            counted(baseline.transactions, "earlier transaction", "earlier transactions"),
        )
    }
}

fn baseline(settings: &AmountSettings, snapshot: &CustomerSnapshot) -> Map<String, Value> {
    let mut map = Map::from_iter([
        ("transactions".into(), json!(snapshot.same_currency)),
        ("transactions_needed".into(), json!(settings.transactions_min)),
    ]);
    if let Some(baseline) = snapshot.baseline {
        let spread_from = match baseline.spread_from {
            SpreadFrom::MedianDeviation => "median absolute deviation",
            SpreadFrom::MeanDeviation => "mean absolute deviation",
            SpreadFrom::AllEqual => "all amounts were equal",
        };
        map.insert("median_amount".into(), money(snapshot, baseline.median_minor).json());
        map.insert("log_spread".into(), json!(rounded(baseline.spread)));
        map.insert("log_spread_from".into(), json!(spread_from));
        map.insert("log_scale".into(), json!(rounded(scale(settings, baseline))));
    }
    map
}

/// The pooled spread: the measured and the typical one, each weighted by its number of transactions.
fn scale(settings: &AmountSettings, baseline: AmountBaseline) -> f64 {
    let (measured, typical) = (f64::from(baseline.transactions), settings.typical_weight.max(0.0));
    let squares = measured * baseline.spread.powi(2) + typical * settings.typical_spread.powi(2);
    (squares / (measured + typical)).sqrt().max(f64::MIN_POSITIVE)
}

fn money(snapshot: &CustomerSnapshot, minor: u64) -> MoneySum {
    MoneySum { minor: minor.into(), currency: snapshot.currency, decimals: snapshot.decimals }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{assess, tx};

    fn signal(earlier: &[u64], amount: Value) -> Signal {
        let earlier: Vec<_> =
            earlier.iter().enumerate().map(|(n, a)| tx(n as i64 - 5_000, json!({ "amount": a }))).collect();
        let [(_, signal), ..] = assess(&tx(0, json!({ "amount": amount })), &earlier).signals();
        signal
    }

    fn check(earlier: &[u64], amount: u64, z: f64, outcome: DetectionOutcome, points: u8) {
        let signal = signal(earlier, json!(amount));
        assert_eq!((signal.value, signal.outcome, signal.contribution), (Some(z), outcome, points), "{amount}");
    }

    /// The median is 100. The median factor is 2, so the spread is ln 2 / 0.6745 = 1.0276. With a typical spread of 0.4 that is
    /// worth 32 transactions, the scale is sqrt((5 * 1.0276^2 + 32 * 0.4^2) / 37) = 0.53018.
    const VARIED: [u64; 5] = [25, 50, 100, 200, 400];

    #[test]
    fn an_amount_is_measured_by_its_factor_to_the_median() {
        check(&VARIED, 100, 0.0, DetectionOutcome::Clear, 0);
        check(&VARIED, 1_000, 4.34, DetectionOutcome::Fired, 47);
        check(&VARIED, 5_000, 7.38, DetectionOutcome::Fired, 70);
    }

    #[test]
    fn an_amount_close_to_the_threshold_brings_points_but_does_not_fire() {
        check(&VARIED, 400, 2.61, DetectionOutcome::Clear, 15);
    }

    #[test]
    fn an_amount_below_the_baseline_brings_nothing() {
        check(&VARIED, 10, -4.34, DetectionOutcome::Clear, 0);
    }

    #[test]
    fn a_customer_whose_amounts_never_varied_is_measured_by_the_typical_spread() {
        check(&[100; 5], 110, 0.26, DetectionOutcome::Clear, 0);
        check(&[100; 5], 300, 2.95, DetectionOutcome::Clear, 24);
        check(&[100; 5], 400, 3.73, DetectionOutcome::Fired, 42);
    }

    #[test]
    fn the_mean_deviation_is_used_if_most_amounts_are_equal() {
        check(&[100, 100, 100, 100, 200], 400, 3.67, DetectionOutcome::Fired, 41);
    }

    #[test]
    fn four_earlier_transactions_are_too_few() {
        let signal = signal(&[100; 4], json!(1_000_000));
        assert_eq!(
            (signal.outcome, signal.contribution, signal.value),
            (DetectionOutcome::InsufficientHistory, 0, None)
        );
        assert_eq!(
            signal.explanation,
            "The record held 4 earlier transactions in USD, fewer than the 5 that a comparison of amounts needed."
        );
    }

    #[test]
    fn amounts_in_another_currency_are_not_a_baseline() {
        let signal = signal(&VARIED, json!({"amount": "1000", "currency": "EUR"}));
        assert_eq!(
            (signal.outcome, &signal.baseline["transactions"]),
            (DetectionOutcome::InsufficientHistory, &json!(0))
        );
    }

    #[test]
    fn the_sentence_and_the_data_have_the_same_figures() {
        let signal = signal(&VARIED, json!(1_250));
        assert_eq!(
            signal.explanation,
            "The amount of USD 1,250.00 was 12.5 times the customer's median of USD 100.00 over 5 earlier transactions; \
             its modified z-score of 4.76 reached the threshold of 3.5."
        );
        assert_eq!(signal.baseline["median_amount"], json!({"amount": "100.00", "currency": "USD"}));
        assert_eq!(signal.details["ratio_to_median"], json!(12.5));
    }
}
