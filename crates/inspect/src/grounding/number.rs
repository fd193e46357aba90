//! Parses numbers in prose: digits with separators, number words, and scales ("2.5 million", "$3bn", "15th").

use std::sync::LazyLock;

use countersign_text::hash::PrehashedMap;
use countersign_text::numbers::{self, TENS, UNITS, in_words, number_word};

use super::token::{Class, Token};
use crate::tokenize::{self, Word};

/// Parses a number at the start of `found`; returns its value and the number of words it takes.
pub(super) fn read(text: &str, found: &[Word]) -> Option<(f64, usize)> {
    let first = found.first().filter(|first| first.shape.has_digit)?;
    let piece = &text[first.start..first.end];
    if !first.shape.all_digits {
        return written(piece).filter(|_| !piece.contains('-')).map(|value| (value, 1));
    }
    let mut digits = Digits::default();
    digits.push(piece);
    let mut used = 1;
    // A separator and digits without spaces: "," separates groups of three, "." occurs once.
    while let [mark, next, ..] = &found[used..]
        && !mark.shape.spaced
        && !next.shape.spaced
        && next.shape.has_digit
        && !digits.fraction
    {
        let after = &text[next.start..next.end];
        match &text[mark.start..mark.end] {
            "," if next.shape.all_digits && after.len() == 3 => digits.push(after),
            "." => {
                let cut = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
                if cut == 0 {
                    break;
                }
                digits.fraction = true;
                digits.push(&after[..cut]);
                used += 2;
                let value = digits.value()?;
                return Some((scaled(value, &after[cut..]).unwrap_or(value), used));
            }
            _ => break,
        }
        used += 2;
    }
    Some((digits.value()?, used))
}

/// Accumulates decimal digits, up to a limit.
#[derive(Default)]
struct Digits {
    value: f64,
    unit: f64,
    fraction: bool,
    count: usize,
}

impl Digits {
    fn push(&mut self, digits: &str) {
        for digit in digits.chars().filter_map(|letter| letter.to_digit(10)) {
            self.count += 1;
            if self.fraction {
                self.unit = if self.unit == 0.0 { 0.1 } else { self.unit / 10.0 };
                self.value += self.unit * f64::from(digit);
            } else {
                self.value = self.value * 10.0 + f64::from(digit);
            }
        }
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0 && self.count < 18).then_some(self.value)
    }
}

/// Parses a token that begins with digits and ends in a known unit: "15th", "1990s", "5k", "10am".
pub(super) fn written(piece: &str) -> Option<f64> {
    let cut = piece.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(piece.len());
    let mut digits = Digits::default();
    digits.push(&piece[..cut]);
    scaled(digits.value()?, &piece[cut..])
}

/// Applies a unit that is attached to the digits. "m" and "b" mean millions and billions only in this position, and
/// words such as "million" never occur there, so this table is separate from `countersign_text`'s.
fn scaled(value: f64, unit: &str) -> Option<f64> {
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "st" | "nd" | "rd" | "th" | "s" | "am" | "pm" | "x" | "p" | "h" | "hr" | "hrs" | "min" | "km" | "kg"
        | "cm" | "mm" | "ft" | "lb" | "lbs" | "mg" | "ml" | "g" | "gb" | "mb" | "mph" => 1.0,
        "k" => 1e3,
        "m" | "mn" => 1e6,
        "b" | "bn" => 1e9,
        _ => return None,
    };
    Some(value * factor)
}

/// The value of a number word, by its hash. "One" is left out because it is usually a pronoun.
pub(super) fn spelled(word: u32) -> Option<f64> {
    static VALUES: LazyLock<PrehashedMap<f64>> = LazyLock::new(|| {
        let words = UNITS.iter().chain(&TENS).copied().filter(|word| *word != "one").chain(["dozen"]);
        words.filter_map(|word| Some((tokenize::hash(word), in_words(&[number_word(word)?])? as f64))).collect()
    });
    VALUES.get(&word).copied()
}

/// The factor by which "hundred" or "million" multiplies the preceding number. Single letters, as in "5 k", may be
/// words of their own, so they don't count here.
fn scale(word: &str) -> Option<f64> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "hundred" => Some(1e2),
        "k" | "mio" => None,
        _ => numbers::scale(&word).map(|factor| factor as f64),
    }
}

/// Joins "twenty" "two" and "3" "million", then gives every number a stem that represents its value.
pub(super) fn join(text: &str, tokens: &mut Vec<Token>) {
    let Some(first) = tokens.iter().position(|token| token.class == Class::Number) else { return };
    let mut kept = first + 1;
    for at in first + 1..tokens.len() {
        if tokens[kept - 1].class == Class::Number
            && let Some(value) = joined(text, &tokens[kept - 1], &tokens[at])
        {
            tokens[kept - 1].value = value;
            tokens[kept - 1].end = tokens[at].end;
            continue;
        }
        if kept < at {
            tokens[kept] = tokens[at];
        }
        kept += 1;
    }
    tokens.truncate(kept);
    for token in tokens.iter_mut().filter(|token| token.class == Class::Number) {
        token.stem = key(token.value);
    }
}

fn joined(text: &str, last: &Token, next: &Token) -> Option<f64> {
    if let Some(factor) = (next.end - next.start <= 8).then(|| scale(next.text(text))).flatten() {
        return Some(last.value * factor);
    }
    let tens = last.value >= 20.0 && last.value <= 90.0 && last.value % 10.0 == 0.0;
    let spelled = |token: &Token| token.text(text).starts_with(char::is_alphabetic);
    (next.class == Class::Number && tens && next.value < 10.0 && spelled(last) && spelled(next))
        .then_some(last.value + next.value)
}

/// A hash of a number's value, rounded to thousandths.
pub(super) fn key(value: f64) -> u32 {
    let thousandths = (value * 1000.0).round();
    let bits = thousandths.to_bits();
    ((bits >> 32) as u32 ^ bits as u32).wrapping_mul(0x85EB_CA6B) | 1
}

#[cfg(test)]
mod tests {
    use super::super::token::read;
    use super::*;

    fn check(text: &str, expected: &[f64]) {
        let values: Vec<f64> = read(text, false).iter().filter(|t| t.class == Class::Number).map(|t| t.value).collect();
        assert_eq!(values, expected, "{text}");
    }

    #[test]
    fn numbers_are_read_in_every_notation() {
        check("1,250 and 1250", &[1250.0, 1250.0]);
        check("2.5 million, $2.5m", &[2.5e6, 2.5e6]);
        check("twenty-two or twenty two", &[22.0, 22.0]);
        check("the 15th, the 1990s, 10am", &[15.0, 1990.0, 10.0]);
        check("three hundred thousand", &[300_000.0]);
        check("version B12 and 3D", &[]);
        check("ends in 5.", &[5.0]);
        check("99999999999999999999999", &[]);
    }
}
