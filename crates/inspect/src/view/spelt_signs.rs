//! Replaces signs that are spelt out, as people do in mail addresses: "[at]", "(dot)", "jo at example dot com".

use std::ops::Range;

use memchr::memmem;

use super::map::{Map, Rewrite};
use super::markup::hidden_by_bracket;
use crate::context::{ahead, behind};
use crate::pii::is_top_level;

/// The maximum distance between "at" and "dot".
const DOMAIN_BYTES_MAX: usize = 64;

/// A quick check for the words that [`spelt_out`] starts from.
pub(super) fn may_be_spelt_out(text: &str) -> bool {
    ["dot", "DOT", "Dot", " ."].iter().any(|dot| memmem::find(text.as_bytes(), dot.as_bytes()).is_some())
}

/// Rewrites "jo at example dot com", "jo_at_example_dot_com" and "jo @ example . com", if a top-level domain follows
/// the last "dot".
pub(super) fn spelt_out(text: &str) -> Option<Rewrite<'_>> {
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut read = 0;
    let mut dots: Vec<usize> = ["dot", "DOT", "Dot", "."].iter().flat_map(|dot| starts_in_frames(text, dot)).collect();
    dots.sort_unstable();
    for at in dots {
        let length = if text.as_bytes()[at] == b'.' { 1 } else { 3 };
        let Some(dot) = framed(text, at, length).filter(|dot| dot.start >= read) else { continue };
        let word = text[dot.end..].split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        // Another "dot" may follow: "example dot co dot uk".
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

/// Rewrites "jo_at_firm.org", "jo <at> firm.org" and "jo.doe at firm.org", in which the at sign is spelt out and the
/// dots are not. Returns `None` if there is nothing to change. A plain "at" between spaces counts only after a name
/// that can't be an ordinary word.
pub(super) fn at_signs_restored(text: &str) -> Option<(String, Map)> {
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

/// Matches "[at]", "(dot)" and similar, with the spaces around them.
pub(super) fn bracketed(text: &str, at: usize, plain: &mut String) -> Option<Range<usize>> {
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
        // `a[:]` is code; in an IPv6 address, hexadecimal digits surround the colon.
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

/// Whether an at sign and the labels of a domain directly precede this.
fn follows_sign(text: &str, dot: usize) -> bool {
    let domain = behind(text, dot, DOMAIN_BYTES_MAX);
    let label =
        domain.rsplit(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-' || letter == '.')).next();
    label.is_some_and(|label| !label.is_empty() && domain[..domain.len() - label.len()].ends_with('@'))
}

/// Finds the words for signs in the name before "at": "maria dot kovacs at …".
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

/// The characters that may frame a word for a sign.
const FRAMES: [char; 10] = [' ', '-', '_', '|', '*', '<', '>', '~', '/', '"'];

/// The offsets at which a word occurs with a frame before it.
fn starts_in_frames<'a>(text: &'a str, word: &'static str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(|at| text[..*at].ends_with(FRAMES))
}

/// The range of the word at `at` with its frame, if letters or digits are on both sides.
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

/// The last "at" within a domain's length before the dot.
fn sign_before(text: &str, dot: usize) -> Option<Range<usize>> {
    let domain = behind(text, dot, DOMAIN_BYTES_MAX);
    let start = dot - domain.len();
    let last = ["at", "AT", "At", "@"]
        .iter()
        .filter_map(|word| domain.rfind(word).map(|at| (start + at, word.len())))
        .max()?;
    framed(text, last.0, last.1).filter(|sign| sign.end <= dot)
}
