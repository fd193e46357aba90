//! Austria: social insurance numbers; ten digits that end in a date of birth.

use super::{Id, check_digits::weighted, is_day};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "AT_SVNR",
    detector: "pii/at_svnr",
    shapes: &["9999999999", "9999 999999"],
    valid: is_valid,
    rule: "ten digits that end in a date, with a valid check digit",
    words: ContextWords::new(&["svnr", "sozialversicherungsnummer", "sv-nummer", "versicherungsnummer"]),
    named: 0.93,
    marked: 0.3,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let rest = (weighted(digits, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6])) % 11;
    digits[0] != b'0' && rest == u32::from(digits[3] - b'0') && is_day(&digits[4..6], &digits[6..8])
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("SVNR 1237 010180", &[("AT_SVNR", "1237 010180")]);
        check("SVNR 1238 010180", &[]);
    }
}
