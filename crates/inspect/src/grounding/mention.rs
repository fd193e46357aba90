//! Where a text names a signal, a country, or a window of time.

use super::clause::Around;
use super::country;
use super::figure::{Figure, Unit, What};
use super::lex::{Kind, Token};
use super::vocabulary;

/// Tokens before a figure in which a signal's name still governs it.
const CARRY_MAX: usize = 60;

#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// First token and signal, in order.
    signals: Vec<(usize, usize)>,
    countries: Vec<CountryMention>,
    /// Tokens of each figure that is a whole window of time, and its seconds.
    windows: Vec<(usize, usize, u64)>,
    /// Of each token.
    sentences: Vec<usize>,
    /// Whether each token links a figure to what it comes from, or a thing to where it is.
    links: Vec<bool>,
    ins: Vec<bool>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct CountryMention {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) code: &'static str,
}

impl Mentions {
    pub(super) fn of(tokens: &[Token<'_>], figures: &[Figure], signals: &[Vec<String>]) -> Self {
        let is_link = |token: &Token<'_>| matches!(token.lower.as_ref(), "from" | "for" | "by" | "due");
        let is_in = |token: &Token<'_>| matches!(token.lower.as_ref(), "in" | "from" | "within" | "for" | "across");
        Self {
            signals: signal_mentions(tokens, signals),
            countries: countries(tokens),
            windows: windows(tokens, figures),
            sentences: tokens.iter().map(|token| token.sentence).collect(),
            links: tokens.iter().map(is_link).collect(),
            ins: tokens.iter().map(is_in).collect(),
        }
    }

    pub(super) fn all_countries(&self) -> &[CountryMention] {
        &self.countries
    }

    pub(super) fn names(&self, signal: usize, from: usize, to: usize) -> bool {
        self.between(from, to).any(|(_, named)| named == signal)
    }

    fn between(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        let first = self.signals.partition_point(|(at, _)| *at < from);
        let last = self.signals.partition_point(|(at, _)| *at < to);
        self.signals[first..last.max(first)].iter().copied()
    }

    /// The signal that the words right after a figure make it belong to: `40 points from amount deviation`.
    pub(super) fn linked(&self, figure: &Figure, around: &Around) -> Option<usize> {
        let link = (figure.end..(figure.end + 4).min(around.to)).find(|at| self.links[*at])?;
        self.between(link, (link + 4).min(around.to)).next().map(|(_, signal)| signal)
    }

    /// The signals that a figure may belong to by the words around it; empty where they name none.
    pub(super) fn named(&self, figure: &Figure, around: &Around) -> Vec<usize> {
        if let Some(signal) = self.linked(figure, around) {
            return vec![signal];
        }
        if let Some((_, signal)) = self.between(around.from, figure.start).next_back() {
            return vec![signal];
        }
        let mut named: Vec<usize> = self.between(figure.end, around.to).map(|(_, signal)| signal).collect();
        let sentence = self.sentences[figure.start];
        let carried = self.between(around.from.saturating_sub(CARRY_MAX), around.from).next_back();
        named.extend(carried.filter(|(at, _)| self.sentences[*at] == sentence).map(|(_, signal)| signal));
        named
    }

    pub(super) fn countries(&self, from: usize, to: usize) -> Vec<&'static str> {
        let first = self.countries.partition_point(|mention| mention.start < from.saturating_sub(12));
        self.countries[first..].iter().take_while(|mention| mention.start < to).map(|mention| mention.code).collect()
    }

    /// `transactions in Portugal`: the country after one small word at `at`.
    pub(super) fn country_after(&self, at: usize) -> Option<&'static str> {
        if !*self.ins.get(at)? {
            return None;
        }
        let first = self.countries.partition_point(|mention| mention.start <= at);
        self.countries.get(first).filter(|mention| mention.start <= at + 2).map(|mention| mention.code)
    }

    /// Seconds of the window that the words right after or before a figure name.
    pub(super) fn window(&self, figure: &Figure, around: &Around) -> Option<u64> {
        let first = self.windows.partition_point(|(start, ..)| *start < figure.end);
        let after = self.windows.get(first).filter(|(start, ..)| *start <= around.to);
        let before = first.checked_sub(1).and_then(|at| self.windows.get(at)).filter(|(_, end, _)| *end >= around.from);
        after.or(before).map(|(.., seconds)| *seconds)
    }
}

/// Durations that the sentence makes a window: `within 24 hours`, `in one hour`, `24-hour window`.
fn windows(tokens: &[Token<'_>], figures: &[Figure]) -> Vec<(usize, usize, u64)> {
    const BEFORE: [&str; 10] = ["within", "in", "over", "during", "last", "past", "single", "the", "preceding", "same"];
    let window = |figure: &Figure| {
        let What::Number(quantity, Unit::Seconds(unit)) = figure.what else { return None };
        let seconds = u64::try_from(quantity.value).ok()?.checked_mul(unit)?;
        let before = figure.start.checked_sub(1).map_or("", |at| tokens[at].lower.as_ref());
        let after = tokens.get(figure.end).map_or("", |token| token.lower.as_ref());
        (BEFORE.contains(&before) || after == "window" || after == "period").then_some((
            figure.start,
            figure.end,
            seconds,
        ))
    };
    // "in the last hour" has no figure and is a window all the same.
    let unsaid = (1..tokens.len()).filter_map(|at| {
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
    let mut found: Vec<(usize, usize, u64)> = figures.iter().filter_map(window).chain(unsaid).collect();
    found.sort_unstable();
    found
}

fn signal_mentions(tokens: &[Token<'_>], signals: &[Vec<String>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let signal = match token.kind {
            Kind::Word => signals.iter().position(|words| is_named(tokens, at, words)),
            Kind::Ident => signals.iter().position(|words| words.join("_") == token.lower),
            _ => None,
        };
        found.extend(signal.map(|signal| (at, signal)));
    }
    found
}

/// By its whole name, or by the word that stands for one of the detector's own.
fn is_named(tokens: &[Token<'_>], at: usize, words: &[String]) -> bool {
    let same = |(offset, word): (usize, &String)| tokens.get(at + offset).is_some_and(|token| token.is_word(word));
    let word = tokens[at].lower.as_ref();
    let alias: &[&str] = match words.first().map_or("", String::as_str) {
        "velocity" => &["velocity"],
        "geographic" => &["geographic", "geographical", "geography", "geographically", "travel"],
        "rule" => &["rule", "rules"],
        "amount" => &[],
        // A sender may call a signal anything.
        _ => return words.iter().enumerate().all(same) && (!is_ordinary(words) || is_called(tokens, at, words.len())),
    };
    words.iter().enumerate().all(same) || words.len() == 2 && alias.contains(&word)
}

/// A name of words that stand in any text, such as "Too" or "A".
fn is_ordinary(words: &[String]) -> bool {
    words.iter().all(|word| word.chars().count() == 1 || vocabulary::holds(word))
}

/// In quotation marks, or beside the word itself: `signal Too`.
fn is_called(tokens: &[Token<'_>], at: usize, words: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let is_quoted = before.is_some_and(|token| matches!(token.kind, Kind::Mark('`' | '"')));
    let is_signal = |token: Option<&Token<'_>>| token.is_some_and(|token| token.is_word("signal"));
    is_quoted || is_signal(before) || is_signal(tokens.get(at + words))
}

/// Countries by their names, their codes in capitals, and the adjectives made of them.
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
    if !token.is_capital || !matches!(token.kind, Kind::Word) {
        return None;
    }
    let mention = |end: usize, code: &'static str| CountryMention { start: at, end, code };
    let mut name = String::new();
    let mut longest = None;
    let mut words = 0;
    for (place, token) in tokens.iter().enumerate().skip(at).take(2 * country::NAME_WORDS_MAX) {
        match token.kind {
            Kind::Word => {
                name.push_str(if name.is_empty() { "" } else { " " });
                name.push_str(&token.lower.replace('\'', ""));
                words += 1;
            }
            Kind::Mark('-') if token.glued => continue,
            _ => break,
        }
        if let Some(code) = country::code_of(&name) {
            longest = Some(mention(place + 1, code));
        }
        if words == country::NAME_WORDS_MAX {
            break;
        }
    }
    let code = || (text.len() == 2 && !NOT_CODES.contains(&text)).then(|| country::known_code(text)).flatten();
    let adjective = || country::code_of_adjective(&token.lower);
    longest.or_else(|| code().or_else(adjective).map(|code| mention(at + 1, code)))
}

/// Codes that mostly mean something else.
const NOT_CODES: [&str; 14] = ["ID", "AI", "AM", "PM", "IT", "NO", "IN", "IS", "SO", "TO", "BE", "ME", "AS", "AT"];
