//! The figures and complete dates of a sentence, in the formats that reports use.

use std::str::FromStr;

use countersign_text::{calendar, numbers::UNITS};
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::validate::cues::{CueList, CueLists, Cues};

/// The largest number that is read in words.
const NUMBER_WORD_MAX: usize = 12;

/// The number words that are read: zero to twelve.
pub(in crate::validate) const NUMBER_CUES: Cues = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";

/// The figures of a text, including number words up to twelve.
pub(super) fn figures(text: &str, lists: CueLists) -> Vec<Decimal> {
    // The cue index is only reliable for ASCII: an invisible character separates figures here, but not words there.
    let has_number_words = lists.has(CueList::Numbers) || !text.is_ascii();
    if !has_number_words && !has_digit(text) {
        return Vec::new();
    }
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',' | '\'' | '’');
    let of_word = |word: &str| {
        (has_number_words && (3..=6).contains(&word.len()))
            .then(|| UNITS[..=NUMBER_WORD_MAX].iter().position(|name| word.eq_ignore_ascii_case(name)))?
    };
    text.split_ascii_whitespace()
        .filter(|word| has_number_words || has_digit(word))
        .flat_map(|word| word.split(|letter| !is_inside(letter)))
        .filter_map(|run| {
            let run = run.trim_matches(|letter: char| !letter.is_alphanumeric());
            if !has_digit(run) {
                return of_word(run).map(|number| Decimal::from(number as u64));
            }
            let number = run.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            let number = number.trim_end_matches(|letter: char| !letter.is_ascii_digit());
            let plain: String = number.chars().filter(|letter| !matches!(letter, ',' | '\'' | '’')).collect();
            Decimal::from_str(&plain).ok()
        })
        .collect()
}

fn has_digit(text: &str) -> bool {
    // Without an early exit, the compiler vectorises the loop.
    text.bytes().fold(false, |has_digit, byte| has_digit | byte.is_ascii_digit())
}

pub(in crate::validate) const MONTH_CUES: Cues = "jan*|feb*|mar*|apr*|may*|jun*|jul*|aug*|sep*|oct*|nov*|dec*";

/// The complete dates of a text: `1 March 2026`, `March 1, 2026`, `2026-03-01`.
pub(super) fn dates(text: &str, lists: CueLists) -> Vec<Date> {
    if !has_digit(text) || !lists.has(CueList::Months) && !text.contains('-') {
        return Vec::new();
    }
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let at = |index: usize| words.get(index).copied();
    let mut dates = Vec::new();
    for (index, word) in words.iter().enumerate() {
        // Failed parses allocate an error, so filter first.
        if word.as_bytes().get(4) == Some(&b'-') {
            dates.extend(word.get(..10).and_then(|date| Date::from_str(date).ok()));
        }
        let Some(month) = month(word) else { continue };
        let before = index.checked_sub(1).and_then(at).and_then(day).zip(at(index + 1).and_then(year));
        let after = || at(index + 1).and_then(day).zip(at(index + 2).and_then(year));
        dates.extend(before.or_else(after).and_then(|(day, year)| Date::new(year, month, day).ok()));
    }
    dates
}

/// The month with this full name or these first three letters. "Sept" is not read, because verdicts on stored reports
/// must not change.
fn month(word: &str) -> Option<i8> {
    let month = calendar::month(word).filter(|_| !word.eq_ignore_ascii_case("sept"))?;
    i8::try_from(month).ok()
}

fn day(word: &str) -> Option<i8> {
    word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).parse().ok().filter(|day| (1..=31).contains(day))
}

fn year(word: &str) -> Option<i16> {
    (word.len() == 4).then(|| word.parse().ok())?.filter(|year| (1..=9999).contains(year))
}
