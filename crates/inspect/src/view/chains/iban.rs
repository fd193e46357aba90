//! Joins account numbers (IBAN) with unusual separators between their groups or characters.

use super::{JoinedChain, separator_at};
use crate::pii::{iban_length, is_iban};

const IBAN_GROUP_MAX: usize = 30;
/// The minimum number of digits after the check digits in any country's account numbers, so that words are not mistaken
/// for one.
const IBAN_DIGITS_MIN: usize = 10;

/// Matches an account number with unusual separators. `digit` is the offset of its first check digit.
pub(super) fn iban_at(text: &str, digit: usize) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    let start = country_before(text, digit)?;
    let is_spelt = digit - start > 2;
    let country = [bytes[start], bytes[start + 1 + if is_spelt { (digit - start) / 2 - 1 } else { 0 }]];
    let length = iban_length(country)?;
    let mut plain = String::with_capacity(length);
    let mut at = start;
    let (mut is_plain, mut is_fours) = (true, true);
    let mut separators: Option<&[u8]> = None;
    let mut is_equal = true;
    loop {
        let group = bytes[at..].iter().take(IBAN_GROUP_MAX).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if is_spelt && group > 1 || plain.len() + group > length {
            return None;
        }
        plain.push_str(&text[at..at + group]);
        at += group;
        if plain.len() == length {
            break;
        }
        let separator = separator_at(text, at)?;
        let written = &bytes[separator.clone()];
        is_equal &= *separators.get_or_insert(written) == written;
        is_fours &= group == 4;
        is_plain &= group == 4 && matches!(written, b" " | b"-");
        at = separator.end;
        bytes.get(at).filter(|byte| byte.is_ascii_alphanumeric())?;
    }
    let has_digits = plain.bytes().skip(4).filter(u8::is_ascii_digit).count() >= IBAN_DIGITS_MIN;
    let has_unusual_separators = !is_plain && at - start > length && (is_equal || is_fours) && has_digits;
    // A dash and more letters or digits follow: this is a UUID.
    let ends = match bytes.get(at..) {
        Some([b'-', next, ..] | [next, ..]) => !next.is_ascii_alphanumeric(),
        _ => true,
    };
    (has_unusual_separators && ends && is_iban(plain.as_bytes())).then_some((start..at, plain))
}

/// The start of the two-letter country code before a digit: `DE` before `89`, or `D-E-` before `8-9`.
fn country_before(text: &str, digit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let starts = |start: usize| start == 0 || !bytes[start - 1].is_ascii_alphanumeric();
    let last = *bytes.get(digit.checked_sub(1)?)?;
    if last.is_ascii_alphabetic() {
        let start = digit.checked_sub(2)?;
        let is_one = bytes[start].is_ascii_alphabetic() && bytes.get(digit + 1).is_some_and(u8::is_ascii_digit);
        return (is_one && starts(start)).then_some(start);
    }
    if last.is_ascii_digit() || bytes.get(digit + 1).is_none_or(u8::is_ascii_alphanumeric) {
        return None;
    }
    let marks = bytes[..digit].iter().rev().take(9).position(u8::is_ascii_alphanumeric)?;
    let start = digit.checked_sub(2 * (marks + 1))?;
    let second = digit - marks - 1;
    let is_one = bytes[start].is_ascii_alphabetic()
        && bytes[second].is_ascii_alphabetic()
        && bytes[start + 1..second] == bytes[second + 1..digit];
    (is_one && starts(start)).then_some(start)
}
