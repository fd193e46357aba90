//! Text inside runs of base64 or hexadecimal digits.
//!
//! A run may be cut or begin anywhere, so each way of reading it is tried; only stretches that read as text are looked at.

use std::ops::Range;

use super::map::{Map, Rewrite};

/// Shorter runs are words, ids and numbers.
const RUN_MIN: usize = 12;
/// A stretch of printable characters shorter than this is chance.
const TEXT_MIN: usize = 8;
const LINE_MAX: usize = 120;
/// Mail wraps base64 at 64 or 76 characters; shorter lines are odd, but possible.
const LINE_MIN: usize = 32;

/// A text that stands encoded in another.
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// Where the run stands, and how many of its characters make how many bytes of the text.
    pub(crate) run: Range<usize>,
    characters: usize,
    bytes: usize,
    /// Bytes of the run's decoded form before this text.
    before: usize,
    /// Characters of the run that belong to no byte of the first character.
    skipped: usize,
}

impl Decoded {
    /// The part of the run that a range of the text is written in, rounded to whole groups.
    pub(crate) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let group = |bytes: usize| bytes / self.bytes * self.characters;
        let start = self.run.start + self.skipped + group(self.before + range.start);
        let end = self.run.start + self.skipped + group(self.before + range.end + self.bytes - 1);
        start.min(self.run.end)..end.min(self.run.end)
    }
}

/// The texts that stand encoded in a text.
pub(crate) fn texts(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        // Runs shorter than the least are passed in steps of that length.
        let Some(last) = bytes.get(at..at + RUN_MIN).map(|run| run.iter().rposition(|byte| !is_encoding(*byte))) else {
            break;
        };
        if let Some(last) = last {
            at += last + 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|byte| is_encoding(**byte)).count();
        decode(text, at..end, &mut found);
        at = end;
    }
    found
}

fn decode(text: &str, run: Range<usize>, found: &mut Vec<Decoded>) {
    let written = &text.as_bytes()[run.clone()];
    let mut keep = |run: &Range<usize>, (characters, bytes): (usize, usize), skipped: usize, decoded: &[u8]| {
        stretches(decoded, |before, text| {
            found.push(Decoded { text, run: run.clone(), characters, bytes, before, skipped });
        });
    };
    let mut at = 0;
    for digits in written.split(|byte| !byte.is_ascii_hexdigit()) {
        let place = run.start + at..run.start + at + digits.len();
        at += digits.len() + 1;
        for skipped in (0..2).filter(|_| digits.len() >= RUN_MIN) {
            let pairs = digits.get(skipped..).unwrap_or_default().chunks_exact(2);
            if may_be_text(pairs.clone()) {
                let decoded: Vec<u8> = pairs.map(|pair| hex(pair[0]) << 4 | hex(pair[1])).collect();
                keep(&place, (2, 1), skipped, &decoded);
            }
        }
    }
    for skipped in (0..4).filter(|_| may_be_base64(written)) {
        keep(&run, (4, 3), skipped, &base64(written.get(skipped..).unwrap_or_default()));
    }
}

/// Whether enough pairs of hexadecimal digits in a row are no control characters.
fn may_be_text<'a>(pairs: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut row = 0;
    pairs.into_iter().any(|pair| {
        row = if matches!(pair, [b'1', _] | [b'0', b'0'..=b'8' | b'e' | b'E' | b'f' | b'F']) { 0 } else { row + 1 };
        row >= TEXT_MIN
    })
}

/// Whether a run may stand for an identifier, as most long words and numbers can't: in base64 every third digit and every `@`
/// has a capital letter, which is not the first of the run.
fn may_be_base64(run: &[u8]) -> bool {
    run.iter().skip(1).any(u8::is_ascii_uppercase)
}

/// Calls `each` with every stretch that reads as text, and the number of bytes before it.
fn stretches(decoded: &[u8], mut each: impl FnMut(usize, String)) {
    let mut at = 0;
    for chunk in decoded.utf8_chunks() {
        let mut before = at;
        for text in chunk.valid().split(|letter: char| letter.is_control() && !letter.is_ascii_whitespace()) {
            if text.len() >= TEXT_MIN {
                each(before, text.to_owned());
            }
            // Control characters that end a stretch take one byte, or two beyond ASCII.
            let next = before + text.len();
            let end =
                decoded.get(next..).and_then(|rest| rest.first()).map_or(0, |byte| 1 + usize::from(!byte.is_ascii()));
            before = next + end;
        }
        at += chunk.valid().len() + chunk.invalid().len();
    }
}

/// Base64 in lines, as mail wraps it, in one piece; `None` where there is none.
pub(super) fn unwrapped(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    for (at, _) in text.match_indices('\n') {
        let start = at - usize::from(at > 0 && bytes[at - 1] == b'\r');
        let is_wrapped = start >= LINE_MIN
            && bytes[start - LINE_MIN..start].iter().all(|byte| is_encoding(*byte))
            && is_line(bytes.get(at + 1..).unwrap_or_default());
        if is_wrapped {
            rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(start..at + 1, "");
        }
    }
    rewrite.map(Rewrite::finish)
}

/// Whether nothing but base64 stands in the line.
fn is_line(rest: &[u8]) -> bool {
    let length = rest.iter().take(LINE_MAX).take_while(|byte| is_encoding(**byte)).count();
    length > 0 && rest.get(length).is_none_or(|end| matches!(end, b'\r' | b'\n' | b'=' | b'"' | b'\'' | b'`'))
}

fn is_encoding(byte: u8) -> bool {
    ENCODING[byte as usize]
}

const ENCODING: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let letter = byte as u8;
        table[byte] = letter.is_ascii_alphanumeric() || matches!(letter, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    table
};

fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok()).unwrap_or(0)
}

fn six_bits(letter: u8) -> u8 {
    match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    }
}

fn base64(letters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0);
    for &letter in letters {
        bits = bits << 6 | u32::from(six_bits(letter));
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xFF).unwrap_or_default());
            bits &= (1 << held) - 1;
        }
    }
    bytes
}
