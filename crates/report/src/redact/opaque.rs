//! Finds strings that are not words: handles, encoded text, random ids, network addresses, licence plates, and tokens that mix
//! letters and digits.

use countersign_inspect::word_lists;

use super::{
    lexicon::{self, is_brand},
    number,
    person::{FieldKind, is_latin},
    reference,
    span::{ADDRESS, MaskedSpan, NAME, NUMBER, TEXT},
    token::{TextToken, TokenShape},
};

/// The inspectors' type for network addresses.
const NETWORK: &str = "IP_ADDRESS";
/// The minimum length of a run of letters and digits that may be encoded text.
const ENCODED_CHARS_MIN: usize = 12;

pub(super) fn spans(text: &str, tokens: &[TextToken], field_kind: FieldKind, spans: &mut Vec<MaskedSpan>) {
    let is_latin = |token: &&TextToken| text[token.start..token.end].chars().all(is_latin);
    for token in tokens.iter().filter(|token| token.shape == TokenShape::Mixed).filter(is_latin) {
        if let Some(mask) = mixed_token_mask(token, field_kind) {
            spans.push(MaskedSpan::new(token.start..token.end, mask));
        }
    }
    for (start, chunk) in chunks(text) {
        let inner = chunk.trim_matches(|letter: char| !letter.is_alphanumeric());
        let from = start + chunk.find(inner).unwrap_or_default();
        if reference::is_random(inner) || is_encoded(inner) || chunk.contains("///") {
            spans.push(MaskedSpan::new(from..from + inner.len(), TEXT));
        }
        if is_network(inner) {
            spans.push(MaskedSpan::new(start..start + chunk.len(), NETWORK));
        }
        handle(start, chunk, spans);
    }
    plates(text, tokens, spans);
}

/// The parts between blanks, with their offsets.
fn chunks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split(' ').map(move |chunk| {
        let at = start;
        start += chunk.len() + 1;
        (at, chunk)
    })
}

/// The mask for a token of letters and digits: a name for an unknown word (`murungi81`), a number for too many digits
/// (`C01X00T47`). `None` if it may stay.
fn mixed_token_mask(token: &TextToken, field_kind: FieldKind) -> Option<&'static str> {
    const DIGITS_MAX: usize = 4;
    const CHARS_MIN: usize = 4;
    if is_brand(&token.plain) && field_kind == FieldKind::Merchant {
        return None;
    }
    let is_letter_run = |run: &&str| !run.is_empty();
    let runs = || token.plain.split(|letter: char| letter.is_numeric()).filter(is_letter_run);
    if runs().any(|run| run.chars().count() > 2 && !is_harmless(run)) {
        return Some(NAME);
    }
    let is_unit = |run: &str| UNITS.contains(&run);
    let is_odd = runs().any(|run| run.len() == 2 && !is_unit(run)) || runs().count() > 1;
    let is_unit_only = runs().all(is_unit) && runs().count() == 1;
    let is_number = token.digits() > DIGITS_MAX
        || token.digits() >= DIGITS_MAX && !is_unit_only
        || is_odd && token.digits() >= 2 && token.plain.len() >= CHARS_MIN;
    is_number.then_some(NUMBER)
}

fn is_harmless(run: &str) -> bool {
    let (lists, word) = (word_lists(run), lexicon::own_lists(run));
    let is_listed = lists.ordinary || lists.thing || word.is_ordinary || word.is_shop || is_brand(run);
    is_listed && !lists.first_name && !lists.last_name || UNITS.contains(&run)
}

const UNITS: &[&str] = &[
    "h", "d", "m", "s", "x", "k", "km", "kmh", "am", "pm", "kg", "th", "st", "nd", "rd", "ml", "gb", "mb", "tb", "min",
    "hr", "hrs", "eur", "usd", "gbp", "ds", "er", "e", "o", "a", "pct", "cl", "cm", "mm", "kw", "kwh", "mo", "yr",
    "fa", "nx",
];

/// `@ann_roe`, `#annroe`.
fn handle(start: usize, chunk: &str, spans: &mut Vec<MaskedSpan>) {
    for (at, _) in chunk.match_indices(['@', '#']) {
        let name = &chunk[at + 1..];
        let name = name.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        if name.starts_with(char::is_alphabetic) {
            spans.push(MaskedSpan::new(start + at..start + at + 1 + name.len(), NAME));
        } else if at > 0 && chunk[..at].ends_with(char::is_alphabetic) && !name.is_empty() {
            // `ann#4821`
            spans.push(MaskedSpan::new(start..start + at + 1 + name.len(), NAME));
        }
    }
}

/// Whether upper case, lower case and digits alternate too often for a word, as in Base64 or keys.
fn is_encoded(chunk: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte);
    if chunk.len() < ENCODED_CHARS_MIN || !chunk.bytes().all(is_part) {
        return false;
    }
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let changes = chunk.as_bytes().windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
    let has_digit = chunk.bytes().any(|byte| byte.is_ascii_digit());
    let alternates = if has_digit { changes * 3 >= chunk.len() } else { changes * 5 >= chunk.len() * 2 };
    let alternates = alternates && !is_brand(&chunk.to_ascii_lowercase());
    alternates && chunk.bytes().any(|byte| byte.is_ascii_alphabetic()) && !chunk.contains(['-', '/'])
        || chunk.len() >= 16 && chunk.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a string consists of groups of hexadecimal digits with colons: a network or hardware address. A time of day
/// doesn't count.
pub(super) fn is_network(chunk: &str) -> bool {
    let is_hex = |group: &str| group.len() <= 4 && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    let groups: Vec<&str> = chunk.split(':').collect();
    let is_time = groups.len() <= 3 && groups.iter().all(|group| group.len() <= 2);
    groups.len() >= 3 && !is_time && groups.iter().all(|group| is_hex(group)) || is_hardware_address(chunk)
}

/// `001B.4411.3AB7`, `00-1B-44-11-3A-B7`.
fn is_hardware_address(chunk: &str) -> bool {
    let is_split = |mark: char, len: usize, count: usize| {
        let mut groups = chunk.split(mark);
        groups.clone().count() == count
            && groups.all(|group| group.len() == len && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    is_split('.', 4, 3) || is_split('-', 2, 6)
}

/// `AB12 CDE`, `1234 BCD`, `B XY 987`: licence plates, by the shapes of their groups. Also coordinates in degrees.
fn plates(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    let is_upper = |token: &TextToken| {
        let written = &text[token.start..token.end];
        written.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    let kinds = |token: &TextToken| -> String {
        token.plain.chars().map(|letter| if letter.is_ascii_digit() { '9' } else { 'a' }).collect()
    };
    let is_money = |token: &TextToken| number::is_currency(&token.plain.to_ascii_uppercase());
    for (at, one) in tokens.iter().enumerate().filter(|(_, token)| is_upper(token)) {
        let next = |nth: usize| tokens.get(at + nth).filter(|token| is_upper(token) && token.start - one.end <= 8);
        let shape: Vec<String> = [Some(one), next(1), next(2)].into_iter().flatten().map(kinds).collect();
        let shape: Vec<&str> = shape.iter().map(String::as_str).collect();
        let len = match shape[..] {
            ["aa99", "aaa", ..] | ["9999", "aaa", ..] => 2,
            ["aa", "999", "aa"] | ["a" | "aa" | "aaa", "a" | "aa", "9" | "99" | "999" | "9999"] => 3,
            _ => continue,
        };
        if let Some(last) = tokens.get(at + len - 1).filter(|last| !is_money(last) && !is_money(one)) {
            spans.push(MaskedSpan::new(one.start..last.end, NUMBER));
        }
    }
    // Degrees: `51°32'28"N`.
    if let Some(at) = text.find('°').filter(|at| text[..*at].ends_with(|letter: char| letter.is_ascii_digit()))
        && text[at..].contains(['\'', '′', '"', 'N', 'S', 'E', 'W'])
    {
        let start = text[..at].rfind(' ').map_or(0, |blank| blank + 1);
        spans.push(MaskedSpan::new(start..text.len(), ADDRESS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::{span::masked, token::tokens};

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        spans(text, &tokens(text), FieldKind::Prose, &mut found);
        assert_eq!(masked(text, found, 999), expected, "{text}");
    }

    #[test]
    fn strings_that_identify_a_person_are_masked() {
        for (text, expected) in [
            ("murungi81 paid", "[NAME] paid"),
            ("for @lwazi_m and #lwazim", "for [NAME] and [NAME]"),
            ("lwazi#4821", "[NAME]"),
            ("ref K7T9P3ZZ", "ref [NUMBER]"),
            ("reg CD34 EFG", "reg [NUMBER]"),
            ("at 2001:db8:1f::9a", "at [IP_ADDRESS]"),
            ("TWFyaXNvbCBRdWlzcGU=", "[TEXT]="),
            ("9b2d5c44-1e0f-4a77-9c3b-0d2f6a81e5b7", "[TEXT]"),
            ("w3w ///table.lamp.river", "w3w ///[TEXT]"),
            ("48°51'24\"N 2°21'03\"E", "[ADDRESS]"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn figures_with_units_are_kept() {
        for text in
            ["24h", "1h", "12th", "3ds failed", "100km", "20kg", "flat 4b", "at 12:30:45", "USD 250 EUR", "5pm", "0x10"]
        {
            check(text, text);
        }
    }
}
