//! Switzerland: AHV numbers; the prefix 756 and an EAN-13 check digit.

use super::{Id, check_digits::weighted};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "CH_AHV",
    detector: "pii/ch_ahv",
    shapes: &["999.9999.9999.99", "9999999999999"],
    valid: is_valid,
    rule: "thirteen digits that start with 756, with a valid check digit",
    words: ContextWords::new(&["ahv", "avs", "ahv-nr", "sozialversicherungsnummer"]),
    named: 0.96,
    marked: 0.9,
    bare: 0.4,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    digits.starts_with(b"756") && weighted(digits, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_check_digit_must_be_right() {
        check("756.9217.0769.85", &[("CH_AHV", "756.9217.0769.85")]);
        check("AHV 756.9217.0769.84", &[]);
    }
}
