//! Marked stretches of text against labelled ones.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::Decisions;

/// Code points, end exclusive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub r#type: String,
}

/// Over many texts.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SpanTally {
    /// Same start, end and type.
    pub exact: Decisions,
    pub by_type: BTreeMap<String, TypeTally>,
    /// Code points marked, whatever the type.
    pub characters: Decisions,
    pub texts: u64,
    /// Texts without a label, and those of them that were marked.
    pub clean_texts: u64,
    pub clean_texts_marked: u64,
    /// What a label was found as, or `(nothing)`; and what was marked without one, from `(nothing)`.
    #[serde(skip)]
    pub confusions: BTreeMap<(String, String), u64>,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct TypeTally {
    pub exact: Decisions,
}

const NOTHING: &str = "(nothing)";

impl SpanTally {
    pub fn add(&mut self, found: &[Span], labelled: &[Span]) {
        let found: BTreeSet<&Span> = found.iter().collect();
        let labelled: BTreeSet<&Span> = labelled.iter().collect();
        self.texts += 1;
        self.clean_texts += u64::from(labelled.is_empty());
        self.clean_texts_marked += u64::from(labelled.is_empty() && !found.is_empty());
        for span in found.union(&labelled) {
            let (marked, wanted) = (found.contains(span), labelled.contains(span));
            self.exact.add(marked, wanted);
            self.by_type.entry(span.r#type.clone()).or_default().exact.add(marked, wanted);
        }
        self.confuse(&found, &labelled);
        let (found, labelled) = (covered(&found), covered(&labelled));
        for at in found.union(&labelled) {
            self.characters.add(found.contains(at), labelled.contains(at));
        }
    }

    fn confuse(&mut self, found: &BTreeSet<&Span>, labelled: &BTreeSet<&Span>) {
        for span in labelled.difference(found) {
            let instead = found.iter().find(|other| overlap(other, span));
            self.confused(&span.r#type, instead.map_or(NOTHING, |other| &other.r#type));
        }
        for span in found.difference(labelled) {
            if !labelled.iter().any(|other| overlap(other, span)) {
                self.confused(NOTHING, &span.r#type);
            }
        }
    }

    fn confused(&mut self, labelled: &str, found: &str) {
        *self.confusions.entry((labelled.to_owned(), found.to_owned())).or_default() += 1;
    }
}

fn overlap(a: &Span, b: &Span) -> bool {
    a.start < b.end && b.start < a.end
}

fn covered(spans: &BTreeSet<&Span>) -> BTreeSet<usize> {
    spans.iter().flat_map(|span| span.start..span.end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize, r#type: &str) -> Span {
        Span { start, end, r#type: r#type.to_owned() }
    }

    #[test]
    fn only_the_same_place_and_type_is_exact_but_every_character_counts() {
        let mut tally = SpanTally::default();
        tally.add(
            &[span(0, 4, "PERSON"), span(10, 12, "IP"), span(20, 22, "AGE")],
            &[span(0, 5, "PERSON"), span(10, 12, "IP"), span(30, 31, "URL")],
        );
        assert_eq!(tally.exact, Decisions { right: 1, wrong: 2, missed: 2, quiet: 0 });
        assert_eq!(tally.characters, Decisions { right: 6, wrong: 2, missed: 2, quiet: 0 });
        assert_eq!(tally.by_type["IP"].exact, Decisions { right: 1, wrong: 0, missed: 0, quiet: 0 });
        let pairs: Vec<_> = tally.confusions.keys().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(pairs, [("(nothing)", "AGE"), ("PERSON", "PERSON"), ("URL", "(nothing)")]);
    }

    #[test]
    fn a_clean_text_that_is_marked_is_counted() {
        let mut tally = SpanTally::default();
        tally.add(&[], &[]);
        tally.add(&[span(0, 1, "AGE")], &[]);
        tally.add(&[], &[span(0, 1, "AGE")]);
        assert_eq!((tally.texts, tally.clean_texts, tally.clean_texts_marked), (3, 2, 1));
    }
}
