//! Stage 4, figures: what a number counts. That is the noun after it; ordinals, counts of zero such as "no alerts" and
//! numbers in figures of speech are read here too.

use countersign_text::numbers::{self, Quantity};
use rust_decimal::Decimal;

use super::{Figure, FigureReader, FigureValue, Unit};
use crate::concept::{self, NOUNS, ONE};
use crate::lex::Token;
use crate::lexicon::{FUNCTION, NO_PLURAL};

/// A small count of one of these is a figure of speech: "two factors".
const DISCOURSE: [&str; 22] = [
    "factors",
    "reasons",
    "aspects",
    "ways",
    "elements",
    "sides",
    "parties",
    "things",
    "steps",
    "kinds",
    "types",
    "conditions",
    "observations",
    "findings",
    "measurements",
    "facts",
    "figures",
    "respects",
    "circumstances",
    "features",
    "parts",
    "halves",
];

impl FigureReader<'_> {
    /// The noun that names what is counted. At most four tokens may come before it.
    pub(super) fn noun(&self, at: usize, singular: bool) -> Option<usize> {
        for place in at..at + 5 {
            if !self.same_sentence(at.saturating_sub(1), place) {
                return None;
            }
            let Some(word) = self.word_token(place).filter(|word| !word.is(FUNCTION)) else {
                // "high-severity alerts"
                if self.is_mark(place, '-') && place > at && self.tokens[place].is_glued {
                    continue;
                }
                return None;
            };
            let concepts = word.concepts;
            let known = concepts & NOUNS != 0 && concepts & concept::POINTS == 0;
            let plural = concepts & ONE == 0 && (known || looks_plural(word));
            if plural || singular && known && !self.word_token(place + 1).is_some_and(looks_plural) {
                return Some(place);
            }
        }
        None
    }

    /// The noun of the previous count, if this number counts the same things: "two transactions in an hour and three in
    /// a day", "five alerts, of which two".
    pub(super) fn noun_of_last(&self, start: usize, end: usize) -> Option<usize> {
        const AFTER: [&str; 10] = ["in", "within", "over", "during", "at", "from", "were", "was", "had", "of"];
        let counted = |figure: &Figure| match figure.value {
            FigureValue::Number(_, Unit::Count(noun)) => Some(noun),
            _ => None,
        };
        let noun = self.found.iter().rev().take(2).find_map(counted)?;
        let linked = ["and", "which", "them", "these"].contains(&self.word_before(start));
        (linked && AFTER.contains(&self.word(end)) && self.same_sentence(noun, start)).then_some(noun)
    }

    /// Reads a count of zero for things that the context counts: "no prior alerts", "without similar alerts".
    pub(super) fn count_of_none(&mut self, at: usize) -> Option<usize> {
        let noun = ["no", "without"].contains(&self.word(at)).then(|| self.noun(at + 1, true)).flatten()?;
        let described = (at + 1..noun).any(|at| self.concepts(at) & (concept::PRIOR | concept::SIMILAR) != 0);
        described.then(|| self.push(at, at + 1, FigureValue::Number(Quantity::whole(0), Unit::NoneOf(noun))))
    }

    /// Reads an ordinal with a noun: "the third alert". An ordinal without a noun is a figure of speech.
    pub(super) fn ordinal(&mut self, at: usize) -> Option<usize> {
        // "First" states an order and not a number.
        let place = numbers::ordinal(self.word(at)).filter(|place| (2..=20).contains(place))?;
        if self.is_mark(at + 1, '-') || self.is_mark(at.wrapping_sub(1), '-') {
            return None;
        }
        let noun = self.noun(at + 1, true)?;
        let things = concept::TRANSACTION | concept::ALERT;
        (self.concepts(noun) & things != 0)
            .then(|| self.push(at, at + 1, FigureValue::Number(Quantity::whole(place), Unit::Ordinal(noun))))
    }

    /// Whether a number in words is a figure of speech: "one of the", "two factors", "one-off".
    pub(super) fn is_way_of_speaking(&self, start: usize, end: usize, quantity: Quantity, unit: Unit) -> bool {
        let value = quantity.value;
        let hyphenated = self.is_mark(end, '-') && self.tokens[end].is_glued
            || start > 0 && self.is_mark(start - 1, '-') && self.tokens[start].is_glued;
        match unit {
            Unit::Bare => {
                value <= Decimal::ONE
                    || hyphenated
                    || self.word(end) == "of"
                    || ["the", "these", "those", "both", "other"].contains(&self.word_before(start))
            }
            Unit::Count(noun) => {
                let small = value <= Decimal::from(6);
                small && (hyphenated || DISCOURSE.contains(&self.word(noun)))
                    || value == Decimal::TWO && ["the", "these", "those"].contains(&self.word_before(start))
                    || value == Decimal::ONE && ["than", "the", "any", "no", "at"].contains(&self.word_before(start))
            }
            _ => false,
        }
    }
}

/// Whether a word looks like a plural.
fn looks_plural(word: &Token<'_>) -> bool {
    let text = word.lower.as_ref();
    let has_ending = text.len() > 3 && text.ends_with('s') && !text.ends_with("ss") && !text.ends_with("ous");
    has_ending && !word.is(NO_PLURAL) || text == "people"
}
