//! Folds letters for the toxicity inspector: case, accents, look-alikes from other scripts, full-width and mathematical
//! letters, and invisible characters. A letter without a plain counterpart is left unchanged.
//!
//! The tables are the same as the shared `view`'s. They are applied differently, as when the lexicon and the weights were built: in one
//! pass, one character at a time, and signs such as "!" may represent letters.

use countersign_text::invisible::{is_combining_mark, is_invisible};
use countersign_text::letters::{look_alike, looks_latin_only_among_latin, plain_letter};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folded {
    /// `a` to `z`, or a digit.
    Plain(u8),
    /// A letter of another script, which has no plain counterpart.
    Letter(char),
    /// A sign that represents a letter inside a word, as in "sh!t".
    StandIn(u8),
    /// An invisible character, which is skipped.
    Nothing,
    Apostrophe,
    Space,
    Line,
    Mark(char),
}

pub(super) fn fold(letter: char) -> Folded {
    match letter {
        'a'..='z' | '0'..='9' => Folded::Plain(letter as u8),
        'A'..='Z' => Folded::Plain(letter.to_ascii_lowercase() as u8),
        '\'' | '’' | '‘' | 'ʼ' | '`' => Folded::Apostrophe,
        '\n' => Folded::Line,
        '@' | '$' | '!' | '*' | '#' | '+' | '%' | '&' => Folded::StandIn(letter as u8),
        '€' => Folded::StandIn(b'e'),
        _ if letter.is_ascii_whitespace() => Folded::Space,
        _ if letter.is_ascii() => Folded::Mark(letter),
        _ => fold_other(letter),
    }
}

fn fold_other(letter: char) -> Folded {
    let plain = match letter {
        _ if is_vietnamese(letter) || looks_latin_only_among_latin(letter) => None,
        _ => plain_letter(letter).or_else(|| look_alike(letter)),
    };
    if let Some(plain) = plain.and_then(|plain| u8::try_from(plain).ok()) {
        return Folded::Plain(plain.to_ascii_lowercase());
    }
    match letter {
        'ß' => Folded::Plain(b'b'),
        _ if is_invisible(letter) || is_combining_mark(letter) => Folded::Nothing,
        _ if letter.is_whitespace() => Folded::Space,
        _ if letter.is_alphanumeric() => Folded::Letter(letter),
        _ => Folded::Mark(letter),
    }
}

/// Whether a letter is one of those with two marks or a horn that Vietnamese needs. Without the marks, ordinary words look like
/// English ones, some of them obscene. Letters with combining marks are folded all the same.
fn is_vietnamese(letter: char) -> bool {
    matches!(letter, 'Ơ' | 'ơ' | 'Ư' | 'ư' | '\u{1EA0}'..='\u{1EF9}')
}

/// The letter that a digit or a sign represents in a word such as "1d10t"; `one` is the letter that 1 represents.
pub(super) fn letter_for_sign(byte: u8, one: u8) -> u8 {
    match byte {
        b'0' => b'o',
        b'1' => one,
        b'!' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'6' | b'9' => b'g',
        b'7' | b'+' => b't',
        b'8' => b'b',
        b'#' | b'%' | b'&' => b'*',
        _ => byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_fold_to_plain_letters() {
        for (text, expected) in [
            ("ÍdïоT", "idiot"),
            ("ｋｉｌｌ", "kill"),
            ("𝐤𝐢𝐥𝐥", "kill"),
            ("whøre", "whore"),
            ("h\u{200B}a\u{301}te", "hate"),
            ("h\u{202E}a\u{3164}t\u{E0100}e\u{20E3}", "hate"),
        ] {
            let folded: String = text
                .chars()
                .filter_map(|letter| match fold(letter) {
                    Folded::Plain(byte) => Some(char::from(byte)),
                    _ => None,
                })
                .collect();
            assert_eq!(folded, expected);
        }
    }

    #[test]
    fn ordinary_words_of_other_languages_do_not_become_english_ones() {
        for word in ["пот", "гаре", "зал", "шут", "cụm", "từ", "օր"] {
            assert!(word.chars().any(|letter| matches!(fold(letter), Folded::Letter(_))), "{word}");
        }
    }
}
