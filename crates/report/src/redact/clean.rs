//! Cleans external text: one line, nothing invisible, nothing that changes the reading direction, and no disguised letters.
//!
//! Text is cleaned before it is searched for personal data: an id with a zero-width space in it, or in full-width letters, is
//! still that id.
//!
//! The views of `inspect` undo disguises too, but a view is only searched, while cleaned text is stored and shown. So "José"
//! keeps its accent here, and escapes stay as written. The tables of letters and digits are the same (`countersign_text`).

use std::borrow::Cow;

use countersign_text::digits::ascii_digit;
use countersign_text::invisible::{is_combining_mark, is_invisible, is_private_use};
use countersign_text::letters::{ascii_mark, composed, is_accented, look_alike, plain_letter, push_styled, styled};

/// Turns control characters and white space into single spaces, removes invisible characters and combining marks, and
/// replaces disguised letters, digits and dashes with plain ones.
pub(crate) fn clean(text: &str) -> String {
    cleaned(text).into_owned()
}

/// Like `clean`, but borrows a text that is clean already.
pub(crate) fn cleaned(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut pending_space = false;
    for letter in text.chars() {
        if letter.is_whitespace() || letter.is_control() {
            pending_space = !plain.is_empty();
        } else if !is_hidden(letter) {
            if pending_space {
                plain.push(' ');
                pending_space = false;
            }
            push_plain(letter, &mut plain);
        }
    }
    if !plain.is_ascii() {
        unmask_lookalikes(&mut plain);
    }
    Cow::Owned(plain)
}

/// Whether a text is printable ASCII with single spaces between words, as most texts are.
pub(crate) fn is_clean(text: &str) -> bool {
    // Without an early exit, the compiler vectorises the loop.
    let is_printable = text.bytes().fold(true, |is_printable, byte| is_printable & matches!(byte, b' '..=b'~'));
    is_printable && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

/// At most `chars_max` characters, with an ellipsis at the end if something is left out.
pub(crate) fn bounded(text: String, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text,
        Some(_) => text.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Characters that a reader can't see but that affect every comparison. Private-use characters are included, because
/// what a font draws for them is unknown.
fn is_hidden(letter: char) -> bool {
    is_invisible(letter) || is_private_use(letter)
}

fn push_plain(letter: char, plain: &mut String) {
    if letter.is_ascii() || is_accented(letter) {
        plain.push(letter);
    } else if is_combining_mark(letter) {
        compose(letter, plain);
    } else if let Some(plain_form) = ascii_digit(letter).or_else(|| dash_dot_or_slash(letter)) {
        plain.push(plain_form);
    } else if is_styled_word(letter) {
        push_styled(letter, plain);
    } else {
        plain.push(letter);
    }
}

/// Combines a mark with the letter before it if the two are one letter of some language. Any other mark is removed.
fn compose(mark: char, plain: &mut String) {
    let Some(base) = plain.chars().next_back() else { return };
    if let Some(whole) = composed(base, mark).filter(|whole| whole.is_alphabetic()) {
        plain.pop();
        plain.push(whole);
    }
}

/// The ASCII form of a dash, dot or slash. `None` for other marks, such as quotation marks and brackets, which are kept as
/// written.
fn dash_dot_or_slash(letter: char) -> Option<char> {
    ascii_mark(letter).filter(|mark| matches!(mark, '-' | '.' | '/'))
}

/// Whether a character is replaced with its plain form because it is a letter, a digit or a word in another style, or a
/// full-width mark.
fn is_styled_word(letter: char) -> bool {
    let is_word = letter.is_alphanumeric() || letter == '№' || plain_letter(letter).is_some();
    let is_kept = matches!(letter, 'ª' | 'º');
    !is_kept && (is_word || matches!(letter, '\u{ff01}'..='\u{ff5e}')) && styled(letter).is_some()
}

/// Replaces letters of other alphabets that look Latin in words that contain Latin letters too: mixing scripts is a disguise.
fn unmask_lookalikes(text: &mut String) {
    // The handwritten form of "и" is a "u". That counts only here, where the alphabets are mixed within a word.
    let foreign = |letter: char| match letter {
        'и' => Some('u'),
        _ => look_alike(letter).filter(|_| !is_accented(letter)),
    };
    if !text.chars().any(|letter| foreign(letter).is_some()) {
        return;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let word = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        let (run, after) = rest.split_at(word);
        let is_mixed = run.chars().any(|letter| letter.is_ascii_alphabetic());
        plain.extend(run.chars().map(|letter| foreign(letter).filter(|_| is_mixed).unwrap_or(letter)));
        let between = after.find(char::is_alphanumeric).unwrap_or(after.len());
        plain.push_str(&after[..between]);
        rest = &after[between..];
    }
    *text = plain;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_and_disguises_are_removed() {
        for (text, expected) in [
            ("Corner Shop", "Corner Shop"),
            ("  a\r\n\tb\u{0}c  ", "a b c"),
            ("us\u{200b}er\u{202e}-7731", "user-7731"),
            ("１２３４", "1234"),
            ("٤٢ ４２ 𝟒𝟐 ④② ⁴²", "42 42 42 42 42"),
            ("𝐌𝐚𝐫𝐢𝐚 Ｍａｒｉａ Ⓜⓐⓡⓘⓐ", "Maria Maria Maria"),
            ("𝗔𝗻𝗻 𝔸𝕟𝕟 𝙰𝚗𝚗", "Ann Ann Ann"),
            ("Mu\u{308}ller Jose\u{301} M\u{334}a\u{335}x", "Müller José Max"),
            ("Мaria Mаriа Gοnzalez", "Maria Maria Gonzalez"),
            ("12–34—56−78", "12-34-56-78"),
            ("Москва Αθήνα", "Москва Αθήνα"),
            ("oﬃce № 7", "office No 7"),
            ("\u{1e950}\u{1e951} \u{1c40}", "01 0"),
            ("Ha\u{309}i Yıldız Łódź 5º “x” …™", "Hải Yıldız Łódź 5º “x” …™"),
            ("Größe 😀", "Größe 😀"),
            ("\u{202e}\u{2066}", ""),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_cut_is_marked() {
        for (text, chars_max, expected) in [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("éàü€", 2, "é…"), ("", 0, "")]
        {
            assert_eq!(bounded(text.to_owned(), chars_max), expected);
        }
    }
}
