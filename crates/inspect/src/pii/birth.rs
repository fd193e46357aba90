//! Dates of birth: a date right after a word that calls it one. A date after `born` is told but stays uncertain, for that is how
//! every life of a public figure begins.

use std::ops::Range;

use super::hit;
use crate::context::{ahead, run, word_starts};
use crate::finding::Hit;
use crate::scan::{Anchor, Check};

const NAMES: [&str; 8] =
    ["date of birth", "birth date", "birthdate", "birthday", "dob", "d.o.b", "geburtsdatum", "fecha de nacimiento"];
const GAP_BYTES_MAX: usize = 24;
const FILLERS: [&str; 10] = ["is", "was", "on", "the", "of", "day", "her", "his", "my", "falls"];
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DATE_BYTES_MAX: usize = 24;

pub(super) fn anchors() -> Vec<Anchor> {
    let labels = NAMES.iter().map(|name| (name.as_bytes().to_vec(), Check::Verify(labelled)));
    labels.chain([(b"born".to_vec(), Check::Verify(born))]).collect()
}

fn labelled(text: &str, name: Range<usize>) -> Option<Hit> {
    verify(text, &name, 0.85, "a date after the words for a date of birth")
}

fn born(text: &str, name: Range<usize>) -> Option<Hit> {
    verify(text, &name, BORN, "a date after a word for a birth")
}

/// The score of a date after `born`, unless it is long ago. Counts only beside a name, see `together`.
pub(super) const BORN: f64 = 0.45;
pub(super) const DETECTOR: &str = "pii/date_of_birth";

fn verify(text: &str, name: &Range<usize>, score: f64, why: &str) -> Option<Hit> {
    if !word_starts(text, name.start) {
        return None;
    }
    let start = after_fillers(text, name.end)?;
    let end = start + date(ahead(text, start, DATE_BYTES_MAX))?;
    let score = if is_long_ago(&text[start..end]) { score.min(0.4) } else { score };
    Some(hit("DATE_OF_BIRTH", DETECTOR, start..end, score, why.into()))
}

/// Nobody born before 1900 is alive.
fn is_long_ago(date: &str) -> bool {
    date.split(|letter: char| !letter.is_ascii_digit()).any(|number| number.len() == 4 && number < "1900")
}

/// Goes over marks and small words.
fn after_fillers(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at <= from + GAP_BYTES_MAX {
        at += run(&bytes[at..], GAP_BYTES_MAX, |byte| b" :=\t\n\"'*().,-|".contains(&byte));
        let word = run(&bytes[at..], GAP_BYTES_MAX, |byte| byte.is_ascii_alphabetic());
        if word == 0 || !FILLERS.iter().any(|filler| filler.as_bytes().eq_ignore_ascii_case(&bytes[at..at + word])) {
            return Some(at);
        }
        at += word;
    }
    None
}

/// The length of the date that opens a text: numbers with marks, or a month's name with day and year.
fn date(text: &str) -> Option<usize> {
    numeric(text.as_bytes()).or_else(|| with_month(text))
}

fn numeric(bytes: &[u8]) -> Option<usize> {
    let digits = |at: usize| run(bytes.get(at..).unwrap_or_default(), 5, |byte| byte.is_ascii_digit());
    let first = digits(0);
    let mark = *bytes.get(first).filter(|byte| b"/-.".contains(byte))?;
    let second = digits(first + 1);
    let second_end = first + 1 + second;
    (bytes.get(second_end) == Some(&mark)).then_some(())?;
    let third = digits(second_end + 1);
    let formed = matches!((first, second, third), (4, 1..=2, 1..=2) | (1..=2, 1..=2, 2 | 4));
    let end = second_end + 1 + third;
    (formed && bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric())).then_some(end)
}

fn with_month(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut month, mut day, mut year) = (0, false, false, false);
    let mut end = 0;
    while at < bytes.len() {
        let length = run(&bytes[at..], bytes.len(), |byte| byte.is_ascii_alphanumeric());
        let word = &bytes[at..at + length];
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match (digits, length - digits) {
            (0, 3..) if !month && is_month(word) => month = true,
            (1 | 2, 0 | 2) if !day => day = true,
            (4, 0) if !year && month => year = true,
            (0, 2) if day && word.eq_ignore_ascii_case(b"of") => {}
            _ => break,
        }
        end = at + length;
        at = end + run(&bytes[end..], 2, |byte| b" ,.".contains(&byte));
        if at == end {
            break;
        }
    }
    (month && year).then_some(end)
}

fn is_month(word: &[u8]) -> bool {
    MONTHS.iter().any(|month| word[..3].eq_ignore_ascii_case(month.as_bytes()))
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn a_date_after_its_name_is_found() {
        for date in ["1985-03-12", "12/03/1985", "3.12.85", "March 12, 1985", "12 Mar 1985", "the 12th of March 1985"] {
            let found = date.trim_start_matches("the ");
            check(&format!("Her date of birth is {date}."), &[("DATE_OF_BIRTH", found)]);
            check(&format!("DOB: {date}\n"), &[("DATE_OF_BIRTH", found)]);
        }
    }

    #[test]
    fn a_date_after_born_is_uncertain_and_others_are_none() {
        check_uncertain("She was born on 2/8/1935.", &[("DATE_OF_BIRTH", "2/8/1935")]);
        check_uncertain("Date of birth: 23 December 1863", &[("DATE_OF_BIRTH", "23 December 1863")]);
        check("My birthday is on the weekend. DOB: unknown. The date of birth is 12. Reborn 2/8/1935", &[]);
    }
}
