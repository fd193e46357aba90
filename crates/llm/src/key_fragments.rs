//! Parts of a key in a text, whatever stands between its characters and however they are written.
//!
//! A text is read as its letters and digits alone, in lower case: spaces, marks, line breaks and invisible characters hide
//! nothing. A part of a key is looked for as it is and in the codes that programs write characters in. Parts are long enough that
//! none of them stands in a text by chance.

use std::collections::HashSet;

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;

/// So many characters of a key are a part of it.
const PART_CHARS: usize = 16;
/// A key with fewer than [`PART_CHARS`] is looked for whole; one with fewer than this is not looked for here.
const KEY_CHARS_MIN: usize = 12;
/// A part of hardly any different characters could be anything.
const DIFFERENT_MIN: usize = 8;
/// Base64 has four characters for three.
const BASE64_PART_CHARS: usize = PART_CHARS * 4 / 3;
/// So many characters at the end of a text tell that a key may have begun.
const START_CHARS: usize = 8;

pub(crate) struct KeyFragments {
    automaton: AhoCorasick,
    /// Everything of this length that parts of keys hold.
    starts: HashSet<String>,
    longest: usize,
}

impl KeyFragments {
    /// `None` where no key is long enough.
    pub(crate) fn of<'a>(keys: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut parts: Vec<String> = keys.flat_map(parts_of).collect();
        parts.sort_unstable();
        parts.dedup();
        let longest = parts.iter().map(String::len).max()?;
        let starts = parts.iter().flat_map(|part| windows(part, START_CHARS)).map(str::to_owned).collect();
        Some(Self { automaton: AhoCorasick::new(&parts).ok()?, starts, longest })
    }

    /// Whether a key is long enough that its letters and digits alone tell it from ordinary words.
    pub(crate) fn is_traceable(key: &str) -> bool {
        bare(key).len() >= KEY_CHARS_MIN
    }

    pub(crate) fn are_in(&self, text: &str) -> bool {
        self.automaton.is_match(&bare(text))
    }

    /// Adds a piece to the end of a text that is kept as its letters and digits. Whether a part of a key is complete.
    pub(crate) fn follow(&self, end: &mut String, piece: &str) -> bool {
        end.push_str(&bare(piece));
        let is_found = self.automaton.is_match(&*end);
        let surplus = end.len().saturating_sub(self.longest);
        end.drain(..surplus);
        is_found
    }

    /// Whether a key may have begun at the end of such a text.
    pub(crate) fn may_have_begun(&self, end: &str) -> bool {
        end.len().checked_sub(START_CHARS).and_then(|from| end.get(from..)).is_some_and(|end| self.starts.contains(end))
    }
}

fn bare(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Every part of a key in every code, as [`bare`] leaves it.
fn parts_of(key: &str) -> Vec<String> {
    if !KeyFragments::is_traceable(key) {
        return Vec::new();
    }
    let plain = bare(key);
    let is_telling = |part: &&str| part.bytes().collect::<HashSet<_>>().len() >= DIFFERENT_MIN;
    let mut parts: Vec<String> = windows(&plain, PART_CHARS).filter(is_telling).map(str::to_owned).collect();
    let bytes = key.as_bytes();
    for part in bytes.windows(PART_CHARS.min(bytes.len())) {
        parts.extend(CODES.iter().map(|write| part.iter().map(|byte| write(*byte)).collect::<String>()));
    }
    for before in 0..3 {
        // Whatever stands around the key, these characters of its base64 are its own.
        let padded = [&vec![0; before], bytes].concat();
        let encoded = BASE64_STANDARD_NO_PAD.encode(&padded);
        let own = encoded.get((before * 8).div_ceil(6)..padded.len() * 8 / 6).unwrap_or_default();
        parts.extend(windows(&bare(own), BASE64_PART_CHARS).map(str::to_owned));
    }
    parts
}

/// How programs write one character: in hexadecimal (`73`, `\x73`, `0x73`, `\0073`, `\u0073`, `U+0073`, `\u{73}`), in decimal
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

/// All runs of so many characters of an ASCII text, or the text where it has fewer.
fn windows(text: &str, length: usize) -> impl Iterator<Item = &str> {
    let length = length.min(text.len());
    (0..=text.len() - length).map(move |from| &text[from..from + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-proj-U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oool8DklZD";

    fn traces() -> KeyFragments {
        KeyFragments::of([KEY, "test-key"].into_iter()).unwrap()
    }

    fn each(write: impl Fn(char) -> String) -> String {
        KEY.chars().map(write).collect()
    }

    #[test]
    fn a_key_is_seen_whatever_stands_between_its_characters_and_however_they_are_written() {
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
            assert!(traces().are_in(&text), "{text}");
            // In pieces it is seen before its end, and may have begun before that.
            let (traces, mut end) = (traces(), String::new());
            let letters: Vec<String> = text.chars().map(String::from).collect();
            let found = letters.iter().position(|letter| traces.follow(&mut end, letter));
            assert!(found.is_some_and(|found| found + 1 < letters.len()), "{text}");
            let mut end = String::new();
            let begun = letters.iter().position(|letter| {
                traces.follow(&mut end, letter);
                traces.may_have_begun(&end)
            });
            assert!(begun < found, "{text}");
        }
    }

    #[test]
    fn other_texts_hold_no_key() {
        for text in [
            "",
            "Incorrect API key provided: sk-proj-****klZD. You can find yours at the dashboard.",
            "sk-proj-U8JZ",
            "a perfectly ordinary answer about a test-key and 115, 107, 45 apples",
        ] {
            assert!(!traces().are_in(text), "{text}");
        }
        assert!(KeyFragments::of(["test-key", "short"].into_iter()).is_none());
        assert!(!KeyFragments::of(["aaaaaaaaaaaaaaaaaaaa"].into_iter()).unwrap().are_in(&"a".repeat(100)));
    }
}
