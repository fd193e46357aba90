//! Canada: social insurance numbers; nine digits with a Luhn check digit.

use super::{super::luhn, Id};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "CA_SIN",
    detector: "pii/ca_sin",
    shapes: &["999-999-999", "999 999 999", "999999999"],
    valid: is_valid,
    rule: "nine digits with a valid Luhn check digit",
    words: ContextWords::new(&["sin", "social insurance", "insurance number"]),
    named: 0.93,
    marked: 0.3,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    digits[0] != b'8' && luhn(digits)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("SIN 130-692-544", &[("CA_SIN", "130-692-544")]);
        check("SIN 130 692 545", &[]);
        check("130692544", &[]);
    }
}
