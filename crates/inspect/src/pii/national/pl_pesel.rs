//! Poland: PESEL; a date of birth whose month encodes the century, a serial and a check digit.

use super::{Id, check_digits::weighted, is_day, number};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "PL_PESEL",
    detector: "pii/pl_pesel",
    shapes: &["99999999999"],
    valid: is_valid,
    rule: "a date of birth, a serial number and a valid check digit",
    words: ContextWords::new(&["pesel"]),
    named: 0.95,
    marked: 0.0,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let month = number(&digits[2..4]) % 20;
    let sum = weighted(&digits[..10], &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
    (1..=12).contains(&month) && is_day(&digits[4..6], b"01") && (10 - sum % 10) % 10 == u32::from(digits[10] - b'0')
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("PESEL 44051401359", &[("PL_PESEL", "44051401359")]);
        check("PESEL 44051401358", &[]);
        check("44051401359", &[]);
    }
}
