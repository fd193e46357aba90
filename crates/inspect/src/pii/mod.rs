//! What identifies a person or opens a door: contact data, account numbers, network addresses, secrets.
//!
//! A number that fails its checksum is no PII. Names, places and dates are not looked for here.

mod assignment;
mod card;
mod email;
mod iban;
mod ip;
mod mac;
pub(crate) mod names;
mod phone;
mod private_key;
mod secret;
mod ssn;
mod url;

use std::ops::Range;

use crate::context::char_before;
use crate::finding::{Hit, Kind};
use crate::scan::Anchor;

/// The detectors that start from a literal.
pub(crate) fn anchors() -> Vec<Anchor> {
    [secret::anchors(), private_key::anchors(), assignment::anchors(), url::anchors()].into_iter().flatten().collect()
}

/// The detectors that start from a kind of byte: digits, `@`, `:` and `-`.
pub(crate) fn by_byte(text: &str, hits: &mut Vec<Hit>) {
    let bytes = text.as_bytes();
    let mut in_number = false;
    for (at, &byte) in bytes.iter().enumerate() {
        if !INTERESTING[usize::from(byte)] {
            in_number = false;
            continue;
        }
        match byte {
            b'@' => hits.extend(email::at(text, at)),
            b':' => hits.extend(mac::at(text, at).or_else(|| ip::v6_at(text, at))),
            b'-' => hits.extend(mac::at(text, at)),
            _ if !in_number => number_at(text, at, hits),
            _ => {}
        }
        in_number = byte.is_ascii_digit();
    }
}

const INTERESTING: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'0';
    while byte <= b'9' {
        table[byte as usize] = true;
        byte += 1;
    }
    table[b'@' as usize] = true;
    table[b':' as usize] = true;
    table[b'-' as usize] = true;
    table
};

/// `at` is the first digit of a number.
fn number_at(text: &str, at: usize, hits: &mut Vec<Hit>) {
    if at > 0 && text.as_bytes()[at - 1].is_ascii_alphabetic() {
        hits.extend(iban::at(text, at));
        return;
    }
    hits.extend(phone::at(text, at));
    if stands_alone(text, at) {
        hits.extend(card::at(text, at));
        hits.extend(ssn::at(text, at));
        hits.extend(ip::v4_at(text, at));
    }
}

/// Whether a number starts here, rather than goes on from an earlier part of an identifier or a decimal.
fn stands_alone(text: &str, at: usize) -> bool {
    match char_before(text, at) {
        None => true,
        Some(letter) if letter.is_alphanumeric() || letter == '_' => false,
        Some('-' | '.' | '/' | '+' | ',') => char_before(text, at - 1).is_none_or(|letter| !letter.is_alphanumeric()),
        Some(_) => true,
    }
}

/// Whether nothing goes on directly after `end`: no letter or digit, and no joint followed by one.
fn ends_alone(bytes: &[u8], end: usize) -> bool {
    match bytes.get(end) {
        None => true,
        Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'_' => false,
        Some(b'-' | b'.' | b'/') => bytes.get(end + 1).is_none_or(|next| !next.is_ascii_digit()),
        Some(_) => true,
    }
}

fn hit(r#type: &'static str, detector: &'static str, range: Range<usize>, score: f64, explanation: String) -> Hit {
    Hit { kind: Kind::Pii, r#type, start: range.start, end: range.end, score, detector, explanation }
}

/// Enough different characters, and both letters and digits: no word, no placeholder.
fn looks_random(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    for &byte in value {
        seen[usize::from(byte)] = true;
    }
    let different = seen.iter().filter(|&&seen| seen).count();
    different >= 8 && value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_alphabetic)
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{Kind, inspect};

    /// The PII of a text with a score of at least 0.5: type and matched text.
    pub(crate) fn check(text: &str, expected: &[(&str, &str)]) {
        assert_eq!(matches(text, |score| score >= 0.5), owned(expected), "{text}");
    }

    /// The PII of a text that was seen but is too uncertain to count.
    pub(crate) fn check_uncertain(text: &str, expected: &[(&str, &str)]) {
        check(text, &[]);
        assert_eq!(matches(text, |score| score < 0.5), owned(expected), "{text}");
    }

    fn owned(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }

    fn matches(text: &str, counts: impl Fn(f64) -> bool) -> Vec<(String, String)> {
        let letters: Vec<char> = text.chars().collect();
        inspect(text)
            .iter()
            .filter(|finding| finding.kind == Kind::Pii && counts(finding.score))
            .map(|finding| (finding.r#type.to_owned(), letters[finding.start..finding.end].iter().collect()))
            .collect()
    }

    #[test]
    fn names_places_and_dates_alone_are_no_pii() {
        check("Dr. Maria Rossi, 42, moved from Rome to Oslo on 2024-03-05 at 12:30:45.", &[]);
        check("Acme Corp. paid 1,234,567.89 USD in Q3 2023 (ratio 3.14159265358979).", &[]);
    }
}
