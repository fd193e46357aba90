//! Spans of a text that must be masked, and the masked text.

use std::ops::Range;

/// A span of a text that must be masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MaskedSpan {
    pub(super) range: Range<usize>,
    /// The mask, without the brackets.
    pub(super) mask: &'static str,
}

pub(super) const NAME: &str = "NAME";
/// A part of an id that could identify a person.
pub(super) const ID: &str = "ID";
/// A city that is on no list.
pub(super) const CITY: &str = "CITY";
pub(super) const AGE: &str = "AGE";
pub(super) const ADDRESS: &str = "ADDRESS";
pub(super) const NUMBER: &str = "NUMBER";
pub(super) const DATE: &str = "DATE";
pub(super) const DATE_OF_BIRTH: &str = "DATE_OF_BIRTH";
/// Text that the inspectors can't read.
pub(super) const TEXT: &str = "TEXT";

impl MaskedSpan {
    pub(super) fn new(range: Range<usize>, mask: &'static str) -> Self {
        Self { range, mask }
    }
}

/// The first `chars_max` characters of `text` with each span replaced by its mask. Overlapping spans are joined under the mask
/// of the longest. Spans with the same mask are also joined if only a few blanks or punctuation marks separate them.
pub(super) fn masked(text: &str, mut spans: Vec<MaskedSpan>, chars_max: usize) -> String {
    let shown_end = text.char_indices().nth(chars_max).map_or(text.len(), |(at, _)| at);
    spans.retain(|span| span.range.start < span.range.end);
    spans.sort_by_key(|span| (span.range.start, span.range.end));
    let mut joined: Vec<(MaskedSpan, usize)> = Vec::with_capacity(spans.len());
    for span in spans {
        let len = span.range.len();
        match joined.last_mut() {
            Some((last, longest)) if span.range.start < last.range.end || touches(text, last, &span) => {
                if len > *longest {
                    (last.mask, *longest) = (span.mask, len);
                }
                last.range.end = last.range.end.max(span.range.end);
            }
            _ => joined.push((span, len)),
        }
    }
    let mut shown = String::with_capacity(shown_end);
    let mut at = 0;
    for (span, _) in joined {
        if span.range.start >= shown_end {
            break;
        }
        shown.push_str(&text[at..span.range.start]);
        shown.push('[');
        shown.push_str(span.mask);
        shown.push(']');
        at = span.range.end;
    }
    if at < shown_end {
        shown.push_str(&text[at..shown_end]);
    }
    if shown_end < text.len() {
        shown.push('…');
    }
    shown
}

/// Whether two spans have the same mask, and between them at most three bytes without letters and digits.
fn touches(text: &str, last: &MaskedSpan, next: &MaskedSpan) -> bool {
    let gap = text.get(last.range.end..next.range.start);
    last.mask == next.mask && gap.is_some_and(|gap| gap.len() <= 3 && !gap.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(spans: &[(Range<usize>, &'static str)], chars_max: usize, expected: &str) {
        let spans = spans.iter().map(|(range, mask)| MaskedSpan::new(range.clone(), mask)).collect();
        assert_eq!(masked("paid to Ann Roe, 5 Elm Street", spans, chars_max), expected);
    }

    #[test]
    fn spans_are_replaced_and_overlapping_ones_become_one() {
        check(&[], 99, "paid to Ann Roe, 5 Elm Street");
        check(&[(8..11, NAME), (12..15, NAME), (17..29, ADDRESS)], 99, "paid to [NAME], [ADDRESS]");
        check(&[(8..15, NAME), (12..29, ADDRESS)], 99, "paid to [ADDRESS]");
        check(&[(12..12, NAME)], 99, "paid to Ann Roe, 5 Elm Street");
    }

    #[test]
    fn a_cut_never_shows_a_part_of_a_span() {
        check(&[(8..15, NAME)], 10, "paid to [NAME]…");
        check(&[(8..15, NAME)], 8, "paid to …");
        check(&[], 4, "paid…");
    }
}
