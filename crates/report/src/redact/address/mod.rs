//! Finds street addresses and postcodes in the formats of many languages. The words are in `street_words.rs`.
//!
//! Everything from the street or postcode to the end of the value is masked, because towns, floors and countries follow
//! it.

mod street_words;

use self::street_words::{
    BOXES, LOWER_CASE_PARTS, LOWER_CASE_PREFIXES, LOWER_CASE_SUFFIXES, NAMED_STREETS, NUMBER_AFTER_SUFFIX,
    OTHER_STREET_WORDS, PREFIXES, SENTENCE_WORDS, STREET_ENDINGS, UNITS,
};
use super::{
    number,
    span::{ADDRESS, MaskedSpan, NAME},
    token::{TextToken, TokenShape},
};

/// With `needs_number`, a street name without a number is kept, because merchants' names contain such names.
pub(super) fn spans(text: &str, tokens: &[TextToken], needs_number: bool, spans: &mut Vec<MaskedSpan>) {
    let street = (0..tokens.len()).find_map(|at| {
        street(text, tokens, at, needs_number)
            .or_else(|| street_in_lower_case(text, tokens, at))
            .or_else(|| unit(text, tokens, at))
            .or_else(|| house_and_street(tokens, at))
            .or_else(|| if needs_number { None } else { named_street(text, tokens, at) })
    });
    let code = (0..tokens.len()).find(|at| is_postcode(text, tokens, *at)).and_then(|at| tokens.get(at));
    let starts = [street, code.map(|code| code.start)];
    if let Some(start) = starts.into_iter().flatten().min() {
        spans.push(MaskedSpan::new(start..text.len(), ADDRESS));
    }
}

/// Masks house numbers next to masked names, because the name is probably a street's.
pub(super) fn house_numbers(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    let names: Vec<(usize, usize)> =
        spans.iter().filter(|span| span.mask == NAME).map(|span| (span.range.start, span.range.end)).collect();
    let is_short_gap = |gap: Option<&str>| {
        gap.is_some_and(|gap| {
            gap.len() <= 6
                && !gap.contains(['(', ')', ':', '='])
                && gap.chars().filter(|letter| letter.is_alphabetic()).count() <= 3
        })
    };
    for token in tokens.iter().filter(|token| is_house(token)) {
        let range = token.start..token.end;
        let is_near = names.iter().any(|(start, end)| {
            let gap = if token.start >= *end { text.get(*end..token.start) } else { text.get(token.end..*start) };
            is_short_gap(gap)
        });
        if is_near && !number::has_currency(text, &range) && !has_fraction(text, token) {
            spans.push(MaskedSpan::new(range, ADDRESS));
        }
    }
}

fn has_fraction(text: &str, token: &TextToken) -> bool {
    let digit_after = |mark: char| {
        text[token.end..].strip_prefix(mark).is_some_and(|rest| rest.starts_with(|d: char| d.is_ascii_digit()))
    };
    digit_after('.') || digit_after(',')
}

/// `23 maplewood lane`, `via garibaldi 22`: a street in lower case counts only if a house number is nearby.
fn street_in_lower_case(text: &str, tokens: &[TextToken], at: usize) -> Option<usize> {
    const NAME_WORDS_MAX: usize = 3;
    let word = &tokens[at];
    let is_part = |token: &&TextToken| token.is_word() && !token.is_one_of(SENTENCE_WORDS);
    let is_close = |from: &TextToken, to: &TextToken| to.start.saturating_sub(from.end) <= 3;
    if word.is_one_of(LOWER_CASE_SUFFIXES) {
        let name = tokens[..at].iter().rev().take(NAME_WORDS_MAX).take_while(is_part).count();
        let house = (1..=NAME_WORDS_MAX + 1).filter(|back| *back <= name + 1).find_map(|back| {
            at.checked_sub(back).and_then(|at| tokens.get(at)).filter(|token| is_house(token) && back > 1)
        });
        if let Some(house) = house {
            return Some(house.start);
        }
        let follows = tokens.get(at + 1).filter(|next| is_house(next) && is_close(word, next));
        if name > 0 && follows.is_some() && word.is_one_of(NUMBER_AFTER_SUFFIX) {
            return at.checked_sub(1).and_then(|before| tokens.get(before)).map(|name| name.start);
        }
    }
    let is_marked = word.plain.len() <= 2 && text[word.end..].starts_with(['.', '/']);
    if word.is_one_of(LOWER_CASE_PREFIXES) || is_marked && word.is_one_of(&["c", "av", "pl", "ul", "bd", "al", "os"]) {
        let name = tokens[at + 1..].iter().take(4).take_while(is_part).count();
        let house = tokens.get(at + 1 + name).filter(|house| is_house(house));
        return house.filter(|_| name > 0).map(|_| word.start);
    }
    None
}

/// `Apt 4C`, `Suite 1203`, `House 22`, `Casilla 44`.
fn unit(text: &str, tokens: &[TextToken], at: usize) -> Option<usize> {
    let (word, next) = (tokens.get(at)?, tokens.get(at + 1)?);
    let gap = &text[word.end..next.start];
    (word.is_capitalised() && word.is_one_of(UNITS) && is_house(next) && gap.len() <= 2).then_some(word.start)
}

/// `10 Strand`: the whole text is a number and a name.
fn house_and_street(tokens: &[TextToken], at: usize) -> Option<usize> {
    let [house, street] = tokens else { return None };
    let is_thing = street.own_lists.is_ordinary
        || street.own_lists.is_shop
        || street.lists.thing
        || number::is_counted(Some(street));
    let is_code = number::is_currency(&street.plain.to_ascii_uppercase());
    (at == 0 && is_house(house) && street.shape == TokenShape::Capitalised && !is_thing && !is_code)
        .then_some(house.start)
}

/// `Mill Lane`, `Rosslyn Crescent`: a street without a number, if both words are capitalised.
fn named_street(text: &str, tokens: &[TextToken], at: usize) -> Option<usize> {
    let word = tokens.get(at).filter(|word| word.shape == TokenShape::Capitalised && word.is_one_of(NAMED_STREETS))?;
    let before = at.checked_sub(1).and_then(|before| tokens.get(before))?;
    let is_name = before.shape == TokenShape::Capitalised && !before.is_one_of(SENTENCE_WORDS);
    (is_name && &text[before.end..word.start] == " ").then_some(before.start)
}

/// The start of the address to which the street word at `at` belongs.
fn street(text: &str, tokens: &[TextToken], at: usize, needs_number: bool) -> Option<usize> {
    const REACH: usize = 4;
    let word = tokens.get(at).filter(|token| token.is_word())?;
    let is_sure =
        STREET_ENDINGS.iter().any(|ending| word.plain.len() > ending.len() + 1 && word.plain.ends_with(ending));
    let is_street_word = is_prefix(word) || word.is_one_of(BOXES) || word.is_one_of(OTHER_STREET_WORDS);
    if !is_sure && !is_street_word {
        return None;
    }
    // "2 minutes away from the street" has a number too, but with words of a sentence in between.
    let joins = |token: &TextToken| {
        token.is_capitalised() || token.shape == TokenShape::Letter || token.is_one_of(LOWER_CASE_PARTS)
    };
    let run_before = tokens[..at].iter().rev().take(REACH).take_while(|token| joins(token) || is_house(token));
    let run_after = tokens[at + 1..].iter().take(REACH).take_while(|token| joins(token) || is_house(token));
    let has_house = run_before.clone().chain(run_after).any(is_house);
    let starts_name = word.is_capitalised() && tokens.get(at + 1).is_some_and(TextToken::is_capitalised);
    let is_street = has_house || !needs_number && (is_sure && word.is_capitalised() || starts_name && is_prefix(word));
    let is_box = word.is_one_of(BOXES) && tokens.get(at + 1).is_some_and(|next| next.digits() > 0);
    if !is_street && !is_box || word.plain.len() <= 2 && !is_followed_by_dot(text, word) && !has_house {
        return None;
    }
    run_before.last().map_or(Some(word.start), |first| Some(first.start))
}

fn is_followed_by_dot(text: &str, word: &TextToken) -> bool {
    text[word.end..].starts_with('.')
}

/// `12`, `12b`, `1024`.
fn is_house(token: &TextToken) -> bool {
    (1..=5).contains(&token.digits())
        && token.plain.len() <= 6
        && token.plain.starts_with(|first: char| first.is_ascii_digit())
}

fn is_prefix(word: &TextToken) -> bool {
    word.is_one_of(PREFIXES)
}

fn is_postcode(text: &str, tokens: &[TextToken], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let next = tokens.get(at + 1);
    let gap = next.map_or("", |next| &text[token.end..next.start]);
    let len = token.plain.len();
    let is_town = |town: Option<&TextToken>| {
        town.is_some_and(|town| {
            let is_unit = number::is_currency(&town.plain.to_ascii_uppercase()) || number::is_counted(Some(town));
            town.is_capitalised() && town.plain.len() > 2 && !is_unit
        })
    };
    let is_upper_case = |token: &TextToken| {
        text[token.start..token.end].bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
    };
    let kinds = |token: &TextToken| -> String {
        token.plain.chars().map(|letter| if letter.is_ascii_digit() { '9' } else { 'a' }).collect()
    };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let has_country_letter = before.is_some_and(|before| {
        before.plain.len() <= 2 && before.is_word() && &text[before.end..token.start] == "-" && is_upper_case(before)
    });
    match (kinds(token).as_str(), next.map(kinds).as_deref(), gap) {
        // United Kingdom, Canada
        ("a9" | "a99" | "aa9" | "aa99" | "a9a" | "aa9a", Some("9aa"), " " | "-") => true,
        ("a9a", Some("9a9"), " ") => true,
        // Ireland
        ("a99" | "a9a", Some("a999" | "aa99" | "aaa9" | "a9a9" | "a99a"), " ") => is_upper_case(token),
        // Australia
        ("aa" | "aaa", Some("9999"), " ") => {
            token.is_one_of(&["nsw", "vic", "qld", "wa", "sa", "tas", "act", "nt"]) && is_upper_case(token)
        }
        // United Kingdom, written without a space
        ("a99aa" | "aa99aa" | "a999aa" | "aa999aa" | "aa9a9aa" | "a9a9aa", _, _) => is_upper_case(token),
        // Netherlands, Poland, Portugal, United States
        ("9999", Some("aa"), " ") => {
            let is_last = tokens.get(at + 2).is_none() || is_town(tokens.get(at + 2));
            next.is_some_and(&is_upper_case)
                && is_last
                && next.is_some_and(|next| !next.is_one_of(&["am", "pm", "km", "kg", "ad", "bc"]))
        }
        ("99", Some("999"), "-") => is_town(tokens.get(at + 2)),
        ("9999", Some("999"), "-") => is_town(tokens.get(at + 2)),
        ("aa", Some("99999"), " ") => is_upper_case(token) && is_state(token),
        // United States, with four more digits
        ("99999", Some("9999"), "-") => true,
        // Germany, France, Spain, Italy; with a country's letter, or before a town
        ("99999" | "9999", _, _) if has_country_letter => true,
        ("99999", Some(_), " ") => is_town(next),
        // Austria, Switzerland, Belgium
        ("9999", Some(_), " ") => {
            len == 4
                && is_town(next)
                && next.is_some_and(|town| town.lists.place && !town.lists.ordinary && !town.lists.thing)
        }
        _ => false,
    }
}

fn is_state(token: &TextToken) -> bool {
    token.lists.place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::{span::masked, token::tokens};

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        spans(text, &tokens(text), false, &mut found);
        assert_eq!(masked(text, found, 999), expected, "{text}");
    }

    #[test]
    fn addresses_are_masked_in_many_languages() {
        for text in [
            "12 High Street, Leeds LS1 4AB",
            "221b Baker St, London NW1 6XE",
            "1600 Elm Avenue, Springfield, IL 62704",
            "Hauptstraße 5, 10115 Berlin",
            "Hauptstr. 5, 10115 Berlin",
            "Am Alten Weg 7, D-80331 München",
            "12 rue de la Paix, 75002 Paris",
            "Calle Mayor 14, 28013 Madrid",
            "Via Roma 10, 00184 Roma",
            "Rua Augusta 24, 1100-048 Lisboa",
            "Keizersgracht 174, 1016 DW Amsterdam",
            "ul. Marszałkowska 10, 00-590 Warszawa",
            "LS1 4AB",
            "10115 Berlin",
            "1010 Wien",
            "Postfach 1234",
        ] {
            check(text, "[ADDRESS]");
            check(&format!("rent for {text}"), "rent for [ADDRESS]");
        }
    }

    #[test]
    fn other_text_is_kept() {
        for text in [
            "two cameras",
            "3 items on the way",
            "a drive of 2 hours",
            "paid 250 in a close",
            "invoice 2231",
            "14 transactions took place",
            "the place was 5 km away",
            "in 2026 March was quiet",
            "12 March 2026",
        ] {
            check(text, text);
        }
    }
}
