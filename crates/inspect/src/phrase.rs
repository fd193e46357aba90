//! A pattern of words that is tried only where one of its anchor literals occurs.

use regex::{Regex, RegexBuilder};

use crate::context::{ahead, behind, word_starts};
use crate::finding::{Hit, Kind};
use crate::scan::{ScanAnchor, ScanCheck};

/// How far a phrase may reach from its anchor.
const AHEAD_BYTES: usize = 192;
/// How far before the anchor `unless_preceded_by` is looked for.
const BEHIND_BYTES: usize = 32;

/// One row of a rule table.
pub(crate) struct PhraseRule {
    pub(crate) kind: Kind,
    pub(crate) r#type: &'static str,
    pub(crate) detector: &'static str,
    pub(crate) score: f64,
    pub(crate) explanation: &'static str,
    /// Literals that start the phrase.
    pub(crate) anchors: &'static [&'static str],
    /// Matched from the anchor on, without regard to case.
    pub(crate) pattern: &'static str,
    /// The phrase does not count if this matches right before it. If this is empty, the phrase always counts.
    pub(crate) unless_preceded_by: &'static str,
}

pub(crate) struct Phrase {
    rule: &'static PhraseRule,
    pattern: Regex,
    unless_preceded_by: Option<Regex>,
}

impl Phrase {
    /// Returns `None` if a pattern is not a valid regular expression. A test of each table ensures that all are.
    pub(crate) fn new(rule: &'static PhraseRule) -> Option<Self> {
        let build = |pattern: &str| RegexBuilder::new(pattern).case_insensitive(true).build().ok();
        let pattern = build(&format!("^(?:{})", rule.pattern))?;
        let unless_preceded_by = if rule.unless_preceded_by.is_empty() {
            None
        } else {
            Some(build(&format!("(?:{})$", rule.unless_preceded_by))?)
        };
        Some(Self { rule, pattern, unless_preceded_by })
    }

    pub(crate) fn verify(&self, text: &str, start: usize) -> Option<Hit> {
        let opens_with_word =
            text[start..].starts_with(|letter: char| letter.is_alphanumeric() && !is_unspaced(letter));
        if opens_with_word && !word_starts(text, start) {
            return None;
        }
        let end = start + self.pattern.find(ahead(text, start, AHEAD_BYTES))?.end();
        if self.unless_preceded_by.as_ref().is_some_and(|unless| unless.is_match(behind(text, start, BEHIND_BYTES))) {
            return None;
        }
        let rule = self.rule;
        Some(Hit {
            kind: rule.kind,
            r#type: rule.r#type,
            start,
            end,
            score: rule.score,
            detector: rule.detector,
            explanation: rule.explanation.to_owned(),
        })
    }
}

/// Whether the letter's script has no spaces between words, so that any letter can begin one.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}')
}

/// The anchors of all these phrases.
pub(crate) fn anchors(phrases: &'static [Phrase]) -> impl Iterator<Item = ScanAnchor> {
    phrases.iter().flat_map(|phrase| {
        phrase.rule.anchors.iter().map(move |literal| (literal.as_bytes().to_vec(), ScanCheck::Phrase(phrase)))
    })
}
