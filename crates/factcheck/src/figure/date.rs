//! Stage 4, figures: dates, years and times of day.

use countersign_text::calendar::{month, weekday};

use super::{FigureReader, FigureValue};
use crate::calendar::{Date, TimeOfDay};
use crate::concept;
use crate::lex::TokenKind;

/// Parts of a year, as in "the end of 2026".
const YEAR_PARTS: [&str; 13] = [
    "end",
    "start",
    "beginning",
    "middle",
    "course",
    "part",
    "half",
    "quarter",
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
];

/// How many words before a year to search for a word such as "score" or "amount".
const VALUE_WORDS: usize = 8;

impl FigureReader<'_> {
    /// Reads `1 March 2026` and `1st of March`.
    pub(super) fn date_from_day(&mut self, at: usize) -> Option<usize> {
        let mut month_at = at + 1;
        if ["st", "nd", "rd", "th"].contains(&self.word(month_at)) {
            month_at += 1;
        }
        if self.word(month_at) == "of" {
            month_at += 1;
        }
        let month = month(self.word(month_at)).filter(|_| self.is_capital(month_at))?;
        let (year, end) = self.year_after(month_at + 1);
        let is_date = year.is_some() || self.word_before(at) == "on";
        let day = self.day(at).or_else(|| is_date.then(|| self.impossible_day(at)).flatten())?;
        let date = Date { year, month: Some(month), day: Some(day), ..Date::default() };
        let start = self.weekday_before(at);
        let weekday = (start < at).then(|| weekday(self.word(start))).flatten();
        Some(self.push_date(start, end, Date { weekday, ..date }))
    }

    /// Reads `March 1, 2026`, `March 2026` and `March`.
    pub(super) fn date_from_month(&mut self, at: usize) -> Option<usize> {
        let month = month(self.word(at)).filter(|_| self.is_capital(at))?;
        let start = self.weekday_before(at);
        let weekday = (start < at).then(|| weekday(self.word(start))).flatten();
        let date = Date { month: Some(month), weekday, ..Date::default() };
        let suffixed = ["st", "nd", "rd", "th"].contains(&self.word(at + 2));
        let (year, end) = self.year_after(at + 2 + usize::from(suffixed));
        let is_date = year.is_some();
        if let Some(day) = self.day(at + 1).or_else(|| is_date.then(|| self.impossible_day(at + 1)).flatten()) {
            return Some(self.push_date(start, end, Date { year, day: Some(day), ..date }));
        }
        let (year, end) = self.year_after(at + 1);
        // "March" and the names of three letters ("may", "mar", "sun") are ordinary words too.
        let is_month = year.is_some()
            || ["in", "of", "since", "during", "until", "early", "late", "last"].contains(&self.word_before(at))
            || self.word(at) != "march" && self.word(at).len() > 3;
        is_month.then(|| self.push_date(start, end, Date { year, ..date }))
    }

    fn push_date(&mut self, start: usize, end: usize, date: Date) -> usize {
        // The weekday before the date was read as a date of its own. Replace it.
        if self.found.last().is_some_and(|last| last.start == start) {
            self.found.pop();
        }
        self.push(start, end, FigureValue::Date(date))
    }

    fn weekday_before(&self, at: usize) -> usize {
        let comma = at > 1 && self.is_mark(at - 1, ',');
        let day = at.checked_sub(if comma { 2 } else { 1 });
        let has_day = |day: &usize| weekday(self.word(*day)).is_some() && self.is_capital(*day);
        day.filter(has_day).unwrap_or(at)
    }

    fn day(&self, at: usize) -> Option<u8> {
        let text = self.tokens.get(at).filter(|token| matches!(token.kind, TokenKind::Number(_)))?.text;
        text.parse::<u8>().ok().filter(|day| text.len() <= 2 && (1..=31).contains(day))
    }

    /// Day 0 for a number that can't be a day. It makes the date impossible, so that it is refused and not read as a
    /// count.
    fn impossible_day(&self, at: usize) -> Option<u8> {
        let text = self.tokens.get(at).filter(|token| matches!(token.kind, TokenKind::Number(_)))?.text;
        (text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(0)
    }

    fn year_after(&self, at: usize) -> (Option<u16>, usize) {
        let at_year = if self.is_mark(at, ',') { at + 1 } else { at };
        let text = self.tokens.get(at_year).map_or("", |token| token.text);
        match text.parse::<u16>().ok().filter(|year| text.len() == 4 && (1000..3000).contains(year)) {
            Some(year) if self.same_sentence(at.saturating_sub(1), at_year) => (Some(year), at_year + 1),
            _ => (None, at),
        }
    }

    /// Reads a year without a month: "in 2026".
    pub(super) fn year(&mut self, at: usize, end: usize) -> Option<usize> {
        let text = self.tokens[at].text;
        let year: u16 = text.parse().ok()?;
        let says_year = match self.word_before(at) {
            "in" | "since" | "during" | "year" | "until" | "early" | "late" => true,
            // "A score of 2021" and "rose to 2021" don't state a year.
            "of" => YEAR_PARTS.contains(&self.word_before(at - 1)),
            "by" | "from" | "to" | "through" => !self.mentions_value(at),
            _ => false,
        };
        let fits = text.len() == 4 && (1900..2100).contains(&year) && says_year;
        let counts = self.noun(end, false).is_some() || self.duration(end).is_some() || self.is_mark(end, '%');
        (fits && !counts).then(|| self.push(at, end, FigureValue::Date(Date { year: Some(year), ..Date::default() })))
    }

    /// Whether the words before refer to something that has a value, such as a score.
    fn mentions_value(&self, at: usize) -> bool {
        const VALUED: u64 = concept::STRONG | concept::AMOUNT | concept::VALUE | concept::RATIO;
        let before = self.tokens[..at].iter().rev().take_while(|token| token.sentence == self.tokens[at].sentence);
        before.take(VALUE_WORDS).any(|token| token.concepts & VALUED != 0)
    }

    pub(super) fn clock(&mut self, start: usize, end: usize, clock: TimeOfDay) -> usize {
        let (clock, end) = match self.word(end) {
            "am" | "a.m" => (clock.in_half(false), end + 1),
            "pm" | "p.m" => (clock.in_half(true), end + 1),
            "h" | "hrs" | "o'clock" => (Some(clock), end + 1),
            _ => (Some(clock), end),
        };
        // The period of `a.m.`
        let end = if self.is_mark(end, '.') && self.word_before(end).contains('.') { end + 1 } else { end };
        let end = self.past_zone(end);
        self.push(start, end, clock.map_or(FigureValue::Unreadable, FigureValue::TimeOfDay))
    }

    pub(super) fn past_zone(&self, at: usize) -> usize {
        if ["utc", "gmt", "z"].contains(&self.word(at)) { at + 1 } else { at }
    }
}
