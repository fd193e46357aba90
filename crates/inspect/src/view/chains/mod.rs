//! Rewrites numbers with unusual separators between their groups: `4111/1111/1111/1111`, `4 1 1 1 …`, `078_05_1120`,
//! one group per line. Detectors expect numbers in their usual form, so such a chain is joined, or given the usual
//! dashes of its kind.
//!
//! Columns and lists of numbers look the same. If spaces, commas, bars or line breaks separate the groups, a chain is
//! joined only if its check digit is valid or a context word names it.
//!
//! | file             | joins                                                                                  |
//! |------------------|----------------------------------------------------------------------------------------|
//! | `mod.rs`         | groups of digits: cards, phone numbers and social security numbers                     |
//! | `groups.rs`      | decides what a chain of groups is, by its separators, lengths and check digit          |
//! | `iban.rs`        | account numbers, whose groups have letters too                                         |
//! | `look_alikes.rs` | numbers in which letters replace digits                                                |

mod groups;
mod iban;
mod look_alikes;

use std::ops::Range;

use groups::{CARD_DIGITS, CARD_GROUPS, DigitChain, ORDINARY_CARD_DIGITS_MIN, Separator, is_north_american};

use super::map::{Map, Rewrite};
use crate::context::find_class;
use crate::pii::{is_card, names_card, names_ssn};

const GROUP_MAX: usize = 15;
const SEPARATOR_BYTES_MAX: usize = 6;
/// The maximum length of spaces and line breaks between groups, and of the marks around a chain on its lines.
const BLANK_BYTES_MAX: usize = 48;
const LINE_MARKS_MAX: usize = 4;
/// Fewer digits are a time, a date, an amount or a version, whatever the separators.
const CHAIN_DIGITS_MIN: usize = 6;
const CARD_GROUPS_MAX: usize = 5;
const SPELT_DOT: &str = " dot ";

/// Returns `None` if no chain had to be rewritten.
pub(super) fn joined(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let (mut at, mut read) = (0, 0);
    while let Some(found) = find_class(bytes, at, &DIGITS) {
        at = found;
        let chain = iban::iban_at(text, at)
            .or_else(|| chain_at(text, at))
            .or_else(|| look_alikes::letters_for_digits(text, at));
        match chain.filter(|(range, _)| range.start >= read) {
            Some((range, plain)) => {
                at = range.end;
                read = range.end;
                rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(range, &plain);
            }
            None => at += digits_at(bytes, at),
        }
    }
    rewrite.map(Rewrite::finish)
}

const DIGITS: [bool; 256] = {
    let mut table = [false; 256];
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = true;
        digit += 1;
    }
    table
};

/// The range of a chain, and its form for detectors.
type JoinedChain = (Range<usize>, String);

/// The chain of digit groups that starts at `start`, unless it continues an earlier group.
fn chain_at(text: &str, start: usize) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    if start > 0 && bytes[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let first = start..start + digits_at(bytes, start);
    if ends_in_word(bytes, first.end) {
        return None;
    }
    let separator = separator_at(text, first.end).filter(|_| first.len() <= GROUP_MAX)?;
    if !bytes.get(separator.end).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let second = separator.end;
    equally_joined(text, first.clone(), separator)
        .or_else(|| as_on_a_card(text, first.clone(), second))
        .or_else(|| as_ssn(text, first, second))
        .or_else(|| area_in_parentheses(text, start))
}

/// Whether a word follows after a few marks, as after most numbers. A word with `d` may be a spelt-out dot.
fn ends_in_word(bytes: &[u8], end: usize) -> bool {
    let rest = bytes.get(end..).unwrap_or_default();
    let after = rest.iter().take(SEPARATOR_BYTES_MAX).find(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    after.is_some_and(|byte| byte.is_ascii_alphabetic() && !matches!(byte, b'd' | b'D'))
}

/// Matches groups with the same separator between all of them.
fn equally_joined(text: &str, first: Range<usize>, separator: Range<usize>) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    let written = &bytes[separator];
    if follows(bytes, first.start, written) {
        return None;
    }
    // Most chains are ordinary phone numbers and dates; they are rejected before anything is allocated.
    let (mut digits, mut count, mut end) = (first.len(), 1, first.end);
    while let Some(next) = next_group(bytes, end, written) {
        digits += next.len();
        if digits > *CARD_DIGITS.end() {
            return None;
        }
        (count, end) = (count + 1, next.end);
    }
    let is_spelt = count == digits;
    let may_be_fours = first.len() == 4 && count == 4;
    if digits < CHAIN_DIGITS_MIN
        || digits < ORDINARY_CARD_DIGITS_MIN
            && !is_spelt
            && !may_be_fours
            && Separator::of(written) == Separator::Ordinary
    {
        return None;
    }
    let mut groups = Vec::with_capacity(count);
    groups.push(first);
    while let Some(next) = next_group(bytes, groups.last()?.end, written) {
        groups.push(next);
    }
    let is_alone = bytes.get(groups.last()?.end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let chain = DigitChain { text, groups, written };
    is_alone.then(|| chain.plain().map(|plain| (chain.range(), chain.spaced_from_words(&plain))))?
}

/// Matches a social security number with two kinds of separators, or with one missing: `536-22 8147`, `536-228147`. The
/// latter needs a context word.
fn as_ssn(text: &str, first: Range<usize>, second: usize) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    let second = second..second + digits_at(bytes, second);
    let (third, is_mixed) = match (first.len(), second.len()) {
        (3, 2) => {
            let gap = separator_at(text, second.end)?;
            let is_mark = |gap: &[u8]| matches!(gap, b" " | b"-" | b"." | b"/" | b"_");
            let (one, other) = (&bytes[first.end..second.start], &bytes[gap.clone()]);
            if one == other {
                return None;
            }
            let is_mixed = is_mark(one) && is_mark(other) && (one == b"-" || other == b"-");
            (gap.end..gap.end + digits_at(bytes, gap.end), is_mixed)
        }
        (3, 6) | (5, 4) => (second.end..second.end, false),
        _ => return None,
    };
    let digits: String = [first.clone(), second, third.clone()].map(|group| &text[group]).concat();
    let is_alone = bytes.get(third.end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let is_one = digits.len() == 9 && is_alone && (is_mixed || names_ssn(text, first.start));
    is_one.then(|| (first.start..third.end, format!("{}-{}-{}", &digits[..3], &digits[3..5], &digits[5..])))
}

/// Matches a North American number with its area code in parentheses and one group per line.
fn area_in_parentheses(text: &str, start: usize) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    let rest = text.get(start + 3..)?.strip_prefix(')').filter(|rest| rest.starts_with(['\n', '\r']))?;
    let mut at = text.len() - rest.len();
    let area = start..start + 3;
    let mut groups = vec![area];
    for length in [3, 4] {
        at = separator_at(text, at)?.end;
        (digits_at(bytes, at) == length).then(|| groups.push(at..at + length))?;
        at += length;
    }
    let chain = DigitChain { text, groups, written: b"" };
    let is_one = is_north_american(&chain.digits()) && bytes.get(at).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    is_one.then(|| (chain.range(), chain.joined_by("-")))
}

/// Matches groups as printed on a card, with any separators. `second` is the start of the second group.
fn as_on_a_card(text: &str, first: Range<usize>, second: usize) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    if first.len() != 4 || !matches!(digits_at(bytes, second), 4 | 6) {
        return None;
    }
    let mut groups = Vec::with_capacity(CARD_GROUPS_MAX);
    groups.push(first);
    let mut at = second;
    while groups.len() < CARD_GROUPS_MAX {
        let group = at..at + digits_at(bytes, at);
        if !(3..=6).contains(&group.len()) {
            break;
        }
        let next = separator_at(text, group.end);
        groups.push(group);
        let Some(next) = next else { break };
        at = next.end;
    }
    CARD_GROUPS.iter().find_map(|lengths| {
        let printed = groups.get(..lengths.len())?;
        let has_lengths = printed.iter().zip(*lengths).all(|(group, length)| group.len() == *length);
        has_lengths.then(|| printed_groups(text, printed))?
    })
}

fn printed_groups(text: &str, groups: &[Range<usize>]) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    let chain = DigitChain { text, groups: groups.to_vec(), written: b"" };
    let Range { start, end } = chain.range();
    let is_alone = bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if !is_alone || !is_card(&chain.digits()) {
        return None;
    }
    let separators = || groups.windows(2).map(|two| &bytes[two[0].end..two[1].start]);
    let kinds = || separators().map(Separator::of);
    let is_plain = separators().skip(1).all(|written| Some(written) == separators().next())
        && kinds().all(|kind| kind == Separator::Ordinary);
    let may_be_list = kinds().any(Separator::is_between_numbers);
    let is_one = !is_plain && (!may_be_list || names_card(text, start));
    is_one.then(|| (start..end, chain.spaced_from_words(&chain.joined_by(""))))
}

fn digits_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The separator between two groups: a few characters that are not letters or digits, spaces and line breaks, or the
/// word "dot".
fn separator_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let (mut length, mut marks, mut breaks) = (0, 0, 0);
    for letter in rest.chars() {
        match letter {
            ' ' | '\t' => {}
            '\n' | '\r' => breaks += 1,
            _ if letter.is_alphanumeric() => break,
            _ => marks += letter.len_utf8(),
        }
        length += letter.len_utf8();
        if length > BLANK_BYTES_MAX || marks > SEPARATOR_BYTES_MAX {
            return None;
        }
    }
    let is_spelt = length == 1 && rest.get(..SPELT_DOT.len()).is_some_and(|dot| dot.eq_ignore_ascii_case(SPELT_DOT));
    if is_spelt {
        return Some(at..at + SPELT_DOT.len());
    }
    let is_short = match breaks {
        0 => length <= SEPARATOR_BYTES_MAX || marks == 0,
        _ => marks <= LINE_MARKS_MAX,
    };
    (length > 0 && is_short).then_some(at..at + length)
}

/// Whether a digit and the same separator directly precede this.
fn follows(bytes: &[u8], start: usize, separator: &[u8]) -> bool {
    let before = bytes.get(..start).unwrap_or_default();
    before.strip_suffix(separator).and_then(<[u8]>::last).is_some_and(u8::is_ascii_digit)
}

fn next_group(bytes: &[u8], end: usize, separator: &[u8]) -> Option<Range<usize>> {
    let from = end + separator.len();
    let length = digits_at(bytes, from);
    (bytes.get(end..from) == Some(separator) && (1..=GROUP_MAX).contains(&length)).then_some(from..from + length)
}
