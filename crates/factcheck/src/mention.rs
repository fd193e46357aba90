//! Stage 5, surroundings: where a text names a signal, a country or a window of time.

use crate::clause::Surroundings;
use crate::country;
use crate::figure::{Figure, FigureValue, Unit};
use crate::fold::without_apostrophes;
use crate::lex::{Token, TokenKind};
use crate::signal::Signals;

/// A signal that is named at most this many tokens before a figure's surroundings may still be the figure's signal.
const CARRY_MAX: usize = 60;

pub(crate) struct Mentions<'a> {
    tokens: &'a [Token<'a>],
    /// The first token of each mention, and the index of the signal. Sorted.
    signals: Vec<(usize, usize)>,
    countries: Vec<CountryMention>,
    /// For each figure that states a window of time: its first token, its end, and the window in seconds.
    windows: Vec<(usize, usize, u64)>,
}

/// The maximum number of tokens in a country's name, including hyphens.
const NAME_TOKENS_MAX: usize = 12;

#[derive(Debug, Clone, Copy)]
pub(crate) struct CountryMention {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) code: &'static str,
}

impl<'a> Mentions<'a> {
    pub(crate) fn of(tokens: &'a [Token<'a>], figures: &[Figure], signals: &Signals) -> Self {
        let signals = signals.mentions(tokens);
        Self { tokens, signals, countries: countries(tokens), windows: windows(tokens, figures) }
    }

    pub(crate) fn all_countries(&self) -> &[CountryMention] {
        &self.countries
    }

    /// Whether the text names a signal in a range of tokens.
    pub(crate) fn names_signal(&self, signal: usize, from: usize, to: usize) -> bool {
        self.signals_between(from, to).any(|(_, named)| named == signal)
    }

    fn signals_between(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        let first = self.signals.partition_point(|(at, _)| *at < from);
        let last = self.signals.partition_point(|(at, _)| *at < to);
        self.signals[first..last.max(first)].iter().copied()
    }

    /// The signal that the words right after a figure attribute it to: `40 points from amount deviation`.
    pub(crate) fn signal_after(&self, figure: &Figure, around: &Surroundings) -> Option<usize> {
        let is_link = |at: &usize| matches!(self.tokens[*at].lower.as_ref(), "from" | "for" | "by" | "due");
        let link = (figure.end..(figure.end + 4).min(around.to)).find(is_link)?;
        self.signals_between(link, (link + 4).min(around.to)).next().map(|(_, signal)| signal)
    }

    /// The signals that the words around a figure may attribute it to. Empty if they name no signal.
    pub(crate) fn signals_around(&self, figure: &Figure, around: &Surroundings) -> Vec<usize> {
        if let Some(signal) = self.signal_after(figure, around) {
            return vec![signal];
        }
        if let Some((_, signal)) = self.signals_between(around.from, figure.start).next_back() {
            return vec![signal];
        }
        let mut named: Vec<usize> = self.signals_between(figure.end, around.to).map(|(_, signal)| signal).collect();
        let sentence = self.tokens[figure.start].sentence;
        let carried = self.signals_between(around.from.saturating_sub(CARRY_MAX), around.from).next_back();
        named.extend(carried.filter(|(at, _)| self.tokens[*at].sentence == sentence).map(|(_, signal)| signal));
        named
    }

    /// The countries that the text names in a range of tokens.
    pub(crate) fn countries(&self, from: usize, to: usize) -> Vec<&'static str> {
        let first = self.countries.partition_point(|mention| mention.start + NAME_TOKENS_MAX < from);
        let starting_before_end = self.countries[first..].iter().take_while(|mention| mention.start < to);
        starting_before_end.filter(|mention| mention.end > from).map(|mention| mention.code).collect()
    }

    /// The country after the preposition at `at`: "transactions in Portugal".
    pub(crate) fn country_after(&self, at: usize) -> Option<&'static str> {
        if !matches!(self.tokens.get(at)?.lower.as_ref(), "in" | "from" | "within" | "for" | "across") {
            return None;
        }
        let first = self.countries.partition_point(|mention| mention.start <= at);
        self.countries.get(first).filter(|mention| mention.start <= at + 2).map(|mention| mention.code)
    }

    /// The window of time, in seconds, that belongs to a figure: the next one after it within its surroundings, or else the one
    /// before it.
    pub(crate) fn window(&self, figure: &Figure, around: &Surroundings) -> Option<u64> {
        let first = self.windows.partition_point(|(start, ..)| *start < figure.end);
        let after = self.windows.get(first).filter(|(start, ..)| *start <= around.to);
        let before = first.checked_sub(1).and_then(|at| self.windows.get(at)).filter(|(_, end, _)| *end >= around.from);
        after.or(before).map(|(.., seconds)| *seconds)
    }
}

/// Finds durations that are windows of time: "within 24 hours", "in one hour", "24-hour window".
fn windows(tokens: &[Token<'_>], figures: &[Figure]) -> Vec<(usize, usize, u64)> {
    const BEFORE: [&str; 10] = ["within", "in", "over", "during", "last", "past", "single", "the", "preceding", "same"];
    let window = |figure: &Figure| {
        let FigureValue::Number(quantity, Unit::Seconds(unit)) = figure.value else { return None };
        let seconds = u64::try_from(quantity.value).ok()?.checked_mul(unit)?;
        let before = figure.start.checked_sub(1).map_or("", |at| tokens[at].lower.as_ref());
        let after = tokens.get(figure.end).map_or("", |token| token.lower.as_ref());
        (BEFORE.contains(&before) || after == "window" || after == "period").then_some((
            figure.start,
            figure.end,
            seconds,
        ))
    };
    // "in the last hour" states a window without a number.
    let without_number = (1..tokens.len()).filter_map(|at| {
        let seconds = match tokens[at].lower.as_ref() {
            "hour" => 3_600,
            "day" => 86_400,
            _ => return None,
        };
        let before = tokens[at - 1].lower.as_ref();
        ["last", "past", "preceding", "previous", "same", "single", "an"].contains(&before).then_some((
            at,
            at + 1,
            seconds,
        ))
    });
    let mut found: Vec<(usize, usize, u64)> = figures.iter().filter_map(window).chain(without_number).collect();
    found.sort_unstable();
    found
}

/// Finds countries by their names, their codes in capitals, and their adjectives.
fn countries(tokens: &[Token<'_>]) -> Vec<CountryMention> {
    let mut found: Vec<CountryMention> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match country_at(tokens, at) {
            Some(mention) => {
                at = mention.end;
                found.push(mention);
            }
            None => at += 1,
        }
    }
    found
}

fn country_at(tokens: &[Token<'_>], at: usize) -> Option<CountryMention> {
    let token = &tokens[at];
    let text = token.text;
    if !token.is_capital || !matches!(token.kind, TokenKind::Word) {
        return None;
    }
    let code = || (text.len() == 2 && !NOT_CODES.contains(&text)).then(|| country::known_code(text)).flatten();
    let adjective = || country::code_of_adjective(&token.lower);
    longest_name(tokens, at)
        .or_else(|| code().or_else(adjective).map(|code| CountryMention { start: at, end: at + 1, code }))
}

fn longest_name(tokens: &[Token<'_>], at: usize) -> Option<CountryMention> {
    let words_max = country::name_words_max(&without_apostrophes(&tokens[at].lower));
    // Most capitalised words can't start a country's name.
    if words_max == 0 {
        return None;
    }
    let mut name = String::new();
    let mut longest = None;
    let mut words = 0;
    for (place, token) in tokens.iter().enumerate().skip(at).take(NAME_TOKENS_MAX) {
        match token.kind {
            TokenKind::Word => {
                name.push_str(if name.is_empty() { "" } else { " " });
                name.push_str(&without_apostrophes(&token.lower));
                words += 1;
            }
            TokenKind::Mark('-') if token.is_glued => continue,
            _ => break,
        }
        if let Some(code) = country::code_of(&name) {
            longest = Some(CountryMention { start: at, end: place + 1, code });
        }
        if words == words_max {
            break;
        }
    }
    longest
}

/// Country codes that are usually something else in a text.
const NOT_CODES: [&str; 14] = ["ID", "AI", "AM", "PM", "IT", "NO", "IN", "IS", "SO", "TO", "BE", "ME", "AS", "AT"];
