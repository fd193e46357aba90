//! Turns tagged entities into findings with exact ranges, a type, a score and an explanation.

use std::ops::Range;

use super::address;
use super::gazetteer as g;
use super::han;
use super::plausible;
use super::tagger::{Entity, EntityKind};
use super::tagger_input::{TaggerInput, WordForm};
use crate::pii::calendar;

pub(super) struct NameSpan {
    pub(super) range: Range<usize>,
    pub(super) r#type: &'static str,
    pub(super) score: f64,
    pub(super) explanation: &'static str,
}

/// The score that an entity needs, and the higher one of a name in a text without usable capitals.
const SCORE_MIN: f64 = 0.5;
const FLAT_SCORE_MIN: f64 = 0.65;
/// The highest score of a name; it is below every verified identifier.
const SCORE_MAX: f64 = 0.85;
/// A whole address wins over the findings inside it.
const WHOLE_ADDRESS_SCORE: f64 = 0.88;

pub(super) fn spans(input: &TaggerInput, entities: &[Entity]) -> Vec<NameSpan> {
    let mut spans = Vec::with_capacity(entities.len());
    for (n, entity) in entities.iter().enumerate() {
        let before = n.checked_sub(1).and_then(|n| entities.get(n));
        let entity = &Entity { kind: as_place(input, entity, before), to: before_contact(input, entity), ..*entity };
        if entity.to <= entity.from {
            continue;
        }
        if entity.score < score_min(input, entity) || !plausible::is_plausible(input, entity, before) {
            continue;
        }
        if entity.kind == EntityKind::Address {
            addresses(input, entity, &mut spans);
        } else if let Some(range) = edges(input, entity) {
            let (mut r#type, mut explanation) = type_and_explanation(entity.kind);
            if entity.kind == EntityKind::Date
                && is_birth(input, entity.from)
                && !calendar::is_before_1900(&input.text[range.clone()])
            {
                (r#type, explanation) = ("DATE_OF_BIRTH", "a date after words for a date of birth");
            }
            spans.push(NameSpan { range, r#type, score: entity.score.min(SCORE_MAX), explanation });
        }
    }
    spans
}

/// Merges the streets found by rule with the tagger's entities: a street replaces names tagged inside it, and a tagged
/// address that starts inside a street is extended to the street's start. Returns the streets that no tagged address
/// covers.
pub(super) fn join_streets(
    input: &TaggerInput,
    mut streets: Vec<Range<usize>>,
    entities: &mut Vec<Entity>,
) -> Vec<Range<usize>> {
    if streets.is_empty() {
        return streets;
    }
    let mut owners = Vec::new();
    let overlapping = |streets: &[Range<usize>], from: usize, to: usize| {
        let first = streets.partition_point(|street| street.end <= from);
        streets.get(first).is_some_and(|street| street.start < to).then_some(first)
    };
    let is_address = |entity: &Entity| entity.kind == EntityKind::Address && entity.score >= SCORE_MIN;
    entities.retain(|entity| is_address(entity) || overlapping(&streets, entity.from, entity.to).is_none());
    for entity in entities.iter_mut().filter(|entity| is_address(entity)) {
        let Some(first) = overlapping(&streets, entity.from, entity.to) else { continue };
        let street = &streets[first];
        // In "R. Osei, 4 Elm Avenue", the part before the comma is the resident's name.
        let is_named = entity.from < street.start
            && input.is_mark(street.start - 1, ",")
            && !(entity.from..street.start).any(|at| input.words[at].shape.has_digit)
            && input.looks[entity.from].form == WordForm::Initial;
        if is_named {
            owners.push(Entity { from: entity.from, to: street.start - 1, kind: EntityKind::Person, score: SCORE_MIN });
            entity.from = street.start;
        }
        entity.from = entity.from.min(street.start);
    }
    entities.extend(owners);
    entities.sort_by_key(|entity| entity.from);
    let addresses: Vec<Range<usize>> =
        entities.iter().filter(|entity| is_address(entity)).map(|entity| entity.from..entity.to).collect();
    streets.retain(|street| overlapping(&addresses, street.start, street.end).is_none());
    streets
}

pub(super) fn of_street(input: &TaggerInput, street: Range<usize>) -> NameSpan {
    let range = input.words[street.start].start..input.words[street.end - 1].end;
    NameSpan { range, r#type: "ADDRESS", score: SCORE_MAX, explanation: "a street name and a house number" }
}

pub(super) fn of_han(found: han::HanEntity) -> NameSpan {
    let (r#type, explanation) = if found.is_person {
        type_and_explanation(EntityKind::Person)
    } else {
        ("ADDRESS", "a street name and a house number")
    };
    NameSpan { range: found.range, r#type, score: SCORE_MAX, explanation }
}

/// Ends a name before a word for a contact: in "Jane Doe's Mail", the name is Jane Doe. Names of organisations may end
/// in such a word.
fn before_contact(input: &TaggerInput, entity: &Entity) -> usize {
    const CONTACTS: [&str; 10] =
        ["mail", "mails", "email", "emails", "e-mail", "e-mails", "phone", "fax", "tel", "website"];
    if !matches!(entity.kind, EntityKind::Person | EntityKind::Location | EntityKind::Title) {
        return entity.to;
    }
    let is_contact = |at: &usize| CONTACTS.iter().any(|contact| input.word(*at).eq_ignore_ascii_case(contact));
    (entity.from..entity.to).find(is_contact).unwrap_or(entity.to)
}

/// A town that is also a first name ("Paris") is a town if the words before it indicate a place.
fn as_place(input: &TaggerInput, entity: &Entity, before: Option<&Entity>) -> EntityKind {
    const PLACED: [&str; 11] =
        ["in", "near", "from", "via", "to", "capital", "city", "town", "visit", "visited", "around"];
    const LOOK_BACK_WORDS: usize = 4;
    let is_town = entity.kind == EntityKind::Person
        && entity.to == entity.from + 1
        && input.flags(entity.from) & (g::CITY | g::COUNTRY) != 0;
    let is_said = |at: usize| PLACED.iter().any(|word| input.word(at).eq_ignore_ascii_case(word));
    let after_preposition = entity.from.checked_sub(1).is_some_and(is_said);
    let after_place = before.is_some_and(|before| {
        before.kind == EntityKind::Location
            && entity.from - before.to <= LOOK_BACK_WORDS
            && !is_introduced(input, entity)
    });
    if is_town && (after_preposition || after_place) { EntityKind::Location } else { entity.kind }
}

/// Whether the words before introduce a person: "My name is Paris", "I am Paris".
fn is_introduced(input: &TaggerInput, entity: &Entity) -> bool {
    (entity.from.saturating_sub(3)..entity.from)
        .any(|at| ["name", "am", "named", "called"].iter().any(|word| input.word(at).eq_ignore_ascii_case(word)))
}

/// The score that an entity needs. Names need more evidence in a text whose case is uninformative.
fn score_min(input: &TaggerInput, entity: &Entity) -> f64 {
    let flat = input.looks[entity.from].form == WordForm::Flat;
    let name = matches!(entity.kind, EntityKind::Person | EntityKind::Location | EntityKind::Organisation);
    if flat && name { FLAT_SCORE_MIN } else { SCORE_MIN }
}

fn addresses(input: &TaggerInput, entity: &Entity, spans: &mut Vec<NameSpan>) {
    let to = in_one_sentence(input, entity.from, entity.to);
    let person = titled_person(input, to, entity.to);
    let to = without_street_word(input, entity.from, trimmed(input, entity.from, to));
    if to <= entity.from {
        return;
    }
    let (r#type, explanation) = type_and_explanation(EntityKind::Address);
    let Some(parts) = address::parts(input, entity.from, to) else {
        let range = input.words[entity.from].start..input.words[to - 1].end;
        spans.push(NameSpan { range, r#type, score: WHOLE_ADDRESS_SCORE, explanation });
        spans.extend(person);
        return;
    };
    for part in parts {
        let (r#type, explanation) =
            type_and_explanation(if part.is_place { EntityKind::Location } else { EntityKind::Address });
        spans.push(NameSpan { range: part.range, r#type, score: SCORE_MAX, explanation });
    }
    spans.extend(person);
}

/// The person named in a sentence after an address: "Herr Klaus Neumann".
fn titled_person(input: &TaggerInput, from: usize, to: usize) -> Option<NameSpan> {
    let title = (from..to).find(|&at| input.flags(at) & g::TITLE != 0)?;
    let first = (title + 1..to).find(|&at| !input.words[at].shape.is_mark)?;
    let is_name = |at: &usize| input.words[*at].shape.starts_upper && input.breaks(*at) == 0;
    let last = (first..to).take_while(is_name).last()?;
    let (r#type, explanation) = type_and_explanation(EntityKind::Person);
    Some(NameSpan { range: input.words[first].start..input.words[last].end, r#type, score: SCORE_MIN, explanation })
}

/// Ends an address at the end of its sentence, and before a line that opens with a form of address ("Herr …").
fn in_one_sentence(input: &TaggerInput, from: usize, to: usize) -> usize {
    let ends_before = |at: &usize| {
        let word = input.words[*at];
        let is_titled = input.flags(*at) & g::TITLE != 0 && input.flags(*at) & g::STREET == 0;
        let is_short = word.end - word.start <= 4;
        if word.shape.opens_line && is_titled && is_short && input.looks[*at].form != WordForm::Flat {
            return true;
        }
        let stop = input.is_mark(at - 1, ".") || input.is_mark(at - 1, "!") || input.is_mark(at - 1, "?");
        let before = at.saturating_sub(2);
        let abbreviated = input.words[before].end - input.words[before].start <= 4
            && !input.words[before].shape.has_digit
            || input.flags(before) & (g::STREET | g::UNIT) != 0;
        let goes_on = input.flags(*at) & g::UNIT != 0;
        stop && word.shape.spaced && word.shape.starts_upper && *at >= from + 2 && !abbreviated && !goes_on
    };
    (from + 1..to).find(ends_before).unwrap_or(to)
}

/// Removes marks that close a sentence or a quotation from the end of a name.
fn trimmed(input: &TaggerInput, from: usize, to: usize) -> usize {
    let mut to = to;
    while to > from && input.words[to - 1].shape.is_mark && input.word(to - 1) != ")" {
        let stop = input.is_mark(to - 1, ".");
        let before = to.saturating_sub(2);
        let short = input.words[before].end - input.words[before].start <= 4;
        let ends_text = to == input.words.len();
        let legal = input.flags(before) & (g::ORG | g::SUFFIX) != 0;
        let abbreviated = stop && to >= from + 2 && short && !input.words[to - 1].shape.spaced && (!ends_text || legal);
        if abbreviated {
            break;
        }
        to -= 1;
    }
    to
}

/// Removes a redundant street word: in "12 High Street street", the second one.
fn without_street_word(input: &TaggerInput, from: usize, to: usize) -> usize {
    let stop = to > from && input.is_mark(to - 1, ".");
    let last = if stop { to - 2 } else { to - 1 };
    let named = last > from && ["street", "st"].iter().any(|word| input.word(last).eq_ignore_ascii_case(word));
    let before = last.saturating_sub(1);
    let whole = named && last > from + 1 && (input.words[before].shape.has_digit || input.word(last) == "street");
    if whole { last } else { to }
}

fn edges(input: &TaggerInput, entity: &Entity) -> Option<Range<usize>> {
    let to = match entity.kind {
        EntityKind::Title | EntityKind::Date => entity.to,
        _ => trimmed(input, entity.from, entity.to),
    };
    if to <= entity.from {
        return None;
    }
    let (first, last) = (input.words[entity.from], input.words[to - 1]);
    let text = &input.text[first.start..last.end];
    let shorter = match entity.kind {
        EntityKind::Age => {
            text.find(|letter: char| !letter.is_ascii_digit()).filter(|&end| end > 0).unwrap_or(text.len())
        }
        _ => ["'s", "’s"].iter().find_map(|ending| text.strip_suffix(ending)).map_or(text.len(), str::len),
    };
    Some(first.start..first.start + shorter)
}

/// Whether a date is introduced as a date of birth: "DOB: …", "date of birth is …". "Born on" alone may refer to
/// anyone, in any century, so that remains a plain date.
fn is_birth(input: &TaggerInput, from: usize) -> bool {
    let mut at = from;
    let mut back = || {
        at = at.checked_sub(1)?;
        Some(input.word(at))
    };
    let mut word = back();
    while word.is_some_and(|word| matches!(word, ":" | "-" | "=") || word.eq_ignore_ascii_case("is")) {
        word = back();
    }
    match word {
        Some(word) if ["dob", "birthdate"].iter().any(|cue| word.eq_ignore_ascii_case(cue)) => true,
        Some(word) if word.eq_ignore_ascii_case("birth") => {
            back().is_some_and(|of| of.eq_ignore_ascii_case("of"))
                && back().is_some_and(|date| date.eq_ignore_ascii_case("date"))
        }
        _ => false,
    }
}

fn type_and_explanation(kind: EntityKind) -> (&'static str, &'static str) {
    match kind {
        EntityKind::Person => ("PERSON", "reads like the name of a person"),
        EntityKind::Location => ("LOCATION", "reads like the name of a place"),
        EntityKind::Address => ("ADDRESS", "reads like a postal address or a part of one"),
        EntityKind::Organisation => ("ORGANIZATION", "reads like the name of an organisation"),
        EntityKind::Date => ("DATE_TIME", "has the form of a date or a time"),
        EntityKind::Age => ("AGE", "reads like an age"),
        EntityKind::Title => ("TITLE", "reads like a form of address or an occupation"),
        EntityKind::Nation => ("NRP", "reads like a nationality, a religion or a political group"),
        EntityKind::Zip => ("ZIP_CODE", "reads like a postal code"),
    }
}

#[cfg(feature = "training")]
pub(super) fn type_of(kind: EntityKind) -> &'static str {
    type_and_explanation(kind).0
}
