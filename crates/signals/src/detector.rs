//! The detector: immutable settings and rules, and `assess`.

use std::sync::Arc;

use countersign_domain::Transaction;

use crate::{
    Assessment, DetectorSettings, History, Rules, amount::AmountMeasurement, geography::GeographyMeasurement,
    rules::RuleVariables, snapshot::CustomerSnapshot, velocity::VelocityMeasurement,
};

#[derive(Debug, Clone, Default)]
pub struct Detector {
    settings: Arc<DetectorSettings>,
    rules: Arc<Rules>,
}

impl Detector {
    pub fn new(settings: DetectorSettings, rules: Rules) -> Self {
        Self { settings: Arc::new(settings), rules: Arc::new(rules) }
    }

    /// A detector with the default settings and the built-in rules.
    pub fn built_in() -> Self {
        Self::new(DetectorSettings::default(), Rules::built_in())
    }

    pub fn settings(&self) -> &DetectorSettings {
        &self.settings
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Measures one transaction. Only earlier transactions of the history count, so the history may already contain this one and
    /// later ones.
    pub fn assess(&self, seq: u64, tx: &Transaction, history: &History) -> Assessment {
        let snapshot = CustomerSnapshot::new(seq, tx, history);
        let amount = AmountMeasurement::measure(&self.settings.amount, &snapshot);
        let velocity = VelocityMeasurement::measure(&self.settings.velocity, &snapshot);
        let geography = GeographyMeasurement::measure(&self.settings.geography, tx, &snapshot);
        let variables = RuleVariables::new(tx, &snapshot);
        let flags = self.rules.flags(&variables);
        Assessment::new(
            Arc::clone(&self.settings),
            Arc::clone(&self.rules),
            variables.clock(),
            snapshot,
            (amount, velocity, geography, flags),
        )
    }
}
