//! Reads a text as comparable tokens: stems, numbers, names, and which words are negated.
//!
//! Built on the shared split into words. Compounds are split ("well-kept", and in records "OutdoorSeating"), and the
//! parts of a number are joined ("1,250.5", "two million").

use std::ops::Range;

use super::lexicon::{LEXICON, NONE};
use super::number;
use super::stem::stem;
use crate::tokenize::{self, Word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Mark,
    /// A function word.
    Function,
    /// Refers to the source rather than to its content.
    Neutral,
    /// A word that paraphrases add without claiming much.
    Soft,
    Frequent,
    Rare,
    Number,
}

/// The kind of word that its ending suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// "-ly"
    Manner,
    /// "-ed", "-ing", "-ize"
    Deed,
    Other,
}

impl Ending {
    fn of(word: &str) -> Self {
        let ends = |endings: &[&str]| word.len() > 4 && endings.iter().any(|ending| word.ends_with(ending));
        match () {
            () if ends(&["ly"]) => Self::Manner,
            () if ends(&["ed", "ing", "ize", "izes", "ise", "ises"]) => Self::Deed,
            () => Self::Other,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    /// The byte range of the token.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The hash of the lower-case word.
    pub(super) word: u32,
    /// The hash of its stem, or of its value for a number.
    pub(super) stem: u32,
    pub(super) sentence: u32,
    pub(super) class: Class,
    /// A capitalised content word other than a number. A word that opens its sentence counts only if it is rare.
    pub(super) name: bool,
    /// In the scope of a negation, or the name of a field that is false.
    pub(super) negated: bool,
    pub(super) negator: bool,
    pub(super) spaced: bool,
    pub(super) opens_line: bool,
    pub(super) upper: bool,
    pub(super) ending: Ending,
    /// The index of its entry in the lexicon, or `NONE`.
    pub(super) entry: u16,
    /// The hash of the first letters of a long word, or 0.
    pub(super) head: u32,
    /// The stem without a prefix such as "un-" or "in-", or 0.
    pub(super) bare: u32,
    pub(super) value: f64,
}

impl Token {
    pub(super) fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    pub(super) fn is_content(&self) -> bool {
        !matches!(self.class, Class::Mark | Class::Function)
    }

    /// How much it matters whether the context contains the token.
    pub(super) fn weight(&self) -> f32 {
        match self.class {
            Class::Mark | Class::Function => 0.0,
            Class::Neutral => 0.2,
            Class::Soft => 0.6,
            Class::Frequent if !self.name => 1.0,
            Class::Rare if !self.name => 1.8,
            Class::Frequent | Class::Rare | Class::Number => 2.2,
        }
    }
}

/// How much detail each token gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Full,
    Outline,
}

/// Reads at most the first `u32::MAX` bytes. If the text is a record, words are split at their capitals, as in field names.
pub(super) fn read(text: &str, record: bool) -> Vec<Token> {
    let text = &text[..text.floor_char_boundary(u32::MAX as usize)];
    let mut found = Vec::new();
    tokenize::tokenize(text, &mut found);
    tokens(text, &found, record, Depth::Full)
}

/// Reads a text of at most `u32::MAX` bytes as tokens that only distinguish content, function words, numbers and names:
/// without stems, and without the lexicon's classes.
pub(super) fn outline(text: &str, words: &[Word]) -> Vec<Token> {
    tokens(text, words, false, Depth::Outline)
}

fn tokens(text: &str, found: &[Word], record: bool, depth: Depth) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(found.len() + found.len() / 8);
    let mut at = 0;
    while let Some(word) = found.get(at) {
        if word.shape.is_mark {
            tokens.push(plain(word, word.start, word.end, Class::Mark));
            at += 1;
        } else if let Some((value, used)) = number::read(text, &found[at..]) {
            let last = &found[at + used - 1];
            let mut token = plain(word, word.start, last.end, Class::Number);
            token.value = value;
            tokens.push(token);
            at += used;
        } else {
            push_parts(text, word, record, depth, &mut tokens);
            at += 1;
        }
    }
    number::join(text, &mut tokens);
    tokens
}

fn plain(word: &Word, start: usize, end: usize, class: Class) -> Token {
    Token {
        start: start as u32,
        end: end as u32,
        word: word.hash,
        stem: word.hash,
        sentence: 0,
        class,
        name: false,
        negated: false,
        negator: false,
        spaced: word.shape.spaced,
        opens_line: word.shape.opens_line,
        upper: word.shape.starts_upper,
        ending: Ending::Other,
        entry: NONE,
        head: 0,
        bare: 0,
        value: f64::NAN,
    }
}

/// Pushes the parts of a compound, or the word itself.
fn push_parts(text: &str, word: &Word, record: bool, depth: Depth, tokens: &mut Vec<Token>) {
    let whole = &text[word.start..word.end];
    let compound = word.shape.joined && whole.contains('-')
        || record && whole.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    if !compound {
        let mut token = plain(word, word.start, word.end, Class::Rare);
        classify(whole, word.shape.joined, depth, &mut token);
        return tokens.push(token);
    }
    let mut from = 0;
    let mut before_lower = false;
    for (at, letter) in whole.char_indices().chain([(whole.len(), '-')]) {
        let starts_part = record && before_lower && letter.is_uppercase();
        before_lower = letter.is_lowercase();
        if letter != '-' && !starts_part {
            continue;
        }
        if from < at {
            tokens.push(part(text, word, depth, word.start + from..word.start + at));
        }
        from = if letter == '-' { at + 1 } else { at };
    }
}

fn part(text: &str, word: &Word, depth: Depth, Range { start, end }: Range<usize>) -> Token {
    let piece = &text[start..end];
    let mut token = plain(word, start, end, Class::Rare);
    token.spaced &= start == word.start;
    token.opens_line &= start == word.start;
    token.upper = piece.starts_with(char::is_uppercase);
    token.word = tokenize::hash(piece);
    if let Some(value) = number::written(piece) {
        token.value = value;
        token.class = Class::Number;
    } else {
        classify(piece, word.shape.joined, depth, &mut token);
    }
    token
}

/// `joined`: the word may contain an apostrophe.
fn classify(piece: &str, joined: bool, depth: Depth, token: &mut Token) {
    let lexicon = &*LEXICON;
    let apostrophe = joined && piece.contains(['\'', '’']);
    token.negator = is_negator(piece, apostrophe);
    if lexicon.is_function(token.word) || token.negator && apostrophe {
        token.class = Class::Function;
        token.stem = token.word;
        if depth == Depth::Full {
            token.entry = lexicon.place(stem(piece));
        }
        return;
    }
    if let Some(value) = number::spelled(token.word) {
        token.value = value;
        token.class = Class::Number;
        return;
    }
    if depth == Depth::Full {
        token.stem = stem(piece);
        token.ending = Ending::of(piece);
        token.entry = lexicon.place(token.stem);
        token.head = head(piece);
        token.bare = bare(piece);
    } else if token.upper {
        // A frequent word that opens a sentence is not a name.
        token.entry = lexicon.place(stem(piece));
    }
    token.class = match lexicon.get(token.entry) {
        _ if apostrophe && is_contraction(piece) => Class::Function,
        Some(entry) if entry.neutral => Class::Neutral,
        Some(entry) if entry.soft => Class::Soft,
        Some(entry) if entry.frequent => Class::Frequent,
        _ if piece.len() < 3 && !token.upper => Class::Frequent,
        _ => Class::Rare,
    };
}

/// The hash of a long word's first letters. Long words that begin alike usually belong to one family: "masseur",
/// "masseuse".
fn head(piece: &str) -> u32 {
    const LETTERS: usize = 6;
    if piece.len() < LETTERS || !piece.is_ascii() { 0 } else { tokenize::hash(&piece[..LETTERS]) }
}

/// The stem without a negating prefix, or 0.
fn bare(piece: &str) -> u32 {
    const REST_LETTERS_MIN: usize = 4;
    let starts = |start: &&str| {
        piece.len() >= start.len() + REST_LETTERS_MIN
            && piece.as_bytes()[..start.len()].eq_ignore_ascii_case(start.as_bytes())
    };
    let start = ["un", "in", "im", "non", "dis", "ir", "il"].into_iter().find(starts);
    start.and_then(|start| piece.get(start.len()..)).map_or(0, stem)
}

/// "I'm", "they've": a function word, whatever precedes the apostrophe.
fn is_contraction(piece: &str) -> bool {
    let ends = |ending: &str| piece.len() > ending.len() && piece.to_ascii_lowercase().ends_with(ending);
    ["'m", "'re", "'ve", "'ll", "'d", "’m", "’re", "’ve", "’ll", "’d"].into_iter().any(ends)
        || ["it's", "that's", "he's", "she's", "what's", "let's", "there's", "who's"]
            .iter()
            .any(|known| piece.eq_ignore_ascii_case(known))
}

fn is_negator(piece: &str, apostrophe: bool) -> bool {
    const WORDS: [&str; 16] = [
        "not", "no", "never", "without", "cannot", "none", "neither", "nor", "unable", "lack", "lacks", "lacking",
        "fail", "fails", "failed", "n't",
    ];
    // Most words are rejected here.
    let first = piece.as_bytes().first().map(u8::to_ascii_lowercase);
    let may_be = first.is_some_and(|first| b"nwculf".contains(&first)) || apostrophe;
    may_be
        && piece.len() <= 9
        && (WORDS.iter().any(|word| piece.eq_ignore_ascii_case(word))
            || piece.ends_with("n't")
            || piece.ends_with("n’t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, record: bool, expected: &[&str]) {
        let found: Vec<&str> =
            read(text, record).iter().filter(|t| t.class != Class::Mark).map(|t| t.text(text)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn compounds_are_split_and_numbers_are_joined() {
        check("A well-kept 1,250.5 m-long wall", false, &["A", "well", "kept", "1,250.5", "m", "long", "wall"]);
        check("two million people", false, &["two million", "people"]);
        check("OutdoorSeating: HasTV", true, &["Outdoor", "Seating", "Has", "TV"]);
        check("OutdoorSeating", false, &["OutdoorSeating"]);
    }

    #[test]
    fn content_words_and_function_words_have_different_classes() {
        let text = "They didn't see the 3 walruses according to it.";
        let classes: Vec<Class> = read(text, false).iter().map(|token| token.class).collect();
        use Class::{Function, Mark, Neutral, Number, Rare, Soft};
        assert_eq!(classes, [Function, Function, Soft, Function, Number, Rare, Neutral, Function, Function, Mark]);
    }
}
