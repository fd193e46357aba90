//! Text to findings: PII and secrets, toxicity, injection, unsupported claims. Pure, deterministic, no I/O.
//!
//! [`inspect`] finds what can be decided from nearby words, so that a stream can be inspected while it grows ([`Window`]);
//! [`audit`] adds what needs the whole text: names, learned judgements, and whether a context supports it.
//!
//! | file or folder | job |
//! |---|---|
//! | `audit.rs`, `window.rs`, `mask.rs` | inspect a whole text or a growing one; mask what was found |
//! | `scan.rs` | one pass finds anchors (digits, `@`, rare words); detectors verify a bounded span around each, in linear time |
//! | `view/` | a text with its disguises undone, with offsets back to the original |
//! | `pii/`, `toxicity/`, `injection/`, `grounding/` | the four inspectors, each detector in a file with its cases |
//! | `tokenize.rs`, `context.rs`, `phrase.rs` | words of a text, words near a candidate, patterns that start at an anchor |
//! | `base64.rs` | base64 as it occurs inside texts: in either alphabet, without padding, cut off anywhere |
//! | `learned/` | linear models over hashed features |
//! | `finding.rs`, `types.rs`, `risk.rs` | findings, what each type weighs, what they weigh together |
//!
//! Characters, numbers, months and hashes come from `countersign_text`. This crate never keeps matched text.

mod audit;
mod base64;
mod context;
mod finding;
mod grounding;
mod injection;
pub mod learned;
mod mask;
mod phrase;
mod pii;
mod risk;
mod scan;
pub mod tokenize;
mod toxicity;
mod types;
mod view;
mod window;

/// The parts of the inspectors that training needs.
#[cfg(feature = "training")]
pub mod training {
    pub use crate::{
        grounding::training as grounding, injection::training as injection, pii::names::training as names,
        toxicity::training as toxicity,
    };
}

pub use audit::{Audited, Scores, audit, audit_answer};
pub use finding::{Finding, Kind};
pub use grounding::{SentenceGrounding, sentence_grounding};
pub use mask::{Masked, mask_pii};
pub use pii::names::{WordLists, word_lists};
pub use risk::{Risk, in_words, risk, risk_score};
pub use window::Window;

/// Identifies this version of the inspectors in stored verdicts.
pub const VERSION: &str = "builtin-8";

/// Findings sorted by start; findings of one kind don't overlap.
pub fn inspect(text: &str) -> Vec<Finding> {
    findings(text, scan::all(text))
}

/// Identifiers and secrets that are certain enough to act on: these must be removed before a text is shown or sent on.
pub fn identifiers(text: &str) -> Vec<Finding> {
    let mut found = inspect(text);
    found.retain(|finding| finding.identifies() && finding.counts());
    found
}

/// The personal data of a whole text, with names and mentions: what [`audit`] finds, without its other inspectors.
pub fn audit_pii(text: &str) -> Vec<Finding> {
    let mut read = Vec::new();
    tokenize::tokenize(text, &mut read);
    let mut hits = scan::pii(text);
    pii::names::tag(text, &read, &mut hits);
    pii::combination::decide(&mut hits);
    let mut found = findings(text, hits);
    pii::combination::mentions(&mut found);
    found
}

/// Identifiers and secrets alone, without names and learned judgements.
pub fn inspect_pii(text: &str) -> Vec<Finding> {
    findings(text, scan::pii(text))
}

/// Identifiers, secrets, names and addresses, uncertain ones included. Unlike [`audit_pii`], this doesn't decide which of them identify
/// somebody only in combination.
pub fn inspect_personal(text: &str) -> Vec<Finding> {
    let mut read = Vec::new();
    tokenize::tokenize(text, &mut read);
    let mut hits = scan::pii(text);
    pii::names::tag(text, &read, &mut hits);
    findings(text, hits)
}

/// The findings of the injection inspector alone, for queries: its phrases, and its judgement of the whole text. Queries may
/// legitimately ask to repeat or imagine something, so the learned part of that judgement counts only if it is fairly certain.
pub fn inspect_injection(text: &str) -> Vec<Finding> {
    let mut read = Vec::new();
    tokenize::tokenize(text, &mut read);
    let mut hits = scan::injection(text);
    injection::judge(text, &read).add_to(&mut hits);
    let mut found = findings(text, hits);
    audit::reduce_to_hints(&mut found, QUERY_CERTAINTY);
    found
}

const QUERY_CERTAINTY: f64 = 0.7;

/// The texts that a text may hide: the text itself with its disguises undone, and the texts that are encoded in it, two levels deep.
pub fn hidden_texts(text: &str) -> Vec<String> {
    fn add(text: &str, depth: usize, found: &mut Vec<String>) {
        let view = view::View::of_identifiers(text);
        if view.differs() {
            found.push(view.text.clone().into_owned());
        }
        for decoded in view::encoded::texts(&view.text) {
            if depth > 0 {
                add(&decoded.text, depth - 1, found);
            }
            found.push(decoded.text);
        }
    }
    let mut found = Vec::new();
    add(text, 1, &mut found);
    found
}

/// A text with accents, compatibility forms and look-alikes of other alphabets replaced by plain letters.
pub fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    view::View::of(text).text
}

/// Whether any finding of this kind is certain enough to act on. Mentions never are.
pub fn detected(findings: &[Finding], kind: Kind) -> bool {
    findings.iter().any(|finding| finding.kind == kind && finding.counts())
}

fn findings(text: &str, hits: Vec<finding::Hit>) -> Vec<Finding> {
    if hits.is_empty() {
        return Vec::new();
    }
    finding::located(text, 0, 0, finding::disjoint(hits))
}
