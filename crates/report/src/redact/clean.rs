//! Text from outside, made plain: one line, nothing invisible, nothing that changes the direction of reading.
//!
//! Cleaning comes before looking for personal data: an id with a zero-width space in it is still that id.

use std::borrow::Cow;

/// Control and white space become single spaces, invisible characters go, full-width forms become ASCII.
pub(crate) fn clean(text: &str) -> String {
    cleaned(text).into_owned()
}

/// The same, without a copy of what is clean already.
pub(crate) fn cleaned(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut pending_space = false;
    for letter in text.chars() {
        if letter.is_whitespace() || letter.is_control() {
            pending_space = !plain.is_empty();
        } else if !is_invisible(letter) {
            if pending_space {
                plain.push(' ');
                pending_space = false;
            }
            plain.push(narrow(letter));
        }
    }
    Cow::Owned(plain)
}

/// Printable ASCII with single spaces between: what most texts are.
pub(crate) fn is_clean(text: &str) -> bool {
    // Without a way out of the loop, many bytes are looked at in one step.
    let is_printable = text.bytes().fold(true, |is_printable, byte| is_printable & matches!(byte, b' '..=b'~'));
    is_printable && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

/// At most `chars_max` characters, with an ellipsis where something is left out.
pub(crate) fn bounded(text: String, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text,
        Some(_) => text.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Format characters, variation selectors, fillers and tags: seen by no reader, but by every comparison.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn narrow(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_can_not_see_goes() {
        for (text, expected) in [
            ("Corner Shop", "Corner Shop"),
            ("  a\r\n\tb\u{0}c  ", "a b c"),
            ("us\u{200b}er\u{202e}-7731", "user-7731"),
            ("１２３４", "1234"),
            ("Größe 😀", "Größe 😀"),
            ("\u{202e}\u{2066}", ""),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_cut_is_shown() {
        for (text, chars_max, expected) in [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("éàü€", 2, "é…"), ("", 0, "")]
        {
            assert_eq!(bounded(text.to_owned(), chars_max), expected);
        }
    }
}
