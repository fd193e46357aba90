//! The facts of a context: what kind of figure each is and what it is about, and how they are found by value.

use std::collections::{HashMap, HashSet, hash_map::Entry};
use std::sync::{Arc, OnceLock};

use countersign_text::hash::fnv64;
use rust_decimal::Decimal;
use serde_json::Value;

use crate::calendar::Moment;
use crate::concept as c;
use crate::finder::Finder;
use crate::phrase::Phrases;
use crate::signal::Signals;
use crate::walk::Place;

const FACTS_MAX: usize = 50_000;
const MOMENTS_MAX: usize = 2_000;

#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) path: String,
    pub(crate) what: FactWhat,
    pub(crate) concepts: u64,
    /// Place in `Index::signals` of the signal that it belongs to.
    pub(crate) signal: Option<usize>,
    pub(crate) country: Option<&'static str>,
    pub(crate) severity: Option<Level>,
    /// Seconds of the window that it was counted over.
    pub(crate) window: Option<u64>,
    /// Words of its key, without endings.
    pub(crate) stems: Arc<[String]>,
    pub(crate) from: Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Computed,
    /// A sentence of the context.
    Sentence,
    /// The sender's metadata.
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FactWhat {
    Number(Decimal, Class),
    Money(Decimal, [u8; 3]),
    Moment(Moment),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// What it is counted in is not known, or is a unit of its own.
    Measure,
    Count,
    Points,
    Ratio,
    Percent,
    Km,
    Kmh,
    /// Seconds in its unit.
    Duration(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Level {
    Low,
    Medium,
    High,
    Critical,
}

impl Level {
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

/// A severity that the context states, and of what.
#[derive(Debug, Clone)]
pub(crate) struct SeverityFact {
    pub(crate) level: Level,
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
pub(crate) struct Index {
    pub(crate) facts: Vec<Fact>,
    /// Facts by the marks of their values, in order.
    by_value: Vec<(u128, usize)>,
    /// By decimals that are shown and the value to that many.
    rounded: Vec<((u32, u128), usize)>,
    by_seconds: Vec<(u128, usize)>,
    /// Numbers in order, for what is said to be about so much. Few texts say so.
    sorted: OnceLock<Vec<(Decimal, usize)>>,
    sorted_seconds: OnceLock<Vec<(Decimal, usize)>>,
    pub(crate) moments: Vec<usize>,
    pub(crate) severities: Vec<SeverityFact>,
    pub(crate) countries: HashMap<&'static str, String>,
    pub(crate) currencies: HashMap<String, String>,
    pub(crate) signals: Signals,
    pub(crate) ids: HashMap<String, String>,
    pub(crate) verbatim: Vec<String>,
    /// Ids that show only their end.
    pub(crate) redacted: Vec<String>,
    /// Countries that something is counted by.
    pub(crate) counted_countries: HashSet<&'static str>,
    /// Windows that something is counted over, and what.
    pub(crate) counted_windows: HashMap<u64, u64>,
    /// Facts that are counts.
    pub(crate) counts: Vec<usize>,
    /// Finds the ids that are long enough to be told from other text.
    pub(crate) finder: Finder,
    /// Names and other short texts.
    pub(crate) phrases: Phrases,
    /// Sentences, and whatever a sender wrote: only a quotation finds them.
    pub(crate) sentences: Phrases,
    /// All concepts that some fact has.
    pub(crate) known: u64,
    /// Facts by what mostly tells them apart; one whose place is taken has the next.
    seen: HashMap<u128, usize>,
}

/// About so many keys, texts, ids and facts an ordinary context has: room for them is made at once.
const KEPT_USUAL: usize = 100;

/// Facts of one value that are looked at; more than that have no value in telling them apart.
const SAME_VALUE_MAX: usize = 256;

impl Index {
    pub(crate) fn of(context: &Value) -> Self {
        let mut index = Self {
            ids: HashMap::with_capacity(KEPT_USUAL),
            seen: HashMap::with_capacity(KEPT_USUAL),
            facts: Vec::with_capacity(KEPT_USUAL),
            ..Self::default()
        };
        index.walk(context, &mut Place::with_room(KEPT_USUAL));
        // The timeline repeats what is said elsewhere.
        index.facts.sort_by_cached_key(|fact| (fact.from, fact.path.starts_with("/timeline")));
        index.finish();
        index
    }

    fn finish(&mut self) {
        for (at, fact) in self.facts.iter().enumerate() {
            self.known |= fact.concepts;
            self.counted_countries.extend(fact.country);
            if let Some(window) = fact.window {
                *self.counted_windows.entry(window).or_default() |= fact.concepts & (c::NOUNS | c::TOTAL);
            }
            if matches!(fact.what, FactWhat::Number(_, Class::Count)) && fact.from != Source::Outside {
                self.counts.push(at);
            }
            let value = match fact.what {
                FactWhat::Moment(_) => {
                    if self.moments.len() < MOMENTS_MAX {
                        self.moments.push(at);
                    }
                    continue;
                }
                FactWhat::Money(value, _) | FactWhat::Number(value, _) => value.abs().normalize(),
            };
            self.by_value.push((mark(value), at));
            if let FactWhat::Number(..) = fact.what {
                for decimals in 0..value.scale().min(6) {
                    let up =
                        value.round_dp_with_strategy(decimals, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
                    self.rounded.extend([value.round_dp(decimals), up].map(|value| ((decimals, mark(value)), at)));
                }
            }
            self.by_seconds.extend(fact.seconds().map(|seconds| (mark(seconds), at)));
        }
        self.by_value.sort_unstable();
        self.rounded.sort_unstable();
        self.by_seconds.sort_unstable();
        self.finder = Finder::of(std::mem::take(&mut self.verbatim));
        self.phrases.finish();
        self.sentences.finish();
    }

    /// Facts of exactly this value.
    pub(crate) fn exactly(&self, value: Decimal) -> impl Iterator<Item = &Fact> {
        self.same(&self.by_value, mark(value.abs()))
    }

    /// Facts that have more decimals and are this value to so many.
    pub(crate) fn rounded(&self, value: Decimal, decimals: u32) -> impl Iterator<Item = &Fact> {
        self.same(&self.rounded, (decimals, mark(value.abs())))
    }

    pub(crate) fn lasting(&self, seconds: Decimal) -> impl Iterator<Item = &Fact> {
        self.same(&self.by_seconds, mark(seconds))
    }

    fn same<T: Ord + Copy>(&self, sorted: &[(T, usize)], value: T) -> impl Iterator<Item = &Fact> {
        let from = sorted.partition_point(|(known, _)| *known < value);
        let found = sorted[from..].iter().take_while(move |(known, _)| *known == value);
        found.take(SAME_VALUE_MAX).map(|(_, at)| &self.facts[*at])
    }

    /// Facts within 1 % of a value, or of a duration in seconds.
    pub(crate) fn about(&self, value: Decimal, is_seconds: bool) -> impl Iterator<Item = &Fact> {
        let sorted = if is_seconds {
            self.sorted_seconds.get_or_init(|| self.in_order(Fact::seconds))
        } else {
            self.sorted.get_or_init(|| self.in_order(Fact::value))
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

    /// One of several facts that can't be told apart is enough.
    pub(crate) fn keep(&mut self, fact: Fact) {
        let mut mark = fact.mark();
        while self.facts.len() < FACTS_MAX {
            match self.seen.entry(mark) {
                Entry::Occupied(known) if self.facts[*known.get()].is_like(&fact) => return,
                Entry::Occupied(_) => mark = mark.wrapping_add(1),
                Entry::Vacant(free) => {
                    free.insert(self.facts.len());
                    return self.facts.push(fact);
                }
            }
        }
    }
}

/// The same for values that are equal, and cheaper to compare.
fn mark(value: Decimal) -> u128 {
    u128::from_le_bytes(value.normalize().serialize())
}

impl Fact {
    /// The same but for where it stands.
    fn is_like(&self, other: &Self) -> bool {
        let told =
            |fact: &Self| (fact.what, fact.concepts, fact.signal, fact.country, fact.severity, fact.window, fact.from);
        told(self) == told(other) && self.stems == other.stems
    }

    /// The same for facts that are alike, and for few others.
    fn mark(&self) -> u128 {
        let value = match self.what {
            FactWhat::Number(value, _) | FactWhat::Money(value, _) => mark(value),
            FactWhat::Moment(moment) => moment.mark(),
        };
        let signal = self.signal.map_or(0, |signal| signal as u64 + 1);
        let stems = self.stems.iter().fold(0_u64, |all, stem| all.rotate_left(5) ^ fnv64::hash(stem.as_bytes()));
        let place = stems ^ self.concepts.rotate_left(24) ^ signal.rotate_left(16) ^ self.window.unwrap_or(0);
        value ^ u128::from(place) << 32
    }

    /// Without its sign.
    fn value(&self) -> Option<Decimal> {
        match self.what {
            FactWhat::Money(value, _) | FactWhat::Number(value, _) => Some(value.abs().normalize()),
            FactWhat::Moment(_) => None,
        }
    }

    /// Of a duration.
    fn seconds(&self) -> Option<Decimal> {
        match self.what {
            FactWhat::Number(value, Class::Duration(unit)) => value.abs().normalize().checked_mul(Decimal::from(unit)),
            _ => None,
        }
    }
}
