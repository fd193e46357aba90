//! Decodes characters written as escapes: HTML entities, percent encoding and backslash escapes.

use std::ops::Range;

use super::map::{Map, Rewrite};
use super::spelt_signs::{bracketed, may_be_spelt_out, spelt_out};
use crate::context::find_class;

const NAME_BYTES_MAX: usize = 24;

/// Decodes one layer of escapes; `None` if there are none.
pub(super) fn undone(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut plain = String::new();
    let mut at = 0;
    while let Some(found) = find_class(bytes, at, &OPENERS) {
        at = found;
        plain.clear();
        match escape_at(text, at, &mut plain) {
            Some(range) => {
                at = range.end;
                rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(range, &plain);
            }
            None => at += 1,
        }
    }
    let spelt = if rewrite.is_none() && may_be_spelt_out(text) { spelt_out(text) } else { None };
    rewrite.or(spelt).map(Rewrite::finish)
}

const OPENERS: [bool; 256] = {
    let mut table = [false; 256];
    let openers = b"&%\\[({";
    let mut at = 0;
    while at < openers.len() {
        table[openers[at] as usize] = true;
        at += 1;
    }
    table
};

/// Writes the character that the escape at `at` represents, and returns the range of the escape.
fn escape_at(text: &str, at: usize, plain: &mut String) -> Option<Range<usize>> {
    let rest = &text.as_bytes()[at..];
    let length = match rest.first()? {
        b'&' => entity(rest, plain),
        b'%' => percent(rest, plain).filter(|_| !is_mark_between_groups(text, at, plain)),
        b'\\' => {
            backslash(rest, plain).or_else(|| escaped_digit(text, at, plain)).or_else(|| escaped_break(text, at, plain))
        }
        _ => return bracketed(text, at, plain),
    }?;
    Some(at..at + length)
}

fn entity(rest: &[u8], plain: &mut String) -> Option<usize> {
    const NAMED: [(&str, &str); 70] = [
        ("amp", "&"),
        ("lt", "<"),
        ("gt", ">"),
        ("quot", "\""),
        ("apos", "'"),
        ("nbsp", " "),
        ("ensp", " "),
        ("emsp", " "),
        ("thinsp", " "),
        ("numsp", " "),
        ("puncsp", " "),
        ("hairsp", " "),
        ("emsp13", " "),
        ("emsp14", " "),
        ("NonBreakingSpace", " "),
        ("ThinSpace", " "),
        ("VeryThinSpace", " "),
        ("MediumSpace", " "),
        ("ThickSpace", " "),
        ("Tab", " "),
        ("NewLine", "\n"),
        ("commat", "@"),
        ("period", "."),
        ("comma", ","),
        ("colon", ":"),
        ("num", "#"),
        ("sol", "/"),
        ("bsol", "\\"),
        ("lowbar", "_"),
        ("UnderBar", "_"),
        ("hyphen", "-"),
        ("dash", "-"),
        ("ndash", "-"),
        ("mdash", "-"),
        ("horbar", "-"),
        ("minus", "-"),
        ("plus", "+"),
        ("equals", "="),
        ("percnt", "%"),
        ("ast", "*"),
        ("vert", "|"),
        ("verbar", "|"),
        ("middot", "\u{B7}"),
        ("centerdot", "\u{B7}"),
        ("bull", "\u{2022}"),
        ("lpar", "("),
        ("rpar", ")"),
        ("lsqb", "["),
        ("rsqb", "]"),
        ("lbrack", "["),
        ("rbrack", "]"),
        ("lcub", "{"),
        ("rcub", "}"),
        ("shy", ""),
        ("zwj", ""),
        ("zwnj", ""),
        ("lrm", ""),
        ("rlm", ""),
        ("ZeroWidthSpace", ""),
        ("NoBreak", ""),
        ("InvisibleTimes", ""),
        ("InvisibleComma", ""),
        ("ApplyFunction", ""),
        ("it", ""),
        ("ic", ""),
        ("af", ""),
        ("NegativeThinSpace", ""),
        ("NegativeMediumSpace", ""),
        ("NegativeThickSpace", ""),
        ("NegativeVeryThinSpace", ""),
    ];
    let ended = |length: usize| length + usize::from(rest.get(length) == Some(&b';'));
    if rest.get(1) == Some(&b'#') {
        let is_hex = matches!(rest.get(2), Some(b'x' | b'X'));
        let (from, radix) = if is_hex { (3, 16) } else { (2, 10) };
        let (code, digits) = number(rest.get(from..)?, radix, 8)?;
        plain.push(char::from_u32(code)?);
        return Some(ended(from + digits));
    }
    let length = rest.iter().skip(1).take(NAME_BYTES_MAX).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = rest.get(1..1 + length).filter(|_| rest.get(1 + length) == Some(&b';'))?;
    let &(_, meant) = NAMED.iter().find(|(known, _)| known.as_bytes() == name)?;
    plain.push_str(meant);
    Some(ended(1 + length))
}

/// Whether a per cent sign is a separator between two groups of digits (`6011%9180%5888%…`) rather than an escape.
fn is_mark_between_groups(text: &str, at: usize, plain: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes[at + 1..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    at > 0 && bytes[at - 1].is_ascii_digit() && digits == 4 && plain.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Decodes a digit among characters that all have a backslash: `\8\4\.\1\7`.
fn escaped_digit(text: &str, at: usize, plain: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    let digit = *bytes.get(at + 1).filter(|digit| digit.is_ascii_digit())?;
    let next = bytes.get(at + 2);
    let is_among = next == Some(&b'\\') || at >= 2 && bytes[at - 2] == b'\\';
    (is_among && !next.is_some_and(u8::is_ascii_alphanumeric)).then(|| plain.push(char::from(digit)))?;
    Some(2)
}

/// Decodes `\n`, `\r` or `\t` between letters or digits. Elsewhere it may start a name, as in paths and formulas.
fn escaped_break(text: &str, at: usize, plain: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_break = matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't'));
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'\\');
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let is_inside = is_part(bytes.get(at + 2)) && (is_part(before) || at >= 2 && bytes[at - 2] == b'\\');
    (is_break && is_inside).then(|| plain.push('\n'))?;
    Some(2)
}

/// Decodes one or more bytes in a row, because a non-ASCII character takes several.
fn percent(rest: &[u8], plain: &mut String) -> Option<usize> {
    if matches!(rest.get(1), Some(b'u' | b'U'))
        && let Some((code, 4)) = number(rest.get(2..)?, 16, 4)
    {
        plain.push(char::from_u32(code)?);
        return Some(6);
    }
    escaped_bytes(rest, "%", plain)
}

/// Decodes the bytes of one character, each written as a mark and two hexadecimal digits.
fn escaped_bytes(rest: &[u8], mark: &str, plain: &mut String) -> Option<usize> {
    let mut bytes = Vec::new();
    for escape in rest.chunks(mark.len() + 2).take(4) {
        let Some((byte, 2)) = escape.strip_prefix(mark.as_bytes()).and_then(|hex| number(hex, 16, 2)) else {
            break;
        };
        bytes.push(u8::try_from(byte).ok()?);
        if let Ok(text) = std::str::from_utf8(&bytes) {
            plain.push_str(text);
            return Some(bytes.len() * (mark.len() + 2));
        }
    }
    None
}

fn backslash(rest: &[u8], plain: &mut String) -> Option<usize> {
    let next = *rest.get(1)?;
    match next {
        b'u' if rest.get(2) == Some(&b'{') => {
            let (code, digits) = number(rest.get(3..)?, 16, 6)?;
            (rest.get(3 + digits) == Some(&b'}')).then(|| char::from_u32(code))?.map(|letter| plain.push(letter))?;
            Some(4 + digits)
        }
        b'u' => {
            let unit = |from: usize| match number(rest.get(from..)?, 16, 4) {
                Some((unit, 4)) => u16::try_from(unit).ok(),
                _ => None,
            };
            let first = unit(2)?;
            let second = (rest.get(6..8) == Some(b"\\u")).then(|| unit(8)).flatten();
            let units = [first, second.unwrap_or_default()];
            let is_pair = (0xD800..0xDC00).contains(&first);
            let units = units.get(..1 + usize::from(is_pair && second.is_some()))?;
            plain.push(char::decode_utf16(units.iter().copied()).next()?.ok()?);
            Some(6 * units.len())
        }
        b'U' => match number(rest.get(2..)?, 16, 8)? {
            (code, 8) => char::from_u32(code).map(|letter| plain.push(letter)).map(|()| 10),
            _ => None,
        },
        b'x' => match number(rest.get(2..)?, 16, 2)? {
            (code, 2) => escaped_bytes(rest, "\\x", plain)
                .or_else(|| char::from_u32(code).map(|letter| plain.push(letter)).map(|()| 4)),
            _ => None,
        },
        // Four digits after a backslash are a group of a number.
        b'0'..=b'3' if next == b'0' || !rest.get(4).is_some_and(u8::is_ascii_digit) => {
            match number(rest.get(1..)?, 8, 3)? {
                (code, 3) => char::from_u32(code).map(|letter| plain.push(letter)).map(|()| 4),
                _ => None,
            }
        }
        // Markdown and JSON escape characters that have a special meaning.
        _ if next.is_ascii_punctuation() => {
            plain.push(char::from(next));
            Some(2)
        }
        _ => None,
    }
}

/// Parses a number of at most `digits_max` digits at the start; returns its value and its number of digits.
fn number(bytes: &[u8], radix: u32, digits_max: usize) -> Option<(u32, usize)> {
    let digits = bytes.iter().take(digits_max).map_while(|byte| char::from(*byte).to_digit(radix));
    let (mut value, mut count) = (0_u32, 0);
    for digit in digits {
        value = value.checked_mul(radix)?.checked_add(digit)?;
        count += 1;
    }
    (count > 0).then_some((value, count))
}
