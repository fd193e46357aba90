//! Folds characters to the ones they represent: compatibility forms, digits of all scripts, accents, look-alikes of
//! other alphabets, all kinds of spaces and dashes, and invisible characters. Also puts text with a right-to-left override
//! into the order in which readers see it.

use countersign_text::digits::ascii_digit;
use countersign_text::invisible;
use countersign_text::letters::{ascii_mark, is_accented, look_alike, push_styled, styled};
use unicode_normalization::char::is_combining_mark;

use super::map::{Map, Rewrite};

/// How many characters around a word of look-alikes are searched for neighbouring letters.
const NEIGHBOUR_CHARS: usize = 8;

pub(super) struct Folded {
    pub(super) text: String,
    pub(super) map: Map,
    /// The offset of the first letter that is read as a different one, apart from accents.
    pub(super) disguised_from: Option<usize>,
}

/// Returns `None` if every character is already plain.
pub(super) fn folded(text: &str) -> Option<Folded> {
    if !text.bytes().any(|byte| !byte.is_ascii() || is_control(byte)) {
        return None;
    }
    let mut folding = Folding { original: text, out: Rewrite::of(text), disguised_from: None, is_changed: false };
    let mut at = 0;
    while at < text.len() {
        at = folding.fold_run(at);
    }
    if !folding.is_changed {
        return None;
    }
    let (text, map) = folding.out.finish();
    Some(Folded { text, map, disguised_from: folding.disguised_from })
}

/// Control characters other than tab and line breaks.
pub(super) const fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0x7F
}

/// Whether a text is disguised, rather than merely written with accents or in another script. `plain` is its view.
pub(super) fn is_disguised(text: &str, plain: &str) -> bool {
    let is_odd = |letter: char| match letter {
        _ if letter.is_ascii() => is_control(letter as u8) || matches!(letter, '&' | '%' | '\\' | '<'),
        _ if is_accented(letter) => false,
        _ => {
            is_dropped(letter)
                || ascii_digit(letter).is_some()
                || styled(letter).is_some()
                || look_alike(letter).is_some() && plain.is_ascii()
        }
    };
    text.chars().any(is_odd)
}

struct Folding<'a> {
    original: &'a str,
    out: Rewrite<'a>,
    disguised_from: Option<usize>,
    is_changed: bool,
}

impl Folding<'_> {
    /// Folds the word, or the run of other characters, that starts at `from`; returns its end.
    fn fold_run(&mut self, from: usize) -> usize {
        let rest = &self.original[from..];
        let in_word = rest.chars().next().is_some_and(is_part_of_word);
        let length = rest.find(|letter| is_part_of_word(letter) != in_word).unwrap_or(rest.len());
        let run = &rest[..length];
        if run.bytes().all(|byte| byte.is_ascii() && !is_control(byte)) {
            return from + length;
        }
        let reads_as_number = in_word && reads_as_number(run);
        let reads_as_latin = in_word && !reads_as_number && self.reads_as_latin(run, from);
        let mut plain = String::new();
        let mut is_after_digit = self.original[..from].chars().next_back().is_some_and(is_digit);
        for (at, letter) in run.char_indices() {
            plain.clear();
            match letter {
                _ if letter.is_ascii() => fold(letter, reads_as_latin, &mut plain),
                // Combining marks on a digit are meaningless in every script.
                _ if is_after_digit && is_combining_mark(letter) => {}
                _ if is_after_digit && is_dash_between_digits(letter, &rest[at + letter.len_utf8()..]) => {
                    plain.push('-')
                }
                _ if reads_as_number && digit_alike(letter).is_some() => plain.extend(digit_alike(letter)),
                _ if separates_ssn_groups(self.original, from + at, letter) => plain.push('-'),
                'ⓐ' | 'Ⓐ' if length == letter.len_utf8() => plain.push('@'),
                _ => fold(letter, reads_as_latin, &mut plain),
            }
            is_after_digit = is_digit(letter) || is_after_digit && (is_combining_mark(letter) || is_dropped(letter));
            let mut original = [0; 4];
            if plain == *letter.encode_utf8(&mut original) {
                continue;
            }
            self.is_changed = true;
            let start = from + at;
            let is_letter = plain.len() == 1 && plain.bytes().all(|byte| byte.is_ascii_alphabetic());
            if is_letter && !is_accented(letter) && self.disguised_from.is_none() {
                self.disguised_from = Some(start);
            }
            self.out.replace(start..start + letter.len_utf8(), &plain);
        }
        from + length
    }

    fn reads_as_latin(&self, word: &str, from: usize) -> bool {
        let (mut latin, mut alike, mut other) = (false, false, false);
        for letter in word.chars().filter(|letter| letter.is_alphabetic()) {
            match letter {
                _ if letter.is_ascii_alphabetic() || styled(letter).is_some() => latin = true,
                _ if look_alike(letter).is_some() => alike = true,
                _ => other = true,
            }
        }
        alike && (latin || (!other && self.is_among_latin(from, from + word.len())))
    }

    /// Whether the letters nearest to a word are Latin, on each side that has any.
    fn is_among_latin(&self, start: usize, end: usize) -> bool {
        let nearest = |letters: &mut dyn Iterator<Item = char>| {
            letters
                .take(NEIGHBOUR_CHARS)
                .find(|letter| letter.is_alphabetic())
                .map(|letter| letter.is_ascii_alphabetic())
        };
        let before = nearest(&mut self.original[..start].chars().rev());
        let after = nearest(&mut self.original[end..].chars());
        matches!((before, after), (Some(true), None | Some(true)) | (None, Some(true)))
    }
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit() || !letter.is_ascii() && (ascii_digit(letter).is_some() || letter.is_numeric())
}

/// Whether an unusual space separates the groups of a social security number. Columns of numbers have ordinary spaces
/// between them, and a number with such spaces inside has groups of three.
fn separates_ssn_groups(text: &str, at: usize, space: char) -> bool {
    if !space.is_whitespace() {
        return false;
    }
    let digits = |text: &str| text.bytes().take(5).take_while(u8::is_ascii_digit).count();
    let digits_back = |text: &str| text.bytes().rev().take(5).take_while(u8::is_ascii_digit).count();
    let (before, after) = (&text[..at], &text[at + space.len_utf8()..]);
    match (digits_back(before), digits(after)) {
        (3, 2) => after[2..].strip_prefix(space).is_some_and(|last| digits(last) == 4),
        (2, 4) => before[..before.len() - 2].strip_suffix(space).is_some_and(|first| digits_back(first) == 3),
        _ => false,
    }
}

const RIGHT_TO_LEFT_OVERRIDE: char = '\u{202E}';
const OVERRIDE_CHARS_MAX: usize = 256;

/// Reverses text after a right-to-left override into the order in which readers see it; `None` if there is none.
pub(super) fn in_visual_order(text: &str) -> Option<(String, Map)> {
    let mut rewrite: Option<Rewrite<'_>> = None;
    let mut read = 0;
    for (at, _) in text.match_indices(RIGHT_TO_LEFT_OVERRIDE) {
        let inside = &text[at + RIGHT_TO_LEFT_OVERRIDE.len_utf8()..];
        let ends = |letter: char| matches!(letter, '\u{202C}' | '\u{202D}' | RIGHT_TO_LEFT_OVERRIDE | '\n');
        let length: usize =
            inside.chars().take(OVERRIDE_CHARS_MAX).take_while(|letter| !ends(*letter)).map(char::len_utf8).sum();
        if at >= read && length > 0 {
            let end = at + RIGHT_TO_LEFT_OVERRIDE.len_utf8() + length;
            let plain: String = inside[..length].chars().rev().collect();
            rewrite.get_or_insert_with(|| Rewrite::of(text)).replace(at..end, &plain);
            read = end;
        }
    }
    rewrite.map(Rewrite::finish)
}

/// Whether the letter is drawn as a stroke that looks like a dash between digits.
fn is_dash_between_digits(letter: char, rest: &str) -> bool {
    matches!(letter, '\u{30FC}' | '\u{4E00}' | '\u{1173}' | '\u{2F00}' | '\u{3161}') && rest.starts_with(is_digit)
}

/// Whether a word is a number in which letters of other alphabets replace digits that they resemble.
fn reads_as_number(word: &str) -> bool {
    let (mut digits, mut letters) = (0, 0);
    for letter in word.chars() {
        match letter {
            '0'..='9' => digits += 1,
            _ if digit_alike(letter).is_some() => letters += 1,
            _ => return false,
        }
    }
    letters > 0 && digits >= letters
}

fn digit_alike(letter: char) -> Option<char> {
    match letter {
        'О' | 'о' | 'Ο' | 'ο' | 'Օ' | 'օ' => Some('0'),
        'І' | 'і' | 'Ӏ' | 'ӏ' | 'Ι' | 'ι' => Some('1'),
        'З' | 'з' | 'Ӡ' | 'ӡ' => Some('3'),
        'Ч' => Some('4'),
        'Ѕ' | 'ѕ' => Some('5'),
        'В' | 'Β' => Some('8'),
        _ => None,
    }
}

fn is_part_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || is_dropped(letter) || styled(letter).is_some()
}

/// Writes the plain form of a character; nothing for an invisible one.
fn fold(letter: char, reads_as_latin: bool, plain: &mut String) {
    if letter.is_ascii() {
        if !is_control(letter as u8) {
            plain.push(letter);
        }
        return;
    }
    // Tag characters spell ASCII text that only machines can read.
    if let tag @ 0xE0020..=0xE007E = u32::from(letter) {
        plain.extend(char::from_u32(tag - 0xE0000));
        return;
    }
    if is_dropped(letter) {
        return;
    }
    let single =
        reads_as_latin.then(|| look_alike(letter)).flatten().or_else(|| ascii_digit(letter)).or_else(|| mark(letter));
    match (single, letter) {
        // Wide dashes separate two words.
        (_, '\u{2014}' | '\u{2015}' | '\u{2E3A}' | '\u{2E3B}') => plain.push_str(" - "),
        (Some(single), _) => plain.push(single),
        (None, _) if styled(letter).is_some() => push_styled(letter, plain),
        (None, _) => plain.push(lower(letter)),
    }
}

/// Detectors ignore case for ASCII, but not for other scripts.
fn lower(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some('ё'), None) => 'е',
        (Some(single), None) => single,
        _ => letter,
    }
}

/// Invisible characters, and characters that only modify the letter before them.
fn is_dropped(letter: char) -> bool {
    !letter.is_ascii()
        && (invisible::is_invisible(letter)
            || invisible::is_combining_mark(letter)
            || invisible::is_c1_control(letter)
            || is_arabic_mark(letter))
}

/// The character that elongates Arabic words, and Arabic vowel marks.
fn is_arabic_mark(letter: char) -> bool {
    matches!(letter, '\u{640}' | '\u{64B}'..='\u{65F}')
}

/// The ASCII form of white space, dashes, quotation marks and other marks.
fn mark(letter: char) -> Option<char> {
    match letter {
        '\u{2028}' | '\u{2029}' | '\u{85}' => Some('\n'),
        '\u{2800}' => Some(' '),
        _ if letter.is_whitespace() => Some(' '),
        _ => ascii_mark(letter),
    }
}
