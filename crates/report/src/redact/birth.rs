//! Finds dates of birth and ages in all common forms: after a word such as "born", in words, with Roman months, or as a
//! year alone.

use std::ops::Range;

use countersign_text::numbers::{TENS, UNITS, ordinal};

use super::{
    number,
    span::{AGE, DATE, DATE_OF_BIRTH, MaskedSpan},
    token::{TextToken, TokenShape},
};

/// The years in which payments can have taken place. An earlier date is more likely to be a date of birth.
pub(super) const RECENT_YEARS: Range<u32> = 2016..2100;
const BIRTH_YEARS: Range<u32> = 1900..2100;
/// Years in which a customer may have been born and which reports rarely mention.
const OLD_YEARS: Range<u32> = 1925..2013;

pub(super) fn spans(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    births(text, tokens, spans);
    dates_in_words(text, tokens, spans);
    roman_months(text, tokens, spans);
    years(text, tokens, spans);
    ages(tokens, spans);
}

/// Masks a date, or a month or year alone, after a word for birth.
fn births(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    const REACH: usize = 8;
    for (at, label) in tokens.iter().enumerate() {
        let is_star = text[..label.start].ends_with(['*', '†']) && label.number().is_some();
        let Some(skipped) = label_len(text, tokens, at) else {
            if is_star {
                mask_birth(text, &tokens[at..], REACH, spans);
            }
            continue;
        };
        mask_birth(text, tokens.get(at + skipped..).unwrap_or_default(), REACH, spans);
    }
}

/// How many tokens, starting at this one, form a word for birth: `born`, `D.O.B.`, `b.` before a date.
fn label_len(text: &str, tokens: &[TextToken], at: usize) -> Option<usize> {
    let label = &tokens[at];
    if label.is_one_of(BIRTH_LABELS) {
        return Some(1);
    }
    let letters = |len: usize| tokens.get(at..at + len);
    let spells = |word: &str| {
        letters(word.len()).is_some_and(|letters| {
            letters
                .iter()
                .zip(word.chars())
                .all(|(token, letter)| token.shape == TokenShape::Letter && token.plain.starts_with(letter))
        })
    };
    if let Some(word) = ["dob", "dog", "dn", "ddn"].iter().find(|word| spells(word)) {
        return Some(word.len());
    }
    // A single `b` means birth only right before a date.
    let is_letter = label.is_one_of(&["b", "n", "g", "dog"]);
    let next = tokens.get(at + 1).filter(|next| next.digits() > 0)?;
    let gap = &text[label.end..next.start];
    let date = number::digit_runs(text).into_iter().find(|range| range.start == next.start)?;
    (is_letter && gap.len() <= 2 && number::date(&text[date]).is_some()).then_some(1)
}

fn mask_birth(text: &str, after: &[TextToken], reach: usize, spans: &mut Vec<MaskedSpan>) {
    let is_part = |token: &&TextToken| is_birth_figure(token) || is_month(token) || is_number_word(token);
    let near = || after.iter().take(reach);
    let (Some(first), Some(last)) = (near().find(is_part), near().rfind(is_part)) else { return };
    // If the last figure is an amount of money, the sentence is about something else.
    let is_amount = number::digit_runs(text)
        .into_iter()
        .any(|range| range.start == last.start && number::has_currency(text, &range));
    if !is_amount {
        let start = if text[..first.start].ends_with(['\'', '’']) { first.start - 1 } else { first.start };
        spans.push(MaskedSpan::new(start..last.end, DATE_OF_BIRTH));
    }
}

fn is_birth_figure(token: &TextToken) -> bool {
    let ordinal = token.plain.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    if token.shape == TokenShape::Mixed {
        return ordinal.len() <= 2 && !ordinal.is_empty() && ordinal.bytes().all(|byte| byte.is_ascii_digit());
    }
    token.number().is_some_and(|number| match token.plain.len() {
        1 | 2 => number <= 99,
        4 => BIRTH_YEARS.contains(&number),
        6 | 8 => true,
        _ => false,
    })
}

/// Whether a word is an ordinal, or a number from two to ninety in words.
fn is_number_word(token: &TextToken) -> bool {
    ordinal(&token.plain).is_some() || token.is_one_of(&UNITS[2..]) || token.is_one_of(&TENS)
}

/// `12 March 1985`, `12. März 1985`, `12 de marzo de 1985`, `March 12, 1985`, `12 Mar '85`.
fn dates_in_words(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    for (at, month) in tokens.iter().enumerate().filter(|(_, token)| is_month(token)) {
        let is_day = |token: &&TextToken| {
            let day = token.plain.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
            day.len() <= 2 && day.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day)) || is_number_word(token)
        };
        let is_significant =
            |token: &&&TextToken| !token.is_one_of(&["de", "of", "del", "di", "the", "th", "day", "do"]);
        let before = tokens[..at].iter().rev().take(4).collect::<Vec<_>>();
        let day_before = before.iter().find(is_significant).copied().filter(is_day);
        let after = tokens[at + 1..].iter().take(5).collect::<Vec<_>>();
        let day_after = after.iter().find(is_significant).copied().filter(is_day);
        let year =
            after.iter().filter(is_significant).take(2).find(|token| is_old_year(text, token, day_before.is_some()));
        let Some(year) = year.filter(|_| day_before.is_some() || day_after.is_some()) else { continue };
        let spelt = after.iter().skip_while(|token| token.start <= year.start);
        let end = spelt.take_while(|token| is_number_word(token)).last().map_or(year.end, |last| last.end);
        spans.push(MaskedSpan::new(day_before.unwrap_or(month).start..end, DATE));
    }
}

/// Whether a token is a year before the recent ones, in full, in two digits or in words.
fn is_old_year(text: &str, token: &TextToken, has_day: bool) -> bool {
    let in_full = token.number().filter(|_| token.plain.len() == 4);
    if let Some(year) = in_full {
        return BIRTH_YEARS.contains(&year) && !RECENT_YEARS.contains(&year);
    }
    let is_short = token.plain.len() == 2 && token.number().is_some_and(|year| !(16..40).contains(&year));
    is_short && (has_day || text[..token.start].ends_with(['\'', '’']))
        || token.is_one_of(&["nineteen", "neunzehnhundert"])
}

/// `12.III.1985`
fn roman_months(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    const ROMAN: &[&str] = &["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];
    for three in tokens.windows(3) {
        let (day, month, year) = (&three[0], &three[1], &three[2]);
        let is_near = year.start - day.end <= 12 && !text[day.end..year.start].contains(',');
        let is_day = day.number().is_some_and(|day| (1..=31).contains(&day));
        if is_near && is_day && month.is_one_of(ROMAN) && is_old_year(text, year, true) {
            spans.push(MaskedSpan::new(day.start..year.end, DATE));
        }
    }
}

/// Masks a year alone that may be a year of birth: `Ann (1985)`. The year 2000 is more often an amount.
fn years(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    for (at, token) in tokens.iter().enumerate() {
        let year = token.number().filter(|year| token.plain.len() == 4 && OLD_YEARS.contains(year) && year % 100 != 0);
        if year.is_none()
            || text[..token.start].ends_with(['.', ',', '-'])
            || text[token.end..].starts_with([',', '.', '-', '%'])
        {
            let is_end = year.is_some() && text[token.end..].trim_end_matches(['.', ',']).is_empty();
            if !is_end || text[..token.start].ends_with(['.', ',', '-']) {
                continue;
            }
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_numbered = before.is_some_and(number::is_document_label);
        let range = token.start..token.end;
        if !is_numbered && !number::has_currency(text, &range) && !number::is_counted(tokens.get(at + 1)) {
            spans.push(MaskedSpan::new(range, DATE));
        }
    }
}

/// `41 ans`, `41 Jahre alt`.
fn ages(tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    const UNITS: &[&str] =
        &["ans", "anos", "anni", "jahre", "jahrige", "jaar", "lat", "let", "yo", "yrs", "yas", "yasinda"];
    for pair in tokens.windows(2) {
        if pair[0].number().is_some_and(|age| (12..=110).contains(&age)) && pair[1].is_one_of(UNITS) {
            spans.push(MaskedSpan::new(pair[0].start..pair[0].end, AGE));
        }
    }
    for (at, label) in tokens.iter().enumerate().filter(|(_, token)| token.is_one_of(&["aged", "turning", "turns"])) {
        if let Some(age) =
            tokens.get(at + 1).filter(|age| age.number().is_some_and(|age| age <= 120) && age.start - label.end <= 2)
        {
            spans.push(MaskedSpan::new(age.start..age.end, AGE));
        }
    }
}

/// Whether a word starts with one of `MONTHS`, and is a known word if it is longer.
pub(super) fn is_month(token: &TextToken) -> bool {
    let is_listed =
        |month: &str| token.plain.starts_with(month) && (token.plain.len() == month.len() || token.is_known());
    token.is_word() && token.plain.len() >= 3 && MONTHS.iter().any(|month| is_listed(month))
}

const BIRTH_LABELS: &[&str] = &[
    "born",
    "birth",
    "dob",
    "birthday",
    "bday",
    "bdate",
    "birthdate",
    "turning",
    "turns",
    "aged",
    "geb",
    "geboren",
    "geburtsdatum",
    "geburtstag",
    "jahrgang",
    "ne",
    "nee",
    "naissance",
    "nacido",
    "nacida",
    "nacimiento",
    "nac",
    "fnac",
    "nato",
    "nata",
    "nascita",
    "nascido",
    "nascida",
    "nascimento",
    "nasc",
    "geboortedatum",
    "gebdat",
    "urodzony",
    "urodzona",
    "urodzenia",
    "rocznik",
    "ur",
    "fodd",
    "fodt",
    "fodelsedatum",
    "syntynyt",
    "narozen",
    "narozena",
    "szuletett",
    "dogum",
    "dogumlu",
];

const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai", "okt", "dez", "marz",
    "fev", "avr", "juin", "juil", "aout", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott", "out",
    "maart", "mei", "sty", "lut", "kwi", "maj", "cze", "lip", "sie", "wrz", "paz", "lis", "gru", "oca", "sub", "nis",
    "haz", "tem", "eyl", "eki", "kas", "ara",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::{span::masked, token::tokens};

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        spans(text, &tokens(text), &mut found);
        number::spans(text, &tokens(text), &mut found);
        assert_eq!(masked(text, found, 999), expected, "{text}");
    }

    #[test]
    fn dates_of_birth_are_masked_in_many_languages() {
        for (text, expected) in [
            ("born 12.03.1985", "born [DATE_OF_BIRTH]"),
            ("born on 12 March 1985 in Leeds", "born on [DATE_OF_BIRTH] in Leeds"),
            ("DOB 1985-03-12", "DOB [DATE_OF_BIRTH]"),
            ("geb. am 12.3.85", "geb. am [DATE_OF_BIRTH]"),
            ("geboren am 12. März 1985", "geboren am [DATE_OF_BIRTH]"),
            ("né le 12 mars 1985", "né le [DATE_OF_BIRTH]"),
            ("nacida el 12 de marzo de 1985", "nacida el [DATE_OF_BIRTH]"),
            ("nato il 12/03/1985", "nato il [DATE_OF_BIRTH]"),
            ("nascido em 12-03-1985", "nascido em [DATE_OF_BIRTH]"),
            ("geboren op 12 maart 1985", "geboren op [DATE_OF_BIRTH]"),
            ("ur. 12.03.1985", "ur. [DATE_OF_BIRTH]"),
            ("Jahrgang 1985", "Jahrgang [DATE_OF_BIRTH]"),
            ("*12.03.1985", "*[DATE_OF_BIRTH]"),
            ("born 19850312", "born [DATE_OF_BIRTH]"),
            ("b. 7/11/79", "b. [DATE_OF_BIRTH]"),
            ("D.O.B. 7 Nov 79", "D.O.B. [DATE_OF_BIRTH]"),
            ("bday 7.11.79", "bday [DATE_OF_BIRTH]"),
            ("nasc. 7/11/79", "nasc. [DATE_OF_BIRTH]"),
            ("doğ. 7.11.79", "doğ. [DATE_OF_BIRTH]"),
            ("rocznik 1979", "rocznik [DATE_OF_BIRTH]"),
            ("born in November 1979", "born in [DATE_OF_BIRTH]"),
            ("born on the seventh of November", "born on the [DATE_OF_BIRTH]"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn old_dates_are_masked_without_a_word_for_birth() {
        for (text, expected) in [
            ("Ann 12.03.1985", "Ann [DATE]"),
            ("12 March 1985", "[DATE]"),
            ("March 12, 1985", "[DATE]"),
            ("12 de marzo de 1985", "[DATE]"),
            ("7th day of November 1979", "[DATE]"),
            ("7.XI.1979", "[DATE]"),
            ("7 novembre '79", "[DATE]"),
            ("7|11|1979", "[DATE]"),
            ("7·11·1979", "[DATE]"),
            ("seven November nineteen seventy nine", "[DATE]"),
            ("for her (1979)", "for her ([DATE])"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn ages_are_masked_and_durations_are_kept() {
        check("37 ans", "[AGE] ans");
        check("37 Jahre alt", "[AGE] Jahre alt");
        check("aged 37", "aged [DATE_OF_BIRTH]");
        for text in ["2 Jahre Garantie", "5 days", "12 months", "in 2026", "paid 2000", "1979 EUR", "1979 transactions"]
        {
            check(text, text);
        }
    }
}
