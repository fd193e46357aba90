//! Classifies a chain of digit groups by its separators, the lengths of its groups and its check digit.

use std::ops::{Range, RangeInclusive};

use super::BLANK_BYTES_MAX;
use crate::pii::{is_card, names_card, names_phone, names_ssn};

/// The number of digits in a payment card number.
pub(super) const CARD_DIGITS: RangeInclusive<usize> = 13..=19;
/// The number of digits in a phone number with its country code.
const PHONE_DIGITS: RangeInclusive<usize> = 8..=15;
/// The longest is first, so that a security code after the number is masked as well.
pub(super) const CARD_GROUPS: [&[usize]; 5] = [&[4, 4, 4, 4, 3], &[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 5]];
/// Shorter numbers in ordinary groups are phone numbers, dates and accounts.
pub(super) const ORDINARY_CARD_DIGITS_MIN: usize = 15;

/// The kind of separator between groups.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// A space, hyphen or dot, which detectors know.
    Ordinary,
    /// Commas, semicolons and bars, as between the numbers of a list or a table row.
    List,
    /// A line break, with list, table or quotation marks.
    Lines,
    /// Arithmetic operators.
    Arithmetic,
    Odd,
}

impl Separator {
    pub(super) fn of(written: &[u8]) -> Self {
        match written {
            b" " | b"-" | b"." => Self::Ordinary,
            _ if written.iter().any(|byte| matches!(byte, b'\n' | b'\r')) => Self::Lines,
            _ if written.iter().all(|byte| matches!(byte, b' ' | b'\t' | b',' | b';' | b'|')) => Self::List,
            // A list of issue numbers: "#962, #963".
            [b',' | b';', b' ', b'#'] => Self::List,
            _ if written.iter().any(|byte| b"*+=<>^/%".contains(byte)) || written == "×".as_bytes() => {
                Self::Arithmetic
            }
            _ => Self::Odd,
        }
    }

    pub(super) fn is_odd(self) -> bool {
        matches!(self, Self::Odd | Self::Arithmetic)
    }

    pub(super) fn is_between_numbers(self) -> bool {
        matches!(self, Self::List | Self::Lines)
    }
}

/// Groups of digits with the same separator between them.
pub(super) struct DigitChain<'a> {
    pub(super) text: &'a str,
    pub(super) groups: Vec<Range<usize>>,
    /// The separator between the groups.
    pub(super) written: &'a [u8],
}

impl DigitChain<'_> {
    pub(super) fn range(&self) -> Range<usize> {
        let start = self.groups.first().map_or(0, |group| group.start);
        start..self.groups.last().map_or(start, |group| group.end)
    }

    pub(super) fn joined_by(&self, between: &str) -> String {
        let groups: Vec<&str> = self.groups.iter().map(|group| &self.text[group.clone()]).collect();
        groups.join(between)
    }

    pub(super) fn digits(&self) -> Vec<u8> {
        self.joined_by("").into_bytes()
    }

    /// The number in the form that a detector reads; `None` if no detector would match it, or if it is already plain.
    pub(super) fn plain(&self) -> Option<String> {
        let kind = Separator::of(self.written);
        let digits = self.digits();
        let start = self.range().start;
        let lengths: Vec<usize> = self.groups.iter().map(Range::len).collect();
        match lengths.as_slice() {
            [3, 2, 4] if kind.is_odd() => return Some(self.joined_by("-")),
            [3, 2, 4] if kind.is_between_numbers() => {
                let is_one = names_ssn(self.text, start) || kind == Separator::Lines && self.fills_lines();
                return is_one.then(|| self.joined_by("-"));
            }
            [3, 3, 4] if is_north_american(&digits) => {
                let has_context_word = || names_phone(self.text, start);
                let is_one = match kind {
                    Separator::Ordinary => false,
                    Separator::Odd => true,
                    Separator::Lines => self.fills_lines() || has_context_word(),
                    Separator::List | Separator::Arithmetic => has_context_word(),
                };
                return is_one.then(|| self.joined_by("-"));
            }
            [1, 1, 1, 1, 1, 1, 1, 1, 1, 1] if is_north_american(&digits) && kind != Separator::List => {
                let plain = str::from_utf8(&digits).ok()?;
                let is_one = names_phone(self.text, start);
                return is_one.then(|| format!("{}-{}-{}", &plain[..3], &plain[3..6], &plain[6..]));
            }
            [1, 1, 1, 1, 1, 1, 1, 1, 1] if kind != Separator::Ordinary && names_ssn(self.text, start) => {
                let plain = str::from_utf8(&digits).ok()?;
                return Some(format!("{}-{}-{}", &plain[..3], &plain[3..5], &plain[5..]));
            }
            // Single digits with dots between them are factors or parts of a version.
            [1..=3, 1..=3, 1..=3, 1..=3] if digits.len() >= 6 && self.is_dotted() => {
                let is_byte =
                    |group: &Range<usize>| self.text[group.clone()].parse::<u16>().is_ok_and(|byte| byte < 256);
                return self.groups.iter().all(is_byte).then(|| self.joined_by("."));
            }
            _ => {}
        }
        let is_international = self.is_after_plus() && lengths[0] <= 4 && !self.written.contains(&b'+');
        if is_international && kind != Separator::Ordinary && PHONE_DIGITS.contains(&digits.len()) {
            let is_amount = lengths[1..].iter().all(|length| *length == 3);
            return (!is_amount).then(|| self.joined_by(" "));
        }
        self.is_card_in_disguise(kind, &lengths, &digits).then(|| self.joined_by(""))
    }

    fn is_card_in_disguise(&self, kind: Separator, lengths: &[usize], digits: &[u8]) -> bool {
        let all_of = |length: usize| lengths.iter().all(|other| *other == length);
        // Equal groups of one, two or eight digits, which lists of numbers don't have, or a context word for cards.
        let is_even = || all_of(1) || all_of(2) || all_of(8);
        let has_context_word = || !is_printed(lengths) && names_card(self.text, self.range().start);
        CARD_DIGITS.contains(&digits.len())
            && match kind {
                Separator::Odd | Separator::Arithmetic => true,
                Separator::Ordinary => {
                    digits.len() >= ORDINARY_CARD_DIGITS_MIN && (is_even() || has_context_word())
                        || (is_amount(lengths) || is_fours(lengths)) && is_card(digits)
                }
                Separator::List => {
                    digits.len() >= ORDINARY_CARD_DIGITS_MIN && (is_even() || has_context_word())
                        || (is_printed(lengths) || is_amount(lengths)) && is_card(digits)
                }
                Separator::Lines => (is_printed(lengths) || all_of(1)) && is_card(digits),
            }
    }

    /// Whether the chain fills its lines.
    fn fills_lines(&self) -> bool {
        let range = self.range();
        let is_mark = |letter: char| !letter.is_alphanumeric();
        let before = self.text[..range.start].rsplit(['\n', '\r']).next().unwrap_or_default();
        let after = self.text[range.end..].split(['\n', '\r']).next().unwrap_or_default();
        let is_short = before.len() <= BLANK_BYTES_MAX && after.len() <= BLANK_BYTES_MAX;
        is_short && before.chars().all(is_mark) && after.chars().all(is_mark)
    }

    fn is_after_plus(&self) -> bool {
        self.text[..self.range().start].trim_end_matches(' ').ends_with('+')
    }

    /// Whether dots separate the groups in a way that differs from the normal notation of IP addresses.
    fn is_dotted(&self) -> bool {
        let written = str::from_utf8(self.written).unwrap_or_default();
        written != "." && matches!(written.trim_matches(' '), "." | "·" | "•" | "∙" | "dot")
    }

    /// Adds a space where an underscore would make the number part of a word.
    pub(super) fn spaced_from_words(&self, plain: &str) -> String {
        let range = self.range();
        let blank = |is_joined: bool| if is_joined { " " } else { "" };
        let before = blank(self.text[..range.start].ends_with('_'));
        let after = blank(self.text[range.end..].starts_with('_'));
        format!("{before}{plain}{after}")
    }
}

/// Whether ten digits can be a North American number, judging by the first and the fourth.
pub(super) fn is_north_american(digits: &[u8]) -> bool {
    matches!(digits, [b'2'..=b'9', _, _, b'2'..=b'9', ..])
}

/// Whether the groups are thousands. No real amount is that large: `4,539,526,018,159,083`.
fn is_amount(lengths: &[usize]) -> bool {
    matches!(lengths, [1..=3, 3, 3, 3, 3, 3])
}

/// Whether a shorter card number is in groups of four: `3614 8900 6479 13`.
fn is_fours(lengths: &[usize]) -> bool {
    matches!(lengths, [4, 4, 4, 1..=3])
}

/// Whether the groups are those printed on cards, which detectors know.
fn is_printed(lengths: &[usize]) -> bool {
    CARD_GROUPS.contains(&lengths)
}
