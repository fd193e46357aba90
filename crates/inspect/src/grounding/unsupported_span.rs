//! Chooses the parts of an unsupported sentence that findings cover, as narrow as the evidence allows.

use super::evidence::{SentenceEvidence, WordEvidence};
use super::token::{Class, Token};

/// A byte range of the text, with its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnsupportedSpan {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) r#type: &'static str,
}

pub(super) const UNSUPPORTED: &str = "UNSUPPORTED";
pub(super) const CONTRADICTED: &str = "CONTRADICTED";
pub(super) const NUMBER: &str = "NUMBER";
pub(super) const NAME: &str = "NAME";
pub(super) const DATE: &str = "DATE";

/// If the words that the context doesn't contain have at least this share of a sentence's weight, the whole sentence is reported.
const WHOLE_SHARE: f32 = 0.5;

/// The explanation of a finding, in plain words.
pub(super) fn why(r#type: &str) -> &'static str {
    match r#type {
        CONTRADICTED => "the context says the opposite or negates it",
        NUMBER => "this number is not in the context, or belongs to something else there",
        NAME => "this name is not in the context",
        DATE => "this date is not in the context",
        _ => "the context has nothing that supports this",
    }
}

/// The spans are in order and don't overlap; there is at least one for a sentence that has a word.
pub(super) fn unsupported_spans(tokens: &[Token], evidence: &SentenceEvidence) -> Vec<UnsupportedSpan> {
    let words: Vec<(&Token, &WordEvidence)> = tokens[evidence.from..evidence.to]
        .iter()
        .zip(&evidence.words)
        .filter(|(token, _)| token.class != Class::Mark)
        .collect();
    let weight = |of: &dyn Fn(&WordEvidence) -> bool| {
        words.iter().filter(|(_, evidence)| of(evidence)).map(|(token, _)| token.weight()).sum::<f32>()
    };
    let (novel, all) = (weight(&WordEvidence::is_novel), weight(&|_| true));
    if all > 0.0 && novel / all < WHOLE_SHARE {
        let narrow = narrow(&words);
        if !narrow.is_empty() {
            return narrow;
        }
    }
    let (Some((first, _)), Some((last, _))) = (words.first(), words.last()) else { return Vec::new() };
    vec![UnsupportedSpan { start: first.start as usize, end: last.end as usize, r#type: UNSUPPORTED }]
}

/// Finds words that contradict the context or are missing from it; neighbours of the same type are merged.
fn narrow(words: &[(&Token, &WordEvidence)]) -> Vec<UnsupportedSpan> {
    let mut found: Vec<(usize, UnsupportedSpan)> = Vec::new();
    for (at, (token, evidence)) in words.iter().enumerate() {
        let Some(r#type) = fault(token, evidence) else { continue };
        let span = UnsupportedSpan { start: token.start as usize, end: token.end as usize, r#type };
        match found.last_mut() {
            Some((last_at, last)) if last.r#type == r#type && at - *last_at <= 3 => {
                last.end = span.end;
                *last_at = at;
            }
            _ => found.push((at, span)),
        }
    }
    found.into_iter().map(|(_, span)| span).collect()
}

/// The type of a word's fault; `None` if the context supports the word.
fn fault(token: &Token, evidence: &WordEvidence) -> Option<&'static str> {
    if !token.is_content() || token.class == Class::Neutral {
        return None;
    }
    let number = token.class == Class::Number;
    match () {
        () if number && (!evidence.in_context || evidence.other_number_there) => {
            Some(if is_year(token) { DATE } else { NUMBER })
        }
        () if evidence.is_contradicted() => Some(CONTRADICTED),
        () if evidence.is_novel() && token.name => Some(NAME),
        () if evidence.is_novel() => Some(UNSUPPORTED),
        () => None,
    }
}

fn is_year(token: &Token) -> bool {
    (1500.0..2100.0).contains(&token.value) && token.value.fract() == 0.0 && token.end - token.start == 4
}
