//! Belgium: national register numbers; a date of birth, a serial number and two check digits (97 minus the remainder
//! modulo 97).

use super::{Id, is_day, number};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "BE_NRN",
    detector: "pii/be_nrn",
    shapes: &["99.99.99-999.99", "99999999999"],
    valid: is_valid,
    rule: "a date of birth, a serial number and two valid check digits",
    words: ContextWords::new(&["rijksregisternummer", "registre national", "national register", "nrn", "niss", "insz"]),
    named: 0.95,
    marked: 0.85,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let body = number(&digits[..9]);
    let check = number(&digits[9..]);
    // For people born from 2000 on, a 2 is prepended before the check.
    let remainders = [body, 2_000_000_000 + body].map(|body| 97 - body % 97);
    is_day(&digits[4..6], &digits[2..4]) && remainders.contains(&check)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_remainder_must_be_right() {
        check("85.07.30-033.28", &[("BE_NRN", "85.07.30-033.28")]);
        check("85.07.30-033.29 and 85073003328", &[]);
    }
}
