//! Finds payment card numbers by length, issuer range and Luhn digit.
//!
//! A number in an issuer's range counts anywhere, unless the word directly before it names it as a different number
//! ("order number", "tracking code"). A number outside every issuer's range counts only near a word about cards.

use super::{ends_alone, hit, label, letters_after, letters_before, luhn, stands_alone, yes_no};
use crate::context::{ContextWords, char_before, distance, distance_before, run};
use crate::finding::Hit;

static CARD_WORDS: ContextWords = ContextWords::new(&[
    "card",
    "cards",
    "credit",
    "debit",
    "visa",
    "mastercard",
    "maestro",
    "amex",
    "cc",
    "cvv",
    "cvc",
    "pan",
    "expires",
    "expiry",
    "payment",
    "tarjeta",
    "karte",
    "kreditkarte",
    "carte",
]);
static OTHER_NUMBER_WORDS: ContextWords = ContextWords::new(&[
    "order",
    "orders",
    "tracking",
    "track",
    "parcel",
    "shipment",
    "invoice",
    "ticket",
    "case",
    "reference",
    "ref",
    "confirmation",
    "booking",
    "isbn",
    "ean",
    "gtin",
    "upc",
    "barcode",
    "sku",
    "imei",
    "serial",
    "timestamp",
    "epoch",
    "transaction id",
    "session",
    "build",
    "hash",
]);
/// How far before a number a word such as "order" may start that names it as a different number.
const OTHER_WORD_BYTES: usize = 64;
const DIGITS_MIN: usize = 12;
const DIGITS_MAX: usize = 19;
const GROUPS_MAX: usize = 5;
const GROUP_DIGITS_MAX: usize = 6;
/// The digit groups printed on cards. The longest is tried late, because a security code often follows a number of
/// sixteen digits.
const GROUPINGS: [&[usize]; 5] = [&[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 4, 4, 3], &[4, 4, 5]];

/// Checks a run of `length` digits at `start`.
pub(super) fn at(text: &str, start: usize, length: usize) -> Option<Hit> {
    if length == 4 {
        return grouped(text, start);
    }
    let end = start + length;
    if !(DIGITS_MIN..=DIGITS_MAX).contains(&length) || !ends_alone(text.as_bytes(), end) {
        return None;
    }
    judge(text, start, end, false)
}

/// The shortest number that is checked when letters or other text are attached to it.
pub(super) const GLUED_DIGITS_MIN: usize = 15;

/// Checks a run of `length` digits at `start` with other text attached: `card_41…`, `…/41…/edit`, `41….00`, or another
/// card. Ids look like this too, so only the ranges of the large issuers count.
pub(super) fn glued_at(text: &str, start: usize, length: usize) -> Option<Hit> {
    let end = start + length;
    match length {
        15 | 16 => {
            let is_plain = stands_alone(text, start) && ends_alone(text.as_bytes(), end);
            let is_glued = !is_plain && is_of_large_issuer(&text.as_bytes()[start..end]);
            (is_glued && may_start(text, start, end) && may_end(text, end)).then(|| judge(text, start, end, false))?
        }
        // A number directly followed by its expiry date and possibly the security code.
        19 | 20 | 22..=24 => {
            let number = &text.as_bytes()[start..end];
            let is_dated = [15, 16].into_iter().any(|digits| {
                let (card, rest) = number.split_at(digits);
                matches!(rest.len(), 4 | 7 | 8) && is_expiry(&rest[..4]) && is_of_large_issuer(card)
            });
            let explanation =
                "a number with a valid Luhn check digit, in a known issuer range, and an expiry date".to_owned();
            is_dated.then(|| hit("CREDIT_CARD", "pii/credit_card", start..end, 0.6, explanation))
        }
        30..=32 => {
            let number = &text.as_bytes()[start..end];
            let are_cards = [15, 16].into_iter().any(|first| {
                let (one, other) = number.split_at(first);
                is_of_large_issuer(one) && is_of_large_issuer(other)
            });
            let explanation =
                "two numbers in a row, each with a valid Luhn check digit, in a known issuer range".to_owned();
            are_cards.then(|| hit("CREDIT_CARD", "pii/credit_card", start..end, 0.75, explanation))
        }
        _ => None,
    }
}

/// Whether four digits are a month and a year from 2020 to 2045, in either order.
fn is_expiry(digits: &[u8]) -> bool {
    let [a, b, c, d] = digits.iter().map(|digit| digit.wrapping_sub(b'0')).collect::<Vec<_>>()[..] else {
        return false;
    };
    let are_month_and_year = |month: u8, year: u8| (1..=12).contains(&month) && (20..=45).contains(&year);
    let (first, second) = (10 * a + b, 10 * c + d);
    are_month_and_year(first, second) || are_month_and_year(second, first)
}

fn is_of_large_issuer(number: &[u8]) -> bool {
    let is_in_range = match (number, number.len()) {
        ([b'4', ..] | [b'5', b'1'..=b'5', ..] | [b'6', b'5', ..] | [b'6', b'0', b'1', b'1', ..], 16) => true,
        ([b'2', ..], 16) => issuer(number, 16) == Some("Mastercard"),
        ([b'3', b'4' | b'7', ..], 15) => true,
        _ => false,
    };
    is_in_range && luhn(number)
}

/// Whether a card number may start here although other text is attached before it.
fn may_start(text: &str, start: usize, end: usize) -> bool {
    let before = &text[..start];
    match char_before(text, start) {
        Some('/') => true,
        // A list of numbers, rather than a decimal fraction.
        Some(',') if before.trim_end_matches(',').ends_with(|letter: char| letter.is_ascii_digit()) => {
            text[end..].starts_with(',')
        }
        Some('-' | '.' | '+' | ',') if !stands_alone(text, start) => {
            before[..start - 1].ends_with(|letter: char| letter.is_alphabetic() || letter == '_')
        }
        _ => letters_before(text, start).is_some(),
    }
}

/// Whether a card number may end here although other text is attached after it.
fn may_end(text: &str, end: usize) -> bool {
    match &text.as_bytes()[end..] {
        // An amount with two decimals.
        [b'.', b'0'..=b'9', b'0'..=b'9'] => true,
        [b'.', b'0'..=b'9', b'0'..=b'9', b'.', next, ..] => !next.is_ascii_digit(),
        [b'.', b'0'..=b'9', b'0'..=b'9', next, ..] => !next.is_ascii_alphanumeric(),
        [b'.', b'0'..=b'9'] => true,
        [b'.', b'0'..=b'9', next, ..] if !next.is_ascii_alphanumeric() && *next != b'.' => true,
        // A security code.
        [b'-', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9'] => true,
        [b'-', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', next, ..] if !next.is_ascii_alphanumeric() && *next != b'-' => {
            true
        }
        [b'/', ..] => true,
        [b'-' | b'.', ..] => ends_alone(text.as_bytes(), end),
        _ => letters_after(text, end).is_some(),
    }
}

/// Whether digits form a card number: in an issuer's range and with a valid Luhn digit.
pub(super) fn is_valid(digits: &[u8]) -> bool {
    issuer(digits, digits.len()).is_some() && luhn(digits)
}

/// Whether a word about cards occurs shortly before `at`.
pub(super) fn is_named(text: &str, at: usize) -> bool {
    distance_before(text, at, &CARD_WORDS, 48).is_some()
}

/// Matches a number in groups with the same separator between them, whose first group has four digits.
fn grouped(text: &str, start: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let separator = *bytes.get(start + 4).filter(|byte| matches!(byte, b' ' | b'-' | b'.'))?;
    let mut groups = [(0, 0); GROUPS_MAX];
    let (mut count, mut end) = (0, start);
    for group in &mut groups {
        let length = run(&bytes[end..], GROUP_DIGITS_MAX + 1, |byte| byte.is_ascii_digit());
        if !(3..=GROUP_DIGITS_MAX).contains(&length) {
            break;
        }
        end += length;
        *group = (length, end);
        count += 1;
        if bytes.get(end) != Some(&separator) {
            break;
        }
        end += 1;
    }
    GROUPINGS.iter().find_map(|grouping| {
        let written = groups[..count].get(..grouping.len())?;
        let is_match = written.iter().zip(*grouping).all(|((length, _), wanted)| length == wanted);
        let end = written.last().filter(|_| is_match)?.1;
        ends_alone(bytes, end).then(|| judge(text, start, end, true))?
    })
}

fn judge(text: &str, start: usize, end: usize, grouped: bool) -> Option<Hit> {
    let range = start..end;
    let number = &text.as_bytes()[range.clone()];
    if !luhn(number) || number.iter().filter(|byte| byte.is_ascii_digit()).all(|&byte| byte == number[0]) {
        return None;
    }
    let digits = number.iter().filter(|byte| byte.is_ascii_digit()).count();
    let issuer = issuer(number, digits);
    let card = distance(text, &range, &CARD_WORDS);
    // A number's label precedes it; a word after the number may refer to anything.
    let other = distance_before(text, start, &OTHER_NUMBER_WORDS, OTHER_WORD_BYTES);
    let other = other.filter(|other| card.is_none_or(|card| *other < card));
    // "Thanks for your order" does not describe the card number that follows; "order number 41…" does.
    let other = other.filter(|gap| issuer.is_none() || label::names_number(text, start - gap, start));
    let score = match (issuer, card.is_some(), other.is_some()) {
        (Some(_), true, false) => 0.98,
        // The number is grouped as on a card, so the words around it don't matter.
        (Some(_), ..) if grouped => 0.9,
        (Some(_), true, true) => 0.6,
        (Some(_), false, true) => 0.4,
        (Some(_), false, false) if digits > 13 => 0.75,
        (Some(_), false, false) => 0.6,
        (None, true, false) => 0.6,
        (None, ..) => 0.2,
    };
    let explanation = format!(
        "{digits} digits with a valid Luhn check digit; issuer range: {}; words for a card nearby: {}{}",
        issuer.unwrap_or("none"),
        yes_no(card.is_some()),
        if other.is_some() { "; after a word for another kind of number" } else { "" }
    );
    Some(hit("CREDIT_CARD", "pii/credit_card", range, score, explanation))
}

fn issuer(number: &[u8], digits: usize) -> Option<&'static str> {
    let prefix = number.iter().take(4).fold(0_u32, |prefix, byte| prefix * 10 + u32::from(byte.wrapping_sub(b'0')));
    match (prefix, digits) {
        (4000..=4999, 13 | 16 | 19) => Some("Visa"),
        (5100..=5599 | 2221..=2720, 16) => Some("Mastercard"),
        (3400..=3499 | 3700..=3799, 15) => Some("American Express"),
        (6011 | 6440..=6599, 16..=19) => Some("Discover"),
        (3000..=3059 | 3600..=3699 | 3800..=3999, 14..=19) => Some("Diners Club"),
        (3500..=3599, 16..=19) | (1800 | 2131, 15) => Some("JCB"),
        (6200..=6299, 16..=19) => Some("UnionPay"),
        (2200..=2204, 16..=19) => Some("Mir"),
        (604 | 5018 | 5020 | 5038 | 5600..=5899 | 6304 | 6390 | 6759 | 6761..=6763, 12..=19) => Some("Maestro"),
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
        check("id-4111 1111 1111 1111", &[("CREDIT_CARD", "4111 1111 1111 1111")]);
        check("card4111-1111-1111-1111", &[("CREDIT_CARD", "4111-1111-1111-1111")]);
        check("charge 4242424242424242 for the July invoice", &[("CREDIT_CARD", "4242424242424242")]);
        check("reference 4111 1111 1111 1111", &[("CREDIT_CARD", "4111 1111 1111 1111")]);
        check(r#"{"id":"","x":"4012888888881881"}"#, &[("CREDIT_CARD", "4012888888881881")]);
        check("卡号4012888888881881。", &[("CREDIT_CARD", "4012888888881881")]);
    }

    #[test]
    fn a_bare_number_in_an_issuers_range_needs_no_word() {
        for number in ["4222222222222", "4012888888881881", "501800000009", "180000000000002", "30569309025904"] {
            check(&format!("Is {number} still good?"), &[("CREDIT_CARD", number)]);
        }
    }

    #[test]
    fn a_card_number_that_fails_luhn_is_not_pii() {
        check("4111 1111 1111 1112", &[]);
        check("card 4111111111111112", &[]);
        check("0000 0000 0000 0000", &[]);
    }

    #[test]
    fn part_of_a_longer_number_is_not_a_card() {
        check("41111111111111111111111", &[]);
        check("0.4111111111111111", &[]);
        check("4111111111111111-4111", &[]);
    }

    #[test]
    fn a_number_attached_to_a_word_is_found() {
        for (before, after) in [
            ("card_", ""),
            ("x", ""),
            ("", "x"),
            ("x", "x"),
            ("é", ""),
            ("card", "end"),
            ("card_", "_end"),
            ("https://a.example/", ""),
            ("https://a.example/", "/edit"),
            ("", ".00"),
            ("$", ".00."),
            ("%B", "^KOVACS/MARIA^27121010000000000?"),
            ("chatcmpl-", ""),
            ("card,", ",12/27"),
            ("7,", ",12"),
        ] {
            for number in ["4539526018159083", "371431373537990", "2223176031372159"] {
                check(&format!("Here {before}{number}{after}"), &[("CREDIT_CARD", number)]);
            }
        }
        for glued in ["45395260181590831227", "45395260181590831227123", "3714313735379901227", "45395260181590832712"]
        {
            check(&format!("Here {glued}"), &[("CREDIT_CARD", glued)]);
        }
        for other in ["45395260181590831327", "45395260181590841227", "45395260181590831299"] {
            check(&format!("Here {other}"), &[]);
        }
        let both = "45395260181590835425507529170342";
        check(both, &[("CREDIT_CARD", both)]);
    }

    #[test]
    fn an_id_or_a_fraction_that_contains_a_card_number_is_not_a_card() {
        for text in [
            "3.4539526018159083",
            "0,4539526018159083",
            "4539526018159083.123",
            "4539526018159083e15",
            "a1b4539526018159083",
            "4539526018159083f0",
            "snowflake_14539526018159083",
            "x4539526018159084",
            "x6212254282116734",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn a_number_that_passes_luhn_by_chance_is_uncertain() {
        check_uncertain("9111111111111110", &[("CREDIT_CARD", "9111111111111110")]);
        check_uncertain("Your order 4111111111111111 shipped", &[("CREDIT_CARD", "4111111111111111")]);
        check_uncertain("tracking code: 4111111111111111.", &[("CREDIT_CARD", "4111111111111111")]);
        for name in ["order number", "order no.", "Order #", "Order ID:", "tracking number is", "ref.", "Invoice:"] {
            check_uncertain(&format!("{name} 4539526018159083"), &[("CREDIT_CARD", "4539526018159083")]);
        }
        check_uncertain(r#"{"order_id": "4539526018159083"}"#, &[("CREDIT_CARD", "4539526018159083")]);
    }

    #[test]
    fn a_word_for_a_different_number_counts_only_if_it_names_this_one() {
        for text in [
            "Thanks for your order. It is 4539526018159083.",
            "The order is on its way. You paid with 4539526018159083 yesterday.",
            "Thanks for the order: 4539526018159083",
            "I closed the ticket, 4539526018159083",
            "Your invoice was paid by 4539526018159083",
            "The parcel left. Ref to 4539526018159083",
            "Thanks for the order.\n4539526018159083",
        ] {
            check(text, &[("CREDIT_CARD", "4539526018159083")]);
        }
    }
}
