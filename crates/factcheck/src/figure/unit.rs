//! Stage 4, figures: the unit after a number.

use countersign_text::numbers::Quantity;
use rust_decimal::Decimal;

use super::{Figure, FigureReader, FigureValue, Unit};
use crate::concept;
use crate::lex::{Token, TokenKind};

impl FigureReader<'_> {
    /// Adds the number from `start` to `end`, with the unit after it.
    pub(super) fn with_unit(&mut self, start: usize, quantity: Option<Quantity>, end: usize) -> usize {
        let was_words = matches!(self.tokens[start].kind, TokenKind::Word);
        let (quantity, end) = self.scaled(quantity, end, false);
        let Some(quantity) = quantity else { return self.push(start, end, FigureValue::Unreadable) };
        if let Some((unit, end)) = self.money_after(end) {
            return self.push(start, end, FigureValue::Number(quantity, unit));
        }
        let (unit, end) = self.unit(quantity, start, end);
        if was_words && self.is_way_of_speaking(start, end, quantity, unit) {
            return end;
        }
        if unit == Unit::Bare && self.is_mark(start.wrapping_sub(1), '-') && was_words {
            return self.push(start, end, FigureValue::Number(quantity, unit));
        }
        let end = self.push(start, end, FigureValue::Number(quantity, unit));
        self.found.last_mut().into_iter().for_each(|last| last.is_negative = is_negative(self.tokens, start));
        self.joined_duration(end)
    }

    fn unit(&self, quantity: Quantity, start: usize, end: usize) -> (Unit, usize) {
        if self.is_mark(end, '%') || ["percent", "pct"].contains(&self.word(end)) {
            return (Unit::Percent, end + 1);
        }
        if self.word(end) == "per" && self.word(end + 1) == "cent" {
            return (Unit::Percent, end + 2);
        }
        if self.word(end) == "percentage" && self.concepts(end + 1) & concept::POINTS != 0 {
            return (Unit::Percent, end + 2);
        }
        if let Some(found) = self.out_of(end) {
            return found;
        }
        if let Some((seconds, end)) = self.duration(end) {
            return (Unit::Seconds(seconds), end);
        }
        let hyphen = usize::from(self.is_mark(end, '-') && self.tokens[end].is_glued);
        match self.word(end + hyphen) {
            "times" | "x" | "fold" => return (Unit::Times, end + hyphen + 1),
            "km/h" | "kmh" | "kph" => return (Unit::Kmh, end + hyphen + 1),
            "km" | "kilometres" | "kilometers" | "kilometre" | "kilometer" => {
                let per_hour = self.word(end + hyphen + 1) == "per" && self.word(end + hyphen + 2) == "hour";
                let an_hour = self.word(end + hyphen + 1) == "an" && self.word(end + hyphen + 2) == "hour";
                let is_speed = per_hour || an_hour;
                return if is_speed { (Unit::Kmh, end + hyphen + 3) } else { (Unit::Km, end + hyphen + 1) };
            }
            "points" | "point" | "pts" => return (Unit::Points, end + hyphen + 1),
            "st" | "nd" | "rd" | "th" => {
                let unit = self.noun(end + 1, true).map_or(Unit::Bare, Unit::Ordinal);
                return (unit, end + 1);
            }
            _ => {}
        }
        let singular = quantity.value == Decimal::ONE || hyphen == 1;
        let noun = self.noun(end + hyphen, singular).or_else(|| self.noun_of_last(start, end));
        (noun.map_or(Unit::Bare, Unit::Count), end)
    }

    /// The maximum that a number is given out of: `75/100`, "75 out of 100", "75 out of a possible 100". In "three out
    /// of four signals", both numbers are counts instead.
    fn out_of(&self, end: usize) -> Option<(Unit, usize)> {
        let mut at = if self.is_mark(end, '/') {
            end + 1
        } else if self.word(end) == "out" && self.word(end + 1) == "of" {
            end + 2
        } else {
            return None;
        };
        while ["a", "the", "maximum", "possible", "total", "of"].contains(&self.word(at)) {
            at += 1;
        }
        let (quantity, after) = self.quantity(at)?;
        self.noun(after, false).is_none().then(|| quantity.map(|of| (Unit::OutOf(of), after)))?
    }

    /// The number of seconds in the unit of time at `at`, and the token after it.
    pub(super) fn duration(&self, at: usize) -> Option<(u64, usize)> {
        let hyphen = usize::from(self.is_mark(at, '-') && self.tokens[at].is_glued);
        let at = at + hyphen;
        let seconds = match self.word(at) {
            "second" | "seconds" | "sec" | "secs" | "s" => 1,
            "minute" | "minutes" | "min" | "mins" => 60,
            "hour" | "hours" | "hr" | "hrs" | "h" => 3_600,
            "day" | "days" | "d" => 86_400,
            "week" | "weeks" => 604_800,
            "month" | "months" => 2_629_746,
            "year" | "years" => 31_556_952,
            _ => return None,
        };
        Some((seconds, at + 1))
    }

    /// Reads a duration of one unit that is stated without a number: "within an hour".
    pub(super) fn duration_of_one(&mut self, at: usize) -> Option<usize> {
        let is_one = ["a", "an"].contains(&self.word(at)) && ["within", "in", "under"].contains(&self.word_before(at));
        let (seconds, end) = is_one.then(|| self.duration(at + 1)).flatten()?;
        let singular = !self.word(end - 1).ends_with('s');
        singular.then(|| self.push(at, end, FigureValue::Number(Quantity::whole(1), Unit::Seconds(seconds))))
    }

    /// Joins the last two durations if they form one: "2 hours and 5 minutes".
    fn joined_duration(&mut self, end: usize) -> usize {
        let [.., before, last] = self.found.as_slice() else { return end };
        let (FigureValue::Number(first, Unit::Seconds(larger)), FigureValue::Number(second, Unit::Seconds(smaller))) =
            (&before.value, &last.value)
        else {
            return end;
        };
        let gap = last.start.saturating_sub(before.end);
        let joined = gap == 0 || gap == 1 && (self.word(before.end) == "and" || self.is_mark(before.end, ','));
        if !joined || larger <= smaller {
            return end;
        }
        let seconds = |value: Decimal, unit: u64| value.checked_mul(Decimal::from(unit));
        let Some(sum) =
            seconds(first.value, *larger).zip(seconds(second.value, *smaller)).and_then(|(a, b)| a.checked_add(b))
        else {
            return end;
        };
        let (start, is_hedged) = (before.start, before.is_hedged);
        self.found.truncate(self.found.len() - 2);
        let value = FigureValue::Number(Quantity { value: sum, decimals: 0 }, Unit::Seconds(1));
        self.found.push(Figure { start, end, value, is_hedged, is_negative: false });
        end
    }
}

fn is_negative(tokens: &[Token<'_>], start: usize) -> bool {
    let Some(sign) = start.checked_sub(1).map(|at| &tokens[at]) else { return false };
    sign.is_mark('-') && tokens[start].is_glued && (!sign.is_glued || start >= 2 && tokens[start - 2].is_mark('('))
}
