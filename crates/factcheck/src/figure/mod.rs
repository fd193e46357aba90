//! Stage 4, figures (`lib.rs` lists the stages): runs of tokens that state a number, an amount, a date, a time or a duration,
//! each with its unit.
//!
//! | file            | reads                                                            |
//! |-----------------|------------------------------------------------------------------|
//! | `mod.rs`        | finds where figures start, and calls the reader for each         |
//! | `amount.rs`     | numbers in digits and words, money, multiples such as "twice"    |
//! | `unit.rs`       | the unit after a number: percent, kilometres, durations, points  |
//! | `count.rs`      | what is counted: "three alerts", "the third alert", "no alerts"  |
//! | `date.rs`       | dates, years and times of day                                    |
//! | `word_lists.rs` | the lists of words that the readers rely on                      |
//!
//! This module knows English but no facts. Something that looks like a figure but can't be read becomes an unreadable
//! figure, so that it is refused.

mod amount;
mod count;
mod date;
mod unit;
mod word_lists;

#[cfg(test)]
mod tests;

use countersign_text::calendar::weekday;
use countersign_text::numbers::Quantity;
use rust_decimal::Decimal;

use crate::calendar::{Date, TimeOfDay};
use crate::currency;
use crate::fold::FoldedText;
use crate::lex::{Token, TokenKind};
use crate::lexicon::OPENS;

pub(crate) use word_lists::{FUNCTION_WORDS, NO_PLURALS, OPENERS};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    /// Index of the first token.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: FigureValue,
    /// Whether a word such as "about" or "nearly" comes before it. It may then differ from the fact by 1 %.
    pub(crate) is_hedged: bool,
    pub(crate) is_negative: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FigureValue {
    Number(Quantity, Unit),
    Date(Date),
    TimeOfDay(TimeOfDay),
    Timestamp(Date, TimeOfDay),
    Unreadable,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Bare,
    /// An amount in one of these currencies.
    Money(&'static [&'static str]),
    /// An amount with a currency code.
    Currency([u8; 3]),
    Percent,
    /// A multiple: `6.2 times`, `twice`.
    Times,
    /// A duration, with the number of seconds in the unit as written.
    Seconds(u64),
    Km,
    Kmh,
    Points,
    /// `75 out of 100`.
    OutOf(Quantity),
    /// A count, with the token that names what is counted.
    Count(usize),
    /// An ordinal ("the third alert"), with the token that names the things.
    Ordinal(usize),
    /// A count of zero ("no prior alerts"), with the token that names the things.
    NoneOf(usize),
}

pub(crate) fn figures(folded: &FoldedText<'_>, tokens: &[Token<'_>], covered: &[bool]) -> Vec<Figure> {
    let mut reader = FigureReader { folded, tokens, found: Vec::new() };
    let mut at = 0;
    let mut list_item = 0;
    while at < tokens.len() {
        if covered[at] {
            at += 1;
        } else if let Some(next) = reader.list_marker(at, &mut list_item) {
            at = next;
        } else {
            at = reader.read_at(at).max(at + 1);
        }
    }
    reader.found
}

struct FigureReader<'a> {
    folded: &'a FoldedText<'a>,
    tokens: &'a [Token<'a>],
    found: Vec<Figure>,
}

impl FigureReader<'_> {
    /// Reads the figure that starts at `at`, if there is one. Returns the index of the next token to read.
    fn read_at(&mut self, at: usize) -> usize {
        match self.tokens[at].kind {
            TokenKind::UnreadableNumber => self.push(at, at + 1, FigureValue::Unreadable),
            TokenKind::Date(date) => self.push(at, at + 1, FigureValue::Date(date)),
            TokenKind::Timestamp(date, clock) => {
                let end = self.past_zone(at + 1);
                self.push(at, end, FigureValue::Timestamp(date, clock))
            }
            TokenKind::TimeOfDay(clock) => self.clock(at, at + 1, clock),
            TokenKind::Number(_) => self.number(at),
            TokenKind::Word => self.read_word(at),
            TokenKind::Mark(sign) if currency::is_sign(sign) => self.after_sign(at, sign),
            _ => at + 1,
        }
    }

    fn number(&mut self, at: usize) -> usize {
        if let Some(end) = self.date_from_day(at) {
            return end;
        }
        let Some((quantity, end)) = self.quantity(at) else { return at + 1 };
        let text = self.tokens[at].text;
        if end == at + 1 && ["am", "pm", "a.m", "p.m", "o'clock"].contains(&self.word(end)) {
            return match TimeOfDay::parse(text) {
                Some(clock) => self.clock(at, end, clock),
                None => self.push(at, end + 1, FigureValue::Unreadable),
            };
        }
        if let Some(end) = self.year(at, end) {
            return end;
        }
        self.with_unit(at, quantity, end)
    }

    /// Reads the figure that starts with a word. Most words don't start one.
    fn read_word(&mut self, at: usize) -> usize {
        if may_open(&self.tokens[at]) { self.read_opening_word(at) } else { at + 1 }
    }

    /// Reads the number, date, amount, multiple, ordinal or count of zero that starts with a word.
    fn read_opening_word(&mut self, at: usize) -> usize {
        if let Some(end) = self.date_from_month(at) {
            return end;
        }
        if let Some(weekday) = weekday(self.word(at)).filter(|_| self.is_capital(at)) {
            return self.push(at, at + 1, FigureValue::Date(Date { weekday: Some(weekday), ..Date::default() }));
        }
        if let Some(end) = self.after_code(at) {
            return end;
        }
        if let Some((quantity, end)) = self.in_words(at) {
            return self.with_unit(at, quantity, end);
        }
        let found = self.multiple(at).or_else(|| self.ordinal(at)).or_else(|| self.duration_of_one(at));
        found.or_else(|| self.count_of_none(at)).unwrap_or(at + 1)
    }

    /// The end of a list marker: "1." or "2)" at the start of a line, if the markers are numbered consecutively.
    fn list_marker(&self, at: usize, item: &mut u64) -> Option<usize> {
        let token = &self.tokens[at];
        let TokenKind::Number(number) = token.kind else { return None };
        let starts_line =
            self.folded.text[..token.start].trim_end_matches(' ').chars().next_back().is_none_or(|c| c == '\n');
        let marked = self.is_mark(at + 1, '.') || self.is_mark(at + 1, ')');
        let spaced = self.tokens.get(at + 2).is_some_and(|next| !next.is_glued);
        let next = if number.value == Decimal::ONE { 1 } else { *item + 1 };
        if token.opens_sentence && starts_line && marked && spaced && number == Quantity::whole(next) {
            *item = next;
            return Some(at + 2);
        }
        None
    }

    fn push(&mut self, start: usize, end: usize, value: FigureValue) -> usize {
        let is_hedged = self.is_hedged(start);
        self.found.push(Figure { start, end, value, is_hedged, is_negative: false });
        end
    }

    fn is_hedged(&self, start: usize) -> bool {
        const HEDGES: [&str; 10] =
            ["about", "approximately", "approx", "roughly", "nearly", "around", "almost", "circa", "ca", "some"];
        let before = |back: usize| start.checked_sub(back).map_or("", |at| self.word(at));
        HEDGES.contains(&before(1))
            || before(1) == "to" && before(2) == "close"
            || start > 0 && (self.is_mark(start - 1, '~') || self.is_mark(start - 1, '.') && before(2) == "approx")
            || ["a", "an", "the"].contains(&before(1)) && HEDGES.contains(&before(2))
    }

    fn word(&self, at: usize) -> &str {
        self.word_token(at).map_or("", |token| token.lower.as_ref())
    }

    fn word_token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at).filter(|token| matches!(token.kind, TokenKind::Word))
    }

    fn word_before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// The concepts of the word at `at`.
    fn concepts(&self, at: usize) -> u64 {
        self.word_token(at).map_or(0, |token| token.concepts)
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark(mark))
    }

    fn is_capital(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_capital)
    }

    fn same_sentence(&self, a: usize, b: usize) -> bool {
        matches!((self.tokens.get(a), self.tokens.get(b)), (Some(a), Some(b)) if a.sentence == b.sentence)
    }
}

/// Whether a figure can start with a word: one of the openers in `word_lists.rs`, or a currency code in capitals.
fn may_open(word: &Token<'_>) -> bool {
    word.is(OPENS) || word.is_capital && word.text.len() == 3
}
