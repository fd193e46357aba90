//! Germany: tax identification numbers; ten digits, among which a single one occurs twice or three times, and a check digit.

use super::{Id, check_digits::mod_11_10};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "DE_TAX_ID",
    detector: "pii/de_tax_id",
    shapes: &["99999999999", "99 999 999 999"],
    valid: is_valid,
    rule: "eleven digits, one of them repeated, with a valid check digit",
    words: ContextWords::new(&[
        "steuer-id",
        "steuerid",
        "steuer",
        "steueridentifikationsnummer",
        "identifikationsnummer",
        "idnr",
        "tin",
        "tax id",
        "tax identification",
        "tax number",
    ]),
    named: 0.93,
    marked: 0.3,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let mut counts = [0_u8; 10];
    for digit in &digits[..10] {
        counts[usize::from(digit - b'0')] += 1;
    }
    let repeated = counts.iter().filter(|&&count| count > 1).count() == 1 && counts.iter().all(|&count| count <= 3);
    digits[0] != b'0' && repeated && mod_11_10(digits)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn it_needs_a_context_word_and_a_valid_check_digit() {
        check("Steuer-ID 86095742719", &[("DE_TAX_ID", "86095742719")]);
        check("tax id: 86 095 742 719", &[("DE_TAX_ID", "86 095 742 719")]);
        check("Steuer-ID 86095742718", &[]);
        check("86095742719", &[]);
    }
}
