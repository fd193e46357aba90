//! Norway: birth numbers; a date of birth, a serial and two check digits.

use super::{Id, check_digits::weighted, is_day};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "NO_FNR",
    detector: "pii/no_fnr",
    shapes: &["99999999999", "999999 99999"],
    valid: is_valid,
    rule: "a date of birth, a serial number and two valid check digits",
    words: ContextWords::new(&["fødselsnummer", "fodselsnummer", "personnummer", "birth number"]),
    named: 0.95,
    marked: 0.6,
    bare: 0.3,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let check = |length: usize, weights: &[u32]| {
        (11 - weighted(&digits[..length], weights) % 11) % 11 == u32::from(digits[length] - b'0')
    };
    is_day(&digits[..2], &digits[2..4])
        && check(9, &[3, 7, 6, 1, 8, 9, 4, 5, 2])
        && check(10, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn both_check_digits_must_be_right() {
        check("fødselsnummer 01010750160", &[("NO_FNR", "01010750160")]);
        check("fødselsnummer 01010750161", &[]);
    }
}
