//! Left to right, one tag a word: outside, or the first or a further word of a kind of entity.
//!
//! Words that can't matter (lower-case, outside of an entity) are passed over unscored: they are most of a text.

use super::dates;
use super::features::{self, History};
use super::gazetteer::{self as g, Gazetteer};
use super::reading::{Form, Reading};
use crate::learned::Linear;

/// What can be found; the first six can be several words long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Found {
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

pub(super) const FOUND: [Found; 9] = [
    Found::Person,
    Found::Location,
    Found::Address,
    Found::Organisation,
    Found::Title,
    Found::Zip,
    Found::Date,
    Found::Age,
    Found::Nation,
];
const LONG: usize = 6;
/// Outside (0), a first and a further word for each long kind, then one tag for each short kind: sixteen, so that a feature's
/// weights are one row of a machine's vector.
pub(super) const TAGS: usize = 1 + 2 * LONG + (FOUND.len() - LONG);

/// The tag of a first word.
pub(super) fn first_tag(found: Found) -> usize {
    let n = found as usize;
    if n < LONG { 1 + 2 * n } else { 1 + LONG + n }
}

/// The tag of a further word, where there can be one.
pub(super) fn further_tag(found: Found) -> Option<usize> {
    ((found as usize) < LONG).then(|| first_tag(found) + 1)
}

/// What a tag says, and whether of a first word.
fn meaning(tag: usize) -> Option<(Found, bool)> {
    let (n, first) = match tag.checked_sub(1)? {
        n if n < 2 * LONG => (n / 2, n % 2 == 0),
        n => (n - LONG, true),
    };
    FOUND.get(n).map(|found| (*found, first))
}

/// Words `from..to` taken for one thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entity {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) found: Found,
    pub(super) score: f64,
}

/// What to do with a word, given what was decided before it.
pub(super) enum Step {
    Skip,
    /// A date up to this word.
    Date(usize),
    Judge,
}

pub(super) fn step(reading: &Reading, at: usize, history: History) -> Step {
    let look = reading.looks[at];
    if look.blocked {
        return Step::Skip;
    }
    let dated = look.flags & g::CALENDAR != 0 || reading.words[at].shape.has_digit;
    if dated && let Some(end) = dates::at(reading, at) {
        return Step::Date(end);
    }
    let corner = || reading.flags(at + 1) & g::UNIT != 0 && reading.word(at + 1).eq_ignore_ascii_case("corner");
    if look.candidate || history.last != 0 || (matches!(look.form, Form::Lower | Form::Flat) && corner()) {
        Step::Judge
    } else {
        Step::Skip
    }
}

impl History {
    /// After the word at `at` got this tag.
    pub(super) fn then(self, reading: &Reading, at: usize, tag: usize) -> Self {
        let goes_on = meaning(tag).is_some_and(|(_, first)| !first);
        let (length, breaks, country) =
            if goes_on { (self.length, self.breaks + reading.breaks(at), self.country) } else { (0, 0, false) };
        let country = country || reading.flags(at) & g::COUNTRY != 0;
        let number = reading.words[at].shape.has_digit || reading.flags(at) & g::UNIT != 0;
        let numbered = number || (goes_on && self.numbered);
        Self { last: tag, before: self.last, length: length + 1, breaks, country: country && tag != 0, numbered }
    }
}

pub(super) fn entities(model: &Linear, reading: &Reading) -> Vec<Entity> {
    let mut found: Vec<Entity> = Vec::new();
    let mut history = History::default();
    let mut at = 0;
    while at < reading.words.len() {
        match step(reading, at, history) {
            Step::Skip => history = History { before: history.last, ..History::default() },
            Step::Date(to) => {
                found.push(Entity { from: at, to, found: Found::Date, score: 0.8 });
                history = History { last: first_tag(Found::Date), before: 0, length: 1, ..History::default() };
                at = to;
                continue;
            }
            Step::Judge => {
                let (tag, chance) = judged(model, reading, at, history);
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
                history = history.then(reading, at, tag);
            }
        }
        at += 1;
    }
    found
}

/// The likeliest tag that may follow, and how likely it is.
fn judged(model: &Linear, reading: &Reading, at: usize, history: History) -> (usize, f64) {
    let mut sums = [0_i16; TAGS];
    features::each(reading, at, history, |feature| model.add_to(feature, &mut sums));
    let open = meaning(history.last).map(|(found, _)| found).filter(|found| goes_on(reading, at, history, *found));
    let open = open.and_then(further_tag);
    let mut scores = model.all_scaled(&sums);
    for found in &FOUND[..LONG] {
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
fn goes_on(reading: &Reading, at: usize, history: History, found: Found) -> bool {
    if reading.breaks(at) > 0 && !(found == Found::Address && history.numbered) {
        return false;
    }
    let look = reading.looks[at];
    let small = look.form == Form::Lower && look.flags & (g::PARTICLE | g::PLACE_PART) == 0;
    let digit = reading.words[at].shape.has_digit;
    let mark = look.form == Form::Mark;
    match found {
        Found::Person => !digit && !small && (!mark || matches!(reading.word(at), "." | "-" | "'" | "’")),
        Found::Location => !digit && !small && (!mark || !matches!(reading.word(at), "," | ";" | ":" | "\"")),
        Found::Nation => !small && !mark,
        Found::Organisation => !small || matches!(reading.word(at), "and" | "of" | "for" | "in"),
        Found::Date | Found::Age | Found::Zip | Found::Title | Found::Address => true,
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
