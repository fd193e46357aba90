//! France: social security numbers; fifteen digits; the last two are 97 minus the remainder modulo 97.

use super::{Id, is_day, number};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "FR_NIR",
    detector: "pii/fr_nir",
    shapes: &["999999999999999", "9 99 99 99 999 999 99"],
    valid: is_valid,
    rule: "fifteen digits with two valid check digits",
    words: ContextWords::new(&["nir", "sécurité sociale", "securite sociale", "numéro de sécu", "insee"]),
    named: 0.95,
    marked: 0.85,
    bare: 0.3,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    matches!(digits[0], b'1' | b'2')
        && is_day(b"01", &digits[3..5])
        && 97 - number(&digits[..13]) % 97 == number(&digits[13..])
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_check_digits_must_be_right() {
        check("2 55 08 14 168 025 38", &[("FR_NIR", "2 55 08 14 168 025 38")]);
        check("NIR 255081416802538", &[("FR_NIR", "255081416802538")]);
        check("NIR 255081416802539", &[]);
    }
}
