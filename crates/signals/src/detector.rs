//! The detector: settings and rules, and nothing that changes.

use std::sync::Arc;

use countersign_domain::Transaction;

use crate::{
    Assessment, History, Rules, Settings, amount::Amount, geography::Geography, picture::Picture, rules::Facts,
    velocity::Velocity,
};

#[derive(Debug, Clone, Default)]
pub struct Detector {
    settings: Arc<Settings>,
    rules: Arc<Rules>,
}

impl Detector {
    pub fn new(settings: Settings, rules: Rules) -> Self {
        Self { settings: Arc::new(settings), rules: Arc::new(rules) }
    }

    /// With the built-in rules.
    pub fn built_in() -> Self {
        Self::new(Settings::default(), Rules::built_in())
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Measures one transaction. Of the history only what was earlier counts, so that it may hold this transaction and
    /// later ones already.
    pub fn assess(&self, seq: u64, tx: &Transaction, history: &History) -> Assessment {
        let picture = Picture::new(seq, tx, history);
        let amount = Amount::measure(&self.settings.amount, &picture);
        let velocity = Velocity::measure(&self.settings.velocity, &picture);
        let geography = Geography::measure(&self.settings.geography, tx, &picture);
        let facts = Facts::new(tx, &picture);
        let flags = self.rules.flags(&facts);
        Assessment::new(
            Arc::clone(&self.settings),
            Arc::clone(&self.rules),
            facts.clock(),
            picture,
            (amount, velocity, geography, flags),
        )
    }
}
