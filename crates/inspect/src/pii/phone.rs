//! Telephone numbers: `+` and a country code, the North American form, or a national number beside a word that says so.

use super::{ends_alone, hit, stands_alone};
use crate::context::near;
use crate::finding::Hit;

const WORDS: &[&str] = &[
    "phone",
    "telephone",
    "tel",
    "call",
    "calls",
    "mobile",
    "cell",
    "cellphone",
    "fax",
    "whatsapp",
    "sms",
    "text",
    "dial",
    "hotline",
    "contact",
    "reach",
    "number is",
    "ring",
    "telefon",
    "handy",
];
const DIGITS_MIN: usize = 8;
/// The longest that E.164 allows.
const DIGITS_MAX: usize = 15;
const BYTES_MAX: usize = 32;

pub(super) fn at(text: &str, digit: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let before = digit.checked_sub(1).map(|at| bytes[at]);
    let start = if matches!(before, Some(b'+' | b'(')) { digit - 1 } else { digit };
    if !stands_alone(text, start) {
        return None;
    }
    let number = Number::read(bytes, start, before)?;
    if !ends_alone(bytes, number.end) {
        return None;
    }
    let range = start..number.end;
    let (base, with_context, form) = number.form()?;
    let context = near(text, &range, WORDS);
    let score = if context { with_context } else { base };
    if score == 0.0 {
        return None;
    }
    let words = if context { "yes" } else { "no" };
    let explanation = format!("{} digits in {form}, context words near: {words}", number.digits.len());
    Some(hit("PHONE", "pii/phone", range, score, explanation))
}

struct Number {
    digits: Vec<u8>,
    groups: Vec<usize>,
    end: usize,
    plus: bool,
    parenthesis: bool,
    separators: Vec<u8>,
}

impl Number {
    fn read(bytes: &[u8], start: usize, before: Option<u8>) -> Option<Self> {
        let plus = before == Some(b'+');
        let parenthesis = before == Some(b'(');
        let mut number =
            Self { digits: Vec::new(), groups: Vec::new(), end: start, plus, parenthesis, separators: Vec::new() };
        let mut at = if plus || parenthesis { start + 1 } else { start };
        while at < bytes.len().min(start + BYTES_MAX) {
            let group = bytes[at..].iter().take(DIGITS_MAX + 1).take_while(|byte| byte.is_ascii_digit()).count();
            if number.digits.len() + group > DIGITS_MAX {
                break;
            }
            number.digits.extend_from_slice(&bytes[at..at + group]);
            number.groups.push(group);
            number.end = at + group;
            let Some(next) = next_group(bytes, number.end) else { break };
            number.separators.extend_from_slice(&bytes[number.end..next]);
            at = next;
        }
        (number.digits.len() >= DIGITS_MIN).then_some(number)
    }

    /// Score without and with context words, and the name of the form.
    fn form(&self) -> Option<(f64, f64, &'static str)> {
        if self.plus {
            return (self.digits[0] != b'0').then_some((0.8, 0.95, "international form"));
        }
        if self.nanp() {
            let plain = self.separators.iter().all(|&byte| byte == b' ');
            return Some(match () {
                () if self.groups.len() == 1 => (0.0, 0.65, "North American form without separators"),
                () if self.parenthesis || !plain => (0.7, 0.9, "North American form"),
                () => (0.4, 0.85, "North American form with spaces"),
            });
        }
        let national = self.digits[0] == b'0' && self.digits.len() >= 9 && self.digits.len() <= 12;
        national.then_some((0.0, 0.6, "national form"))
    }

    fn nanp(&self) -> bool {
        let (digits, groups) = match (self.digits.as_slice(), self.groups.as_slice()) {
            ([b'1', rest @ ..], [1, groups @ ..]) => (rest, groups),
            all => all,
        };
        let in_form = matches!(groups, [3, 3, 4] | [3, 7]) || groups == [10];
        in_form && digits.len() == 10 && digits[0] >= b'2' && digits[3] >= b'2'
    }
}

/// Where the next group of digits starts, after at most two separators.
fn next_group(bytes: &[u8], end: usize) -> Option<usize> {
    let separators = bytes[end..].iter().take(3).take_while(|byte| b" .-()/".contains(byte)).count();
    let next = end + separators;
    let goes_on = (1..=2).contains(&separators) && bytes.get(next).is_some_and(u8::is_ascii_digit);
    goes_on.then_some(next)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn an_international_number_is_found() {
        check("+44 20 7946 0958", &[("PHONE", "+44 20 7946 0958")]);
        check("Call +1 (415) 555-0132.", &[("PHONE", "+1 (415) 555-0132")]);
        check("(+49-30-901820)", &[("PHONE", "+49-30-901820")]);
        check("+33123456789", &[("PHONE", "+33123456789")]);
    }

    #[test]
    fn a_north_american_number_with_separators_is_found() {
        check("(415) 555-0132", &[("PHONE", "(415) 555-0132")]);
        check("415-555-0132 or 1-212-555-0199", &[("PHONE", "415-555-0132"), ("PHONE", "1-212-555-0199")]);
        check("415.555.0132", &[("PHONE", "415.555.0132")]);
        check("phone 4155550132", &[("PHONE", "4155550132")]);
    }

    #[test]
    fn a_national_number_needs_a_word_that_says_so() {
        check("Tel: 030 901 8200", &[("PHONE", "030 901 8200")]);
        check("030 901 8200", &[]);
        check("4155550132", &[]);
        check_uncertain("415 555 0132", &[("PHONE", "415 555 0132")]);
    }

    #[test]
    fn other_numbers_are_no_phones() {
        check("2024-01-15 10:20:30, 1,234,567.89 and 3.14159265", &[]);
        check("+0123456789 and a+12345678 and 115-555-0132", &[]);
        check("pages 100-200-3000", &[]);
        check("415-555-01321", &[]);
    }
}
