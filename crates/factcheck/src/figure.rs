//! Figures: the stretches of tokens that state a number, an amount, a date, a time or a duration, each with its unit.
//!
//! Knows English and no facts. What it can't read but a reader would take for a figure is a figure too, an unreadable one.

use countersign_text::calendar::{month, weekday};
use countersign_text::numbers::{self, NumberWord, Quantity, number_word};
use rust_decimal::Decimal;

use crate::calendar::{Clock, Date};
use crate::concept::{self, NOUNS, ONE};
use crate::currency;
use crate::fold::Folded;
use crate::lex::{Kind, Token};
use crate::lexicon::{FUNCTION, NO_PLURAL, OPENS};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    /// Tokens, `end` exclusive.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) what: What,
    /// `about`, `nearly`: within 1 % is near enough.
    pub(crate) hedged: bool,
    pub(crate) negative: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum What {
    Number(Quantity, Unit),
    Date(Date),
    Clock(Clock),
    Stamp(Date, Clock),
    Unreadable,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Bare,
    /// One of these currencies.
    Money(&'static [&'static str]),
    /// By its code.
    Currency([u8; 3]),
    Percent,
    /// A multiple: `6.2 times`, `twice`.
    Times,
    /// Seconds in the unit that is written.
    Seconds(u64),
    Km,
    Kmh,
    Points,
    /// `75 out of 100`.
    OutOf(Quantity),
    /// Of the token that names what is counted.
    Count(usize),
    /// The third of them.
    Ordinal(usize),
    /// `no prior alerts`.
    NoneOf(usize),
}

pub(crate) fn figures(folded: &Folded<'_>, tokens: &[Token<'_>], covered: &[bool]) -> Vec<Figure> {
    let mut reader = Reader { folded, tokens, found: Vec::new() };
    let mut at = 0;
    let mut list_item = 0;
    while at < tokens.len() {
        if covered[at] {
            at += 1;
        } else if let Some(next) = reader.list_marker(at, &mut list_item) {
            at = next;
        } else {
            at = reader.read(at).max(at + 1);
        }
    }
    reader.found
}

struct Reader<'a> {
    folded: &'a Folded<'a>,
    tokens: &'a [Token<'a>],
    found: Vec<Figure>,
}

/// What a year can have, before `of 2026`.
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
/// Words before a number among which it is told what has this value.
const VALUE_WORDS: usize = 8;

/// Counts of these are a way of speaking.
const DISCOURSE: [&str; 22] = [
    "factors",
    "reasons",
    "aspects",
    "ways",
    "elements",
    "sides",
    "parties",
    "things",
    "steps",
    "kinds",
    "types",
    "conditions",
    "observations",
    "findings",
    "measurements",
    "facts",
    "figures",
    "respects",
    "circumstances",
    "features",
    "parts",
    "halves",
];

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.word_token(at).map_or("", |token| token.lower.as_ref())
    }

    fn word_token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at).filter(|token| matches!(token.kind, Kind::Word))
    }

    /// What the word at `at` speaks of.
    fn concepts(&self, at: usize) -> u64 {
        self.word_token(at).map_or(0, |token| token.concepts)
    }

    fn word_before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark(mark))
    }

    fn same_sentence(&self, a: usize, b: usize) -> bool {
        matches!((self.tokens.get(a), self.tokens.get(b)), (Some(a), Some(b)) if a.sentence == b.sentence)
    }

    fn is_capital(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_capital)
    }

    fn push(&mut self, start: usize, end: usize, what: What) -> usize {
        let hedged = self.is_hedged(start);
        self.found.push(Figure { start, end, what, hedged, negative: false });
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

    /// `1.` and `2)` at the start of a line number a list, if they do so in order.
    fn list_marker(&self, at: usize, item: &mut u64) -> Option<usize> {
        let token = &self.tokens[at];
        let Kind::Number(number) = token.kind else { return None };
        let starts_line =
            self.folded.text[..token.start].trim_end_matches(' ').chars().next_back().is_none_or(|c| c == '\n');
        let marked = self.is_mark(at + 1, '.') || self.is_mark(at + 1, ')');
        let spaced = self.tokens.get(at + 2).is_some_and(|next| !next.glued);
        let next = if number.value == Decimal::ONE { 1 } else { *item + 1 };
        if token.opens_sentence && starts_line && marked && spaced && number == Quantity::whole(next) {
            *item = next;
            return Some(at + 2);
        }
        None
    }

    /// Takes the figure that starts at `at`, if one does; returns where the next may start.
    fn read(&mut self, at: usize) -> usize {
        match self.tokens[at].kind {
            Kind::Odd => self.push(at, at + 1, What::Unreadable),
            Kind::Date(date) => self.push(at, at + 1, What::Date(date)),
            Kind::Stamp(date, clock) => {
                let end = self.past_zone(at + 1);
                self.push(at, end, What::Stamp(date, clock))
            }
            Kind::Clock(clock) => self.clock(at, at + 1, clock),
            Kind::Number(_) => self.number(at),
            Kind::Word => self.spoken(at),
            Kind::Mark(sign) if currency::is_sign(sign) => self.after_sign(at, sign),
            _ => at + 1,
        }
    }

    /// `$1,250`, `US$1.2m`.
    fn after_sign(&mut self, at: usize, sign: char) -> usize {
        let Some((quantity, end)) = self.quantity(at + 1) else { return at + 1 };
        let has_prefix = at > 0 && self.tokens[at].glued && self.word_token(at - 1).is_some();
        let prefix = if has_prefix { self.tokens[at - 1].text } else { "" };
        let currencies = currency::sign(sign, prefix);
        let (quantity, end) = self.scaled(quantity, end, true);
        let start = if has_prefix { at - 1 } else { at };
        self.money(start, end, quantity, Unit::Money(currencies))
    }

    fn money(&mut self, start: usize, end: usize, quantity: Option<Quantity>, unit: Unit) -> usize {
        match quantity {
            Some(quantity) => self.push(start, end, What::Number(quantity, unit)),
            None => self.push(start, end, What::Unreadable),
        }
    }

    /// A number in digits or words, and the token after it. `None` inside: a number that can't be read.
    fn quantity(&self, at: usize) -> Option<(Option<Quantity>, usize)> {
        match self.tokens.get(at)?.kind {
            Kind::Number(number) => Some(self.spaced(at, number)),
            Kind::Word => self.in_words(at),
            _ => None,
        }
    }

    /// `1 250.00`: groups of three digits after a space.
    fn spaced(&self, at: usize, first: Quantity) -> (Option<Quantity>, usize) {
        let text = |at: usize| self.tokens.get(at).map_or("", |token| token.text);
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let mut end = at + 1;
        let goes_on = matches!(self.tokens.get(end), Some(Token { kind: Kind::Number(_), .. }));
        if !goes_on || text(at).len() > 3 || !is_digits(text(at)) {
            return (Some(first), end);
        }
        let mut written = text(at).to_owned();
        while let Some(token) = self.tokens.get(end).filter(|token| matches!(token.kind, Kind::Number(_))) {
            let group = text(end);
            let whole = group.split(['.', ',']).next().unwrap_or("");
            if token.start != self.tokens[end - 1].end + 1 || whole.len() != 3 || !is_digits(whole) {
                break;
            }
            written.push_str(&group.replace(',', "."));
            end += 1;
            if group.len() > 3 {
                break;
            }
        }
        (numbers::in_digits(&written), end)
    }

    /// `twelve hundred and fifty`, `a dozen`, `twenty-one`.
    fn in_words(&self, at: usize) -> Option<(Option<Quantity>, usize)> {
        let mut parts: Vec<NumberWord> = Vec::new();
        let mut end = at;
        let is_article = ["a", "an"].contains(&self.word(at));
        if self.word(at) == "half" && self.word(at + 1) == "a" && self.word(at + 2) == "dozen" {
            return Some((Some(Quantity::whole(6)), at + 3));
        }
        if is_article {
            let next = number_word(self.word(at + 1))?;
            if matches!(next, NumberWord::Unit(_) | NumberWord::Ten(_))
                || numbers::scale(self.word(at + 1)) == Some(1_000) && self.word(at + 1) == "k"
            {
                return None;
            }
            end += 1;
        }
        while let Some(part) = number_word(self.word(end)).filter(|_| self.word(end).len() > 2) {
            parts.push(part);
            end += 1;
            let joined = self.is_mark(end, '-') && self.tokens[end].glued;
            let and = self.word(end) == "and" && matches!(part, NumberWord::Hundred | NumberWord::Scale(_));
            if (joined || and) && number_word(self.word(end + 1)).is_some() {
                end += 1;
            }
        }
        if parts.is_empty() {
            return None;
        }
        Some((numbers::in_words(&parts).map(Quantity::whole), end))
    }

    /// With `thousand`, `million`, `k` behind it.
    fn scaled(&self, quantity: Option<Quantity>, end: usize, is_money: bool) -> (Option<Quantity>, usize) {
        let word = self.word(end);
        let factor = match word {
            "m" if is_money => Some(1_000_000),
            "hundred" => Some(100),
            "dozen" => Some(12),
            _ => numbers::scale(word),
        };
        match factor {
            Some(factor) => (quantity.and_then(|quantity| quantity.times(factor)), end + 1),
            None => (quantity, end),
        }
    }

    fn past_zone(&self, at: usize) -> usize {
        if ["utc", "gmt", "z"].contains(&self.word(at)) { at + 1 } else { at }
    }

    fn clock(&mut self, start: usize, end: usize, clock: Clock) -> usize {
        let (clock, end) = match self.word(end) {
            "am" | "a.m" => (clock.in_half(false), end + 1),
            "pm" | "p.m" => (clock.in_half(true), end + 1),
            "h" | "hrs" | "o'clock" => (Some(clock), end + 1),
            _ => (Some(clock), end),
        };
        // The period of `a.m.`
        let end = if self.is_mark(end, '.') && self.word_before(end).contains('.') { end + 1 } else { end };
        let end = self.past_zone(end);
        self.push(start, end, clock.map_or(What::Unreadable, What::Clock))
    }

    fn number(&mut self, at: usize) -> usize {
        if let Some(end) = self.date_from_day(at) {
            return end;
        }
        let Some((quantity, end)) = self.quantity(at) else { return at + 1 };
        let text = self.tokens[at].text;
        if end == at + 1 && ["am", "pm", "a.m", "p.m", "o'clock"].contains(&self.word(end)) {
            return match Clock::parse(text) {
                Some(clock) => self.clock(at, end, clock),
                None => self.push(at, end + 1, What::Unreadable),
            };
        }
        if let Some(end) = self.year(at, end) {
            return end;
        }
        self.with_unit(at, quantity, end)
    }

    /// A year that stands alone: `in 2026`.
    fn year(&mut self, at: usize, end: usize) -> Option<usize> {
        let text = self.tokens[at].text;
        let year: u16 = text.parse().ok()?;
        let is_told = match self.word_before(at) {
            "in" | "since" | "during" | "year" | "until" | "early" | "late" => true,
            // A score of 2021 is no year, and neither is what a score rose to.
            "of" => YEAR_PARTS.contains(&self.word_before(at - 1)),
            "by" | "from" | "to" | "through" => !self.tells_value(at),
            _ => false,
        };
        let fits = text.len() == 4 && (1900..2100).contains(&year) && is_told;
        let counts = self.noun(end, false).is_some() || self.duration(end).is_some() || self.is_mark(end, '%');
        (fits && !counts).then(|| self.push(at, end, What::Date(Date { year: Some(year), ..Date::default() })))
    }

    /// Whether the words before speak of something that has a value.
    fn tells_value(&self, at: usize) -> bool {
        const VALUED: u64 = concept::STRONG | concept::AMOUNT | concept::VALUE | concept::RATIO;
        let before = self.tokens[..at].iter().rev().take_while(|token| token.sentence == self.tokens[at].sentence);
        before.take(VALUE_WORDS).any(|token| token.concepts & VALUED != 0)
    }

    /// `1 March 2026`, `1st of March`.
    fn date_from_day(&mut self, at: usize) -> Option<usize> {
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
        let day = self.day(at).or_else(|| is_date.then(|| self.no_day(at)).flatten())?;
        let date = Date { year, month: Some(month), day: Some(day), ..Date::default() };
        let start = self.weekday_before(at);
        let weekday = (start < at).then(|| weekday(self.word(start))).flatten();
        Some(self.push_date(start, end, Date { weekday, ..date }))
    }

    /// `March 1, 2026`, `March 2026`, `March`.
    fn date_from_month(&mut self, at: usize) -> Option<usize> {
        let month = month(self.word(at)).filter(|_| self.is_capital(at))?;
        let start = self.weekday_before(at);
        let weekday = (start < at).then(|| weekday(self.word(start))).flatten();
        let date = Date { month: Some(month), weekday, ..Date::default() };
        let suffixed = ["st", "nd", "rd", "th"].contains(&self.word(at + 2));
        let (year, end) = self.year_after(at + 2 + usize::from(suffixed));
        let is_date = year.is_some();
        if let Some(day) = self.day(at + 1).or_else(|| is_date.then(|| self.no_day(at + 1)).flatten()) {
            return Some(self.push_date(start, end, Date { year, day: Some(day), ..date }));
        }
        let (year, end) = self.year_after(at + 1);
        // "May" and "March" are words as well.
        let is_month = year.is_some()
            || ["in", "of", "since", "during", "until", "early", "late", "last"].contains(&self.word_before(at))
            || !["may", "march", "mar", "sun", "sat", "dec", "jan"].contains(&self.word(at)) && self.word(at).len() > 3;
        is_month.then(|| self.push_date(start, end, Date { year, ..date }))
    }

    fn push_date(&mut self, start: usize, end: usize, date: Date) -> usize {
        // A weekday right before was taken for a date of its own.
        if self.found.last().is_some_and(|last| last.start == start) {
            self.found.pop();
        }
        self.push(start, end, What::Date(date))
    }

    fn weekday_before(&self, at: usize) -> usize {
        let comma = at > 1 && self.is_mark(at - 1, ',');
        let day = at.checked_sub(if comma { 2 } else { 1 });
        let has_day = |day: &usize| weekday(self.word(*day)).is_some() && self.is_capital(*day);
        day.filter(has_day).unwrap_or(at)
    }

    fn day(&self, at: usize) -> Option<u8> {
        let text = self.tokens.get(at).filter(|token| matches!(token.kind, Kind::Number(_)))?.text;
        text.parse::<u8>().ok().filter(|day| text.len() <= 2 && (1..=31).contains(day))
    }

    /// A number in the place of a day that is none: with it the date is one that never was, not a count and a month.
    fn no_day(&self, at: usize) -> Option<u8> {
        let text = self.tokens.get(at).filter(|token| matches!(token.kind, Kind::Number(_)))?.text;
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

    /// Most words start no figure.
    fn spoken(&mut self, at: usize) -> usize {
        if may_open(&self.tokens[at]) { self.opened(at) } else { at + 1 }
    }

    /// What a word may start: a number, a date, money by its code, a multiple.
    fn opened(&mut self, at: usize) -> usize {
        if let Some(end) = self.date_from_month(at) {
            return end;
        }
        if let Some(weekday) = weekday(self.word(at)).filter(|_| self.is_capital(at)) {
            return self.push(at, at + 1, What::Date(Date { weekday: Some(weekday), ..Date::default() }));
        }
        if let Some(end) = self.after_code(at) {
            return end;
        }
        if let Some((quantity, end)) = self.in_words(at) {
            return self.with_unit(at, quantity, end);
        }
        let found = self.multiple(at).or_else(|| self.ordinal(at)).or_else(|| self.one_duration(at));
        found.or_else(|| self.none(at)).unwrap_or(at + 1)
    }

    /// `no prior alerts`, `without similar alerts`: a count of zero where the context counts them.
    fn none(&mut self, at: usize) -> Option<usize> {
        let noun = ["no", "without"].contains(&self.word(at)).then(|| self.noun(at + 1, true)).flatten()?;
        let described = (at + 1..noun).any(|at| self.concepts(at) & (concept::PRIOR | concept::SIMILAR) != 0);
        described.then(|| self.push(at, at + 1, What::Number(Quantity::whole(0), Unit::NoneOf(noun))))
    }

    /// `USD 1,250`.
    fn after_code(&mut self, at: usize) -> Option<usize> {
        let code = currency::code(self.tokens[at].text)?;
        let mut number_at = at + 1;
        while self.tokens.get(number_at).is_some_and(|token| matches!(token.kind, Kind::Mark('`' | '"' | ':'))) {
            number_at += 1;
        }
        let (quantity, end) = self.quantity(number_at)?;
        let (quantity, end) = self.scaled(quantity, end, true);
        Some(self.money(at, end, quantity, Unit::Currency(code)))
    }

    fn multiple(&mut self, at: usize) -> Option<usize> {
        let tenths = match self.word(at) {
            "twice" | "double" | "doubled" | "doubling" | "twofold" => 20,
            "thrice" | "triple" | "tripled" | "tripling" | "treble" | "threefold" => 30,
            "quadruple" | "quadrupled" | "fourfold" => 40,
            "fivefold" => 50,
            "tenfold" => 100,
            "halved" => 5,
            "half" if ["of", "the", "that", "its", "a"].contains(&self.word(at + 1)) => 5,
            "hundreds" | "thousands" | "millions" | "billions" | "dozens" | "tens" => {
                return Some(self.push(at, at + 1, What::Unreadable));
            }
            // `a quarter of`, `two thirds`
            "quarter" | "quarters" | "thirds" | "fifths" | "tenths" | "third" | "fifth" | "tenth"
                if self.word(at + 1) == "of"
                    || self.word(at).ends_with('s') && number_word(self.word_before(at)).is_some() =>
            {
                return Some(self.push(at, at + 1, What::Unreadable));
            }
            _ => return None,
        };
        if self.is_mark(at + 1, '-') {
            return None;
        }
        let value = Quantity { value: Decimal::new(tenths, 1), decimals: 0 };
        Some(self.push(at, at + 1, What::Number(value, Unit::Times)))
    }

    /// `the third alert`; an ordinal without a thing is a way of speaking.
    fn ordinal(&mut self, at: usize) -> Option<usize> {
        // "First" orders and does not count.
        let place = numbers::ordinal(self.word(at)).filter(|place| (2..=20).contains(place))?;
        if self.is_mark(at + 1, '-') || self.is_mark(at.wrapping_sub(1), '-') {
            return None;
        }
        let noun = self.noun(at + 1, true)?;
        let things = concept::TRANSACTION | concept::ALERT;
        (self.concepts(noun) & things != 0)
            .then(|| self.push(at, at + 1, What::Number(Quantity::whole(place), Unit::Ordinal(noun))))
    }

    /// `within an hour`.
    fn one_duration(&mut self, at: usize) -> Option<usize> {
        let is_one = ["a", "an"].contains(&self.word(at)) && ["within", "in", "under"].contains(&self.word_before(at));
        let (seconds, end) = is_one.then(|| self.duration(at + 1)).flatten()?;
        let singular = !self.word(end - 1).ends_with('s');
        singular.then(|| self.push(at, end, What::Number(Quantity::whole(1), Unit::Seconds(seconds))))
    }

    /// The number from `start` to `end` with the unit behind it.
    fn with_unit(&mut self, start: usize, quantity: Option<Quantity>, end: usize) -> usize {
        let was_words = matches!(self.tokens[start].kind, Kind::Word);
        let (quantity, end) = self.scaled(quantity, end, false);
        let Some(quantity) = quantity else { return self.push(start, end, What::Unreadable) };
        if let Some((unit, end)) = self.money_after(end) {
            return self.push(start, end, What::Number(quantity, unit));
        }
        let (unit, end) = self.unit(quantity, start, end);
        if was_words && self.is_way_of_speaking(start, end, quantity, unit) {
            return end;
        }
        if unit == Unit::Bare && self.is_mark(start.wrapping_sub(1), '-') && was_words {
            return self.push(start, end, What::Number(quantity, unit));
        }
        let end = self.push(start, end, What::Number(quantity, unit));
        self.found.last_mut().into_iter().for_each(|last| last.negative = is_negative(self.tokens, start));
        self.joined_duration(end)
    }

    /// `2 hours and 5 minutes` is one duration.
    fn joined_duration(&mut self, end: usize) -> usize {
        let [.., before, last] = self.found.as_slice() else { return end };
        let (What::Number(first, Unit::Seconds(larger)), What::Number(second, Unit::Seconds(smaller))) =
            (&before.what, &last.what)
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
        let (start, hedged) = (before.start, before.hedged);
        self.found.truncate(self.found.len() - 2);
        let what = What::Number(Quantity { value: sum, decimals: 0 }, Unit::Seconds(1));
        self.found.push(Figure { start, end, what, hedged, negative: false });
        end
    }

    /// `1250 US dollars`, `40 EUR`, `40 €`.
    fn money_after(&self, at: usize) -> Option<(Unit, usize)> {
        let token = self.tokens.get(at)?;
        if let Kind::Mark(sign) = token.kind {
            let is_after = currency::is_sign(sign)
                && !matches!(self.tokens.get(at + 1), Some(next) if next.glued && matches!(next.kind, Kind::Number(_)));
            return is_after.then(|| (Unit::Money(currency::sign(sign, "")), at + 1));
        }
        if let Some(code) = currency::code(token.text) {
            return Some((Unit::Currency(code), at + 1));
        }
        // At most an adjective of two words: "Hong Kong dollars".
        (0..3).find_map(|skip| {
            let adjective = if skip == 0 { "" } else { self.word(at + skip - 1) };
            let may_skip = (0..skip).all(|back| self.is_capital(at + back));
            let names = currency::name(adjective, self.word(at + skip));
            (may_skip && !names.is_empty()).then(|| {
                let sterling = usize::from(self.word(at + skip + 1) == "sterling");
                (Unit::Money(names), at + skip + 1 + sterling)
            })
        })
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
        let hyphen = usize::from(self.is_mark(end, '-') && self.tokens[end].glued);
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

    /// `75/100`, `75 out of 100`, `75 out of a possible 100`; but `three out of four signals` are two counts.
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

    /// Seconds in the unit at `at`, and what comes after it.
    fn duration(&self, at: usize) -> Option<(u64, usize)> {
        let hyphen = usize::from(self.is_mark(at, '-') && self.tokens[at].glued);
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

    /// The word that names what is counted, after at most three that describe it.
    fn noun(&self, at: usize, singular: bool) -> Option<usize> {
        for place in at..at + 5 {
            if !self.same_sentence(at.saturating_sub(1), place) {
                return None;
            }
            let Some(word) = self.word_token(place).filter(|word| !word.is(FUNCTION)) else {
                // "high-severity alerts"
                if self.is_mark(place, '-') && place > at && self.tokens[place].glued {
                    continue;
                }
                return None;
            };
            let concepts = word.concepts;
            let known = concepts & NOUNS != 0 && concepts & concept::POINTS == 0;
            let plural = concepts & ONE == 0 && (known || looks_plural(word));
            if plural || singular && known && !self.word_token(place + 1).is_some_and(looks_plural) {
                return Some(place);
            }
        }
        None
    }

    /// `two transactions in an hour and three in a day`, `five alerts, of which two`: what was counted last is counted on.
    fn noun_of_last(&self, start: usize, end: usize) -> Option<usize> {
        const AFTER: [&str; 10] = ["in", "within", "over", "during", "at", "from", "were", "was", "had", "of"];
        let counted = |figure: &Figure| match figure.what {
            What::Number(_, Unit::Count(noun)) => Some(noun),
            _ => None,
        };
        let noun = self.found.iter().rev().take(2).find_map(counted)?;
        let linked = ["and", "which", "them", "these"].contains(&self.word_before(start));
        (linked && AFTER.contains(&self.word(end)) && self.same_sentence(noun, start)).then_some(noun)
    }

    /// `one of the`, `two factors`, `one-off`: words that state no figure.
    fn is_way_of_speaking(&self, start: usize, end: usize, quantity: Quantity, unit: Unit) -> bool {
        let value = quantity.value;
        let hyphenated = self.is_mark(end, '-') && self.tokens[end].glued
            || start > 0 && self.is_mark(start - 1, '-') && self.tokens[start].glued;
        match unit {
            Unit::Bare => {
                value <= Decimal::ONE
                    || hyphenated
                    || self.word(end) == "of"
                    || ["the", "these", "those", "both", "other"].contains(&self.word_before(start))
            }
            Unit::Count(noun) => {
                let small = value <= Decimal::from(6);
                small && (hyphenated || DISCOURSE.contains(&self.word(noun)))
                    || value == Decimal::TWO && ["the", "these", "those"].contains(&self.word_before(start))
                    || value == Decimal::ONE && ["than", "the", "any", "no", "at"].contains(&self.word_before(start))
            }
            _ => false,
        }
    }
}

/// Whether a figure can start with a word: one of those below, or a code in capitals.
fn may_open(word: &Token<'_>) -> bool {
    word.is(OPENS) || word.is_capital && word.text.len() == 3
}

fn is_negative(tokens: &[Token<'_>], start: usize) -> bool {
    let Some(sign) = start.checked_sub(1).map(|at| &tokens[at]) else { return false };
    sign.is_mark('-') && tokens[start].glued && (!sign.glued || start >= 2 && tokens[start - 2].is_mark('('))
}

/// Of a word token.
fn looks_plural(word: &Token<'_>) -> bool {
    let text = word.lower.as_ref();
    let has_ending = text.len() > 3 && text.ends_with('s') && !text.ends_with("ss") && !text.ends_with("ous");
    has_ending && !word.is(NO_PLURAL) || text == "people"
}

/// Verbs, and words that only look like a plural.
pub(crate) const NO_PLURALS: &str = "
was is has this its as does across plus less versus previous corresponds contributes remains lies exceeds adds equals
places falls makes shows means indicates suggests represents reflects results comes stands gives brings fires applies
belongs differs matches includes covers justifies supports reaches triggers whereas towards
";

pub(crate) const FUNCTION_WORDS: &str = "
a an the of in on at to for from by with and or but was were is are be been had has have which that this these those
it its as than over under above below within against while when where who so because after before during since until
per each made came did does do not if then across between through into out up contributed contributes stood lies lay
falls fell exceeds exceeded remains
";

/// Words that a date, a number, money, a multiple or a count of none may start with. A code in capitals may too.
pub(crate) const OPENERS: &str = "
january jan february feb march mar april apr may june jun july jul august aug september sep sept october oct november nov
december dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
sundays usd eur gbp jpy chf cad aud nzd inr cny sek nok dkk brl a an half zero one two three four five six seven eight nine
ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fourty fifty sixty seventy
eighty ninety dozen hundred thousand million mio billion trillion twice double doubled doubling twofold thrice triple tripled
tripling treble threefold quadruple quadrupled fourfold fivefold tenfold halved hundreds thousands millions billions dozens
tens quarter quarters thirds fifths tenths second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth no without
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::tokens;

    /// A word that is read but not known to open a figure would let its figures pass unchecked.
    #[test]
    fn every_word_that_a_figure_is_read_from_is_known_to_open_one() {
        let sources = [
            include_str!("figure.rs"),
            include_str!("currency.rs"),
            include_str!("../../text/src/numbers.rs"),
            include_str!("../../text/src/calendar.rs"),
        ];
        let words = sources.iter().flat_map(|source| source.split(['"', ' ', '\n'])).filter(|word| word.is_ascii());
        let rests = ["", "of the", "250", "March 2026", "hour", "dozen", "a dozen", "prior alerts", "transactions"];
        let mut opened = 0;
        for word in words.filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic())) {
            let capital = word[..1].to_uppercase() + &word[1..];
            for (word, rest) in [word, &capital].iter().flat_map(|word| rests.map(|rest| (word, rest))) {
                let text = format!("in {word} {rest}");
                let folded = Folded::of(&text);
                let tokens = tokens(&folded);
                let mut reader = Reader { folded: &folded, tokens: &tokens, found: Vec::new() };
                reader.opened(1);
                assert!(reader.found.is_empty() || may_open(&tokens[1]), "{word} {rest}");
                opened += reader.found.len();
            }
        }
        assert!(opened > 500, "{opened}");
    }
}
