//! Reads a number group by group, and classifies the form of its groups.

use super::plan::{Standing, standing};
use crate::context::run;

/// The maximum length in E.164, plus a trunk zero in parentheses.
pub(super) const DIGITS_MAX: usize = 16;
const GROUPS_MAX: usize = 8;

/// The form in which a number is written, and its scores.
pub(super) struct PhoneForm {
    /// The scores without a context word, and with a weak one.
    pub(super) alone: f64,
    pub(super) weak: f64,
    pub(super) name: &'static str,
    /// The country or network of the number, if its range is in use there.
    pub(super) valid_in: Option<&'static str>,
}

const fn form(alone: f64, weak: f64, name: &'static str) -> PhoneForm {
    PhoneForm { alone, weak, name, valid_in: None }
}

const fn valid(owner: &'static str, alone: f64, weak: f64, name: &'static str) -> PhoneForm {
    PhoneForm { alone, weak, name, valid_in: Some(owner) }
}

#[derive(Default)]
pub(super) struct Number {
    opening: &'static str,
    /// The digits of all groups, concatenated.
    all: [u8; DIGITS_MAX],
    /// The end of each group, as an offset in the text and as an index in `all`.
    ends: [(usize, usize); GROUPS_MAX],
    /// The separator before each group: its first byte that is not a space, or else a space.
    joints: [u8; GROUPS_MAX],
    pub(super) groups: usize,
}

impl Number {
    pub(super) fn read(bytes: &[u8], digit: usize, opening: &'static str) -> Self {
        let mut number = Self { opening, ..Self::default() };
        let (mut at, mut count) = (digit, 0);
        while number.groups < GROUPS_MAX {
            let length = bytes[at..].iter().take(DIGITS_MAX + 1).take_while(|byte| byte.is_ascii_digit()).count();
            if count + length > DIGITS_MAX {
                break;
            }
            number.all[count..count + length].copy_from_slice(&bytes[at..at + length]);
            count += length;
            number.ends[number.groups] = (at + length, count);
            number.groups += 1;
            let Some((joint, next)) = next_group(bytes, at + length) else { break };
            // Parentheses contain an area code or a trunk zero. Later in a number they mean something else:
            // "pp. 224-228 (1998)".
            if joint == b'(' && number.groups > 1 {
                break;
            }
            if number.groups < GROUPS_MAX {
                number.joints[number.groups] = joint;
            }
            at = next;
        }
        number
    }

    pub(super) fn digits(&self) -> usize {
        self.groups.checked_sub(1).map_or(0, |last| self.ends[last].1)
    }

    fn written(&self) -> &[u8] {
        &self.all[..self.digits()]
    }

    pub(super) fn end(&self) -> usize {
        self.groups.checked_sub(1).map_or(0, |last| self.ends[last].0)
    }

    /// The lengths of the groups as decimal digits: 334 for groups of three, three and four.
    fn shape(&self) -> u64 {
        let mut before = 0;
        self.ends[..self.groups].iter().fold(0, |shape, &(_, end)| {
            let length = end - before;
            before = end;
            shape * 10 + length.min(9) as u64
        })
    }

    fn joined_by(&self, joint: u8) -> bool {
        self.groups > 1 && self.joints[1..self.groups].iter().all(|&byte| byte == joint)
    }

    fn joined_plainly(&self) -> bool {
        self.joints[1..self.groups].iter().all(|joint| b" -".contains(joint))
    }

    /// A cheap first check whether any form could count without a strong word, because most numbers have no such word.
    pub(super) fn is_plausible(&self) -> bool {
        let first = self.ends[0].1;
        let grouped = (2..=4).contains(&first) && self.groups > 1;
        !self.opening.is_empty()
            || self.all[0] == b'0'
            || grouped
            || matches!((first, self.all[0]), (10..=12, _) | (1, b'1'))
    }

    /// Almost only zeros: a large amount.
    pub(super) fn is_round(&self) -> bool {
        let digits = self.written();
        digits.iter().filter(|digit| **digit == b'0').count() + 1 >= digits.len()
    }

    /// Whether the number is a date, a range of years or pages, an IP address or a decimal.
    pub(super) fn is_something_else(&self) -> bool {
        let digits = self.written();
        let year = |at: usize| matches!(digits.get(at..at + 2), Some(b"19" | b"20"));
        match self.shape() {
            // Dates, whatever follows them; often it is a time.
            422 | 4220..=4229 => year(0) && self.joints[1] != b' ',
            224 | 2240..=2249 => year(4),
            44 => year(0) && year(4),
            444 | 4444 => year(0) && year(4) && year(8),
            324 => true,
            // A range of pages or years.
            42 | 33 => self.joined_by(b'-'),
            _ if !self.opening.is_empty() => false,
            _ if self.joined_by(b'.') && self.groups == 2 => true,
            _ => self.joined_by(b'.') && self.groups == 4,
        }
    }

    pub(super) fn form(&self, extension: bool) -> PhoneForm {
        if self.opening.contains('+') {
            return self.international_form();
        }
        self.access_code_form()
            .or_else(|| self.north_american_form(extension))
            .unwrap_or_else(|| self.national_form(extension))
    }

    fn international_form(&self) -> PhoneForm {
        let digits = self.written();
        match standing(digits) {
            Standing::Valid(owner) => valid(owner, 0.95, 0.97, "in international format"),
            Standing::Possible => form(0.8, 0.9, "in international format"),
            Standing::Unknown if digits[0] != b'0' && digits.len() >= 8 => {
                form(0.55, 0.8, "in international format, but in no known numbering plan")
            }
            Standing::Unknown => form(0.0, 0.0, "after a plus sign"),
        }
    }

    fn access_code_form(&self) -> Option<PhoneForm> {
        let [b'0', b'0', rest @ ..] = self.written() else { return None };
        if self.groups == 1 {
            return None;
        }
        match standing(rest) {
            Standing::Valid(owner) => Some(valid(owner, 0.75, 0.95, "in international format with 00")),
            Standing::Possible => Some(form(0.6, 0.9, "in international format with 00")),
            Standing::Unknown => None,
        }
    }

    fn north_american_form(&self, extension: bool) -> Option<PhoneForm> {
        let number = self.north_american()?;
        let marked = self.opening == "(" || (self.groups > 1 && !self.joined_by(b' '));
        Some(match standing(&number) {
            Standing::Valid(owner) if extension => {
                valid(owner, 0.95, 0.97, "in North American format with an extension")
            }
            _ if extension => form(0.85, 0.95, "in North American format with an extension"),
            Standing::Valid(owner) if marked => valid(owner, 0.85, 0.95, "in North American format"),
            _ if marked => form(0.7, 0.9, "in North American format"),
            // Three groups of digits with spaces are just as often something else, even if the number is valid.
            Standing::Valid(owner) => valid(owner, 0.4, 0.9, "in North American format with spaces"),
            _ => form(0.4, 0.85, "in North American format with spaces"),
        })
    }

    fn national_form(&self, extension: bool) -> PhoneForm {
        let digits = self.written();
        let has_plan = || standing(digits) != Standing::Unknown;
        let trunk = digits.starts_with(b"0") && (9..=13).contains(&digits.len());
        match self.shape() {
            334 if extension => form(0.7, 0.9, "in three groups, with an extension"),
            _ if self.opening == "(" && digits.len() > 10 && has_plan() => {
                form(0.6, 0.85, "with a country code in parentheses")
            }
            22222 if trunk => form(0.7, 0.85, "in five pairs, starting with 0"),
            244 | 235 | 344 | 345 | 254 | 255 if self.opening == "(" => {
                form(0.65, 0.85, "with an area code in parentheses")
            }
            _ if trunk && self.opening == "(" => {
                form(0.65, 0.85, "with an area code in parentheses that starts with 0")
            }
            _ if trunk && self.groups > 3 => form(0.5, 0.8, "in four groups or more, starting with 0"),
            333 | 334 | 344 if trunk && self.joined_by(b'-') => form(0.5, 0.8, "in three groups, starting with 0"),
            _ if trunk && self.groups > 1 => form(0.4, 0.7, "in national format"),
            _ if trunk => form(0.0, 0.6, "in national format without separators"),
            9 if digits.len() == 10 && digits[0] >= b'2' && digits[3] >= b'2' => form(0.0, 0.65, "without separators"),
            9 if digits.len() == 11 && digits[0] == b'1' && digits[1] >= b'3' => {
                form(0.3, 0.65, "without separators, like a mobile number")
            }
            9 if (11..=12).contains(&digits.len()) && has_plan() => {
                form(0.0, 0.55, "without separators, starting with a country code")
            }
            34 if self.joined_by(b'-') => form(0.3, 0.6, "in two groups"),
            _ if self.groups > 1 && (7..=12).contains(&digits.len()) && self.joined_plainly() => {
                form(0.0, 0.55, "in groups")
            }
            _ => form(0.0, 0.0, "in no known phone format"),
        }
    }

    /// The digits of a North American number (three, three and four, after an optional 1), including that 1. The area
    /// code never starts with 0 or 1.
    fn north_american(&self) -> Option<[u8; 11]> {
        let digits = match (self.shape(), self.written()) {
            (334 | 37, digits) => digits,
            (1334 | 137, [b'1', digits @ ..]) => digits,
            _ => return None,
        };
        let mut number = [b'1'; 11];
        number[1..].copy_from_slice(digits);
        (digits[0] >= b'2').then_some(number)
    }
}

/// The separator and the start of the next group of digits, after at most three separator characters.
pub(super) fn next_group(bytes: &[u8], end: usize) -> Option<(u8, usize)> {
    let mut at = end;
    let mut joint = b' ';
    while at < end + 3 {
        match bytes.get(at..) {
            Some([byte @ (b'.' | b'-' | b'/' | b'(' | b')'), ..]) => {
                if joint == b' ' || joint == b')' {
                    joint = *byte;
                }
                at += 1;
            }
            Some([b' ', ..]) => at += 1,
            // A no-break space, or a kind of hyphen or dash.
            Some([0xC2, 0xA0, ..]) => at += 2,
            Some([0xE2, 0x80, 0x90 | 0x91 | 0x93 | 0xAF, ..]) => at += 3,
            _ => break,
        }
    }
    let goes_on = at > end && bytes.get(at).is_some_and(u8::is_ascii_digit);
    goes_on.then_some((joint, at))
}

/// The characters before the first digit that belong to the number.
pub(super) fn opening(bytes: &[u8], digit: usize) -> &'static str {
    match &bytes[..digit] {
        [.., b'(', b'+'] if bytes[digit..].iter().take(5).any(|&byte| byte == b')') => "(+",
        [.., b'+', b'('] if bytes[digit..].iter().take(5).any(|&byte| byte == b')') => "+(",
        [.., b'+'] => "+",
        [.., b'('] if bytes[digit + run(&bytes[digit..], 6, |byte| byte.is_ascii_digit())..].starts_with(b")") => "(",
        _ => "",
    }
}
