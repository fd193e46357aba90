//! Characters written as something else: HTML entities, percent encoding, backslash escapes, "[at]" and "(dot)"; and mark-up, which
//! readers don't see.

use std::ops::Range;

use memchr::memmem;

use super::map::{Map, Rewrite};
use crate::{
    context::{ahead, behind, find_class},
    pii::is_top_level,
};

/// Longer mark-up is left alone.
const TAG_BYTES_MAX: usize = 128;
/// Comments may say more; this is how much of one is read.
const COMMENT_BYTES_MAX: usize = 512;
const NAME_BYTES_MAX: usize = 24;
/// How far apart "at" and "dot" may stand.
const DOMAIN_BYTES_MAX: usize = 64;

/// The text with one layer of escapes undone; `None` where there are none.
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

/// Writes what the escape at `at` stands for, and returns where it stands.
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

/// Whether a per cent sign stands between two groups of digits (`6011%9180%5888%…`) rather than for a letter.
fn is_mark_between_groups(text: &str, at: usize, plain: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes[at + 1..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    at > 0 && bytes[at - 1].is_ascii_digit() && digits == 4 && plain.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A digit among characters that all have a backslash: `\\8\\4\\.\\1\\7`.
fn escaped_digit(text: &str, at: usize, plain: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    let digit = *bytes.get(at + 1).filter(|digit| digit.is_ascii_digit())?;
    let next = bytes.get(at + 2);
    let is_among = next == Some(&b'\\') || at >= 2 && bytes[at - 2] == b'\\';
    (is_among && !next.is_some_and(u8::is_ascii_alphanumeric)).then(|| plain.push(char::from(digit)))?;
    Some(2)
}

/// `\\n`, `\\r` or `\\t` between letters or digits. Elsewhere it begins a name, as in paths and formulas.
fn escaped_break(text: &str, at: usize, plain: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_break = matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't'));
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'\\');
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let is_inside = is_part(bytes.get(at + 2)) && (is_part(before) || at >= 2 && bytes[at - 2] == b'\\');
    (is_break && is_inside).then(|| plain.push('\n'))?;
    Some(2)
}

/// One or several bytes in a row: a character beyond ASCII takes more than one.
fn percent(rest: &[u8], plain: &mut String) -> Option<usize> {
    if matches!(rest.get(1), Some(b'u' | b'U'))
        && let Some((code, 4)) = number(rest.get(2..)?, 16, 4)
    {
        plain.push(char::from_u32(code)?);
        return Some(6);
    }
    escaped_bytes(rest, "%", plain)
}

/// The bytes of one character, each with a mark before its two hexadecimal digits.
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
    if after.starts_with(b"!--") {
        return comment(rest);
    }
    let opens = match after {
        [b'/', letter, ..] | [letter, ..] => letter.is_ascii_alphabetic(),
        [] => false,
    };
    let end = after.iter().take(TAG_BYTES_MAX).position(|byte| matches!(byte, b'<' | b'>'))?;
    let is_address = after.get(..end)?.contains(&b'@');
    (opens && !is_address && after.get(end) == Some(&b'>')).then_some(end + 2)
}

fn comment(rest: &[u8]) -> Option<usize> {
    let inside = rest.get(4..)?;
    let length = inside.windows(4).take(COMMENT_BYTES_MAX).position(|four| four == b"<!--" || four.starts_with(b"-->"));
    match length {
        Some(length) => inside[length..].starts_with(b"-->").then_some(4 + length + 3),
        // The end of the text is too short for a window.
        None => inside.ends_with(b"-->").then_some(rest.len()).filter(|length| *length <= COMMENT_BYTES_MAX),
    }
}

/// What colours text in a terminal, and what stands between two halves that are links of their own: `[ab](url)[cd](url)`. `at` is
/// a bracket.
fn hidden_by_bracket(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let before = *bytes.get(at.checked_sub(1)?)?;
    if before == 0x1B {
        let length = bytes[at + 1..].iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
        let end = at + 1 + length;
        return bytes.get(end).is_some_and(u8::is_ascii_alphabetic).then_some(at - 1..end + 1);
    }
    let is_end = |byte: &u8| matches!(byte, b'(' | b'[' | b')' | b' ' | b'\n');
    let address = bytes[..at - 1].iter().rev().take(TAG_BYTES_MAX).position(is_end).filter(|_| before == b')')?;
    let start = (at - 1 - address).checked_sub(2)?;
    (bytes.get(start..start + 2) == Some(b"](")).then_some(start..at + 1)
}

/// "[at]", "(dot)" and the like, with the blanks around them.
fn bracketed(text: &str, at: usize, plain: &mut String) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if bytes.get(at) == Some(&b'[')
        && let Some(hidden) = hidden_by_bracket(text, at)
    {
        return Some(hidden);
    }
    let close = match bytes.get(at)? {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    let length = bytes.get(at + 1..)?.iter().take(12).position(|byte| *byte == close)?;
    let inside = text.get(at + 1..at + 1 + length)?.trim();
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    if inside == ":" {
        // `a[:]` is code; in an address there are digits on both sides.
        let is_inside =
            is_hex(at.checked_sub(1).and_then(|before| bytes.get(before))) && is_hex(bytes.get(at + length + 2));
        is_inside.then(|| plain.push(':'))?;
        return Some(at..at + length + 2);
    }
    if inside.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let letters: String = inside.chars().filter(|letter| *letter != ' ').collect();
    let is_spaced = inside.split(' ').all(|part| part.chars().count() <= 1);
    plain.push(sign(if is_spaced { &letters } else { inside })?);
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

/// The text without the mark-up around every single character: `**4****5**`, `{4}{5}`, `_D__E_`; `None` where there is none.
pub(super) fn unframed(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut at = 0;
    while let Some(skipped) =
        bytes.get(at..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'*' | b'_' | b'`' | b'{' | b'~')))
    {
        at += skipped;
        match FRAMED.iter().find_map(|(open, close)| framed_characters(&text[at..], open, close)) {
            Some((length, frame_bytes, plain)) => {
                let rewrite = rewrite.get_or_insert_with(|| Rewrite::of(text));
                // One by one, so that each keeps its own place.
                let mut from = at;
                for (index, letter) in plain.char_indices() {
                    let step = frame_bytes + letter.len_utf8();
                    rewrite.replace(from..from + step, &plain[index..index + letter.len_utf8()]);
                    from += step;
                }
                at += length;
            }
            None => at += 1,
        }
    }
    rewrite.map(Rewrite::finish)
}

const FRAMED: [(&str, &str); 6] = [("**", "**"), ("__", "__"), ("~~", "~~"), ("`", "`"), ("{", "}"), ("_", "_")];
/// Fewer are emphasis.
const FRAMED_MIN: usize = 6;

/// The length of the framed characters at the start of a text, that of the frame of one, and the characters.
fn framed_characters(text: &str, open: &str, close: &str) -> Option<(usize, usize, String)> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(inside) = rest.strip_prefix(open) {
        let Some(letter) = inside.chars().next() else { break };
        let Some(after) = inside[letter.len_utf8()..].strip_prefix(close) else { break };
        plain.push(letter);
        rest = after;
    }
    (plain.len() >= FRAMED_MIN).then_some((text.len() - rest.len(), open.len() + close.len(), plain))
}

/// A quick look for what [`spelt_out`] starts from.
pub(super) fn may_be_spelt_out(text: &str) -> bool {
    ["dot", "DOT", "Dot", " ."].iter().any(|dot| memmem::find(text.as_bytes(), dot.as_bytes()).is_some())
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
        if !is_domain || sign.is_none() && !goes_on && !follows_sign(text, dot.start) {
            continue;
        }
        let rewrite = rewrite.get_or_insert_with(|| Rewrite::of(text));
        if let Some(sign) = sign {
            for (dot, plain) in signs_in_name(text, sign.start).into_iter().filter(|(dot, _)| dot.start >= read) {
                rewrite.replace(dot, plain);
            }
            let domain = sign.end;
            rewrite.replace(sign, "@");
            for (at, _) in text[domain..dot.start].match_indices(" dash ") {
                rewrite.replace(domain + at..domain + at + 6, "-");
            }
        }
        rewrite.replace(dot.clone(), ".");
        read = dot.end;
    }
    rewrite
}

/// "jo_at_firm.org", "jo <at> firm.org" and "jo.doe at firm.org": the sign is spelt out, the dots are not; `None` where there is none.
/// A plain "at" between spaces counts only behind what can't be a word.
pub(super) fn signs_spelt(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut read = 0;
    for at in memmem::find_iter(bytes, "at") {
        let frame = (at.checked_sub(1).and_then(|before| bytes.get(before)), bytes.get(at + 2));
        let is_marked = match frame {
            (Some(b'_'), Some(b'_'))
            | (Some(b'<'), Some(b'>'))
            | (Some(b'*'), Some(b'*'))
            | (Some(b'|'), Some(b'|')) => true,
            (Some(b' '), Some(b' ')) => false,
            _ => continue,
        };
        let (before, after) = (behind(text, at - 1, DOMAIN_BYTES_MAX), ahead(text, at + 3, DOMAIN_BYTES_MAX));
        let (name_end, domain) = (before.trim_end_matches(' '), after.trim_start_matches(' '));
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "._+-".contains(letter);
        let name = &name_end[name_end.trim_end_matches(is_name).len()..];
        let is_handle = name.contains(['.', '_', '+']) && name.starts_with(|first: char| first.is_ascii_alphabetic());
        let length = domain.len()
            - domain.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter)).len();
        let host = domain[..length].trim_end_matches('.');
        let is_host = host.rsplit_once('.').is_some_and(|(label, top)| !label.is_empty() && is_top_level(top));
        let range = at - 1 - (before.len() - name_end.len())..at + 3 + (after.len() - domain.len());
        if !name.is_empty() && is_host && (is_marked || is_handle) && range.start >= read {
            read = range.end;
            rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(range, "@");
        }
    }
    rewrite.map(Rewrite::finish)
}

/// Whether an at sign and one label of a domain stand right before.
fn follows_sign(text: &str, dot: usize) -> bool {
    let domain = behind(text, dot, DOMAIN_BYTES_MAX);
    let label =
        domain.rsplit(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-' || letter == '.')).next();
    label.is_some_and(|label| !label.is_empty() && domain[..domain.len() - label.len()].ends_with('@'))
}

/// The words for signs in the name before "at": "maria dot kovacs at …".
fn signs_in_name(text: &str, at: usize) -> Vec<(Range<usize>, &'static str)> {
    let mut signs = Vec::new();
    let mut end = at;
    while signs.len() < 3 {
        let name = behind(text, end, DOMAIN_BYTES_MAX);
        let word = name.len() - name.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric()).len();
        let before = &name[..name.len() - word];
        let sign = [(" dot ", "."), (" DOT ", "."), (" Dot ", "."), (" underscore ", "_"), (" dash ", "-")]
            .into_iter()
            .find(|(sign, _)| word > 0 && before.ends_with(sign) && before.len() > sign.len());
        let Some((sign, plain)) = sign else { break };
        let start = end - word - sign.len();
        signs.push((start..start + sign.len(), plain));
        end = start;
    }
    signs.reverse();
    signs
}

/// What frames a word that stands for a sign.
const FRAMES: [char; 10] = [' ', '-', '_', '|', '*', '<', '>', '~', '/', '"'];

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
