//! Reads the words around an offset in the spelling that the lists use: lower case, without accents.
//!
//! Only words within a fixed distance are read, so that a stream decides in the same way as a whole text.

use crate::context::{ahead, behind};
use crate::toxicity::fold::{Folded, fold};

/// How far before its anchor word a phrase may start.
const START_BYTES: usize = 80;
/// How much is read before a phrase, to find a negation or a word such as "said".
const CONTEXT_BYTES: usize = 64;
/// How far a phrase and the text read after it may reach from the anchor word. The sum of this and `START_BYTES` must
/// stay below what a stream holds back.
const AHEAD_BYTES: usize = 128;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoldedWord {
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) capital: bool,
    pub(super) before: Break,
    /// A quotation opens directly before this word.
    pub(super) quoted: bool,
}

/// The strongest mark between a word and the previous one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    #[default]
    None,
    Comma,
    /// A quotation opens or closes here.
    Quote,
    Sentence,
}

/// The words around an anchor.
pub(super) struct AnchorContext {
    pub(super) words: Vec<FoldedWord>,
    /// The first word is also the first of the text.
    pub(super) opens: bool,
    /// The mark after the last word.
    pub(super) last: Break,
    /// Words before this index are context and don't start a phrase.
    pub(super) first_start: usize,
    pub(super) anchor: usize,
}

impl AnchorContext {
    pub(super) fn around(text: &str, at: usize) -> Self {
        let before = behind(text, at, START_BYTES + CONTEXT_BYTES);
        let from = at - before.len();
        let until = at + ahead(text, at, AHEAD_BYTES).len();
        let (mut words, mut last) = words(&text[from..until]);
        // A word that the limits cut in two is dropped.
        if from > 0 && words.first().is_some_and(|word| word.start == 0) {
            words.remove(0);
        }
        if until == text.len() {
            last = Break::Sentence;
        } else if let Some(cut) = words.pop_if(|word| word.end == until - from) {
            last = cut.before;
        }
        for word in &mut words {
            word.start += from;
            word.end += from;
        }
        let first_start = words.partition_point(|word| word.start + START_BYTES < at);
        let anchor = words.partition_point(|word| word.start < at);
        Self { words, opens: from == 0, last, first_start, anchor }
    }

    /// The mark before the word at `index`, or after the last word.
    pub(super) fn break_before(&self, index: usize) -> Break {
        match self.words.get(index) {
            Some(_) if index == 0 && self.opens => Break::Sentence,
            Some(word) => word.before,
            None => self.last,
        }
    }
}

/// The word that starts at `at`, in the lists' spelling.
pub(super) fn word_at(text: &str, at: usize) -> String {
    let ahead = ahead(text, at, WORD_BYTES_MAX);
    // Most words that begin like an anchor are plain ASCII and need no folding.
    let plain = ahead.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if ahead.as_bytes().get(plain).is_none_or(u8::is_ascii) {
        return ahead[..plain].to_ascii_lowercase();
    }
    let (words, _) = words(ahead.split_once(' ').map_or(ahead, |(first, _)| first));
    words.into_iter().next().map(|word| word.text).unwrap_or_default()
}

/// Longer words are in no list.
const WORD_BYTES_MAX: usize = 64;

/// All words of a text, and the mark after the last one.
pub(super) fn words(text: &str) -> (Vec<FoldedWord>, Break) {
    let mut reader = Reader { words: Vec::new(), open: false, before: Break::None, quoted: false, line: false };
    let mut letters = text.char_indices().peekable();
    let mut previous = ' ';
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |&(_, next)| next);
        if is_apostrophe(letter) {
            reader.apostrophe(previous, next);
        } else {
            reader.letter(at, letter, next);
        }
        previous = letter;
    }
    (reader.words, reader.before)
}

struct Reader {
    words: Vec<FoldedWord>,
    /// The last word is not complete yet.
    open: bool,
    before: Break,
    quoted: bool,
    /// A line ended here; a second line break ends the sentence.
    line: bool,
}

impl Reader {
    fn letter(&mut self, at: usize, letter: char, next: char) {
        let lower = letter.to_lowercase().next().unwrap_or(letter);
        let end = at + letter.len_utf8();
        if let Some(pair) = pair(lower) {
            return self.keep(at, end, pair, letter.is_uppercase());
        }
        match fold(lower) {
            Folded::Plain(byte) => self.keep(at, end, char::from(byte).encode_utf8(&mut [0; 4]), letter.is_uppercase()),
            Folded::Letter(other) => self.keep(at, end, other.encode_utf8(&mut [0; 4]), letter.is_uppercase()),
            Folded::Nothing => {}
            Folded::Line => {
                let mark = if self.line { Break::Sentence } else { Break::None };
                self.mark(mark);
                self.line = true;
            }
            Folded::Mark(mark) => {
                self.quoted |= opens_quotation(mark, next);
                self.mark(break_of(mark, next));
            }
            Folded::StandIn(b'!') => self.mark(Break::Sentence),
            Folded::Space | Folded::StandIn(_) | Folded::Apostrophe => self.mark(Break::None),
        }
    }

    /// An apostrophe is part of a word in Ukrainian, ends a word in French and Italian, and is a quotation mark after a
    /// space.
    fn apostrophe(&mut self, previous: char, next: char) {
        if self.open && is_cyrillic(previous) && is_cyrillic(next) {
            return;
        }
        let quotes = !previous.is_alphanumeric() && next.is_alphanumeric();
        self.quoted |= quotes;
        self.mark(if quotes { Break::Quote } else { Break::None });
    }

    fn keep(&mut self, start: usize, end: usize, letters: &str, capital: bool) {
        self.line = false;
        if !self.open {
            let (before, quoted) = (std::mem::take(&mut self.before), std::mem::take(&mut self.quoted));
            self.words.push(FoldedWord { text: String::new(), start, end, capital, before, quoted });
            self.open = true;
        }
        if let Some(word) = self.words.last_mut() {
            word.text.push_str(letters);
            word.end = end;
        }
    }

    fn mark(&mut self, mark: Break) {
        self.open = false;
        self.before = self.before.max(mark);
    }
}

fn break_of(mark: char, next: char) -> Break {
    match mark {
        // A full stop inside a name or a number doesn't end a sentence.
        '.' | '?' if next.is_alphanumeric() => Break::Comma,
        '.' | '?' | ';' | '…' | '|' => Break::Sentence,
        _ if is_quotation_mark(mark) => Break::Quote,
        ',' | ':' | '(' | ')' | '¡' | '¿' | '–' | '—' => Break::Comma,
        _ => Break::None,
    }
}

fn is_quotation_mark(mark: char) -> bool {
    matches!(mark, '"' | '“' | '”' | '„' | '«' | '»' | '‹' | '›')
}

/// Most quotation marks open in one language and close in another, so the mark that touches the next word is the
/// opening one.
fn opens_quotation(mark: char, next: char) -> bool {
    matches!(mark, '„' | '«' | '‹')
        || (is_quotation_mark(mark) && (next.is_alphanumeric() || matches!(next, '¡' | '¿')))
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '‘' | 'ʼ' | '`')
}

fn is_cyrillic(letter: char) -> bool {
    matches!(letter, '\u{400}'..='\u{52F}')
}

/// Letters that are written as two if the accent is unavailable.
fn pair(lower: char) -> Option<&'static str> {
    match lower {
        'ß' => Some("ss"),
        'œ' => Some("oe"),
        'æ' => Some("ae"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelt(text: &str) -> Vec<String> {
        words(text).0.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_lose_case_and_accents() {
        assert_eq!(spelt("TÖTE Straße sœur Știm Zabiję"), ["tote", "strasse", "soeur", "stim", "zabije"]);
        assert_eq!(spelt("живёшь"), spelt("ЖИВЕШЬ"));
    }

    #[test]
    fn an_apostrophe_is_part_of_a_word_only_in_ukrainian() {
        assert_eq!(spelt("вб'ю"), spelt("ВБ’Ю"));
        assert_eq!(spelt("вб'ю").len(), 1);
        assert_eq!(spelt("t'es"), ["t", "es"]);
    }

    #[test]
    fn marks_separate_words_by_their_strength() {
        let (words, last) = words("a, b «c d. e\nf\n\ng x.y z!");
        let breaks: Vec<Break> = words.iter().map(|word| word.before).collect();
        let expected = [
            Break::None,
            Break::Comma,
            Break::Quote,
            Break::None,
            Break::Sentence,
            Break::None,
            Break::Sentence,
            Break::None,
            Break::Comma,
            Break::None,
        ];
        assert_eq!(breaks, expected);
        assert_eq!(last, Break::Sentence);
    }
}
