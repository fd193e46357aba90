//! `velocity_anomaly`: the number of transactions within an hour and within 24 hours, and the sum within 24 hours.
//!
//! A customer with a history is measured by their own rate: the limit is several standard deviations of a Poisson count above the
//! usual count, and never below a fixed minimum. A customer without a history is measured by fixed limits. A sum fires only over
//! several transactions, only if none of them makes up more than half, and only if this one is above the median: a small
//! purchase after a large one must not raise a second alert.

use countersign_domain::{Signal, signal::DetectionOutcome};
use serde_json::{Map, Value, json};

use crate::{
    history::minor_of,
    settings::VelocitySettings,
    snapshot::CustomerSnapshot,
    wording::{MoneySum, counted, number, rounded},
};

/// Roughly the number of hours of a day in which a customer makes transactions.
const ACTIVE_HOURS: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct VelocityMeasurement {
    pub(crate) points: u8,
    leading: LeadingMeasure,
    ratio: f64,
    pub(crate) limit_1h: u32,
    pub(crate) limit_24h: u32,
    /// The limit on the 24-hour sum, in minor units.
    limit_sum: Option<u128>,
    usual_per_day: Option<f64>,
}

/// The measure that came closest to its limit, or went furthest beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LeadingMeasure {
    Count1h,
    Count24h,
    Sum24h,
}

impl VelocityMeasurement {
    pub(crate) fn measure(settings: &VelocitySettings, snapshot: &CustomerSnapshot) -> Self {
        let usual_per_day = (snapshot.older.count >= settings.transactions_min.max(1))
            .then(|| f64::from(snapshot.older.count) / snapshot.older_days());
        let limit_1h = limit(usual_per_day.map(|rate| rate / ACTIVE_HOURS), settings, settings.own_count_1h_min);
        let limit_24h = limit(usual_per_day, settings, settings.own_count_24h_min);
        let (limit_1h, limit_24h) = (limit_1h.unwrap_or(settings.count_1h), limit_24h.unwrap_or(settings.count_24h));
        let limit_sum = sum_limit(settings, snapshot, usual_per_day);
        let over = |count: u32, limit: u32| f64::from(count) / f64::from(limit.max(1));
        let mut ratios = [
            (LeadingMeasure::Count1h, over(snapshot.hour.count, limit_1h)),
            (LeadingMeasure::Count24h, over(snapshot.day.count, limit_24h)),
            (LeadingMeasure::Sum24h, 0.0),
        ];
        if let Some(limit) = limit_sum.filter(|_| is_sum_judged(settings, snapshot)) {
            ratios[2].1 = snapshot.day.sum as f64 / limit.max(1) as f64;
        }
        let (leading, ratio) =
            ratios.into_iter().fold(ratios[0], |most, next| if next.1 > most.1 { next } else { most });
        let points = settings.points.points(ratio);
        Self { points, leading, ratio, limit_1h, limit_24h, limit_sum, usual_per_day }
    }

    pub(crate) fn outcome(&self) -> DetectionOutcome {
        if self.ratio >= 1.0 { DetectionOutcome::Fired } else { DetectionOutcome::Clear }
    }

    pub(crate) fn signal(&self, snapshot: &CustomerSnapshot) -> Signal {
        let (value, threshold, unit) = match self.leading {
            LeadingMeasure::Count1h => {
                (snapshot.hour.count.into(), self.limit_1h.into(), "transactions in 1 hour".to_owned())
            }
            LeadingMeasure::Count24h => {
                (snapshot.day.count.into(), self.limit_24h.into(), "transactions in 24 hours".to_owned())
            }
            LeadingMeasure::Sum24h => (
                snapshot.major(snapshot.day.sum as f64),
                snapshot.major(self.limit_sum.unwrap_or_default() as f64),
                format!("{} in 24 hours", snapshot.currency),
            ),
        };
        Signal {
            outcome: self.outcome(),
            value: Some(value),
            threshold: Some(threshold),
            unit: Some(unit),
            contribution: self.points,
            explanation: self.explanation(snapshot),
            baseline: self.baseline(snapshot),
            details: self.details(snapshot),
            flags: Vec::new(),
        }
    }

    fn baseline(&self, snapshot: &CustomerSnapshot) -> Map<String, Value> {
        let mut map = Map::from_iter([("transactions".into(), json!(snapshot.older.count))]);
        if let Some(rate) = self.usual_per_day {
            map.insert("usual_per_day".into(), json!(rounded(rate)));
            map.insert("days".into(), json!(rounded(snapshot.older_days())));
        }
        map
    }

    fn details(&self, snapshot: &CustomerSnapshot) -> Map<String, Value> {
        let mut map = Map::from_iter([
            ("count_1h".into(), json!(snapshot.hour.count)),
            ("count_1h_limit".into(), json!(self.limit_1h)),
            ("count_24h".into(), json!(snapshot.day.count)),
            ("count_24h_limit".into(), json!(self.limit_24h)),
            ("sum_1h".into(), money(snapshot, snapshot.hour.sum).json()),
            ("sum_24h".into(), money(snapshot, snapshot.day.sum).json()),
        ]);
        if let Some(limit) = self.limit_sum {
            map.insert("sum_24h_limit".into(), money(snapshot, limit).json());
        }
        if snapshot.is_cut {
            map.insert("counts_are_minimum".into(), json!(true));
        }
        map
    }

    fn explanation(&self, snapshot: &CustomerSnapshot) -> String {
        let transactions = |count| counted(count, "transaction", "transactions");
        let usual = self
            .usual_per_day
            .map(|rate| format!("; the usual rate was {} a day", number(rounded(rate))))
            .unwrap_or_else(|| "; the customer's usual rate was not known".into());
        if self.outcome() == DetectionOutcome::Clear {
            return format!(
                "The customer made {} in 1 hour and {} in 24 hours, below the limits of {} and {}{usual}.",
                transactions(snapshot.hour.count),
                snapshot.day.count,
                self.limit_1h,
                self.limit_24h,
            );
        }
        match self.leading {
            LeadingMeasure::Count1h => format!(
                "The customer made {} in 1 hour, against a limit of {}{usual}.",
                transactions(snapshot.hour.count),
                self.limit_1h
            ),
            LeadingMeasure::Count24h => format!(
                "The customer made {} in 24 hours, against a limit of {}{usual}.",
                transactions(snapshot.day.count),
                self.limit_24h
            ),
            LeadingMeasure::Sum24h => format!(
                "The customer's transactions in 24 hours came to {}, against a limit of {}{usual}.",
                money(snapshot, snapshot.day.sum).text(),
                money(snapshot, self.limit_sum.unwrap_or_default()).text(),
            ),
        }
    }
}

/// The lowest count that is unusual at this rate.
fn limit(rate: Option<f64>, settings: &VelocitySettings, least: u32) -> Option<u32> {
    let limit = |rate: f64| (rate + settings.deviations * rate.sqrt() + 2.0).ceil();
    rate.map(|rate| (limit(rate) as u32).max(least))
}

fn is_sum_judged(settings: &VelocitySettings, snapshot: &CustomerSnapshot) -> bool {
    let is_above_median = snapshot.baseline.is_none_or(|baseline| snapshot.minor > baseline.median_minor);
    let is_of_several = u128::from(snapshot.day_largest) * 2 <= snapshot.day.sum;
    snapshot.day.count >= settings.sum_transactions_min && is_above_median && is_of_several
}

/// The lower of the customer's own limit and the fixed limit, in minor units.
fn sum_limit(settings: &VelocitySettings, snapshot: &CustomerSnapshot, usual_per_day: Option<f64>) -> Option<u128> {
    let fixed = settings.sum_24h_limits.iter().find(|limit| limit.currency() == snapshot.currency);
    let fixed = fixed.map(|limit| u128::from(minor_of(limit)));
    let personal = usual_per_day.zip(snapshot.baseline).map(|(_, baseline)| {
        let usual_sum = snapshot.older.sum as f64 / snapshot.older_days();
        let by_day = settings.sum_times_usual_day * usual_sum;
        by_day.max(settings.sum_times_median * baseline.median_minor as f64) as u128
    });
    match (fixed, personal) {
        (Some(fixed), Some(personal)) => Some(fixed.min(personal)),
        (fixed, personal) => fixed.or(personal),
    }
}

fn money(snapshot: &CustomerSnapshot, minor: u128) -> MoneySum {
    MoneySum { minor, currency: snapshot.currency, decimals: snapshot.decimals }
}

#[cfg(test)]
mod tests {
    use countersign_domain::Transaction;

    use super::*;
    use crate::sample::{assess, tx};

    const DAY: i64 = 1_440;

    /// One transaction of 100 a day for ten days, the last one two days ago. The usual rate is 1 a day.
    fn regular() -> Vec<Transaction> {
        (2..=11).map(|days| tx(-days * DAY, json!({}))).collect()
    }

    fn check(earlier: Vec<Transaction>, amount: u64, expected: (DetectionOutcome, u8, f64, f64, &str)) -> Signal {
        let [_, (_, signal), ..] = assess(&tx(0, json!({ "amount": amount })), &earlier).signals();
        let (outcome, points, value, threshold, unit) = expected;
        assert_eq!((signal.outcome, signal.contribution), (outcome, points), "{signal:?}");
        assert_eq!(
            (signal.value, signal.threshold, signal.unit.as_deref()),
            (Some(value), Some(threshold), Some(unit))
        );
        signal
    }

    fn each_minute(count: i64) -> impl Iterator<Item = Transaction> {
        (1..=count).map(|minutes| tx(-minutes, json!({"amount": 5})))
    }

    #[test]
    fn fixed_limits_apply_without_a_history() {
        check(each_minute(6).collect(), 5, (DetectionOutcome::Clear, 0, 7.0, 8.0, "transactions in 1 hour"));
        check(each_minute(7).collect(), 5, (DetectionOutcome::Fired, 15, 8.0, 8.0, "transactions in 1 hour"));
        check(each_minute(23).collect(), 5, (DetectionOutcome::Fired, 45, 24.0, 8.0, "transactions in 1 hour"));
    }

    #[test]
    fn the_limit_follows_from_the_customers_own_rate() {
        let with = |count| regular().into_iter().chain(each_minute(count)).collect();
        check(with(3), 5, (DetectionOutcome::Clear, 0, 4.0, 5.0, "transactions in 1 hour"));
        check(with(4), 5, (DetectionOutcome::Fired, 15, 5.0, 5.0, "transactions in 1 hour"));
        let signal = check(with(9), 5, (DetectionOutcome::Fired, 30, 10.0, 5.0, "transactions in 1 hour"));
        assert_eq!(
            signal.explanation,
            "The customer made 10 transactions in 1 hour, against a limit of 5; the usual rate was 1 a day."
        );
        assert_eq!(signal.details["sum_1h"], json!({"amount": "50.00", "currency": "USD"}));
    }

    #[test]
    fn windows_end_with_the_transaction_and_exclude_their_first_instant() {
        for (minutes, hour, day) in [(-59, 2, 2), (-60, 1, 2), (-DAY + 1, 1, 2), (-DAY, 1, 1)] {
            let [_, (_, signal), ..] = assess(&tx(0, json!({})), &[tx(minutes, json!({}))]).signals();
            assert_eq!(
                (&signal.details["count_1h"], &signal.details["count_24h"]),
                (&json!(hour), &json!(day)),
                "{minutes}"
            );
        }
    }

    #[test]
    fn a_sum_fires_over_several_transactions_above_the_median() {
        // The usual day is 100 and the median 100: the limit is 12 times the median.
        let with = |earlier: &[i64]| {
            regular().into_iter().chain(earlier.iter().map(|hours| tx(-hours * 60, json!({"amount": 450})))).collect()
        };
        let signal = check(with(&[5, 3]), 450, (DetectionOutcome::Fired, 17, 1_350.0, 1_200.0, "USD in 24 hours"));
        assert!(signal.explanation.contains("came to USD 1,350.00, against a limit of USD 1,200.00"), "{signal:?}");
        check(with(&[5, 3]), 100, (DetectionOutcome::Clear, 0, 3.0, 8.0, "transactions in 24 hours"));
        check(with(&[5, 3]), 30_000, (DetectionOutcome::Clear, 0, 3.0, 8.0, "transactions in 24 hours"));
        check(with(&[5]), 30_000, (DetectionOutcome::Clear, 0, 2.0, 8.0, "transactions in 24 hours"));
    }

    #[test]
    fn sums_are_in_one_currency_and_counts_over_all() {
        let other = tx(-5, json!({"amount": {"amount": "7", "currency": "EUR"}}));
        let [_, (_, signal), ..] = assess(&tx(0, json!({})), &[other]).signals();
        assert_eq!(signal.details["sum_1h"], json!({"amount": "100.00", "currency": "USD"}));
        assert_eq!(signal.details["count_1h"], json!(2));
    }

    #[test]
    fn a_count_that_fills_the_history_is_marked_as_a_lower_bound() {
        let many: Vec<_> = (0..80).map(|n| tx(-n, json!({}))).collect();
        let [_, (_, signal), ..] = assess(&tx(0, json!({})), &many).signals();
        assert_eq!((&signal.details["count_24h"], &signal.details["counts_are_minimum"]), (&json!(65), &json!(true)));
    }

    #[test]
    fn a_fixed_limit_on_sums_applies_without_a_history() {
        let limits = vec![serde_json::from_value(json!({"amount": "250.00", "currency": "USD"})).unwrap()];
        let velocity = VelocitySettings { sum_24h_limits: limits, ..Default::default() };
        let settings = crate::DetectorSettings { velocity, ..Default::default() };
        let history = crate::sample::history(&[tx(-2, json!({"amount": 80})), tx(-1, json!({"amount": 80}))]);
        let detector = crate::Detector::new(settings, crate::Rules::default());
        assert_eq!(detector.assess(9, &tx(0, json!({"amount": 90})), &history).contributions(), [0, 15, 0, 0]);
        assert_eq!(detector.assess(9, &tx(0, json!({"amount": 89})), &history).contributions(), [0, 0, 0, 0]);
    }
}
