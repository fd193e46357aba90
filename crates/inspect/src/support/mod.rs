//! Free text against the context that it should rest on: which sentences are not supported.

mod evidence;
mod features;
mod index;
mod lexicon;
mod number;
mod passage;
mod sentence;
mod stem;
mod token;

use crate::audit::Judged;
use evidence::Evidence;
use index::Index;
use passage::Passage;
use token::Token;

/// A text read against a context.
struct Reading {
    index: Index,
    tokens: Vec<Token>,
    evidence: Vec<Evidence>,
}

fn read(text: &str, context: &str) -> Reading {
    let index = Index::new(context);
    let mut tokens = token::read(text, false);
    let sentences = sentence::split(text, &mut tokens, false);
    let mut passage = Passage::new(&index);
    let evidence = sentences
        .iter()
        .map(|sentence| evidence::gather(text, &tokens[sentence.from..sentence.to], sentence.from, &index, &mut passage))
        .collect();
    Reading { index, tokens, evidence }
}

/// What training needs: the features that judging uses.
#[cfg(feature = "training")]
pub mod training {
    pub use super::features::{COUNT, FEATURES, Features};

    pub fn of_text(text: &str, context: &str) -> Features {
        let reading = super::read(text, context);
        super::features::features(&reading.tokens, &reading.evidence, &reading.index)
    }
}

pub(crate) fn judge(_text: &str, _context: Option<&str>) -> Judged {
    Judged::default()
}
