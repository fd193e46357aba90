//! A signal in words: its name, what it measured, and how that stood to its threshold.

use std::cmp::Ordering;

use countersign_domain::{Money, SignalName};
use serde_json::{Map, Value};

use super::{outside, say};
use crate::{Context, SignalFacts, SignalOutcome};

pub(super) struct Measured<'a> {
    pub(super) facts: &'a SignalFacts,
    pub(super) known: Option<SignalName>,
    /// `amount deviation`; `signal` and its name where it is somebody else's.
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) threshold: Option<String>,
    pub(super) points: Option<u8>,
}

/// Orders signals for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Raised,
    Clear,
    WithoutResult,
}

impl<'a> Measured<'a> {
    pub(super) fn of(facts: &'a SignalFacts, context: &Context) -> Self {
        let known = facts.known();
        let composed = || context.score.contributions.iter().find(|part| part.signal == facts.name);
        Self {
            facts,
            known,
            name: name(known, &facts.name),
            value: facts.value.and_then(say::number),
            threshold: facts.threshold.and_then(say::number),
            points: facts.contribution.or_else(|| composed().map(|part| part.points)),
        }
    }

    pub(super) fn standing(&self) -> Standing {
        match self.facts.outcome {
            SignalOutcome::Fired | SignalOutcome::Reported => Standing::Raised,
            SignalOutcome::Clear => Standing::Clear,
            SignalOutcome::InsufficientHistory | SignalOutcome::NotApplicable => Standing::WithoutResult,
        }
    }

    pub(super) fn has_fired(&self) -> bool {
        self.facts.outcome == SignalOutcome::Fired
    }

    pub(super) fn is_reported(&self) -> bool {
        self.facts.outcome == SignalOutcome::Reported
    }

    pub(super) fn is_clear(&self) -> bool {
        self.facts.outcome == SignalOutcome::Clear
    }

    pub(super) fn lacks_result(&self) -> bool {
        self.standing() == Standing::WithoutResult
    }

    pub(super) fn is(&self, name: SignalName) -> bool {
        self.known == Some(name)
    }

    /// `a modified z-score of 7.21`, `17,000 km/h`
    pub(super) fn reading(&self) -> Option<String> {
        let value = self.value.as_ref()?;
        Some(match self.facts.unit.as_deref().and_then(outside::unit) {
            None => format!("a value of {value}"),
            Some(unit) if unit.ends_with("score") => format!("a {unit} of {value}"),
            Some(unit) => format!("{value} {}", agreeing(unit, value)),
        })
    }

    /// `which exceeded its threshold of 3.5`
    pub(super) fn against_threshold(&self) -> Option<String> {
        let threshold = self.threshold.as_ref()?;
        let verb = match self.order()? {
            Ordering::Greater => "exceeded",
            Ordering::Equal => "met",
            Ordering::Less => "stayed below",
        };
        Some(format!("{verb} its threshold of {threshold}"))
    }

    /// Value to threshold, as they are written: what rounds to the same figure must not read as more.
    pub(super) fn order(&self) -> Option<Ordering> {
        if self.value.as_ref()? == self.threshold.as_ref()? {
            return Some(Ordering::Equal);
        }
        self.facts.value?.partial_cmp(&self.facts.threshold?)
    }

    /// A figure of `details`, or of `baseline`.
    pub(super) fn figure(&self, key: &str) -> Option<String> {
        self.find(key).and_then(Value::as_f64).and_then(say::number)
    }

    pub(super) fn whole(&self, key: &str) -> Option<u64> {
        self.find(key).and_then(Value::as_u64)
    }

    pub(super) fn money(&self, key: &str) -> Option<String> {
        let money: Money = serde_json::from_value(self.find(key)?.clone()).ok()?;
        Some(say::money(&money))
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.find(key).and_then(Value::as_str)
    }

    fn find(&self, key: &str) -> Option<&'a Value> {
        self.facts.details.get(key).or_else(|| self.facts.baseline.get(key))
    }

    /// Plain numbers of an outside signal, by the names that its sender gave them.
    pub(super) fn plain_figures(&self, most: usize) -> Vec<String> {
        figures(&self.facts.details).take(most).collect()
    }

    /// Rules that held, heaviest first: `round_amount` with a weight of 8.
    pub(super) fn rules(&self, most: usize) -> Vec<String> {
        let mut flags: Vec<_> = self.facts.flags.iter().collect();
        flags.sort_by_key(|flag| std::cmp::Reverse(flag.weight));
        let named = |name: &str| outside::named(name).unwrap_or_else(|| "an unnamed rule".into());
        flags.iter().take(most).map(|flag| format!("{} with a weight of {}", named(&flag.name), flag.weight)).collect()
    }
}

fn figures(fields: &Map<String, Value>) -> impl Iterator<Item = String> {
    fields.iter().filter_map(|(key, value)| {
        let value = say::number(value.as_f64()?)?;
        let key = (key.len() <= outside::QUOTE_CHARS_MAX).then(|| outside::id(key)).flatten()?;
        Some(format!("{key} of {value}"))
    })
}

/// `1 transactions` is how a unit and a value read when nobody looks.
fn agreeing<'a>(unit: &'a str, value: &str) -> &'a str {
    if value == "1" { unit.strip_suffix('s').unwrap_or(unit) } else { unit }
}

pub(super) fn plain_name(name: SignalName) -> &'static str {
    match name {
        SignalName::AmountDeviation => "amount deviation",
        SignalName::VelocityAnomaly => "velocity anomaly",
        SignalName::GeographicInconsistency => "geographic inconsistency",
        SignalName::RuleFlags => "rule flags",
    }
}

fn name(known: Option<SignalName>, given: &str) -> String {
    match known {
        Some(known) => plain_name(known).to_owned(),
        None => outside::named(given).map_or_else(|| "an unnamed signal".into(), |given| format!("signal {given}")),
    }
}
