//! Joins mail addresses with gaps: `jo.doe @firm.org`, `jo.doe@\nfirm.org`, `"jo doe"@firm.org`, `j o @ f i r m . o r g`.
//! The search starts from each at sign; a gap is closed only if a domain with a known top level follows.

use std::ops::Range;

use super::map::{Map, Rewrite};
use crate::context::{ahead, behind};
use crate::pii::is_top_level;

const LOCAL_BYTES_MAX: usize = 64;
const DOMAIN_BYTES_MAX: usize = 128;
/// The maximum length of spaces, bars and line breaks next to the sign.
const GAP_BYTES_MAX: usize = 4;
/// Mark-up around a part of an address.
const FRAMES: [char; 3] = ['*', '`', '~'];
/// The minimum number of letters in an address that has a space after every letter.
const SPELT_LETTERS_MIN: usize = 3;

/// Returns `None` if no address has a gap.
pub(super) fn joined(text: &str) -> Option<(String, Map)> {
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut read = 0;
    for (sign, _) in text.match_indices('@').filter(|(sign, _)| !is_plain(text.as_bytes(), *sign)) {
        if let Some((range, plain)) = address_at(text, sign).filter(|(range, _)| range.start >= read) {
            read = range.end;
            rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(range, &plain);
        }
    }
    rewrite.map(Rewrite::finish)
}

/// Whether the address around a sign has no gap, which is nearly always the case.
fn is_plain(bytes: &[u8], sign: usize) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let has_local =
        sign.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|byte| is_part(byte) || *byte == b'_');
    let rest = bytes.get(sign + 1..).unwrap_or_default();
    let domain = &rest[..rest.iter().take(DOMAIN_BYTES_MAX).take_while(|byte| is_part(byte)).count()];
    let last = domain.iter().rposition(|byte| *byte == b'.').and_then(|dot| str::from_utf8(&domain[dot + 1..]).ok());
    has_local && last.is_some_and(is_top_level)
}

/// One side of an address, and the offset of its far end.
struct MailPart {
    plain: String,
    end: usize,
    has_gap: bool,
    /// Written in a form that can't be an ordinary word before the sign.
    is_certain: bool,
}

fn address_at(text: &str, sign: usize) -> Option<(Range<usize>, String)> {
    let domain = domain_after(text, sign + 1)?;
    let local = local_before(text, sign)?;
    let has_gap = local.has_gap || domain.has_gap;
    // "Follow us @firm.org" has a gap too, but is not an address.
    let is_address = !local.has_gap || local.is_certain;
    (has_gap && is_address).then(|| (local.end..domain.end, format!("{}@{}", local.plain, domain.plain)))
}

fn local_before(text: &str, sign: usize) -> Option<MailPart> {
    let before = behind(text, sign, LOCAL_BYTES_MAX);
    let near = before.trim_end_matches(is_gap);
    let gap = before.len() - near.len();
    if gap > GAP_BYTES_MAX {
        return None;
    }
    let end = sign - gap;
    let framed = near.trim_end_matches(FRAMES);
    if framed.len() < near.len() && near.len() - framed.len() <= GAP_BYTES_MAX {
        let name = framed.len() - framed.trim_end_matches(is_local_part_char).len();
        let plain = framed[framed.len() - name..].to_owned();
        let end = end - (near.len() - framed.len()) - name;
        return (name > 0).then_some(MailPart { plain, end, has_gap: true, is_certain: true });
    }
    if let Some(quoted) = near.strip_suffix('"') {
        let name = &quoted[quoted.rfind('"')? + 1..];
        let is_name = !name.is_empty() && name.chars().all(|letter| is_local_part_char(letter) || letter == ' ');
        let plain = name.replace(' ', ".");
        return is_name.then(|| MailPart { plain, end: end - name.len() - 2, has_gap: true, is_certain: true });
    }
    if let Some(plain) = spelt_before(near) {
        let bytes = 2 * plain.chars().count() - 1;
        return Some(MailPart { plain, end: end - bytes, has_gap: true, is_certain: true });
    }
    let start = near
        .rfind(|letter| !is_local_part_char(letter))
        .map_or(0, |at| at + near[at..].chars().next().map_or(1, char::len_utf8));
    let plain = near[start..].to_owned();
    let has_sign = plain.contains(['.', '_', '+', '-']) || plain.bytes().any(|byte| byte.is_ascii_digit());
    let is_certain = has_sign && plain.bytes().any(|byte| byte.is_ascii_alphabetic());
    (!plain.is_empty()).then(|| MailPart { end: end - plain.len(), plain, has_gap: gap > 0, is_certain })
}

/// Reads single characters with spaces between them, at the end of a text.
fn spelt_before(near: &str) -> Option<String> {
    let bytes = near.as_bytes();
    let mut at = bytes.len();
    let mut letters = Vec::new();
    while at > 0 && is_local_part_char(char::from(bytes[at - 1])) && (at == 1 || bytes[at - 2] == b' ') {
        letters.push(char::from(bytes[at - 1]));
        at = at.saturating_sub(2);
    }
    (letters.len() >= SPELT_LETTERS_MIN).then(|| letters.into_iter().rev().collect())
}

fn domain_after(text: &str, from: usize) -> Option<MailPart> {
    let after = ahead(text, from, DOMAIN_BYTES_MAX);
    // Skip a second at sign, or mark-up around the domain.
    let near = after.trim_start_matches(|letter| is_gap(letter) || FRAMES.contains(&letter) || "@\"".contains(letter));
    let gap = after.len() - near.len();
    if gap > GAP_BYTES_MAX {
        return None;
    }
    let start = from + gap;
    if let Some((plain, length)) = spelt_after(near) {
        return Some(MailPart { plain, end: start + length, has_gap: true, is_certain: true });
    }
    let (mut plain, mut end, mut has_gap) = (String::new(), 0, gap > 0);
    loop {
        let label = near[end..]
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .unwrap_or(near.len() - end);
        if label == 0 {
            return None;
        }
        plain.push_str(&near[end..end + label]);
        end += label;
        let rest = &near[end..];
        let dot = rest.trim_start_matches([' ', '\n', '\r']);
        let blanks = rest.len() - dot.len();
        let next = dot.strip_prefix('.').map(|next| if blanks > 0 { next.trim_start_matches(' ') } else { next });
        let goes_on =
            next.is_some_and(|next| blanks <= 3 && next.starts_with(|letter: char| letter.is_ascii_alphanumeric()));
        // In "Write to jo@firm.org . It is late.", the domain is already complete.
        let is_whole = blanks > 0 && plain.rsplit_once('.').is_some_and(|(_, top)| is_top_level(top));
        let Some(next) = next.filter(|_| goes_on && !is_whole) else { break };
        has_gap |= rest.len() - next.len() > 1;
        plain.push('.');
        end = near.len() - next.len();
    }
    let (_, top) = plain.rsplit_once('.')?;
    is_top_level(top).then(|| MailPart { end: start + end, plain, has_gap, is_certain: false })
}

/// Reads single characters with spaces between them, as far as they form a domain. Also returns their length including
/// the spaces.
fn spelt_after(near: &str) -> Option<(String, usize)> {
    let bytes = near.as_bytes();
    let mut plain = String::new();
    let mut at = 0;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    while bytes.get(at).is_some_and(is_part) && bytes.get(at + 1).is_none_or(|next| !is_part(next) || *next == b'.') {
        plain.push(char::from(bytes[at]));
        if bytes.get(at + 1) != Some(&b' ') {
            break;
        }
        at += 2;
    }
    // A word of one letter may follow, so the longest part that ends in a top-level domain counts.
    while plain.len() >= SPELT_LETTERS_MIN {
        let is_domain = plain.rsplit_once('.').is_some_and(|(labels, top)| !labels.is_empty() && is_top_level(top));
        if is_domain {
            let length = 2 * plain.len() - 1;
            return Some((plain, length));
        }
        plain.pop();
    }
    None
}

fn is_gap(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '|' | '>')
}

fn is_local_part_char(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '+' | '-')
}
