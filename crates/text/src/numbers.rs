//! Numbers as people write them: in digits, with the separators of several countries, and in English words.

use std::borrow::Cow;
use std::str::FromStr;

use rust_decimal::Decimal;

/// A number in a text, and how many decimals it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    pub value: Decimal,
    pub decimals: u32,
}

impl Quantity {
    pub fn whole(value: u64) -> Self {
        Self { value: Decimal::from(value), decimals: 0 }
    }

    /// Multiplies by a scale. `1.2 million` is exactly 1,200,000, so the result shows no decimals.
    pub fn times(self, factor: u64) -> Option<Self> {
        Some(Self { value: self.value.checked_mul(Decimal::from(factor))?, decimals: 0 })
    }
}

/// The number of digits that certainly fit an integer; longer numbers are parsed by the decimal type.
const DIGITS_MAX: usize = 17;

/// Reads `1250`, `1,250.00`, `1.250,00`, `1'250`, `0,75`. Returns `None` for text that is ambiguous or not a number.
pub fn in_digits(text: &str) -> Option<Quantity> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Quantity { value: value_of_digits(text, ',', "")?, decimals: 0 });
    }
    let text = if text.contains('\'') { Cow::Owned(text.replace('\'', ",")) } else { Cow::Borrowed(text) };
    let (at, separator) = match (text.rfind(','), text.rfind('.')) {
        (Some(comma), Some(point)) if point > comma => (point, ','),
        (Some(comma), Some(_)) => (comma, '.'),
        // Commas separate thousands if the groups fit or there are several commas. Otherwise the comma separates decimals.
        (Some(comma), None) if is_grouped(&text, ',') || text[..comma].contains(',') => (text.len(), ','),
        (Some(comma), None) => (comma, '.'),
        (None, Some(point)) if text[..point].contains('.') => (text.len(), '.'),
        (None, Some(point)) => (point, ','),
        (None, None) => return None,
    };
    let (whole, decimals) = (&text[..at], text.get(at + 1..).unwrap_or(""));
    if whole.contains(separator) && !is_grouped(whole, separator) {
        return None;
    }
    let value = value_of_digits(whole, separator, decimals)?;
    Some(Quantity { value, decimals: u32::try_from(decimals.len()).ok()? })
}

/// Reads the digits before and after the decimal separator. `separator` may group those of `whole`.
fn value_of_digits(whole: &str, separator: char, decimals: &str) -> Option<Decimal> {
    if whole.is_empty() {
        return None;
    }
    let mut value = 0_i64;
    for byte in whole.bytes().filter(|byte| char::from(*byte) != separator).chain(decimals.bytes()) {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value.wrapping_mul(10).wrapping_add(i64::from(byte - b'0'));
    }
    if whole.len() + decimals.len() > DIGITS_MAX {
        let whole = whole.replace(separator, "");
        return Decimal::from_str(&format!("{whole}.{decimals}0")).ok();
    }
    // One decimal more than the text shows, as for longer numbers.
    Some(Decimal::new(value * 10, u32::try_from(decimals.len()).ok()? + 1))
}

/// Groups of three (or, as in India, of two before the last) after a first group of one to three.
fn is_grouped(text: &str, separator: char) -> bool {
    let mut groups = text.split(separator).map(str::len);
    let (Some(first), Some(3)) = (groups.next(), groups.next_back()) else { return false };
    (1..=3).contains(&first) && (groups.clone().all(|len| len == 3) || groups.all(|len| len == 2) && first < 3)
}

/// Writes plain decimal text with separated thousands: `-12480.50` becomes `-12,480.50`.
pub fn with_thousands(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let whole_len = digits.find('.').unwrap_or(digits.len());
    let (whole, decimals) = digits.split_at(whole_len);
    let mut separated = String::with_capacity(text.len() + whole_len / 3);
    separated.push_str(sign);
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole_len - at).is_multiple_of(3) {
            separated.push(',');
        }
        separated.push(digit);
    }
    separated.push_str(decimals);
    separated
}

/// A word of a number: `seven`, `forty`, `hundred`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberWord {
    /// Zero to nineteen.
    Unit(u64),
    /// Twenty to ninety.
    Ten(u64),
    Dozen,
    Hundred,
    /// Thousand and more.
    Scale(u64),
}

/// Zero to nineteen, in words.
pub const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

/// Twenty to ninety, in words.
pub const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// First to twentieth, in words.
pub const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// Reads a word in lower case. The common misspelling `fourty` is accepted.
pub fn number_word(word: &str) -> Option<NumberWord> {
    match word {
        "dozen" => Some(NumberWord::Dozen),
        "hundred" => Some(NumberWord::Hundred),
        "fourty" => Some(NumberWord::Ten(40)),
        _ => scale(word)
            .map(NumberWord::Scale)
            .or_else(|| position(&UNITS, word).map(NumberWord::Unit))
            .or_else(|| position(&TENS, word).map(|at| NumberWord::Ten(at * 10 + 20))),
    }
}

fn position(words: &[&str], word: &str) -> Option<u64> {
    words.iter().position(|known| *known == word).map(|at| at as u64)
}

/// The factor of `thousand`, `million`, `k`, `bn` and the like, given in lower case.
pub fn scale(word: &str) -> Option<u64> {
    Some(match word {
        "thousand" | "k" => 1_000,
        "million" | "mn" | "mio" => 1_000_000,
        "billion" | "bn" => 1_000_000_000,
        "trillion" => 1_000_000_000_000,
        _ => return None,
    })
}

/// The number that these words make; `None` if they make no number, as in `one two five`.
pub fn in_words(words: &[NumberWord]) -> Option<u64> {
    let (mut total, mut group) = (0_u64, 0_u64);
    // The next word's value must be below these: `room` within a group, `scale_room` from group to group.
    let (mut room, mut scale_room) = (u64::MAX, u64::MAX);
    for word in words {
        match *word {
            NumberWord::Unit(value) => {
                // After twenty only one to nine, after a hundred anything below a hundred.
                if room <= value || (room == 10 && value == 0) {
                    return None;
                }
                (group, room) = (group.checked_add(value)?, 0);
            }
            NumberWord::Ten(value) => {
                if room < 100 {
                    return None;
                }
                (group, room) = (group.checked_add(value)?, 10);
            }
            NumberWord::Dozen => (group, room) = (group.max(1).checked_mul(12)?, 0),
            NumberWord::Hundred => {
                if group >= 100 {
                    return None;
                }
                (group, room) = (group.max(1).checked_mul(100)?, 100);
            }
            NumberWord::Scale(factor) => {
                if factor >= scale_room {
                    return None;
                }
                total = total.checked_add(group.max(1).checked_mul(factor)?)?;
                (group, room, scale_room) = (0, u64::MAX, factor);
            }
        }
    }
    total.checked_add(group)
}

/// Reads an ordinal in lower case: 1 to 20 for `first` to `twentieth`, and 30 for `thirtieth`.
pub fn ordinal(word: &str) -> Option<u64> {
    match word {
        "thirtieth" => Some(30),
        _ => position(&ORDINALS, word).map(|at| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_are_read_with_the_separators_of_several_countries() {
        for (text, value, decimals) in [
            ("1250", "1250", 0),
            ("1,250.00", "1250", 2),
            ("1.250,00", "1250", 2),
            ("1,250", "1250", 0),
            ("1.250", "1.25", 3),
            ("1'250.5", "1250.5", 1),
            ("0,75", "0.75", 2),
            ("12,34,567", "1234567", 0),
            ("1.234.567", "1234567", 0),
            ("1,234,567.89", "1234567.89", 2),
        ] {
            let read = in_digits(text).map(|number| (number.value.normalize().to_string(), number.decimals));
            assert_eq!(read, Some((value.to_owned(), decimals)), "{text}");
        }
        for text in ["1,25,0", "1.2.3", "1,2,3", "1,250.00.0", ""] {
            assert_eq!(in_digits(text), None, "{text}");
        }
    }

    #[test]
    fn thousands_are_separated_before_the_decimals_only() {
        for (text, separated) in [
            ("7", "7"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-12480.5678", "-12,480.5678"),
            ("100000", "100,000"),
            ("1234567", "1,234,567"),
        ] {
            assert_eq!(with_thousands(text), separated);
        }
    }

    #[test]
    fn words_that_make_a_number_are_read_and_others_are_not() {
        for (text, value) in [
            ("zero", Some(0)),
            ("forty two", Some(42)),
            ("twelve hundred fifty", Some(1_250)),
            ("one hundred five", Some(105)),
            ("three million two hundred thousand seven", Some(3_200_007)),
            ("two dozen", Some(24)),
            ("hundred", Some(100)),
            ("one two five zero", None),
            ("five twenty", None),
            ("twenty eleven", None),
            ("thousand million", None),
        ] {
            let parts: Vec<NumberWord> = text.split(' ').filter_map(number_word).collect();
            assert_eq!(in_words(&parts), value, "{text}");
        }
    }

    #[test]
    fn ordinals_are_read() {
        for (word, value) in [("first", 1), ("third", 3), ("twentieth", 20), ("thirtieth", 30)] {
            assert_eq!(ordinal(word), Some(value), "{word}");
        }
        assert_eq!(ordinal("three"), None);
    }

    /// A number below a thousand, in words.
    fn spelt_group(number: u64) -> String {
        let below_hundred = |number: u64| match number {
            0..20 => UNITS[number as usize].to_owned(),
            _ if number.is_multiple_of(10) => TENS[number as usize / 10 - 2].to_owned(),
            _ => format!("{} {}", TENS[number as usize / 10 - 2], UNITS[number as usize % 10]),
        };
        match (number / 100, number % 100) {
            (0, rest) => below_hundred(rest),
            (hundreds, 0) => format!("{} hundred", UNITS[hundreds as usize]),
            (hundreds, rest) => format!("{} hundred {}", UNITS[hundreds as usize], below_hundred(rest)),
        }
    }

    fn spelt(number: u64) -> String {
        let scales = [
            (1_000_000_000_000, " trillion"),
            (1_000_000_000, " billion"),
            (1_000_000, " million"),
            (1_000, " thousand"),
        ];
        let mut parts: Vec<String> = Vec::new();
        let mut rest = number;
        for (factor, name) in scales {
            if rest >= factor {
                parts.push(spelt_group(rest / factor) + name);
                rest %= factor;
            }
        }
        if rest > 0 || parts.is_empty() {
            parts.push(spelt_group(rest));
        }
        parts.join(" ")
    }

    fn grouped(number: u64, separator: char) -> String {
        let digits = number.to_string();
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(separator);
            }
            grouped.push(digit);
        }
        grouped
    }

    proptest! {
        #[test]
        fn a_number_in_words_is_read_as_itself(number in 0..1_000_000_000_000_000_u64) {
            let words = spelt(number);
            let parts: Option<Vec<NumberWord>> = words.split(' ').map(number_word).collect();
            prop_assert_eq!(parts.and_then(|parts| in_words(&parts)), Some(number), "{}", words);
        }

        #[test]
        fn a_number_in_digits_is_read_as_itself(number in any::<u64>(), cents in 0..100_u32) {
            let value = Decimal::from(number);
            let with_cents = value + Decimal::new(i64::from(cents), 2);
            for (text, expected) in [
                (number.to_string(), value),
                (format!("{number}.{cents:02}"), with_cents),
                (format!("{},{cents:02}", grouped(number, '.')), with_cents),
                (format!("{}.{cents:02}", grouped(number, ',')), with_cents),
                (format!("{}.{cents:02}", grouped(number, '\'')), with_cents),
            ] {
                prop_assert_eq!(in_digits(&text).map(|read| read.value), Some(expected), "{}", text);
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}|[0-9.,']{0,60}", words in prop::collection::vec("[a-z]{1,9}|hundred|dozen|trillion|ninety|nine", 0..40)) {
            in_digits(&text);
            scale(&text);
            ordinal(&text);
            let parts: Vec<NumberWord> = words.iter().filter_map(|word| number_word(word)).collect();
            in_words(&parts);
        }
    }
}
