//! Mexico: CURP; eighteen letters and digits with a date of birth and a check digit.

use super::{Id, is_day};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "MX_CURP",
    detector: "pii/mx_curp",
    shapes: &["AAAA999999AAAAAAX9"],
    valid: is_valid,
    rule: "eighteen letters and digits in the right format, with a date of birth and a valid check digit",
    words: ContextWords::new(&["curp", "clave única", "clave unica"]),
    named: 0.97,
    marked: 0.9,
    bare: 0.0,
    called: None,
};

fn is_valid(code: &[u8]) -> bool {
    // The Spanish alphabet has an additional letter, Ñ, after N.
    let value = |byte: u8| match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'N' => u32::from(byte - b'A') + 10,
        _ => u32::from(byte.wrapping_sub(b'A')) + 11,
    };
    let sum: u32 = code[..17].iter().zip(0..).map(|(&byte, place)| value(byte) * (18 - place)).sum();
    let sex = b"HMX".contains(&code[10]);
    sex && is_day(&code[8..10], &code[6..8]) && (10 - sum % 10) % 10 == u32::from(code[17] - b'0')
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_check_digit_must_be_right() {
        check("HEGG560427MVZRRL04", &[("MX_CURP", "HEGG560427MVZRRL04")]);
        check("CURP HEGG560427MVZRRL05", &[]);
    }
}
