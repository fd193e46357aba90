//! Payment card numbers: length, issuer range and Luhn digit.

use super::{ends_alone, hit};
use crate::context::{near, run};
use crate::finding::Hit;

const CARD_WORDS: &[&str] = &[
    "card",
    "cards",
    "credit",
    "debit",
    "visa",
    "mastercard",
    "amex",
    "cvv",
    "cvc",
    "pan",
    "expires",
    "expiry",
    "payment",
];
const OTHER_NUMBER_WORDS: &[&str] =
    &["order", "tracking", "invoice", "ticket", "reference", "ref", "isbn", "imei", "serial", "timestamp"];
const DIGITS_MIN: usize = 13;
const DIGITS_MAX: usize = 19;
/// As printed on cards. The longer comes later: a security code often follows a number of sixteen.
const GROUPINGS: [&[usize]; 4] = [&[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 4, 4, 3]];

pub(super) fn at(text: &str, start: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let length = run(&bytes[start..], DIGITS_MAX + 1, |byte| byte.is_ascii_digit());
    if length == 4 {
        return GROUPINGS.iter().find_map(|grouping| grouped(text, start, grouping));
    }
    let end = start + length;
    if !(DIGITS_MIN..=DIGITS_MAX).contains(&length) || !ends_alone(bytes, end) {
        return None;
    }
    judge(text, start, end, false)
}

fn grouped(text: &str, start: usize, grouping: &[usize]) -> Option<Hit> {
    let bytes = text.as_bytes();
    let separator = *bytes.get(start + 4).filter(|byte| matches!(byte, b' ' | b'-'))?;
    let mut end = start;
    for (index, &length) in grouping.iter().enumerate() {
        if index > 0 {
            (bytes.get(end) == Some(&separator)).then_some(())?;
            end += 1;
        }
        (run(&bytes[end..], length + 1, |byte| byte.is_ascii_digit()) == length).then_some(())?;
        end += length;
    }
    ends_alone(bytes, end).then(|| judge(text, start, end, true))?
}

fn judge(text: &str, start: usize, end: usize, grouped: bool) -> Option<Hit> {
    let digits: Vec<u8> =
        text.as_bytes()[start..end].iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect();
    if !luhn(&digits) || digits.iter().all(|&digit| digit == digits[0]) {
        return None;
    }
    let range = start..end;
    let context = near(text, &range, CARD_WORDS);
    let other = !context && near(text, &range, OTHER_NUMBER_WORDS);
    let issuer = issuer(&digits);
    let score = match (issuer, context) {
        (Some(_), true) => 0.98,
        // Grouped as on a card: whatever stands near, it is one.
        (Some(_), false) if grouped => 0.9,
        (Some(_), false) if other => 0.4,
        (Some(_), false) if digits.len() > DIGITS_MIN => 0.75,
        (None, true) => 0.6,
        _ => 0.2,
    };
    let explanation = format!(
        "{} digits, Luhn digit right, issuer range: {}, card words near: {}{}",
        digits.len(),
        issuer.unwrap_or("none"),
        yes_no(context),
        if other { ", words of another number near" } else { "" }
    );
    Some(hit("CREDIT_CARD", "pii/credit_card", range, score, explanation))
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| {
            let doubled = if place % 2 == 1 { u32::from(digit) * 2 } else { u32::from(digit) };
            if doubled > 9 { doubled - 9 } else { doubled }
        })
        .sum();
    sum.is_multiple_of(10)
}

fn issuer(digits: &[u8]) -> Option<&'static str> {
    let prefix = digits.iter().take(4).fold(0_u32, |number, &digit| number * 10 + u32::from(digit));
    match (prefix, digits.len()) {
        (4000..=4999, 13 | 16 | 19) => Some("Visa"),
        (5100..=5599 | 2221..=2720, 16) => Some("Mastercard"),
        (3400..=3499 | 3700..=3799, 15) => Some("American Express"),
        (6011 | 6440..=6599, 16..=19) => Some("Discover"),
        (3000..=3059 | 3600..=3699 | 3800..=3999, 14..=19) => Some("Diners Club"),
        (3528..=3589, 16..=19) => Some("JCB"),
        (6200..=6299, 16..=19) => Some("UnionPay"),
        (2200..=2204, 16..=19) => Some("Mir"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn a_card_number_is_found_as_people_write_it() {
        check("4111 1111 1111 1111", &[("CREDIT_CARD", "4111 1111 1111 1111")]);
        check("Pay 5500-0055-5555-5559 now", &[("CREDIT_CARD", "5500-0055-5555-5559")]);
        check("amex 3782 822463 10005.", &[("CREDIT_CARD", "3782 822463 10005")]);
        check("(4012888888881881)", &[("CREDIT_CARD", "4012888888881881")]);
        check("diners 3056 930902 5904", &[("CREDIT_CARD", "3056 930902 5904")]);
        check("4111 1111 1111 1111 123", &[("CREDIT_CARD", "4111 1111 1111 1111")]);
        check("card 4222222222222", &[("CREDIT_CARD", "4222222222222")]);
        check("reference 4111 1111 1111 1111", &[("CREDIT_CARD", "4111 1111 1111 1111")]);
        check(r#"{"id":"","x":"4012888888881881"}"#, &[("CREDIT_CARD", "4012888888881881")]);
    }

    #[test]
    fn a_card_number_that_fails_luhn_is_not_pii() {
        check("4111 1111 1111 1112", &[]);
        check("card 4111111111111112", &[]);
        check("0000 0000 0000 0000", &[]);
    }

    #[test]
    fn part_of_a_longer_number_is_no_card() {
        check("41111111111111111111111", &[]);
        check("x4111111111111111", &[]);
        check("0.4111111111111111", &[]);
        check("4111111111111111-4111", &[]);
        check("id_4111111111111111", &[]);
    }

    #[test]
    fn a_chance_luhn_number_is_uncertain() {
        check_uncertain("9111111111111110", &[("CREDIT_CARD", "9111111111111110")]);
        check_uncertain("Your order 4111111111111111 shipped", &[("CREDIT_CARD", "4111111111111111")]);
        check_uncertain("4222222222222", &[("CREDIT_CARD", "4222222222222")]);
    }
}
