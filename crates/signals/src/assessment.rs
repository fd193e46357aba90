//! The detector's result: numbers at once, sentences and JSON on request.

use std::sync::Arc;

use countersign_domain::{Score, Severity, Signal, SignalName, signal::DetectionOutcome};
use serde_json::{Map, Value};

use crate::{
    DetectorSettings, Rules,
    amount::AmountMeasurement,
    geography::GeographyMeasurement,
    rules::{FlagsMeasurement, LocalClock},
    snapshot::CustomerSnapshot,
    velocity::VelocityMeasurement,
};

#[derive(Debug, Clone)]
pub struct Assessment {
    pub score: Score,
    pub severity: Severity,
    /// The sum of the contributions, before the score was capped at 100.
    pub sum: u32,
    settings: Arc<DetectorSettings>,
    rules: Arc<Rules>,
    clock: LocalClock,
    snapshot: CustomerSnapshot,
    amount: AmountMeasurement,
    velocity: VelocityMeasurement,
    geography: GeographyMeasurement,
    flags: FlagsMeasurement,
}

impl Assessment {
    pub(crate) fn new(
        settings: Arc<DetectorSettings>,
        rules: Arc<Rules>,
        clock: LocalClock,
        snapshot: CustomerSnapshot,
        (amount, velocity, geography, flags): (
            AmountMeasurement,
            VelocityMeasurement,
            GeographyMeasurement,
            FlagsMeasurement,
        ),
    ) -> Self {
        let points = [amount.points, velocity.points, geography.points, flags.points];
        let sum: u32 = points.into_iter().map(u32::from).sum();
        let score = Score::capped(sum);
        let severity = Severity::of(score);
        Self { score, severity, sum, settings, rules, clock, snapshot, amount, velocity, geography, flags }
    }

    /// Whether the transaction raises an alert: at least one signal fired, and the score is not 0.
    pub fn fires(&self) -> bool {
        self.score.get() > 0 && self.outcomes().contains(&DetectionOutcome::Fired)
    }

    /// Whether the contributions came to more than 100.
    pub fn is_capped(&self) -> bool {
        self.sum > 100
    }

    /// The outcome of each signal, in the order of `SignalName::ALL`.
    pub fn outcomes(&self) -> [DetectionOutcome; 4] {
        [self.amount.outcome, self.velocity.outcome(), self.geography.outcome(), self.flags.outcome(&self.rules)]
    }

    /// The points of each signal, in the order of `SignalName::ALL`.
    pub fn contributions(&self) -> [u8; 4] {
        [self.amount.points, self.velocity.points, self.geography.points, self.flags.points]
    }

    /// All four signals, whether they fired or not, in the order of `SignalName::ALL`.
    pub fn signals(&self) -> [(SignalName, Signal); 4] {
        let (settings, snapshot) = (&self.settings, &self.snapshot);
        [
            (SignalName::AmountDeviation, self.amount.signal(&settings.amount, snapshot)),
            (SignalName::VelocityAnomaly, self.velocity.signal(snapshot)),
            (SignalName::GeographicInconsistency, self.geography.signal(&settings.geography, snapshot)),
            (SignalName::RuleFlags, self.flags.signal(&self.rules, self.clock)),
        ]
    }

    /// The signals as an alert carries them under `metadata.signals`.
    pub fn signals_json(&self) -> Map<String, Value> {
        self.signals()
            .into_iter()
            .map(|(name, signal)| (name.as_str().to_owned(), serde_json::to_value(signal).unwrap_or_default()))
            .collect()
    }

    /// Rules that could not be evaluated, for example because of an overflow. They count as not held.
    pub fn failed_rules(&self) -> Vec<&str> {
        self.flags.failed_names(&self.rules)
    }
}
