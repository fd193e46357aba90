//! South Korea: resident registration numbers; a date of birth and seven digits.

use super::{Id, check_digits::weighted, is_day};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "KR_RRN",
    detector: "pii/kr_rrn",
    shapes: &["999999-9999999", "9999999999999"],
    valid: is_valid,
    rule: "a date of birth, a digit for the century and a valid check digit",
    words: ContextWords::new(&["rrn", "resident registration", "주민등록번호"]),
    named: 0.95,
    marked: 0.7,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let sum = weighted(&digits[..12], &[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
    is_day(&digits[4..6], &digits[2..4])
        && (b'1'..=b'8').contains(&digits[6])
        && (11 - sum % 11) % 10 == u32::from(digits[12] - b'0')
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_check_digit_must_be_right() {
        check("800101-1234561", &[]);
        check("주민등록번호 800101-1234560", &[("KR_RRN", "800101-1234560")]);
    }
}
