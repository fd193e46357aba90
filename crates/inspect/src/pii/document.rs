//! Finds numbers of passports and driving licences. They have no common form and no check digit, so only a number after
//! a label counts: directly after a word for a passport or any licence, or a few words after one for a driving licence.

use std::ops::Range;

use super::hit;
use crate::context::{char_before, run, word_starts};
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};

const LICENCES: [&str; 12] = [
    "driver license",
    "driver licence",
    "driver's license",
    "driver’s license",
    "driver's licence",
    "drivers license",
    "drivers licence",
    "drivers' license",
    "driving license",
    "driving licence",
    "driver id",
    "dl number",
];
/// Limits on what may come between a label and its number: all of it, a single word, and the marks before a word.
/// Together they stay well within the text that a stream keeps before a finding.
const GAP_BYTES_MAX: usize = 40;
const WORD_BYTES_MAX: usize = 24;
const MARKS_MAX: usize = 8;
const FILLERS: [&str; 19] = [
    "number", "numbers", "num", "no", "nr", "is", "was", "id", "card", "with", "the", "my", "his", "her", "of", "us",
    "book", "reads", "here",
];
const VALUE_BYTES_MAX: usize = 24;
const DIGITS_MIN: usize = 5;
/// The maximum number of other words between a driver's licence and its number: a name, "issued in Ohio".
const OTHER_WORDS_MAX: usize = 4;

pub(super) fn anchors() -> Vec<ScanAnchor> {
    let licences = LICENCES.iter().map(|name| (name.as_bytes().to_vec(), ScanCheck::Verify(driving_licence)));
    let generic = ["license", "licence", "dl:", "dl #", "dl no"]
        .map(|name| (name.as_bytes().to_vec(), ScanCheck::Verify(any_licence)));
    licences.chain(generic).chain([(b"passport".to_vec(), ScanCheck::Verify(passport))]).collect()
}

fn driving_licence(text: &str, name: Range<usize>) -> Option<Hit> {
    let range = number_after(text, &name, OTHER_WORDS_MAX)?;
    let explanation = "a number after words for a driving licence";
    Some(hit("US_DRIVER_LICENSE", "pii/us_driver_license", range, 0.8, explanation.into()))
}

fn any_licence(text: &str, name: Range<usize>) -> Option<Hit> {
    let range = number_after(text, &name, 0)?;
    let value = &text[range.clone()];
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_year_range =
        value.len() == 9 && value.as_bytes()[4] == b'-' && (value.starts_with("19") || value.starts_with("20"));
    let explanation = "a number directly after a word for a licence";
    (!is_year_range && digits + 2 * usize::from(letters) >= 7)
        .then(|| hit("US_DRIVER_LICENSE", "pii/us_driver_license", range, 0.55, explanation.into()))
}

fn passport(text: &str, name: Range<usize>) -> Option<Hit> {
    let range = number_after(text, &name, 0)?;
    let plain = text[range.clone()].bytes().all(|byte| byte.is_ascii_alphanumeric());
    let fits = plain && (6..=12).contains(&range.len());
    fits.then(|| hit("PASSPORT", "pii/passport", range, 0.8, "a number after a word for a passport".into()))
}

/// The number after a label, skipping marks, small words and a limited number of other words.
fn number_after(text: &str, name: &Range<usize>, mut others: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !word_starts(text, name.start) {
        return None;
    }
    let mut at = name.end;
    while at <= name.end + GAP_BYTES_MAX {
        at += run(&bytes[at..], MARKS_MAX, |byte| b" :=#\t\n\"'*(),.-|?".contains(&byte));
        let word = run(&bytes[at..], WORD_BYTES_MAX, |byte| byte.is_ascii_alphabetic());
        let is_filler = FILLERS.iter().any(|filler| filler.as_bytes().eq_ignore_ascii_case(&bytes[at..at + word]));
        let whole = bytes.get(at + word).is_none_or(|byte| !byte.is_ascii_digit() && *byte != b'*' && *byte != b'-');
        if word == 0 || !whole || (word == 1 && bytes[at].is_ascii_uppercase()) || !(is_filler || others > 0) {
            break;
        }
        others -= usize::from(!is_filler);
        at += word;
    }
    let length = value(bytes, at);
    let value = &bytes[at..at + length];
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let alone = char_before(text, at).is_none_or(|before| !before.is_alphanumeric());
    let letters = value.iter().any(u8::is_ascii_uppercase);
    (alone && digits + usize::from(letters) >= DIGITS_MIN && !value.iter().any(u8::is_ascii_lowercase))
        .then_some(at..at + length)
}

/// The length of a value in groups of letters, digits and asterisks: a dash joins any groups, a space only groups of digits.
fn value(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let group = run(&bytes[end..], VALUE_BYTES_MAX, |byte| byte.is_ascii_alphanumeric() || byte == b'*');
        if group == 0 || end + group > start + VALUE_BYTES_MAX {
            return end.saturating_sub(start).saturating_sub(usize::from(end > start));
        }
        end += group;
        let digits = run(bytes.get(end + 1..).unwrap_or_default(), VALUE_BYTES_MAX, |byte| byte.is_ascii_digit());
        let word_end = bytes.get(end + 1 + digits).is_none_or(|byte| !byte.is_ascii_alphabetic());
        let goes_on = match bytes.get(end) {
            Some(b'-') => bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric),
            Some(b' ') => (2..=6).contains(&digits) && word_end,
            _ => false,
        };
        if !goes_on {
            return end - start;
        }
        end += 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn a_number_after_a_label_for_a_driving_licence_is_found() {
        for number in ["S1234567", "12345678", "D123-456-78-901-0", "94-555-1234", "A 123 456 789 012", "12 345 678"] {
            check(&format!("My driver's license number is {number}, ok"), &[("US_DRIVER_LICENSE", number)]);
            check(&format!("The driver's license of Ann Lee is {number}"), &[("US_DRIVER_LICENSE", number)]);
            check(&format!("Driver license: {number}"), &[("US_DRIVER_LICENSE", number)]);
        }
    }

    #[test]
    fn a_number_directly_after_the_word_licence_is_found() {
        check("My license number is D1234567.", &[("US_DRIVER_LICENSE", "D1234567")]);
        check(
            "DL: 12345678, licence MORGA657054SM9IJ",
            &[("US_DRIVER_LICENSE", "12345678"), ("US_DRIVER_LICENSE", "MORGA657054SM9IJ")],
        );
        check("A license 2019-2022 for 20 users; license 10000 users; license plate 7ABC1234", &[]);
    }

    #[test]
    fn a_number_after_passport_is_found() {
        check("Passport no. C01X00T47.", &[("PASSPORT", "C01X00T47")]);
        check("passport number 123456789", &[("PASSPORT", "123456789")]);
    }

    #[test]
    fn a_sentence_about_documents_is_not_a_document_number() {
        check(
            "My passport expires in 2031. A driver's license is needed in 50 states, since 1999. License: MIT; licence 2.0. Passport control, gate B12",
            &[],
        );
    }
}
