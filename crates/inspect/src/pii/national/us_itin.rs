//! United States: taxpayer identification numbers for people without a social security number.

use super::{Id, number};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "US_ITIN",
    detector: "pii/us_itin",
    shapes: &["999-99-9999", "999999999"],
    valid: is_issuable,
    rule: "nine digits that start with 9, with a middle pair that is issued",
    words: ContextWords::new(&["itin", "taxpayer", "tax id", "irs"]),
    named: 0.95,
    marked: 0.65,
    bare: 0.0,
    called: Some(ContextWords::new(&["itin"])),
};

fn is_issuable(digits: &[u8]) -> bool {
    digits[0] == b'9' && matches!(number(&digits[3..5]), 50..=65 | 70..=88 | 90..=92 | 94..=99)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_starts_with_nine() {
        check("ITIN 912-70-1234", &[("US_ITIN", "912-70-1234")]);
        check("itin: 912701234", &[("US_ITIN", "912701234")]);
        check("912-12-1234 and 912701234", &[]);
        check("ITIN 912-12-1234", &[("US_ITIN", "912-12-1234")]);
    }
}
