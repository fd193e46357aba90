//! Folds letters for the toxicity inspector: case, accents, look-alikes from other scripts, full-width and mathematical
//! letters, and invisible characters. A letter without a plain counterpart is left unchanged.
//!
//! This differs from the shared `view` in its letters: the lexicon and the weights were built with a single pass, one character
//! at a time, in which signs such as "!" may represent letters. Which characters are invisible is the shared list's.

use countersign_text::invisible::{is_combining_mark, is_invisible};

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
    if let Some(plain) = look_alike(letter) {
        return Folded::Plain(plain);
    }
    match letter {
        _ if is_invisible(letter) || is_combining_mark(letter) => Folded::Nothing,
        _ if letter.is_whitespace() => Folded::Space,
        _ if letter.is_alphanumeric() => Folded::Letter(letter),
        _ => Folded::Mark(letter),
    }
}

fn look_alike(letter: char) -> Option<u8> {
    let code = letter as u32;
    let nth = |from: u32| u8::try_from((code - from) % 26).ok().map(|n| b'a' + n);
    match letter {
        '\u{FF21}'..='\u{FF3A}' => nth(0xFF21),
        '\u{FF41}'..='\u{FF5A}' => nth(0xFF41),
        '\u{24B6}'..='\u{24CF}' => nth(0x24B6),
        '\u{24D0}'..='\u{24E9}' => nth(0x24D0),
        '\u{1D400}'..='\u{1D6A3}' => nth(0x1D400),
        '\u{1F130}'..='\u{1F149}' => nth(0x1F130),
        'à'..='å' | 'À'..='Å' | 'ā' | 'ă' | 'ą' | 'а' | 'А' | 'α' | 'Α' => Some(b'a'),
        'в' | 'В' | 'β' | 'Β' | 'ß' => Some(b'b'),
        'ç' | 'Ç' | 'ć' | 'č' | 'с' | 'С' | 'ϲ' => Some(b'c'),
        'è'..='ë' | 'È'..='Ë' | 'ē' | 'ę' | 'ě' | 'е' | 'Е' | 'ё' | 'ε' | 'Ε' => Some(b'e'),
        'ɡ' | 'ğ' => Some(b'g'),
        'н' | 'Н' | 'Η' | 'һ' => Some(b'h'),
        'ì'..='ï' | 'Ì'..='Ï' | 'ī' | 'і' | 'І' | 'ι' | 'Ι' | 'ı' => Some(b'i'),
        'ј' | 'Ј' => Some(b'j'),
        'к' | 'К' | 'κ' | 'Κ' => Some(b'k'),
        'ł' | 'Ł' | 'ӏ' => Some(b'l'),
        'м' | 'М' | 'Μ' => Some(b'm'),
        'ñ' | 'Ñ' | 'ń' | 'ň' | 'η' | 'Ν' => Some(b'n'),
        'ò'..='ö' | 'Ò'..='Ö' | 'ø' | 'Ø' | 'ō' | 'ő' | 'о' | 'О' | 'ο' | 'Ο' | 'σ' => Some(b'o'),
        'р' | 'Р' | 'ρ' | 'Ρ' => Some(b'p'),
        'ś' | 'š' | 'Š' | 'ş' | 'ѕ' | 'Ѕ' => Some(b's'),
        'т' | 'Т' | 'τ' | 'Τ' => Some(b't'),
        'ù'..='ü' | 'Ù'..='Ü' | 'ū' | 'ů' | 'υ' => Some(b'u'),
        'ν' => Some(b'v'),
        'х' | 'Х' | 'χ' | 'Χ' => Some(b'x'),
        'ý' | 'ÿ' | 'Ý' | 'у' | 'У' | 'Υ' => Some(b'y'),
        'ž' | 'Ž' | 'ź' | 'ż' | 'Ζ' => Some(b'z'),
        _ => None,
    }
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
}
