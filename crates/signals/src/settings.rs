//! The detector's settings: thresholds, limits and points, each with its reason. The program uses the defaults; operators can
//! change only the rules.

use countersign_domain::Money;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetectorSettings {
    pub amount: AmountSettings,
    pub velocity: VelocitySettings,
    pub geography: GeographySettings,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AmountSettings {
    /// With fewer earlier transactions in the same currency, an amount is not compared.
    pub transactions_min: u32,
    /// The modified z-score at which the signal fires. 3.5 is the usual cut-off (Iglewicz and Hoaglin).
    pub z_threshold: f64,
    /// The spread of log amounts that a customer is assumed to have before any are known. The median deviation of a few amounts
    /// is a poor estimate, so the measured spread is drawn towards this one. Even a customer whose 64 amounts never varied must
    /// more than double one to reach 3.5.
    pub typical_spread: f64,
    /// The weight of the typical spread, as a number of transactions.
    pub typical_weight: f64,
    pub points: PointsCurve,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocitySettings {
    /// The number of transactions within an hour at which the signal fires for a customer without a known usual rate.
    pub count_1h: u32,
    /// The same within 24 hours.
    pub count_24h: u32,
    /// The lowest possible limit per hour for a customer with a known usual rate.
    pub own_count_1h_min: u32,
    /// The same within 24 hours.
    pub own_count_24h_min: u32,
    /// With fewer transactions older than 24 hours, there is no usual rate.
    pub transactions_min: u32,
    /// A customer's own limit is this many standard deviations of a Poisson count above the usual count.
    pub deviations: f64,
    /// A 24-hour sum fires at this many times the customer's usual sum of a day ...
    pub sum_times_usual_day: f64,
    /// ... but not below this many times the median amount.
    pub sum_times_median: f64,
    /// A sum is judged only over at least this many transactions, and only if none of them makes up more than half: a single
    /// large amount belongs to `amount_deviation`.
    pub sum_transactions_min: u32,
    /// Fixed limits on the sum within 24 hours, at most one per currency.
    pub sum_24h_limits: Vec<Money>,
    pub points: PointsCurve,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeographySettings {
    /// Shorter trips are never impossible, because addresses are coarse.
    pub distance_km_min: f64,
    /// The speed from which a trip is impossible: faster than airliners cruise.
    pub speed_kmh: f64,
    /// Shorter times count as this many minutes: clocks differ, and equal times must not divide by zero.
    pub minutes_min: f64,
    pub points: PointsCurve,
    /// With fewer earlier located transactions, no country counts as new.
    pub located_min: u32,
    pub new_country_points: u8,
}

/// How points grow with a value, piecewise linear: `at_threshold` points where the signal fires, up to `most` at `most_at` times
/// the threshold. If `from` is below 1, a value close to the threshold already brings some points. It doesn't fire by itself,
/// but it counts if another signal does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointsCurve {
    pub from: f64,
    pub at_threshold: u8,
    pub most: u8,
    pub most_at: f64,
}

impl PointsCurve {
    /// `ratio` is the value divided by its threshold.
    pub(crate) fn points(self, ratio: f64) -> u8 {
        let (at_threshold, most) = (f64::from(self.at_threshold.min(100)), f64::from(self.most.min(100)));
        let share = |from: f64, to: f64| ((ratio - from) / (to - from).max(f64::EPSILON)).clamp(0.0, 1.0);
        let points = match ratio {
            1.0.. => at_threshold + (most - at_threshold) * share(1.0, self.most_at),
            _ if ratio >= self.from => at_threshold * share(self.from, 1.0),
            _ => 0.0,
        };
        points.round() as u8
    }
}

impl Default for AmountSettings {
    fn default() -> Self {
        Self {
            transactions_min: 5,
            z_threshold: 3.5,
            typical_spread: 0.4,
            typical_weight: 32.0,
            points: PointsCurve { from: 0.6, at_threshold: 40, most: 70, most_at: 2.0 },
        }
    }
}

impl Default for VelocitySettings {
    fn default() -> Self {
        Self {
            count_1h: 8,
            count_24h: 15,
            own_count_1h_min: 5,
            own_count_24h_min: 8,
            transactions_min: 5,
            deviations: 4.0,
            sum_times_usual_day: 8.0,
            sum_times_median: 12.0,
            sum_transactions_min: 3,
            sum_24h_limits: Vec::new(),
            points: PointsCurve { from: 1.0, at_threshold: 15, most: 45, most_at: 3.0 },
        }
    }
}

impl Default for GeographySettings {
    fn default() -> Self {
        Self {
            distance_km_min: 500.0,
            speed_kmh: 1_000.0,
            minutes_min: 1.0,
            points: PointsCurve { from: 1.0, at_threshold: 40, most: 60, most_at: 5.0 },
            located_min: 5,
            new_country_points: 15,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_grow_piecewise_linearly_up_to_a_maximum() {
        let curve = PointsCurve { from: 0.5, at_threshold: 30, most: 60, most_at: 2.0 };
        let rows = [
            (-3.0, 0),
            (0.49, 0),
            (0.75, 15),
            (1.0, 30),
            (1.5, 45),
            (2.0, 60),
            (9.0, 60),
            (f64::INFINITY, 60),
            (f64::NAN, 0),
        ];
        for (ratio, points) in rows {
            assert_eq!(curve.points(ratio), points, "{ratio}");
        }
        assert_eq!(PointsCurve { from: 1.0, ..curve }.points(0.999), 0);
    }

    #[test]
    fn points_of_any_curve_stay_within_100() {
        for most_at in [f64::NAN, f64::INFINITY, 0.0, -5.0, 1.0] {
            let curve = PointsCurve { from: most_at, at_threshold: 200, most: 255, most_at };
            assert!(curve.points(1.0) <= 100 && curve.points(1e300) <= 100, "{most_at}");
        }
    }

    #[test]
    fn missing_settings_have_their_defaults() {
        let settings: DetectorSettings = serde_json::from_str(r#"{"geography":{"speed_kmh":900}}"#).unwrap();
        assert_eq!(settings.geography.speed_kmh, 900.0);
        assert_eq!(settings.amount, AmountSettings::default());
        assert!(serde_json::from_str::<DetectorSettings>(r#"{"geografy":{}}"#).is_err());
    }
}
