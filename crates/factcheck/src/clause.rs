//! Stage 5, surroundings: the words around a figure, and what they say the figure is.

use crate::concept::{self as c, STRONG};
use crate::figure::{Figure, FigureValue, Unit};
use crate::lex::{Token, TokenKind};
use crate::lexicon::FUNCTION;

/// How many words before a figure may describe it.
const BEFORE_MAX: usize = 60;
/// How many words after a figure may describe it.
const AFTER_MAX: usize = 14;

/// The words around one figure.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    /// Concepts of the words from the previous figure, or from the start of the clause, to this figure.
    pub(crate) before: u64,
    /// The concepts that identify the figure. They come from the nearest word before it that distinguishes facts, or
    /// else from the words right after it.
    pub(crate) naming: u64,
    /// All concepts from the previous figure to the next.
    pub(crate) mentioned: u64,
    /// The concepts that the words may call the figure by: `before`, `naming`, and those of the few words right after it.
    pub(crate) called: u64,
    /// Tokens from the previous figure (or the sentence's start) to the next (or its end).
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// First token of the clause before the figure.
    pub(crate) clause: usize,
    pub(crate) opens_sentence: bool,
    /// Whether the words refer to the transaction or alert of this case: "the transaction", "this alert".
    pub(crate) is_definite: bool,
}

/// Finds the surroundings of each figure of a text.
pub(crate) struct ClauseReader<'a> {
    tokens: &'a [Token<'a>],
    figures: &'a [Figure],
    /// The concepts of each token. Those of a few tokens depend on the next token.
    token_concepts: Vec<u64>,
}

impl<'a> ClauseReader<'a> {
    pub(crate) fn of(tokens: &'a [Token<'a>], figures: &'a [Figure]) -> Self {
        let token_concepts =
            tokens.iter().enumerate().map(|(at, token)| concepts_of(token, tokens.get(at + 1))).collect();
        Self { tokens, figures, token_concepts }
    }

    pub(crate) fn read_all(&self) -> Vec<Surroundings> {
        let mut all: Vec<Surroundings> = Vec::with_capacity(self.figures.len());
        let mut sentence_start = 0;
        for at in 0..self.figures.len() {
            let start = self.figures[at].start;
            while sentence_start < start && self.tokens[sentence_start].sentence != self.tokens[start].sentence {
                sentence_start += 1;
            }
            let around = self.around(at, sentence_start, all.last());
            all.push(around);
        }
        all
    }

    fn around(&self, at: usize, sentence_start: usize, previous: Option<&Surroundings>) -> Surroundings {
        let figure = &self.figures[at];
        let from = at.checked_sub(1).map_or(0, |before| self.figures[before].end).max(sentence_start);
        let from = from.max(figure.start.saturating_sub(BEFORE_MAX)).min(figure.start);
        let to = self.end_of_reach(at);
        let clause = self.clause_start(from, figure.start);
        let opens_sentence = from == sentence_start && !self.has_content(from, figure.start);
        let mentioned = self.concepts(from, figure.start) | self.concepts(figure.end, to);
        if let Some(previous) = previous
            && from > sentence_start
            && at > 0
            && self.continues(&self.figures[at - 1], figure)
        {
            return Surroundings {
                from,
                to,
                clause,
                opens_sentence,
                mentioned: mentioned | previous.mentioned,
                ..previous.clone()
            };
        }
        let before = self.concepts(clause, figure.start);
        let naming = self.naming(figure, clause, to);
        let called = before | naming | self.right_after(figure.end, to);
        let is_definite = self.is_definite(clause, figure.start);
        Surroundings { before, naming, mentioned, called, from, to, clause, opens_sentence, is_definite }
    }

    /// Where the words that may describe a figure end: at the next figure, at the sentence's end, or after `AFTER_MAX`
    /// words.
    fn end_of_reach(&self, at: usize) -> usize {
        let figure = &self.figures[at];
        let sentence = self.tokens[figure.start].sentence;
        let next = self.figures.get(at + 1).map_or(self.tokens.len(), |next| next.start);
        let far = (figure.end + AFTER_MAX).min(next).max(figure.end);
        (figure.end..far).find(|at| self.tokens[*at].sentence != sentence).unwrap_or(far)
    }

    /// The token after the last comma that is followed by a content word before the figure.
    fn clause_start(&self, from: usize, figure: usize) -> usize {
        (from..figure)
            .rev()
            .find(|at| matches!(self.tokens[*at].kind, TokenKind::Mark(',' | ';')) && self.has_content(at + 1, figure))
            .map_or(from, |at| at + 1)
    }

    fn has_content(&self, from: usize, to: usize) -> bool {
        self.tokens[from..to].iter().any(|token| matches!(token.kind, TokenKind::Word) && !token.is(FUNCTION))
    }

    /// In "60 to 79", the second figure has the same kind as the first.
    fn continues(&self, first: &Figure, second: &Figure) -> bool {
        let same = match (&first.value, &second.value) {
            (FigureValue::Number(_, a), FigureValue::Number(_, b)) => {
                std::mem::discriminant(a) == std::mem::discriminant(b) && !matches!(a, Unit::Count(_))
            }
            _ => false,
        };
        let links = |token: &Token<'_>| match token.kind {
            TokenKind::Word => ["to", "and", "or", "through", "from"].contains(&token.lower.as_ref()),
            TokenKind::Mark(mark) => mark == '-',
            _ => false,
        };
        same && second.start > first.end && self.tokens[first.end..second.start].iter().all(links)
    }

    fn concepts(&self, from: usize, to: usize) -> u64 {
        self.token_concepts[from.min(to)..to].iter().fold(0, |all, concepts| all | concepts)
    }

    fn concept(&self, at: usize) -> u64 {
        self.token_concepts[at]
    }

    /// The concepts that identify a figure; see `Surroundings::naming`.
    fn naming(&self, figure: &Figure, clause: usize, to: usize) -> u64 {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.lower.as_ref());
        if let FigureValue::Number(_, Unit::Times) = figure.value {
            return self.concepts(figure.end, to.min(figure.end + 7)) & STRONG;
        }
        let says_difference = (clause..figure.start)
            .any(|at| self.concept(at) & c::DIFFERENCE != 0 && ["between", "from", "to"].contains(&word(at + 1)));
        if says_difference || self.is_difference(figure, to) {
            return c::DIFFERENCE;
        }
        let before = self.nearest(clause, figure.start);
        if let Some(named) = before {
            return named;
        }
        // "USD 120 was the median", "USD 120 median"
        let mut at = figure.end;
        let linked = ["was", "is", "as", "being", "were"].contains(&word(at));
        if linked {
            at += 1;
            while ["the", "a", "an", "its", "their"].contains(&word(at)) {
                at += 1;
            }
        }
        (at..to.min(at + 2)).take_while(|at| !self.tokens[*at].is(FUNCTION)).fold(0, |all, at| all | self.concept(at))
            & STRONG
    }

    /// Whether the words refer to the transaction or alert of this case; see `Surroundings::is_definite`.
    fn is_definite(&self, from: usize, to: usize) -> bool {
        let is_this = |at: &usize| ["the", "this"].contains(&self.tokens[at - 1].lower.as_ref());
        let thing = c::TRANSACTION | c::ALERT;
        (from.max(1)..to)
            .filter(|at| self.concept(*at) & c::ONE != 0 && self.concept(*at) & thing != 0)
            .any(|at| is_this(&at) && !self.tokens.get(at + 1).is_some_and(|next| next.is_word("before")))
    }

    /// Concepts of the words after a figure, up to a comma or a comparison.
    fn right_after(&self, from: usize, to: usize) -> u64 {
        let goes_on = |at: &usize| {
            !matches!(self.tokens[*at].kind, TokenKind::Mark(',' | ';')) && self.concept(*at) & c::BEYOND == 0
        };
        (from..to.min(from + 5)).take_while(goes_on).fold(0, |all, at| all | self.concept(at))
    }

    /// The concepts of the nearest word before the figure that distinguishes facts, and of the word right before it:
    /// "maximum score".
    fn nearest(&self, clause: usize, figure: usize) -> Option<u64> {
        let at = (clause..figure).rev().find(|at| self.concept(*at) & (STRONG | c::RANGE) != 0)?;
        let before = if at > clause { self.concept(at - 1) } else { 0 };
        let found = self.concept(at);
        // A single word does not tell which end of a range is meant.
        Some(if found & c::RANGE != 0 { 0 } else { (found | before) & STRONG })
    }

    /// Whether a figure is a difference, as in "by USD 120" and "USD 120 above the median".
    fn is_difference(&self, figure: &Figure, to: usize) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.lower.as_ref());
        let is_money = matches!(figure.value, FigureValue::Number(_, Unit::Money(_) | Unit::Currency(_)));
        let follows_by = figure.start > 0 && word(figure.start - 1) == "by";
        let comparisons = ["above", "below", "over", "more", "less", "higher", "lower", "greater", "larger", "beyond"];
        let reference = c::MEDIAN | c::LARGEST | c::SMALLEST | c::AVERAGE | c::BASELINE;
        let is_compared = comparisons.contains(&word(figure.end))
            && self.concepts(figure.end, to.min(figure.end + 7)) & reference != 0;
        is_money && (follows_by || is_compared)
    }
}

/// The concepts of a token. The next token may change them: an "account holder" is not an account, and "add up" states a
/// total.
fn concepts_of(token: &Token<'_>, next: Option<&Token<'_>>) -> u64 {
    // Fast path for nearly all tokens.
    if !matches!(token.lower.as_bytes(), [b'a', b'c' | b'd', ..]) || !matches!(token.kind, TokenKind::Word) {
        return token.concepts;
    }
    let is_next = |word: &str| next.is_some_and(|next| next.is_word(word));
    if token.lower.starts_with("account") && (is_next("holder") || is_next("holders")) {
        0
    } else if token.lower.starts_with("add") && is_next("up") {
        c::TOTAL
    } else {
        token.concepts
    }
}
