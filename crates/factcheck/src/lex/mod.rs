//! Stage 2, tokens (`lib.rs` lists the stages): splits folded text into words, numbers, dates, times, ids, and the marks between
//! them. It knows no facts and runs in linear time.
//!
//! A *chunk* is a run of letters and digits, with the marks that join them, such as `tx-123`, `1,250.00` or `09:30`. It becomes
//! one token or a few.
//!
//! | file       | job                                            |
//! |------------|------------------------------------------------|
//! | `mod.rs`   | splits text into tokens and sentences          |
//! | `shape.rs` | recognises dates, times and numbers in a chunk |

mod shape;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use countersign_text::numbers::{self, Quantity};

use crate::calendar::{Date, TimeOfDay};
use crate::currency;
use crate::fold::{FoldedText, lower_case};
use crate::lexicon::{WordClasses, WordKnowledge, look_up};
use crate::licence::WordSense;
use shape::{clock, date, is_number, is_unit, joins, timestamp, word_of};

/// A longer chunk that contains ASCII digits is an id, even if it looks like a number.
const CHUNK_BYTES_MAX: usize = 160;

#[derive(Debug, Clone)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    /// The token as written in the folded text.
    pub(crate) text: &'a str,
    /// Byte offset in the folded text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether there is no white space before it.
    pub(crate) is_glued: bool,
    pub(crate) sentence: usize,
    pub(crate) opens_sentence: bool,
    /// For a word: the word in lower case, without a possessive `'s`. For an id: the id in lower case. Empty for other
    /// tokens.
    pub(crate) lower: Cow<'a, str>,
    /// The concepts that the token refers to, as a bit mask (`concept.rs`).
    pub(crate) concepts: u64,
    classes: WordClasses,
    /// The meaning of the word in a report. `None` if it is not in the vocabulary of reports.
    pub(crate) sense: Option<WordSense>,
    /// Whether an idiom or a signal's name of several words may start with the token.
    pub(crate) opens_multiword: bool,
    /// The hash of a word's `lower`; 0 for other tokens.
    pub(crate) hash: u64,
    pub(crate) is_capital: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TokenKind {
    Word,
    Number(Quantity),
    Date(Date),
    TimeOfDay(TimeOfDay),
    /// A date and a time of day in one chunk: `2026-03-01T09:30:00Z`.
    Timestamp(Date, TimeOfDay),
    /// Letters and digits that are not a number: `tx-123`, `***7731`.
    Id,
    /// A `snake_case` name such as `amount_deviation`.
    SnakeCase,
    /// The first token of a quoted name of a sender's signal, with the signal's index in `Signals`.
    Signal(usize),
    /// Any other token of a quoted name that a sender chose, for a signal, a figure or a unit. It has no meaning of its own.
    SenderName,
    Mark(char),
    /// A numeral that can't be read: `½`, `1,25,0`.
    UnreadableNumber,
}

impl Token<'_> {
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.lower == word && matches!(self.kind, TokenKind::Word)
    }

    /// Whether the token has one of these word classes.
    pub(crate) fn is(&self, classes: WordClasses) -> bool {
        self.classes & classes != 0
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        matches!(self.kind, TokenKind::Mark(known) if known == mark)
    }

    /// Whether the token is a number or a minus sign.
    pub(crate) fn is_figure(&self) -> bool {
        matches!(self.kind, TokenKind::Number(_) | TokenKind::Mark('-' | '−'))
    }

    /// Turns the token into part of a name that a sender chose, and clears the word's own meaning.
    pub(crate) fn set_sender_name(&mut self) {
        self.kind = TokenKind::SenderName;
        (self.lower, self.hash, self.concepts, self.classes) = (Cow::Borrowed(""), 0, 0, WordClasses::default());
        (self.sense, self.opens_multiword, self.is_capital) = (None, false, false);
    }

    /// Turns the token into the name of a signal.
    pub(crate) fn set_signal(&mut self, signal: usize) {
        self.kind = TokenKind::Signal(signal);
    }
}

pub(crate) fn tokens<'a>(folded: &'a FoldedText<'_>) -> Vec<Token<'a>> {
    // An English word and the space after it take about six bytes, and marks and figures take fewer.
    let tokens = Vec::with_capacity(folded.text.len() / 4);
    let mut lexer = Lexer { text: &folded.text, tokens, sentence: 0, opens: true, is_glued: false };
    let mut at = 0;
    while let Some(byte) = folded.text.as_bytes().get(at) {
        at = match byte {
            b' ' => lexer.skip_space(at + 1),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => lexer.chunk(at),
            _ => lexer.read_at(at),
        };
    }
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    sentence: usize,
    /// Whether the next token opens its sentence.
    opens: bool,
    is_glued: bool,
}

impl<'a> Lexer<'a> {
    /// Records white space that ends at `end`, and returns `end`, where reading continues.
    fn skip_space(&mut self, end: usize) -> usize {
        self.is_glued = false;
        end
    }

    /// Reads the token that starts at `at`. Returns the offset after it.
    fn read_at(&mut self, at: usize) -> usize {
        let Some(letter) = self.text[at..].chars().next() else { return at + 1 };
        let end = at + letter.len_utf8();
        if letter.is_whitespace() {
            if letter == '\n' && self.ends_sentence_at_line_break(end) {
                self.end_sentence();
            }
            return self.skip_space(end);
        }
        if letter == '*' && self.text[at..].starts_with("***") {
            return self.redacted(at);
        }
        if letter.is_alphanumeric() {
            return self.chunk(at);
        }
        self.push(TokenKind::Mark(letter), at, end);
        let ends = match letter {
            '!' | '?' => true,
            '.' => {
                self.text[end..].chars().next().is_none_or(|next| !next.is_alphanumeric()) && !self.is_abbreviation()
            }
            _ => false,
        };
        if ends {
            self.end_sentence();
        }
        end
    }

    /// Whether a line break ends the sentence. It does not if a lower-case letter or a digit follows.
    fn ends_sentence_at_line_break(&self, next: usize) -> bool {
        !self.text[next..]
            .trim_start_matches(' ')
            .starts_with(|next: char| next.is_lowercase() || next.is_ascii_digit())
    }

    /// Whether the full stop that was just read is part of an abbreviation.
    fn is_abbreviation(&self) -> bool {
        const SHORT: [&str; 10] = ["approx", "e.g", "i.e", "vs", "no", "cf", "ca", "st", "mr", "dr"];
        // The last token is the full stop itself.
        let word = self.tokens.iter().rev().nth(1);
        word.is_some_and(|token| matches!(token.kind, TokenKind::Word) && SHORT.contains(&token.lower.as_ref()))
    }

    fn end_sentence(&mut self) {
        self.sentence += 1;
        self.opens = true;
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        let text = &self.text[start..end];
        let lower = match kind {
            TokenKind::Word => word_of(text),
            TokenKind::Id | TokenKind::SnakeCase => lower_case(text),
            _ => Cow::Borrowed(""),
        };
        self.add(kind, start, end, lower);
    }

    fn add(&mut self, kind: TokenKind, start: usize, end: usize, lower: Cow<'a, str>) {
        let text = &self.text[start..end];
        let (WordKnowledge { concepts, classes, sense, opens_multiword }, hash) = match kind {
            TokenKind::Word => look_up(&lower),
            TokenKind::SnakeCase => {
                let concepts = lower.split('_').fold(0, |all, word| all | look_up(word).0.concepts);
                (WordKnowledge { concepts, ..WordKnowledge::default() }, 0)
            }
            _ => (WordKnowledge::default(), 0),
        };
        let (is_glued, sentence) = (self.is_glued, self.sentence);
        let (opens_sentence, is_capital) = (self.opens, text.starts_with(char::is_uppercase));
        self.tokens.push(Token {
            kind,
            text,
            start,
            end,
            is_glued,
            sentence,
            opens_sentence,
            lower,
            concepts,
            classes,
            sense,
            opens_multiword,
            hash,
            is_capital,
        });
        // Marks other than commas are skipped: the first word after quotation marks, bullets or brackets still opens the
        // sentence.
        self.opens &= matches!(kind, TokenKind::Mark(mark) if mark != ',');
        self.is_glued = true;
    }

    /// Reads a redacted id such as `***7731`. It ends at the next space; punctuation at its end is not part of it.
    fn redacted(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len()).min(CHUNK_BYTES_MAX);
        let cut = (0..=len).rev().find(|len| rest.is_char_boundary(*len)).unwrap_or(3);
        let end = at + rest[..cut].trim_end_matches(|c: char| !c.is_alphanumeric()).len().max(3);
        self.push(TokenKind::Id, at, end);
        end
    }

    /// Splits the chunk that starts at `at` into tokens.
    fn chunk(&mut self, at: usize) -> usize {
        if let Some((end, is_lower_case)) = self.plain_word(at) {
            let word = &self.text[at..end];
            let lower = if is_lower_case { Cow::Borrowed(word) } else { Cow::Owned(word.to_ascii_lowercase()) };
            self.add(TokenKind::Word, at, end, lower);
            return end;
        }
        let end = self.ascii_chunk(at).unwrap_or_else(|| self.any_chunk(at));
        let chunk = &self.text[at..end];
        if !chunk.is_ascii() && chunk.chars().any(|letter| letter.is_numeric() && !letter.is_ascii_digit()) {
            self.push(TokenKind::UnreadableNumber, at, end);
        } else if !chunk.bytes().any(|byte| byte.is_ascii_digit()) {
            self.words(at, chunk);
        } else if chunk.len() > CHUNK_BYTES_MAX {
            self.push(TokenKind::Id, at, end);
        } else {
            self.figures(at, chunk);
        }
        end
    }

    /// The end of a chunk, if the chunk and the character after it are ASCII.
    fn ascii_chunk(&self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut end = at;
        while let Some(byte) = bytes.get(end) {
            let next = bytes.get(end + 1).unwrap_or(&b' ');
            if !byte.is_ascii() || !next.is_ascii() {
                return None;
            }
            if !byte.is_ascii_alphanumeric() {
                let previous = if end > at { bytes[end - 1] } else { b' ' };
                if !joins(previous.into(), (*byte).into(), (*next).into()) {
                    break;
                }
            }
            end += 1;
        }
        Some(end)
    }

    /// The end of any chunk.
    fn any_chunk(&self, at: usize) -> usize {
        let mut end = at;
        let mut previous = ' ';
        let mut letters = self.text[at..].char_indices().peekable();
        while let Some((offset, letter)) = letters.next() {
            let next = letters.peek().map_or(' ', |(_, next)| *next);
            if !letter.is_alphanumeric() && !joins(previous, letter, next) {
                break;
            }
            end = at + offset + letter.len_utf8();
            previous = letter;
        }
        end
    }

    /// Fast path for most chunks, which are ASCII letters without a joining mark after them. Returns the end of the
    /// chunk, and whether it is in lower case.
    fn plain_word(&self, at: usize) -> Option<(usize, bool)> {
        let bytes = &self.text.as_bytes()[at..];
        let lower_len = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let len = lower_len + bytes[lower_len..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let may_join = match bytes.get(len) {
            None => false,
            Some(b'-' | b'_' | b'.' | b'/' | b'\'' | b'@' | b'#' | b'&' | b'+') => {
                bytes.get(len + 1).is_some_and(|next| next.is_ascii_alphanumeric() || !next.is_ascii())
            }
            Some(next) => next.is_ascii_digit() || !next.is_ascii(),
        };
        (len > 0 && !may_join).then_some((at + len, len == lower_len))
    }

    /// Reads a chunk without digits: a `snake_case` name, one word, or several words with marks between them.
    fn words(&mut self, at: usize, chunk: &str) {
        if chunk.contains('_') {
            return self.push(TokenKind::SnakeCase, at, at + chunk.len());
        }
        let is_initials = chunk.contains('.') && chunk.split('.').all(|part| part.chars().count() == 1);
        let is_one = |known: &&str| chunk.eq_ignore_ascii_case(known);
        if is_initials || ["km/h", "z-score", "z-scores"].iter().any(is_one) {
            return self.push(TokenKind::Word, at, at + chunk.len());
        }
        let mut from = 0;
        for (offset, letter) in chunk.char_indices() {
            if !letter.is_alphanumeric() && letter != '\'' {
                self.push(TokenKind::Word, at + from, at + offset);
                self.push(TokenKind::Mark(letter), at + offset, at + offset + letter.len_utf8());
                from = offset + letter.len_utf8();
            }
        }
        self.push(TokenKind::Word, at + from, at + chunk.len());
    }

    /// Reads a chunk with digits as a date, a time or a number with its unit if possible, and otherwise as an id.
    fn figures(&mut self, at: usize, chunk: &str) {
        let end = at + chunk.len();
        if let Some(kind) = date(chunk).or_else(|| timestamp(chunk)) {
            return self.push(kind, at, end);
        }
        if let Some((clock, len)) = clock(chunk) {
            self.push(TokenKind::TimeOfDay(clock), at, at + len);
            if len < chunk.len() {
                self.push(TokenKind::Word, at + len, end);
            }
            return;
        }
        let digits_and_marks = chunk.bytes().take_while(|byte| byte.is_ascii_digit() || b".,'".contains(byte)).count();
        let number_len = chunk[..digits_and_marks].trim_end_matches(['.', ',', '\'']).len();
        let rest = &chunk[number_len..];
        if number_len == 0 {
            return self.code_or_id(at, chunk);
        }
        match rest.chars().next() {
            None => self.number(at, at + number_len),
            Some('-' | '/') if is_number(&rest[1..]) => {
                self.number(at, at + number_len);
                self.push(TokenKind::Mark(char::from(rest.as_bytes()[0])), at + number_len, at + number_len + 1);
                self.number(at + number_len + 1, end);
            }
            Some('-') if rest[1..].chars().all(|c| c.is_alphabetic() || c == '-') => {
                self.number(at, at + number_len);
                self.push(TokenKind::Mark('-'), at + number_len, at + number_len + 1);
                self.words(at + number_len + 1, &rest[1..]);
            }
            Some(_) if is_unit(rest) => {
                self.number(at, at + number_len);
                self.push(TokenKind::Word, at + number_len, end);
            }
            _ => self.push(TokenKind::Id, at, end),
        }
    }

    /// Reads a currency code with an amount (`USD1250`), and otherwise an id.
    fn code_or_id(&mut self, at: usize, chunk: &str) {
        let letters = chunk.bytes().take_while(u8::is_ascii_alphabetic).count();
        if currency::code(&chunk[..letters]).is_some() && is_number(&chunk[letters..]) {
            self.push(TokenKind::Word, at, at + letters);
            return self.number(at + letters, at + chunk.len());
        }
        self.push(TokenKind::Id, at, at + chunk.len());
    }

    fn number(&mut self, start: usize, end: usize) {
        let kind = numbers::in_digits(&self.text[start..end]).map_or(TokenKind::UnreadableNumber, TokenKind::Number);
        self.push(kind, start, end);
    }
}
