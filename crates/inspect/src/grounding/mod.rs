//! Compares free text with the context that it should be based on, and finds the sentences that the context doesn't
//! support.
//!
//! Both are read into stems, numbers and names, and the context is indexed. Each sentence is compared with the passage
//! that shares its rarer words; the evidence for each word becomes features, which small decision trees weigh. Lists of
//! synonyms and opposites (`lists/`) distinguish a paraphrase from a change of meaning.
//!
//! | file | job |
//! |---|---|
//! | `token.rs`, `stem.rs`, `number.rs`, `lexicon.rs` | read a text into stems, numbers and names, with their entries in the lists |
//! | `sentence.rs` | splits a text into sentences |
//! | `index.rs`, `passage.rs`, `neighbours.rs` | index a context, and find the passage and the places to compare with |
//! | `evidence.rs` | the evidence that the context gives for each word |
//! | `counts.rs`, `features.rs`, `trees.rs` | turn the evidence into a score |
//! | `unsupported_span.rs` | chooses the words that a finding covers |
//! | `without_context.rs`, `citation.rs` | what can be checked in a text without a context |
//!
//! | type | covers |
//! |---|---|
//! | NUMBER, DATE, NAME | a number, date or name that the context doesn't contain, or contains in another role |
//! | CONTRADICTED | words that the context negates or whose opposite it contains |
//! | UNSUPPORTED | words, or a sentence, that the context doesn't support |
//!
//! Out of scope: world knowledge, calculations over the context, and human-level understanding. A true statement that is not
//! in the context is unsupported.

mod citation;
mod counts;
mod evidence;
#[cfg_attr(not(feature = "training"), expect(unreachable_pub, reason = "only training uses it outside this crate"))]
mod features;
mod index;
mod lexicon;
mod neighbours;
mod number;
mod passage;
mod sentence;
mod stem;
mod token;
#[cfg_attr(not(feature = "training"), expect(unreachable_pub, reason = "only training uses it outside this crate"))]
mod trees;
mod unsupported_span;
mod without_context;

use std::ops::Range;
use std::sync::LazyLock;

use crate::Kind;
use crate::audit::Judgement;
use crate::finding::{Hit, chars_between};
use crate::learned::probability;
use crate::risk::DECISION;
use crate::tokenize::Word;
use evidence::SentenceEvidence;
use index::Index;
use passage::Passage;
use token::Token;
use trees::Trees;

/// A text compared with a context.
struct ComparedText {
    index: Index,
    tokens: Vec<Token>,
    evidence: Vec<SentenceEvidence>,
}

fn compare(text: &str, context: &str) -> ComparedText {
    let index = Index::new(context);
    let mut tokens = token::read(text, false);
    let sentences = sentence::split(text, &mut tokens, false);
    let mut passage = Passage::new(&index);
    let evidence = sentences
        .iter()
        .map(|sentence| {
            evidence::gather(text, &tokens[sentence.from..sentence.to], sentence.from, &index, &mut passage)
        })
        .collect();
    ComparedText { index, tokens, evidence }
}

/// How well a context supports one sentence of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct SentenceGrounding {
    /// The start, in code points of the text.
    pub start: usize,
    /// The end, exclusive, in code points of the text.
    pub end: usize,
    /// The risk from 0 to 1, where 1 means unsupported.
    pub score: f64,
    /// The nearest passage, in code points of the context; the end is exclusive.
    pub nearest: Option<(usize, usize)>,
    pub why: String,
}

/// Judges each sentence of a text separately.
pub fn sentence_grounding(text: &str, context: &str) -> Vec<SentenceGrounding> {
    let Some(model) = MODEL.as_ref() else { return Vec::new() };
    let compared = compare(text, context);
    let (in_text, in_context) = (Position::new(text), Position::new(context));
    let mut sentences: Vec<SentenceGrounding> = Vec::with_capacity(compared.evidence.len());
    for (n, evidence) in compared.evidence.iter().enumerate() {
        let tokens = &compared.tokens[evidence.from..evidence.to];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
        let nearest = evidence.nearest.and_then(|sentence| {
            let tokens = compared.index.tokens_of(sentence);
            Some((in_context.at(tokens.first()?.start as usize), in_context.at(tokens.last()?.end as usize)))
        });
        let score = compared.score(model, n..n + 1);
        let (start, end) = (in_text.at(first.start as usize), in_text.at(last.end as usize));
        sentences.push(SentenceGrounding { start, end, score, nearest, why: compared.why(n, score) });
    }
    sentences
}

/// The score from which a sentence of an unsupported text is reported. If every score is lower, the worst sentence is
/// reported.
const REPORTED_MIN: f64 = 0.75;

static MODEL: LazyLock<Option<Trees>> =
    LazyLock::new(|| Trees::from_bytes(include_bytes!("../../weights/grounding.bin")));

/// Judges the whole text and finds the parts that led to the score. `words` are the words of `text`.
pub(crate) fn judge(text: &str, words: &[Word], context: Option<&str>) -> Judgement {
    let Some(context) = context.filter(|context| !context.trim().is_empty()) else {
        return without_context::judge(text, words);
    };
    MODEL.as_ref().map_or_else(Judgement::default, |model| judge_with(model, text, context))
}

fn judge_with(model: &Trees, text: &str, context: &str) -> Judgement {
    let compared = compare(text, context);
    if compared.evidence.is_empty() {
        return Judgement::default();
    }
    let score = compared.score(model, 0..compared.evidence.len());
    let hits = if score >= DECISION { compared.hits(model, score) } else { Vec::new() };
    Judgement { score, hits }
}

impl ComparedText {
    fn score(&self, model: &Trees, sentences: Range<usize>) -> f64 {
        let values = features::features(&self.tokens, &self.evidence[sentences], &self.index);
        probability(model.score(&values))
    }

    /// The findings in the sentences that are unsupported by themselves, or in the worst sentence if there are none.
    fn hits(&self, model: &Trees, score: f64) -> Vec<Hit> {
        let scores: Vec<f64> = (0..self.evidence.len()).map(|n| self.score(model, n..n + 1)).collect();
        let worst = scores.iter().copied().fold(0.0, f64::max);
        let chosen = scores.iter().enumerate().filter(|&(_, &one)| one >= REPORTED_MIN.min(worst));
        chosen
            .flat_map(|(n, &one)| {
                let certainty = one.clamp(DECISION, score);
                unsupported_span::unsupported_spans(&self.tokens, &self.evidence[n])
                    .into_iter()
                    .map(move |span| (span, certainty))
            })
            .map(|(span, score)| Hit {
                kind: Kind::Grounding,
                r#type: span.r#type,
                start: span.start,
                end: span.end,
                score,
                detector: "grounding/support",
                explanation: unsupported_span::why(span.r#type).to_owned(),
            })
            .collect()
    }

    fn why(&self, sentence: usize, score: f64) -> String {
        if score < DECISION {
            return "the nearest passage supports it".to_owned();
        }
        let mut reasons: Vec<&str> = unsupported_span::unsupported_spans(&self.tokens, &self.evidence[sentence])
            .iter()
            .map(|s| unsupported_span::why(s.r#type))
            .collect();
        reasons.dedup();
        reasons.truncate(3);
        reasons.join("; ")
    }
}

/// Converts byte offsets to code points without counting from the start each time.
struct Position<'a> {
    text: &'a str,
    /// The number of code points before each block of bytes.
    before: Vec<usize>,
}

impl<'a> Position<'a> {
    const BLOCK_BYTES: usize = 1024;

    fn new(text: &'a str) -> Self {
        let mut before = vec![0];
        for from in (0..text.len()).step_by(Self::BLOCK_BYTES) {
            let to = (from + Self::BLOCK_BYTES).min(text.len());
            before.push(before.last().copied().unwrap_or(0) + chars_between(text, from, to));
        }
        Self { text, before }
    }

    fn at(&self, byte: usize) -> usize {
        let block = byte / Self::BLOCK_BYTES;
        self.before.get(block).copied().unwrap_or(0) + chars_between(self.text, block * Self::BLOCK_BYTES, byte)
    }
}

/// Training's view of this module: the features that judging uses.
#[cfg(feature = "training")]
pub mod training {
    pub use super::features::{COUNT, FEATURES, Features};
    pub use super::trees::{LEAVES, SPLITS, Tree, Trees};

    pub fn of_text(text: &str, context: &str) -> Features {
        let compared = super::compare(text, context);
        super::features::features(&compared.tokens, &compared.evidence, &compared.index)
    }

    /// The byte ranges of the text that this model reports.
    pub fn reported_spans(model: &Trees, text: &str, context: &str) -> Vec<(usize, usize)> {
        super::judge_with(model, text, context).hits.iter().map(|hit| (hit.start, hit.end)).collect()
    }
}

#[cfg(test)]
mod tests;
