//! A text as a reader sees it: digits and letters of other scripts that look like ours become ours, what can't be seen goes,
//! emphasis goes, spaces and dashes become one kind. A figure can't hide behind its spelling.
//!
//! Every kept character remembers which code point it came from, so that offsets stay those of the text.

use std::borrow::Cow;

/// How far a run of asterisks looks for the run that closes it.
const EMPHASIS_CHARS_MAX: usize = 200;

pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte of `text`, the code point that it came from.
    origin: Vec<u32>,
    /// Code points of the whole original.
    len: usize,
}

impl Folded {
    pub(super) fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let mut folded = Self {
            text: String::with_capacity(text.len()),
            origin: Vec::with_capacity(text.len()),
            len: letters.len(),
        };
        let mut at = 0;
        while at < letters.len() {
            at += match letters[at] {
                '*' => folded.asterisks(&letters, at),
                '\\' if letters.get(at + 1).is_some_and(char::is_ascii_punctuation) => 1,
                '_' if !inside_word(&letters, at) => 1,
                letter => {
                    if let Some(seen) = seen(letter) {
                        folded.push(seen, at);
                    }
                    1
                }
            };
        }
        folded
    }

    /// Emphasis is dropped; `***7731` is a redacted id and stays. Returns the length of the run.
    fn asterisks(&mut self, letters: &[char], at: usize) -> usize {
        // A backslash before each asterisk is the same run, escaped.
        let mut run = 0;
        let mut stars = 0;
        while let Some(letter) = letters.get(at + run) {
            match letter {
                '*' => stars += 1,
                '\\' if letters.get(at + run + 1) == Some(&'*') => {}
                _ => break,
            }
            run += 1;
        }
        let opens = letters.get(at + run).is_some_and(|letter| letter.is_alphanumeric());
        if stars >= 3 && opens && !is_closed(&letters[at + run..]) {
            for star in 0..3 {
                self.push('*', at + run - 3 + star);
            }
        }
        run
    }

    fn push(&mut self, letter: char, from: usize) {
        self.text.push(letter);
        let from = u32::try_from(from).unwrap_or(u32::MAX);
        if letter.is_ascii() {
            self.origin.push(from);
        } else {
            self.origin.resize(self.text.len(), from);
        }
    }

    /// Code points of the original that a byte range of `text` covers.
    pub(super) fn span(&self, start: usize, end: usize) -> (usize, usize) {
        let first = self.origin.get(start).map_or(self.len, |at| *at as usize);
        let last = end.checked_sub(1).and_then(|at| self.origin.get(at)).map_or(first, |at| *at as usize);
        (first, (last + 1).min(self.len).max(first))
    }
}

fn inside_word(letters: &[char], at: usize) -> bool {
    let is_word = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_alphanumeric());
    at > 0 && is_word(letters.get(at - 1)) && is_word(letters.get(at + 1))
}

/// Whether `***` comes again, right after a word, within this stretch of text.
fn is_closed(letters: &[char]) -> bool {
    letters[..letters.len().min(EMPHASIS_CHARS_MAX)]
        .windows(4)
        .any(|four| four[0] != '*' && !four[0].is_whitespace() && four[1..] == ['*'; 3])
}

/// What a reader sees of a character; nothing of one that has no width.
fn seen(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return match letter {
            '\n' | '\r' => Some('\n'),
            '\t' => Some(' '),
            control if control.is_ascii_control() => None,
            plain => Some(plain),
        };
    }
    if is_invisible(letter) {
        return None;
    }
    if let Some(digit) = digit(letter) {
        return Some(digit);
    }
    Some(match letter {
        '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        space if space.is_whitespace() => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{2043}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' | '\u{2032}' | '\u{b4}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{66b}' => '.',
        '\u{66c}' | '\u{201a}' | '\u{3001}' => ',',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{66a}' => '%',
        '\u{d7}' => 'x',
        '\u{3002}' => '.',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '\u{1d400}'..='\u{1d6a3}' => {
            let place = u8::try_from((u32::from(letter) - 0x1d400) % 52).unwrap_or(0);
            char::from(if place < 26 { b'A' + place } else { b'a' + place - 26 })
        }
        other => latin(other),
    })
}

fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{80}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}'
        | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{300}'..='\u{36f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{20d0}'..='\u{20ff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Zeros of the decimal digits of other scripts; nine more follow each.
const ZEROS: [u32; 45] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
    0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
    0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x11066, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
    0x1e950, 0x1fbf0,
];

/// Other numerals (`½`, `Ⅳ`, `①`) are left: the check can't read them and refuses them.
fn digit(letter: char) -> Option<char> {
    let code = u32::from(letter);
    let zero = ZEROS[..].iter().find(|zero| (**zero..**zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

/// Letters without their accents, and look-alikes of other alphabets.
fn latin(letter: char) -> char {
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'а' | 'α' => 'a',
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' | 'А' | 'Α' => 'A',
        'ç' | 'ć' | 'č' | 'с' => 'c',
        'Ç' | 'Ć' | 'Č' | 'С' => 'C',
        'ď' | 'đ' | 'ð' => 'd',
        'Ď' | 'Đ' | 'Ð' => 'D',
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' | 'е' | 'ё' => 'e',
        'È'..='Ë' | 'Ē' | 'Ė' | 'Ę' | 'Ě' | 'Е' | 'Ё' | 'Ε' => 'E',
        'ğ' => 'g',
        'Ğ' => 'G',
        'ì'..='ï' | 'ī' | 'į' | 'ı' | 'і' | 'ι' => 'i',
        'Ì'..='Ï' | 'Ī' | 'Į' | 'İ' | 'І' | 'Ι' => 'I',
        'ł' => 'l',
        'Ł' => 'L',
        'ñ' | 'ń' | 'ň' => 'n',
        'Ñ' | 'Ń' | 'Ň' | 'Ν' => 'N',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' | 'о' | 'ο' => 'o',
        'Ò'..='Ö' | 'Ø' | 'Ō' | 'Ő' | 'О' | 'Ο' => 'O',
        'ř' => 'r',
        'Ř' => 'R',
        'ś' | 'š' | 'ş' | 'ș' | 'ѕ' => 's',
        'Ś' | 'Š' | 'Ş' | 'Ș' | 'Ѕ' => 'S',
        'ť' | 'ţ' | 'ț' => 't',
        'Ť' | 'Ţ' | 'Ț' | 'Т' | 'Τ' => 'T',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'Ù'..='Ü' | 'Ū' | 'Ů' | 'Ű' => 'U',
        'ý' | 'ÿ' | 'у' => 'y',
        'Ý' | 'У' | 'Υ' => 'Y',
        'ź' | 'ż' | 'ž' => 'z',
        'Ź' | 'Ż' | 'Ž' | 'Ζ' => 'Z',
        'р' | 'ρ' => 'p',
        'Р' | 'Ρ' => 'P',
        'х' | 'χ' => 'x',
        'Х' | 'Χ' => 'X',
        'В' | 'Β' => 'B',
        'Н' | 'Η' => 'H',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'ј' => 'j',
        other => other,
    }
}

/// In small letters. Most words and keys are so already.
pub(super) fn small(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        Cow::Owned(text.to_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// A phrase as it is compared: folded, in small letters, its words by single spaces, nothing between them.
pub(super) fn spoken(text: &str) -> String {
    let mut spoken = String::with_capacity(text.len());
    let mut gap = false;
    let is_plain =
        text.bytes().all(|byte| matches!(byte, b' ' | b'\'' | b',' | b'.' | b'-') || byte.is_ascii_alphanumeric());
    let folded = if is_plain { Cow::Borrowed(text) } else { Cow::Owned(Folded::of(text).text) };
    for letter in folded.chars() {
        // An apostrophe belongs to its word: "Martin's" is not "Martin".
        if letter.is_alphanumeric() {
            if gap && !spoken.is_empty() {
                spoken.push(' ');
            }
            gap = false;
            spoken.extend(letter.to_lowercase());
        } else if letter != '\'' {
            gap = true;
        }
    }
    spoken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_folded_to_what_is_seen() {
        for (text, folded) in [
            ("**1,250**.00", "1,250.00"),
            ("١٢٥٠ and １２５０ and 𝟏𝟐𝟓𝟎", "1250 and 1250 and 1250"),
            ("1\u{200b}25\u{ad}0", "1250"),
            ("1\u{202f}250", "1 250"),
            ("user ***7731 paid", "user ***7731 paid"),
            ("**\\*\\*\\*7731**", "***7731"),
            ("***75*** points", "75 points"),
            ("_14_ alerts, amount_deviation", "14 alerts, amount_deviation"),
            ("СRITIСАL \u{202e}x", "CRITICAL x"),
            ("São Paulo – “Café”", "Sao Paulo - \"Cafe\""),
        ] {
            assert_eq!(Folded::of(text).text, folded, "{text:?}");
        }
    }

    #[test]
    fn offsets_are_code_points_of_the_original() {
        let folded = Folded::of("é\u{200b}€ **1\u{200b}2** x");
        let at = folded.text.find("12").unwrap();
        assert_eq!(folded.span(at, at + 2), (6, 9));
        assert_eq!(folded.span(folded.text.len(), folded.text.len()), (13, 13));
    }

    #[test]
    fn a_phrase_is_compared_by_its_words() {
        assert_eq!(spoken("Côte d'Ivoire"), "cote divoire");
        assert_eq!(spoken("  Blue--Harbor,  Ltd. "), "blue harbor ltd");
    }
}
