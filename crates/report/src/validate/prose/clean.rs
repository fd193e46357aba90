//! Cleans text for a line of a verdict, and splits text into words between single spaces.

use countersign_text::invisible::is_format_control;

/// Cleans external text for a line of a verdict: bounded, with single spaces, without control or format characters.
pub(in crate::validate) fn clean(text: &str, chars_max: usize) -> String {
    let mut cleaned = String::new();
    let mut chars = 0;
    // Bounds the time for a text that consists only of noise.
    for letter in text.chars().take(chars_max.saturating_mul(8)) {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        let is_doubled = letter == ' ' && (cleaned.is_empty() || cleaned.ends_with(' '));
        if letter.is_control() || is_format_control(letter) || is_doubled {
            continue;
        }
        if chars == chars_max {
            break;
        }
        cleaned.push(letter);
        chars += 1;
    }
    cleaned.truncate(cleaned.trim_end().len());
    cleaned
}

/// The words of a text in lower case, between single spaces. Everything that is not a letter or digit separates words.
pub(super) fn spaced(text: &str) -> String {
    if text.is_ascii() {
        return spaced_ascii(text);
    }
    let mut spaced = String::with_capacity(text.len() + 2);
    spaced.push(' ');
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            spaced.push(letter.to_ascii_lowercase());
        } else if !letter.is_ascii() && letter.is_alphanumeric() {
            spaced.extend(letter.to_lowercase());
        } else if !is_format_control(letter) && !spaced.ends_with(' ') {
            spaced.push(' ');
        }
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    spaced
}

/// Fast path for ASCII, which the compiler vectorises.
fn spaced_ascii(text: &str) -> String {
    let lower_or_space = |byte: u8| if byte.is_ascii_alphanumeric() { byte.to_ascii_lowercase() } else { b' ' };
    let mut spaced = Vec::with_capacity(text.len() + 2);
    spaced.push(b' ');
    spaced.extend(text.bytes().map(lower_or_space));
    spaced.push(b' ');
    spaced.dedup_by(|next, before| *next == b' ' && *before == b' ');
    String::from_utf8(spaced).unwrap_or_default()
}

/// The byte offsets at which the words of a spaced text start.
pub(super) fn word_starts(spaced: &str) -> Vec<usize> {
    let mut starts = Vec::with_capacity(spaced.len() / 4);
    for (at, byte) in spaced.bytes().enumerate() {
        if byte == b' ' {
            starts.push(at + 1);
        }
    }
    // The last space has no word after it.
    starts.pop();
    starts
}

/// The letters and digits of a text in lower case, to find names even without their punctuation.
pub(super) fn folded(text: &str, chars_max: usize) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).take(chars_max).collect()
}
