//! What a thing must have to be one: weights can be led astray by texts unlike those that they were learnt from.

use super::gazetteer as g;
use super::reading::{Form, Reading};
use super::tagger::{Entity, Found};

const AGE_MAX: u32 = 120;
const ADDRESS_WORDS_MAX: usize = 40;

/// `before`: the entity found before this one.
pub(super) fn is(reading: &Reading, entity: &Entity, before: Option<&Entity>) -> bool {
    match entity.found {
        Found::Age => age(reading, entity.from),
        Found::Zip => zip(reading, entity, before),
        Found::Title => title(reading, entity),
        Found::Address => address(reading, entity),
        _ => true,
    }
}

/// `36`, `36-year-old`.
fn age(reading: &Reading, at: usize) -> bool {
    let word = reading.word(at);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let ends = word.len() == digits || word.as_bytes()[digits] == b'-' || word[digits..].starts_with("yo");
    ends && word[..digits].parse::<u32>().is_ok_and(|age| (1..=AGE_MAX).contains(&age))
}

/// Right after a place, or near a word that says so.
fn zip(reading: &Reading, entity: &Entity, before: Option<&Entity>) -> bool {
    let after_place = before.is_some_and(|before| before.found == Found::Location && before.to == entity.from);
    let near = entity.from.saturating_sub(6)..(entity.to + 6).min(reading.words.len());
    let says = |at: usize| {
        let word = reading.word(at);
        ["zip", "postal", "postcode", "post", "plz", "zipcode", "zip-code", "pin"]
            .iter()
            .any(|cue| word.eq_ignore_ascii_case(cue))
    };
    after_place || near.into_iter().any(says)
}

/// Ends in a form of address or an occupation, or in what most of those end in.
fn title(reading: &Reading, entity: &Entity) -> bool {
    const ENDINGS: [&str; 12] = ["er", "or", "ist", "ian", "ant", "man", "woman", "ent", "aid", "ee", "ive", "eer"];
    let last = (entity.from..entity.to).rev().find(|&at| reading.looks[at].form != Form::Mark);
    last.is_some_and(|at| {
        reading.flags(at) & (g::JOB | g::TITLE) != 0 || ENDINGS.iter().any(|ending| reading.word(at).ends_with(ending))
    })
}

/// A name, and a number or a word that only streets have.
fn address(reading: &Reading, entity: &Entity) -> bool {
    let words = entity.from..entity.to;
    if words.len() > ADDRESS_WORDS_MAX || words.clone().any(|at| reading.is_mark(at, "&")) {
        return false;
    }
    let named = words.clone().any(|at| {
        matches!(reading.looks[at].form, Form::Title | Form::Upper | Form::Camel | Form::Flat | Form::Lower)
            && reading.word(at).len() > 1
    });
    let number = words.clone().any(|at| reading.words[at].shape.has_digit);
    let street = words.clone().any(|at| {
        reading.flags(at) & (g::STREET | g::UNIT) != 0 && (reading.flags(at) & g::ORDINARY == 0 || at + 1 == entity.to)
    });
    let corner = reading.word(entity.from + 1).eq_ignore_ascii_case("corner") && words.len() > 4;
    named && (number || street || corner)
}
