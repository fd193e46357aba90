//! Finds text inside runs of base64 or hexadecimal digits.
//!
//! A run may be truncated or start at any position, so each alignment is tried; only parts that decode to readable text
//! are examined.

use std::ops::Range;
use std::rc::Rc;

use super::map::{Map, Rewrite};
use crate::base64;

/// Shorter runs are words, ids and numbers.
const RUN_MIN: usize = 12;
/// Shorter runs of printable characters occur by chance.
const TEXT_MIN: usize = 8;
const LINE_MAX: usize = 120;
/// Mail wraps base64 at 64 or 76 characters; shorter lines are unusual, but possible.
const LINE_MIN: usize = 32;

/// The widths of space-separated base64 groups that are recognised; lines may have any width.
const GROUP_WIDTHS: [usize; 3] = [4, 6, 8];
const GROUPS_MIN: usize = 4;
/// The number of hexadecimal digits per group of a dump.
const HEX_WIDTHS: [usize; 2] = [4, 8];
/// The range of widths of base64 lines that are joined with the next one.
const LINE_WIDTHS: std::ops::RangeInclusive<usize> = 6..=76;
/// The minimum number of separated hexadecimal pairs: fewer are a time, a date or a MAC address.
const PAIRS_MIN: usize = 9;

/// A text that is encoded in another text.
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// The range of the run. `characters` of its characters encode `bytes` bytes of the text.
    pub(crate) run: Range<usize>,
    characters: usize,
    bytes: usize,
    /// The number of decoded bytes before this text.
    before: usize,
    /// The number of decoded bytes per byte of the text: two in UTF-16.
    width: usize,
    /// The number of leading characters of the run that are skipped for this alignment.
    skipped: usize,
    /// The position of each character of the run, if they are not contiguous.
    places: Option<Rc<[usize]>>,
}

impl Decoded {
    /// The part of the run that encodes a range of the text, rounded to whole groups.
    pub(crate) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let group = |bytes: usize| self.skipped + bytes / self.bytes * self.characters;
        let first = group(self.before + range.start * self.width);
        let end = group(self.before + range.end * self.width + self.bytes - 1);
        let (start, end) = match &self.places {
            None => (self.run.start + first, self.run.start + end),
            Some(places) => {
                let place = |at: usize| places.get(at).copied();
                let end = place(end.max(1) - 1).map_or(self.run.end, |last| last + 1);
                (place(first).unwrap_or(self.run.start), end)
            }
        };
        start.min(self.run.end)..end.min(self.run.end)
    }
}

/// Finds all texts that are encoded in a text.
pub(crate) fn texts(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !base64::is_digit(bytes[at]) {
            at += 1;
            continue;
        }
        // Runs shorter than the minimum are skipped in steps of that length.
        let Some(run) = bytes.get(at..at + RUN_MIN) else { break };
        if let Some(last) = run.iter().rposition(|byte| !base64::is_digit(*byte)) {
            let spread = if may_be_spread(bytes, at) { spread_at(bytes, at, &mut found) } else { None };
            at = spread.unwrap_or(at + last + 1);
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|byte| base64::is_digit(**byte)).count();
        decode(text, at..end, &mut found);
        at = end;
    }
    decode_lines(text, &mut found);
    found
}

/// A quick check for the patterns that [`spread_at`] starts from: two hexadecimal digits, or spaces after two groups of
/// one width. It runs for every word, so it is branch-free.
fn may_be_spread(bytes: &[u8], at: usize) -> bool {
    let Some(ahead) = bytes.get(at..at + 18) else { return true };
    let is_blank = |at: usize| (ahead[at] == b' ') | (ahead[at] == b'\n');
    let are_spaces = |first: usize, second: usize| is_blank(first) & is_blank(second);
    let is_pair = HEX[usize::from(ahead[0])] & HEX[usize::from(ahead[1])] & !ahead[2].is_ascii_alphanumeric();
    // The prefixes of `0x34` and `U+0034`.
    let is_marked = (ahead[1] == b'x') | (ahead[1] == b'X') | (ahead[1] == b'+');
    is_pair | is_marked | are_spaces(4, 9) | are_spaces(6, 13) | are_spaces(8, 17)
}

const HEX: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_hexdigit();
        byte += 1;
    }
    table
};

/// A run, and the position of each of its characters if they are spread out.
struct Run {
    range: Range<usize>,
    places: Option<Rc<[usize]>>,
}

impl Run {
    fn spread(places: Vec<usize>) -> Option<Self> {
        let range = *places.first()?..*places.last()? + 1;
        Some(Self { range, places: Some(places.into()) })
    }

    /// Keeps the readable parts of a decoded form in which `characters` characters encode `bytes` bytes.
    fn keep(&self, (characters, bytes): (usize, usize), skipped: usize, decoded: &[u8], found: &mut Vec<Decoded>) {
        let mut keep = |before, width, text| {
            let (run, places) = (self.range.clone(), self.places.clone());
            found.push(Decoded { text, run, characters, bytes, before, width, skipped, places });
        };
        readable_parts(decoded, |before, text| keep(before, 1, text));
        readable_wide_parts(decoded, |before, text| keep(before, 2, text));
    }
}

fn decode(text: &str, run: Range<usize>, found: &mut Vec<Decoded>) {
    let bytes = text.as_bytes();
    let written = &bytes[run.clone()];
    let mut at = 0;
    for digits in written.split(|byte| !byte.is_ascii_hexdigit()) {
        let place = run.start + at..run.start + at + digits.len();
        at += digits.len() + 1;
        for skipped in (0..2).filter(|_| digits.len() >= RUN_MIN) {
            let pairs = digits.get(skipped..).unwrap_or_default().chunks_exact(2);
            if may_be_text(pairs.clone()) {
                let decoded: Vec<u8> = pairs.map(|pair| hex(pair[0]) << 4 | hex(pair[1])).collect();
                Run { range: place.clone(), places: None }.keep((2, 1), skipped, &decoded, found);
            }
        }
    }
    // A dash is also a base64 digit.
    if written.get(2) == Some(&b'-') {
        pairs_at(bytes, run.start, found);
    }
    let whole = Run { range: run, places: None };
    for skipped in (0..4).filter(|_| may_be_base64(written)) {
        whole.keep((4, 3), skipped, &base64::decode(written.get(skipped..).unwrap_or_default()), found);
    }
}

/// Decodes pairs of hexadecimal digits or short groups of base64, with the same separator between them. Returns where
/// they end.
fn spread_at(bytes: &[u8], at: usize, found: &mut Vec<Decoded>) -> Option<usize> {
    pairs_at(bytes, at, found)
        .or_else(|| HEX_WIDTHS.iter().find_map(|width| hex_groups_at(bytes, at, *width, found)))
        .or_else(|| GROUP_WIDTHS.iter().find_map(|width| groups_at(bytes, at, *width, found)))
}

/// Decodes `3435 3339 …` and `34353339 35373837 …`, on one line or several, as in hex dumps.
fn hex_groups_at(bytes: &[u8], at: usize, width: usize, found: &mut Vec<Decoded>) -> Option<usize> {
    let is_group = |at: usize| bytes.get(at..at + width).is_some_and(|group| group.iter().all(u8::is_ascii_hexdigit));
    let is_blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\n'));
    let step = width + 1;
    if !is_group(at) {
        return None;
    }
    let (mut start, mut end) = (at, at);
    // The scan may have skipped the first groups.
    while start >= step && at - start < RUN_MIN && is_blank(start - 1) && is_group(start - step) {
        start -= step;
    }
    loop {
        end += width;
        if !(is_blank(end) && is_group(end + 1)) {
            break;
        }
        end += 1;
    }
    let places: Vec<usize> = (start..end).filter(|place| !is_blank(*place)).collect();
    if places.len() < 2 * TEXT_MIN || places.len() == width {
        return None;
    }
    let pairs = places.chunks_exact(2).map(|pair| [bytes[pair[0]], bytes[pair[1]]]).collect::<Vec<_>>();
    if may_be_text(pairs.iter().map(<[u8; 2]>::as_slice)) {
        let decoded: Vec<u8> = pairs.iter().map(|pair| hex(pair[0]) << 4 | hex(pair[1])).collect();
        Run::spread(places)?.keep((2, 1), 0, &decoded, found);
    }
    Some(end)
}

/// Decodes `34 35 …`, `34:35:…`, `0x34, 0x35, …`, `=34=35…`, `U+0034 U+0035 …`.
fn pairs_at(bytes: &[u8], at: usize, found: &mut Vec<Decoded>) -> Option<usize> {
    let prefix = match bytes.get(at..)? {
        [b'0', b'x' | b'X', ..] => 2,
        [b'U' | b'u', b'+', b'0', b'0', ..] => 4,
        _ => 0,
    };
    let first = at + prefix;
    let is_pair = |at: usize| bytes.get(at..at + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    let mark = *bytes.get(first + 2).filter(|mark| !mark.is_ascii_alphanumeric() && is_pair(first))?;
    let marks = 1 + usize::from(bytes.get(first + 3) == Some(&b' ') && mark != b' ');
    let step = 2 + marks + prefix;
    let between = bytes.get(first + 2..first + step)?;
    let mut end = first + 2;
    while bytes.get(end..end + between.len()) == Some(between) && is_pair(end + between.len()) {
        end += step;
    }
    // The scan may have skipped the first pairs.
    let mut start = first;
    while start >= step
        && first - start < RUN_MIN
        && is_pair(start - step)
        && bytes[start - between.len()..start] == *between
    {
        start -= step;
    }
    let count = (end - start).div_ceil(step);
    if count < PAIRS_MIN {
        return None;
    }
    let pairs = (0..count).map(|n| &bytes[start + n * step..start + n * step + 2]);
    if may_be_text(pairs.clone()) {
        let decoded: Vec<u8> = pairs.map(|pair| hex(pair[0]) << 4 | hex(pair[1])).collect();
        let places = (0..count).flat_map(|n| [start + n * step, start + n * step + 1]).collect();
        Run::spread(places)?.keep((2, 1), 0, &decoded, found);
    }
    Some(end)
}

/// Decodes `dG9i aWFz X2xp …`: all groups have the same width, except the last, which may be shorter.
fn groups_at(bytes: &[u8], at: usize, width: usize, found: &mut Vec<Decoded>) -> Option<usize> {
    let step = width + 1;
    let is_group =
        |at: usize| bytes.get(at..at + width).is_some_and(|group| group.iter().all(|byte| base64::is_digit(*byte)));
    let are_spaced = [width, width + step].iter().all(|space| bytes.get(at + space) == Some(&b' '));
    if !are_spaced || !is_group(at) || !may_be_base64(&bytes[at..at + width + step]) {
        return None;
    }
    let mut start = at;
    // The scan may have skipped the first groups.
    while start >= step && at - start < RUN_MIN && bytes[start - 1] == b' ' && is_group(start - step) {
        start -= step;
    }
    if start < at && start > 0 && base64::is_digit(bytes[start - 1]) {
        start += step;
    }
    let mut places = Vec::new();
    let mut end = start;
    loop {
        let length = bytes[end..].iter().take(step).take_while(|byte| base64::is_digit(**byte)).count();
        if length > width {
            break;
        }
        places.extend(end..end + length);
        end += length;
        if length < width || bytes.get(end) != Some(&b' ') {
            break;
        }
        end += 1;
    }
    spread_base64(bytes, places, width * (GROUPS_MIN - 1), found);
    // Continue after the whole sequence, whether or not text was found, so that it isn't read again from its next
    // group.
    Some(end.max(at + 1))
}

/// Decodes base64 in lines of equal width, quoted or not, with or without hyphens at their ends. [`unwrapped`] joins
/// longer lines.
fn decode_lines(text: &str, found: &mut Vec<Decoded>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skipped) = text.get(at..).and_then(|rest| rest.find('\n')) {
        let line_end = at + skipped;
        at = line_end + 1;
        let end = line_end - usize::from(line_end > 0 && bytes[line_end - 1] == b'\r');
        let hyphen = usize::from(end > 0 && bytes[end - 1] == b'-');
        let length = bytes[..end - hyphen]
            .iter()
            .rev()
            .take(LINE_WIDTHS.end() + 1)
            .take_while(|byte| base64::is_digit(**byte))
            .count();
        if !LINE_WIDTHS.contains(&length) || !may_be_base64(&bytes[end - hyphen - length..end - hyphen]) {
            continue;
        }
        let mut places: Vec<usize> = (end - hyphen - length..end - hyphen).collect();
        let mut next = at;
        loop {
            next += bytes[next..].iter().take(3).take_while(|byte| matches!(byte, b'>' | b' ' | b'\t')).count();
            let more = bytes[next..].iter().take(length + 1).take_while(|byte| base64::is_digit(**byte)).count();
            let more = more.min(length);
            places.extend(next..next + more);
            next += more;
            let marks = bytes[next..].iter().take(2).take_while(|byte| matches!(byte, b'-' | b'\r')).count();
            if more < length || bytes.get(next + marks) != Some(&b'\n') {
                break;
            }
            next += marks + 1;
            at = next;
        }
        spread_base64(bytes, places, RUN_MIN, found);
    }
}

/// Keeps the text that spread-out base64 decodes to, if it is long enough.
fn spread_base64(bytes: &[u8], places: Vec<usize>, length_min: usize, found: &mut Vec<Decoded>) {
    let written: Vec<u8> = places.iter().map(|place| bytes[*place]).collect();
    if written.len() < length_min || !may_be_base64(&written) || !written.iter().any(u8::is_ascii_lowercase) {
        return;
    }
    if let Some(run) = Run::spread(places) {
        run.keep((4, 3), 0, &base64::decode(&written), found);
    }
}

/// Whether the hexadecimal pairs contain a long enough run without control characters.
fn may_be_text<'a>(pairs: impl Iterator<Item = &'a [u8]>) -> bool {
    let (mut row, mut zeros) = (0, 0);
    pairs.into_iter().any(|pair| {
        // In UTF-16, every second byte is zero.
        zeros += usize::from(pair == b"00");
        row = if matches!(pair, [b'1', _] | [b'0', b'0'..=b'8' | b'e' | b'E' | b'f' | b'F']) { 0 } else { row + 1 };
        row >= TEXT_MIN || zeros >= TEXT_MIN
    })
}

/// Whether a base64 run may encode an identifier, which most long words and numbers can't: the encoding of any third
/// digit and of any `@` contains a capital letter that is not the first character of the run.
fn may_be_base64(run: &[u8]) -> bool {
    run.iter().skip(1).any(u8::is_ascii_uppercase)
}

/// Calls `each` with every readable part and the number of bytes before it.
fn readable_parts(decoded: &[u8], mut each: impl FnMut(usize, String)) {
    let mut at = 0;
    for chunk in decoded.utf8_chunks() {
        let mut before = at;
        for text in chunk.valid().split(|letter: char| letter.is_control() && !letter.is_ascii_whitespace()) {
            if text.len() >= TEXT_MIN {
                each(before, text.to_owned());
            }
            // The control character that ends a part takes one byte, or two if it is not ASCII.
            let next = before + text.len();
            let end =
                decoded.get(next..).and_then(|rest| rest.first()).map_or(0, |byte| 1 + usize::from(!byte.is_ascii()));
            before = next + end;
        }
        at += chunk.valid().len() + chunk.invalid().len();
    }
}

/// Like [`readable_parts`], for UTF-16 in either byte order, in which every other byte is zero.
fn readable_wide_parts(decoded: &[u8], mut each: impl FnMut(usize, String)) {
    if decoded.iter().filter(|byte| **byte == 0).count() < TEXT_MIN {
        return;
    }
    let is_wide = |at: usize| {
        decoded.get(at).is_some_and(|byte| byte.is_ascii() && !byte.is_ascii_control())
            && decoded.get(at + 1).is_none_or(|byte| *byte == 0)
    };
    let mut at = 0;
    while at < decoded.len() {
        let text: String = (at..).step_by(2).take_while(|at| is_wide(*at)).map(|at| char::from(decoded[at])).collect();
        let length = text.len();
        if length >= TEXT_MIN {
            each(at, text);
        }
        at += (2 * length).max(1);
    }
}

/// Joins base64 that is wrapped into lines, as in mail; `None` if there is none.
pub(super) fn unwrapped(text: &str) -> Option<(String, Map)> {
    let bytes = text.as_bytes();
    let mut rewrite: Option<Rewrite<'_>> = None;
    for (at, _) in text.match_indices('\n') {
        let start = at - usize::from(at > 0 && bytes[at - 1] == b'\r');
        let is_wrapped = start >= LINE_MIN
            && bytes[start - LINE_MIN..start].iter().all(|byte| base64::is_digit(*byte))
            && is_line(bytes.get(at + 1..).unwrap_or_default());
        if is_wrapped {
            rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(start..at + 1, "");
        }
    }
    rewrite.map(Rewrite::finish)
}

/// Whether the line contains only base64, up to its end, a quotation mark or the padding.
fn is_line(rest: &[u8]) -> bool {
    let length = rest.iter().take(LINE_MAX).take_while(|byte| base64::is_digit(**byte)).count();
    length > 0 && rest.get(length).is_none_or(|end| matches!(end, b'\r' | b'\n' | b'=' | b'"' | b'\'' | b'`'))
}

fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok()).unwrap_or(0)
}
