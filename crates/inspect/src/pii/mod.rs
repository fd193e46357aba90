//! Finds personal data and secrets: contact data, account numbers, national ids, network addresses, keys and passwords;
//! and web addresses, which identify nobody by themselves.
//!
//! A detector starts from a rare literal (`anchors`) or from a kind of byte (`by_byte`), and then examines a bounded
//! span of text. A number that fails its checksum is not PII.
//!
//! | file or folder | finds |
//! |---|---|
//! | `card.rs`, `iban.rs`, `crypto.rs` | payment cards, accounts, wallets |
//! | `email.rs`, `phone/`, `url.rs`, `domain.rs` (with `top_level.rs`), `ip.rs`, `mac.rs` | contact data and network addresses |
//! | `national/`, `labelled.rs`, `document.rs`, `label.rs` | national ids, and numbers that only a label identifies |
//! | `birth.rs`, `calendar.rs` | dates of birth |
//! | `secret.rs`, `assignment.rs`, `private_key.rs` | keys and passwords |
//! | `names/` | names, places, organisations, addresses and dates |
//! | `combination.rs` | data that identifies somebody only in combination |

mod assignment;
mod birth;
mod calendar;
mod card;
pub(crate) mod combination;
mod crypto;
mod document;
mod domain;
mod email;
mod iban;
mod ip;
mod label;
mod labelled;
mod mac;
pub(crate) mod names;
mod national;
mod phone;
mod private_key;
mod secret;
mod top_level;
mod url;

use std::ops::Range;

use crate::context::{char_before, find_class, joins, run};
use crate::finding::{Hit, Kind};
use crate::scan::ScanAnchor;

/// The detectors that start from a literal.
pub(crate) fn anchors() -> Vec<ScanAnchor> {
    [
        secret::anchors(),
        private_key::anchors(),
        assignment::anchors(),
        url::anchors(),
        crypto::anchors(),
        birth::anchors(),
        document::anchors(),
        labelled::anchors(),
        national::anchors(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The detectors that start from a kind of byte: digits, `@`, `.`, `:` and `-`.
pub(crate) fn by_byte(text: &str, hits: &mut Vec<Hit>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = find_class(bytes, at, &STARTING_BYTES) {
        at = found;
        let mut length = 1;
        match bytes[at] {
            b'@' => hits.extend(email::at(text, at)),
            b'.' => hits.extend(domain::at(text, at)),
            b':' => hits.extend(mac::at(text, at).or_else(|| ip::v6_at(text, at))),
            b'-' => hits.extend(mac::at(text, at)),
            _ => {
                length = run(&bytes[at..], usize::MAX, |byte| byte.is_ascii_digit());
                number_at(text, at, length, hits);
            }
        }
        at += length;
    }
}

/// The bytes that `by_byte` looks for.
const STARTING_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'0';
    while byte <= b'9' {
        table[byte as usize] = true;
        byte += 1;
    }
    table[b'@' as usize] = true;
    table[b'.' as usize] = true;
    table[b':' as usize] = true;
    table[b'-' as usize] = true;
    table
};

/// `at` is the offset of the first digit of a run of `length` digits.
fn number_at(text: &str, at: usize, length: usize, hits: &mut Vec<Hit>) {
    national::at(text, at, length, hits);
    if length >= card::GLUED_DIGITS_MIN {
        hits.extend(card::glued_at(text, at, length));
    }
    if length == 4 && !stands_alone(text, at) && (follows_word(text, at) || text[..at].ends_with(',')) {
        hits.extend(card::at(text, at, length));
    }
    if at > 0 && text.as_bytes()[at - 1].is_ascii_alphabetic() {
        hits.extend(iban::at(text, at));
        return;
    }
    hits.extend(phone::at(text, at, length));
    if stands_alone(text, at) {
        hits.extend(card::at(text, at, length));
        if length <= 3 {
            if text.as_bytes().get(at + length) == Some(&b'.') {
                hits.extend(ip::v4_at(text, at));
            }
            hits.extend(crypto::base58_at(text, at));
        }
    }
}

/// Whether a number starts here, instead of continuing an identifier or a decimal.
fn stands_alone(text: &str, at: usize) -> bool {
    match char_before(text, at) {
        None => true,
        Some(letter) if joins(letter) || letter == '_' => false,
        Some('-' | '.' | '/' | '+' | ',') => char_before(text, at - 1).is_none_or(|letter| !joins(letter)),
        Some(_) => true,
    }
}

/// Whether a word is attached to the front of the number: `card4111 …`, `id_4111 …`. Groups of digits still show that a
/// number begins there.
fn follows_word(text: &str, at: usize) -> bool {
    let joint = usize::from(text[..at].ends_with(['-', '_', '.', '/', '+', ',']));
    text[..at - joint].chars().next_back().is_some_and(char::is_alphabetic)
}

/// Whether nothing continues the number after `end`: no letter, digit or underscore, and no separator with a digit
/// after it.
fn ends_alone(bytes: &[u8], end: usize) -> bool {
    match bytes.get(end) {
        None => true,
        Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'_' => false,
        Some(b'-' | b'.' | b'/') => bytes.get(end + 1).is_none_or(|next| !next.is_ascii_digit()),
        Some(_) => true,
    }
}

/// The letters attached directly before `at`: `card` in `card4111`. `None` if there is a digit among them, as in ids
/// and hashes, or if there are too many.
fn letters_before(text: &str, at: usize) -> Option<&str> {
    let mut start = at;
    for letter in text[..at].chars().rev().take(GLUED_CHARS_MAX + 1) {
        match letter {
            _ if letter.is_numeric() => return None,
            _ if letter.is_alphabetic() => start -= letter.len_utf8(),
            _ => return Some(&text[start..at]),
        }
    }
    (start == 0).then_some(&text[start..at])
}

/// The letters attached directly after `at`; the counterpart of [`letters_before`].
fn letters_after(text: &str, at: usize) -> Option<&str> {
    let mut end = at;
    for letter in text[at..].chars().take(GLUED_CHARS_MAX + 1) {
        match letter {
            _ if letter.is_numeric() => return None,
            _ if letter.is_alphabetic() => end += letter.len_utf8(),
            _ => return Some(&text[at..end]),
        }
    }
    (end == text.len()).then_some(&text[at..end])
}

/// Longer words attached to a number are ids or hashes.
const GLUED_CHARS_MAX: usize = 16;

/// Whether a number may start here although a word is attached before it: `card_41…`, `x41…`, `/41…`.
fn starts_glued(text: &str, at: usize) -> bool {
    let ends_in_word = |before: &str| {
        before.ends_with('_') || letters_before(before, before.len()).is_some_and(|word| word.chars().nth(2).is_some())
    };
    match char_before(text, at) {
        Some('-' | '.' | '+' | ',' | '/') if !stands_alone(text, at) => ends_in_word(&text[..at - 1]),
        _ => letters_before(text, at).is_some(),
    }
}

/// Whether a number may end here although a word is attached after it: `…1111x`, `…1111_end`.
fn ends_glued(text: &str, end: usize) -> bool {
    match text.as_bytes().get(end) {
        Some(b'-' | b'.' | b'/') => ends_alone(text.as_bytes(), end),
        _ => letters_after(text, end).is_some(),
    }
}

fn hit(r#type: &'static str, detector: &'static str, range: Range<usize>, score: f64, explanation: String) -> Hit {
    Hit { kind: Kind::Pii, r#type, start: range.start, end: range.end, score, detector, explanation }
}

/// The spellings of a literal that the scan must search for, because it ignores case only for ASCII letters.
fn spellings(name: &str) -> Vec<Vec<u8>> {
    let mut letters = name.chars();
    let capitalised: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let mut all = vec![name.as_bytes().to_vec()];
    if !name.is_ascii() {
        all.extend([capitalised.into_bytes(), name.to_uppercase().into_bytes()]);
        all.dedup();
    }
    all
}

/// Whether a word about cards occurs shortly before `at`.
pub(crate) fn names_card(text: &str, at: usize) -> bool {
    card::is_named(text, at)
}

/// Whether a word about phones occurs shortly before `at`.
pub(crate) fn names_phone(text: &str, at: usize) -> bool {
    phone::is_named(text, at)
}

/// Whether a word for a social security number occurs shortly before `at`.
pub(crate) fn names_ssn(text: &str, at: usize) -> bool {
    national::names_ssn(text, at)
}

/// Whether digits form a card number: in an issuer's range and with a valid Luhn digit.
pub(crate) fn is_card(digits: &[u8]) -> bool {
    card::is_valid(digits)
}

/// Whether letters and digits form an IBAN: the right length for its country and a valid check number.
pub(crate) fn is_iban(letters: &[u8]) -> bool {
    iban::is_valid(letters)
}

/// The length of a country's account numbers.
pub(crate) fn iban_length(country: [u8; 2]) -> Option<usize> {
    iban::length(country)
}

/// Whether a word is a top-level domain.
pub(crate) fn is_top_level(word: &str) -> bool {
    top_level::kind(&word.to_ascii_lowercase()) != top_level::Top::Unknown
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// Whether a value has both letters and digits and enough different characters to be neither a word nor a placeholder.
fn looks_random(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    for &byte in value {
        seen[usize::from(byte)] = true;
    }
    let different = seen.iter().filter(|&&seen| seen).count();
    different >= 8 && value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_alphabetic)
}

/// The Luhn check, which cards and several national ids share. Characters other than digits are ignored.
fn luhn(number: &[u8]) -> bool {
    let digits = number.iter().rev().filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'));
    let doubled = digits.enumerate().map(|(place, digit)| match digit << (place % 2) {
        high @ 10.. => high - 9,
        low => low,
    });
    doubled.sum::<u32>().is_multiple_of(10)
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{Kind, inspect};

    /// Checks the PII of a text with a score of at least 0.5: types and matched text.
    pub(crate) fn check(text: &str, expected: &[(&str, &str)]) {
        assert_eq!(matches(text, |score| score >= 0.5), owned(expected), "{text}");
    }

    /// Checks the PII of a text that was detected but is too uncertain to count.
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
    fn names_places_and_dates_alone_are_not_pii() {
        check("Dr. Maria Rossi, 42, moved from Rome to Oslo on 2024-03-05 at 12:30:45.", &[]);
        check("Acme Corp. paid 1,234,567.89 USD in Q3 2023 (ratio 3.14159265358979).", &[]);
    }

    #[test]
    fn the_luhn_digit_is_checked() {
        assert!(super::luhn(b"4111 1111 1111 1111") && !super::luhn(b"4111111111111112"));
    }
}
