//! Text to findings: PII and secrets, toxicity, injection, unsupported claims. Pure, deterministic, no I/O.
//!
//! [`inspect`] finds what can be told from the words around it, so that a stream can be inspected while it grows ([`Window`]);
//! [`audit`] adds what takes the whole text: names, learned judgements, and whether a context supports it.
//!
//! One shared scan (`scan`) finds anchors (digits, `@`, rare words); at each anchor a detector verifies a bounded stretch of
//! text around it, so the time is linear on any input. What a detector knows lives in its own file, with its cases; what a
//! finding weighs is one table in `types`, what they weigh together is `risk`.
//!
//! Refused here: keeping the matched text anywhere.

mod audit;
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
mod toxicity;
mod types;
mod view;
mod window;
pub mod words;

/// What training the learned parts needs of them.
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
pub use risk::{Risk, risk, risk_score};
pub use window::Window;

/// Identifies this version of the inspectors in stored verdicts.
pub const VERSION: &str = "builtin-6";

/// Findings sorted by start; findings of one kind don't overlap.
pub fn inspect(text: &str) -> Vec<Finding> {
    findings(text, scan::all(text))
}

/// What identifies a person or opens a door, and counts: what has to go before a text is shown or sent on.
pub fn identifiers(text: &str) -> Vec<Finding> {
    let mut found = inspect(text);
    found.retain(|finding| finding.identifies() && finding.counts());
    found
}

/// The personal data of a whole text, with names and mentions: what [`audit`] finds, without its other inspectors.
pub fn audit_pii(text: &str) -> Vec<Finding> {
    let mut read = Vec::new();
    words::words(text, &mut read);
    let mut hits = scan::pii(text);
    pii::names::tag(text, &read, &mut hits);
    pii::combination::decide(&mut hits);
    let mut found = findings(text, hits);
    pii::combination::mentions(&mut found);
    found
}

/// Identifiers and secrets alone, without names and without anything learnt.
pub fn inspect_pii(text: &str) -> Vec<Finding> {
    findings(text, scan::pii(text))
}

/// The PII findings of [`audit`], names and addresses included, without its judgements of the whole text.
pub fn inspect_personal(text: &str) -> Vec<Finding> {
    let mut read = Vec::new();
    words::words(text, &mut read);
    let mut hits = scan::pii(text);
    pii::names::tag(text, &read, &mut hits);
    findings(text, hits)
}

/// The injection inspector alone, for queries: its phrases, and its judgement of the whole. A query may well ask to repeat or to
/// imagine something, so the learned part of that judgement counts only where it is rather certain.
pub fn inspect_injection(text: &str) -> Vec<Finding> {
    let mut read = Vec::new();
    words::words(text, &mut read);
    let mut hits = scan::injection(text);
    injection::judge(text, &read).beside(&mut hits);
    let mut found = findings(text, hits);
    audit::hint(&mut found, QUERY_CERTAINTY);
    found
}

const QUERY_CERTAINTY: f64 = 0.7;

/// What a text says beside its own words: once disguises are undone, and in the texts that stand encoded in it, two deep.
pub fn readings(text: &str) -> Vec<String> {
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

/// A text with letters of one look folded into one: accents, compatibility forms and look-alikes of other alphabets.
pub fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    view::View::of(text).text
}

/// Whether anything of this kind is certain enough to act on. Mentions are not.
pub fn detected(findings: &[Finding], kind: Kind) -> bool {
    findings.iter().any(|finding| finding.kind == kind && finding.counts())
}

fn findings(text: &str, hits: Vec<finding::Hit>) -> Vec<Finding> {
    if hits.is_empty() {
        return Vec::new();
    }
    finding::located(text, 0, 0, finding::disjoint(hits))
}
