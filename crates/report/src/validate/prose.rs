//! A text as a checker reads it: sentences with their places, what is said outside quotations, figures and dates.
//!
//! Everything is linear in the text, and only a bounded stretch of a text is read: a section has some 250 words at most, so
//! what comes later is out of range anyway.

use std::str::FromStr;

use countersign_domain::Section;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::Content;

/// Of one section.
const CHARS_READ_MAX: usize = 20_000;
/// A quotation mark that is not closed within this many characters is none.
const QUOTATION_CHARS_MAX: usize = 300;

/// Text from outside as it may stand in a line of ours: no control or invisible characters, single spaces, bounded.
pub(super) fn clean(text: &str, chars_max: usize) -> String {
    let mut cleaned = String::new();
    let mut chars = 0;
    // A text that is all noise is not worth reading to its end.
    for letter in text.chars().take(chars_max.saturating_mul(8)) {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        let is_doubled = letter == ' ' && (cleaned.is_empty() || cleaned.ends_with(' '));
        if letter.is_control() || is_invisible(letter) || is_doubled {
            continue;
        }
        if chars == chars_max {
            break;
        }
        cleaned.push(letter);
        chars += 1;
    }
    cleaned.truncate(cleaned.trim_end().len());
    cleaned
}

/// Direction marks, joiners, tags and the like, by which a text reads other than it is.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A sentence of a report.
pub(super) struct Sentence<'a> {
    pub(super) section: Section,
    /// Code points from the section's start; `end` is exclusive.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: &'a str,
    /// Quotations blanked out.
    pub(super) own: String,
    /// Its own words, small, each between single spaces: ` the record did not state it `.
    pub(super) said: String,
    /// The same with quotations.
    pub(super) heard: String,
}

/// The sentences of these sections, in this order.
pub(super) fn sentences(content: &Content, sections: impl IntoIterator<Item = Section>) -> Vec<Sentence<'_>> {
    sections.into_iter().flat_map(|section| of_text(content.section(section), section)).collect()
}

pub(super) fn of_text(text: &str, section: Section) -> Vec<Sentence<'_>> {
    let letters: Vec<(usize, char)> = text.char_indices().take(CHARS_READ_MAX).collect();
    let is_quoted = quoted(&letters);
    let mut sentences = Vec::new();
    let mut start = 0;
    for at in 0..letters.len() {
        if !is_end(&letters, at) || is_quoted[at] {
            continue;
        }
        sentences.extend(sentence(text, &letters, &is_quoted, start, at + 1, section));
        start = at + 1;
    }
    sentences.extend(sentence(text, &letters, &is_quoted, start, letters.len(), section));
    sentences
}

fn sentence<'a>(
    text: &'a str,
    letters: &[(usize, char)],
    is_quoted: &[bool],
    start: usize,
    end: usize,
    section: Section,
) -> Option<Sentence<'a>> {
    let is_space = |at: &usize| letters[*at].1.is_whitespace();
    let start = (start..end).find(|at| !is_space(at))?;
    let end = (start..end).rev().find(|at| !is_space(at))? + 1;
    let bytes_end = letters.get(end).map_or_else(|| letters[end - 1].0 + letters[end - 1].1.len_utf8(), |next| next.0);
    let whole = &text[letters[start].0..bytes_end];
    let own: String = (start..end).map(|at| if is_quoted[at] { ' ' } else { letters[at].1 }).collect();
    let said = spaced(&own);
    let heard = spaced(whole);
    (heard.len() > 1).then_some(Sentence { section, start, end, text: whole, own, said, heard })
}

/// A full stop before white space ends a sentence, and so does a line's end.
fn is_end(letters: &[(usize, char)], at: usize) -> bool {
    let letter = letters[at].1;
    let next = letters.get(at + 1).map(|next| next.1);
    letter == '\n' || (matches!(letter, '.' | '!' | '?') && next.is_none_or(char::is_whitespace))
}

/// Which letters stand in quotation marks or backticks, the marks included.
fn quoted(letters: &[(usize, char)]) -> Vec<bool> {
    let mut is_quoted = vec![false; letters.len()];
    let mut at = 0;
    while at < letters.len() {
        let closing = match letters[at].1 {
            '"' => '"',
            '`' => '`',
            '“' | '„' => '”',
            '«' => '»',
            _ => '\0',
        };
        let reach = letters.len().min(at + QUOTATION_CHARS_MAX);
        let close = (at + 1..reach).take_while(|at| letters[*at].1 != '\n').find(|at| letters[*at].1 == closing);
        match close {
            Some(close) if closing != '\0' => {
                is_quoted[at..=close].fill(true);
                at = close + 1;
            }
            _ => at += 1,
        }
    }
    is_quoted
}

/// Words in small letters between single spaces; all that is no letter or digit separates.
pub(super) fn spaced(text: &str) -> String {
    let mut spaced = String::from(" ");
    for letter in text.chars().filter(|letter| !is_invisible(*letter)) {
        if letter.is_alphanumeric() {
            spaced.extend(letter.to_lowercase());
        } else if !spaced.ends_with(' ') {
            spaced.push(' ');
        }
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    spaced
}

/// Letters and digits alone, small: how a name is looked for that may have lost its punctuation on the way.
pub(super) fn folded(text: &str, chars_max: usize) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).take(chars_max).collect()
}

impl Sentence<'_> {
    /// One of its own words or phrases; ` median` also finds `medians`.
    pub(super) fn says(&self, cues: &[&str]) -> bool {
        cues.iter().any(|cue| self.said.contains(cue))
    }

    /// A name, whole, quoted or not.
    pub(super) fn names(&self, name: &str) -> bool {
        let name = spaced(name);
        name.len() > 1 && self.heard.contains(&name)
    }

    /// A name of which punctuation and its later part may be gone.
    pub(super) fn names_loosely(&self, name: &str) -> bool {
        let name = folded(name, 16);
        !name.is_empty() && folded(self.text, usize::MAX).contains(&name)
    }

    pub(super) fn has_digit(&self) -> bool {
        self.own.chars().any(|letter| letter.is_ascii_digit())
    }

    /// Figures outside quotations, small number words included.
    pub(super) fn figures(&self) -> Vec<Decimal> {
        figures(&self.own)
    }

    pub(super) fn dates(&self) -> Vec<Date> {
        dates(&self.own)
    }
}

const NUMBER_WORDS: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

fn figures(text: &str) -> Vec<Decimal> {
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',' | '\'' | '’');
    let of_word = |word: &str| NUMBER_WORDS.iter().position(|name| word.eq_ignore_ascii_case(name));
    text.split(|letter| !is_inside(letter))
        .filter_map(|run| {
            let run = run.trim_matches(|letter: char| !letter.is_alphanumeric());
            if let Some(number) = of_word(run) {
                return Some(Decimal::from(number as u64));
            }
            let number = run.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            let number = number.trim_end_matches(|letter: char| !letter.is_ascii_digit());
            let plain: String = number.chars().filter(|letter| !matches!(letter, ',' | '\'' | '’')).collect();
            Decimal::from_str(&plain).ok()
        })
        .collect()
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Whole dates: `1 March 2026`, `March 1, 2026`, `2026-03-01`.
fn dates(text: &str) -> Vec<Date> {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let at = |index: usize| words.get(index).copied();
    let mut dates = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if let Some(date) = word.get(..10).and_then(|date| Date::from_str(date).ok()) {
            dates.push(date);
        }
        let Some(month) = month(word) else { continue };
        let before = index.checked_sub(1).and_then(at).and_then(day).zip(at(index + 1).and_then(year));
        let after = || at(index + 1).and_then(day).zip(at(index + 2).and_then(year));
        dates.extend(before.or_else(after).and_then(|(day, year)| Date::new(year, month, day).ok()));
    }
    dates
}

fn month(word: &str) -> Option<i8> {
    let is_of =
        |month: &&str| month.eq_ignore_ascii_case(word) || (word.len() == 3 && month[..3].eq_ignore_ascii_case(word));
    MONTHS.iter().position(|month| is_of(&month)).and_then(|index| i8::try_from(index + 1).ok())
}

fn day(word: &str) -> Option<i8> {
    word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).parse().ok().filter(|day| (1..=31).contains(day))
}

fn year(word: &str) -> Option<i16> {
    (word.len() == 4).then(|| word.parse().ok())?.filter(|year| (1..=9999).contains(year))
}
