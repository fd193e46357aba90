//! United Kingdom: NHS numbers; ten digits with a check digit modulo 11.

use super::{Id, check_digits::weighted};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "UK_NHS",
    detector: "pii/uk_nhs",
    shapes: &["999 999 9999", "999-999-9999", "9999999999"],
    valid: is_valid,
    rule: "ten digits with a valid check digit",
    words: ContextWords::new(&["nhs", "nhs number", "nhs no"]),
    named: 0.95,
    marked: 0.0,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let rest = (11 - weighted(&digits[..9], &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 11;
    rest == u32::from(digits[9] - b'0') && digits.iter().any(|digit| *digit != digits[0])
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("NHS number 943 476 5919", &[("UK_NHS", "943 476 5919")]);
        check("NHS 943 476 5918", &[]);
        check("943 476 5919", &[]);
    }
}
