//! Finds parts of keys in a text, with any characters in between and in any common encoding of characters.
//!
//! Only the letters and digits of a text count, in lower case, so spaces, punctuation, line breaks and invisible characters hide
//! nothing. Parts of a key are searched as they are and in the usual character codes. They are long enough that none occurs in a
//! text by chance.

use std::collections::HashSet;

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;

/// The length of a part of a key.
const PART_CHARS: usize = 16;
/// Keys shorter than [`PART_CHARS`] are searched as a whole, and keys shorter than this are not searched here.
const KEY_CHARS_MIN: usize = 12;
/// Parts with fewer different characters would occur in ordinary texts.
const DISTINCT_CHARS_MIN: usize = 8;
/// Base64 writes three bytes as four characters.
const BASE64_PART_CHARS: usize = PART_CHARS * 4 / 3;
/// If a text ends with this many characters of a part, a key may have begun there.
const START_CHARS: usize = 8;

pub(crate) struct KeyFragments {
    automaton: AhoCorasick,
    /// All substrings of [`START_CHARS`] characters of the parts.
    starts: HashSet<String>,
    longest: usize,
}

impl KeyFragments {
    /// `None` if no key is long enough.
    pub(crate) fn of<'a>(keys: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut parts: Vec<String> = keys.flat_map(parts_of).collect();
        parts.sort_unstable();
        parts.dedup();
        let longest = parts.iter().map(String::len).max()?;
        let starts = parts.iter().flat_map(|part| windows(part, START_CHARS)).map(str::to_owned).collect();
        Some(Self { automaton: AhoCorasick::new(&parts).ok()?, starts, longest })
    }

    /// Whether a key is long enough to be distinguished from ordinary words by its letters and digits.
    pub(crate) fn is_traceable(key: &str) -> bool {
        normalised(key).len() >= KEY_CHARS_MIN
    }

    pub(crate) fn are_in(&self, text: &str) -> bool {
        self.automaton.is_match(&normalised(text))
    }

    /// Adds a piece to the end of a text, which is kept as letters and digits. Returns whether it completes a part of a key.
    pub(crate) fn follow(&self, end: &mut String, piece: &str) -> bool {
        end.push_str(&normalised(piece));
        let is_found = self.automaton.is_match(&*end);
        let surplus = end.len().saturating_sub(self.longest);
        end.drain(..surplus);
        is_found
    }

    /// Whether a key may have begun at the end of the text.
    pub(crate) fn may_have_begun(&self, end: &str) -> bool {
        end.len().checked_sub(START_CHARS).and_then(|from| end.get(from..)).is_some_and(|end| self.starts.contains(end))
    }
}

/// The letters and digits of a text, in lower case.
fn normalised(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// All parts of a key in all encodings, reduced by [`normalised`].
fn parts_of(key: &str) -> Vec<String> {
    if !KeyFragments::is_traceable(key) {
        return Vec::new();
    }
    let plain = normalised(key);
    let is_distinctive = |part: &&str| part.bytes().collect::<HashSet<_>>().len() >= DISTINCT_CHARS_MIN;
    let mut parts: Vec<String> = windows(&plain, PART_CHARS).filter(is_distinctive).map(str::to_owned).collect();
    let bytes = key.as_bytes();
    for part in bytes.windows(PART_CHARS.min(bytes.len())) {
        parts.extend(CODES.iter().map(|write| part.iter().map(|byte| write(*byte)).collect::<String>()));
    }
    for before in 0..3 {
        // These characters of the base64 depend on the key only, not on the text around it.
        let padded = [&vec![0; before], bytes].concat();
        let encoded = BASE64_STANDARD_NO_PAD.encode(&padded);
        let of_key = encoded.get((before * 8).div_ceil(6)..padded.len() * 8 / 6).unwrap_or_default();
        parts.extend(windows(&normalised(of_key), BASE64_PART_CHARS).map(str::to_owned));
    }
    parts
}

/// The usual codes for a character: in hexadecimal (`73`, `\x73`, `0x73`, `\0073`, `\u0073`, `U+0073`, `\u{73}`), in decimal
/// (`&#115;`, `[115, …]`) and in octal (`\163`).
const CODES: [fn(u8) -> String; 8] = [
    |byte| format!("{byte:02x}"),
    |byte| format!("x{byte:02x}"),
    |byte| format!("0x{byte:02x}"),
    |byte| format!("00{byte:02x}"),
    |byte| format!("u00{byte:02x}"),
    |byte| format!("u{byte:02x}"),
    |byte| format!("{byte}"),
    |byte| format!("{byte:03o}"),
];

/// All substrings of this length of an ASCII text, or the text itself if it is shorter.
fn windows(text: &str, length: usize) -> impl Iterator<Item = &str> {
    let length = length.min(text.len());
    (0..=text.len() - length).map(move |from| &text[from..from + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-proj-U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oool8DklZD";

    fn fragments() -> KeyFragments {
        KeyFragments::of([KEY, "test-key"].into_iter()).unwrap()
    }

    fn each(write: impl Fn(char) -> String) -> String {
        KEY.chars().map(write).collect()
    }

    #[test]
    fn a_key_is_detected_in_any_encoding_and_with_any_characters_in_between() {
        for text in [
            each(|letter| format!("{letter} ")),
            each(|letter| format!("{letter}\u{200b}")),
            each(|letter| format!("\\u{:04x}", letter as u32)),
            each(|letter| format!("U+{:04X} ", letter as u32)),
            each(|letter| format!("&#{};", letter as u32)),
            each(|letter| format!("&#x{:x} ", letter as u32)),
            each(|letter| format!("\\x{:02X}", letter as u32)),
            each(|letter| format!("\\{:03o}", letter as u32)),
            each(|letter| format!("\\{:04x} ", letter as u32)),
            each(|letter| format!("0x{:02x}, ", letter as u32)),
            each(|letter| format!("={:02X}", letter as u32)),
            each(|letter| format!("{}, ", letter as u32)),
            BASE64_STANDARD_NO_PAD.encode(KEY).chars().map(|letter| format!("{letter}\n")).collect(),
            BASE64_STANDARD_NO_PAD.encode(format!("Bearer {KEY}")),
            KEY.to_uppercase(),
            KEY.replace('-', "_"),
            KEY[8..].to_owned(),
            KEY[..24].to_owned(),
            KEY[24..].to_owned(),
            format!("{}****{}", &KEY[..20], &KEY[20..]),
        ] {
            let text = format!("Your header was {text} ok");
            assert!(fragments().are_in(&text), "{text}");
            // If the text comes in pieces, the key is detected before its end, and its start before that.
            let (fragments, mut end) = (fragments(), String::new());
            let letters: Vec<String> = text.chars().map(String::from).collect();
            let found = letters.iter().position(|letter| fragments.follow(&mut end, letter));
            assert!(found.is_some_and(|found| found + 1 < letters.len()), "{text}");
            let mut end = String::new();
            let begun = letters.iter().position(|letter| {
                fragments.follow(&mut end, letter);
                fragments.may_have_begun(&end)
            });
            assert!(begun < found, "{text}");
        }
    }

    #[test]
    fn other_texts_contain_no_key() {
        for text in [
            "",
            "Incorrect API key provided: sk-proj-****klZD. You can find yours at the dashboard.",
            "sk-proj-U8JZ",
            "a perfectly ordinary answer about a test-key and 115, 107, 45 apples",
        ] {
            assert!(!fragments().are_in(text), "{text}");
        }
        assert!(KeyFragments::of(["test-key", "short"].into_iter()).is_none());
        assert!(!KeyFragments::of(["aaaaaaaaaaaaaaaaaaaa"].into_iter()).unwrap().are_in(&"a".repeat(100)));
    }
}
