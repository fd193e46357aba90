//! India: Aadhaar numbers; twelve digits with a Verhoeff check digit.

use super::{Id, check_digits::verhoeff};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "IN_AADHAAR",
    detector: "pii/in_aadhaar",
    shapes: &["9999 9999 9999", "9999-9999-9999", "999999999999"],
    valid: is_valid,
    rule: "twelve digits with a valid Verhoeff check digit",
    words: ContextWords::new(&["aadhaar", "aadhar", "adhaar", "uidai", "uid"]),
    named: 0.95,
    marked: 0.4,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    digits[0] >= b'2' && verhoeff(digits)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("Aadhaar: 2341 2341 2346", &[("IN_AADHAAR", "2341 2341 2346")]);
        check("aadhaar 234123412346", &[("IN_AADHAAR", "234123412346")]);
        check("Aadhaar 2341 2341 2347 and 1341 2341 2346", &[]);
        check_uncertain("2341 2341 2346", &[("IN_AADHAAR", "2341 2341 2346")]);
    }
}
