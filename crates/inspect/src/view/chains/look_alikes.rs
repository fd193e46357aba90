//! Restores numbers in which letters replace digits that they resemble: `4l11 …`, `536-22-8l47`.

use super::{GROUP_MAX, JoinedChain, digits_at};
use crate::pii::is_card;

/// Matches a card or social security number with such letters. `digit` is the offset of a run of digits next to such a
/// letter.
pub(super) fn letters_for_digits(text: &str, digit: usize) -> Option<JoinedChain> {
    /// The offsets of later groups from the start of the number.
    const LATER_GROUPS: [usize; 7] = [0, 4, 5, 7, 10, 12, 15];
    const FORMS: [&[usize]; 5] = [&[16], &[15], &[4, 4, 4, 4], &[4, 6, 5], &[3, 2, 4]];
    let bytes = text.as_bytes();
    let is_letter = |byte: Option<&u8>| byte.is_some_and(|byte| alike(*byte).is_some());
    let end = digit + digits_at(bytes, digit).min(GROUP_MAX);
    if !is_letter(digit.checked_sub(1).and_then(|before| bytes.get(before))) && !is_letter(bytes.get(end)) {
        return None;
    }
    let is_part = |byte: &u8| byte.is_ascii_digit() || alike(*byte).is_some();
    let before = bytes[..digit].iter().rev().take(GROUP_MAX).take_while(|byte| is_part(byte)).count();
    // The letter may be in a later group.
    let mut starts = LATER_GROUPS.iter().filter_map(|earlier| (digit - before).checked_sub(*earlier));
    starts.find_map(|start| FORMS.iter().find_map(|lengths| lettered(text, start, lengths)))
}

fn lettered(text: &str, start: usize, lengths: &[usize]) -> Option<JoinedChain> {
    let bytes = text.as_bytes();
    let is_outside = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    if !is_outside(start.checked_sub(1).and_then(|before| bytes.get(before))) {
        return None;
    }
    let mut plain = String::new();
    let mut at = start;
    let mut letters = 0;
    for &length in lengths {
        if at > start {
            plain.push(char::from(*bytes.get(at).filter(|byte| matches!(byte, b' ' | b'-'))?));
            at += 1;
        }
        for byte in bytes.get(at..at + length)? {
            letters += usize::from(!byte.is_ascii_digit());
            plain.push(char::from(if byte.is_ascii_digit() { *byte } else { alike(*byte)? }));
        }
        at += length;
    }
    let digits: Vec<u8> = plain.bytes().filter(u8::is_ascii_digit).collect();
    let is_one = match lengths {
        [3, 2, 4] => !plain.contains(' ') && digits.len() > 3 * letters,
        _ => digits.len() >= 2 * letters && is_card(&digits),
    };
    (letters > 0 && is_one && is_outside(bytes.get(at))).then_some((start..at, plain))
}

/// The digit that a letter resembles.
fn alike(letter: u8) -> Option<u8> {
    match letter {
        b'O' | b'o' => Some(b'0'),
        b'I' | b'l' | b'i' => Some(b'1'),
        b'Z' => Some(b'2'),
        b'S' => Some(b'5'),
        b'B' => Some(b'8'),
        _ => None,
    }
}
