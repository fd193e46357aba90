//! Numbers as they are written: in digits, with the separators of several countries, and in words.

use std::borrow::Cow;
use std::str::FromStr;

use rust_decimal::Decimal;

/// A number of a text and how many decimals it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) value: Decimal,
    pub(super) decimals: u32,
}

impl Quantity {
    pub(super) fn whole(value: u64) -> Self {
        Self { value: Decimal::from(value), decimals: 0 }
    }

    /// `1.2 million` shows no unit's digit: it stands for exactly 1,200,000.
    pub(super) fn times(self, factor: u64) -> Option<Self> {
        Some(Self { value: self.value.checked_mul(Decimal::from(factor))?, decimals: 0 })
    }
}

/// Digits that are read without a detour over text: those of any figure that people write.
const DIGITS_MAX: usize = 17;

/// Reads `1250`, `1,250.00`, `1.250,00`, `1'250`, `0,75`. `None` for what has more than one reading or none.
pub(super) fn in_digits(text: &str) -> Option<Quantity> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Quantity { value: value(text, ',', "")?, decimals: 0 });
    }
    let text = if text.contains('\'') { Cow::Owned(text.replace('\'', ",")) } else { Cow::Borrowed(text) };
    let (at, separator) = match (text.rfind(','), text.rfind('.')) {
        (Some(comma), Some(point)) if point > comma => (point, ','),
        (Some(comma), Some(_)) => (comma, '.'),
        // One comma is the thousands' unless no three digits follow it.
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
    Some(Quantity { value: value(whole, separator, decimals)?, decimals: u32::try_from(decimals.len()).ok()? })
}

/// Of the digits before the decimals, which may be in groups, and of the decimals.
fn value(whole: &str, separator: char, decimals: &str) -> Option<Decimal> {
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
    // The same number of decimals as the longer ones have.
    Some(Decimal::new(value * 10, u32::try_from(decimals.len()).ok()? + 1))
}

/// Groups of three (or, as in India, of two before the last) after a first of one to three.
fn is_grouped(text: &str, separator: char) -> bool {
    let mut groups = text.split(separator).map(str::len);
    let (Some(first), Some(3)) = (groups.next(), groups.next_back()) else { return false };
    (1..=3).contains(&first) && (groups.clone().all(|len| len == 3) || groups.all(|len| len == 2) && first < 3)
}

/// A word of a number: `seven`, `forty`, `hundred`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Zero to nineteen.
    Unit(u64),
    /// Twenty to ninety.
    Ten(u64),
    Dozen,
    Hundred,
    /// Thousand and more.
    Scale(u64),
}

/// Of a word in small letters.
pub(super) fn part(word: &str) -> Option<Part> {
    const UNITS: [&str; 20] = [
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
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let place = |words: &[&str]| words.iter().position(|known| *known == word).map(|at| at as u64);
    match word {
        "dozen" => Some(Part::Dozen),
        "hundred" => Some(Part::Hundred),
        "fourty" => Some(Part::Ten(40)),
        _ => scale(word)
            .map(Part::Scale)
            .or_else(|| place(&UNITS).map(Part::Unit))
            .or_else(|| place(&TENS).map(|at| Part::Ten(at * 10 + 20))),
    }
}

/// What `thousand`, `million`, `m`, `bn` stand for.
pub(super) fn scale(word: &str) -> Option<u64> {
    Some(match word {
        "thousand" | "k" => 1_000,
        "million" | "mn" | "mio" => 1_000_000,
        "billion" | "bn" => 1_000_000_000,
        "trillion" => 1_000_000_000_000,
        _ => return None,
    })
}

/// The number that parts stand for; `None` where they make none, such as `one two five`.
pub(super) fn in_words(parts: &[Part]) -> Option<u64> {
    let (mut total, mut group, mut room) = (0_u64, 0_u64, u64::MAX);
    let mut scale_room = u64::MAX;
    for part in parts {
        match *part {
            Part::Unit(value) => {
                // After twenty only one to nine, after a hundred anything below a hundred.
                if room <= value || (room == 10 && value == 0) {
                    return None;
                }
                (group, room) = (group.checked_add(value)?, 0);
            }
            Part::Ten(value) => {
                if room < 100 {
                    return None;
                }
                (group, room) = (group.checked_add(value)?, 10);
            }
            Part::Dozen => (group, room) = (group.max(1).checked_mul(12)?, 0),
            Part::Hundred => {
                if group >= 100 {
                    return None;
                }
                (group, room) = (group.max(1).checked_mul(100)?, 100);
            }
            Part::Scale(factor) => {
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

/// `third` is 3. First and second are left to the reader of the sentence: they mostly order, they don't count.
pub(super) fn ordinal(word: &str) -> Option<u64> {
    const ORDINALS: [&str; 18] = [
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
    ORDINALS.iter().position(|known| *known == word).map(|at| at as u64 + 3)
}

#[cfg(test)]
mod tests {
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
    fn words_make_a_number_or_none() {
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
            let parts: Vec<Part> = text.split(' ').filter_map(part).collect();
            assert_eq!(in_words(&parts), value, "{text}");
        }
    }
}
