//! Marked spans of text compared with labelled ones.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::ConfusionMatrix;

/// A span of text with its type, in code points; the end is exclusive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypedSpan {
    pub start: usize,
    pub end: usize,
    pub r#type: String,
}

/// Totals over many texts.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SpanTally {
    /// Same start, end and type.
    pub exact: ConfusionMatrix,
    pub by_type: BTreeMap<String, TypeTally>,
    /// By code point, regardless of type.
    pub characters: ConfusionMatrix,
    pub texts: u64,
    /// Texts without a label, and how many of them were marked anyway.
    pub clean_texts: u64,
    pub clean_texts_marked: u64,
    /// Counts by labelled type and marked type. `(nothing)` stands for a missed label or for a mark without a label.
    #[serde(skip)]
    pub confusions: BTreeMap<(String, String), u64>,
}

/// Totals of one type.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct TypeTally {
    pub exact: ConfusionMatrix,
}

/// Stands for a missing type in [`SpanTally::confusions`].
const NOTHING: &str = "(nothing)";

impl SpanTally {
    pub fn add(&mut self, found: &[TypedSpan], labelled: &[TypedSpan]) {
        let found: BTreeSet<&TypedSpan> = found.iter().collect();
        let labelled: BTreeSet<&TypedSpan> = labelled.iter().collect();
        self.texts += 1;
        self.clean_texts += u64::from(labelled.is_empty());
        self.clean_texts_marked += u64::from(labelled.is_empty() && !found.is_empty());
        for span in found.union(&labelled) {
            let (marked, wanted) = (found.contains(span), labelled.contains(span));
            self.exact.add(marked, wanted);
            self.by_type.entry(span.r#type.clone()).or_default().exact.add(marked, wanted);
        }
        self.count_confusions(&found, &labelled);
        let (found, labelled) = (covered(&found), covered(&labelled));
        for at in found.union(&labelled) {
            self.characters.add(found.contains(at), labelled.contains(at));
        }
    }

    fn count_confusions(&mut self, found: &BTreeSet<&TypedSpan>, labelled: &BTreeSet<&TypedSpan>) {
        for span in labelled.difference(found) {
            let instead = found.iter().find(|other| overlap(other, span));
            self.count_confusion(&span.r#type, instead.map_or(NOTHING, |other| &other.r#type));
        }
        for span in found.difference(labelled) {
            if !labelled.iter().any(|other| overlap(other, span)) {
                self.count_confusion(NOTHING, &span.r#type);
            }
        }
    }

    fn count_confusion(&mut self, labelled: &str, found: &str) {
        *self.confusions.entry((labelled.to_owned(), found.to_owned())).or_default() += 1;
    }
}

fn overlap(a: &TypedSpan, b: &TypedSpan) -> bool {
    a.start < b.end && b.start < a.end
}

fn covered(spans: &BTreeSet<&TypedSpan>) -> BTreeSet<usize> {
    spans.iter().flat_map(|span| span.start..span.end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize, r#type: &str) -> TypedSpan {
        TypedSpan { start, end, r#type: r#type.to_owned() }
    }

    #[test]
    fn an_exact_match_needs_the_same_range_and_type_and_every_character_is_counted() {
        let mut tally = SpanTally::default();
        tally.add(
            &[span(0, 4, "PERSON"), span(10, 12, "IP"), span(20, 22, "AGE")],
            &[span(0, 5, "PERSON"), span(10, 12, "IP"), span(30, 31, "URL")],
        );
        assert_eq!(
            tally.exact,
            ConfusionMatrix { true_positives: 1, false_positives: 2, false_negatives: 2, true_negatives: 0 }
        );
        assert_eq!(
            tally.characters,
            ConfusionMatrix { true_positives: 6, false_positives: 2, false_negatives: 2, true_negatives: 0 }
        );
        assert_eq!(
            tally.by_type["IP"].exact,
            ConfusionMatrix { true_positives: 1, false_positives: 0, false_negatives: 0, true_negatives: 0 }
        );
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
