//! United States social security numbers: area, group and serial rules; dashes or context words.

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
};

/// Spaces alone group many other numbers.
pub(super) const SPACED: Id = Id { shapes: &["999 99 9999"], marked: 0.3, ..ID };

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
    fn a_number_that_was_never_issued_is_not_pii() {
        for number in ["000-12-3456", "666-12-3456", "912-12-3456", "536-00-4399", "536-90-0000", "078-05-1120"] {
            check(&format!("SSN {number}"), &[]);
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
