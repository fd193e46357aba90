//! Numbers in groups that no form prints them in: `4111/1111/1111/1111`, `4 1 1 1 …`, `078_05_1120`. Detectors read numbers as people
//! write them, so such a chain is joined, or given the dashes that its kind has.

use std::ops::Range;

use super::map::{Map, Rewrite};
use crate::pii::names_card;

/// Of a payment card.
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
const GROUP_MAX: usize = 15;
const SEPARATOR_BYTES_MAX: usize = 6;
const IBAN_CHARS: std::ops::RangeInclusive<usize> = 15..=34;

/// `None` where no chain had to be rewritten.
pub(super) fn joined(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut at = 0;
    while let Some(skipped) = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        at += skipped;
        let chain = chain_at(text, at).or_else(|| iban_at(text, at));
        match chain.and_then(|chain| chain.plain(text).map(|plain| (chain.range(), plain))) {
            Some((range, plain)) => {
                at = range.end;
                rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(range, &plain);
            }
            None => at += digits_at(bytes, at),
        }
    }
    rewrite.map(Rewrite::finish)
}

/// Groups with something between them.
struct Chain {
    groups: Vec<Range<usize>>,
    /// The same between all groups.
    separator: Option<Range<usize>>,
    kind: Kind,
}

#[derive(PartialEq)]
enum Kind {
    Digits,
    Iban,
}

/// The chain of digit groups that starts at `start`, unless an earlier group belongs to it.
fn chain_at(text: &str, start: usize) -> Option<Chain> {
    let bytes = text.as_bytes();
    if start > 0 && bytes[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let first = start..start + digits_at(bytes, start);
    let separator = separator_at(text, first.end)?;
    if first.len() > GROUP_MAX || follows(bytes, start, &bytes[separator.clone()]) {
        return as_on_a_card(text, start);
    }
    let mut groups = vec![first];
    let mut digits = groups[0].len();
    while let Some(next) = next_group(bytes, groups.last()?.end, &bytes[separator.clone()]) {
        digits += next.len();
        if digits > *CARD_DIGITS.end() {
            return as_on_a_card(text, start);
        }
        groups.push(next);
    }
    let is_alone = bytes.get(groups.last()?.end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let chain = Chain { groups, separator: Some(separator), kind: Kind::Digits };
    (is_alone && chain.plain(text).is_some()).then_some(chain).or_else(|| as_on_a_card(text, start))
}

/// Groups as they are printed on a card, whatever stands between them.
fn as_on_a_card(text: &str, start: usize) -> Option<Chain> {
    let bytes = text.as_bytes();
    let mut groups = Vec::with_capacity(4);
    let mut at = start;
    let mut is_plain = true;
    for length in [4, 4, 4, 4] {
        if !groups.is_empty() {
            let separator = separator_at(text, at).or_else(|| line_end_at(text, at, start))?;
            is_plain &= is_ordinary(&bytes[separator.clone()]);
            at = separator.end;
        }
        (digits_at(bytes, at) == length).then_some(())?;
        groups.push(at..at + length);
        at += length;
    }
    let is_alone = bytes.get(at).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    (is_alone && !is_plain).then_some(Chain { groups, separator: None, kind: Kind::Digits })
}

/// An account number whose groups are joined by something odd. `digit` is its first check digit.
fn iban_at(text: &str, digit: usize) -> Option<Chain> {
    let bytes = text.as_bytes();
    let start = digit.checked_sub(2)?;
    let starts = bytes.get(start..digit)?.iter().all(u8::is_ascii_alphabetic)
        && bytes.get(digit + 1).is_some_and(u8::is_ascii_digit)
        && (start == 0 || !bytes[start - 1].is_ascii_alphanumeric());
    if !starts {
        return None;
    }
    let group = |from: usize| bytes[from..].iter().take(9).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let first = start..start + group(start);
    let separator = separator_at(text, first.end)?;
    let mut groups = vec![first];
    let mut length = groups[0].len();
    loop {
        let end = groups.last()?.end;
        let written = &bytes[separator.clone()];
        let from = end + written.len();
        if bytes.get(end..from) != Some(written) || group(from) == 0 || length > *IBAN_CHARS.end() {
            break;
        }
        groups.push(from..from + group(from));
        length += group(from);
    }
    Some(Chain { groups, separator: Some(separator), kind: Kind::Iban })
}

impl Chain {
    fn range(&self) -> Range<usize> {
        let start = self.groups.first().map_or(0, |group| group.start);
        start..self.groups.last().map_or(start, |group| group.end)
    }

    /// As a detector reads it; `None` where it is nothing that a detector looks for, or plain already.
    fn plain(&self, text: &str) -> Option<String> {
        let length: usize = self.groups.iter().map(Range::len).sum();
        let written = self.separator.as_ref().map(|separator| &text.as_bytes()[separator.clone()]);
        let is_odd = written.is_none_or(|separator| !is_ordinary(separator) && !is_of_lists(separator));
        let lengths: Vec<usize> = self.groups.iter().map(Range::len).collect();
        let between = match (&self.kind, lengths.as_slice()) {
            (Kind::Iban, _) if is_odd && IBAN_CHARS.contains(&length) => "",
            (Kind::Digits, [3, 2, 4]) if is_odd => "-",
            (Kind::Digits, _) if is_odd && CARD_DIGITS.contains(&length) => "",
            (Kind::Digits, [first, rest @ ..]) if CARD_DIGITS.contains(&length) => {
                // In rows of equal groups, as nobody lists numbers, or called a card.
                let is_even = matches!(first, 1 | 2 | 8) && rest.iter().all(|length| length == first);
                let is_called_card = || !is_printed(&lengths) && names_card(text, self.range().start);
                (length >= 15 && (is_even || is_called_card())).then_some("")?
            }
            _ => return None,
        };
        let groups: Vec<&str> = self.groups.iter().map(|group| &text[group.clone()]).collect();
        // An underscore would make the number part of a word.
        let range = self.range();
        let blank = |is_joined: bool| if is_joined { " " } else { "" };
        let (before, after) = (blank(text[..range.start].ends_with('_')), blank(text[range.end..].starts_with('_')));
        Some(format!("{before}{}{after}", groups.join(between)))
    }
}

/// The groups that detectors know.
fn is_printed(lengths: &[usize]) -> bool {
    matches!(lengths, [4, 4, 4, 4, ..] | [4, 6, 5] | [4, 6, 4] | [4, 4, 5])
}

fn digits_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// What stands between two groups: a few characters that are no letters or digits, in one line.
fn separator_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let is_separator = |letter: &char| !letter.is_alphanumeric() && !matches!(letter, '\n' | '\r');
    let length: usize = rest.chars().take(SEPARATOR_BYTES_MAX).take_while(is_separator).map(char::len_utf8).sum();
    (1..=SEPARATOR_BYTES_MAX).contains(&length).then_some(at..at + length)
}

/// The end of a line between two groups of what is called a card.
fn line_end_at(text: &str, at: usize, start: usize) -> Option<Range<usize>> {
    let length = text.get(at..)?.chars().take(3).take_while(char::is_ascii_whitespace).count();
    (length > 0 && names_card(text, start)).then_some(at..at + length)
}

/// Whether a group of digits and the same separator stand right before.
fn follows(bytes: &[u8], start: usize, separator: &[u8]) -> bool {
    let before = bytes.get(..start).unwrap_or_default();
    before.strip_suffix(separator).and_then(<[u8]>::last).is_some_and(u8::is_ascii_digit)
}

fn next_group(bytes: &[u8], end: usize, separator: &[u8]) -> Option<Range<usize>> {
    let from = end + separator.len();
    let length = digits_at(bytes, from);
    (bytes.get(end..from) == Some(separator) && (1..=GROUP_MAX).contains(&length)).then_some(from..from + length)
}

/// What detectors know between groups.
fn is_ordinary(separator: &[u8]) -> bool {
    matches!(separator, b" " | b"-" | b".")
}

/// What stands between the numbers of a list or a table.
fn is_of_lists(separator: &[u8]) -> bool {
    separator.iter().all(|byte| matches!(byte, b' ' | b'\t' | b',' | b';' | b'|'))
}
