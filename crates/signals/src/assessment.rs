//! What the detector made of a transaction: numbers at first, sentences when asked for.

use std::sync::Arc;

use countersign_domain::{Score, Severity, Signal, SignalName, signal::Outcome};
use serde_json::{Map, Value};

use crate::{
    Rules, Settings,
    amount::Amount,
    geography::Geography,
    picture::Picture,
    rules::{Clock, Flags},
    velocity::Velocity,
};

#[derive(Debug, Clone)]
pub struct Assessment {
    pub score: Score,
    pub severity: Severity,
    /// Of the contributions, before the score was cut at 100.
    pub sum: u32,
    settings: Arc<Settings>,
    rules: Arc<Rules>,
    clock: Clock,
    picture: Picture,
    amount: Amount,
    velocity: Velocity,
    geography: Geography,
    flags: Flags,
}

impl Assessment {
    pub(crate) fn new(
        settings: Arc<Settings>,
        rules: Arc<Rules>,
        clock: Clock,
        picture: Picture,
        (amount, velocity, geography, flags): (Amount, Velocity, Geography, Flags),
    ) -> Self {
        let points = [amount.points, velocity.points, geography.points, flags.points];
        let sum: u32 = points.into_iter().map(u32::from).sum();
        let score = Score::capped(sum);
        let severity = Severity::of(score);
        Self { score, severity, sum, settings, rules, clock, picture, amount, velocity, geography, flags }
    }

    /// Whether the transaction makes an alert: some signal fired and brought points.
    pub fn fires(&self) -> bool {
        self.score.get() > 0 && self.outcomes().contains(&Outcome::Fired)
    }

    /// Whether the contributions came to more than 100.
    pub fn is_capped(&self) -> bool {
        self.sum > 100
    }

    /// In the order of `SignalName::ALL`.
    pub fn outcomes(&self) -> [Outcome; 4] {
        [self.amount.outcome, self.velocity.outcome(), self.geography.outcome(), self.flags.outcome(&self.rules)]
    }

    /// Points of each signal, in the order of `SignalName::ALL`.
    pub fn contributions(&self) -> [u8; 4] {
        [self.amount.points, self.velocity.points, self.geography.points, self.flags.points]
    }

    /// All four, also those that did not fire, in the order of `SignalName::ALL`.
    pub fn signals(&self) -> [(SignalName, Signal); 4] {
        let (settings, picture) = (&self.settings, &self.picture);
        [
            (SignalName::AmountDeviation, self.amount.signal(&settings.amount, picture)),
            (SignalName::VelocityAnomaly, self.velocity.signal(picture)),
            (SignalName::GeographicInconsistency, self.geography.signal(&settings.geography, picture)),
            (SignalName::RuleFlags, self.flags.signal(&self.rules, self.clock)),
        ]
    }

    /// As an alert carries them, under `metadata.signals`.
    pub fn signals_json(&self) -> Map<String, Value> {
        self.signals()
            .into_iter()
            .map(|(name, signal)| (name.as_str().to_owned(), serde_json::to_value(signal).unwrap_or_default()))
            .collect()
    }

    /// Rules that could not be evaluated, such as by an overflow; they count as not held.
    pub fn failed_rules(&self) -> Vec<&str> {
        self.flags.failed_names(&self.rules)
    }
}
