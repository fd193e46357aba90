//! Singapore: NRIC and FIN; a series letter, seven digits and a check letter.

use super::{Id, check_digits::weighted};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "SG_NRIC",
    detector: "pii/sg_nric",
    shapes: &["A9999999A"],
    valid: is_valid,
    rule: "a series letter and seven digits, with a valid check letter",
    words: ContextWords::new(&["nric", "fin", "singapore"]),
    named: 0.95,
    marked: 0.65,
    bare: 0.0,
    called: None,
};

fn is_valid(written: &[u8]) -> bool {
    let sum = weighted(&written[1..8], &[2, 7, 6, 5, 4, 3, 2]);
    let (shift, letters) = match written[0] {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        _ => return false,
    };
    written[8] == letters[((sum + shift) % 11) as usize]
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_check_letter_must_be_right() {
        check("NRIC S1234567D", &[("SG_NRIC", "S1234567D")]);
        check("NRIC S1234567A", &[]);
    }
}
