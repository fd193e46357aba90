//! United States: social security numbers; area, group and serial rules, and dashes or context words.
//!
//! A number that the text calls an SSN counts even if it was never issued: it has no check digit, and an answer that
//! gives away somebody's SSN with a typing error is no safer than one without.

use std::ops::Range;

use super::super::label::{self, Gap};
use super::super::{ends_glued, hit, letters_before, starts_glued};
use super::{Id, NAMED_SCORE};
use crate::context::{ContextWords, run, word_starts};
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};

pub(super) const ID: Id = Id {
    r#type: "US_SSN",
    detector: "pii/us_ssn",
    shapes: &["999-99-9999", "999999999"],
    valid: is_issuable,
    rule: "three, two and four digits, each in a range that is issued",
    words: ContextWords::new(&[
        "ssn",
        "ssns",
        "s.s.n",
        "s s n",
        "social security",
        "social-security",
        "social_security",
        "social sec",
        "taxpayer",
        "ss#",
        "soc sec",
        "social",
        "socialsecurity",
        "socialsecuritynumber",
        "ss no",
        "tax id",
        "seguro social",
    ]),
    named: 0.97,
    marked: 0.75,
    bare: 0.0,
    called: Some(ContextWords::new(&[
        "ssn",
        "ssns",
        "s.s.n",
        "s s n",
        "social security",
        "social-security",
        "social_security",
        "social sec",
        "ss#",
        "soc sec",
        "socialsecurity",
        "socialsecuritynumber",
        "ss no",
        "seguro social",
    ])),
};

/// With spaces only: many other numbers are grouped this way.
pub(super) const SPACED: Id = Id { shapes: &["999 99 9999"], marked: 0.3, ..ID };
/// With dots: version numbers are grouped this way too.
pub(super) const DOTTED: Id = Id { shapes: &["999.99.9999"], marked: 0.0, ..ID };

const SPACED_OUT_NAMES: [&str; 4] = ["ssn", "s s n", "s.s.n", "social security"];
const GAP: Gap = Gap { bytes_max: 24, marks_max: 4, other_words_max: 0, across_lines: false };

pub(super) fn anchors() -> Vec<ScanAnchor> {
    SPACED_OUT_NAMES.iter().map(|name| (name.as_bytes().to_vec(), ScanCheck::Verify(spaced_out))).collect()
}

/// Matches nine digits with a space after each, after a word for the number: `S S N : 0 7 8 - 0 5 - 1 1 2 0`.
fn spaced_out(text: &str, name: Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let start = label::over_gap(text, name.end, &GAP, |_| false).filter(|_| word_starts(text, name.start))?;
    let (mut end, mut digits) = (start, 0);
    while bytes.get(end).is_some_and(u8::is_ascii_digit) {
        digits += 1;
        let gap = run(&bytes[end + 1..], 3, |byte| b" -.".contains(&byte));
        let goes_on = bytes.get(end + 1 + gap).is_some_and(u8::is_ascii_digit);
        if digits == 9 || !goes_on || gap == 0 {
            let explanation =
                "nine digits, each written separately, after words for a social security number".to_owned();
            let whole = digits == 9 && !goes_on;
            return whole.then(|| hit("US_SSN", "pii/us_ssn", start..end + 1, NAMED_SCORE, explanation));
        }
        end += 1 + gap;
    }
    None
}

/// Handles a number with letters directly attached: `SSN536904399US`. Returns `Some(true)` after the label "SSN",
/// `Some(false)` after another word if the number has dashes, and `None` if it is not an SSN.
pub(super) fn is_glued(text: &str, start: usize, end: usize, shape: &[u8]) -> Option<bool> {
    let is_whole = matches!(shape, b"999-99-9999" | b"999999999") && starts_glued(text, start) && ends_glued(text, end);
    let word = letters_before(text, start).filter(|_| is_whole)?;
    let is_label = word.eq_ignore_ascii_case("ssn");
    (is_label || shape == ID.shapes[0].as_bytes()).then_some(is_label)
}

/// Numbers that are printed in advertisements and manuals, and were never issued to a person.
const NEVER_ISSUED: [&[u8]; 3] = [b"078051120", b"219099999", b"123456789"];

fn is_issuable(digits: &[u8]) -> bool {
    let (area, group, serial) = (&digits[..3], &digits[3..5], &digits[5..]);
    area != b"000"
        && area != b"666"
        && area[0] != b'9'
        && group != b"00"
        && serial != b"0000"
        && !NEVER_ISSUED.contains(&digits)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn a_number_with_dashes_or_context_is_found() {
        check("536-90-4399", &[("US_SSN", "536-90-4399")]);
        check("Her SSN: 536904399.", &[("US_SSN", "536904399")]);
        check("social security 536 90 4399", &[("US_SSN", "536 90 4399")]);
        check("SSN536904399US", &[("US_SSN", "536904399")]);
        check("ssn_536-90-4399", &[("US_SSN", "536-90-4399")]);
        check("chatcmpl-536-90-4399", &[("US_SSN", "536-90-4399")]);
        check("x536-90-4399x", &[("US_SSN", "536-90-4399")]);
        check("AB-536-90-4399 and PART-536-90-4399 and a1-536-90-4399", &[]);
    }

    #[test]
    fn a_number_that_was_never_issued_counts_only_if_the_text_calls_it_an_ssn() {
        for number in ["000-12-3456", "666-12-3456", "912-12-3456", "536-00-4399", "536-90-0000", "078-05-1120"] {
            check(&format!("Part {number}"), &[]);
            for name in ["SSN", "Her social security number is", "ssn:", "Social Security #"] {
                check(&format!("{name} {number}"), &[("US_SSN", number)]);
            }
        }
        check("SSN 078051120", &[("US_SSN", "078051120")]);
        check("SSN 078 05 1120 or ssn 078.05.1120", &[("US_SSN", "078 05 1120"), ("US_SSN", "078.05.1120")]);
        check("My SSN is on file. Budget 078051120", &[]);
        for text in
            ["S.S.N. 078-05-1120", "social-security-number = 078-05-1120", "Número de seguro social: 078-05-1120"]
        {
            check(text, &[("US_SSN", "078-05-1120")]);
        }
        check("S S N : 0 7 8 - 0 5 - 1 1 2 0", &[("US_SSN", "0 7 8 - 0 5 - 1 1 2 0")]);
    }

    #[test]
    fn a_number_that_the_text_calls_something_else_is_not_an_ssn() {
        for text in ["SKU 536-90-4399", "Part no. 536-90-4399", "Item 536-90-4399, blue", "Product code: 536-90-4399"] {
            check(text, &[]);
        }
        check("SSN: not provided. Order 078-05-1120.", &[]);
        check("Ticket of Ann Lee, SSN 536-90-4399", &[("US_SSN", "536-90-4399")]);
        for text in
            ["Thanks for the order: 536-90-4399", "Your order is here. 536-90-4399", "Here is my item: 536-90-4399"]
        {
            check(text, &[("US_SSN", "536-90-4399")]);
        }
    }

    #[test]
    fn nine_digits_or_spaces_alone_do_not_count() {
        check("Invoice 536904399", &[]);
        check("My SSN is on file. Budget 536904399", &[]);
        check("SSN and account code 536904399", &[]);
        check("1536-90-4399 and 536-90-43991 and 536-90-4399-1", &[]);
        check_uncertain("sizes 536 90 4399", &[("US_SSN", "536 90 4399")]);
    }
}
