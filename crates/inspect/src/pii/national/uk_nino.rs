//! United Kingdom: national insurance numbers; two letters, six digits, a final letter from A to D.

use super::Id;
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "UK_NINO",
    detector: "pii/uk_nino",
    shapes: &["AA999999A", "AA 99 99 99 A", "AA 999999 A", "AA-99-99-99-A"],
    valid: is_issuable,
    rule: "two letters, six digits and a letter from A to D, with a prefix that is issued",
    words: ContextWords::new(&["national insurance", "nino", "ni number", "ni no", "insurance number"]),
    named: 0.95,
    marked: 0.7,
    bare: 0.0,
    called: Some(ContextWords::new(&["national insurance", "nino", "ni number", "ni no"])),
};

fn is_issuable(number: &[u8]) -> bool {
    let (first, second, last) = (number[0], number[1], number[8]);
    !b"DFIQUV".contains(&first)
        && !b"DFIOQUV".contains(&second)
        && ![b"BG", b"GB", b"KN", b"NK", b"NT", b"TN", b"ZZ"].contains(&&[first, second])
        && (b'A'..=b'D').contains(&last)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_is_found_with_and_without_spaces() {
        check("NI number AB123456C.", &[("UK_NINO", "AB123456C")]);
        check("AB 12 34 56 C", &[("UK_NINO", "AB 12 34 56 C")]);
    }

    #[test]
    fn a_number_with_an_unissued_prefix_or_suffix_is_not_found() {
        check("QQ123456C and GB123456A and AB123456E and XAB123456C", &[]);
        check("National Insurance number: QQ 12 34 56 C", &[("UK_NINO", "QQ 12 34 56 C")]);
    }
}
