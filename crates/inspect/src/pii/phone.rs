//! Telephone numbers: read group by group, then judged by form and by the words around them.
//!
//! A number with `+`, a North American one with its marks or an extension, and a few national forms that nothing else looks like
//! count alone. Any other needs a word: a weak one (`call`, `contact`) for a form that is plausible, a strong one (`phone`,
//! `mobile`, `call me at`) for any group of digits that is not plainly a date, an amount or an address. Whether a number is in
//! service can't be known from its digits, so a number that no plan knows still counts beside a strong word.

use std::ops::Range;

use super::calling_code::is_number;
use super::{ends_alone, hit, stands_alone, yes_no};
use crate::context::{Words, distance_after, distance_before, run};
use crate::finding::Hit;

/// Words that say that the number beside them is one to call.
static STRONG: Words = Words::new(&[
    "phone",
    "phones",
    "telephone",
    "tel",
    "mobile",
    "cell",
    "cellphone",
    "fax",
    "whatsapp",
    "landline",
    "hotline",
    "pager",
    "phone number",
    "cell number",
    "call me",
    "call us",
    "call him",
    "call her",
    "call them",
    "text me",
    "my number",
    "his number",
    "her number",
    "your number",
    "ring me",
    "reach me",
    "reach us",
    "reach him",
    "reach her",
    "telefon",
    "telefono",
    "teléfono",
    "telefone",
    "téléphone",
    "handy",
    "mobil",
    "móvil",
    "celular",
    "portable",
    "gsm",
    "телефон",
    "电话",
    "手机",
    "電話",
    "전화",
]);
static WEAK: Words = Words::new(&[
    "call",
    "calls",
    "called",
    "contact",
    "reach",
    "text",
    "sms",
    "dial",
    "ring",
    "desk",
    "office",
    "voicemail",
    "callback",
    "helpline",
]);
/// Words that say that it is another number, if they stand nearer.
static OTHER: Words = Words::new(&[
    "order",
    "tracking",
    "invoice",
    "ticket",
    "reference",
    "ref",
    "case",
    "booking",
    "confirmation",
    "code",
    "account",
    "acct",
    "zip",
    "postcode",
    "room",
    "isbn",
    "serial",
    "id",
    "pin",
    "card",
    "policy",
    "population",
    "year",
    "version",
    "model",
]);
/// How far before a number a strong word may start, how far before it a weak one may end that speaks for bare digits, and how
/// far after it a strong one may end in the same sentence.
const STRONG_BEFORE_BYTES: usize = 44;
const WEAK_BEFORE_BYTES: usize = 40;
const STRONG_AFTER_BYTES: usize = 20;
const DIGITS_MIN: usize = 6;
/// The longest that E.164 allows, and a trunk zero in parentheses.
const DIGITS_MAX: usize = 16;
const GROUPS_MAX: usize = 8;
const EXTENSION_DIGITS_MAX: usize = 6;

/// `digit` is the first digit of a number.
pub(super) fn at(text: &str, digit: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let opening = opening(bytes, digit);
    let start = digit - opening.len();
    if !stands_alone(text, start) {
        return None;
    }
    let mut number = Number::read(bytes, digit, opening);
    if number.digits() < DIGITS_MIN || !(number.is_plausible() || has_strong_word(text, &(start..number.end()), false))
    {
        return None;
    }
    let mut best: Option<(Form, usize, usize)> = None;
    while number.digits() >= DIGITS_MIN {
        let end = number.end();
        let extension = extension(bytes, end);
        if ends_alone(bytes, end + extension) && !number.is_something_else() {
            let form = number.form(extension > 0);
            // A shorter reading must be a better one: "415-555-0132 2 pm".
            if best.as_ref().is_none_or(|(best, ..)| (form.alone, form.weak) > (best.alone, best.weak)) {
                best = Some((form, end + extension, number.digits()));
            }
        }
        number.groups -= 1;
    }
    let (form, end, digits) = best?;
    judge(text, start..end, &form, digits)
}

struct Form {
    /// The score without any word, and beside a weak one.
    alone: f64,
    weak: f64,
    name: &'static str,
}

const fn form(alone: f64, weak: f64, name: &'static str) -> Form {
    Form { alone, weak, name }
}

fn judge(text: &str, range: Range<usize>, form: &Form, digits: usize) -> Option<Hit> {
    let strong = has_strong_word(text, &range, form.alone >= 0.5);
    let score = match () {
        () if strong => form.weak.max(0.9),
        () if form.weak > form.alone && has_weak_word(text, &range) => form.weak,
        () => form.alone,
    };
    if score == 0.0 || is_amount(text, &range) {
        return None;
    }
    let explanation = format!("{digits} digits in {}, a word for a phone beside it: {}", form.name, yes_no(strong));
    Some(hit("PHONE", "pii/phone", range, score, explanation))
}

fn has_strong_word(text: &str, range: &Range<usize>, certain: bool) -> bool {
    let after = distance_after(text, range.end, &STRONG, STRONG_AFTER_BYTES);
    let gap = after.map(|bytes| &text.as_bytes()[range.end..range.end + bytes]);
    if gap.is_some_and(|gap| !gap.iter().any(|byte| b"\n.!?;".contains(byte))) {
        return true;
    }
    let Some(before) = distance_before(text, range.start, &STRONG, STRONG_BEFORE_BYTES) else { return false };
    certain || distance_before(text, range.start, &OTHER, before).is_none()
}

fn has_weak_word(text: &str, range: &Range<usize>) -> bool {
    match distance_before(text, range.start, &WEAK, WEAK_BEFORE_BYTES) {
        Some(before) => distance_before(text, range.start, &OTHER, before).is_none(),
        None => distance_after(text, range.end, &WEAK, STRONG_AFTER_BYTES).is_some(),
    }
}

/// After a sign of money or of arithmetic, or before a per cent sign.
fn is_amount(text: &str, range: &Range<usize>) -> bool {
    let mut before = text[..range.start].chars().rev();
    let sign = before.next().filter(|letter| *letter != ' ').or_else(|| before.next());
    sign.is_some_and(|sign| "$€£¥₹=<>*^".contains(sign)) || text.as_bytes().get(range.end) == Some(&b'%')
}

/// What stands before the first digit and belongs to the number.
fn opening(bytes: &[u8], digit: usize) -> &'static str {
    match &bytes[..digit] {
        [.., b'(', b'+'] if bytes[digit..].iter().take(5).any(|&byte| byte == b')') => "(+",
        [.., b'+'] => "+",
        [.., b'('] if bytes[digit + run(&bytes[digit..], 6, |byte| byte.is_ascii_digit())..].starts_with(b")") => "(",
        _ => "",
    }
}

#[derive(Default)]
struct Number {
    opening: &'static str,
    /// Digits of all groups, one after the other.
    all: [u8; DIGITS_MAX],
    /// For each group, where it ends in the text and in `all`.
    ends: [(usize, usize); GROUPS_MAX],
    /// The separator before each group: its first byte that is no space, or a space.
    joints: [u8; GROUPS_MAX],
    groups: usize,
}

impl Number {
    fn read(bytes: &[u8], digit: usize, opening: &'static str) -> Self {
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
            if number.groups < GROUPS_MAX {
                number.joints[number.groups] = joint;
            }
            at = next;
        }
        number
    }

    fn digits(&self) -> usize {
        self.groups.checked_sub(1).map_or(0, |last| self.ends[last].1)
    }

    fn written(&self) -> &[u8] {
        &self.all[..self.digits()]
    }

    fn end(&self) -> usize {
        self.groups.checked_sub(1).map_or(0, |last| self.ends[last].0)
    }

    /// Lengths of the groups, packed into a number: 334 for three, three and four.
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

    /// Whether some form may count without a strong word: a cheap look, since most numbers have none.
    fn is_plausible(&self) -> bool {
        let first = self.ends[0].1;
        !self.opening.is_empty() || self.all[0] == b'0' || matches!((first, self.all[0]), (3 | 10..=12, _) | (1, b'1'))
    }

    /// A date, a span of years or pages, an address or a decimal.
    fn is_something_else(&self) -> bool {
        let digits = self.written();
        let year = |at: usize| matches!(digits.get(at..at + 2), Some(b"19" | b"20"));
        match self.shape() {
            422 => year(0) && !self.joined_by(b' '),
            224 => year(4),
            44 => year(0) && year(4),
            324 => true,
            // Pages or years.
            42 | 33 => self.joined_by(b'-'),
            _ if self.opening == "+" || self.opening == "(" => false,
            _ if self.joined_by(b'.') && self.groups == 2 => true,
            _ => self.joined_by(b'.') && self.groups == 4,
        }
    }

    fn form(&self, extension: bool) -> Form {
        let digits = self.written();
        let marked = !self.joined_by(b' ') && self.groups > 1;
        match digits {
            _ if self.opening.ends_with('+') => match is_number(&without_trunk_zero(digits)) {
                true => form(0.85, 0.95, "international form"),
                false if digits[0] != b'0' && digits.len() >= 8 => {
                    form(0.55, 0.8, "international form of no known plan")
                }
                false => form(0.0, 0.0, "a signed number"),
            },
            [b'0', b'0', rest @ ..] if self.groups > 1 && is_number(rest) => {
                form(0.6, 0.9, "international form with 00")
            }
            _ if self.is_north_american() => match () {
                () if extension => form(0.85, 0.95, "North American form with an extension"),
                () if self.opening == "(" || marked => form(0.7, 0.9, "North American form"),
                () => form(0.4, 0.85, "North American form with spaces"),
            },
            _ => self.national_form(),
        }
    }

    fn national_form(&self) -> Form {
        let digits = self.written();
        let trunk = digits.starts_with(b"0") && (9..=12).contains(&digits.len());
        match self.shape() {
            22222 if trunk => form(0.7, 0.85, "five pairs after a trunk zero"),
            244 | 235 | 344 | 345 | 254 | 255 if self.opening == "(" => form(0.65, 0.85, "an area code in parentheses"),
            _ if trunk && self.groups > 1 => form(0.4, 0.7, "national form"),
            _ if trunk => form(0.0, 0.6, "national form without separators"),
            9 if digits.len() == 10 && digits[0] >= b'2' && digits[3] >= b'2' => form(0.0, 0.65, "ten digits"),
            9 if digits.len() == 11 && digits[0] == b'1' && digits[1] >= b'3' => {
                form(0.3, 0.65, "a mobile number's digits")
            }
            9 if (11..=12).contains(&digits.len()) && is_number(digits) => form(0.0, 0.55, "a country code and digits"),
            34 if self.joined_by(b'-') => form(0.3, 0.6, "seven digits"),
            _ => form(0.0, 0.0, "groups of digits"),
        }
    }

    /// Three, three and four digits after an optional one; the first is never 0 or 1.
    fn is_north_american(&self) -> bool {
        let digits = match (self.shape(), self.written()) {
            (334 | 37, digits) => digits,
            (1334 | 137, [b'1', digits @ ..]) => digits,
            _ => return false,
        };
        digits[0] >= b'2'
    }
}

/// The byte that joins, and where the next group of digits starts, after at most three separators.
fn next_group(bytes: &[u8], end: usize) -> Option<(u8, usize)> {
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
            // A space or a hyphen at which no line breaks.
            Some([0xC2, 0xA0, ..]) => at += 2,
            Some([0xE2, 0x80, 0x90 | 0x91 | 0x93 | 0xAF, ..]) => at += 3,
            _ => break,
        }
    }
    let goes_on = at > end && bytes.get(at).is_some_and(u8::is_ascii_digit);
    goes_on.then_some((joint, at))
}

/// `+41 (0)96 …`: the zero is dialled at home only.
fn without_trunk_zero(digits: &[u8]) -> Vec<u8> {
    match digits {
        [a, b, b'0', rest @ ..] if !is_number(digits) => [&[*a, *b], rest].concat(),
        _ => digits.to_vec(),
    }
}

/// The length of `x123` or ` ext. 123` after a number, or 0.
fn extension(bytes: &[u8], end: usize) -> usize {
    let mut at = end;
    while at < end + 2 && matches!(bytes.get(at), Some(b' ' | b',')) {
        at += 1;
    }
    let Some(name) = ["extension", "ext.", "ext", "x"]
        .iter()
        .find(|name| bytes.get(at..at + name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes())))
    else {
        return 0;
    };
    at += name.len();
    at += usize::from(matches!(bytes.get(at), Some(b' ' | b':')));
    let digits = bytes[at..].iter().take(EXTENSION_DIGITS_MAX).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { 0 } else { at + digits - end }
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn an_international_number_is_found() {
        check("+44 20 7946 0958", &[("PHONE", "+44 20 7946 0958")]);
        check("Call +1 (415) 555-0132.", &[("PHONE", "+1 (415) 555-0132")]);
        check("(+49-30-901820)", &[("PHONE", "+49-30-901820")]);
        check("+33123456789", &[("PHONE", "+33123456789")]);
        check("+41 (0)44 668 18 00 is ours", &[("PHONE", "+41 (0)44 668 18 00")]);
        check("or (+34) 912 345 678,", &[("PHONE", "(+34) 912 345 678")]);
        check("dial 001-212-555-0199", &[("PHONE", "001-212-555-0199")]);
    }

    #[test]
    fn a_north_american_number_with_separators_is_found() {
        check("(415) 555-0132", &[("PHONE", "(415) 555-0132")]);
        check("415-555-0132 or 1-212-555-0199", &[("PHONE", "415-555-0132"), ("PHONE", "1-212-555-0199")]);
        check("415.555.0132", &[("PHONE", "415.555.0132")]);
        check("phone 4155550132", &[("PHONE", "4155550132")]);
        check(
            "415-555-0132x4587 and 415.555.0132 ext. 12",
            &[("PHONE", "415-555-0132x4587"), ("PHONE", "415.555.0132 ext. 12")],
        );
    }

    #[test]
    fn a_national_number_needs_a_word_that_says_so() {
        check("Tel: 030 901 8200", &[("PHONE", "030 901 8200")]);
        check("030 901 8200", &[]);
        check("4155550132", &[]);
        check_uncertain("415 555 0132", &[("PHONE", "415 555 0132")]);
    }

    #[test]
    fn beside_a_strong_word_any_form_counts() {
        for number in ["467 3395", "60-56-85-91", "99 577450", "9469 9966", "432 03 163", "(71) 4233-6306", "5551234"] {
            check(&format!("Phone:\n{number}\n\nE-mail"), &[("PHONE", number)]);
            check(&format!("You can call me at {number}, please"), &[("PHONE", number)]);
            check(&format!("{number}-Phone"), &[("PHONE", number)]);
        }
        check("电话13712345678。", &[("PHONE", "13712345678")]);
    }

    #[test]
    fn a_form_that_nothing_else_has_counts_alone() {
        check("03.93.92.16.85 / (08) 8747 6301", &[("PHONE", "03.93.92.16.85"), ("PHONE", "(08) 8747 6301")]);
    }

    #[test]
    fn a_number_ends_where_the_next_begins() {
        check("Phone 467-3395 on 2024-01-15", &[("PHONE", "467-3395")]);
        check("call me: 415-555-0132 2 pm", &[("PHONE", "415-555-0132")]);
        check("Phone: 21 284 698 2548", &[("PHONE", "21 284 698 2548")]);
        check("[Call] Ann (010-12345678), Bo (13712345678)", &[("PHONE", "010-12345678"), ("PHONE", "13712345678")]);
    }

    #[test]
    fn other_numbers_are_no_phones() {
        check("2024-01-15 10:20:30, 1,234,567.89 and 3.14159265", &[]);
        check("+0123456789 and a+12345678 and 115-555-0132", &[]);
        check("pages 100-200-3000", &[]);
        check("415-555-01321", &[]);
        check("My phone cost $123456 in 2019-2020, or 12.345678 times 2024-01-15", &[]);
        check("Call me about order 12345678. My phone bill has reference 87654321", &[]);
        check("Cell Biology, 1981-83, pp. 224-228", &[]);
        check("phone 1998-2003, mobile at 10.20.30.40, tel 31.12.2024", &[]);
    }
}
