//! Italy: codice fiscale; sixteen letters and digits; the last is a check letter.

use super::Id;
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "IT_FISCAL_CODE",
    detector: "pii/it_fiscal_code",
    shapes: &["AAAAAA99A99A999A"],
    valid: is_valid,
    rule: "sixteen letters and digits in the right format, with a valid check letter",
    words: ContextWords::new(&["codice fiscale", "fiscal code", "c.f."]),
    named: 0.97,
    marked: 0.9,
    bare: 0.0,
    called: None,
};

/// The values of characters at odd positions, for 0 to 9 and A to Z alike.
const ODD: [u32; 26] = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

fn is_valid(code: &[u8]) -> bool {
    let value = |byte: u8| u32::from(if byte.is_ascii_digit() { byte - b'0' } else { byte.wrapping_sub(b'A') });
    let sum: u32 = code[..15]
        .iter()
        .enumerate()
        .map(|(place, &byte)| if place % 2 == 0 { ODD[value(byte) as usize % 26] } else { value(byte) })
        .sum();
    sum % 26 == value(code[15])
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_check_letter_must_be_right() {
        check("RSSMRA85T10A562S", &[("IT_FISCAL_CODE", "RSSMRA85T10A562S")]);
        check("codice fiscale RSSMRA85T10A562T", &[]);
    }
}
