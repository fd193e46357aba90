//! Reading the context: the facts, what kind of figure each one is, what it is about, and indexes to find facts by value.

use std::collections::{HashMap, HashSet, hash_map::Entry};
use std::sync::{Arc, OnceLock};

use countersign_text::hash::fnv64;
use rust_decimal::Decimal;
use serde_json::Value;

use crate::calendar::Moment;
use crate::concept as c;
use crate::finder::IdFinder;
use crate::phrase::PhraseIndex;
use crate::signal::Signals;
use crate::walk::WalkPosition;

const FACTS_MAX: usize = 50_000;
const MOMENTS_MAX: usize = 2_000;

#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) path: String,
    pub(crate) value: FactValue,
    pub(crate) concepts: u64,
    /// Index in `FactIndex::signals` of the signal that the fact belongs to.
    pub(crate) signal: Option<usize>,
    pub(crate) country: Option<&'static str>,
    pub(crate) severity: Option<SeverityLevel>,
    /// Length of the window that the fact was counted over, in seconds.
    pub(crate) window: Option<u64>,
    /// Stems of the words in its key.
    pub(crate) stems: Arc<[String]>,
    pub(crate) from: FactSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FactSource {
    Computed,
    /// Read from a sentence of the context.
    Sentence,
    /// Read from the sender's metadata.
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FactValue {
    Number(Decimal, NumberClass),
    Money(Decimal, [u8; 3]),
    Moment(Moment),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberClass {
    /// A number with an unknown unit or a unit of its own.
    Measure,
    Count,
    Points,
    Ratio,
    Percent,
    Km,
    Kmh,
    /// A duration, with the number of seconds in its unit.
    Duration(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SeverityLevel {
    Low,
    Medium,
    High,
    Critical,
}

impl SeverityLevel {
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "low" => Self::Low,
            "medium" | "moderate" => Self::Medium,
            "high" => Self::High,
            "critical" => Self::Critical,
            _ => return None,
        })
    }
}

/// A severity that the context states, and what it is the severity of.
#[derive(Debug, Clone)]
pub(crate) struct SeverityFact {
    pub(crate) level: SeverityLevel,
    pub(crate) path: String,
    pub(crate) of: SeverityOf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeverityOf {
    Case,
    Prior,
    Impact,
}

#[derive(Debug, Default)]
pub(crate) struct FactIndex {
    pub(crate) facts: Vec<Fact>,
    /// Indexes of facts, sorted by the key of their value (`value_key`).
    by_value: Vec<(u128, usize)>,
    /// Indexes of facts, sorted by a number of decimals and by the key of the value rounded to that many.
    rounded: Vec<((u32, u128), usize)>,
    /// Indexes of durations, sorted by the key of their length in seconds.
    by_seconds: Vec<(u128, usize)>,
    /// Indexes of facts, sorted by value, for "about 400". Built on first use, because few texts have such figures.
    sorted: OnceLock<Vec<(Decimal, usize)>>,
    sorted_seconds: OnceLock<Vec<(Decimal, usize)>>,
    /// Indexes of the facts that are points in time.
    pub(crate) moments: Vec<usize>,
    pub(crate) severities: Vec<SeverityFact>,
    /// The path of each country, by its code.
    pub(crate) countries: HashMap<&'static str, String>,
    /// The path of each currency, by its code.
    pub(crate) currencies: HashMap<String, String>,
    pub(crate) signals: Signals,
    /// The path of each id, by the id in lower case.
    pub(crate) ids: HashMap<String, String>,
    /// Ids from keys such as `alert_id`, collected for `finder`. Empty once the index is finished.
    pub(crate) verbatim: Vec<String>,
    /// Redacted ids. Only the end of each is visible.
    pub(crate) redacted: Vec<String>,
    /// Countries for which the context counts something.
    pub(crate) counted_countries: HashSet<&'static str>,
    /// Windows of time over which the context counts something, with the concepts of what is counted.
    pub(crate) counted_windows: HashMap<u64, u64>,
    /// Indexes of the facts that are counts.
    pub(crate) counts: Vec<usize>,
    /// Finds the ids that are long enough to be distinguished from other text.
    pub(crate) finder: IdFinder,
    /// Names and other short texts.
    pub(crate) phrases: PhraseIndex,
    /// Sentences, and texts that a sender wrote. Only quotations are looked up here.
    pub(crate) sentences: PhraseIndex,
    /// The union of the concepts of all facts.
    pub(crate) known_concepts: u64,
    /// Indexes of facts by their fingerprint (`Fact::fingerprint`). On a collision, a fact takes the next free number.
    seen: HashMap<u128, usize>,
}

/// A typical context has about this many keys, texts, ids and facts. Used to preallocate.
const USUAL_COUNT: usize = 100;

/// The maximum number of facts with one value that are compared. If more facts share a value, it does not distinguish them
/// anyway.
const SAME_VALUE_MAX: usize = 256;

impl FactIndex {
    pub(crate) fn of(context: &Value) -> Self {
        let mut index = Self {
            ids: HashMap::with_capacity(USUAL_COUNT),
            seen: HashMap::with_capacity(USUAL_COUNT),
            facts: Vec::with_capacity(USUAL_COUNT),
            ..Self::default()
        };
        index.walk(context, &mut WalkPosition::with_capacity(USUAL_COUNT));
        // The timeline repeats facts from elsewhere in the context. Sort the originals first.
        index.facts.sort_by_cached_key(|fact| (fact.from, fact.path.starts_with("/timeline")));
        index.finish();
        index
    }

    fn finish(&mut self) {
        for (at, fact) in self.facts.iter().enumerate() {
            self.known_concepts |= fact.concepts;
            self.counted_countries.extend(fact.country);
            if let Some(window) = fact.window {
                *self.counted_windows.entry(window).or_default() |= fact.concepts & (c::NOUNS | c::TOTAL);
            }
            if matches!(fact.value, FactValue::Number(_, NumberClass::Count)) && fact.from != FactSource::Outside {
                self.counts.push(at);
            }
            let value = match fact.value {
                FactValue::Moment(_) => {
                    if self.moments.len() < MOMENTS_MAX {
                        self.moments.push(at);
                    }
                    continue;
                }
                FactValue::Money(value, _) | FactValue::Number(value, _) => value.abs().normalize(),
            };
            self.by_value.push((value_key(value), at));
            if let FactValue::Number(..) = fact.value {
                for decimals in 0..value.scale().min(6) {
                    let up =
                        value.round_dp_with_strategy(decimals, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
                    self.rounded.extend([value.round_dp(decimals), up].map(|value| ((decimals, value_key(value)), at)));
                }
            }
            self.by_seconds.extend(fact.seconds().map(|seconds| (value_key(seconds), at)));
        }
        self.by_value.sort_unstable();
        self.rounded.sort_unstable();
        self.by_seconds.sort_unstable();
        self.finder = IdFinder::of(std::mem::take(&mut self.verbatim));
        self.phrases.finish();
        self.sentences.finish();
    }

    /// Facts with exactly this value.
    pub(crate) fn exactly(&self, value: Decimal) -> impl Iterator<Item = &Fact> {
        self.equal_to(&self.by_value, value_key(value.abs()))
    }

    /// Facts with more decimals that equal this value when rounded to this number of decimals.
    pub(crate) fn rounded(&self, value: Decimal, decimals: u32) -> impl Iterator<Item = &Fact> {
        self.equal_to(&self.rounded, (decimals, value_key(value.abs())))
    }

    /// Durations of exactly this length.
    pub(crate) fn lasting(&self, seconds: Decimal) -> impl Iterator<Item = &Fact> {
        self.equal_to(&self.by_seconds, value_key(seconds))
    }

    fn equal_to<T: Ord + Copy>(&self, sorted: &[(T, usize)], value: T) -> impl Iterator<Item = &Fact> {
        let from = sorted.partition_point(|(known, _)| *known < value);
        let found = sorted[from..].iter().take_while(move |(known, _)| *known == value);
        found.take(SAME_VALUE_MAX).map(|(_, at)| &self.facts[*at])
    }

    /// Facts within 1 % of a value. If `is_seconds`, the value is a duration in seconds.
    pub(crate) fn about(&self, value: Decimal, is_seconds: bool) -> impl Iterator<Item = &Fact> {
        let sorted = if is_seconds {
            self.sorted_seconds.get_or_init(|| self.in_order(Fact::seconds))
        } else {
            self.sorted.get_or_init(|| self.in_order(Fact::magnitude))
        };
        let value = value.abs();
        let hundredth = value / Decimal::ONE_HUNDRED;
        let low = value.checked_sub(hundredth).unwrap_or(value);
        let high = value.checked_add(hundredth).unwrap_or(value);
        let from = sorted.partition_point(|(known, _)| *known < low);
        sorted[from..]
            .iter()
            .take_while(move |(known, _)| *known <= high)
            .take(SAME_VALUE_MAX)
            .map(|(_, at)| &self.facts[*at])
    }

    fn in_order(&self, value: fn(&Fact) -> Option<Decimal>) -> Vec<(Decimal, usize)> {
        let values = self.facts.iter().enumerate().filter_map(|(at, fact)| Some((value(fact)?, at)));
        let mut sorted: Vec<_> = values.collect();
        sorted.sort_unstable();
        sorted
    }

    /// Adds a fact, unless the index already has one that differs only in its path.
    pub(crate) fn add_if_new(&mut self, fact: Fact) {
        let mut fingerprint = fact.fingerprint();
        while self.facts.len() < FACTS_MAX {
            match self.seen.entry(fingerprint) {
                Entry::Occupied(known) if self.facts[*known.get()].is_like(&fact) => return,
                Entry::Occupied(_) => fingerprint = fingerprint.wrapping_add(1),
                Entry::Vacant(free) => {
                    free.insert(self.facts.len());
                    return self.facts.push(fact);
                }
            }
        }
    }
}

/// A key that is equal for equal values and is cheaper to compare than they are.
fn value_key(value: Decimal) -> u128 {
    u128::from_le_bytes(value.normalize().serialize())
}

impl Fact {
    /// Whether two facts differ only in their paths.
    fn is_like(&self, other: &Self) -> bool {
        let attributes =
            |fact: &Self| (fact.value, fact.concepts, fact.signal, fact.country, fact.severity, fact.window, fact.from);
        attributes(self) == attributes(other) && self.stems == other.stems
    }

    /// A hash that is equal for facts that differ only in their paths.
    fn fingerprint(&self) -> u128 {
        let value = match self.value {
            FactValue::Number(value, _) | FactValue::Money(value, _) => value_key(value),
            FactValue::Moment(moment) => moment.as_number(),
        };
        let signal = self.signal.map_or(0, |signal| signal as u64 + 1);
        let stems = self.stems.iter().fold(0_u64, |all, stem| all.rotate_left(5) ^ fnv64::hash(stem.as_bytes()));
        let attributes = stems ^ self.concepts.rotate_left(24) ^ signal.rotate_left(16) ^ self.window.unwrap_or(0);
        value ^ u128::from(attributes) << 32
    }

    /// The value without its sign.
    fn magnitude(&self) -> Option<Decimal> {
        match self.value {
            FactValue::Money(value, _) | FactValue::Number(value, _) => Some(value.abs().normalize()),
            FactValue::Moment(_) => None,
        }
    }

    /// The length of a duration.
    fn seconds(&self) -> Option<Decimal> {
        match self.value {
            FactValue::Number(value, NumberClass::Duration(unit)) => {
                value.abs().normalize().checked_mul(Decimal::from(unit))
            }
            _ => None,
        }
    }
}
