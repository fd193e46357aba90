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

/// `36`, `36-year-old`, where the words around it speak of an age.
fn age(reading: &Reading, at: usize) -> bool {
    let word = reading.word(at);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let whole = word.len() == digits;
    let ends = whole || word.as_bytes()[digits] == b'-' || word[digits..].starts_with("yo");
    let fits = ends && word[..digits].parse::<u32>().is_ok_and(|age| (1..=AGE_MAX).contains(&age));
    fits && (!whole || counted_in_years(reading, at) || said_to_be(reading, at))
}

fn counted_in_years(reading: &Reading, at: usize) -> bool {
    let next = if reading.is_mark(at + 1, "-") { at + 2 } else { at + 1 };
    let word = reading.word(next);
    ["y", "yo", "yr", "yrs", "year", "years", "year-old", "years-old"]
        .iter()
        .any(|unit| word.eq_ignore_ascii_case(unit))
}

/// "she is 36", "turned 36", "Age: 36", "Ann, 36,": with nothing after it that could be counted.
fn said_to_be(reading: &Reading, at: usize) -> bool {
    const BEFORE: [&str; 30] = [
        "age", "aged", "ages", "old", "turn", "turned", "turns", "turning", "am", "is", "was", "be", "been", "are",
        "were", "i'm", "he's", "she's", "they're", "im", "i’m", "he’s", "she’s", "now", "at", "almost", "nearly",
        "over", "under", "hit",
    ];
    const AFTER: [&str; 24] = [
        "and", "or", "when", "now", "in", "on", "at", "next", "last", "this", "today", "tomorrow", "but", "so", "as",
        "already", "soon", "years", "then", "by", "too", "because", "while", "from",
    ];
    let next = reading.word(at + 1);
    let open = next.is_empty() || AFTER.iter().any(|word| next.eq_ignore_ascii_case(word));
    let after = reading
        .words
        .get(at + 1)
        .is_none_or(|word| word.shape.is_mark && !matches!(next, "%" | "$" | "€" | "/" | "+" | ":"));
    let cue = |at: usize| BEFORE.iter().any(|word| reading.word(at).eq_ignore_ascii_case(word));
    let cued = (at.saturating_sub(8)..at).any(cue);
    let beside_name = at.checked_sub(1).is_some_and(|before| matches!(reading.word(before), "," | "("));
    (open || after) && (cued || beside_name)
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
