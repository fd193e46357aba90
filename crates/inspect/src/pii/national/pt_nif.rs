//! Portugal: tax numbers; nine digits with a check digit modulo 11.

use super::{Id, check_digits::weighted};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "PT_NIF",
    detector: "pii/pt_nif",
    shapes: &["999999999", "999 999 999"],
    valid: is_valid,
    rule: "nine digits with a valid check digit",
    words: ContextWords::new(&["nif", "contribuinte"]),
    named: 0.93,
    marked: 0.0,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let rest = weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    let check = if rest < 2 { 0 } else { 11 - rest };
    matches!(digits[0], b'1'..=b'3') && check == u32::from(digits[8] - b'0')
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("NIF 123456789", &[("PT_NIF", "123456789")]);
        check("NIF 123456788", &[]);
    }
}
