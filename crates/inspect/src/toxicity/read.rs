//! Reads a text as tokens with classes: folds words and looks them up in the lexicon, longest entry first.
//!
//! An unlisted word is tried again with repeated letters shortened, with digits and signs read as letters, and as
//! listed words written together ("killthemall"). Single letters in a row ("i d i o t") are tried as a word. Hyphens
//! separate words.

use countersign_text::hash::fnv32;

use super::class::Class;
use super::fold::{Folded, fold};
use super::glue::{split_into_listed, squeeze};
use super::join::{join_entries, join_spelt, name_groups};
use super::lexicon::{Lexicon, ListedWord, lexicon};
use crate::tokenize;

/// Longer words are truncated for the look-up; abusive words are never this long.
pub(super) const LETTERS_MAX: usize = 40;
/// Shorter words are not split into several.
const GLUED_LETTERS_MIN: usize = 5;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) hash: u32,
    pub(crate) class: Class,
    pub(crate) quoted: bool,
    pub(crate) shouted: bool,
    /// Capitalised and in no list: possibly a name.
    pub(crate) may_be_name: bool,
    /// Ends in "ing".
    pub(crate) gerund: bool,
    /// The number of words in the longest entry that may start here.
    pub(super) longest: u8,
    /// The letter of a single-letter word, or 0.
    pub(super) letter: u8,
}

/// Reads a text into `tokens`, replacing their previous content.
pub(crate) fn read(text: &str, tokens: &mut Vec<Token>) {
    tokens.clear();
    Reader {
        lexicon: lexicon(),
        tokens,
        buffer: [0; LETTERS_MAX],
        len: 0,
        hash: fnv32::START,
        word: None,
        quoting: None,
    }
    .run(text);
    join_spelt(tokens);
    join_entries(tokens);
    name_groups(tokens);
}

struct Reader<'t> {
    lexicon: &'static Lexicon,
    tokens: &'t mut Vec<Token>,
    buffer: [u8; LETTERS_MAX],
    len: usize,
    /// The hash of the letters in the buffer.
    hash: u32,
    word: Option<OpenWord>,
    /// The mark that closes the current quotation, and the offset by which it must have closed.
    quoting: Option<(char, usize)>,
}

/// The word being read.
#[derive(Clone, Copy)]
struct OpenWord {
    start: usize,
    end: usize,
    upper: u32,
    lower: u32,
    /// Digits or signs occur among the letters.
    has_stand_ins: bool,
    /// Three equal letters occur in a row.
    has_triple: bool,
    foreign: bool,
}

const QUOTATION_BYTES_MAX: usize = 400;

/// The length of a web address after the scheme's colon: its punctuation doesn't end a sentence, and its letters aren't
/// words.
fn rest_of_address(text: &str) -> usize {
    let Some(address) = text.strip_prefix("://") else { return 0 };
    let ends = |letter: char| letter.is_whitespace() || "<>\"'()[]".contains(letter);
    2 + address.find(ends).unwrap_or(address.len())
}

impl Reader<'_> {
    fn run(mut self, text: &str) {
        let mut at = 0;
        loop {
            at = self.plain_run(text.as_bytes(), at);
            let mut letters = text[at..].chars();
            let Some(letter) = letters.next() else { break };
            let end = at + letter.len_utf8() + rest_of_address(&text[at..]);
            match fold(letter) {
                Folded::Plain(byte) => self.letter(at, end, byte, letter),
                Folded::Letter(other) => self.other(at, end, other),
                Folded::Nothing => {}
                Folded::Apostrophe => self.apostrophe(at, end, letter, letters.next()),
                Folded::StandIn(sign) => {
                    let inside = letters.next().is_some_and(|next| next.is_alphanumeric() || next == letter);
                    let opens = self.word.is_none() && matches!(sign, b'@' | b'$' | b'*');
                    let closes = self.word.is_some() && sign == b'*';
                    if (inside && (self.word.is_some() || opens)) || closes {
                        self.stand_in(at, end, sign);
                    } else {
                        self.mark(at, end, letter);
                    }
                }
                Folded::Space => self.finish(),
                Folded::Line => {
                    self.finish();
                    self.push(at, end, Class::Stop);
                }
                Folded::Mark(mark) => self.mark(at, end, mark),
            }
            at = end;
        }
        self.finish();
    }

    /// A fast path for runs of ASCII letters and digits, which make up most of a text: handles each one as `letter`
    /// would, without decoding or folding it. Returns where the run ends.
    fn plain_run(&mut self, bytes: &[u8], from: usize) -> usize {
        // The last two letters that were kept.
        let kept = |back: usize| self.len.checked_sub(back).map_or(0, |at| self.buffer[at]);
        let (mut before, mut last) = (kept(2), kept(1));
        let (mut end, mut upper, mut lower, mut has_triple) = (from, 0, 0, false);
        while let Some(&byte) = bytes.get(end) {
            let kind = tokenize::PLAIN[usize::from(byte)];
            if kind == 0 {
                break;
            }
            end += 1;
            upper += u32::from(kind == tokenize::UPPER);
            lower += u32::from(kind == tokenize::LOWER);
            let plain = byte | (kind & tokenize::UPPER);
            has_triple |= plain == last && plain == before;
            if self.len < LETTERS_MAX {
                self.buffer[self.len] = plain;
                self.len += 1;
                self.hash = fnv32::extend(self.hash, u32::from(plain));
                (before, last) = (last, plain);
            }
        }
        if end > from {
            let open = self.open_word(from, end);
            open.upper += upper;
            open.lower += lower;
            open.has_stand_ins |= (upper + lower) as usize != end - from;
            open.has_triple |= has_triple;
        }
        end
    }

    fn open_word(&mut self, start: usize, end: usize) -> &mut OpenWord {
        let fresh =
            OpenWord { start, end, upper: 0, lower: 0, has_stand_ins: false, has_triple: false, foreign: false };
        let open = self.word.get_or_insert(fresh);
        open.end = end;
        open
    }

    fn letter(&mut self, at: usize, end: usize, byte: u8, letter: char) {
        let has_triple = self.len >= 2 && self.buffer[self.len - 1] == byte && self.buffer[self.len - 2] == byte;
        let open = self.open_word(at, end);
        open.upper += u32::from(letter.is_ascii_uppercase());
        open.lower += u32::from(letter.is_ascii_lowercase());
        open.has_stand_ins |= byte.is_ascii_digit();
        open.has_triple |= has_triple;
        self.keep(byte);
    }

    fn other(&mut self, at: usize, end: usize, letter: char) {
        self.open_word(at, end).foreign = true;
        let mut bytes = [0; 4];
        for byte in letter.encode_utf8(&mut bytes).bytes() {
            self.keep(byte);
        }
    }

    fn stand_in(&mut self, at: usize, end: usize, sign: u8) {
        self.open_word(at, end).has_stand_ins = true;
        self.keep(sign);
    }

    fn keep(&mut self, byte: u8) {
        if self.len < LETTERS_MAX {
            self.buffer[self.len] = byte;
            self.len += 1;
            self.hash = fnv32::extend(self.hash, u32::from(byte));
        }
    }

    fn apostrophe(&mut self, at: usize, end: usize, letter: char, next: Option<char>) {
        let before_letter = next.is_some_and(char::is_alphanumeric);
        if self.word.is_some() && before_letter {
            self.open_word(at, end);
            self.keep(b'\'');
            return;
        }
        let spaced = self.tokens.last().is_none_or(|last| last.end < at) && self.word.is_none();
        let opens = self.quoting.is_none() && before_letter && spaced;
        let closes = matches!(self.quoting, Some(('\'', _)));
        self.finish();
        if letter != '`' && (opens || closes) {
            self.quote(at, end, '\'', '\'');
        }
    }

    fn mark(&mut self, at: usize, end: usize, mark: char) {
        self.finish();
        match mark {
            '"' => self.quote(at, end, '"', '"'),
            '“' | '”' | '„' => self.quote(at, end, mark, '”'),
            '«' | '»' => self.quote(at, end, mark, '»'),
            '.' | ';' | '…' | '|' => self.push(at, end, Class::Stop),
            '?' => self.push(at, end, Class::Ask),
            '!' => self.push(at, end, Class::Cry),
            ',' | ':' | '(' | ')' => self.push(at, end, Class::Comma),
            _ => {}
        }
    }

    fn quote(&mut self, at: usize, end: usize, mark: char, closing: char) {
        let closes = self.quoting.is_some_and(|(wanted, _)| wanted == mark || wanted == closing);
        if !closes {
            self.quoting = Some((closing, at + QUOTATION_BYTES_MAX));
        }
        self.push(at, end, Class::Quote);
        if closes {
            self.quoting = None;
        }
    }

    fn push(&mut self, start: usize, end: usize, class: Class) {
        let quoted = self.is_quoted(start);
        self.tokens.push(Token {
            start,
            end,
            hash: class as u32,
            class,
            quoted,
            shouted: false,
            may_be_name: false,
            gerund: false,
            longest: 0,
            letter: 0,
        });
    }

    /// Whether the word that starts here is quoted. A quotation without a closing mark ends after a fixed length.
    fn is_quoted(&mut self, start: usize) -> bool {
        self.quoting = self.quoting.filter(|&(_, until)| start <= until);
        self.quoting.is_some()
    }

    /// Ends the current word, if any.
    fn finish(&mut self) {
        let Some(open) = self.word.take() else { return };
        let (buffer, len) = (self.buffer, std::mem::take(&mut self.len));
        let word = &buffer[..len];
        let plain = std::mem::replace(&mut self.hash, fnv32::START);
        let found = self.lexicon.get(plain).map(|entry| (plain, entry)).or_else(|| self.disguised_entry(word, open));
        if found.is_none() && !open.foreign && self.push_glued_words(word, open) {
            return;
        }
        self.word_token(open, found, plain, word);
    }

    fn word_token(&mut self, open: OpenWord, found: Option<(u32, ListedWord)>, plain: u32, word: &[u8]) {
        let (hash, entry) = found.unwrap_or((plain, ListedWord::default()));
        let quoted = self.is_quoted(open.start);
        self.tokens.push(Token {
            start: open.start,
            end: open.end,
            hash,
            class: entry.class,
            quoted,
            shouted: open.upper > 2 && open.lower == 0,
            may_be_name: open.upper > 0 && open.lower > 0 && entry.class == Class::Other,
            gerund: word.ends_with(b"ing"),
            longest: entry.longest,
            letter: if let [letter @ b'a'..=b'z'] = word { *letter } else { 0 },
        });
    }

    /// The entry of a disguised word: with repeated letters shortened, signs read as letters, and without 's.
    fn disguised_entry(&self, word: &[u8], open: OpenWord) -> Option<(u32, ListedWord)> {
        let get = |word: &[u8]| {
            let hash = fnv32::hash(word);
            self.lexicon.get(hash).map(|entry| (hash, entry))
        };
        if let Some(owner) = word.strip_suffix(b"'s") {
            return get(owner);
        }
        if let Some(found) = self.entry_without_double_vowel(word) {
            return Some(found);
        }
        let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 || !(open.has_stand_ins || open.has_triple) {
            return None;
        }
        let mut squeezed = [0; LETTERS_MAX];
        for one in [b'i', b'l'] {
            for runs in [2, 1] {
                let n = squeeze(word, one, runs, &mut squeezed);
                if let Some(found) = get(&squeezed[..n]) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The entry of a word with a doubled vowel ("haate").
    fn entry_without_double_vowel(&self, word: &[u8]) -> Option<(u32, ListedWord)> {
        let at = word.windows(2).position(|pair| pair[0] == pair[1] && b"aeiou".contains(&pair[0]))?;
        let hash =
            word[at + 1..].iter().fold(fnv32::hash(&word[..at]), |hash, &byte| fnv32::extend(hash, u32::from(byte)));
        let entry = self.lexicon.get(hash).filter(|entry| !entry.is_misspelt && !entry.class.is_frame())?;
        Some((hash, entry))
    }

    /// Splits a word into listed words and pushes those, if the word consists only of them.
    fn push_glued_words(&mut self, word: &[u8], open: OpenWord) -> bool {
        if word.len() < GLUED_LETTERS_MIN {
            return false;
        }
        let mut letters = [0; LETTERS_MAX];
        let n = if open.has_stand_ins { squeeze(word, b'i', 2, &mut letters) } else { word.len() };
        if !open.has_stand_ins {
            letters[..n].copy_from_slice(word);
        }
        if n < GLUED_LETTERS_MIN {
            return false;
        }
        let mut parts = [0_u8; LETTERS_MAX];
        let Some(count) = split_into_listed(self.lexicon, &letters[..n], &mut parts) else { return false };
        let mut from = 0;
        for &len in &parts[..count] {
            let part = &letters[from..from + usize::from(len)];
            from += usize::from(len);
            let hash = fnv32::hash(part);
            self.word_token(open, self.lexicon.get(hash).map(|entry| (hash, entry)), hash, part);
            if let Some(token) = self.tokens.last_mut() {
                token.letter = 0;
            }
        }
        true
    }
}
