//! Finds the record's own identifiers anywhere in a text, in any case and inside longer tokens, and replaces them with
//! masks.

use std::{cell::OnceCell, collections::BTreeMap};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use countersign_text::{hash::PrehashedSet, letters::plain_letter};

use super::clean::clean;

/// Shorter identifiers are only searched for as whole tokens, because `a1` occurs in too many words.
const CHARS_MIN: usize = 4;
/// An identifier of at least this many digits inside a longer number is not there by coincidence.
const DIGITS_INSIDE_MIN: usize = 8;
/// Removing an identifier can create another one. After this many passes the whole text is replaced.
const PASSES_MAX: usize = 8;

/// Shorter identifiers, with their marks removed, would match unrelated words.
const JOINED_CHARS_MIN: usize = 5;
const FIRST_STAND_IN: u32 = 0xe000;
const STAND_INS: usize = 4_096;

pub(crate) const REDACTED: &str = "[REDACTED]";

/// Removes the identifiers of one record.
pub(crate) struct Scrubber {
    /// Identifiers of at least `CHARS_MIN` characters, sorted, each with its mask.
    long: Vec<(String, String)>,
    /// The identifiers' first bytes.
    starts: PrehashedSet,
    /// Built on first use: building takes longer than a search, and few texts contain anything like an identifier.
    automaton: OnceCell<Option<AhoCorasick>>,
    /// The identifiers without the marks between their letters and digits, each with its mask.
    joined: Vec<(String, String)>,
    joined_starts: PrehashedSet,
    joined_automaton: OnceCell<Option<AhoCorasick>>,
    /// Shorter identifiers, each with its mask.
    short: BTreeMap<String, String>,
    /// Identifiers that consist of digits only.
    numbers: Vec<String>,
}

impl Scrubber {
    /// `values` are the identifiers, each with its mask.
    pub(crate) fn new<'a>(values: impl Iterator<Item = (&'a str, String)>) -> Self {
        let mask = fold(REDACTED).text;
        let mut by_value = BTreeMap::new();
        for (value, replacement) in values {
            let folded = fold(&clean(value)).text;
            // The text of the mask itself identifies no one.
            if !folded.is_empty() && !mask.contains(&folded) {
                by_value.entry(folded).or_insert(replacement);
            }
        }
        let numbers = by_value.keys().filter(|value| is_number(value)).cloned().collect();
        let (long, short): (BTreeMap<_, _>, BTreeMap<_, _>) =
            by_value.into_iter().partition(|(value, _)| value.chars().count() >= CHARS_MIN);
        let joined: BTreeMap<String, String> = long
            .iter()
            .map(|(value, mask)| (joined(value).text, mask.clone()))
            .filter(|(value, _)| value.chars().count() >= JOINED_CHARS_MIN)
            .collect();
        let starts = long.keys().flat_map(|value| windows(value).next()).collect();
        let joined_starts = joined.keys().flat_map(|value| windows(value).next()).collect();
        Self {
            long: long.into_iter().collect(),
            starts,
            automaton: OnceCell::new(),
            joined: joined.into_iter().take(STAND_INS).collect(),
            joined_starts,
            joined_automaton: OnceCell::new(),
            short,
            numbers,
        }
    }

    /// Replaces each identifier, however its parts are joined, with a single character, so that no other search reads its letters.
    /// [`Scrubber::show`] replaces those characters with masks. `None` if the text contains no identifier. `text` must be clean.
    pub(crate) fn hide(&self, text: &str) -> Option<String> {
        let folded = joined(text);
        if !windows(&folded.text).any(|bytes| self.joined_starts.contains(&bytes)) {
            return None;
        }
        let automaton = self.joined_automaton.get_or_init(|| automaton(&self.joined)).as_ref()?;
        let mut changed = String::with_capacity(text.len());
        let mut copied = 0;
        for found in automaton.find_iter(&folded.text) {
            let (start, end) = folded.source(found.start(), found.end());
            let start = start.max(copied);
            changed.push_str(&text[copied..start]);
            changed.push(stand_in(found.pattern().as_usize()));
            copied = end.max(start);
        }
        if copied == 0 {
            return None;
        }
        changed.push_str(&text[copied..]);
        Some(changed)
    }

    /// Replaces the characters that [`Scrubber::hide`] inserted with the masks of the identifiers.
    pub(crate) fn show(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        for letter in text.chars() {
            let index = u32::from(letter).checked_sub(FIRST_STAND_IN).and_then(|index| usize::try_from(index).ok());
            match index.filter(|index| *index < STAND_INS) {
                Some(index) => shown.push_str(self.joined.get(index).map_or(REDACTED, |(_, mask)| mask)),
                None => shown.push(letter),
            }
        }
        shown
    }

    /// Replaces the identifiers with their masks. `text` must be clean.
    pub(crate) fn scrub(&self, text: String) -> String {
        let mut text = text;
        for _ in 0..PASSES_MAX {
            match self.pass(&text) {
                Some(changed) => text = changed,
                None => return self.without_short(text),
            }
        }
        REDACTED.to_owned()
    }

    /// Whether a JSON number is or contains one of the identifiers.
    pub(crate) fn is_identifier(&self, number: &serde_json::Number) -> bool {
        if self.numbers.is_empty() {
            return false;
        }
        let written = number.to_string();
        let plain = written.trim_start_matches('-').trim_end_matches(".0");
        self.numbers.iter().any(|value| match value.len() {
            DIGITS_INSIDE_MIN.. => plain.replace('.', "").contains(value.as_str()),
            CHARS_MIN.. => plain == value,
            _ => false,
        })
    }

    fn pass(&self, text: &str) -> Option<String> {
        let folded = fold(text);
        if !windows(&folded.text).any(|bytes| self.starts.contains(&bytes)) {
            return None;
        }
        let automaton = self.automaton.get_or_init(|| automaton(&self.long)).as_ref()?;
        let mut changed = String::new();
        let mut copied = 0;
        for found in automaton.find_iter(&folded.text) {
            let (start, end) = folded.source(found.start(), found.end());
            // Two folded characters can come from one. In that case, the original was copied already.
            let start = start.max(copied);
            changed.push_str(&text[copied..start]);
            changed.push_str(self.long.get(found.pattern().as_usize()).map_or(REDACTED, |(_, mask)| mask));
            copied = end.max(start);
        }
        if copied == 0 {
            return None;
        }
        changed.push_str(&text[copied..]);
        Some(changed)
    }

    fn without_short(&self, text: String) -> String {
        if self.short.is_empty() {
            return text;
        }
        let mut changed = String::with_capacity(text.len());
        for token in text.split_inclusive(separates_tokens) {
            let word = token.trim_end_matches(separates_tokens);
            match self.short.get(&fold(word).text) {
                Some(replacement) => {
                    changed.push_str(replacement);
                    changed.push_str(&token[word.len()..]);
                }
                None => changed.push_str(token),
            }
        }
        changed
    }
}

fn automaton(values: &[(String, String)]) -> Option<AhoCorasick> {
    let values = values.iter().map(|(value, _)| value);
    // This kind is the fastest to build, and a record has few and short texts.
    let kind = Some(AhoCorasickKind::NoncontiguousNFA);
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).kind(kind).build(values).ok()
}

/// A private-use character. Cleaning removes them from every text from outside.
fn stand_in(index: usize) -> char {
    let code = u32::try_from(index.min(STAND_INS - 1)).unwrap_or_default();
    char::from_u32(FIRST_STAND_IN + code).unwrap_or(' ')
}

/// The letters and digits of a text in lower case.
fn joined(text: &str) -> FoldedText {
    let mut folded = String::with_capacity(text.len());
    let mut source = Vec::with_capacity(text.len());
    for (at, letter) in text.char_indices().filter(|(_, letter)| letter.is_alphanumeric()) {
        push_folded(letter, &mut folded);
        source.resize(folded.len(), (at, at + letter.len_utf8()));
    }
    FoldedText { text: folded, source: Some(source) }
}

const START_BYTES: usize = 4;
const _: () = assert!(START_BYTES <= CHARS_MIN, "shorter values would never be found");

/// Each four consecutive bytes of a text, as a number.
fn windows(text: &str) -> impl Iterator<Item = u32> {
    let four = text.as_bytes().windows(START_BYTES).filter_map(|bytes| <[u8; START_BYTES]>::try_from(bytes).ok());
    four.map(u32::from_le_bytes)
}

/// Whether a character separates tokens. Hyphens, dots and the like don't: `d-1` is one token.
fn separates_tokens(letter: char) -> bool {
    letter.is_whitespace() || "\"'`()[]{}<>,;:=/|!?".contains(letter)
}

fn is_number(value: &str) -> bool {
    value.len() >= CHARS_MIN && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text in lower case, with a map back to the original.
struct FoldedText {
    text: String,
    /// For each byte of `text`, start and end of the character it came from. `None` if the offsets are the same.
    source: Option<Vec<(usize, usize)>>,
}

impl FoldedText {
    fn source(&self, start: usize, end: usize) -> (usize, usize) {
        let Some(source) = &self.source else { return (start, end) };
        let from = source.get(start).map_or(0, |range| range.0);
        let to = end.checked_sub(1).and_then(|last| source.get(last)).map_or(from, |range| range.1);
        (from, to)
    }
}

fn fold(text: &str) -> FoldedText {
    if text.is_ascii() {
        return FoldedText { text: text.to_ascii_lowercase(), source: None };
    }
    let mut folded = String::with_capacity(text.len());
    let mut source = Vec::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        push_folded(letter, &mut folded);
        source.resize(folded.len(), (at, at + letter.len_utf8()));
    }
    FoldedText { text: folded, source: Some(source) }
}

/// Writes a character in lower case and without its accent: an identifier with an accent added to a letter is still that identifier.
fn push_folded(letter: char, folded: &mut String) {
    let plain = plain_letter(letter).unwrap_or(letter);
    // Lower-casing some letters leaves a combining dot, which cleaning removes elsewhere.
    folded.extend(plain.to_lowercase().filter(|letter| *letter != '\u{307}'));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[&str], text: &str, expected: &str) {
        let scrubber = Scrubber::new(values.iter().map(|value| (*value, "***".to_owned())));
        assert_eq!(scrubber.scrub(clean(text)), expected, "{text}");
    }

    #[test]
    fn an_identifier_is_replaced_anywhere_in_a_text() {
        check(&["user-7731"], "user-7731", "***");
        check(&["user-7731"], "paid by USER-7731.", "paid by ***.");
        check(&["user-7731"], "alert_xuser-77319", "alert_x***9");
        check(&["user-7731"], "us\u{200b}er-7731", "***");
        check(&["İstanbul"], "at i̇stanbul", "at ***");
        for disguised in ["al\u{323}ice-7731", "Alíce-7731", "alıce-7731", "аlicе-7731"] {
            check(&["alice-7731"], disguised, "***");
        }
        check(&["user-7731", "user-7731-x"], "user-7731-x", "***");
        check(&["user-7731"], "user 7731", "user 7731");
    }

    #[test]
    fn a_short_identifier_is_replaced_as_a_whole_token_only() {
        check(&["d-1"], "d-1 and d-12, (d-1) D-1", "*** and d-12, (***) ***");
        check(&["u7"], "u7u7", "u7u7");
    }

    #[test]
    fn removing_an_identifier_does_not_create_another() {
        let scrubber = Scrubber::new([("ababab", "***abab".to_owned())].into_iter());
        assert!(!scrubber.scrub("abababab".to_owned()).contains("ababab"));
    }

    #[test]
    fn an_identifier_is_hidden_however_its_parts_are_joined() {
        let scrubber =
            Scrubber::new([("amina.wekesa61", "***sa61".to_owned()), ("K3T-88", "***T-88".to_owned())].into_iter());
        for (text, expected) in [
            ("from amina.wekesa61 today", "from ***sa61 today"),
            ("AMINA WEKESA61", "***sa61"),
            ("xaminawekesa619", "x***sa619"),
            ("k-3-t-8-8", "***T-88"),
        ] {
            assert_eq!(scrubber.show(&scrubber.hide(text).unwrap()), expected, "{text}");
        }
        assert_eq!(scrubber.hide("rent for March"), None);
    }

    #[test]
    fn numbers_that_contain_an_identifier_are_recognised() {
        let scrubber = Scrubber::new([("12345678", String::new()), ("4321", String::new())].into_iter());
        for (json, expected) in [
            ("12345678", true),
            ("12345678.0", true),
            ("-12345678", true),
            ("9912345678", true),
            ("4321", true),
            ("43210", false),
            ("0.4321", false),
            ("1234567", false),
        ] {
            assert_eq!(scrubber.is_identifier(&serde_json::from_str(json).unwrap()), expected, "{json}");
        }
    }
}
