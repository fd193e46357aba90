//! Stage 1, fold: normalises a text to what a reader sees. Digits and most look-alike letters of other scripts become
//! ASCII, invisible characters and emphasis are dropped, and all spaces and dashes become one kind. An unusual spelling can't hide a
//! figure.
//!
//! Each kept character remembers its code point in the original, so that reported offsets are those of the original text.

use std::borrow::Cow;

use countersign_text::digits::decimal_digit;
use countersign_text::invisible::{is_c1_control, is_combining_mark, is_invisible};
use countersign_text::letters::{ascii_mark, look_alike, looks_latin_only_among_latin, plain_letter, styled};

/// How many characters after a run of asterisks may come before the run that closes it.
const EMPHASIS_CHARS_MAX: usize = 200;

pub(crate) struct FoldedText<'a> {
    /// Borrowed from the caller if the text needs no folding, which is the usual case.
    pub(crate) text: Cow<'a, str>,
    runs: Vec<Run>,
    /// Number of code points in the original.
    len: usize,
}

/// Bytes of the folded text that came from consecutive code points. If `is_wide`, they are all from one code point.
struct Run {
    byte: usize,
    from: usize,
    is_wide: bool,
}

impl<'a> FoldedText<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut byte = plain(text);
        if byte == text.len() {
            return Self { text: Cow::Borrowed(text), runs: Vec::new(), len: text.len() };
        }
        let mut folder = Folder { text: String::with_capacity(text.len()), runs: Vec::new(), at: 0 };
        folder.keep(&text[..byte]);
        while byte < text.len() {
            byte += folder.step(text, byte);
        }
        Self { text: Cow::Owned(folder.text), runs: folder.runs, len: folder.at }
    }

    /// The range of code points in the original that a byte range of `text` covers.
    pub(crate) fn span(&self, start: usize, end: usize) -> (usize, usize) {
        let first = if start < self.text.len() { self.origin(start) } else { self.len };
        let last = end.checked_sub(1).filter(|at| *at < self.text.len()).map_or(first, |at| self.origin(at));
        (first, (last + 1).min(self.len).max(first))
    }

    fn origin(&self, byte: usize) -> usize {
        let after = self.runs.partition_point(|run| run.byte <= byte);
        let run = after.checked_sub(1).and_then(|at| self.runs.get(at));
        run.map_or(byte, |run| if run.is_wide { run.from } else { run.from + byte - run.byte })
    }
}

struct Folder {
    text: String,
    runs: Vec<Run>,
    /// Number of code points of the original that have been processed.
    at: usize,
}

impl Folder {
    /// Folds the character or run that starts at this byte of the original. Returns its length in bytes.
    fn step(&mut self, text: &str, byte: usize) -> usize {
        let rest = &text[byte..];
        let len = plain(rest);
        if len > 0 {
            self.keep(&rest[..len]);
            return len;
        }
        let mut letters = rest.chars();
        let Some(letter) = letters.next() else { return 1 };
        match letter {
            '*' => return self.asterisks(rest),
            '\\' if letters.next().is_some_and(|next| next.is_ascii_punctuation()) => {}
            '_' if !inside_word(&text[..byte], letters.as_str()) => {}
            letter => {
                if let Some(seen) = seen(letter) {
                    self.push(seen, self.at);
                }
            }
        }
        self.at += 1;
        letter.len_utf8()
    }

    /// Copies text that needs no folding.
    fn keep(&mut self, plain: &str) {
        self.run(self.at, false);
        self.text.push_str(plain);
        self.at += plain.len();
    }

    /// Drops emphasis, but keeps `***7731`, which is a redacted id. Returns the length of the run.
    fn asterisks(&mut self, rest: &str) -> usize {
        // Asterisks that are each escaped with a backslash count as the same run.
        let bytes = rest.as_bytes();
        let is_run = |at: &usize| bytes[*at] == b'*' || bytes[*at] == b'\\' && bytes.get(at + 1) == Some(&b'*');
        let run = (0..bytes.len()).take_while(is_run).count();
        let stars = bytes[..run].iter().filter(|byte| **byte == b'*').count();
        let opens = rest[run..].starts_with(char::is_alphanumeric);
        if stars >= 3 && opens && !is_closed(&rest[run..]) {
            for star in 0..3 {
                self.push('*', self.at + run - 3 + star);
            }
        }
        self.at += run;
        run
    }

    fn push(&mut self, letter: char, from: usize) {
        self.run(from, !letter.is_ascii());
        self.text.push(letter);
    }

    /// Records which code point the next characters start at.
    fn run(&mut self, from: usize, is_wide: bool) {
        let byte = self.text.len();
        let goes_on =
            |last: &Run| !is_wide && !last.is_wide && from.checked_sub(last.from) == byte.checked_sub(last.byte);
        if !self.runs.last().is_some_and(goes_on) {
            self.runs.push(Run { byte, from, is_wide });
        }
    }
}

/// The number of leading bytes that need no folding.
fn plain(text: &str) -> usize {
    text.bytes().position(|byte| !PLAIN[usize::from(byte)]).unwrap_or(text.len())
}

static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        plain[byte as usize] = !matches!(byte, b'*' | b'\\' | b'_');
        byte += 1;
    }
    plain[b'\n' as usize] = true;
    plain
};

fn inside_word(before: &str, after: &str) -> bool {
    before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
}

/// Whether a later `***`, right after a word, closes the emphasis.
fn is_closed(text: &str) -> bool {
    let near = text.char_indices().nth(EMPHASIS_CHARS_MAX).map_or(text, |(end, _)| &text[..end]);
    let closes = |before: char| !matches!(before, '*' | '`' | '"' | '(') && !before.is_whitespace();
    near.match_indices("***").any(|(at, _)| near[..at].ends_with(closes))
}

/// What a reader sees of a character; `None` if it has no width.
fn seen(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return match letter {
            '\n' | '\r' => Some('\n'),
            '\t' => Some(' '),
            control if control.is_ascii_control() => None,
            plain => Some(plain),
        };
    }
    if is_dropped(letter) {
        return None;
    }
    Some(match letter {
        '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        space if space.is_whitespace() => ' ',
        // Marks that separate the digits of a number, or stand next to one.
        '\u{66b}' | '\u{3002}' => '.',
        '\u{66c}' | '\u{201a}' | '\u{3001}' => ',',
        '\u{66a}' => '%',
        '\u{d7}' => 'x',
        '\u{b4}' => '\'',
        // Full-width ASCII.
        '\u{ff01}'..='\u{ff5e}' => styled(letter).unwrap_or(letter),
        _ => ascii_mark(letter).or_else(|| digit(letter)).unwrap_or_else(|| latin(letter)),
    })
}

/// The digit that a decimal digit of any script stands for. Other numerals (`²`, `½`, `Ⅳ`, `①`) are kept, and then refused as
/// unreadable: 5² is not 52, and a reader takes 5① for 5 with a note.
fn digit(letter: char) -> Option<char> {
    char::from_digit(decimal_digit(letter)?.into(), 10)
}

/// Whether a character has no width of its own.
fn is_dropped(letter: char) -> bool {
    is_invisible(letter) || is_combining_mark(letter) || is_c1_control(letter)
}

/// The ASCII letter that a letter is a form of or looks like, if there is one. A letter that looks Latin only among Latin letters
/// is kept, and its word is then refused as unknown.
fn latin(letter: char) -> char {
    let alike = || look_alike(letter).filter(|_| !looks_latin_only_among_latin(letter));
    plain_letter(letter).or_else(alike).unwrap_or(letter)
}

/// The text in lower case. Most words and keys already are, and are borrowed.
pub(crate) fn lower_case(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        Cow::Owned(text.to_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// A word without its apostrophes, for lookups: "d'Ivoire" becomes "dIvoire".
pub(crate) fn without_apostrophes(word: &str) -> Cow<'_, str> {
    if word.contains('\'') { Cow::Owned(word.replace('\'', "")) } else { Cow::Borrowed(word) }
}

/// Normalises a phrase for comparisons: folded, in lower case, words only, with single spaces between them.
pub(crate) fn normalised(text: &str) -> String {
    normalised_of(&FoldedText::of(text).text)
}

fn normalised_of(folded: &str) -> String {
    if folded.is_ascii() {
        return normalised_ascii(folded);
    }
    let mut normalised = String::with_capacity(folded.len());
    let mut gap = false;
    for letter in folded.chars() {
        // An apostrophe is part of its word: "Martin's" is not "Martin".
        if letter.is_alphanumeric() {
            if gap && !normalised.is_empty() {
                normalised.push(' ');
            }
            gap = false;
            normalised.extend(letter.to_lowercase());
        } else if letter != '\'' {
            gap = true;
        }
    }
    normalised
}

/// Fast path of `normalised` for ASCII. It works in place, because the result is never longer than the input.
fn normalised_ascii(folded: &str) -> String {
    let mut bytes = folded.to_ascii_lowercase().into_bytes();
    let (mut len, mut gap) = (0, false);
    for at in 0..bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii_alphanumeric() {
            if gap && len > 0 {
                bytes[len] = b' ';
                len += 1;
            }
            gap = false;
            bytes[len] = byte;
            len += 1;
        } else if byte != b'\'' {
            gap = true;
        }
    }
    bytes.truncate(len);
    String::from_utf8(bytes).unwrap_or_default()
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
            ("5① 5² ½", "5① 5² ½"),
            ("пот above", "пot above"),
        ] {
            assert_eq!(FoldedText::of(text).text, folded, "{text:?}");
        }
    }

    #[test]
    fn offsets_are_code_points_of_the_original() {
        let folded = FoldedText::of("é\u{200b}€ **1\u{200b}2** x");
        let at = folded.text.find("12").unwrap();
        assert_eq!(folded.span(at, at + 2), (6, 9));
        assert_eq!(folded.span(folded.text.len(), folded.text.len()), (13, 13));
    }

    #[test]
    fn a_phrase_is_compared_by_its_words() {
        assert_eq!(normalised("Côte d'Ivoire"), "cote divoire");
        assert_eq!(normalised("  Blue--Harbor,  Ltd. "), "blue harbor ltd");
    }
}
