//! What a text gives away without any context: two numbers for one thing, a statement and its denial, studies that are not named,
//! sources that it cites and does not list (`citation`).
//!
//! Only two numbers for one thing are a decision. The rest is a hint, and scores below it.

use std::{collections::HashMap, sync::LazyLock};

use super::citation;
use super::sentence;
use super::stretch::{CONTRADICTED, NUMBER, UNSUPPORTED};
use super::token::{self, Class, Token};
use crate::audit::Judged;
use crate::finding::{Hit, Kind};
use crate::learned::joined;
use crate::words;

/// Longer texts are read up to here.
const BYTES_MAX: usize = 64 * 1024;
/// Statements shorter than this are too easily alike.
const STATEMENT_WORDS: usize = 4;

const NUMBERS_DIFFER: f64 = 0.55;
const DENIED: f64 = 0.45;
const UNNAMED: f64 = 0.3;

pub(super) fn judge(text: &str) -> Judged {
    let text = &text[..text.floor_char_boundary(BYTES_MAX)];
    let mut hits = citation::unsupported(text);
    let worth = is_worth_reading(text);
    let mut tokens = if worth { token::read(text, false) } else { Vec::new() };
    let sentences = sentence::split(text, &mut tokens, false);
    let mut seen = Said::default();
    for sentence in sentences {
        let tokens = &tokens[sentence.from..sentence.to];
        hits.extend(seen.number(tokens));
        hits.extend(seen.denial(tokens));
        hits.extend(unnamed(tokens));
    }
    let score = hits.iter().fold(0.0, |score: f64, hit| score.max(hit.score));
    Judged { score, hits }
}

/// Most texts have nothing of the kind; they are not read into words.
fn is_worth_reading(text: &str) -> bool {
    let digits =
        text.as_bytes().windows(2).filter(|pair| !pair[0].is_ascii_digit() && pair[1].is_ascii_digit()).take(2).count();
    digits == 2 || [" not ", "n't ", "stud", "research", "according"].iter().any(|sign| text.contains(sign))
}

/// What earlier sentences said.
#[derive(Default)]
struct Said {
    /// By the words around a number: its value.
    numbers: HashMap<u32, f64>,
    /// By the words of a statement: whether it was denied.
    statements: HashMap<u32, bool>,
}

impl Said {
    /// A sentence with one number, told twice with the same words and another number.
    fn number(&mut self, tokens: &[Token]) -> Option<Hit> {
        let mut numbers = tokens.iter().filter(|token| token.class == Class::Number);
        let (number, None) = (numbers.next()?, numbers.next()) else { return None };
        let (frame, count) = frame(tokens);
        if count < STATEMENT_WORDS - 1 || tokens.iter().any(|token| token.negator) {
            return None;
        }
        let before = *self.numbers.entry(frame).or_insert(number.value);
        (before.to_bits() != number.value.to_bits()).then(|| {
            hit(number, number, NUMBER, NUMBERS_DIFFER, "the text gives another number for the same thing elsewhere")
        })
    }

    /// The same words with and without a "not".
    fn denial(&mut self, tokens: &[Token]) -> Option<Hit> {
        let (frame, count) = frame(tokens);
        if count < STATEMENT_WORDS {
            return None;
        }
        let denied = tokens.iter().filter(|token| token.negator).count() % 2 == 1;
        let before = *self.statements.entry(frame).or_insert(denied);
        let (first, last) = (tokens.first()?, tokens.last()?);
        (before != denied)
            .then(|| hit(first, last, CONTRADICTED, DENIED, "the text says this elsewhere with the opposite sense"))
    }
}

/// The content words of a sentence but its numbers, in their order, as one hash; and how many.
fn frame(tokens: &[Token]) -> (u32, usize) {
    let content = tokens.iter().filter(|token| token.is_content() && token.class != Class::Number && !token.negator);
    content.fold((0, 0), |(hash, count), token| (joined(hash, token.stem), count + 1))
}

static STUDIES: LazyLock<[u32; 6]> =
    LazyLock::new(|| ["study", "studies", "research", "survey", "researchers", "scientists"].map(words::hash));
static SAYING: LazyLock<[u32; 10]> = LazyLock::new(|| {
    ["show", "shows", "suggest", "suggests", "found", "finds", "prove", "proves", "say", "according"].map(words::hash)
});

/// "According to a 2021 study", "studies show", and no name in the sentence.
fn unnamed(tokens: &[Token]) -> Option<Hit> {
    let study = tokens.iter().position(|token| STUDIES.contains(&token.word))?;
    let says = |token: &Token| SAYING.contains(&token.word);
    let around = &tokens[study.saturating_sub(5)..(study + 5).min(tokens.len())];
    let named = tokens.iter().skip(1).any(|token| token.name);
    let told = around.iter().find(|token| says(token)).filter(|_| !named)?;
    let (first, last) = if told.start < tokens[study].start { (told, &tokens[study]) } else { (&tokens[study], told) };
    Some(hit(first, last, UNSUPPORTED, UNNAMED, "a source is claimed and not named"))
}

fn hit(first: &Token, last: &Token, r#type: &'static str, score: f64, explanation: &str) -> Hit {
    Hit {
        kind: Kind::Grounding,
        r#type,
        start: first.start as usize,
        end: last.end as usize,
        score,
        detector: "grounding/alone",
        explanation: explanation.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> =
            judge(text).hits.iter().map(|hit| format!("{} {}", hit.r#type, &text[hit.start..hit.end])).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn two_numbers_for_one_thing_are_a_decision() {
        let text = "The tower in Lund has 12 floors. It is old. The tower in Lund has 14 floors.";
        check(text, &["NUMBER 14"]);
        assert!(judge(text).score >= 0.5);
        check("The tower in Lund has 12 floors. The tower in Bern has 14 floors.", &[]);
        check("The tower in Lund has 12 floors. The tower in Lund has twelve floors.", &[]);
    }

    #[test]
    fn a_denial_and_an_unnamed_source_are_hints() {
        let text = "The museum opens on Sunday mornings. The museum does not open on Sunday mornings.";
        check(text, &["CONTRADICTED The museum does not open on Sunday mornings."]);
        check("According to a 2021 study, tea helps.", &["UNSUPPORTED According to a 2021 study"]);
        check("According to a study by Ann Weaver, tea helps.", &[]);
        assert!(judge(text).score < 0.5);
    }
}
