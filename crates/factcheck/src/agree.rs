//! Stage 6, verdicts on figures: decides whether a fact with a figure's value agrees with the words around the figure, or at
//! least does not contradict them.

use crate::clause::Surroundings;
use crate::concept::{self as c, stem};
use crate::fact::{Fact, FactSource, FactValue, NumberClass, SeverityLevel};
use crate::figure::{Figure, Unit};
use crate::judge::FigureJudge;
use crate::lex::{Token, TokenKind};
use crate::licence::SMALL_NUMBERS;

/// How many tokens before a figure to search for "scores": "scores below 40 or above 59".
const SCORES_REACH: usize = 6;

impl FigureJudge<'_> {
    /// Whether a fact with the figure's value agrees with the words around the figure.
    pub(crate) fn agrees(&self, fact: &Fact, figure: &Figure, unit: Unit, around: &Surroundings) -> bool {
        if fact.from == FactSource::Outside && !self.shares_stem(fact, around) {
            return false;
        }
        if !self.agrees_on_signal(fact, figure, unit, around) {
            return false;
        }
        // In "includes 41 points for amount deviation", the signal identifies the fact. The rest of the clause may be
        // about anything.
        let is_linked =
            matches!(unit, Unit::Points | Unit::Bare) && fact.concepts & c::CONTRIBUTION != 0 && fact.signal.is_some();
        if is_linked && self.mentions.signal_after(figure, around) == fact.signal {
            return true;
        }
        match unit {
            Unit::Count(noun) => self.agrees_on_count(fact, figure, noun, around),
            Unit::Seconds(_) => agrees_on_duration(fact, around),
            Unit::Times => around.naming == 0 || fact.concepts & around.naming != 0,
            Unit::Percent => true,
            // "within 10 points" states how close the scores of similar alerts must be.
            Unit::Points if self.word_before(figure) == "within" => fact.concepts & c::SIMILAR != 0,
            _ => self.agrees_on_name(fact, figure, unit, around),
        }
    }

    fn agrees_on_name(&self, fact: &Fact, figure: &Figure, unit: Unit, around: &Surroundings) -> bool {
        let naming = if matches!(unit, Unit::OutOf(_)) { 0 } else { around.naming };
        if naming != 0 && fact.concepts & naming == 0 {
            return false;
        }
        // "6.2 times the median" mentions the median, but the figure is a ratio.
        if fact.concepts & c::RATIO != 0 && naming != 0 && naming & c::RATIO == 0 {
            return false;
        }
        if !is_called(fact, around) || !self.is_own_weight(fact, naming, around) {
            return false;
        }
        match unit {
            Unit::Bare => self.agrees_on_scores(fact, figure) && self.agrees_on_label(fact, around),
            Unit::Money(_) | Unit::Currency(_) => {
                agrees_on_earlier(fact, around) && self.agrees_on_window(fact, figure, c::TOTAL, around)
            }
            _ => true,
        }
    }

    /// The weight of one rule must be attributed to that rule, not to all rules together.
    fn is_own_weight(&self, fact: &Fact, naming: u64, around: &Surroundings) -> bool {
        fact.concepts & c::WEIGHT == 0 || naming & c::WEIGHT != 0 || self.shares_stem(fact, around)
    }

    /// A number without a unit must share a word with its fact's key, unless the words around it name no fact.
    fn agrees_on_label(&self, fact: &Fact, around: &Surroundings) -> bool {
        if around.before & c::RANGE != 0 && fact.concepts & c::RANGE != 0 {
            return true;
        }
        if around.before & c::AMOUNT != 0 && matches!(fact.value, FactValue::Money(..)) {
            return true;
        }
        let label = around.before & !(c::ONE | c::BEYOND | c::RANGE | c::PRIOR | c::BASELINE | c::FIRED);
        let names = |signal| self.mentions.names_signal(signal, around.clause, around.to);
        label == 0 || fact.concepts & label != 0 || fact.signal.is_some_and(names) || self.shares_stem(fact, around)
    }

    /// After "scores", as in "scores from 40 to 59", a figure must be a score or an edge of a band.
    fn agrees_on_scores(&self, fact: &Fact, figure: &Figure) -> bool {
        let sentence = self.tokens[figure.start].sentence;
        let before = &self.tokens[figure.start.saturating_sub(SCORES_REACH)..figure.start];
        let says_scores = before.iter().any(|token| token.sentence == sentence && token.is_word("scores"));
        !says_scores || fact.concepts & (c::SCORE | c::BAND) != 0
    }

    fn word_before(&self, figure: &Figure) -> &str {
        figure.start.checked_sub(1).map_or("", |at| self.tokens[at].lower.as_ref())
    }

    /// Whether a figure that belongs to one signal is attributed to that signal.
    fn agrees_on_signal(&self, fact: &Fact, figure: &Figure, unit: Unit, around: &Surroundings) -> bool {
        // In "40 from amount deviation", the figure belongs to that signal only.
        let linked = self.mentions.signal_after(figure, around);
        if linked.is_some() && matches!(unit, Unit::Bare | Unit::Points) && fact.signal != linked {
            return false;
        }
        let of_one_signal = c::CONTRIBUTION | c::VALUE | c::THRESHOLD | c::WEIGHT;
        let Some(signal) = fact.signal.filter(|_| fact.concepts & of_one_signal != 0) else {
            // The sum of all contributions belongs to no particular signal.
            let is_sum = fact.concepts & c::CONTRIBUTION != 0 && fact.concepts & c::TOTAL != 0;
            let is_called_one = around.naming & c::CONTRIBUTION != 0 && around.naming & c::TOTAL == 0;
            return !(is_sum && is_called_one && !self.mentions.signals_around(figure, around).is_empty());
        };
        let named = self.mentions.signals_around(figure, around);
        named.is_empty() || named.contains(&signal)
    }

    fn agrees_on_count(&self, fact: &Fact, figure: &Figure, noun: usize, around: &Surroundings) -> bool {
        if !self.is_of(fact, noun, around) {
            return false;
        }
        let last = if noun >= figure.end { noun + 1 } else { figure.end };
        let stated = self.concepts(figure.start.saturating_sub(3).max(around.from), last);
        let differs = |concept: u64| stated & concept != 0 && fact.concepts & concept == 0;
        let says_similar = around.mentioned & c::SIMILAR != 0 || self.is_within_points(last);
        let similar = differs(c::SIMILAR) || fact.concepts & c::SIMILAR != 0 && !says_similar;
        let prior = stated & c::SIMILAR == 0 && differs(c::PRIOR) && fact.from == FactSource::Computed;
        !(similar || prior)
            && self.agrees_on_fired(fact, figure, around)
            && self.agrees_on_level(fact, figure, last, around)
            && self.agrees_on_country(fact, noun, last, around)
            && self.agrees_on_window(fact, figure, c::NOUNS, around)
    }

    /// Whether the words describe similar alerts without the word "similar": "alerts of the same severity lay within 10
    /// points".
    fn is_within_points(&self, from: usize) -> bool {
        let sentence = self.tokens[from.saturating_sub(1)].sentence;
        let mut after = self.tokens[from..].iter().take_while(|token| token.sentence == sentence).take(14);
        after.any(|token| token.is_word("same") || token.is_word("equal"))
            && after.any(|token| token.is_word("within"))
            && after.any(|token| token.is_word("points") || token.is_word("point"))
    }

    /// Whether a fact counts the things that the noun names.
    fn is_of(&self, fact: &Fact, noun: usize, around: &Surroundings) -> bool {
        const ANY: [&str; 8] =
            ["times", "occasions", "occurrences", "instances", "items", "cases", "entries", "records"];
        let word = self.tokens[noun].lower.as_ref();
        let kind = self.tokens[noun].concepts & (c::NOUNS | c::VALUE);
        let same = match kind {
            0 => ANY.contains(&word) || fact.stems.iter().any(|known| known == stem(word)),
            kind => fact.concepts & kind != 0,
        };
        let is_measure = matches!(fact.value, FactValue::Number(_, NumberClass::Measure));
        let shares = || fact.concepts & around.mentioned & !c::ONE != 0 || self.shares_stem(fact, around);
        same || is_measure && shares()
    }

    /// Whether a count of signals or rules covers those that fired or all of them, according to the words.
    fn agrees_on_fired(&self, fact: &Fact, figure: &Figure, around: &Surroundings) -> bool {
        const NO: [&str; 5] = ["not", "no", "neither", "none", "clear"];
        let word = |back: usize| figure.start.checked_sub(back).map_or("", |at| self.tokens[at].lower.as_ref());
        // "three of the four signals fired": the second number is the total.
        let is_whole = word(1) == "all" || word(2) == "of" && ["the", "its"].contains(&word(1));
        let says_fired = around.mentioned & c::FIRED != 0 && fact.concepts & (c::SIGNAL | c::RULE) != 0;
        if !says_fired || is_whole {
            return true;
        }
        let negated = self.tokens[around.from..around.to].iter().any(|token| NO.contains(&token.lower.as_ref()));
        negated != (fact.concepts & c::FIRED != 0)
    }

    /// A count of alerts of one severity must be stated with that severity. Any other count of alerts must not have one, unless
    /// the alerts are similar ones.
    fn agrees_on_level(&self, fact: &Fact, figure: &Figure, last: usize, around: &Surroundings) -> bool {
        let levels = |from: usize, to: usize| {
            self.tokens[from..to.max(from)].iter().filter_map(|token| SeverityLevel::of(&token.lower))
        };
        let inside = levels(figure.start, last).next_back();
        // In "four prior alerts: two of HIGH severity", the severity belongs to the second number.
        let is_number = |token: &Token<'_>| {
            matches!(token.kind, TokenKind::Number(_)) || SMALL_NUMBERS.contains(&token.lower.as_ref())
        };
        let to = around.to.min(last + 5).max(last);
        let stop = self.tokens[last..to].iter().position(is_number).map_or(to, |at| last + at);
        let after = || levels(last, stop).next();
        let before = || levels(figure.start.saturating_sub(4).max(around.clause), figure.start).next_back();
        let stated = inside.or_else(after).or_else(before);
        match (fact.severity, stated) {
            (Some(level), stated) => stated == Some(level),
            (None, Some(_)) => fact.concepts & c::ALERT == 0 || fact.concepts & c::SIMILAR != 0,
            (None, None) => true,
        }
    }

    /// A count of one country's transactions must be stated with the country. After any other count of transactions, the text
    /// must not name a country for which the context has a count.
    fn agrees_on_country(&self, fact: &Fact, noun: usize, last: usize, around: &Surroundings) -> bool {
        let is_named = |country| self.mentions.countries(around.from, around.to).contains(&country);
        if fact.country.is_some_and(|country| !is_named(country)) {
            return false;
        }
        let named = self.mentions.country_after(last).filter(|country| self.index.counted_countries.contains(country));
        let counts_transactions = self.tokens[noun].concepts & c::TRANSACTION != 0;
        named.is_none() || !counts_transactions || fact.country == named
    }

    /// If the words state a window of time, a count over a window must be over that one. A count without a window then only
    /// agrees if the context counts no such things over the stated window.
    fn agrees_on_window(&self, fact: &Fact, figure: &Figure, of: u64, around: &Surroundings) -> bool {
        let Some(stated) = self.mentions.window(figure, around) else { return true };
        let counted = self.index.counted_windows.get(&stated).is_some_and(|counted| counted & fact.concepts & of != 0);
        if fact.path.ends_with("_limit") {
            return true;
        }
        // The unit of a signal's value or threshold names its window.
        if fact.path.ends_with("/value") || fact.path.ends_with("/threshold") {
            let names = |hours: &str| fact.stems.iter().any(|stem| stem == hours);
            return !(names("24") && stated == 3_600 || names("1") && stated == 86_400);
        }
        match fact.window {
            Some(window) => window == stated,
            None => fact.from == FactSource::Sentence || !counted,
        }
    }

    pub(crate) fn concepts(&self, from: usize, to: usize) -> u64 {
        self.tokens[from..to.max(from)].iter().fold(0, |all, token| all | token.concepts)
    }

    /// Whether a date or time belongs to the thing that the words around it mention.
    pub(crate) fn agrees_on_moment(&self, fact: &Fact, around: &Surroundings) -> bool {
        if fact.from == FactSource::Outside {
            return self.shares_stem(fact, around);
        }
        let stated = if around.opens_sentence { around.mentioned } else { around.before };
        let (things, actions) = (stated & c::DATED_THINGS, stated & c::DATED_ACTIONS);
        let says_first = stated & c::FIRST != 0 && self.index.known_concepts & c::FIRST != 0 && !around.opens_sentence;
        if says_first && fact.concepts & c::FIRST == 0 {
            return stated & fact.concepts & c::ACCOUNT != 0;
        }
        let says_earlier = stated & c::PRIOR != 0 && things.count_ones() == 1 && !around.opens_sentence;
        if says_earlier && fact.concepts & c::PRIOR == 0 {
            return false;
        }
        let is_earlier = fact.concepts & (c::PRIOR | c::FIRST) != 0;
        if is_earlier && around.is_definite && stated & (c::PRIOR | c::FIRST | c::LAST | c::BASELINE) == 0 {
            return false;
        }
        match things {
            0 => actions == 0 || fact.concepts & actions != 0,
            _ => fact.concepts & things != 0,
        }
    }
}

/// Whether the words call a figure what its fact is. If they call it an amount, a value, a speed, a distance or a payment, a fact
/// such as a median must also be called a median. The score of an earlier alert must be called one.
fn is_called(fact: &Fact, around: &Surroundings) -> bool {
    let called = around.called | if around.before & c::BEYOND != 0 { c::THRESHOLD } else { 0 };
    // A sum over a window is identified by its window.
    let is_windowed = fact.signal.is_some() && fact.window.is_some();
    let special = fact.concepts & c::SPECIAL & if is_windowed { !c::TOTAL } else { u64::MAX };
    let single = c::AMOUNT | c::VALUE | c::SPEED | c::DISTANCE;
    let one = around.before & c::TRANSACTION != 0 && around.before & c::ONE != 0;
    let is_labelled = around.before & single != 0 || one;
    if special != 0 && is_labelled && special & called == 0 && called & c::RANGE == 0 {
        return false;
    }
    let is_earlier_score = fact.concepts & c::SCORE != 0 && fact.concepts & c::PRIOR != 0;
    // "The alert" is this case's alert; "an alert" may be an earlier one.
    let is_any_alert = around.mentioned & c::ALERT != 0 && !around.is_definite;
    !is_earlier_score || around.mentioned & c::PRIOR != 0 || is_any_alert
}

/// "An earlier payment of USD 300" is not this case's payment.
fn agrees_on_earlier(fact: &Fact, around: &Surroundings) -> bool {
    let says_earlier = c::PRIOR | c::TRANSACTION | c::ONE;
    let is_said = around.before & says_earlier == says_earlier && around.naming == 0;
    let is_this = around.is_definite && around.before & (c::PRIOR | c::BASELINE) == 0 && around.naming == 0;
    if is_this && fact.concepts & c::PRIOR != 0 && fact.concepts & c::SPECIAL == 0 {
        return false;
    }
    !is_said || fact.concepts & (c::PRIOR | c::BASELINE) != 0
}

/// "The account is 465 days old" must be the account's age, and "a history of 454 days" the baseline's length.
fn agrees_on_duration(fact: &Fact, around: &Surroundings) -> bool {
    if fact.window.is_some() || fact.from == FactSource::Sentence {
        return true;
    }
    if around.mentioned & c::AGE != 0 {
        return fact.concepts & c::AGE != 0;
    }
    let says_history = around.before & (c::TRANSACTION | c::PRIOR | c::BASELINE) != 0;
    if fact.concepts & c::AGE != 0 && says_history {
        return around.mentioned & (c::ACCOUNT | c::OPENED) != 0;
    }
    around.mentioned & c::BASELINE == 0 || fact.concepts & c::BASELINE != 0 || fact.signal.is_some()
}
