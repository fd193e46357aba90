//! `velocity_anomaly`: how many transactions, and how much money, within an hour and within 24 hours.
//!
//! A customer with a history is measured by their own rate: the limit is so many standard deviations of a Poisson count
//! above the usual one, and never below a fixed least. A customer without one is measured by fixed limits. A sum fires only
//! over several transactions of which none makes more than half, and only for one that is itself above the median: a small
//! purchase after a large one is no second alarm.

use countersign_domain::{Signal, signal::Outcome};
use serde_json::{Map, Value, json};

use crate::{
    history::minor_of,
    picture::Picture,
    settings::VelocitySettings,
    wording::{Sum, counted, number, rounded},
};

/// A day's transactions fall into about eight hours.
const ACTIVE_HOURS: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Velocity {
    pub(crate) points: u8,
    leading: Leading,
    ratio: f64,
    pub(crate) limit_1h: u32,
    pub(crate) limit_24h: u32,
    /// In minor units.
    limit_sum: Option<u128>,
    usual_per_day: Option<f64>,
}

/// What came closest to its limit, or went furthest beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leading {
    Count1h,
    Count24h,
    Sum24h,
}

impl Velocity {
    pub(crate) fn measure(settings: &VelocitySettings, picture: &Picture) -> Self {
        let usual_per_day = (picture.older.count >= settings.transactions_min.max(1))
            .then(|| f64::from(picture.older.count) / picture.older_days());
        let limit_1h = limit(usual_per_day.map(|rate| rate / ACTIVE_HOURS), settings, settings.own_count_1h_min);
        let limit_24h = limit(usual_per_day, settings, settings.own_count_24h_min);
        let (limit_1h, limit_24h) = (limit_1h.unwrap_or(settings.count_1h), limit_24h.unwrap_or(settings.count_24h));
        let limit_sum = sum_limit(settings, picture, usual_per_day);
        let over = |count: u32, limit: u32| f64::from(count) / f64::from(limit.max(1));
        let mut ratios = [
            (Leading::Count1h, over(picture.hour.count, limit_1h)),
            (Leading::Count24h, over(picture.day.count, limit_24h)),
            (Leading::Sum24h, 0.0),
        ];
        if let Some(limit) = limit_sum.filter(|_| is_sum_judged(settings, picture)) {
            ratios[2].1 = picture.day.sum as f64 / limit.max(1) as f64;
        }
        let (leading, ratio) =
            ratios.into_iter().fold(ratios[0], |most, next| if next.1 > most.1 { next } else { most });
        let points = settings.points.points(ratio);
        Self { points, leading, ratio, limit_1h, limit_24h, limit_sum, usual_per_day }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        if self.ratio >= 1.0 { Outcome::Fired } else { Outcome::Clear }
    }

    pub(crate) fn signal(&self, picture: &Picture) -> Signal {
        let (value, threshold, unit) = match self.leading {
            Leading::Count1h => (picture.hour.count.into(), self.limit_1h.into(), "transactions in 1 hour".to_owned()),
            Leading::Count24h => {
                (picture.day.count.into(), self.limit_24h.into(), "transactions in 24 hours".to_owned())
            }
            Leading::Sum24h => (
                picture.major(picture.day.sum as f64),
                picture.major(self.limit_sum.unwrap_or_default() as f64),
                format!("{} in 24 hours", picture.currency),
            ),
        };
        Signal {
            outcome: self.outcome(),
            value: Some(value),
            threshold: Some(threshold),
            unit: Some(unit),
            contribution: self.points,
            explanation: self.explanation(picture),
            baseline: self.baseline(picture),
            details: self.details(picture),
            flags: Vec::new(),
        }
    }

    fn baseline(&self, picture: &Picture) -> Map<String, Value> {
        let mut map = Map::from_iter([("transactions".into(), json!(picture.older.count))]);
        if let Some(rate) = self.usual_per_day {
            map.insert("usual_per_day".into(), json!(rounded(rate)));
            map.insert("days".into(), json!(rounded(picture.older_days())));
        }
        map
    }

    fn details(&self, picture: &Picture) -> Map<String, Value> {
        let mut map = Map::from_iter([
            ("count_1h".into(), json!(picture.hour.count)),
            ("count_1h_limit".into(), json!(self.limit_1h)),
            ("count_24h".into(), json!(picture.day.count)),
            ("count_24h_limit".into(), json!(self.limit_24h)),
            ("sum_1h".into(), money(picture, picture.hour.sum).json()),
            ("sum_24h".into(), money(picture, picture.day.sum).json()),
        ]);
        if let Some(limit) = self.limit_sum {
            map.insert("sum_24h_limit".into(), money(picture, limit).json());
        }
        if picture.is_cut {
            map.insert("counts_are_minimum".into(), json!(true));
        }
        map
    }

    fn explanation(&self, picture: &Picture) -> String {
        let transactions = |count| counted(count, "transaction", "transactions");
        let usual = self
            .usual_per_day
            .map(|rate| format!("; the usual rate was {} a day", number(rounded(rate))))
            .unwrap_or_else(|| "; the customer's usual rate was not known".into());
        if self.outcome() == Outcome::Clear {
            return format!(
                "The customer made {} in 1 hour and {} in 24 hours, below the limits of {} and {}{usual}.",
                transactions(picture.hour.count),
                picture.day.count,
                self.limit_1h,
                self.limit_24h,
            );
        }
        match self.leading {
            Leading::Count1h => format!(
                "The customer made {} in 1 hour, against a limit of {}{usual}.",
                transactions(picture.hour.count),
                self.limit_1h
            ),
            Leading::Count24h => format!(
                "The customer made {} in 24 hours, against a limit of {}{usual}.",
                transactions(picture.day.count),
                self.limit_24h
            ),
            Leading::Sum24h => format!(
                "The customer's transactions in 24 hours came to {}, against a limit of {}{usual}.",
                money(picture, picture.day.sum).text(),
                money(picture, self.limit_sum.unwrap_or_default()).text(),
            ),
        }
    }
}

/// Counts from here on are out of the ordinary at this rate.
fn limit(rate: Option<f64>, settings: &VelocitySettings, least: u32) -> Option<u32> {
    let limit = |rate: f64| (rate + settings.deviations * rate.sqrt() + 2.0).ceil();
    rate.map(|rate| (limit(rate) as u32).max(least))
}

fn is_sum_judged(settings: &VelocitySettings, picture: &Picture) -> bool {
    let is_above_median = picture.baseline.is_none_or(|baseline| picture.minor > baseline.median_minor);
    let is_of_several = u128::from(picture.day_largest) * 2 <= picture.day.sum;
    picture.day.count >= settings.sum_transactions_min && is_above_median && is_of_several
}

/// The lower of the customer's own limit and the fixed one, in minor units.
fn sum_limit(settings: &VelocitySettings, picture: &Picture, usual_per_day: Option<f64>) -> Option<u128> {
    let fixed = settings.sum_24h_limits.iter().find(|limit| limit.currency() == picture.currency);
    let fixed = fixed.map(|limit| u128::from(minor_of(limit)));
    let own = usual_per_day.zip(picture.baseline).map(|(_, baseline)| {
        let usual_sum = picture.older.sum as f64 / picture.older_days();
        let by_day = settings.sum_times_usual_day * usual_sum;
        by_day.max(settings.sum_times_median * baseline.median_minor as f64) as u128
    });
    match (fixed, own) {
        (Some(fixed), Some(own)) => Some(fixed.min(own)),
        (fixed, own) => fixed.or(own),
    }
}

fn money(picture: &Picture, minor: u128) -> Sum {
    Sum { minor, currency: picture.currency, decimals: picture.decimals }
}

#[cfg(test)]
mod tests {
    use countersign_domain::Transaction;

    use super::*;
    use crate::sample::{assess, tx};

    const DAY: i64 = 1_440;

    /// One transaction of 100 a day for ten days, the last two days ago: a usual rate of 1 a day.
    fn regular() -> Vec<Transaction> {
        (2..=11).map(|days| tx(-days * DAY, json!({}))).collect()
    }

    fn check(earlier: Vec<Transaction>, amount: u64, expected: (Outcome, u8, f64, f64, &str)) -> Signal {
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
    fn without_a_history_the_fixed_limits_hold() {
        check(each_minute(6).collect(), 5, (Outcome::Clear, 0, 7.0, 8.0, "transactions in 1 hour"));
        check(each_minute(7).collect(), 5, (Outcome::Fired, 15, 8.0, 8.0, "transactions in 1 hour"));
        check(each_minute(23).collect(), 5, (Outcome::Fired, 45, 24.0, 8.0, "transactions in 1 hour"));
    }

    #[test]
    fn a_customers_own_rate_makes_the_limit() {
        let with = |count| regular().into_iter().chain(each_minute(count)).collect();
        check(with(3), 5, (Outcome::Clear, 0, 4.0, 5.0, "transactions in 1 hour"));
        check(with(4), 5, (Outcome::Fired, 15, 5.0, 5.0, "transactions in 1 hour"));
        let signal = check(with(9), 5, (Outcome::Fired, 30, 10.0, 5.0, "transactions in 1 hour"));
        assert_eq!(
            signal.explanation,
            "The customer made 10 transactions in 1 hour, against a limit of 5; the usual rate was 1 a day."
        );
        assert_eq!(signal.details["sum_1h"], json!({"amount": "50.00", "currency": "USD"}));
    }

    #[test]
    fn windows_end_with_the_transaction_and_leave_out_their_first_instant() {
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
        let signal = check(with(&[5, 3]), 450, (Outcome::Fired, 17, 1_350.0, 1_200.0, "USD in 24 hours"));
        assert!(signal.explanation.contains("came to USD 1,350.00, against a limit of USD 1,200.00"), "{signal:?}");
        check(with(&[5, 3]), 100, (Outcome::Clear, 0, 3.0, 8.0, "transactions in 24 hours"));
        check(with(&[5, 3]), 30_000, (Outcome::Clear, 0, 3.0, 8.0, "transactions in 24 hours"));
        check(with(&[5]), 30_000, (Outcome::Clear, 0, 2.0, 8.0, "transactions in 24 hours"));
    }

    #[test]
    fn sums_are_of_one_currency_and_counts_of_all() {
        let other = tx(-5, json!({"amount": {"amount": "7", "currency": "EUR"}}));
        let [_, (_, signal), ..] = assess(&tx(0, json!({})), &[other]).signals();
        assert_eq!(signal.details["sum_1h"], json!({"amount": "100.00", "currency": "USD"}));
        assert_eq!(signal.details["count_1h"], json!(2));
    }

    #[test]
    fn a_count_that_fills_the_history_says_that_it_is_the_least() {
        let many: Vec<_> = (0..80).map(|n| tx(-n, json!({}))).collect();
        let [_, (_, signal), ..] = assess(&tx(0, json!({})), &many).signals();
        assert_eq!((&signal.details["count_24h"], &signal.details["counts_are_minimum"]), (&json!(65), &json!(true)));
    }

    #[test]
    fn a_fixed_limit_on_sums_holds_without_a_history() {
        let limits = vec![serde_json::from_value(json!({"amount": "250.00", "currency": "USD"})).unwrap()];
        let velocity = VelocitySettings { sum_24h_limits: limits, ..Default::default() };
        let settings = crate::Settings { velocity, ..Default::default() };
        let history = crate::sample::history(&[tx(-2, json!({"amount": 80})), tx(-1, json!({"amount": 80}))]);
        let detector = crate::Detector::new(settings, crate::Rules::default());
        assert_eq!(detector.assess(9, &tx(0, json!({"amount": 90})), &history).contributions(), [0, 15, 0, 0]);
        assert_eq!(detector.assess(9, &tx(0, json!({"amount": 89})), &history).contributions(), [0, 0, 0, 0]);
    }
}
