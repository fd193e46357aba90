//! Finds MAC addresses: six pairs of hexadecimal digits, separated by colons or dashes.

use super::hit;
use crate::context::word_starts;
use crate::finding::Hit;

const LENGTH: usize = 17;

/// `joint` is the offset of any colon or dash; only the first one of an address is examined further.
pub(super) fn at(text: &str, joint: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let start = joint.checked_sub(2)?;
    let written = bytes.get(start..start + LENGTH)?;
    let separator = bytes[joint];
    let formed = written.iter().enumerate().all(|(place, byte)| match place % 3 {
        2 => *byte == separator,
        _ => byte.is_ascii_hexdigit(),
    });
    if !formed || !begins(text, start) || !ends(bytes, start + LENGTH) {
        return None;
    }
    // Pairs of decimal digits with dashes are a different kind of number.
    if separator == b'-' && !written.iter().any(u8::is_ascii_alphabetic) {
        return None;
    }
    let is_one_digit = written.iter().all(|byte| *byte == separator || *byte == written[0]);
    let score = if is_one_digit { 0.2 } else { 0.7 };
    Some(hit("MAC", "pii/mac", start..start + LENGTH, score, "six pairs of hexadecimal digits".into()))
}

fn begins(text: &str, start: usize) -> bool {
    let joined = start.checked_sub(1).is_some_and(|at| matches!(text.as_bytes()[at], b':' | b'-'));
    word_starts(text, start) && !joined
}

fn ends(bytes: &[u8], end: usize) -> bool {
    bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b':' | b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn a_mac_address_is_found() {
        check("00:1A:2b:3c:4d:5e", &[("MAC", "00:1A:2b:3c:4d:5e")]);
        check("(00-1a-2b-3c-4d-5e)", &[("MAC", "00-1a-2b-3c-4d-5e")]);
    }

    #[test]
    fn other_pairs_are_not_mac_addresses() {
        check("10:20:30 and 00:1A:2b:3c:4d:5e:6f and 12-34-56-78-90-12 and 00:1A-2b:3c:4d:5e", &[]);
        check_uncertain("ff:ff:ff:ff:ff:ff", &[("MAC", "ff:ff:ff:ff:ff:ff")]);
    }
}
