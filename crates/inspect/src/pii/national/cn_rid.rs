//! China: resident identity numbers; eighteen characters with a date of birth and a check character.

use super::{Id, check_digits::weighted, is_day, number};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "CN_RID",
    detector: "pii/cn_rid",
    shapes: &["999999999999999999", "99999999999999999A"],
    valid: is_valid,
    rule: "eighteen characters with a date of birth and a valid check character",
    words: ContextWords::new(&["id card", "resident", "identity", "身份证"]),
    named: 0.96,
    marked: 0.8,
    bare: 0.8,
    called: None,
};

fn is_valid(written: &[u8]) -> bool {
    let sum = weighted(&written[..17], &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    let born = &written[6..14];
    written[17] == b"10X98765432"[(sum % 11) as usize]
        && (1900..2100).contains(&number(&born[..4]))
        && is_day(&born[6..], &born[4..6])
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn date_and_check_character_must_be_right() {
        check("身份证11010519491231002X。", &[("CN_RID", "11010519491231002X")]);
        check("110105194912310021 and 11010519491331002X", &[]);
    }
}
