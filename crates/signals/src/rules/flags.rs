//! Which rules held, the points they bring, and the signal.

use countersign_domain::{
    Signal,
    signal::{DetectionOutcome, RuleFlag},
};
use serde_json::{Map, Value, json};

use super::{LocalClock, Rules};
use crate::wording::counted;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FlagsMeasurement {
    /// One bit per rule that held, in the order of the file.
    held: u64,
    /// One bit per rule that could not be evaluated.
    failed: u64,
    /// The sum of the weights of the rules that held, at most 100.
    pub(crate) points: u8,
}

impl FlagsMeasurement {
    pub(super) fn mark_held(&mut self, index: usize, weight: u8) {
        self.held |= 1 << index;
        self.points = self.points.saturating_add(weight).min(100);
    }

    pub(super) fn mark_failed(&mut self, index: usize) {
        self.failed |= 1 << index;
    }

    pub(crate) fn outcome(self, rules: &Rules) -> DetectionOutcome {
        match (self.held, rules.is_empty()) {
            (_, true) => DetectionOutcome::NotApplicable,
            (0, _) => DetectionOutcome::Clear,
            _ => DetectionOutcome::Fired,
        }
    }

    pub(crate) fn signal(self, rules: &Rules, clock: LocalClock) -> Signal {
        Signal {
            outcome: self.outcome(rules),
            value: Some(f64::from(self.held.count_ones())),
            threshold: Some(1.0),
            unit: Some("rules that held".into()),
            contribution: self.points,
            explanation: self.explanation(rules, clock),
            baseline: Map::from_iter([
                ("rules".into(), json!(rules.len())),
                ("rules_hash".into(), json!(rules.hash())),
            ]),
            details: self.details(rules, clock),
            flags: indices(self.held, rules).map(|index| rules.flag(index)).collect(),
        }
    }

    pub(crate) fn failed_names(self, rules: &Rules) -> Vec<&str> {
        indices(self.failed, rules).map(|index| rules.rules[index].rule.name.as_str()).collect()
    }

    fn details(self, rules: &Rules, clock: LocalClock) -> Map<String, Value> {
        let mut map = Map::new();
        if self.uses_clock(rules) {
            map.insert("hour".into(), json!(clock.hour));
            map.insert("hour_by".into(), json!(clock.source()));
        }
        if self.failed != 0 {
            map.insert("failed".into(), json!(self.failed_names(rules)));
        }
        map
    }

    fn uses_clock(self, rules: &Rules) -> bool {
        indices(self.held, rules).any(|index| rules.rules[index].uses_clock)
    }

    fn explanation(self, rules: &Rules, clock: LocalClock) -> String {
        if rules.is_empty() {
            return "No rules were in force.".into();
        }
        if self.held == 0 {
            return format!("None of the {} held.", counted(rules.len() as u32, "rule", "rules"));
        }
        let name = |index: usize| {
            let rule = &rules.rules[index].rule;
            format!("{} ({})", rule.name, counted(rule.weight.into(), "point", "points"))
        };
        let names: Vec<_> = indices(self.held, rules).map(name).collect();
        let hour = match self.uses_clock(rules) {
            true => format!("; the hour was {} by {}", clock.hour, clock.source()),
            false => String::new(),
        };
        format!(
            "{} of {} held: {}{hour}.",
            self.held.count_ones(),
            counted(rules.len() as u32, "rule", "rules"),
            names.join(", ")
        )
    }
}

impl Rules {
    fn flag(&self, index: usize) -> RuleFlag {
        let rule = &self.rules[index].rule;
        RuleFlag { name: rule.name.clone(), weight: rule.weight, message: rule.message.clone() }
    }
}

/// The indices of the bits that are set.
fn indices(bits: u64, rules: &Rules) -> impl Iterator<Item = usize> {
    (0..rules.len().min(64)).filter(move |index| bits >> index & 1 == 1)
}
