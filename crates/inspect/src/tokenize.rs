//! Splits a text into words and marks, once for every part that looks at words.
//!
//! A word is a run of letters and digits, joined by an apostrophe or a hyphen between two of them ("don't", "well-kept"). Every
//! other character that is not white space is a mark of its own. Offsets are bytes.

use countersign_text::hash::fnv32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    pub start: usize,
    pub end: usize,
    /// The hash of the lower-cased characters: equal for equal words whatever their case. Marks have one too.
    pub hash: u32,
    pub shape: WordShape,
}

/// The shape of a word: case, digits, marks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordShape {
    pub is_mark: bool,
    pub starts_upper: bool,
    /// Two characters or more, none of them in lower case and not all of them digits. Also true of words in scripts without case.
    pub all_upper: bool,
    pub has_digit: bool,
    pub all_digits: bool,
    /// An apostrophe or a hyphen joins its parts.
    pub joined: bool,
    /// There is white space before it, or the text begins here.
    pub spaced: bool,
    /// There is a line break before it, or the text begins here.
    pub opens_line: bool,
}

/// Reads a text into `words`, which is cleared first so that its memory can be used again.
pub fn tokenize(text: &str, words: &mut Vec<Word>) {
    words.clear();
    words.reserve(text.len() / BYTES_A_WORD);
    let (mut at, mut spaced, mut opens_line) = (0, true, true);
    while let Some(letter) = letter_at(text, at) {
        let start = at;
        if letter.is_whitespace() {
            at += letter.len_utf8();
            spaced = true;
            opens_line |= letter == '\n';
            continue;
        }
        let mut shape = WordShape { spaced, opens_line, ..WordShape::default() };
        (spaced, opens_line) = (false, false);
        let hash;
        if letter.is_alphanumeric() {
            (at, hash) = word(text, at, letter, &mut shape);
        } else {
            shape.is_mark = true;
            (at, hash) = (at + letter.len_utf8(), extended(fnv32::START, letter));
        }
        words.push(Word { start, end: at, hash, shape });
    }
}

/// About the average word length in prose, so that memory is allocated once.
const BYTES_A_WORD: usize = 5;

/// Reads the word at `start` that begins with `first`. Returns its end and its hash.
fn word(text: &str, start: usize, first: char, shape: &mut WordShape) -> (usize, u32) {
    let (mut at, mut hash) = (start, fnv32::START);
    let (mut lower, mut digit, mut has_letter) = (false, false, false);
    loop {
        let plain;
        (at, hash, plain) = plain_run(text.as_bytes(), at, hash);
        lower |= plain & LOWER != 0;
        digit |= plain & DIGIT != 0;
        has_letter |= plain & (LOWER | UPPER) != 0;
        let Some(next) = letter_at(text, at).filter(|next| !next.is_ascii() || matches!(next, '\'' | '-')) else {
            break;
        };
        let after = at + next.len_utf8();
        if !next.is_alphanumeric() {
            let joins = matches!(next, '\'' | '’' | '-') && letter_at(text, after).is_some_and(char::is_alphanumeric);
            if !joins {
                break;
            }
            shape.joined = true;
        }
        at = after;
        hash = extended(hash, next);
        lower |= next.is_lowercase();
        digit |= next.is_numeric();
        has_letter |= !next.is_numeric();
    }
    shape.starts_upper = first.is_uppercase();
    shape.has_digit = digit;
    shape.all_digits = !has_letter;
    shape.all_upper = at > start + first.len_utf8() && !lower && has_letter;
    (at, hash)
}

/// Reads the ASCII letters and digits from `at` on, which are nearly all of most texts, without decoding characters. Returns their end,
/// the extended hash, and which kinds there were.
fn plain_run(bytes: &[u8], mut at: usize, mut hash: u32) -> (usize, u32, u8) {
    let mut seen = 0;
    while let Some(&byte) = bytes.get(at) {
        let kind = PLAIN[usize::from(byte)];
        if kind == 0 {
            break;
        }
        seen |= kind;
        hash = fnv32::extend(hash, u32::from(byte | (kind & UPPER)));
        at += 1;
    }
    (at, hash, seen)
}

pub(crate) const LOWER: u8 = 1;
const DIGIT: u8 = 2;
/// The bit in which an upper-case ASCII letter differs from its lower-case form.
pub(crate) const UPPER: u8 = 0x20;
/// The kind of an ASCII letter or digit; 0 for any other byte.
pub(crate) const PLAIN: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Most characters are one byte and need no decoding.
fn letter_at(text: &str, at: usize) -> Option<char> {
    match *text.as_bytes().get(at)? {
        byte if byte.is_ascii() => Some(char::from(byte)),
        _ => text[at..].chars().next(),
    }
}

/// The hash of a given word, comparable with [`Word::hash`].
pub fn hash(word: &str) -> u32 {
    if word.is_ascii() {
        return word.bytes().fold(fnv32::START, |hash, byte| fnv32::extend(hash, u32::from(byte.to_ascii_lowercase())));
    }
    word.chars().fold(fnv32::START, extended)
}

/// The hash extended by one character in lower case.
fn extended(hash: u32, letter: char) -> u32 {
    let step = |hash, letter| fnv32::extend(hash, u32::from(letter));
    match letter {
        '’' => step(hash, '\''),
        _ if letter.is_ascii() => step(hash, letter.to_ascii_lowercase()),
        _ => letter.to_lowercase().fold(hash, step),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<Word> {
        let mut found = Vec::new();
        tokenize(text, &mut found);
        found
    }

    #[test]
    fn words_and_marks_are_told_apart() {
        let text = "Don’t (well-kept), 4 ÄÖ-\nx";
        let found: Vec<&str> = read(text).iter().map(|word| &text[word.start..word.end]).collect();
        assert_eq!(found, ["Don’t", "(", "well-kept", ")", ",", "4", "ÄÖ", "-", "x"]);
    }

    #[test]
    fn shapes_say_what_a_word_looks_like() {
        let found = read("Ab CD 12 a1\nx");
        assert!(found[0].shape.starts_upper && !found[0].shape.all_upper && found[0].shape.opens_line);
        assert!(found[1].shape.all_upper && found[1].shape.spaced && !found[1].shape.opens_line);
        assert!(found[2].shape.all_digits && !found[3].shape.all_digits && found[3].shape.has_digit);
        assert!(found[4].shape.opens_line);
        let joined: Vec<bool> = read("don't well-kept Ärger’s plain -x").iter().map(|word| word.shape.joined).collect();
        assert_eq!(joined, [true, true, true, false, false, false]);
    }

    #[test]
    fn a_hash_forgets_case() {
        let found = read("Ärger ÄRGER don't Don’t");
        assert_eq!(found[0].hash, found[1].hash);
        assert_eq!(found[2].hash, found[3].hash);
        assert_eq!(found[0].hash, hash("ärger"));
        assert_eq!(read("Zq9A’S-B")[0].hash, hash("zq9a's-b"));
    }

    proptest! {
        #[test]
        fn words_are_in_order_and_on_character_boundaries(text in any::<String>()) {
            let mut last = 0;
            for word in read(&text) {
                prop_assert!(last <= word.start && word.start < word.end);
                prop_assert!(text.get(word.start..word.end).is_some());
                last = word.end;
            }
        }
    }
}
