//! `amount_deviation`: how far an amount lies from the customer's own earlier ones in the same currency.
//!
//! A modified z-score on log amounts, against the median, in units of the scaled median absolute deviation. The measured
//! spread is drawn towards a typical one, so that a customer whose amounts hardly vary is not alarmed by a tenth more; with
//! all earlier amounts equal the typical spread alone is the scale. Only an amount above the baseline brings points: whoever
//! steals takes more, not less, and small amounts in quick succession are `velocity_anomaly`'s.

use countersign_domain::{Signal, signal::Outcome};
use serde_json::{Map, Value, json};

use crate::{
    picture::Picture,
    robust::{Baseline, SpreadFrom},
    settings::AmountSettings,
    wording::{Sum, counted, number, rounded},
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Amount {
    pub(crate) outcome: Outcome,
    z: f64,
    ratio: f64,
    pub(crate) points: u8,
}

impl Amount {
    pub(crate) fn measure(settings: &AmountSettings, picture: &Picture) -> Self {
        let enough = |transactions| transactions >= settings.transactions_min;
        let Some(baseline) = picture.baseline.filter(|baseline| enough(baseline.transactions)) else {
            return Self { outcome: Outcome::InsufficientHistory, z: 0.0, ratio: 0.0, points: 0 };
        };
        let ratio = picture.minor as f64 / baseline.median_minor as f64;
        let z = ratio.ln() / scale(settings, baseline);
        let points = settings.points.points(z / settings.z_threshold);
        let outcome = if z >= settings.z_threshold { Outcome::Fired } else { Outcome::Clear };
        Self { outcome, z, ratio, points }
    }

    pub(crate) fn signal(&self, settings: &AmountSettings, picture: &Picture) -> Signal {
        let is_measured = self.outcome != Outcome::InsufficientHistory;
        Signal {
            outcome: self.outcome,
            value: is_measured.then(|| rounded(self.z)),
            threshold: Some(settings.z_threshold),
            unit: Some("modified z-score".into()),
            contribution: self.points,
            explanation: self.explanation(settings, picture),
            baseline: baseline(settings, picture),
            details: if is_measured { self.details(picture) } else { Map::new() },
            flags: Vec::new(),
        }
    }

    fn details(&self, picture: &Picture) -> Map<String, Value> {
        Map::from_iter([
            ("amount".into(), money(picture, picture.minor).json()),
            ("ratio_to_median".into(), json!(rounded(self.ratio))),
        ])
    }

    fn explanation(&self, settings: &AmountSettings, picture: &Picture) -> String {
        let Some(baseline) = picture.baseline.filter(|_| self.outcome != Outcome::InsufficientHistory) else {
            return format!(
                "The record held {} in {}, fewer than the {} that a comparison of amounts needed.",
                counted(picture.same_currency, "earlier transaction", "earlier transactions"),
                picture.currency,
                settings.transactions_min,
            );
        };
        let (z, threshold) = (number(rounded(self.z)), number(settings.z_threshold));
        let verdict = match self.outcome {
            Outcome::Fired => format!("its modified z-score of {z} reached the threshold of {threshold}"),
            _ if self.points > 0 => format!(
                "its modified z-score of {z} stayed below the threshold of {threshold} and added {}",
                counted(self.points.into(), "point", "points")
            ),
            _ => format!("its modified z-score of {z} stayed below the threshold of {threshold}"),
        };
        format!(
            "The amount of {} was {} times the customer's median of {} over {}; {verdict}.",
            money(picture, picture.minor).text(),
            number(rounded(self.ratio)),
            money(picture, baseline.median_minor).text(),
            counted(baseline.transactions, "earlier transaction", "earlier transactions"),
        )
    }
}

fn baseline(settings: &AmountSettings, picture: &Picture) -> Map<String, Value> {
    let mut map = Map::from_iter([
        ("transactions".into(), json!(picture.same_currency)),
        ("transactions_needed".into(), json!(settings.transactions_min)),
    ]);
    if let Some(baseline) = picture.baseline {
        let spread_from = match baseline.spread_from {
            SpreadFrom::MedianDeviation => "median absolute deviation",
            SpreadFrom::MeanDeviation => "mean absolute deviation",
            SpreadFrom::AllEqual => "all amounts were equal",
        };
        map.insert("median_amount".into(), money(picture, baseline.median_minor).json());
        map.insert("log_spread".into(), json!(rounded(baseline.spread)));
        map.insert("log_spread_from".into(), json!(spread_from));
        map.insert("log_scale".into(), json!(rounded(scale(settings, baseline))));
    }
    map
}

/// The measured spread and the typical one, each by its number of transactions.
fn scale(settings: &AmountSettings, baseline: Baseline) -> f64 {
    let (measured, typical) = (f64::from(baseline.transactions), settings.typical_weight.max(0.0));
    let squares = measured * baseline.spread.powi(2) + typical * settings.typical_spread.powi(2);
    (squares / (measured + typical)).sqrt().max(f64::MIN_POSITIVE)
}

fn money(picture: &Picture, minor: u64) -> Sum {
    Sum { minor: minor.into(), currency: picture.currency, decimals: picture.decimals }
}
