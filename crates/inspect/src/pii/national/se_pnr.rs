//! Sweden: personal identity numbers; a date of birth, a serial and a Luhn check digit.

use super::{super::luhn, Id, is_day};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "SE_PNR",
    detector: "pii/se_pnr",
    shapes: &["999999-9999", "99999999-9999", "999999+9999", "9999999999"],
    valid: is_valid,
    rule: "a date of birth, a serial number and a valid Luhn check digit",
    words: ContextWords::new(&["personnummer", "personal number", "personal identity number"]),
    named: 0.95,
    marked: 0.6,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let short = &digits[digits.len() - 10..];
    is_day(&short[4..6], &short[2..4]) && luhn(short)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn date_and_luhn_digit_must_be_right() {
        check("811228-9874", &[("SE_PNR", "811228-9874")]);
        check("personnummer 19811228-9874", &[("SE_PNR", "19811228-9874")]);
        check("811228-9875 and 813228-9874", &[]);
    }
}
