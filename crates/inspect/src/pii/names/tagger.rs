//! A greedy tagger that reads left to right and gives each word one tag: outside, or the first or a further word of an
//! entity.
//!
//! Words that can't matter (lower-case and outside an entity) are skipped without being scored; they make up most of a
//! text.

use super::dates;
use super::features::{self, History};
use super::gazetteer::{self as g, Gazetteer};
use super::tagger_input::{TaggerInput, WordForm};
use crate::learned::Linear;

/// Kinds of entities; the first six may span several words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EntityKind {
    Person,
    Location,
    Address,
    Organisation,
    Title,
    Zip,
    Date,
    Age,
    Nation,
}

pub(super) const ENTITY_KINDS: [EntityKind; 9] = [
    EntityKind::Person,
    EntityKind::Location,
    EntityKind::Address,
    EntityKind::Organisation,
    EntityKind::Title,
    EntityKind::Zip,
    EntityKind::Date,
    EntityKind::Age,
    EntityKind::Nation,
];
/// The number of kinds that may span several words.
const LONG_KINDS: usize = 6;
/// Outside (0), a first and a further tag for each long kind, then one tag for each short kind: sixteen, so that a
/// feature's weights fill one SIMD vector.
pub(super) const TAGS: usize = 1 + 2 * LONG_KINDS + (ENTITY_KINDS.len() - LONG_KINDS);

/// The tag of an entity's first word.
pub(super) fn first_tag(kind: EntityKind) -> usize {
    let n = kind as usize;
    if n < LONG_KINDS { 1 + 2 * n } else { 1 + LONG_KINDS + n }
}

/// The tag of an entity's further words, if the kind can have more than one word.
pub(super) fn further_tag(kind: EntityKind) -> Option<usize> {
    ((kind as usize) < LONG_KINDS).then(|| first_tag(kind) + 1)
}

/// The kind of entity that a tag denotes, and whether it marks a first word.
fn meaning(tag: usize) -> Option<(EntityKind, bool)> {
    let (n, first) = match tag.checked_sub(1)? {
        n if n < 2 * LONG_KINDS => (n / 2, n % 2 == 0),
        n => (n - LONG_KINDS, true),
    };
    ENTITY_KINDS.get(n).map(|kind| (*kind, first))
}

/// An entity that covers the words `from..to`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entity {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: EntityKind,
    pub(super) score: f64,
}

/// How to handle a word, given the tags before it.
pub(super) enum Step {
    Skip,
    /// A date that ends before this word.
    Date(usize),
    Judge,
}

pub(super) fn step(input: &TaggerInput, at: usize, history: History) -> Step {
    let look = input.looks[at];
    if look.blocked {
        return Step::Skip;
    }
    let dated = look.flags & g::CALENDAR != 0 || input.words[at].shape.has_digit;
    if dated && let Some(end) = dates::at(input, at) {
        return Step::Date(end);
    }
    let corner = || input.flags(at + 1) & g::UNIT != 0 && input.word(at + 1).eq_ignore_ascii_case("corner");
    if look.candidate || history.last != 0 || (matches!(look.form, WordForm::Lower | WordForm::Flat) && corner()) {
        Step::Judge
    } else {
        Step::Skip
    }
}

impl History {
    /// The history after the word at `at` received this tag.
    pub(super) fn then(self, input: &TaggerInput, at: usize, tag: usize) -> Self {
        let goes_on = meaning(tag).is_some_and(|(_, first)| !first);
        let (length, breaks, country) =
            if goes_on { (self.length, self.breaks + input.breaks(at), self.country) } else { (0, 0, false) };
        let country = country || input.flags(at) & g::COUNTRY != 0;
        let number = input.words[at].shape.has_digit || input.flags(at) & g::UNIT != 0;
        let numbered = number || (goes_on && self.numbered);
        Self { last: tag, before: self.last, length: length + 1, breaks, country: country && tag != 0, numbered }
    }
}

pub(super) fn entities(model: &Linear, input: &TaggerInput) -> Vec<Entity> {
    let mut found: Vec<Entity> = Vec::new();
    let mut history = History::default();
    let mut at = 0;
    while at < input.words.len() {
        match step(input, at, history) {
            Step::Skip => history = History { before: history.last, ..History::default() },
            Step::Date(to) => {
                found.push(Entity { from: at, to, kind: EntityKind::Date, score: 0.8 });
                history = History { last: first_tag(EntityKind::Date), before: 0, length: 1, ..History::default() };
                at = to;
                continue;
            }
            Step::Judge => {
                let (tag, probability) = best_tag(model, input, at, history);
                match (meaning(tag), found.last_mut()) {
                    (Some((kind, true)), _) => {
                        found.push(Entity { from: at, to: at + 1, kind, score: probability });
                    }
                    (Some((_, false)), Some(open)) => {
                        let words = (at - open.from) as f64;
                        open.score = (open.score * words + probability) / (words + 1.0);
                        open.to = at + 1;
                    }
                    _ => {}
                }
                history = history.then(input, at, tag);
            }
        }
        at += 1;
    }
    found
}

/// The most likely tag of the word at `at`, and its probability. A further tag is possible only in an open entity.
fn best_tag(model: &Linear, input: &TaggerInput, at: usize, history: History) -> (usize, f64) {
    let mut sums = [0_i16; TAGS];
    features::each(input, at, history, |feature| model.add_to(feature, &mut sums));
    let open = meaning(history.last).map(|(kind, _)| kind).filter(|kind| goes_on(input, at, history, *kind));
    let open = open.and_then(further_tag);
    let mut scores = model.all_scaled(&sums);
    for kind in &ENTITY_KINDS[..LONG_KINDS] {
        let further = first_tag(*kind) + 1;
        if open != Some(further) {
            scores[further] = f32::MIN;
        }
    }
    let best = (0..TAGS).fold(0, |best, tag| if scores[tag] > scores[best] { tag } else { best });
    // Tags that are this much less likely contribute a negligible amount.
    let near = scores.iter().map(|score| score - scores[best]).filter(|distance| *distance > -12.0);
    let total: f32 = near.map(f32::exp).sum();
    (best, f64::from(1.0 / total))
}

/// Whether an open entity may continue with this word. Only an address that already has a number continues over a line
/// end; a person has no digits and few particles.
fn goes_on(input: &TaggerInput, at: usize, history: History, kind: EntityKind) -> bool {
    if input.breaks(at) > 0 && !(kind == EntityKind::Address && history.numbered) {
        return false;
    }
    let look = input.looks[at];
    let lower = look.form == WordForm::Lower && look.flags & (g::PARTICLE | g::PLACE_PART) == 0;
    let digit = input.words[at].shape.has_digit;
    let mark = look.form == WordForm::Mark;
    match kind {
        EntityKind::Person => !digit && !lower && (!mark || matches!(input.word(at), "." | "-" | "'" | "’")),
        EntityKind::Location => !digit && !lower && (!mark || !matches!(input.word(at), "," | ";" | ":" | "\"")),
        EntityKind::Nation => !lower && !mark,
        EntityKind::Organisation => !lower || matches!(input.word(at), "and" | "of" | "for" | "in"),
        EntityKind::Date | EntityKind::Age | EntityKind::Zip | EntityKind::Title | EntityKind::Address => true,
    }
}

/// The word lists and the model's weights.
pub(super) struct Tagger {
    pub(super) gazetteer: Gazetteer,
    pub(super) model: Linear,
}

impl Tagger {
    /// Returns `None` if the weights are invalid or belong to a different set of tags.
    pub(super) fn new(ordinary: &[u8], weights: &'static [u8]) -> Option<Self> {
        let model = Linear::from_bytes(weights)?;
        (model.classes() == TAGS).then(|| Self { gazetteer: Gazetteer::new(ordinary), model })
    }
}
