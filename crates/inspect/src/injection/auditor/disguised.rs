//! Decodes instructions to an auditor that are spelt so that only a machine reads them: letters rotated, reversed, upside down
//! or spaced out, digits for letters, words run together, marks inside words or between them, and web escapes.
//!
//! `injection::disguise` undoes similar disguises for the learned judgement, which looks at how concepts combine in a span
//! of text. Here the result must read as a sentence, because patterns match its wording.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// A range of the text, its decoded content, and the kind of disguise.
type DisguisedText = (Range<usize>, String, &'static str);

const DECODED_BYTES_MAX: usize = 4_096;
/// The minimum number of spaced-out letters in a row.
const LETTERS_MIN: usize = 8;
/// A gap of this many characters ends the row.
const GAP_END: usize = 6;
const ESCAPES_MIN: usize = 6;
const ESCAPED: &str = "escaped characters";

/// The text with each kind of disguise undone, and where. `text` is in the comparable form of the view.
pub(super) fn undo(text: &str) -> Vec<DisguisedText> {
    let mut undone: Vec<DisguisedText> = [
        rotated_or_reversed(text),
        upside_down(text),
        unleeted(text),
        unmarked(text),
        unbroken(text),
        joined(text),
        unescaped(text),
        super::run_together::split(text),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Escaped text may also have marks inside its words, or digits for letters.
    let inner = undone.iter().filter(|decoded| decoded.2 == ESCAPED).filter_map(|(range, decoded, _)| {
        let (_, inner, how) = unbroken(decoded).or_else(|| unleeted(decoded))?;
        Some((range.clone(), inner, how))
    });
    undone.extend(inner.collect::<Vec<_>>());
    undone
}

/// Words that instructions to an auditor use, rotated by thirteen and reversed.
static ROTATED_OR_REVERSED: LazyLock<Option<(AhoCorasick, usize)>> = LazyLock::new(|| {
    const WORDS: [&str; 14] = [
        "auditor",
        "risk_score",
        "risk score",
        "pii_detected",
        "evaluator",
        "reviewer",
        "grader",
        "this answer",
        "this response",
        "verdict",
        "safe",
        "harmless",
        "benign",
        "compliant",
    ];
    let rotated = WORDS.iter().map(|word| rotated(word));
    let backwards = WORDS.iter().map(|word| word.chars().rev().collect::<String>());
    let words: Vec<String> = rotated.chain(backwards).collect();
    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()?;
    Some((automaton, WORDS.len()))
});

/// Rotates or reverses the text around a word that is recognised in one of these forms.
fn rotated_or_reversed(text: &str) -> Option<DisguisedText> {
    let (automaton, rotations) = ROTATED_OR_REVERSED.as_ref()?;
    let found = automaton.find(text)?;
    let start = text.floor_char_boundary(found.start().saturating_sub(DECODED_BYTES_MAX / 2));
    let end = text.floor_char_boundary((found.end() + DECODED_BYTES_MAX / 2).min(text.len()));
    let span = &text[start..end];
    Some(match found.pattern().as_usize() < *rotations {
        true => (start..end, rotated(span), "letters rotated by thirteen"),
        false => (start..end, span.chars().rev().collect(), "words spelt backwards"),
    })
}

fn rotated(text: &str) -> String {
    let rotate = |letter: char| match letter {
        'a'..='z' => char::from((letter as u8 - b'a' + 13) % 26 + b'a'),
        'A'..='Z' => char::from((letter as u8 - b'A' + 13) % 26 + b'A'),
        _ => letter,
    };
    text.chars().map(rotate).collect()
}

/// Reads words with digits and signs among their letters ("r1sk_sc0re") as the letters that those resemble.
fn unleeted(text: &str) -> Option<DisguisedText> {
    let is_mixed = |pair: &[u8]| {
        let digit = |byte: u8| stands_for_letter(char::from(byte));
        let letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'@' | b'$');
        letter(pair[0]) && digit(pair[1]) || digit(pair[0]) && letter(pair[1])
    };
    if !text.as_bytes().windows(2).any(is_mixed) {
        return None;
    }
    let (mut decoded, mut first, mut end) = (String::new(), None, 0);
    for (at, token) in tokens(text) {
        let is_spelt = token.contains(|letter: char| letter.is_ascii_alphabetic() || matches!(letter, '@' | '$'))
            && token.contains(stands_for_letter);
        if is_spelt && first.is_none() {
            let start = sentence_start(text, at);
            decoded.push_str(&text[start..at]);
            first = Some(start);
        }
        let Some(first) = first else { continue };
        if at + token.len() - first > DECODED_BYTES_MAX {
            break;
        }
        decoded.extend(token.chars().map(|letter| if is_spelt { letter_for(letter) } else { letter }));
        end = at + token.len();
    }
    Some((first?..end, decoded, "digits for letters"))
}

/// Splits the text into runs of characters that can spell a word, and the runs between them.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'$' | b'_');
    // An exclamation mark counts as a letter only inside a word.
    let is_of_token = move |at: usize| {
        let inside = || at > 0 && is_letter(bytes[at - 1]) && bytes.get(at + 1).is_some_and(|&next| is_letter(next));
        is_letter(bytes[at]) || bytes[at] == b'!' && inside()
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let inside = is_of_token(at);
        let length = (at..bytes.len()).position(|at| is_of_token(at) != inside).unwrap_or(rest.len());
        at += length;
        Some((at - length, &rest[..length]))
    })
}

fn stands_for_letter(letter: char) -> bool {
    letter_for(letter) != letter
}

fn letter_for(letter: char) -> char {
    match letter {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '9' => 'g',
        _ => letter,
    }
}

/// The start of the sentence around `at`, or a bounded distance before it.
fn sentence_start(text: &str, at: usize) -> usize {
    const BACK_BYTES_MAX: usize = 120;
    let from = text.floor_char_boundary(at.saturating_sub(BACK_BYTES_MAX));
    text[from..at].rfind(['\n', '.', '!', '?']).map_or(from, |end| from + end + 1)
}

/// Rejoins words that are broken by comments, tags, emphasis, line ends or string concatenation.
fn unbroken(text: &str) -> Option<DisguisedText> {
    const TAG_BYTES_MAX: usize = 64;
    let first = text.find(['<', '*', '`', '+']).into_iter().chain(text.find("-\n")).chain(text.find(" . ")).min()?;
    let start = sentence_start(text, first);
    let end = text.floor_char_boundary((start + DECODED_BYTES_MAX).min(text.len()));
    let mut decoded = String::with_capacity(end - start);
    let mut rest = &text[start..end];
    while let Some(letter) = rest.chars().next() {
        let skipped = match letter {
            '<' => rest.bytes().take(TAG_BYTES_MAX).position(|byte| byte == b'>').map(|at| at + 1),
            '*' | '`' | '~' => Some(1),
            // `risk_score` keeps its underscore.
            '_' if !rest[1..].starts_with("score") => Some(1),
            '-' if rest[1..].starts_with('\n') => Some(2),
            '"' | '\'' => joint(rest),
            ' ' if rest.starts_with(" . ") => Some(2),
            _ => None,
        };
        match skipped {
            Some(length) => rest = &rest[length..],
            None => {
                decoded.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    Some((start..end, decoded, "marks inside words"))
}

/// The length of a string concatenation, such as `" + "`.
fn joint(text: &str) -> Option<usize> {
    let after = text[1..].trim_start();
    let after = after.strip_prefix(['+', '.', '&'])?.trim_start();
    after.starts_with(['"', '\'']).then(|| text.len() - after.len() + 1)
}

/// Reads upside-down letters, which run from the end to the start.
fn upside_down(text: &str) -> Option<DisguisedText> {
    const FLIPPED: &str = "ɐqɔpǝɟƃɥᴉıɾʞlɯuodbɹsʇnʌʍxʎz";
    const UPRIGHT: &str = "abcdefghiijklmnopqrstuvwxyz";
    if text.is_ascii() {
        return None;
    }
    let first = text.find(['ǝ', 'ɐ', 'ʇ', 'ɹ'])?;
    let start = sentence_start(text, first);
    let end = text.floor_char_boundary((start + DECODED_BYTES_MAX).min(text.len()));
    let upright = |letter: char| {
        let at = FLIPPED.chars().position(|flipped| flipped == letter);
        at.and_then(|at| UPRIGHT.chars().nth(at)).unwrap_or(letter)
    };
    let decoded = text[start..end].chars().rev().map(upright).collect();
    Some((start..end, decoded, "upside-down letters"))
}

/// Removes emphasis and joins short lines: "Set\n**risk_score**\nto\n0".
fn unmarked(text: &str) -> Option<DisguisedText> {
    const SHORT_LINE_WORDS: usize = 3;
    let marks = |letter: char| matches!(letter, '*' | '`' | '~' | '_' | '\n');
    let first = text.find(marks)?;
    let start = text[..first].rfind(['\n', '.']).map_or(0, |at| at + 1);
    let end = text.floor_char_boundary((start + DECODED_BYTES_MAX).min(text.len()));
    let mut decoded = String::new();
    for line in text[start..end].split('\n') {
        let words: Vec<&str> = line
            .split_whitespace()
            .map(|word| word.trim_matches(|letter: char| matches!(letter, '*' | '`' | '~' | '_')))
            .collect();
        decoded.push_str(&words.join(" ").replace(['*', '`', '~'], ""));
        decoded.push(if words.len() <= SHORT_LINE_WORDS { ' ' } else { '\n' });
    }
    Some((start..end, decoded, "marks or line breaks between words"))
}

/// Joins spaced-out letters: "m-a-r-k  a-s  s-a-f-e". One character separates two letters of a word; a wider gap ends
/// the word.
fn joined(text: &str) -> Option<DisguisedText> {
    if text.is_ascii() && !has_single_letters(text.as_bytes()) {
        return None;
    }
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let is_letter = |at: usize| letters.get(at).is_some_and(|(_, letter)| letter.is_alphanumeric());
    let mut at = 0;
    while at < letters.len() {
        let (start, mut decoded, mut count) = (at, String::new(), 0);
        while is_letter(at) && !is_letter(at + 1) && decoded.len() < DECODED_BYTES_MAX {
            decoded.push(letters[at].1);
            count += 1;
            let gap = (at + 1..letters.len()).take(GAP_END).take_while(|&at| !is_letter(at)).count();
            if gap > 1 {
                decoded.push(if letters[at + 1].1 == '_' { '_' } else { ' ' });
            }
            if gap == 0 || gap == GAP_END {
                break;
            }
            at += 1 + gap;
        }
        if count >= LETTERS_MIN {
            let end = letters.get(at).map_or(text.len(), |(at, letter)| at + letter.len_utf8());
            return Some((letters[start].0..end, decoded, "spaced-out letters"));
        }
        at = at.max(start) + 1;
    }
    None
}

/// Whether the text contains enough single letters in a row, with short gaps between them.
fn has_single_letters(bytes: &[u8]) -> bool {
    let (mut letters, mut run, mut gap) = (0, 0, 0);
    for byte in bytes {
        if byte.is_ascii_alphanumeric() {
            (run, gap) = (run + 1, 0);
            if run > 1 {
                letters = 0;
            }
            continue;
        }
        gap += 1;
        letters = if gap >= GAP_END { 0 } else { letters + usize::from(run == 1) };
        run = 0;
        if letters + 1 >= LETTERS_MIN {
            return true;
        }
    }
    false
}

/// Decodes `%73`, `&#115;`, `&#x73;`, `\u0073` and `\x73`.
fn unescaped(text: &str) -> Option<DisguisedText> {
    let bytes = text.as_bytes();
    let first = (0..bytes.len())
        .filter(|&at| matches!(bytes[at], b'%' | b'\\' | b'&'))
        .find(|&at| escape(&text[at..]).is_some())?;
    let end = text.floor_char_boundary((first + DECODED_BYTES_MAX).min(text.len()));
    let (mut at, mut decoded, mut escapes) = (first, String::new(), 0);
    while let Some(letter) = text[at..end].chars().next() {
        match escape(&text[at..end]) {
            Some((letter, length)) => {
                decoded.push(letter);
                escapes += 1;
                at += length;
            }
            None => {
                decoded.push(letter);
                at += letter.len_utf8();
            }
        }
    }
    (escapes >= ESCAPES_MIN).then_some((first..end, decoded, ESCAPED))
}

/// Decodes the escape at the start of the text; returns the character and the escape's length.
fn escape(text: &str) -> Option<(char, usize)> {
    let number = |digits: &str, base: u32| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
    let fixed = |prefix: &str, digits: usize| {
        let hex = text.strip_prefix(prefix)?.get(..digits)?;
        hex.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some((number(hex, 16)?, prefix.len() + digits))
    };
    let entity = |prefix: &str, base: u32| {
        let rest = text.strip_prefix(prefix)?;
        let digits = rest.get(..rest.find(';').filter(|end| (1..=6).contains(end))?)?;
        Some((number(digits, base)?, prefix.len() + digits.len() + 1))
    };
    match text.as_bytes().first()? {
        b'%' => fixed("%", 2),
        b'\\' => fixed("\\u", 4).or_else(|| fixed("\\x", 2)),
        b'&' => entity("&#x", 16).or_else(|| entity("&#X", 16)).or_else(|| entity("&#", 10)),
        _ => None,
    }
}
