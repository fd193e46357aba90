//! India: permanent account numbers of the tax office; the fourth letter gives the type of holder.

use super::Id;
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "IN_PAN",
    detector: "pii/in_pan",
    shapes: &["AAAAA9999A"],
    valid: is_well_formed,
    rule: "five letters, four digits and a letter, with a fourth letter that is in use",
    words: ContextWords::new(&["pan", "permanent account", "income tax"]),
    named: 0.95,
    marked: 0.55,
    bare: 0.0,
    called: Some(ContextWords::new(&["pan", "pan card", "permanent account"])),
};

fn is_well_formed(number: &[u8]) -> bool {
    b"ABCFGHJLPT".contains(&number[3]) && &number[5..9] != b"0000"
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_fourth_letter_must_be_in_use() {
        check("PAN ABCPE1234F", &[("IN_PAN", "ABCPE1234F")]);
        check("ABCXE1234F and ABCPE12345 and XABCPE1234F", &[]);
    }
}
