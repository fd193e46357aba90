//! Finds invalid references: a source cited by a number that the text does not list, and a DOI with an impossible form.
//!
//! Whether a well-formed reference exists can't be decided here. These findings are hints and score below the decision
//! threshold.

use std::collections::HashSet;

use super::unsupported_span::UNSUPPORTED;
use crate::finding::{Hit, Kind};
use crate::tokenize::Word;

const UNLISTED: f64 = 0.3;
const IMPOSSIBLE: f64 = 0.4;
const HITS_MAX: usize = 16;
const NUMBER_DIGITS_MAX: usize = 3;
const DOI: &str = "doi";
/// The number of digits in a DOI's registrant code: the code of `10.1000` has four.
const REGISTRANT_DIGITS: std::ops::RangeInclusive<usize> = 4..=9;

/// `words` are the words of the text, possibly followed by more; they locate the punctuation marks.
pub(super) fn unsupported(text: &str, words: &[Word]) -> Vec<Hit> {
    let mut hits = unlisted(text, words);
    hits.extend(impossible(text, words));
    hits.truncate(HITS_MAX);
    hits
}

/// Finds `[7]` after a word if no line begins with `[7]` or `7.`.
fn unlisted(text: &str, words: &[Word]) -> Vec<Hit> {
    let open = marks(text, words, b"[");
    let numbered = open.filter_map(|at| Some((at, number_in_brackets(&text[at..])?)));
    // Directly after a letter or a digit, brackets are as likely to be code as a reference.
    let apart = numbered.filter(|(at, _)| text[..*at].ends_with([' ', '.', ',', ';', '"', ')', '”']));
    let cited: Vec<(usize, &str)> = apart.collect();
    if cited.is_empty() {
        return Vec::new();
    }
    let listed: HashSet<&str> = text.lines().filter_map(listed).collect();
    let why = "a source is cited by a number that the text does not list";
    let unlisted = cited.into_iter().filter(|(_, number)| !listed.contains(number)).take(HITS_MAX);
    unlisted.map(|(at, number)| hit(at, at + number.len() + 2, UNLISTED, why)).collect()
}

fn number_in_brackets(text: &str) -> Option<&str> {
    let inside = text.get(1..=NUMBER_DIGITS_MAX + 1).unwrap_or(&text[1..]);
    let (number, _) = inside.split_once(']')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0'))
        .then_some(number)
}

fn marks(text: &str, words: &[Word], wanted: &[u8]) -> impl Iterator<Item = usize> {
    let places = words.iter().filter(|word| word.shape.is_mark).map(|word| word.start);
    places.filter(|&at| text.as_bytes().get(at).is_some_and(|mark| wanted.contains(mark)))
}

/// The number at the start of a list item.
fn listed(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix('[').unwrap_or(line);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    (digits > 0 && rest.starts_with([']', '.', ')']) && rest.len() > 2).then_some(&line[..digits])
}

/// Finds impossible DOIs such as `doi:11.99/x`: a DOI begins with 10., the digits of a registrant and a slash.
fn impossible(text: &str, words: &[Word]) -> impl Iterator<Item = Hit> {
    let bytes = text.as_bytes();
    let places = marks(text, words, b":/").map(|at| at + 1);
    let named = places.filter(move |&at| {
        let before = &bytes[..at - 1];
        before.len() >= DOI.len() && before[before.len() - DOI.len()..].eq_ignore_ascii_case(DOI.as_bytes())
            || before.ends_with(b"doi.org")
    });
    named.filter_map(|at| {
        let written = text[at..].trim_start_matches(' ');
        let start = text.len() - written.len();
        let end = written.find(char::is_whitespace).unwrap_or(written.len());
        let is_number = written.starts_with(|letter: char| letter.is_ascii_digit());
        (is_number && !is_doi(&written[..end]))
            .then(|| hit(start, start + end, IMPOSSIBLE, "a reference in an impossible form"))
    })
}

fn is_doi(text: &str) -> bool {
    let Some((registrant, rest)) = text.strip_prefix("10.").and_then(|rest| rest.split_once('/')) else { return false };
    let digits = registrant.split('.').next().unwrap_or_default();
    REGISTRANT_DIGITS.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) && !rest.is_empty()
}

fn hit(start: usize, end: usize, score: f64, explanation: &str) -> Hit {
    let (kind, r#type, detector) = (Kind::Grounding, UNSUPPORTED, "grounding/citation");
    Hit { kind, r#type, start, end, score, detector, explanation: explanation.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unsupported(text: &str) -> Vec<Hit> {
        let mut words = Vec::new();
        crate::tokenize::tokenize(text, &mut words);
        super::unsupported(text, &words)
    }

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = unsupported(text).iter().map(|hit| &text[hit.start..hit.end]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn an_unlisted_source_is_found() {
        check("Ships float [7]. They are old.[2]", &["[7]", "[2]"]);
        check("Ships float [7].\n\n[7] Archimedes, On Floating Bodies", &[]);
        check("Ships float [7].\n\n7. Archimedes, On Floating Bodies", &[]);
        check("let x = list[0]; y = list[1]; [a link](b) [1234567] [] [x]", &[]);
    }

    #[test]
    fn an_impossible_doi_is_found() {
        check("See doi:10.1000/182 and https://doi.org/10.1038/nature12373.", &[]);
        check("See doi: 11.99/x and https://doi.org/10.12/abc too.", &["11.99/x", "10.12/abc"]);
        check("doi: not yet. The time is 10:30.", &[]);
    }

    proptest! {
        #[test]
        fn every_hit_is_a_range_of_the_text(text in any::<String>(), marks in "[\\[\\]0-9doi:./ ]{0,40}") {
            for text in [text.clone() + &marks, marks.clone() + &text] {
                for hit in unsupported(&text) {
                    prop_assert!(text.get(hit.start..hit.end).is_some() && hit.start < hit.end);
                }
            }
        }
    }
}
