//! Text to findings: PII and secrets, toxicity, injection. Pure, deterministic, no I/O.
//!
//! One shared scan (`scan`) finds anchors (digits, `@`, rare words); at each anchor a detector verifies a bounded stretch of
//! text around it, so the time is linear on any input. What a detector knows lives in its own file, with its cases; what a
//! finding weighs is one table in `risk`:
//!
//! | found | risk |
//! |---|---|
//! | card, IBAN, US_SSN, private key, key, password | 9 |
//! | threat, self-harm, identity attack | 8 |
//! | instruction override, exfiltration, hidden or encoded text; two different contact identifiers | 7 |
//! | insult | 6 |
//! | role play, prompt extraction, forged delimiter; e-mail or phone alone | 5 |
//! | profanity; network address alone | 4 |
//!
//! `grounding` is apart: the fact check of a text against the facts that it was written from.
//!
//! Web addresses, names, places, organisations, ages and dates are no PII alone, see [`Finding::identifies`]. Refused here:
//! meaning beyond patterns, and keeping the matched text anywhere.

mod audit;
mod context;
mod finding;
pub mod grounding;
mod injection;
pub mod learned;
mod mask;
mod phrase;
mod pii;
mod risk;
mod scan;
mod support;
mod toxicity;
mod window;
pub mod words;

pub use audit::{Audited, Scores, audit};
pub use finding::{Finding, Kind};
pub use mask::{Masked, mask_pii};
pub use risk::risk_score;
pub use window::Window;

/// Identifies this version of the inspectors in stored verdicts.
pub const VERSION: &str = "builtin-1";

/// Findings sorted by start; findings of one kind don't overlap.
pub fn inspect(text: &str) -> Vec<Finding> {
    findings(text, scan::all(text))
}

/// Identifiers and secrets alone, without names and without anything learnt.
pub fn inspect_pii(text: &str) -> Vec<Finding> {
    findings(text, scan::pii(text))
}

/// The injection inspector alone, for queries and retrieved text.
pub fn inspect_injection(text: &str) -> Vec<Finding> {
    findings(text, scan::injection(text))
}

/// Whether anything of this kind is certain enough to act on.
pub fn detected(findings: &[Finding], kind: Kind) -> bool {
    let counts = |finding: &Finding| match kind {
        Kind::Pii => finding.identifies(),
        _ => finding.kind == kind && finding.score >= risk::DECISION,
    };
    findings.iter().any(counts)
}

fn findings(text: &str, hits: Vec<finding::Hit>) -> Vec<Finding> {
    if hits.is_empty() {
        return Vec::new();
    }
    finding::located(text, 0, 0, finding::disjoint(hits))
}
