//! Numbers in groups that no form prints them in: `4111/1111/1111/1111`, `4 1 1 1 …`, `078_05_1120`, one group to a line. Detectors
//! read numbers as people write them, so such a chain is joined, or given the dashes that its kind has.
//!
//! Columns and lists of numbers look the same. Where blanks, commas, bars or line breaks stand between the groups, a chain is joined
//! only if its check digit is right, or if a word says what it is.

use std::ops::Range;

use super::map::{Map, Rewrite};
use crate::context::find_class;
use crate::pii::{iban_length, is_card, is_iban, names_card, names_phone, names_ssn};

/// Of a payment card.
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
/// Of a phone number with its country's code.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
const GROUP_MAX: usize = 15;
const SEPARATOR_BYTES_MAX: usize = 6;
/// Of blanks and line breaks, and of what else may stand at the ends of lines.
const BLANK_BYTES_MAX: usize = 48;
const LINE_MARKS_MAX: usize = 4;
const IBAN_GROUP_MAX: usize = 30;
/// The least digits behind the check digits of any country's account numbers, so that words are not taken for one.
const IBAN_DIGITS_MIN: usize = 10;
/// The longest first: a security code that follows is masked with it.
const CARD_GROUPS: [&[usize]; 5] = [&[4, 4, 4, 4, 3], &[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 5]];
/// Fewer digits in ordinary groups are phones, dates and accounts.
const ORDINARY_CARD_DIGITS_MIN: usize = 15;
/// Fewer digits are a time, a date, an amount or a version, however they are joined.
const CHAIN_DIGITS_MIN: usize = 6;
const CARD_GROUPS_MAX: usize = 5;
const SPELT_DOT: &str = " dot ";

/// `None` where no chain had to be rewritten.
pub(super) fn joined(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let (mut at, mut read) = (0, 0);
    while let Some(found) = find_class(bytes, at, &DIGITS) {
        at = found;
        let chain = iban_at(text, at).or_else(|| chain_at(text, at)).or_else(|| letters_for_digits(text, at));
        match chain.filter(|(range, _)| range.start >= read) {
            Some((range, plain)) => {
                at = range.end;
                read = range.end;
                rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(range, &plain);
            }
            None => at += digits_at(bytes, at),
        }
    }
    rewrite.map(Rewrite::finish)
}

const DIGITS: [bool; 256] = {
    let mut table = [false; 256];
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = true;
        digit += 1;
    }
    table
};

/// Where a chain stands, and how a detector reads it.
type Joined = (Range<usize>, String);

/// What stands between groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// Known to detectors.
    Ordinary,
    /// As between the numbers of a list or a row.
    List,
    /// A line break, with the marks of a list, a table or a quotation.
    Lines,
    /// As between the factors and terms of a sum.
    Arithmetic,
    Odd,
}

impl Separator {
    fn of(written: &[u8]) -> Self {
        match written {
            b" " | b"-" | b"." => Self::Ordinary,
            _ if written.iter().any(|byte| matches!(byte, b'\n' | b'\r')) => Self::Lines,
            _ if written.iter().all(|byte| matches!(byte, b' ' | b'\t' | b',' | b';' | b'|')) => Self::List,
            // A list of issues: "#962, #963".
            [b',' | b';', b' ', b'#'] => Self::List,
            _ if written.iter().any(|byte| b"*+=<>^/%".contains(byte)) || written == "×".as_bytes() => {
                Self::Arithmetic
            }
            _ => Self::Odd,
        }
    }

    fn is_odd(self) -> bool {
        matches!(self, Self::Odd | Self::Arithmetic)
    }

    fn is_between_numbers(self) -> bool {
        matches!(self, Self::List | Self::Lines)
    }
}

/// The chain of digit groups that starts at `start`, unless an earlier group belongs to it.
fn chain_at(text: &str, start: usize) -> Option<Joined> {
    let bytes = text.as_bytes();
    if start > 0 && bytes[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let first = start..start + digits_at(bytes, start);
    if ends_in_word(bytes, first.end) {
        return None;
    }
    let separator = separator_at(text, first.end).filter(|_| first.len() <= GROUP_MAX)?;
    if !bytes.get(separator.end).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let second = separator.end;
    equally_joined(text, first.clone(), separator)
        .or_else(|| as_on_a_card(text, first.clone(), second))
        .or_else(|| as_ssn(text, first, second))
        .or_else(|| area_in_parentheses(text, start))
}

/// Whether a word follows behind a few marks, as most numbers end. One with a `d` may spell a dot out.
fn ends_in_word(bytes: &[u8], end: usize) -> bool {
    let rest = bytes.get(end..).unwrap_or_default();
    let after = rest.iter().take(SEPARATOR_BYTES_MAX).find(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    after.is_some_and(|byte| byte.is_ascii_alphabetic() && !matches!(byte, b'd' | b'D'))
}

/// Groups with the same between all of them.
fn equally_joined(text: &str, first: Range<usize>, separator: Range<usize>) -> Option<Joined> {
    let bytes = text.as_bytes();
    let written = &bytes[separator];
    if follows(bytes, first.start, written) {
        return None;
    }
    // Most chains are phones and dates as people write them: they are left before anything is kept of them.
    let (mut digits, mut count, mut end) = (first.len(), 1, first.end);
    while let Some(next) = next_group(bytes, end, written) {
        digits += next.len();
        if digits > *CARD_DIGITS.end() {
            return None;
        }
        (count, end) = (count + 1, next.end);
    }
    let is_spelt = count == digits;
    let may_be_fours = first.len() == 4 && count == 4;
    if digits < CHAIN_DIGITS_MIN
        || digits < ORDINARY_CARD_DIGITS_MIN
            && !is_spelt
            && !may_be_fours
            && Separator::of(written) == Separator::Ordinary
    {
        return None;
    }
    let mut groups = Vec::with_capacity(count);
    groups.push(first);
    while let Some(next) = next_group(bytes, groups.last()?.end, written) {
        groups.push(next);
    }
    let is_alone = bytes.get(groups.last()?.end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let chain = Chain { text, groups, written };
    is_alone.then(|| chain.plain().map(|plain| (chain.range(), chain.apart(&plain))))?
}

/// A social security number with two kinds of separators or one too few: `536-22 8147`, `536-228147`. The latter needs its word.
fn as_ssn(text: &str, first: Range<usize>, second: usize) -> Option<Joined> {
    let bytes = text.as_bytes();
    let second = second..second + digits_at(bytes, second);
    let (third, is_mixed) = match (first.len(), second.len()) {
        (3, 2) => {
            let gap = separator_at(text, second.end)?;
            let is_mark = |gap: &[u8]| matches!(gap, b" " | b"-" | b"." | b"/" | b"_");
            let (one, other) = (&bytes[first.end..second.start], &bytes[gap.clone()]);
            if one == other {
                return None;
            }
            let is_mixed = is_mark(one) && is_mark(other) && (one == b"-" || other == b"-");
            (gap.end..gap.end + digits_at(bytes, gap.end), is_mixed)
        }
        (3, 6) | (5, 4) => (second.end..second.end, false),
        _ => return None,
    };
    let digits: String = [first.clone(), second, third.clone()].map(|group| &text[group]).concat();
    let is_alone = bytes.get(third.end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let is_one = digits.len() == 9 && is_alone && (is_mixed || names_ssn(text, first.start));
    is_one.then(|| (first.start..third.end, format!("{}-{}-{}", &digits[..3], &digits[3..5], &digits[5..])))
}

/// A North American number with its area code in parentheses, one group to a line.
fn area_in_parentheses(text: &str, start: usize) -> Option<Joined> {
    let bytes = text.as_bytes();
    let rest = text.get(start + 3..)?.strip_prefix(')').filter(|rest| rest.starts_with(['\n', '\r']))?;
    let mut at = text.len() - rest.len();
    let area = start..start + 3;
    let mut groups = vec![area];
    for length in [3, 4] {
        at = separator_at(text, at)?.end;
        (digits_at(bytes, at) == length).then(|| groups.push(at..at + length))?;
        at += length;
    }
    let chain = Chain { text, groups, written: b"" };
    let is_one = is_north_american(&chain.digits()) && bytes.get(at).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    is_one.then(|| (chain.range(), chain.joined_by("-")))
}

/// Groups as they are printed on a card, whatever stands between them. `second` is where the second group starts.
fn as_on_a_card(text: &str, first: Range<usize>, second: usize) -> Option<Joined> {
    let bytes = text.as_bytes();
    if first.len() != 4 || !matches!(digits_at(bytes, second), 4 | 6) {
        return None;
    }
    let mut groups = Vec::with_capacity(CARD_GROUPS_MAX);
    groups.push(first);
    let mut at = second;
    while groups.len() < CARD_GROUPS_MAX {
        let group = at..at + digits_at(bytes, at);
        if !(3..=6).contains(&group.len()) {
            break;
        }
        let next = separator_at(text, group.end);
        groups.push(group);
        let Some(next) = next else { break };
        at = next.end;
    }
    CARD_GROUPS.iter().find_map(|lengths| {
        let printed = groups.get(..lengths.len())?;
        let is_so = printed.iter().zip(*lengths).all(|(group, length)| group.len() == *length);
        is_so.then(|| printed_groups(text, printed))?
    })
}

fn printed_groups(text: &str, groups: &[Range<usize>]) -> Option<Joined> {
    let bytes = text.as_bytes();
    let chain = Chain { text, groups: groups.to_vec(), written: b"" };
    let Range { start, end } = chain.range();
    let is_alone = bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if !is_alone || !is_card(&chain.digits()) {
        return None;
    }
    let separators = || groups.windows(2).map(|two| &bytes[two[0].end..two[1].start]);
    let kinds = || separators().map(Separator::of);
    let is_plain = separators().skip(1).all(|written| Some(written) == separators().next())
        && kinds().all(|kind| kind == Separator::Ordinary);
    let may_be_list = kinds().any(Separator::is_between_numbers);
    let is_one = !is_plain && (!may_be_list || names_card(text, start));
    is_one.then(|| (start..end, chain.apart(&chain.joined_by(""))))
}

/// Groups of digits with something between them.
struct Chain<'a> {
    text: &'a str,
    groups: Vec<Range<usize>>,
    /// What stands between all groups.
    written: &'a [u8],
}

impl Chain<'_> {
    fn range(&self) -> Range<usize> {
        let start = self.groups.first().map_or(0, |group| group.start);
        start..self.groups.last().map_or(start, |group| group.end)
    }

    fn joined_by(&self, between: &str) -> String {
        let groups: Vec<&str> = self.groups.iter().map(|group| &self.text[group.clone()]).collect();
        groups.join(between)
    }

    fn digits(&self) -> Vec<u8> {
        self.joined_by("").into_bytes()
    }

    /// As a detector reads it; `None` where it is nothing that a detector looks for, or plain already.
    fn plain(&self) -> Option<String> {
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
                let is_called = || names_phone(self.text, start);
                let is_one = match kind {
                    Separator::Ordinary => false,
                    Separator::Odd => true,
                    Separator::Lines => self.fills_lines() || is_called(),
                    Separator::List | Separator::Arithmetic => is_called(),
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
            // Single digits with dots between are factors or the parts of a version.
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
        // In rows of equal groups, as nobody lists numbers, or called a card.
        let is_even = || all_of(1) || all_of(2) || all_of(8);
        let is_called = || !is_printed(lengths) && names_card(self.text, self.range().start);
        CARD_DIGITS.contains(&digits.len())
            && match kind {
                Separator::Odd | Separator::Arithmetic => true,
                Separator::Ordinary => {
                    digits.len() >= ORDINARY_CARD_DIGITS_MIN && (is_even() || is_called())
                        || (is_amount(lengths) || is_fours(lengths)) && is_card(digits)
                }
                Separator::List => {
                    digits.len() >= ORDINARY_CARD_DIGITS_MIN && (is_even() || is_called())
                        || (is_printed(lengths) || is_amount(lengths)) && is_card(digits)
                }
                Separator::Lines => (is_printed(lengths) || all_of(1)) && is_card(digits),
            }
    }

    /// Whether nothing else stands in the lines of the chain.
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

    /// Whether dots stand between the groups, in one of the ways that are not how addresses are printed.
    fn is_dotted(&self) -> bool {
        let written = str::from_utf8(self.written).unwrap_or_default();
        written != "." && matches!(written.trim_matches(' '), "." | "·" | "•" | "∙" | "dot")
    }

    /// An underscore would make the number part of a word.
    fn apart(&self, plain: &str) -> String {
        let range = self.range();
        let blank = |is_joined: bool| if is_joined { " " } else { "" };
        let before = blank(self.text[..range.start].ends_with('_'));
        let after = blank(self.text[range.end..].starts_with('_'));
        format!("{before}{plain}{after}")
    }
}

/// A card or a social security number in which letters stand for digits that they look like: `4l11 …`, `536-22-8l47`. `digit` is the
/// first digit of a run beside such a letter.
fn letters_for_digits(text: &str, digit: usize) -> Option<Joined> {
    /// How far behind the number's start a group may begin.
    const LATER_GROUPS: [usize; 7] = [0, 4, 5, 7, 10, 12, 15];
    const FORMS: [&[usize]; 5] = [&[16], &[15], &[4, 4, 4, 4], &[4, 6, 5], &[3, 2, 4]];
    let bytes = text.as_bytes();
    let is_letter = |byte: Option<&u8>| byte.is_some_and(|byte| alike(*byte).is_some());
    let end = digit + digits_at(bytes, digit).min(GROUP_MAX);
    if !is_letter(digit.checked_sub(1).and_then(|before| bytes.get(before))) && !is_letter(bytes.get(end)) {
        return None;
    }
    let is_part = |byte: &u8| byte.is_ascii_digit() || alike(*byte).is_some();
    let before = bytes[..digit].iter().rev().take(GROUP_MAX).take_while(|byte| is_part(byte)).count();
    // The letter may stand in a later group.
    let mut starts = LATER_GROUPS.iter().filter_map(|earlier| (digit - before).checked_sub(*earlier));
    starts.find_map(|start| FORMS.iter().find_map(|lengths| lettered(text, start, lengths)))
}

fn lettered(text: &str, start: usize, lengths: &[usize]) -> Option<Joined> {
    let bytes = text.as_bytes();
    let is_outside = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    if !is_outside(start.checked_sub(1).and_then(|before| bytes.get(before))) {
        return None;
    }
    let mut plain = String::new();
    let mut at = start;
    let mut letters = 0;
    for &length in lengths {
        if at > start {
            plain.push(char::from(*bytes.get(at).filter(|byte| matches!(byte, b' ' | b'-'))?));
            at += 1;
        }
        for byte in bytes.get(at..at + length)? {
            letters += usize::from(!byte.is_ascii_digit());
            plain.push(char::from(if byte.is_ascii_digit() { *byte } else { alike(*byte)? }));
        }
        at += length;
    }
    let digits: Vec<u8> = plain.bytes().filter(u8::is_ascii_digit).collect();
    let is_one = match lengths {
        [3, 2, 4] => !plain.contains(' ') && digits.len() > 3 * letters,
        _ => digits.len() >= 2 * letters && is_card(&digits),
    };
    (letters > 0 && is_one && is_outside(bytes.get(at))).then_some((start..at, plain))
}

/// The digit that a letter looks like.
fn alike(letter: u8) -> Option<u8> {
    match letter {
        b'O' | b'o' => Some(b'0'),
        b'I' | b'l' | b'i' => Some(b'1'),
        b'Z' => Some(b'2'),
        b'S' => Some(b'5'),
        b'B' => Some(b'8'),
        _ => None,
    }
}

/// An account number whose groups or letters are joined by something odd. `digit` is its first check digit.
fn iban_at(text: &str, digit: usize) -> Option<Joined> {
    let bytes = text.as_bytes();
    let start = country_before(text, digit)?;
    let is_spelt = digit - start > 2;
    let country = [bytes[start], bytes[start + 1 + if is_spelt { (digit - start) / 2 - 1 } else { 0 }]];
    let length = iban_length(country)?;
    let mut plain = String::with_capacity(length);
    let mut at = start;
    let (mut is_plain, mut is_fours) = (true, true);
    let mut separators: Option<&[u8]> = None;
    let mut is_equal = true;
    loop {
        let group = bytes[at..].iter().take(IBAN_GROUP_MAX).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if is_spelt && group > 1 || plain.len() + group > length {
            return None;
        }
        plain.push_str(&text[at..at + group]);
        at += group;
        if plain.len() == length {
            break;
        }
        let separator = separator_at(text, at)?;
        let written = &bytes[separator.clone()];
        is_equal &= *separators.get_or_insert(written) == written;
        is_fours &= group == 4;
        is_plain &= group == 4 && matches!(written, b" " | b"-");
        at = separator.end;
        bytes.get(at).filter(|byte| byte.is_ascii_alphanumeric())?;
    }
    let has_digits = plain.bytes().skip(4).filter(u8::is_ascii_digit).count() >= IBAN_DIGITS_MIN;
    let is_written_so = !is_plain && at - start > length && (is_equal || is_fours) && has_digits;
    // A dash and more letters or digits: a UUID.
    let ends = match bytes.get(at..) {
        Some([b'-', next, ..] | [next, ..]) => !next.is_ascii_alphanumeric(),
        _ => true,
    };
    (is_written_so && ends && is_iban(plain.as_bytes())).then_some((start..at, plain))
}

/// Where the two letters of a country start that stand before a digit: `DE` before `89`, or `D-E-` before `8-9`.
fn country_before(text: &str, digit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let starts = |start: usize| start == 0 || !bytes[start - 1].is_ascii_alphanumeric();
    let last = *bytes.get(digit.checked_sub(1)?)?;
    if last.is_ascii_alphabetic() {
        let start = digit.checked_sub(2)?;
        let is_one = bytes[start].is_ascii_alphabetic() && bytes.get(digit + 1).is_some_and(u8::is_ascii_digit);
        return (is_one && starts(start)).then_some(start);
    }
    if last.is_ascii_digit() || bytes.get(digit + 1).is_none_or(u8::is_ascii_alphanumeric) {
        return None;
    }
    let marks = bytes[..digit].iter().rev().take(9).position(u8::is_ascii_alphanumeric)?;
    let start = digit.checked_sub(2 * (marks + 1))?;
    let second = digit - marks - 1;
    let is_one = bytes[start].is_ascii_alphabetic()
        && bytes[second].is_ascii_alphabetic()
        && bytes[start + 1..second] == bytes[second + 1..digit];
    (is_one && starts(start)).then_some(start)
}

/// Whether the first of ten digits and the fourth are such as North American numbers have.
fn is_north_american(digits: &[u8]) -> bool {
    matches!(digits, [b'2'..=b'9', _, _, b'2'..=b'9', ..])
}

/// Thousands, of a number that no amount has: `4,539,526,018,159,083`.
fn is_amount(lengths: &[usize]) -> bool {
    matches!(lengths, [1..=3, 3, 3, 3, 3, 3])
}

/// A shorter card's number in fours: `3614 8900 6479 13`.
fn is_fours(lengths: &[usize]) -> bool {
    matches!(lengths, [4, 4, 4, 1..=3])
}

/// The groups that detectors know.
fn is_printed(lengths: &[usize]) -> bool {
    CARD_GROUPS.contains(&lengths)
}

fn digits_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// What stands between two groups: a few characters that are no letters or digits, blanks and line breaks, or the word "dot".
fn separator_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let (mut length, mut marks, mut breaks) = (0, 0, 0);
    for letter in rest.chars() {
        match letter {
            ' ' | '\t' => {}
            '\n' | '\r' => breaks += 1,
            _ if letter.is_alphanumeric() => break,
            _ => marks += letter.len_utf8(),
        }
        length += letter.len_utf8();
        if length > BLANK_BYTES_MAX || marks > SEPARATOR_BYTES_MAX {
            return None;
        }
    }
    let is_spelt = length == 1 && rest.get(..SPELT_DOT.len()).is_some_and(|dot| dot.eq_ignore_ascii_case(SPELT_DOT));
    if is_spelt {
        return Some(at..at + SPELT_DOT.len());
    }
    let is_short = match breaks {
        0 => length <= SEPARATOR_BYTES_MAX || marks == 0,
        _ => marks <= LINE_MARKS_MAX,
    };
    (length > 0 && is_short).then_some(at..at + length)
}

/// Whether a group of digits and the same separator stand right before.
fn follows(bytes: &[u8], start: usize, separator: &[u8]) -> bool {
    let before = bytes.get(..start).unwrap_or_default();
    before.strip_suffix(separator).and_then(<[u8]>::last).is_some_and(u8::is_ascii_digit)
}

fn next_group(bytes: &[u8], end: usize, separator: &[u8]) -> Option<Range<usize>> {
    let from = end + separator.len();
    let length = digits_at(bytes, from);
    (bytes.get(end..from) == Some(separator) && (1..=GROUP_MAX).contains(&length)).then_some(from..from + length)
}
