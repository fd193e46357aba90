//! The evidence that a context gives for each word of a sentence, and for the sentence as a whole.

use std::sync::LazyLock;

use super::index::Index;
use super::neighbours;
use super::passage::Passage;
use super::token::{Class, Token};
use crate::tokenize;

/// The evidence for a single word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WordEvidence {
    pub(super) in_context: bool,
    /// The nearest passage contains the word.
    pub(super) in_passage: bool,
    /// The nearest sentence contains the word.
    pub(super) in_nearest: bool,
    /// The context contains the word or a synonym.
    pub(super) synonym_in_context: bool,
    /// The passage contains the word or a synonym.
    pub(super) synonym_in_passage: bool,
    /// The passage contains a word that excludes it, and neither the word nor a synonym.
    pub(super) opposed: bool,
    /// The passage negates the word, or the sentence negates it and the passage doesn't.
    pub(super) flipped: bool,
    /// The context contains a word that excludes it and no synonym.
    pub(super) opposed_anywhere: bool,
    /// At the places where its neighbours occur in the context: a word that excludes it and no synonym, or a different
    /// number.
    pub(super) opposed_there: bool,
    pub(super) other_number_there: bool,
    /// The word and its successor are adjacent in the context.
    pub(super) copied: bool,
}

impl WordEvidence {
    /// Neither the word nor a synonym occurs in the context.
    pub(super) fn is_novel(&self) -> bool {
        !self.in_context && !self.synonym_in_context
    }

    /// Something in the context contradicts the word.
    pub(super) fn is_contradicted(&self) -> bool {
        self.flipped || self.opposed_anywhere || self.opposed_there || self.opposed && !self.in_context
    }
}

/// The evidence for a sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct SentenceEvidence {
    /// The range of its tokens in the text.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The evidence for each token.
    pub(super) words: Vec<WordEvidence>,
    /// The index of the nearest sentence of the context.
    pub(super) nearest: Option<usize>,
    /// The sentence claims nothing: "Here is a summary:".
    pub(super) is_preamble: bool,
    /// The sentence says that the source has no answer: "The passages do not say."
    pub(super) is_refusal: bool,
    pub(super) negation_differs: bool,
    /// The number of pairs of neighbouring content words whose order is reversed in the nearest sentence, and the number
    /// of pairs that were compared.
    pub(super) inverted: usize,
    pub(super) ordered: usize,
    /// Pairs of neighbouring content words: all of them, those that are adjacent in the context too, and those whose
    /// words both occur there, but never in the same sentence or in neighbouring ones.
    pub(super) pairs: usize,
    pub(super) pairs_seen: usize,
    pub(super) pairs_apart: usize,
}

/// `tokens` belong to one sentence; `from` is the index of its first token in the text.
pub(super) fn gather(
    text: &str,
    tokens: &[Token],
    from: usize,
    index: &Index,
    passage: &mut Passage,
) -> SentenceEvidence {
    passage.align(index, tokens);
    let mut words: Vec<WordEvidence> = tokens.iter().map(|token| word_evidence(token, index, passage)).collect();
    mark_copies(tokens, &mut words, index);
    neighbours::mark(tokens, &mut words, index);
    let mut evidence = SentenceEvidence {
        from,
        to: from + tokens.len(),
        nearest: passage.nearest.first().copied(),
        negation_differs: tokens.iter().any(|token| token.negator) != (passage.negators > 0),
        ..SentenceEvidence::default()
    };
    evidence.is_preamble = is_preamble(text, tokens);
    evidence.is_refusal = is_refusal(tokens);
    count_pairs(tokens, &words, index, passage, &mut evidence);
    evidence.words = words;
    evidence
}

fn word_evidence(token: &Token, index: &Index, passage: &Passage) -> WordEvidence {
    if token.class == Class::Mark {
        return WordEvidence::default();
    }
    let mut evidence = WordEvidence::default();
    if token.is_content() {
        evidence.in_context = index.has(token.stem) || token.class == Class::Number && index.has_number(token.value);
        evidence.in_passage = passage.has(token.stem);
        evidence.in_nearest = passage.best.contains(&token.stem);
        evidence.synonym_in_context = evidence.in_context || index.has_synonym(token);
        evidence.synonym_in_passage = evidence.in_passage || passage.has_synonym(token);
        evidence.opposed_anywhere = evidence.is_novel() && index.opposes(token);
        evidence.flipped = evidence.in_passage && passage.flips(token.stem, token.negated);
    }
    evidence.opposed = !passage.has(token.stem) && !evidence.synonym_in_passage && passage.opposes(token);
    evidence
}

fn mark_copies(tokens: &[Token], words: &mut [WordEvidence], index: &Index) {
    let mut last: Option<usize> = None;
    for at in (0..tokens.len()).filter(|&at| tokens[at].class != Class::Mark) {
        if let Some(last) = last {
            words[last].copied = index.has_word_pair(tokens[last].word, tokens[at].word);
        }
        last = Some(at);
    }
}

fn count_pairs(
    tokens: &[Token],
    words: &[WordEvidence],
    index: &Index,
    passage: &Passage,
    evidence: &mut SentenceEvidence,
) {
    let content = tokens.iter().zip(words).filter(|(token, _)| token.is_content() && token.class != Class::Neutral);
    let mut last: Option<(&Token, &WordEvidence)> = None;
    for (token, support) in content {
        if let Some((before, earlier)) = last {
            evidence.pairs += 1;
            if index.has_stem_pair(before.stem, token.stem) {
                evidence.pairs_seen += 1;
            } else if support.in_context && earlier.in_context && !share_sentence(index, before.stem, token.stem) {
                evidence.pairs_apart += 1;
            }
            let place = |stem| passage.best.iter().position(|&other| other == stem);
            if let (Some(first), Some(second)) = (place(before.stem), place(token.stem)) {
                evidence.ordered += 1;
                evidence.inverted += usize::from(second < first);
            }
        }
        last = Some((token, support));
    }
}

/// Whether two stems occur in the same sentence of the context, or in neighbouring ones.
fn share_sentence(index: &Index, first: u32, second: u32) -> bool {
    const PLACES_MAX: usize = 64;
    let sentences = |stem| {
        let places = index.places(stem);
        places[..places.len().min(PLACES_MAX)].iter().map(|&(_, at)| index.tokens[at as usize].sentence)
    };
    let (mut one, mut other) = (sentences(first).peekable(), sentences(second).peekable());
    while let (Some(&a), Some(&b)) = (one.peek(), other.peek()) {
        if a.abs_diff(b) <= 1 {
            return true;
        }
        if a < b {
            one.next()
        } else {
            other.next()
        };
    }
    false
}

/// Whether the sentence ends in a colon, or opens in the way assistants introduce an answer.
fn is_preamble(text: &str, tokens: &[Token]) -> bool {
    static OPENINGS: LazyLock<[u32; 3]> = LazyLock::new(|| ["sure", "certainly", "here"].map(tokenize::hash));
    let last = tokens.last().map_or("", |token| token.text(text));
    let first = tokens.iter().find(|token| token.class != Class::Mark);
    let opens = first.is_some_and(|token| OPENINGS.contains(&token.word));
    let informative = tokens.iter().filter(|token| matches!(token.class, Class::Rare | Class::Number)).count();
    last == ":" && informative < 8 || opens && informative < 3 && tokens.len() < 25
}

/// Whether the sentence says that the source does not contain the answer.
fn is_refusal(tokens: &[Token]) -> bool {
    static SOURCES: LazyLock<[u32; 10]> = LazyLock::new(|| {
        [
            "passage",
            "passages",
            "document",
            "documents",
            "context",
            "text",
            "article",
            "information",
            "answer",
            "provided",
        ]
        .map(tokenize::hash)
    });
    tokens.iter().any(|token| token.negator) && tokens.iter().any(|token| SOURCES.contains(&token.word))
}
