//! A signal in words: its name, its value, and how the value compares with the threshold.

use std::cmp::{Ordering, Reverse};

use countersign_domain::{Currency, Money, SignalName, signal::RuleFlag};
use serde_json::{Map, Value};

use super::{outside, say};
use crate::{Context, SignalFacts, SignalOutcome};

/// A signal with its figures as text.
pub(super) struct SignalInWords<'a> {
    pub(super) facts: &'a SignalFacts,
    pub(super) known: Option<SignalName>,
    /// `amount deviation`, or `signal` and its name for an unknown signal.
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) threshold: Option<String>,
    pub(super) points: Option<u8>,
    /// Its index among the case's signals.
    pub(super) at: usize,
}

/// The groups in which signals are presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SignalGroup {
    Raised,
    Clear,
    WithoutResult,
}

impl<'a> SignalInWords<'a> {
    pub(super) fn of(facts: &'a SignalFacts, context: &Context) -> Self {
        let known = facts.known();
        let composed = || context.score.contributions.iter().find(|part| part.signal == facts.name);
        let currency = facts.unit.as_deref().and_then(counted_in_money).map(|(currency, _)| currency);
        let figure =
            |number: f64| Some(currency.map_or_else(String::new, |code| format!("{code} ")) + &say::number(number)?);
        Self {
            facts,
            known,
            name: name(known, &facts.name),
            value: facts.value.and_then(figure),
            threshold: facts.threshold.and_then(figure),
            points: facts.contribution.or_else(|| composed().map(|part| part.points)),
            at: 0,
        }
    }

    pub(super) fn group(&self) -> SignalGroup {
        match self.facts.outcome {
            SignalOutcome::Fired | SignalOutcome::Reported => SignalGroup::Raised,
            SignalOutcome::Clear => SignalGroup::Clear,
            SignalOutcome::InsufficientHistory | SignalOutcome::NotApplicable => SignalGroup::WithoutResult,
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
        self.group() == SignalGroup::WithoutResult
    }

    pub(super) fn is(&self, name: SignalName) -> bool {
        self.known == Some(name)
    }

    /// The value with its unit: `a modified z-score of 7.21`, `17,000 km/h`, `14 transactions in 1 hour`
    pub(super) fn reading(&self) -> Option<String> {
        let value = self.value.as_ref()?;
        let unit = self.facts.unit.as_deref().unwrap_or_default();
        Some(match counted_in_money(unit) {
            Some((_, window)) => format!("{value} in {window}"),
            None if unit == Z_SCORE => format!("a {unit} of {value}"),
            None if UNITS.contains(&unit) && !self.is_reported() => format!("{value} {}", agreeing(unit, value)),
            None if outside::is_unit(unit) => format!("a value of {value} in \"{unit}\""),
            None => format!("a value of {value}"),
        })
    }

    /// How the value compares with the threshold: `exceeded the threshold of 3.5`
    pub(super) fn against_threshold(&self) -> Option<String> {
        let threshold = self.threshold.as_ref()?;
        let verb = match self.order()? {
            Ordering::Greater => "exceeded",
            Ordering::Equal => "met",
            Ordering::Less => "stayed below",
        };
        Some(format!("{verb} the threshold of {threshold}"))
    }

    /// Compares value and threshold as written: if both round to the same figure, neither may be called
    /// larger.
    pub(super) fn order(&self) -> Option<Ordering> {
        if self.value.as_ref()? == self.threshold.as_ref()? {
            return Some(Ordering::Equal);
        }
        self.facts.value?.partial_cmp(&self.facts.threshold?)
    }

    /// A figure from `details` or `baseline`.
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

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.find(key).and_then(Value::as_bool) == Some(true)
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.find(key).and_then(Value::as_str)
    }

    fn find(&self, key: &str) -> Option<&'a Value> {
        self.facts.details.get(key).or_else(|| self.facts.baseline.get(key))
    }

    /// The plain numbers of an external signal, under the names that its sender gave them.
    pub(super) fn plain_figures(&self, most: usize) -> Vec<String> {
        let top_level = figures(&self.facts.details, "");
        let inner = self.facts.details.iter().filter_map(|(key, value)| Some((key, value.as_object()?)));
        let inner = inner.filter(|(key, _)| outside::is_key(key));
        top_level.chain(inner.flat_map(|(key, fields)| figures(fields, key))).take(most).collect()
    }

    /// Rules that held, heaviest first: `` `round_amount` with a weight of 8 ``.
    pub(super) fn rules(&self, most: usize) -> Vec<String> {
        let weighed = |flag: &&RuleFlag| format!("{} with a weight of {}", rule_name(flag), flag.weight);
        self.by_weight().iter().take(most).map(weighed).collect()
    }

    pub(super) fn heaviest_rule(&self) -> Option<String> {
        self.by_weight().first().map(|flag| rule_name(flag))
    }

    fn by_weight(&self) -> Vec<&'a RuleFlag> {
        let mut flags: Vec<_> = self.facts.flags.iter().collect();
        flags.sort_by_key(|flag| Reverse(flag.weight));
        flags
    }
}

fn rule_name(flag: &RuleFlag) -> String {
    outside::named(&flag.name).unwrap_or_else(|| "an unnamed rule".into())
}

/// `within` is the name of the field that contains these details, or empty.
fn figures(fields: &Map<String, Value>, within: &str) -> impl Iterator<Item = String> {
    fields.iter().filter_map(move |(key, value)| {
        let value = say::number(value.as_f64()?)?;
        let name = format!("{within} {key}").replace('_', " ");
        outside::is_key(key).then(|| format!("\"{}\" of {value}", name.trim_start()))
    })
}

/// The detector's own units, which may follow a value. Other units come from outside and are quoted if they are plain
/// words.
const UNITS: [&str; 7] = [
    "km/h",
    "km",
    "transactions",
    "transactions in 1 hour",
    "transactions in 24 hours",
    "countries not seen before",
    "rules that held",
];
const Z_SCORE: &str = "modified z-score";

/// The currency and the window of a unit such as `USD in 24 hours`.
fn counted_in_money(unit: &str) -> Option<(Currency, &str)> {
    let (currency, window) = unit.split_once(" in ")?;
    ["1 hour", "24 hours"].contains(&window).then(|| Some((currency.parse().ok()?, window))).flatten()
}

/// The unit in the singular if the value is 1: `1 transaction`, not `1 transactions`.
fn agreeing(unit: &str, value: &str) -> String {
    const NOUNS: [(&str, &str); 3] = [("transactions", "transaction"), ("countries", "country"), ("rules", "rule")];
    let noun = NOUNS.into_iter().find(|(many, _)| value == "1" && unit.starts_with(many));
    noun.map_or_else(|| unit.to_owned(), |(many, one)| unit.replacen(many, one, 1))
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
