//! Findings, and how raw hits (byte ranges that may overlap) become findings (disjoint ranges of code points).

pub use countersign_domain::FindingKind as Kind;
use serde::Serialize;

use crate::{risk::DECISION, types};

/// One thing found. Never holds the matched text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    pub kind: Kind,
    pub r#type: &'static str,
    /// Unicode code points from the start of the text.
    pub start: usize,
    /// Exclusive.
    pub end: usize,
    /// The risk from 0 to 1; a finding counts from 0.5 on.
    pub score: f64,
    /// For example `pii/credit_card`.
    pub detector: &'static str,
    /// Pattern, checksum and context that led here. Never the matched value.
    pub explanation: String,
    /// A name, place, organisation, date or the like that identifies nobody in this text. It has no weight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mention: bool,
}

/// A candidate that a detector verified. Offsets are bytes on character boundaries.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub(crate) kind: Kind,
    pub(crate) r#type: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) score: f64,
    pub(crate) detector: &'static str,
    pub(crate) explanation: String,
}

impl Hit {
    fn len(&self) -> usize {
        self.end - self.start
    }

    /// A hit that identifies somebody beats one that doesn't, such as the web address around it; then the more certain one wins, then
    /// the longer one.
    fn beats(&self, other: &Self) -> bool {
        let identifies = |hit: &Self| hit.score >= DECISION && !types::is_mention_alone(hit.kind, hit.r#type);
        identifies(self)
            .cmp(&identifies(other))
            .then(self.score.total_cmp(&other.score))
            .then(self.len().cmp(&other.len()))
            .is_gt()
    }
}

/// Keeps, from left to right, the better of two overlapping hits of one kind.
///
/// Left to right rather than globally best, because a stream must be able to decide without seeing the end.
pub(crate) fn disjoint(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by(|a, b| {
        (a.kind, a.start, b.end, a.detector, a.r#type).cmp(&(b.kind, b.start, a.end, b.detector, b.r#type))
    });
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match kept.last_mut() {
            Some(last) if last.kind == hit.kind && hit.start < last.end => {
                if hit.beats(last) {
                    *last = hit;
                }
            }
            _ => kept.push(hit),
        }
    }
    kept.sort_by_key(|hit| (hit.start, hit.end, hit.kind));
    kept
}

/// Turns sorted byte hits into code-point findings in one forward walk. `text[from..]` starts at code point `from_chars`.
pub(crate) fn located(text: &str, from: usize, from_chars: usize, hits: Vec<Hit>) -> Vec<Finding> {
    let mut at = (from, from_chars);
    let mut findings = Vec::with_capacity(hits.len());
    for hit in hits {
        at = (hit.start, at.1 + chars_between(text, at.0, hit.start));
        findings.push(Finding {
            kind: hit.kind,
            r#type: hit.r#type,
            start: at.1,
            end: at.1 + chars_between(text, hit.start, hit.end),
            score: hit.score,
            detector: hit.detector,
            mention: types::is_mention_alone(hit.kind, hit.r#type),
            explanation: hit.explanation,
        });
    }
    findings
}

/// Code points in a byte range: every byte that does not continue a character.
pub(crate) fn chars_between(text: &str, start: usize, end: usize) -> usize {
    let bytes = &text.as_bytes()[start..end];
    if bytes.is_ascii() { bytes.len() } else { bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(kind: Kind, start: usize, end: usize, score: f64) -> Hit {
        Hit { kind, r#type: "T", start, end, score, detector: "d", explanation: String::new() }
    }

    fn spans(hits: Vec<Hit>) -> Vec<(usize, usize)> {
        disjoint(hits).iter().map(|hit| (hit.start, hit.end)).collect()
    }

    #[test]
    fn the_better_of_two_overlapping_hits_of_one_kind_stays() {
        assert_eq!(spans(vec![hit(Kind::Pii, 0, 5, 0.4), hit(Kind::Pii, 3, 9, 0.9)]), [(3, 9)]);
        assert_eq!(spans(vec![hit(Kind::Pii, 0, 5, 0.9), hit(Kind::Pii, 3, 9, 0.9)]), [(3, 9)]);
        assert_eq!(spans(vec![hit(Kind::Pii, 0, 9, 0.9), hit(Kind::Pii, 3, 9, 0.9)]), [(0, 9)]);
    }

    #[test]
    fn hits_of_different_kinds_may_overlap() {
        assert_eq!(spans(vec![hit(Kind::Pii, 2, 5, 0.4), hit(Kind::Injection, 0, 9, 0.9)]), [(0, 9), (2, 5)]);
    }

    #[test]
    fn offsets_are_code_points() {
        let found = located("é€😀ab", 0, 0, vec![hit(Kind::Pii, 5, 10, 1.0), hit(Kind::Pii, 10, 11, 1.0)]);
        assert_eq!(found.iter().map(|f| (f.start, f.end)).collect::<Vec<_>>(), [(2, 4), (4, 5)]);
    }
}
