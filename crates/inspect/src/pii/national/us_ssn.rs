//! United States social security numbers: area, group and serial rules; dashes or context words.
//!
//! A number that a word calls an SSN is one, issued or not: it has no check digit, and an answer that gives somebody's SSN with
//! a slip in it is no safer than one without.

use super::Id;
use crate::context::Words;

pub(super) const ID: Id = Id {
    r#type: "US_SSN",
    detector: "pii/us_ssn",
    shapes: &["999-99-9999", "999999999"],
    valid: issuable,
    rule: "three, two and four digits, each in the issued range",
    words: Words::new(&["ssn", "ssns", "social security", "social sec", "taxpayer", "ss#", "soc sec", "social"]),
    named: 0.97,
    marked: 0.75,
    bare: 0.0,
    called: Some(Words::new(&["ssn", "ssns", "social security", "social sec", "ss#", "soc sec"])),
};

/// Spaces alone group many other numbers.
pub(super) const SPACED: Id = Id { shapes: &["999 99 9999"], marked: 0.3, ..ID };
/// Dots group version numbers too.
pub(super) const DOTTED: Id = Id { shapes: &["999.99.9999"], marked: 0.0, ..ID };

/// Printed in advertisements and manuals; never a person's.
const NEVER_ISSUED: [&[u8]; 3] = [b"078051120", b"219099999", b"123456789"];

fn issuable(digits: &[u8]) -> bool {
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
    }

    #[test]
    fn a_number_that_was_never_issued_counts_only_where_a_word_calls_it_one() {
        for number in ["000-12-3456", "666-12-3456", "912-12-3456", "536-00-4399", "536-90-0000", "078-05-1120"] {
            check(&format!("Part {number}"), &[]);
            for name in ["SSN", "Her social security number is", "ssn:", "Social Security #"] {
                check(&format!("{name} {number}"), &[("US_SSN", number)]);
            }
        }
        check("SSN 078051120", &[("US_SSN", "078051120")]);
        check("SSN 078 05 1120 or ssn 078.05.1120", &[("US_SSN", "078 05 1120"), ("US_SSN", "078.05.1120")]);
        check("My SSN is on file. Budget 078051120", &[]);
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
