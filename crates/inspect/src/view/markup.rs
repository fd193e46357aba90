//! Removes mark-up that readers don't see: HTML tags and comments, terminal colours, adjoining links inside a word, and
//! emphasis around every single character.

use std::ops::Range;

use super::map::{Map, Rewrite};

/// Longer tags are left unchanged.
const TAG_BYTES_MAX: usize = 128;
/// Comments may be longer than tags; this limits how much of one is read.
const COMMENT_BYTES_MAX: usize = 512;
/// Mark-up that may frame a single character.
const FRAMED: [(&str, &str); 6] = [("**", "**"), ("__", "__"), ("~~", "~~"), ("`", "`"), ("{", "}"), ("_", "_")];
/// Fewer framed characters are ordinary emphasis.
const FRAMED_MIN: usize = 6;

/// Removes HTML tags and comments, and replaces the full stops of other scripts by dots inside domains. Returns `None`
/// if there is nothing to change.
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

/// The length of an HTML tag or comment.
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
        // Fewer bytes remain than the search window needs.
        None => inside.ends_with(b"-->").then_some(rest.len()).filter(|length| *length <= COMMENT_BYTES_MAX),
    }
}

/// Removes mark-up around every single character: `**4****5**`, `{4}{5}`, `_D__E_`. Returns `None` if there is none.
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
                // Replace them one by one, so that each keeps its own position.
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

/// The total length of the framed characters at the start of a text, the length of a single frame, and the characters.
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

/// The range of a terminal's colour code, or of the mark-up between two adjoining links that spell one word:
/// `[ab](url)[cd](url)`. `at` is the offset of a bracket.
pub(super) fn hidden_by_bracket(text: &str, at: usize) -> Option<Range<usize>> {
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
