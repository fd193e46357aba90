//! Stage 6, verdicts on severities: finds the severities of a text and judges them. "HIGH" is always one; "high" is one only
//! if the words call it a severity, a risk level or an impact.

use crate::Reason;
use crate::concept as c;
use crate::fact::{FactIndex, SeverityLevel, SeverityOf};
use crate::lex::{Token, TokenKind};

/// The verdict on the word at `at`, if it states a severity.
pub(crate) fn judge(tokens: &[Token<'_>], at: usize, index: &FactIndex) -> Option<Result<String, Reason>> {
    let token = &tokens[at];
    let level = SeverityLevel::of(&token.lower).filter(|_| matches!(token.kind, TokenKind::Word))?;
    let of = subjects(tokens, at)?;
    let of_kind = |wanted: SeverityOf| index.severities.iter().filter(move |fact| fact.of == wanted);
    let is_high_risk = level == SeverityLevel::High && word(tokens, after(tokens, at)) == "risk";
    let same = |fact: &&crate::fact::SeverityFact| {
        fact.level == level || is_high_risk && fact.level == SeverityLevel::Critical
    };
    let found = of.iter().find_map(|of| of_kind(*of).find(same)).or_else(|| {
        // If the context has no severity of that kind, any of its severities is accepted.
        let has_kind = of.iter().any(|of| of_kind(*of).next().is_some());
        index.severities.iter().find(|fact| !has_kind && same(fact))
    });
    if let Some(fact) = found {
        return Some(Ok(fact.path.clone()));
    }
    let other = index.severities.iter().find(same);
    Some(Err(other.map_or(Reason::Absent, |fact| Reason::BelongsToAnother { path: fact.path.clone() })))
}

fn word<'a>(tokens: &'a [Token<'_>], at: usize) -> &'a str {
    tokens.get(at).map_or("", |token| token.lower.as_ref())
}

/// The index of the next word. A hyphen in between is skipped.
fn after(tokens: &[Token<'_>], at: usize) -> usize {
    at + 1 + usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark('-')))
}

/// The possible subjects of the severity at `at`. `None` if the word is not a severity.
fn subjects(tokens: &[Token<'_>], at: usize) -> Option<&'static [SeverityOf]> {
    let sentence = tokens[at].sentence;
    let near = |from: usize, to: usize| {
        (from..to.min(tokens.len())).filter(|at| tokens[*at].sentence == sentence).map(|at| tokens[at].concepts)
    };
    let next = word(tokens, after(tokens, at));
    let second = word(tokens, after(tokens, at) + 1);
    if next == "impact" || second == "impact" && next == "regulatory" || calls(tokens, at, &["impact"]) {
        return Some(&[SeverityOf::Impact]);
    }
    let is_capitals = tokens[at].text.chars().all(char::is_uppercase);
    let names = ["severity", "severities", "risk", "band", "alert", "alerts", "classification", "rating"];
    let is_named = names.contains(&next) && word(tokens, at.wrapping_sub(1)) != "on"
        || next == "prior" && second.starts_with("alert")
        || next == "risk" && second == "level";
    let called = [
        "severity",
        "classified",
        "classification",
        "rated",
        "graded",
        "ranked",
        "level",
        "categorised",
        "categorized",
    ];
    if !(is_capitals || is_named || calls(tokens, at, &called)) {
        return None;
    }
    let concepts = near(at.saturating_sub(24), at + 12).fold(0, |all, concepts| all | concepts);
    let of_earlier = concepts & (c::PRIOR | c::LAST) != 0 && concepts & c::ALERT != 0;
    Some(if of_earlier { &[SeverityOf::Prior, SeverityOf::Case] } else { &[SeverityOf::Case] })
}

/// Whether one of these words introduces the severity, with only function words in between: "severity of HIGH",
/// "classified as high".
fn calls(tokens: &[Token<'_>], at: usize, words: &[&str]) -> bool {
    const SKIPPED: [&str; 22] = [
        "of",
        "as",
        "is",
        "was",
        "at",
        "the",
        "a",
        "in",
        "to",
        "be",
        "been",
        "assessed",
        "rated",
        "case",
        "given",
        "this",
        "set",
        "recorded",
        "stated",
        "regulatory",
        "risk",
        "very",
    ];
    tokens[at.saturating_sub(6)..at]
        .iter()
        .rev()
        .take_while(|token| !token.is_mark('.'))
        .find(|token| {
            !(matches!(token.kind, TokenKind::Mark(':' | '|' | '"'))
                || SKIPPED.contains(&token.lower.as_ref()) && !words.contains(&token.lower.as_ref()))
        })
        .is_some_and(|token| words.contains(&token.lower.as_ref()))
}
