//! Characters written as something else: HTML entities, percent encoding, backslash escapes, "[at]" and "(dot)"; and mark-up, which
//! readers don't see.

use std::ops::Range;

use super::map::{Map, Rewrite};
use crate::{context::behind, pii::is_top_level};

/// Longer mark-up is left alone.
const TAG_BYTES_MAX: usize = 128;
/// How far apart "at" and "dot" may stand.
const DOMAIN_BYTES_MAX: usize = 64;

/// The text with one layer of escapes undone; `None` where there are none.
pub(super) fn undone(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut plain = String::new();
    let mut at = 0;
    while let Some(skipped) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| OPENERS[usize::from(*byte)]))
    {
        at += skipped;
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

/// Writes what the escape at `at` stands for, and returns where it stands.
fn escape_at(text: &str, at: usize, plain: &mut String) -> Option<Range<usize>> {
    let rest = &text.as_bytes()[at..];
    let length = match rest.first()? {
        b'&' => entity(rest, plain),
        b'%' => percent(rest, plain),
        b'\\' => backslash(rest, plain),
        _ => return bracketed(text, at, plain),
    }?;
    Some(at..at + length)
}

fn entity(rest: &[u8], plain: &mut String) -> Option<usize> {
    const NAMED: [(&str, &str); 32] = [
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
        ("hyphen", "-"),
        ("dash", "-"),
        ("ndash", "-"),
        ("mdash", "-"),
        ("minus", "-"),
        ("plus", "+"),
        ("equals", "="),
        ("shy", ""),
        ("zwj", ""),
        ("zwnj", ""),
    ];
    let ended = |length: usize| length + usize::from(rest.get(length) == Some(&b';'));
    if rest.get(1) == Some(&b'#') {
        let is_hex = matches!(rest.get(2), Some(b'x' | b'X'));
        let (from, radix) = if is_hex { (3, 16) } else { (2, 10) };
        let (code, digits) = number(rest.get(from..)?, radix, 8)?;
        plain.push(char::from_u32(code)?);
        return Some(ended(from + digits));
    }
    let length = rest.iter().skip(1).take(8).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let name = rest.get(1..1 + length)?;
    let &(_, meant) = NAMED.iter().find(|(known, _)| known.as_bytes() == name)?;
    (rest.get(1 + length) == Some(&b';')).then(|| plain.push_str(meant))?;
    Some(ended(1 + length))
}

/// One or several bytes in a row: a character beyond ASCII takes more than one.
fn percent(rest: &[u8], plain: &mut String) -> Option<usize> {
    let mut bytes = Vec::new();
    for escape in rest.chunks(3).take(4) {
        let (b'%', Some((byte, 2))) = (escape.first()?, escape.get(1..).and_then(|hex| number(hex, 16, 2))) else {
            break;
        };
        bytes.push(u8::try_from(byte).ok()?);
        if let Ok(text) = std::str::from_utf8(&bytes) {
            plain.push_str(text);
            return Some(bytes.len() * 3);
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
            (code, 2) => char::from_u32(code).map(|letter| plain.push(letter)).map(|()| 4),
            _ => None,
        },
        b'0'..=b'3' => match number(rest.get(1..)?, 8, 3)? {
            (code, 3) => char::from_u32(code).map(|letter| plain.push(letter)).map(|()| 4),
            _ => None,
        },
        // As Markdown and JSON escape what has a meaning of its own.
        _ if next.is_ascii_punctuation() => {
            plain.push(char::from(next));
            Some(2)
        }
        _ => None,
    }
}

/// A number at the start, of so many digits at most, and how many it has.
fn number(bytes: &[u8], radix: u32, digits_max: usize) -> Option<(u32, usize)> {
    let digits = bytes.iter().take(digits_max).map_while(|byte| char::from(*byte).to_digit(radix));
    let (mut value, mut count) = (0_u32, 0);
    for digit in digits {
        value = value.checked_mul(radix)?.checked_add(digit)?;
        count += 1;
    }
    (count > 0).then_some((value, count))
}

/// The text without HTML tags and comments, and with the full stops of other scripts where a domain has its dots; `None` where
/// there are none.
pub(super) fn markup_removed(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut at = 0;
    while let Some(skipped) =
        bytes.get(at..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'<' | 0xE3 | 0xEF)))
    {
        at += skipped;
        let rest = &bytes[at..];
        let stop =
            ["\u{3002}", "\u{FF61}"].iter().find(|stop| rest.starts_with(stop.as_bytes())).map(|stop| stop.len());
        let is_inside = |length: usize| {
            let is_part = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
            is_part(at.checked_sub(1).and_then(|before| bytes.get(before))) && is_part(rest.get(length))
        };
        let (length, plain) = match (rest.first(), stop) {
            (_, Some(length)) if is_inside(length) => (length, "."),
            (Some(b'<'), _) => (tag(rest).unwrap_or(0), ""),
            _ => (0, ""),
        };
        if length > 0 {
            rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(at..at + length, plain);
        }
        at += length.max(1);
    }
    rewrite.map(Rewrite::finish)
}

/// An HTML tag or comment.
fn tag(rest: &[u8]) -> Option<usize> {
    let after = rest.get(1..)?;
    let opens = match after {
        [b'!', b'-', b'-', ..] => true,
        [b'/', letter, ..] | [letter, ..] => letter.is_ascii_alphabetic(),
        [] => false,
    };
    let end = after.iter().take(TAG_BYTES_MAX).position(|byte| matches!(byte, b'<' | b'>'))?;
    let is_address = after.get(..end)?.contains(&b'@');
    (opens && !is_address && after.get(end) == Some(&b'>')).then_some(end + 2)
}

/// "[at]", "(dot)" and the like, with the blanks around them.
fn bracketed(text: &str, at: usize, plain: &mut String) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let close = match bytes.get(at)? {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    let length = bytes.get(at + 1..)?.iter().take(12).position(|byte| *byte == close)?;
    plain.push(sign(text.get(at + 1..at + 1 + length)?.trim())?);
    let is_blank = |byte: &&u8| **byte == b' ';
    let before = bytes[..at].iter().rev().take(2).take_while(is_blank).count();
    let after = bytes[at + length + 2..].iter().take(2).take_while(is_blank).count();
    Some(at - before..at + length + 2 + after)
}

fn sign(word: &str) -> Option<char> {
    let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
    match () {
        () if is(&["at", "@", "arroba", "chiocciola", "arobase", "klammeraffe", "malpa", "ät", "собака"]) => {
            Some('@')
        }
        () if is(&["dot", ".", "punkt", "punto", "point", "ponto", "kropka", "punt", "точка"]) => Some('.'),
        () if is(&["dash", "-", "hyphen", "minus"]) => Some('-'),
        () if is(&["underscore", "_"]) => Some('_'),
        () => None,
    }
}

/// A quick look for what [`spelt_out`] starts from.
pub(super) fn may_be_spelt_out(text: &str) -> bool {
    ["dot", "DOT", "Dot", " ."].iter().any(|dot| text.contains(dot))
}

/// "jo at example dot com", "jo_at_example_dot_com" and "jo @ example . com", where a top-level domain follows the last "dot".
fn spelt_out(text: &str) -> Option<Rewrite<'_>> {
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut read = 0;
    let mut dots: Vec<usize> = ["dot", "DOT", "Dot", "."].iter().flat_map(|dot| standing(text, dot)).collect();
    dots.sort_unstable();
    for at in dots {
        let length = if text.as_bytes()[at] == b'.' { 1 } else { 3 };
        let Some(dot) = framed(text, at, length).filter(|dot| dot.start >= read) else { continue };
        let word = text[dot.end..].split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        // One more "dot" may follow: "example dot co dot uk".
        let rest = text[dot.end + word.len()..].trim_start_matches(FRAMES);
        let is_domain = is_top_level(word) || rest.get(..3).is_some_and(|next| next.eq_ignore_ascii_case("dot"));
        let sign = sign_before(text, dot.start).filter(|sign| sign.start >= read);
        let goes_on = read > 0 && dot.start - read <= DOMAIN_BYTES_MAX;
        if !is_domain || sign.is_none() && !goes_on {
            continue;
        }
        read = dot.end;
        let rewrite = rewrite.get_or_insert_with(|| Rewrite::of(text));
        if let Some(sign) = sign {
            rewrite.replace(sign, "@");
        }
        rewrite.replace(dot, ".");
    }
    rewrite
}

/// What frames a word that stands for a sign.
const FRAMES: [char; 8] = [' ', '-', '_', '|', '*', '<', '>', '~'];

/// Where a word stands with a frame before it.
fn standing<'a>(text: &'a str, word: &'static str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(|at| text[..*at].ends_with(FRAMES))
}

/// The word at `at` with its frame, if letters or digits stand on both sides of that.
fn framed(text: &str, at: usize, length: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_frame = |byte: &&u8| FRAMES.contains(&char::from(**byte));
    let before = bytes.get(..at)?.iter().rev().take(3).take_while(is_frame).count();
    let after = bytes.get(at + length..)?.iter().take(3).take_while(is_frame).count();
    let range = at.checked_sub(before)?..at + length + after;
    let is_part = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let stands =
        is_part(range.start.checked_sub(1).and_then(|before| bytes.get(before))) && is_part(bytes.get(range.end));
    (before > 0 && after > 0 && stands).then_some(range)
}

/// The last "at" in the domain's reach.
fn sign_before(text: &str, dot: usize) -> Option<Range<usize>> {
    let domain = behind(text, dot, DOMAIN_BYTES_MAX);
    let start = dot - domain.len();
    let last = ["at", "AT", "At", "@"]
        .iter()
        .filter_map(|word| domain.rfind(word).map(|at| (start + at, word.len())))
        .max()?;
    framed(text, last.0, last.1).filter(|sign| sign.end <= dot)
}
