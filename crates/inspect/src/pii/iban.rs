//! Finds international bank account numbers by country, length and the check modulo 97.

use super::{hit, letters_after, letters_before};
use crate::context::word_starts;
use crate::finding::Hit;

/// Country codes with the length of a whole number, from the registry.
const LENGTHS: [(&[u8; 2], usize); 82] = [
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BI", 27),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DJ", 27),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FK", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MN", 20),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NI", 28),
    (b"NL", 18),
    (b"NO", 15),
    (b"OM", 23),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"SA", 24),
    (b"SC", 31),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"ST", 25),
    (b"SV", 28),
    (b"TL", 23),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
    (b"VG", 24),
];

/// The lengths, indexed by the two letters of the country code; 0 for unknown countries.
const BY_LETTERS: [[u8; 26]; 26] = {
    let mut table = [[0; 26]; 26];
    let mut at = 0;
    while at < LENGTHS.len() {
        let ([first, second], length) = LENGTHS[at];
        table[(*first - b'A') as usize][(*second - b'A') as usize] = length as u8;
        at += 1;
    }
    table
};

/// The length of a country's account numbers.
pub(super) fn length(country: [u8; 2]) -> Option<usize> {
    let [first, second] = country.map(|letter| usize::from(letter.to_ascii_uppercase().wrapping_sub(b'A')));
    let length = *BY_LETTERS.get(first)?.get(second)?;
    (length > 0).then_some(usize::from(length))
}

/// Whether letters and digits form a complete, valid number.
pub(super) fn is_valid(letters: &[u8]) -> bool {
    matches!(letters, [first, second, rest @ ..] if rest.len() > 2 && length([*first, *second]) == Some(letters.len()))
        && remainder(letters) == 1
}

/// `digit` is the offset of the first check digit; the country code precedes it.
pub(super) fn at(text: &str, digit: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let start = digit.checked_sub(2)?;
    let length = length([bytes[start], bytes[start + 1]])?;
    if !bytes.get(digit + 1).is_some_and(u8::is_ascii_digit) || !text.is_char_boundary(start) {
        return None;
    }
    let stands_alone = word_starts(text, start) && !is_joined(bytes, start);
    let end = end_of(bytes, start, length).filter(|_| stands_alone).or_else(|| end_of_glued(text, start, length))?;
    if remainder(&bytes[start..end]) != 1 {
        return None;
    }
    let explanation = format!("a country code, the right length for that country ({length}) and valid check digits");
    // A higher score than any card or phone number that its digits may resemble.
    Some(hit("IBAN", "pii/iban", start..end, 0.99, explanation))
}

/// Whether a dash joins the number to a preceding part with digits, as at the end of a UUID.
fn is_joined(bytes: &[u8], start: usize) -> bool {
    let Some((b'-', before)) = bytes[..start].split_last() else { return false };
    before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).any(u8::is_ascii_digit)
}

/// The end of `length` letters and digits, with a single space or dash allowed after every fourth.
fn end_of(bytes: &[u8], start: usize, length: usize) -> Option<usize> {
    let (mut end, mut taken) = (start, 0);
    while taken < length {
        match *bytes.get(end)? {
            byte if byte.is_ascii_alphanumeric() => taken += 1,
            b' ' | b'-' if taken > 0 && taken % 4 == 0 && bytes[end - 1].is_ascii_alphanumeric() => {}
            _ => return None,
        }
        end += 1;
    }
    // A dash and more letters or digits follow: this is the start of a UUID.
    let goes_on = bytes.get(end) == Some(&b'-') && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
    (!goes_on && bytes.get(end).is_none_or(|next| !next.is_ascii_alphanumeric())).then_some(end)
}

/// The end of a number with words attached: `IBANDE…BIC`, `pay_NL…`. A random string may match an IBAN's letters and
/// digits, but rarely has so many digits in a row.
fn end_of_glued(text: &str, start: usize, length: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = start + length;
    let written = bytes.get(start..end).filter(|written| written.iter().all(u8::is_ascii_alphanumeric))?;
    let word = letters_before(text, start)?;
    let ends = !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    let is_called = word.as_bytes().last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b"iban"));
    let is_digits = written[2..].iter().all(u8::is_ascii_digit);
    let is_likely = is_called || is_digits || word.is_empty() && text[..start].ends_with('_') && ends;
    (is_likely && text.is_char_boundary(end) && letters_after(text, end).is_some()).then_some(end)
}

fn remainder(iban: &[u8]) -> u32 {
    let letters: Vec<u8> = iban.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    letters[4..].iter().chain(&letters[..4]).fold(0, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte.to_ascii_uppercase() - b'A') + 10) % 97,
    })
}

#[cfg(test)]
mod tests {
    use super::LENGTHS;
    use crate::pii::tests::check;

    #[test]
    fn an_iban_is_found_with_and_without_spaces() {
        check("IBAN GB82 WEST 1234 5698 7654 32.", &[("IBAN", "GB82 WEST 1234 5698 7654 32")]);
        check("Use the card or DE95 4111 1111 1111 1111 00", &[("IBAN", "DE95 4111 1111 1111 1111 00")]);
        check("DE89370400440532013000", &[("IBAN", "DE89370400440532013000")]);
        check("IBAN-DE89370400440532013000", &[("IBAN", "DE89370400440532013000")]);
        check("an fr1420041010050500013m02606!", &[("IBAN", "fr1420041010050500013m02606")]);
        check("NO93 8601 1117 947", &[("IBAN", "NO93 8601 1117 947")]);
        check("IBANDE89370400440532013000BIC", &[("IBAN", "DE89370400440532013000")]);
        check("größeIBANDE89370400440532013000", &[("IBAN", "DE89370400440532013000")]);
        check("größeDE89370400440532013000", &[("IBAN", "DE89370400440532013000")]);
        check("ibanNL06ABNA0418264937", &[("IBAN", "NL06ABNA0418264937")]);
        check("fp_NL06ABNA0418264937", &[("IBAN", "NL06ABNA0418264937")]);
        check("pay_DE89370400440532013000_x", &[("IBAN", "DE89370400440532013000")]);
    }

    #[test]
    fn an_iban_with_a_wrong_remainder_length_or_country_is_not_pii() {
        check("GB82 WEST 1234 5698 7654 33", &[]);
        check("DE8937040044053201300", &[]);
        check("ZZ89370400440532013000", &[]);
        check("00a00a00-a000-4a0a-be05-0e91ee5a07d7", &[]);
        check("be1b8625-d324-7bf2-bf33-9fc7d8d7eded ba62a8bd-ba16-4653-9963-2fc49a8c9792", &[]);
        check("DE893704004405320130001", &[]);
    }

    #[test]
    fn the_registry_is_sorted_and_has_each_country_once() {
        assert!(LENGTHS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
