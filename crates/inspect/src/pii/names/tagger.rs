//! Left to right, one tag a word: outside, or the first or a further word of a kind of entity.
//!
//! Words that can't matter (lower-case, outside of an entity) are passed over unscored: they are most of a text.

use super::dates;
use super::features::{self, History};
use super::gazetteer::{self as g, Gazetteer};
use super::tagger_input::{TaggerInput, WordForm};
use crate::learned::Linear;

/// What can be found; the first six can be several words long.
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
const LONG: usize = 6;
/// Outside (0), a first and a further word for each long kind, then one tag for each short kind: sixteen, so that a feature's
/// weights are one row of a machine's vector.
pub(super) const TAGS: usize = 1 + 2 * LONG + (ENTITY_KINDS.len() - LONG);

/// The tag of a first word.
pub(super) fn first_tag(found: EntityKind) -> usize {
    let n = found as usize;
    if n < LONG { 1 + 2 * n } else { 1 + LONG + n }
}

/// The tag of a further word, where there can be one.
pub(super) fn further_tag(found: EntityKind) -> Option<usize> {
    ((found as usize) < LONG).then(|| first_tag(found) + 1)
}

/// What a tag says, and whether of a first word.
fn meaning(tag: usize) -> Option<(EntityKind, bool)> {
    let (n, first) = match tag.checked_sub(1)? {
        n if n < 2 * LONG => (n / 2, n % 2 == 0),
        n => (n - LONG, true),
    };
    ENTITY_KINDS.get(n).map(|found| (*found, first))
}

/// Words `from..to` taken for one thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entity {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) found: EntityKind,
    pub(super) score: f64,
}

/// What to do with a word, given what was decided before it.
pub(super) enum Step {
    Skip,
    /// A date up to this word.
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
    /// After the word at `at` got this tag.
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
                found.push(Entity { from: at, to, found: EntityKind::Date, score: 0.8 });
                history = History { last: first_tag(EntityKind::Date), before: 0, length: 1, ..History::default() };
                at = to;
                continue;
            }
            Step::Judge => {
                let (tag, chance) = judged(model, input, at, history);
                match (meaning(tag), found.last_mut()) {
                    (Some((kind, true)), _) => {
                        found.push(Entity { from: at, to: at + 1, found: kind, score: chance });
                    }
                    (Some((_, false)), Some(open)) => {
                        let words = (at - open.from) as f64;
                        open.score = (open.score * words + chance) / (words + 1.0);
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

/// The likeliest tag that may follow, and how likely it is.
fn judged(model: &Linear, input: &TaggerInput, at: usize, history: History) -> (usize, f64) {
    let mut sums = [0_i16; TAGS];
    features::each(input, at, history, |feature| model.add_to(feature, &mut sums));
    let open = meaning(history.last).map(|(found, _)| found).filter(|found| goes_on(input, at, history, *found));
    let open = open.and_then(further_tag);
    let mut scores = model.all_scaled(&sums);
    for found in &ENTITY_KINDS[..LONG] {
        let further = first_tag(*found) + 1;
        if open != Some(further) {
            scores[further] = f32::MIN;
        }
    }
    let best = (0..TAGS).fold(0, |best, tag| if scores[tag] > scores[best] { tag } else { best });
    // What is this much less likely adds nothing that counts.
    let near = scores.iter().map(|score| score - scores[best]).filter(|distance| *distance > -12.0);
    let total: f32 = near.map(f32::exp).sum();
    (best, f64::from(1.0 / total))
}

/// Only an address goes on over a line's end, and only once it has a number; people have no digits, and small words inside names
/// are few.
fn goes_on(input: &TaggerInput, at: usize, history: History, found: EntityKind) -> bool {
    if input.breaks(at) > 0 && !(found == EntityKind::Address && history.numbered) {
        return false;
    }
    let look = input.looks[at];
    let small = look.form == WordForm::Lower && look.flags & (g::PARTICLE | g::PLACE_PART) == 0;
    let digit = input.words[at].shape.has_digit;
    let mark = look.form == WordForm::Mark;
    match found {
        EntityKind::Person => !digit && !small && (!mark || matches!(input.word(at), "." | "-" | "'" | "’")),
        EntityKind::Location => !digit && !small && (!mark || !matches!(input.word(at), "," | ";" | ":" | "\"")),
        EntityKind::Nation => !small && !mark,
        EntityKind::Organisation => !small || matches!(input.word(at), "and" | "of" | "for" | "in"),
        EntityKind::Date | EntityKind::Age | EntityKind::Zip | EntityKind::Title | EntityKind::Address => true,
    }
}

/// The lists and the weights together.
pub(super) struct Tagger {
    pub(super) gazetteer: Gazetteer,
    pub(super) model: Linear,
}

impl Tagger {
    /// `None` if the weights are none, or for other tags.
    pub(super) fn new(ordinary: &[u8], weights: &'static [u8]) -> Option<Self> {
        let model = Linear::from_bytes(weights)?;
        (model.classes() == TAGS).then(|| Self { gazetteer: Gazetteer::new(ordinary), model })
    }
}
