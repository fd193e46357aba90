//! Rejects implausible entities: the tagger's weights are unreliable on texts unlike its training data.

use super::gazetteer as g;
use super::tagger::{Entity, EntityKind};
use super::tagger_input::{TaggerInput, WordForm};
use crate::pii::labelled;

const AGE_MAX: u32 = 120;
const ADDRESS_WORDS_MAX: usize = 40;
/// The longest postal codes have ten characters and a space or two.
const ZIP_BYTES_MAX: usize = 12;

/// Whether the entity is plausible. `before` is the entity found before it.
pub(super) fn is_plausible(input: &TaggerInput, entity: &Entity, before: Option<&Entity>) -> bool {
    match entity.kind {
        EntityKind::Age => age(input, entity.from, before),
        EntityKind::Zip => zip(input, entity, before),
        EntityKind::Title => title(input, entity),
        EntityKind::Address => address(input, entity),
        EntityKind::Person | EntityKind::Location | EntityKind::Organisation => name(input, entity),
        _ => true,
    }
}

/// Rejects sentences, businesses, short labels in capitals before a number ("IBAN 12"), and labels, greetings and abbreviations
/// that merely appear in the positions of names.
fn name(input: &TaggerInput, entity: &Entity) -> bool {
    /// Greetings, articles, labels and abbreviations in several languages.
    #[rustfmt::skip]
    const NO_NAMES: &[&str] = &[
        "bitte", "danke", "hallo", "rufen", "rufe", "sie", "ihr", "ihre", "mein", "meine", "sein", "seine", "das",
        "der", "die", "ein", "eine", "merci", "bonjour", "salut", "veuillez", "le", "la", "les", "un", "une", "mon",
        "ma", "il", "el", "los", "mi", "hola", "gracias", "ciao", "grazie", "obrigado", "obrigada", "olá", "dank",
        "hej", "tack", "dziękuję", "proszę", "de", "di", "da", "du", "tlf", "tel", "tél", "тел", "isbn", "issn", "bic",
        "gmail", "outlook", "yahoo", "ssn", "imei", "vin", "dob", "iban", "abs", "bgb", "dsgvo", "geburtsdatum",
        "geburtstag", "postleitzahl", "氏名", "姓名", "名前", "患者", "расчётный", "расчетный",
    ];
    /// Kinds of businesses: "Boulangerie Paul" is not a person's name.
    #[rustfmt::skip]
    const BUSINESSES: &[&str] = &[
        "boulangerie", "bäckerei", "restaurant", "ristorante", "restaurante", "pizzeria", "hotel", "hôtel", "apotheke",
        "pharmacie", "farmacia", "studio", "museum", "bakery", "café", "panadería", "trattoria", "osteria",
        "brasserie", "gasthaus", "gasthof", "metzgerei", "boucherie", "garage", "theater", "théâtre", "teatro",
        "pharmacy",
    ];
    /// Chinese and Japanese are written without spaces, so a longer run is a sentence.
    const CJK_NAME_CHARS_MAX: usize = 6;
    const LABEL_CHARS_MAX: usize = 5;
    let mut words = (entity.from..entity.to).filter(|&at| !input.words[at].shape.is_mark).peekable();
    if words.peek().is_none() {
        return true;
    }
    // Each of these characters takes three bytes.
    let is_sentence = |at: usize| {
        let word = input.word(at);
        word.len() > 3 * CJK_NAME_CHARS_MAX
            && word.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}'))
    };
    let lower = |at: usize| input.word(at).to_lowercase();
    let is_label = |at: usize| {
        labelled::is_label_word(input.words[at].hash)
            || NO_NAMES.contains(&lower(at).as_str())
            || ["nummer", "nr", "numarası"].iter().any(|ending| lower(at).ends_with(ending))
    };
    let is_business = |at: usize| entity.kind == EntityKind::Person && BUSINESSES.contains(&lower(at).as_str());
    let is_listed = |at: usize| input.flags(at) & (g::FIRST | g::LAST | g::CITY | g::COUNTRY | g::STATE) != 0;
    let labels_number = entity.kind != EntityKind::Organisation
        && entity.to == entity.from + 1
        && input.looks[entity.from].form == WordForm::Upper
        && input.word(entity.from).chars().count() <= LABEL_CHARS_MAX
        && !is_listed(entity.from)
        && input.words.get(entity.to).is_some_and(|next| next.shape.has_digit);
    !labels_number && !words.clone().any(|at| is_sentence(at) || is_business(at)) && !words.all(is_label)
}

/// Accepts a number from 1 to 120 that is joined to `-` or `yo` (`36-year-old`, `36yo`), and a bare number if the surrounding
/// words indicate an age.
fn age(input: &TaggerInput, at: usize, before: Option<&Entity>) -> bool {
    let word = input.word(at);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let whole = word.len() == digits;
    let ends = whole || word.as_bytes()[digits] == b'-' || word[digits..].starts_with("yo");
    let fits = ends && word[..digits].parse::<u32>().is_ok_and(|age| (1..=AGE_MAX).contains(&age));
    fits && (!whole || is_counted_in_years(input, at) || is_stated_age(input, at) || follows_name(input, at, before))
}

fn is_counted_in_years(input: &TaggerInput, at: usize) -> bool {
    let next = if input.is_mark(at + 1, "-") { at + 2 } else { at + 1 };
    let word = input.word(next);
    ["y", "yo", "yr", "yrs", "year", "years", "year-old", "years-old"]
        .iter()
        .any(|unit| word.eq_ignore_ascii_case(unit))
}

/// Accepts "Ann, 36," or "Ann (36)".
fn follows_name(input: &TaggerInput, at: usize, before: Option<&Entity>) -> bool {
    let named = before.is_some_and(|before| before.kind == EntityKind::Person && before.to + 1 == at);
    let mark = |at: usize, mark: &str| input.is_mark(at, mark);
    named
        && at > 0
        && (mark(at - 1, "(") && mark(at + 1, ")")
            || mark(at - 1, ",") && input.looks.get(at + 1).is_none_or(|next| next.form == WordForm::Mark))
}

/// Accepts "she is 36", "turned 36", "Age: 36", provided that nothing countable follows.
fn is_stated_age(input: &TaggerInput, at: usize) -> bool {
    /// `FAR` words may occur anywhere in the eight words before the number, `NEAR` words only in the last two.
    const FAR: [&str; 9] = ["age", "aged", "ages", "old", "turn", "turned", "turns", "turning", "birthday"];
    const NEAR: [&str; 24] = [
        "am", "is", "was", "be", "been", "are", "were", "i'm", "he's", "she's", "they're", "im", "i’m", "he’s",
        "she’s", "now", "at", "almost", "nearly", "over", "under", "only", "just", "hit",
    ];
    const WORDS_AFTER: [&str; 24] = [
        "and", "or", "when", "now", "in", "on", "at", "next", "last", "this", "today", "tomorrow", "but", "so", "as",
        "already", "soon", "years", "then", "by", "too", "because", "while", "from",
    ];
    let next = input.word(at + 1);
    let next_word_fits = next.is_empty() || WORDS_AFTER.iter().any(|word| next.eq_ignore_ascii_case(word));
    let next_mark_fits = input
        .words
        .get(at + 1)
        .is_none_or(|word| word.shape.is_mark && !matches!(next, "%" | "$" | "€" | "/" | "+" | ":"));
    let any = |words: &[&str], near: usize| {
        (at.saturating_sub(near)..at).any(|at| words.iter().any(|word| input.word(at).eq_ignore_ascii_case(word)))
    };
    (next_word_fits || next_mark_fits) && (any(&FAR, 8) || any(&NEAR, 2))
}

/// Accepts a postal code directly after a place, or near a word that introduces one.
fn zip(input: &TaggerInput, entity: &Entity, before: Option<&Entity>) -> bool {
    let after_place = before.is_some_and(|before| before.kind == EntityKind::Location && before.to == entity.from);
    let near = entity.from.saturating_sub(6)..(entity.to + 6).min(input.words.len());
    let says = |at: usize| {
        let word = input.word(at);
        ["zip", "postal", "postcode", "post", "plz", "zipcode", "zip-code", "pin"]
            .iter()
            .any(|cue| word.eq_ignore_ascii_case(cue))
    };
    let length = input.words[entity.to - 1].end - input.words[entity.from].start;
    length <= ZIP_BYTES_MAX && (after_place || near.into_iter().any(says))
}

/// Accepts a title that ends in a form of address, an occupation, or a typical ending of one.
fn title(input: &TaggerInput, entity: &Entity) -> bool {
    const ENDINGS: [&str; 12] = ["er", "or", "ist", "ian", "ant", "man", "woman", "ent", "aid", "ee", "ive", "eer"];
    let last = (entity.from..entity.to).rev().find(|&at| input.looks[at].form != WordForm::Mark);
    last.is_some_and(|at| {
        input.flags(at) & (g::JOB | g::TITLE) != 0 || ENDINGS.iter().any(|ending| input.word(at).ends_with(ending))
    })
}

/// Accepts words with a number, with a word that occurs only in streets, or with "corner". Rejects decimals ("2.5 Elm"), legal
/// references ("Art. 5", "§"), citations ("Xu & Woodman 2014") and very long entities.
fn address(input: &TaggerInput, entity: &Entity) -> bool {
    let words = entity.from..entity.to;
    let is_legal_reference = |at: usize| {
        input.is_mark(at, "§") || ["abs", "art", "bgb"].iter().any(|word| input.word(at).eq_ignore_ascii_case(word))
    };
    let word_before = entity.from.saturating_sub(1);
    let is_ampersand = |at: usize| input.is_mark(at, "&");
    let is_decimal = entity.from >= 2
        && !input.words[entity.from].shape.spaced
        && input.is_mark(entity.from - 1, ".")
        && !input.words[entity.from - 1].shape.spaced
        && input.words[entity.from - 2].shape.all_digits;
    if is_decimal {
        return false;
    }
    if words.len() > ADDRESS_WORDS_MAX || words.clone().any(is_ampersand) {
        return false;
    }
    if (word_before..entity.to).any(is_legal_reference) {
        return false;
    }
    let has_word = words.clone().any(|at| {
        matches!(
            input.looks[at].form,
            WordForm::Title | WordForm::Upper | WordForm::Camel | WordForm::Flat | WordForm::Lower
        ) && input.word(at).len() > 1
    });
    let number = words.clone().any(|at| input.words[at].shape.has_digit);
    let street = words.clone().any(|at| {
        input.flags(at) & (g::STREET | g::UNIT) != 0 && (input.flags(at) & g::ORDINARY == 0 || at + 1 == entity.to)
    });
    // "the corner of Elm and Main"
    let corner = input.word(entity.from + 1).eq_ignore_ascii_case("corner") && words.len() > 4;
    has_word && (number || street || corner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::names::gazetteer::Gazetteer;
    use crate::tokenize;

    /// Checks whether the words of `part` are plausible as an entity of this kind.
    fn check(text: &str, part: &str, kind: EntityKind, expected: bool) {
        let mut words = Vec::new();
        tokenize::tokenize(text, &mut words);
        let gazetteer = Gazetteer::new(&[]);
        let input = TaggerInput::new(&gazetteer, text, &words);
        let start = text.find(part).unwrap();
        let from = words.iter().position(|word| word.start >= start).unwrap();
        let to = words.iter().position(|word| word.start >= start + part.len()).unwrap_or(words.len());
        assert_eq!(is_plausible(&input, &Entity { from, to, kind, score: 0.9 }, None), expected, "{text}");
    }

    #[test]
    fn an_age_needs_words_that_indicate_an_age() {
        for text in ["36 years old", "a 36-year-old", "she is 36.", "I turned 36 last week", "Age: 36"] {
            check(text, "36", EntityKind::Age, true);
        }
        for text in [
            "What are 36 good ideas?",
            "in 36 minutes",
            "is 36% of it",
            "Error 36",
            "page 36",
            "I was there for 36.",
            "(36)",
        ] {
            check(text, "36", EntityKind::Age, false);
        }
        check("he is 360", "360", EntityKind::Age, false);
    }

    #[test]
    fn a_number_in_commas_or_brackets_after_a_name_is_an_age() {
        let text = "Ann, 36, and Bo (36)";
        let mut words = Vec::new();
        tokenize::tokenize(text, &mut words);
        let gazetteer = Gazetteer::new(&[]);
        let input = TaggerInput::new(&gazetteer, text, &words);
        let entity = |from, kind| Entity { from, to: from + 1, kind, score: 0.9 };
        for (name, age) in [(0, 2), (5, 7)] {
            assert!(is_plausible(&input, &entity(age, EntityKind::Age), Some(&entity(name, EntityKind::Person))));
            assert!(!is_plausible(&input, &entity(age, EntityKind::Age), Some(&entity(name, EntityKind::Location))));
        }
    }

    #[test]
    fn occupations_are_recognised_by_their_endings() {
        check("as Network systems administrator", "Network systems administrator", EntityKind::Title, true);
        check("Design for degradation", "Design for degradation", EntityKind::Title, false);
    }

    #[test]
    fn an_address_needs_a_number_or_a_street() {
        check("at 12 Elm", "12 Elm", EntityKind::Address, true);
        check("on Anchors Way", "Anchors Way", EntityKind::Address, true);
        for part in ["Kermit and Piggy", "1664", "Xu & Woodman 2014"] {
            check(part, part, EntityKind::Address, false);
        }
    }
}
