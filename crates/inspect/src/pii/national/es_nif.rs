//! Spain: DNI of citizens and NIE of foreigners; the last letter is a check letter modulo 23.

use super::{Id, number};
use crate::context::ContextWords;

pub(super) const DNI: Id = Id {
    r#type: "ES_DNI",
    detector: "pii/es_dni",
    shapes: &["99999999A", "99999999-A", "99.999.999-A"],
    valid: is_dni,
    rule: "eight digits with a valid check letter",
    words: ContextWords::new(&["dni", "nif", "documento", "identidad"]),
    named: 0.95,
    marked: 0.6,
    bare: 0.0,
    called: None,
};

pub(super) const NIE: Id = Id {
    r#type: "ES_NIE",
    detector: "pii/es_nie",
    shapes: &["A9999999A", "A-9999999-A"],
    valid: is_nie,
    rule: "X, Y or Z and seven digits, with a valid check letter",
    words: ContextWords::new(&["nie", "extranjero", "nif"]),
    named: 0.95,
    marked: 0.65,
    bare: 0.0,
    called: None,
};

const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

fn is_dni(written: &[u8]) -> bool {
    written[8] == LETTERS[(number(&written[..8]) % 23) as usize]
}

fn is_nie(written: &[u8]) -> bool {
    let first = match written[0] {
        letter @ b'X'..=b'Z' => u64::from(letter - b'X'),
        _ => return false,
    };
    written[8] == LETTERS[((first * 10_000_000 + number(&written[1..8])) % 23) as usize]
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_letter_must_be_right() {
        check("DNI 12345678Z", &[("ES_DNI", "12345678Z")]);
        check("12345678-Z", &[("ES_DNI", "12345678-Z")]);
        check("NIE X1234567L", &[("ES_NIE", "X1234567L")]);
        check("DNI 12345678A, NIE X1234567A, A1234567L", &[]);
    }
}
