//! Free text against the context that it should rest on: which sentences are not supported.
//!
//! Both are read into stems, numbers and names, and the context is indexed. Every sentence is compared with the passage that
//! shares its rarer words; what the context says about each word becomes features, which small trees weigh. Lists of synonyms and
//! opposites (`lists/`) tell a paraphrase from a change.
//!
//! | file | job |
//! |---|---|
//! | `token.rs`, `stem.rs`, `number.rs`, `lexicon.rs` | read a text into stems, numbers and names, with what the lists know about them |
//! | `sentence.rs` | splits a text into sentences |
//! | `index.rs`, `passage.rs`, `neighbours.rs` | make a context searchable, and find the passage to compare with |
//! | `evidence.rs` | what the context says about each word |
//! | `counts.rs`, `features.rs`, `trees.rs` | turn the evidence into a score |
//! | `unsupported_span.rs` | which words a finding points at |
//! | `without_context.rs`, `citation.rs` | what a text gives away when there is no context |
//!
//! | type | points at |
//! |---|---|
//! | NUMBER, DATE, NAME | a number, date or name that the context doesn't have, or has about something else |
//! | CONTRADICTED | words whose opposite or denial the context has |
//! | UNSUPPORTED | words, or a sentence, that nothing in the context supports |
//!
//! Refused here: knowledge of the world, arithmetic over the context, and reading it as a person would. A text that is true but
//! not in its context is unsupported.

mod citation;
mod counts;
mod evidence;
#[cfg_attr(not(feature = "training"), expect(unreachable_pub, reason = "seen from outside by training alone"))]
mod features;
mod index;
mod lexicon;
mod neighbours;
mod number;
mod passage;
mod sentence;
mod stem;
mod token;
#[cfg_attr(not(feature = "training"), expect(unreachable_pub, reason = "seen from outside by training alone"))]
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
use crate::words::Word;
use evidence::Evidence;
use index::Index;
use passage::Passage;
use token::Token;
use trees::Trees;

/// A text read against a context.
struct ComparedText {
    index: Index,
    tokens: Vec<Token>,
    evidence: Vec<Evidence>,
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

/// How far one sentence of a text is supported by a context.
#[derive(Debug, Clone, PartialEq)]
pub struct SentenceGrounding {
    /// Code points of the text.
    pub start: usize,
    /// Exclusive.
    pub end: usize,
    /// Risk in 0..1; 1 = unsupported.
    pub score: f64,
    /// The nearest passage: code points of the context, end exclusive.
    pub nearest: Option<(usize, usize)>,
    pub why: String,
}

/// Judges each sentence of a text by itself.
pub fn sentence_grounding(text: &str, context: &str) -> Vec<SentenceGrounding> {
    let Some(model) = MODEL.as_ref() else { return Vec::new() };
    let compared = compare(text, context);
    let (here, there) = (Position::new(text), Position::new(context));
    let mut sentences: Vec<SentenceGrounding> = Vec::with_capacity(compared.evidence.len());
    for (n, evidence) in compared.evidence.iter().enumerate() {
        let tokens = &compared.tokens[evidence.from..evidence.to];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
        let nearest = evidence.nearest.and_then(|sentence| {
            let tokens = compared.index.tokens_of(sentence);
            Some((there.at(tokens.first()?.start as usize), there.at(tokens.last()?.end as usize)))
        });
        let score = compared.score(model, n..n + 1);
        let (start, end) = (here.at(first.start as usize), here.at(last.end as usize));
        sentences.push(SentenceGrounding { start, end, score, nearest, why: compared.why(n, score) });
    }
    sentences
}

/// Sentences of an unsupported text are pointed at from this score on; if every score is lower, the worst sentence is.
const POINTED: f64 = 0.75;

static MODEL: LazyLock<Option<Trees>> =
    LazyLock::new(|| Trees::from_bytes(include_bytes!("../../weights/grounding.bin")));

/// A judgement of the whole text, of which `words` were read, and the stretches that led to it.
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

    /// Findings in the sentences that are unsupported by themselves, or in the worst one if there are none.
    fn hits(&self, model: &Trees, score: f64) -> Vec<Hit> {
        let scores: Vec<f64> = (0..self.evidence.len()).map(|n| self.score(model, n..n + 1)).collect();
        let worst = scores.iter().copied().fold(0.0, f64::max);
        let chosen = scores.iter().enumerate().filter(|&(_, &one)| one >= POINTED.min(worst));
        chosen
            .flat_map(|(n, &one)| {
                let certainty = one.clamp(DECISION, score);
                unsupported_span::unsupported_spans(&self.tokens, &self.evidence[n])
                    .into_iter()
                    .map(move |stretch| (stretch, certainty))
            })
            .map(|(stretch, score)| Hit {
                kind: Kind::Grounding,
                r#type: stretch.r#type,
                start: stretch.start,
                end: stretch.end,
                score,
                detector: "grounding/support",
                explanation: unsupported_span::why(stretch.r#type).to_owned(),
            })
            .collect()
    }

    fn why(&self, sentence: usize, score: f64) -> String {
        if score < DECISION {
            return "the nearest passage has what it says".to_owned();
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

/// Code points at any byte offset, without walking there from the start.
struct Position<'a> {
    text: &'a str,
    /// Code points before each block of bytes.
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

/// What training needs: the features that judging uses.
#[cfg(feature = "training")]
pub mod training {
    pub use super::features::{COUNT, FEATURES, Features};
    pub use super::trees::{LEAVES, SPLITS, Tree, Trees};

    pub fn of_text(text: &str, context: &str) -> Features {
        let compared = super::compare(text, context);
        super::features::features(&compared.tokens, &compared.evidence, &compared.index)
    }

    /// The stretches that this model points at, in bytes of the text.
    pub fn stretches(model: &Trees, text: &str, context: &str) -> Vec<(usize, usize)> {
        super::judge_with(model, text, context).hits.iter().map(|hit| (hit.start, hit.end)).collect()
    }
}

#[cfg(test)]
mod tests;
