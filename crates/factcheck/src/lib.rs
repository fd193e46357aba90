//! The fact check: every sentence of a text about a case is licensed by the context that the text was written from, or refused.
//!
//! | file            | job                                                                          |
//! |-----------------|------------------------------------------------------------------------------|
//! | `fold.rs`       | the text as a reader sees it: one kind of digit, letter, space and dash        |
//! | `lex.rs`        | tokens; `lexicon.rs` what is known of their words, `table.rs` how it is found    |
//! | `figure.rs`     | figures with their units, read with `numeral`, `calendar`, `currency`          |
//! | `clause.rs`     | what the words around a figure say it is, in the terms of `concept`            |
//! | `mention.rs`    | where the text names a country, a window of time, or, with `signal.rs`, a signal |
//! | `walk.rs`       | the context to facts, by what `key.rs` says of its keys                        |
//! | `fact.rs`       | the facts; `phrase.rs` the context's words, `finder.rs` its ids                 |
//! | `judge.rs`      | whether a figure is a fact, and the one that its sentence names                |
//! | `agree.rs`      | whether the words around name that fact                                       |
//! | `severity.rs`   | severities                                                                   |
//! | `name.rs`       | names, ids and quotations; `vocabulary.rs` the words that are none             |
//!
//! | `licence/`      | whether facts license what the words say: direction, negation, order, actor, cause |
//!
//! A text proves nothing by itself: what can't be read, or is read as something that the context does not hold, is refused.

mod agree;
mod calendar;
mod clause;
mod concept;
mod country;
mod currency;
mod fact;
mod figure;
mod finder;
mod fold;
mod given;
mod judge;
mod key;
mod lex;
mod lexicon;
mod licence;
mod mention;
mod name;
mod phrase;
mod severity;
mod signal;
mod vocabulary;
mod walk;

use std::cell::LazyCell;
use std::ops::Range;

use serde_json::Value;

use clause::{Around, Clauses};
pub use country::country_name;
use fact::{Class, FactWhat, Index};
use figure::{Figure, Unit, What};
use fold::Folded;
use given::{Given, Quoted};
use judge::Judge;
use lex::{Kind, Token};
use lexicon::LEVEL;
use licence::{CaseFacts, Found};
use mention::Mentions;
use name::Names;
use signal::Signals;

/// Characters of a refused figure that are repeated to its writer.
const QUOTE_CHARS_MAX: usize = 60;

/// An index of every fact in a context.
#[derive(Debug)]
pub struct Facts {
    index: Index,
    case: CaseFacts,
    given: Given,
}

impl Facts {
    pub fn of(context: &Value) -> Self {
        let mut index = Index::of(context);
        let given = Given::of(context, &mut index.signals);
        Self { index, case: CaseFacts::of(context), given }
    }
}

/// What a text claims, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    pub claims: Vec<Claim>,
    pub refused: Vec<Refused>,
    /// Every sentence with the facts that license it; empty where only figures were checked.
    pub sentences: Vec<Sentence>,
}

/// A sentence of a text, and what licenses it. Offsets are code points, `end` is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    pub start: usize,
    pub end: usize,
    /// JSON pointers, in order.
    pub facts: Vec<String>,
    /// Nothing in it is refused.
    pub is_licensed: bool,
}

/// A figure that is a fact. Offsets are code points, `end` is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub start: usize,
    pub end: usize,
    pub kind: ClaimKind,
    /// JSON pointer of the fact.
    pub path: String,
}

/// A figure that is no fact, or not the one that its sentence names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub start: usize,
    pub end: usize,
    pub kind: ClaimKind,
    pub reason: Reason,
    /// As it is written, bounded.
    quote: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Nowhere in the context.
    Absent,
    /// A fact, but another one than the sentence names.
    BelongsToAnother { path: String },
    /// Written so that its value can't be told.
    Unreadable,
    /// A word, relation or actor that no fact licenses.
    Unlicensed,
    /// The words say the opposite of a fact.
    Contradicts { path: String },
    /// A sentence that states no fact at all.
    Silent,
    /// A wording that the rules are not known to read.
    Unfamiliar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    Money,
    Number,
    Percentage,
    Date,
    Time,
    Duration,
    Count,
    Id,
    Country,
    Severity,
    Name,
    /// What is said without a figure.
    Word,
}

impl ClaimKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Money => "amount",
            Self::Number => "number",
            Self::Percentage => "percentage",
            Self::Date => "date",
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Count => "count",
            Self::Id => "id",
            Self::Country => "country",
            Self::Severity => "severity",
            Self::Name => "name",
            Self::Word => "word",
        }
    }

    fn of(what: &What) -> Self {
        match what {
            What::Date(_) | What::Stamp(..) => Self::Date,
            What::Clock(_) => Self::Time,
            What::Unreadable => Self::Number,
            What::Number(_, unit) => match unit {
                Unit::Money(_) | Unit::Currency(_) => Self::Money,
                Unit::Percent => Self::Percentage,
                Unit::Seconds(_) => Self::Duration,
                Unit::Count(_) | Unit::Ordinal(_) | Unit::NoneOf(_) => Self::Count,
                _ => Self::Number,
            },
        }
    }
}

impl Refused {
    /// For a record that must not repeat a text: a plain word by name, anything else by its kind.
    pub fn in_short(&self) -> String {
        let is_plain = self.quote.len() <= 24 && self.quote.bytes().all(|byte| byte.is_ascii_lowercase());
        match self.kind {
            ClaimKind::Word if is_plain => format!("\"{}\"", self.quote),
            ClaimKind::Word => "a relation".to_owned(),
            kind => format!("a {}", kind.as_str()),
        }
    }

    /// For the writer who is asked to correct it. Quotes at most 60 characters of what was written.
    pub fn describe(&self) -> String {
        let (kind, quote) = (self.kind.as_str(), &self.quote);
        match &self.reason {
            Reason::Absent => format!("The {kind} \"{quote}\" is nowhere in the context."),
            Reason::BelongsToAnother { path } => {
                format!(
                    "The {kind} \"{quote}\" is not what its sentence calls it; in the context it belongs to {path}."
                )
            }
            Reason::Unreadable => {
                format!("The {kind} \"{quote}\" can't be read; write it in digits as in the context.")
            }
            Reason::Unlicensed => format!("\"{quote}\" has no fact in the context."),
            Reason::Contradicts { path } => format!("\"{quote}\" contradicts the fact at {path}."),
            Reason::Silent => format!("The sentence \"{quote}\" states no fact of the context."),
            Reason::Unfamiliar => {
                format!("\"{quote}\" is a wording that can't be checked; say the same in a plainer sentence.")
            }
        }
    }
}

/// Checks every sentence: its figures, names, dates and severities, and that facts license its words. Linear in the text,
/// whatever it holds.
pub fn check(text: &str, facts: &Facts) -> Checked {
    read(text, facts, |report| {
        let licence = report.licence(facts, |_| false);
        report.checked(text, licence)
    })
}

/// Checks a text of somebody else than the built-in writer: as [`check`] does, and its wordings must be ones that the rules
/// are known to read. Sentences that `is_own` are the built-in writer's.
pub fn check_foreign(text: &str, facts: &Facts, is_own: impl Fn(&str) -> bool) -> Checked {
    read(text, facts, |report| {
        let letters: Vec<char> = text.chars().collect();
        let is_foreign = |sentence: &Range<usize>| {
            let (start, end) = report.span(sentence.start, sentence.end);
            !is_own(&letters[start..end].iter().collect::<String>())
        };
        let licence = report.licence(facts, is_foreign);
        report.checked(text, licence)
    })
}

/// Checks figures, dates, ids, countries, severities and names alone, for texts that are no report about a case.
pub fn check_figures(text: &str, facts: &Facts) -> Checked {
    read(text, facts, |report| report.checked(text, licence::Licence::default()))
}

/// Every sentence of a text as a line of the wordings that [`check_foreign`] knows.
pub fn wordings(text: &str, facts: &Facts) -> Vec<String> {
    read(text, facts, |report| licence::wordings(report.tokens, &facts.index, &facts.case, &report.found))
}

/// Finds the figures and names of a text, and hands them on with a verdict on each.
fn read<T>(text: &str, facts: &Facts, then: impl FnOnce(Report<'_>) -> T) -> T {
    let folded = Folded::of(text);
    let mut tokens = lex::tokens(&folded);
    let given = facts.given.take(&mut tokens);
    let mut report = Report { folded: &folded, tokens: &tokens, taken: vec![false; tokens.len()], found: Vec::new() };
    for (name, path) in &given.names {
        report.add(name.start, name.end, ClaimKind::Name, Ok(path.clone()));
    }
    let names = Names { folded: &folded, tokens: &tokens, index: &facts.index, case: &facts.case };
    let is_free = |taken: &[bool], named: &name::Named| !taken[named.start..named.end].contains(&true);
    for named in names.taken() {
        if !is_free(&report.taken, &named) {
            continue;
        }
        report.add(named.start, named.end, named.kind, named.verdict);
    }
    let figures = figure::figures(&folded, &tokens, &report.taken);
    let mentions = Mentions::of(&tokens, &figures, &facts.index.signals);
    report.figures(&figures, facts, &mentions, &given);
    report.countries(&mentions, facts);
    for at in (0..tokens.len()).filter(|at| tokens[*at].is(LEVEL)) {
        if let Some(verdict) = severity::judge(&tokens, at, &facts.index).filter(|_| !report.taken[at]) {
            report.add(at, at + 1, ClaimKind::Severity, verdict);
        }
    }
    for named in names.rest(&report.taken) {
        report.add(named.start, named.end, named.kind, named.verdict);
    }
    report.found.sort_by_key(|found| found.start);
    then(report)
}

/// The verdicts so far, and which tokens they are about.
struct Report<'a> {
    folded: &'a Folded<'a>,
    tokens: &'a [Token<'a>],
    taken: Vec<bool>,
    found: Vec<Found>,
}

impl Report<'_> {
    fn add(&mut self, start: usize, end: usize, kind: ClaimKind, verdict: Result<String, Reason>) {
        self.add_figure(start, end, kind, verdict, None);
    }

    fn add_figure(
        &mut self,
        start: usize,
        end: usize,
        kind: ClaimKind,
        verdict: Result<String, Reason>,
        what: Option<What>,
    ) {
        self.taken[start..end].fill(true);
        self.found.push(Found { start, end, kind, verdict, what });
    }

    fn figures(&mut self, figures: &[Figure], facts: &Facts, mentions: &Mentions<'_>, given: &Quoted) {
        let arounds = Clauses::of(self.tokens, figures).all();
        let judge = Judge { index: &facts.index, tokens: self.tokens, mentions };
        for (at, (figure, around)) in figures.iter().zip(&arounds).enumerate() {
            let beside = at.checked_sub(1).map(|before| &figures[before]).filter(|date| self.is_beside(date, figure));
            // A time right after its date is of the day and of what the day is of.
            let around = if beside.is_some() { &arounds[at - 1] } else { around };
            let named = given.figures.iter().find(|(at, _)| *at == figure.start);
            if let Some((_, paths)) = named {
                self.add(figure.start, figure.end, ClaimKind::Number, judge.named(figure, paths));
                continue;
            }
            let verdict = match self.id_number(figure, facts) {
                Some(path) => Some((ClaimKind::Id, Ok(path))),
                None => judge.judge(figure, around, beside).map(|verdict| (ClaimKind::of(&figure.what), verdict)),
            };
            // Two things may be of one day; the time tells which is meant.
            if let (Some((_, Ok(path))), Some(_), Some(date)) = (&verdict, beside, self.found.last_mut())
                && date.verdict.is_ok()
                && date.kind == ClaimKind::Date
            {
                date.verdict = Ok(path.clone());
            }
            if let Some((kind, verdict)) = verdict {
                self.add_figure(figure.start, figure.end, kind, verdict, Some(figure.what.clone()));
            }
        }
    }

    /// A date with only `at` or a comma between it and a time.
    fn is_beside(&self, date: &Figure, time: &Figure) -> bool {
        let links = |token: &Token<'_>| {
            matches!(token.kind, Kind::Mark(',' | '(')) || ["at", "and", "on"].contains(&token.lower.as_ref())
        };
        matches!((&date.what, &time.what), (What::Date(_), What::Clock(_)))
            && time.start - date.end <= 2
            && self.tokens[date.end..time.start].iter().all(links)
    }

    /// A number that is an id: by the words before it, or because it is long and the context has it as one.
    fn id_number(&self, figure: &Figure, facts: &Facts) -> Option<String> {
        let What::Number(_, Unit::Bare | Unit::Count(_)) = figure.what else { return None };
        let text = self.tokens[figure.start].text;
        let word = |back: usize| figure.start.checked_sub(back).map_or("", |at| self.tokens[at].lower.as_ref());
        if ["in", "with"].contains(&word(1)) && word(2).starts_with("end") {
            let ends = |id: &&String| id.starts_with("***") && id.ends_with(text);
            return facts.index.redacted.iter().find(ends).and_then(|id| facts.index.ids.get(id)).cloned();
        }
        let is_called = ["id", "identifier", "transaction", "alert", "user", "customer", "investigation", "number"]
            .contains(&word(1));
        if is_called || text.len() >= 6 { facts.index.ids.get(text).cloned() } else { None }
    }

    fn countries(&mut self, mentions: &Mentions<'_>, facts: &Facts) {
        for mention in mentions.all_countries() {
            if !self.taken[mention.start] {
                let verdict = facts.index.countries.get(mention.code).cloned().ok_or(Reason::Absent);
                self.add(mention.start, mention.end, ClaimKind::Country, verdict);
            }
        }
    }

    /// Where tokens stand in the text, in code points.
    fn span(&self, first: usize, end: usize) -> (usize, usize) {
        self.folded.span(self.tokens[first].start, self.tokens[end - 1].end)
    }

    /// Checks the words of a text about a case. `is_foreign` tells whether a sentence, given by its tokens, is not the built-in
    /// writer's own.
    fn licence(&self, facts: &Facts, is_foreign: impl Fn(&Range<usize>) -> bool) -> licence::Licence {
        if !facts.case.is_case() {
            return licence::Licence::default();
        }
        licence::licence(self.tokens, &facts.index, &facts.case, &self.found, is_foreign)
    }

    fn checked(self, text: &str, licence: licence::Licence) -> Checked {
        // Asked for only by what is refused.
        let letters = LazyCell::new(|| text.chars().collect::<Vec<char>>());
        let span = |first: usize, last: usize| self.folded.span(self.tokens[first].start, self.tokens[last - 1].end);
        let mut checked = Checked::default();
        let mut refuse = |first: usize, last: usize, kind: ClaimKind, reason: Reason| {
            let (start, end) = span(first, last);
            let shown = letters[start..end].iter().filter(|letter| !letter.is_control());
            let quote = shown.take(QUOTE_CHARS_MAX).collect();
            checked.refused.push(Refused { start, end, kind, reason, quote });
        };
        let mut claims = Vec::with_capacity(self.found.len());
        for Found { start: first, end: last, kind, verdict, .. } in self.found {
            match verdict {
                Ok(path) => {
                    let (start, end) = span(first, last);
                    claims.push(Claim { start, end, kind, path });
                }
                Err(reason) => refuse(first, last, kind, reason),
            }
        }
        for (first, last, reason) in licence.refused {
            refuse(first, last, ClaimKind::Word, reason);
        }
        checked.refused.sort_by_key(|refused| refused.start);
        checked.claims = claims;
        let refused = &checked.refused;
        let sentences = licence.sentences.into_iter().map(|(range, facts)| {
            let (start, end) = span(range.start, range.end);
            let is_licensed = !refused.iter().any(|refused| (start..end).contains(&refused.start));
            Sentence { start, end, facts, is_licensed }
        });
        checked.sentences = sentences.collect();
        checked
    }
}

/// A figure in a sentence of the context, with what it is called there and the window that is named.
type Embedded = (FactWhat, u64, Option<u64>);

/// The figures and the countries of a sentence in the context.
fn embedded(text: &str) -> (Vec<Embedded>, Vec<&'static str>) {
    let folded = Folded::of(text);
    let tokens = lex::tokens(&folded);
    let figures = figure::figures(&folded, &tokens, &vec![false; tokens.len()]);
    let mentions = Mentions::of(&tokens, &figures, &Signals::default());
    let arounds = Clauses::of(&tokens, &figures).all();
    let told = |(figure, around): (&Figure, &Around)| {
        let noun = if let What::Number(_, Unit::Count(noun)) = figure.what { tokens[noun].concepts } else { 0 };
        let concepts = around.before | around.naming | noun;
        Some((fact_of(figure)?, concepts & !concept::ONE, mentions.window(figure, around)))
    };
    let countries = mentions.all_countries().iter().map(|mention| mention.code).collect();
    (figures.iter().zip(&arounds).filter_map(told).collect(), countries)
}

fn fact_of(figure: &Figure) -> Option<FactWhat> {
    let What::Number(quantity, unit) = &figure.what else { return None };
    let class = match unit {
        Unit::Currency(code) => return Some(FactWhat::Money(quantity.value, *code)),
        Unit::Money(codes) => return Some(FactWhat::Money(quantity.value, codes.first()?.as_bytes().try_into().ok()?)),
        Unit::Percent => Class::Percent,
        Unit::Times => Class::Ratio,
        Unit::Seconds(seconds) => Class::Duration(*seconds),
        Unit::Km => Class::Km,
        Unit::Kmh => Class::Kmh,
        Unit::Points => Class::Points,
        Unit::Count(_) => Class::Count,
        Unit::Bare => Class::Measure,
        Unit::OutOf(_) | Unit::Ordinal(_) | Unit::NoneOf(_) => return None,
    };
    let value = if figure.negative { -quantity.value } else { quantity.value };
    Some(FactWhat::Number(value, class))
}
