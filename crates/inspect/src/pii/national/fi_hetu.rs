//! Finland: personal identity codes; a date of birth, a sign for the century and a check character.

use super::{Id, is_day, number};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "FI_HETU",
    detector: "pii/fi_hetu",
    shapes: &["999999-999X", "999999A999X", "999999+999X"],
    valid: is_valid,
    rule: "a date of birth, a serial number and a valid check character",
    words: ContextWords::new(&["henkilötunnus", "hetu", "personal identity code"]),
    named: 0.95,
    marked: 0.8,
    bare: 0.0,
    called: None,
};

fn is_valid(written: &[u8]) -> bool {
    let Some((&check, serial)) = written.get(written.len() - 4..).and_then(<[u8]>::split_last) else { return false };
    let digits = number(&written[..6]) * 1000 + number(serial);
    let character = b"0123456789ABCDEFHJKLMNPRSTUVWXY"[(digits % 31) as usize];
    is_day(&written[..2], &written[2..4]) && serial.iter().all(u8::is_ascii_digit) && check == character
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_check_character_must_be_right() {
        check("131052-308T", &[("FI_HETU", "131052-308T")]);
        check("131052A308T", &[("FI_HETU", "131052A308T")]);
        check("131052-308U and 131352-308T", &[]);
    }
}
