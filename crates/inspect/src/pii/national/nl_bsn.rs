//! Netherlands: citizen service numbers; nine digits that pass the eleven test.

use super::{Id, check_digits::weighted};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "NL_BSN",
    detector: "pii/nl_bsn",
    shapes: &["999999999", "9999.99.999"],
    valid: is_valid,
    rule: "nine digits with a valid check digit",
    words: ContextWords::new(&["bsn", "burgerservicenummer", "sofinummer"]),
    named: 0.94,
    marked: 0.3,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let last = u32::from(digits[8] - b'0');
    let sum = weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]);
    sum > 0 && sum % 11 == last
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("BSN 111222333", &[("NL_BSN", "111222333")]);
        check("BSN 111222334", &[]);
        check("111222333", &[]);
    }
}
