//! Folded text to tokens: words, numbers, dates, times, ids, and the marks between them. Linear; knows no facts.

use std::borrow::Cow;

use countersign_text::numbers::{self, Quantity};

use crate::calendar::{Clock, Date, Moment};
use crate::currency;
use crate::fold::{Folded, small};
use crate::lexicon::{Known, Sorts, known};
use crate::licence::Word;

/// A longer run without a space is nobody's figure.
const CHUNK_BYTES_MAX: usize = 160;

#[derive(Debug, Clone)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    /// As it is written, folded.
    pub(crate) text: &'a str,
    /// Bytes of the folded text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// No space before it.
    pub(crate) glued: bool,
    pub(crate) sentence: usize,
    pub(crate) opens_sentence: bool,
    /// A word in small letters, without a possessive `'s`; the text itself of an id.
    pub(crate) lower: Cow<'a, str>,
    /// What it speaks of.
    pub(crate) concepts: u64,
    sorts: Sorts,
    /// What a word says in a report; none if reports have no such word.
    pub(crate) word: Option<Word>,
    pub(crate) opens_run: bool,
    /// Of a word's `lower`; zero for all else.
    pub(crate) hash: u64,
    pub(crate) is_capital: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Word,
    Number(Quantity),
    Date(Date),
    Clock(Clock),
    Stamp(Date, Clock),
    /// Letters and digits that make no number: `tx-123`, `***7731`.
    Id,
    /// `amount_deviation`.
    Ident,
    /// The name of a sender's signal, by its place; its words say nothing.
    Signal(usize),
    /// Part of another name that a sender gave.
    Given,
    Mark(char),
    /// A numeral that can't be read.
    Odd,
}

impl Token<'_> {
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.lower == word && matches!(self.kind, Kind::Word)
    }

    /// Of one of these sorts of words.
    pub(crate) fn is(&self, sorts: Sorts) -> bool {
        self.sorts & sorts != 0
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        matches!(self.kind, Kind::Mark(known) if known == mark)
    }

    /// A number, a minus before one included.
    pub(crate) fn is_figure(&self) -> bool {
        matches!(self.kind, Kind::Number(_) | Kind::Mark('-' | '−'))
    }

    /// Takes all meaning from a word that is part of a name.
    pub(crate) fn blank(&mut self) {
        self.kind = Kind::Given;
        (self.lower, self.hash, self.concepts, self.sorts) = (Cow::Borrowed(""), 0, 0, Sorts::default());
        (self.word, self.opens_run, self.is_capital) = (None, false, false);
    }

    /// Makes it a signal's name.
    pub(crate) fn name(&mut self, signal: usize) {
        self.kind = Kind::Signal(signal);
    }
}

pub(crate) fn tokens<'a>(folded: &'a Folded<'_>) -> Vec<Token<'a>> {
    // A word of English with its space has some six letters, and there are marks and figures.
    let tokens = Vec::with_capacity(folded.text.len() / 4);
    let mut lexer = Lexer { text: &folded.text, tokens, sentence: 0, opens: true, glued: false };
    let mut at = 0;
    while let Some(byte) = folded.text.as_bytes().get(at) {
        at = match byte {
            b' ' => lexer.space(at + 1),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => lexer.chunk(at),
            _ => lexer.step(at),
        };
    }
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    sentence: usize,
    opens: bool,
    glued: bool,
}

impl<'a> Lexer<'a> {
    fn space(&mut self, end: usize) -> usize {
        self.glued = false;
        end
    }

    /// Takes what starts at `at`; returns where the rest starts.
    fn step(&mut self, at: usize) -> usize {
        let Some(letter) = self.text[at..].chars().next() else { return at + 1 };
        let end = at + letter.len_utf8();
        if letter.is_whitespace() {
            if letter == '\n' && self.is_break(end) {
                self.end_sentence();
            }
            return self.space(end);
        }
        if letter == '*' && self.text[at..].starts_with("***") {
            return self.redacted(at);
        }
        if letter.is_alphanumeric() {
            return self.chunk(at);
        }
        self.push(Kind::Mark(letter), at, end);
        let ends = match letter {
            '!' | '?' => true,
            '.' => self.text[end..].chars().next().is_none_or(|next| !next.is_alphanumeric()) && !self.is_short(),
            _ => false,
        };
        if ends {
            self.end_sentence();
        }
        end
    }

    /// A line break ends a sentence before anything but the rest of one.
    fn is_break(&self, next: usize) -> bool {
        !self.text[next..]
            .trim_start_matches(' ')
            .starts_with(|next: char| next.is_lowercase() || next.is_ascii_digit())
    }

    /// After a word that is written with a period.
    fn is_short(&self) -> bool {
        const SHORT: [&str; 10] = ["approx", "e.g", "i.e", "vs", "no", "cf", "ca", "st", "mr", "dr"];
        let word = self.tokens.iter().rev().nth(1);
        word.is_some_and(|token| matches!(token.kind, Kind::Word) && SHORT.contains(&token.lower.as_ref()))
    }

    fn end_sentence(&mut self) {
        self.sentence += 1;
        self.opens = true;
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let text = &self.text[start..end];
        let lower = match kind {
            Kind::Word => word_of(text),
            Kind::Id | Kind::Ident => small(text),
            _ => Cow::Borrowed(""),
        };
        self.add(kind, start, end, lower);
    }

    fn add(&mut self, kind: Kind, start: usize, end: usize, lower: Cow<'a, str>) {
        let text = &self.text[start..end];
        let (Known { concepts, sorts, word, opens_run }, hash) = match kind {
            Kind::Word => known(&lower),
            Kind::Ident => {
                let concepts = lower.split('_').fold(0, |all, word| all | known(word).0.concepts);
                (Known { concepts, ..Known::default() }, 0)
            }
            _ => (Known::default(), 0),
        };
        let (glued, sentence) = (self.glued, self.sentence);
        let (opens_sentence, is_capital) = (self.opens, text.starts_with(char::is_uppercase));
        self.tokens.push(Token {
            kind,
            text,
            start,
            end,
            glued,
            sentence,
            opens_sentence,
            lower,
            concepts,
            sorts,
            word,
            opens_run,
            hash,
            is_capital,
        });
        // Quotes, bullets and brackets leave the next word the first of its sentence.
        self.opens &= matches!(kind, Kind::Mark(mark) if mark != ',');
        self.glued = true;
    }

    /// `***7731`, whatever its last four characters are.
    fn redacted(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len()).min(CHUNK_BYTES_MAX);
        let cut = (0..=len).rev().find(|len| rest.is_char_boundary(*len)).unwrap_or(3);
        let end = at + rest[..cut].trim_end_matches(|c: char| !c.is_alphanumeric()).len().max(3);
        self.push(Kind::Id, at, end);
        end
    }

    /// Letters and digits, and what joins them.
    fn chunk(&mut self, at: usize) -> usize {
        if let Some((end, is_small)) = self.plain_word(at) {
            let word = &self.text[at..end];
            let lower = if is_small { Cow::Borrowed(word) } else { Cow::Owned(word.to_ascii_lowercase()) };
            self.add(Kind::Word, at, end, lower);
            return end;
        }
        let end = self.ascii_chunk(at).unwrap_or_else(|| self.any_chunk(at));
        let chunk = &self.text[at..end];
        if !chunk.is_ascii() && chunk.chars().any(|letter| letter.is_numeric() && !letter.is_ascii_digit()) {
            self.push(Kind::Odd, at, end);
        } else if !chunk.bytes().any(|byte| byte.is_ascii_digit()) {
            self.words(at, chunk);
        } else if chunk.len() > CHUNK_BYTES_MAX {
            self.push(Kind::Id, at, end);
        } else {
            self.figures(at, chunk);
        }
        end
    }

    /// Where a chunk ends that has no letters but ASCII in it or behind it.
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

    /// Most chunks are ASCII letters with nothing behind them that could join. Returns where such a one ends, and whether
    /// its letters are all small.
    fn plain_word(&self, at: usize) -> Option<(usize, bool)> {
        let bytes = &self.text.as_bytes()[at..];
        let small = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let len = small + bytes[small..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let may_join = match bytes.get(len) {
            None => false,
            Some(b'-' | b'_' | b'.' | b'/' | b'\'' | b'@' | b'#' | b'&' | b'+') => {
                bytes.get(len + 1).is_some_and(|next| next.is_ascii_alphanumeric() || !next.is_ascii())
            }
            Some(next) => next.is_ascii_digit() || !next.is_ascii(),
        };
        (len > 0 && !may_join).then_some((at + len, len == small))
    }

    fn words(&mut self, at: usize, chunk: &str) {
        if chunk.contains('_') {
            return self.push(Kind::Ident, at, at + chunk.len());
        }
        let is_initials = chunk.contains('.') && chunk.split('.').all(|part| part.chars().count() == 1);
        let is_one = |known: &&str| chunk.eq_ignore_ascii_case(known);
        if is_initials || ["km/h", "z-score", "z-scores"].iter().any(is_one) {
            return self.push(Kind::Word, at, at + chunk.len());
        }
        let mut from = 0;
        for (offset, letter) in chunk.char_indices() {
            if !letter.is_alphanumeric() && letter != '\'' {
                self.push(Kind::Word, at + from, at + offset);
                self.push(Kind::Mark(letter), at + offset, at + offset + letter.len_utf8());
                from = offset + letter.len_utf8();
            }
        }
        self.push(Kind::Word, at + from, at + chunk.len());
    }

    /// A chunk with digits in it: all that it can be, else an id.
    fn figures(&mut self, at: usize, chunk: &str) {
        let end = at + chunk.len();
        if let Some(kind) = date(chunk).or_else(|| stamp(chunk)) {
            return self.push(kind, at, end);
        }
        if let Some((clock, len)) = clock(chunk) {
            self.push(Kind::Clock(clock), at, at + len);
            if len < chunk.len() {
                self.push(Kind::Word, at + len, end);
            }
            return;
        }
        let number = chunk.bytes().take_while(|byte| byte.is_ascii_digit() || b".,'".contains(byte)).count();
        let number = chunk[..number].trim_end_matches(['.', ',', '\'']).len();
        let rest = &chunk[number..];
        if number == 0 {
            return self.coded(at, chunk);
        }
        match rest.chars().next() {
            None => self.number(at, at + number),
            Some('-' | '/') if is_number(&rest[1..]) => {
                self.number(at, at + number);
                self.push(Kind::Mark(char::from(rest.as_bytes()[0])), at + number, at + number + 1);
                self.number(at + number + 1, end);
            }
            Some('-') if rest[1..].chars().all(|c| c.is_alphabetic() || c == '-') => {
                self.number(at, at + number);
                self.push(Kind::Mark('-'), at + number, at + number + 1);
                self.words(at + number + 1, &rest[1..]);
            }
            Some(_) if is_unit(rest) => {
                self.number(at, at + number);
                self.push(Kind::Word, at + number, end);
            }
            _ => self.push(Kind::Id, at, end),
        }
    }

    /// `USD1250`, else an id.
    fn coded(&mut self, at: usize, chunk: &str) {
        let letters = chunk.bytes().take_while(u8::is_ascii_alphabetic).count();
        if currency::code(&chunk[..letters]).is_some() && is_number(&chunk[letters..]) {
            self.push(Kind::Word, at, at + letters);
            return self.number(at + letters, at + chunk.len());
        }
        self.push(Kind::Id, at, at + chunk.len());
    }

    fn number(&mut self, start: usize, end: usize) {
        let kind = numbers::in_digits(&self.text[start..end]).map_or(Kind::Odd, Kind::Number);
        self.push(kind, start, end);
    }
}

fn joins(previous: char, letter: char, next: char) -> bool {
    let between = |test: fn(&char) -> bool| test(&previous) && test(&next);
    match letter {
        ',' | ':' => between(char::is_ascii_digit),
        '-' | '_' | '.' | '/' | '\'' | '@' | '#' | '&' | '+' => previous.is_alphanumeric() && next.is_alphanumeric(),
        _ => false,
    }
}

fn is_number(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || b".,'".contains(&byte);
    text.as_bytes().first().is_some_and(u8::is_ascii_digit) && text.bytes().all(is_part)
}

/// What may stand right behind a number.
fn is_unit(text: &str) -> bool {
    const UNITS: [&str; 30] = [
        "st", "nd", "rd", "th", "s", "sec", "m", "min", "mins", "h", "hr", "hrs", "d", "km", "kmh", "kph", "km/h", "x",
        "k", "mn", "bn", "pct", "am", "pm", "pts", "days", "hours", "minutes", "years", "points",
    ];
    UNITS.contains(&text.to_lowercase().as_str()) || currency::code(text).is_some()
}

fn word_of(text: &str) -> Cow<'_, str> {
    let lower = small(text);
    let owner = if lower.ends_with('s') { lower.strip_suffix("'s").map(str::len) } else { None };
    match (lower, owner) {
        (lower, None) => lower,
        (Cow::Borrowed(lower), Some(len)) => Cow::Borrowed(&lower[..len]),
        (Cow::Owned(mut lower), Some(len)) => {
            lower.truncate(len);
            Cow::Owned(lower)
        }
    }
}

/// `2026-03-01`, `2026/3/1`, `1.3.2026`, `01/03/2026`, `2026-03`.
fn date(chunk: &str) -> Option<Kind> {
    let separator = chunk.chars().find(|letter| !letter.is_ascii_digit())?;
    if !['-', '/', '.'].contains(&separator) {
        return None;
    }
    let mut parts = chunk.split(separator);
    let number = |text: &str, len: std::ops::RangeInclusive<usize>| {
        (len.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u16>().ok())?
    };
    let small = |text: &str| u8::try_from(number(text, 1..=2)?).ok();
    let date = match (parts.next()?, parts.next()?, parts.next(), parts.next()) {
        (year, month, Some(day), None) if year.len() == 4 => {
            Date { year: number(year, 4..=4), month: Some(small(month)?), day: Some(small(day)?), ..Date::default() }
        }
        (day, month, Some(year), None) if year.len() == 4 => Date {
            year: Some(number(year, 4..=4)?),
            month: Some(small(month)?),
            day: Some(small(day)?),
            either_order: true,
            ..Date::default()
        },
        (year, month, None, _) if separator == '-' && year.len() == 4 && month.len() == 2 => {
            Date { year: number(year, 4..=4), month: Some(small(month)?), ..Date::default() }
        }
        _ => return None,
    };
    let in_month = |value: Option<u8>, last: u8| value.is_none_or(|value| (1..=last).contains(&value));
    let is_valid = in_month(date.month, 12) || date.either_order && in_month(date.day, 12);
    (date.year.is_some() && is_valid && in_month(date.day, 31)).then_some(Kind::Date(date))
}

/// A full RFC 3339 time, with or without seconds and zone.
fn stamp(chunk: &str) -> Option<Kind> {
    let (day, rest) = (chunk.get(..10)?, chunk.get(10..)?);
    if !rest.starts_with(['T', 't']) {
        return None;
    }
    let upper = rest.to_uppercase();
    let zone = upper.find(['Z', '+', '-']).unwrap_or(upper.len());
    let given = Clock::parse(&upper[1..zone])?;
    let seconds = if given.second.is_some() { "" } else { ":00" };
    let written = format!("{day}{}{seconds}{}", &upper[..zone], if zone < upper.len() { &upper[zone..] } else { "Z" });
    let moment = Moment::parse(&written)?;
    let clock = Clock { hour: moment.hour, minute: given.minute.map(|_| moment.minute), ..given };
    let date = Date { year: Some(moment.year), month: Some(moment.month), day: Some(moment.day), ..Date::default() };
    Some(Kind::Stamp(date, clock))
}

/// `09:30`, `9:30am`, `09:30:00Z`, and how long the time itself is.
fn clock(chunk: &str) -> Option<(Clock, usize)> {
    let len = chunk.bytes().take_while(|byte| byte.is_ascii_digit() || b":.".contains(byte)).count();
    let (text, rest) = chunk.split_at(len);
    let mut parts = text.split(':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let shaped = (1..=2).contains(&hour.len()) && minute.len() == 2;
    let rest_is_known = ["", "am", "pm", "z", "utc", "h", "hrs"].contains(&rest.to_lowercase().as_str());
    (shaped && rest_is_known).then(|| Clock::parse(text).map(|clock| (clock, len)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let folded = Folded::of(text);
        let name = |token: &Token<'_>| {
            let kind = match token.kind {
                Kind::Word => "word",
                Kind::Number(_) => "number",
                Kind::Date(_) => "date",
                Kind::Clock(_) => "clock",
                Kind::Stamp(..) => "stamp",
                Kind::Id => "id",
                Kind::Ident => "ident",
                Kind::Mark(_) => "mark",
                Kind::Odd => "odd",
                Kind::Signal(_) | Kind::Given => "given",
            };
            format!("{kind}:{}", token.text)
        };
        tokens(&folded).iter().map(name).collect()
    }

    #[test]
    fn a_chunk_is_taken_for_all_that_it_can_be() {
        for (text, expected) in [
            ("USD1250, 24h", "word:USD number:1250 mark:, number:24 word:h"),
            (
                "24-hour 60-79 75/100",
                "number:24 mark:- word:hour number:60 mark:- number:79 number:75 mark:/ number:100",
            ),
            ("2026-03-01T09:30:00Z at 09:30am", "stamp:2026-03-01T09:30:00Z word:at clock:09:30 word:am"),
            ("tx-123 l250 1e3 ***7731.", "id:tx-123 id:l250 id:1e3 id:***7731 mark:."),
            ("amount_deviation and/or km/h", "ident:amount_deviation word:and mark:/ word:or word:km/h"),
            ("½ Ⅳ 1,25,0", "odd:½ odd:Ⅳ odd:1,25,0"),
            ("01/03/2026 1.3.2026", "date:01/03/2026 date:1.3.2026"),
            ("e6f0a1b2-0000-4000-8000-000000000001", "id:e6f0a1b2-0000-4000-8000-000000000001"),
        ] {
            assert_eq!(kinds(text).join(" "), expected, "{text}");
        }
    }
}
