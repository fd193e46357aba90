//! A sentence as the licence reads it: items (words, claims, signals, idioms) in clauses.

use std::ops::Range;
use std::sync::LazyLock;

use countersign_text::hash::fnv64;

use super::case::CaseFacts;
use super::words::{self as w, Word, Words, words};
use super::{ClaimKind, Found};
use crate::country;
use crate::fact::Index;
use crate::figure::What;
use crate::fold::{spoken, without_apostrophes};
use crate::lex::{Kind, Token};

/// One word, claim, signal's name, idiom or mark.
#[derive(Debug, Clone)]
pub(crate) struct Item<'a> {
    /// Tokens of the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) lower: &'a str,
    /// Of `lower`.
    pub(crate) hash: u64,
    pub(crate) topics: u64,
    pub(crate) acts: u64,
    pub(crate) claim: Option<(&'a str, ClaimKind)>,
    /// The value and unit of a claim that is a figure.
    pub(crate) what: Option<&'a What>,
    pub(crate) signal: Option<Named>,
    pub(crate) mark: Option<char>,
    /// No word of the vocabulary, no fact's name.
    pub(crate) is_unknown: bool,
    /// A numeral that is no claim.
    pub(crate) is_number: bool,
    /// The country that a claim names.
    pub(crate) country: Option<&'static str>,
    /// `customer's`.
    pub(crate) is_possessive: bool,
    /// A claim of a signal's details.
    pub(crate) is_detail: bool,
    /// A claim of a rule that held: its name, its weight or its message.
    pub(crate) is_of_rule: bool,
}

/// A signal that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// Its place in the case's signals.
    Known(usize),
    /// One of the detector's own that the alert says nothing about.
    Missing,
}

// Rules ask these of every item, tens of times each, from other files: without the hint they are calls.
impl<'a> Item<'a> {
    #[inline]
    pub(crate) fn is(&self, acts: u64) -> bool {
        self.acts & acts != 0
    }

    #[inline]
    pub(crate) fn about(&self, topics: u64) -> bool {
        self.topics & topics != 0
    }

    /// One of the words of a list.
    #[inline]
    pub(crate) fn is_any(&self, words: &Words) -> bool {
        words.has(self.hash)
    }

    /// A mark or an article: no rule starts from one.
    #[inline]
    pub(crate) fn is_silent(&self) -> bool {
        self.mark.is_some() || self.is_any(words!["the", "a", "an"])
    }

    #[inline]
    pub(crate) fn path(&self) -> Option<&'a str> {
        self.claim.map(|(path, _)| path)
    }

    /// A rule by its name, not by its weight.
    #[inline]
    pub(crate) fn names_rule(&self) -> bool {
        self.is_of_rule && self.claim.is_some_and(|(_, kind)| kind != ClaimKind::Number)
    }
}

#[derive(Default)]
pub(crate) struct Sentence<'a> {
    pub(crate) items: Vec<Item<'a>>,
    /// Parts with a predicate of their own, in order; together they are the whole sentence.
    pub(crate) clauses: Vec<Range<usize>>,
    /// The place of each item's clause.
    clause_at: Vec<u16>,
    /// Topics and acts of each clause, and of the whole: they are asked for at every item.
    sums: Vec<(u64, u64)>,
    whole: (u64, u64),
}

impl<'a> Sentence<'a> {
    /// Reads a sentence in place of the one before: a text has many, and they share the memory that the first one took.
    pub(crate) fn read(&mut self, reader: &Reader<'a>, tokens: Range<usize>) {
        let Self { items, clauses, clause_at, sums, whole } = self;
        items.clear();
        items.reserve(tokens.len());
        let mut at = tokens.start;
        let mut found = reader.found.partition_point(|found| found.start < at);
        // A quotation may hold what looks like the end of a sentence.
        at = found.checked_sub(1).map_or(at, |before| at.max(reader.found[before].end.min(tokens.end)));
        while at < tokens.end {
            if let Some(claim) = reader.found.get(found).filter(|claim| claim.start == at) {
                found += 1;
                items.push(reader.claim(claim, tokens.end));
                at = claim.end.max(at + 1);
                // Verdicts may overlap; the first one counts.
                while reader.found.get(found).is_some_and(|next| next.start < at) {
                    found += 1;
                }
                continue;
            }
            let next_claim = reader.found.get(found).map_or(tokens.end, |next| next.start.min(tokens.end));
            let item = reader.item(at, next_claim);
            at = item.end;
            items.push(item);
        }
        without_verbs(items);
        clauses.clear();
        split(items, clauses);
        let sum = |items: &[Item<'_>]| items.iter().fold((0, 0), |all, item| (all.0 | item.topics, all.1 | item.acts));
        sums.clear();
        sums.extend(clauses.iter().map(|clause| sum(&items[clause.clone()])));
        *whole = sums.iter().fold((0, 0), |all, sum| (all.0 | sum.0, all.1 | sum.1));
        clause_at.clear();
        for (clause, at) in clauses.iter().zip(0_u16..) {
            clause_at.resize(clause.end, at);
        }
    }

    #[inline]
    pub(crate) fn clause_of(&self, at: usize) -> Range<usize> {
        let clause = self.clause_at.get(at).and_then(|clause| self.clauses.get(usize::from(*clause)));
        clause.cloned().unwrap_or(0..self.items.len())
    }

    #[inline]
    fn known(&self, range: &Range<usize>) -> Option<(u64, u64)> {
        if range.start == 0 && range.end == self.items.len() {
            return Some(self.whole);
        }
        let at = usize::from(*self.clause_at.get(range.start)?);
        (self.clauses[at] == *range).then(|| self.sums[at])
    }

    #[inline]
    pub(crate) fn topics(&self, range: Range<usize>) -> u64 {
        if let Some((topics, _)) = self.known(&range) {
            return topics;
        }
        self.items[range].iter().fold(0, |all, item| all | item.topics)
    }

    #[inline]
    pub(crate) fn acts(&self, range: Range<usize>) -> u64 {
        if let Some((_, acts)) = self.known(&range) {
            return acts;
        }
        self.items[range].iter().fold(0, |all, item| all | item.acts)
    }

    pub(crate) fn signals(&self, range: Range<usize>) -> Vec<Named> {
        self.items[range].iter().filter_map(|item| item.signal).collect()
    }

    #[inline]
    pub(crate) fn has_word(&self, range: Range<usize>, words: &Words) -> bool {
        self.items[range].iter().any(|item| item.is_any(words))
    }

    /// Whether the word at `at` is denied: by "not" before it, or by "no" on the subject of its verb.
    pub(crate) fn is_negated(&self, at: usize) -> bool {
        let clause = self.clause_of(at);
        let before = &self.items[clause.start..at];
        let is_verb = |item: &&Item<'_>| item.is(w::VERB) && !item.is_any(AUXILIARY);
        // "not" reaches the next verb or the next comparison and no further.
        let not = before.iter().rposition(|item| item.is(w::NOT));
        if let Some(not) = not
            && !before[not..].iter().any(|item| is_verb(&item) || item.mark == Some(','))
        {
            return true;
        }
        // "no X fired", "none of them fired", "neither X nor Y fired", "nothing exceeded": the subject is denied.
        let no = before.iter().position(|item| item.is(w::NO | w::NOTHING) || item.lower == "nor");
        no.is_some_and(|no| {
            !before[..no].iter().any(|item| item.is(w::VERB)) && !before[no..].iter().any(|item| is_verb(&item))
        })
    }
}

pub(crate) const AUXILIARY: &Words =
    words!["was", "were", "is", "are", "be", "been", "being", "had", "has", "have", "having", "did", "do", "does"];

/// What stands between a preposition and its noun.
pub(crate) const ARTICLES: &Words =
    words!["the", "this", "a", "an", "that", "same", "own", "its", "their", "any", "every"];

/// "the record", "its report": a noun, though the word can be a verb.
fn without_verbs(items: &mut [Item<'_>]) {
    const DETERMINERS: &Words = words!["the", "a", "an", "this", "that", "its", "their", "whose", "same"];
    for at in 1..items.len() {
        let before = &items[at - 1];
        let is_noun = before.is_any(DETERMINERS) || before.is_possessive || before.is(w::PRIOR);
        // "no measured signal": an adjective.
        let is_described = before.is(w::NO) || is_noun || before.lower == "any";
        let item = &mut items[at];
        if is_described && item.is_any(words!["measured", "stated", "recorded", "known", "reported"]) {
            item.acts = 0;
            continue;
        }
        if is_noun && item.topics & !w::COMPOSITION & !w::FIRST_SEEN != 0 && item.is(w::VERB) && item.claim.is_none() {
            item.acts = 0;
        }
    }
}

/// Splits a sentence where a new predicate starts.
fn split(items: &[Item<'_>], clauses: &mut Vec<Range<usize>>) {
    const AFTER_COMMA: &Words =
        words!["and", "but", "which", "where", "whose", "while", "whereas", "although", "though", "so", "when", "who"];
    const ALONE: &Words = words!["because", "but", "while", "whereas", "although", "though", "so"];
    let mut from = 0;
    for at in 1..items.len() {
        let item = &items[at];
        let after_comma = items[at - 1].mark == Some(',');
        let is_break = matches!(item.mark, Some(';' | ':' | '(' | ')' | '—' | '–'))
            || item.is_any(ALONE)
            || after_comma && (item.is_any(AFTER_COMMA) || item.is(w::BECAUSE | w::THEREFORE))
            || item.lower == "and" && starts_clause(items, from, at);
        if is_break {
            clauses.push(from..at);
            from = at;
        }
    }
    clauses.push(from..items.len());
}

/// Whether "and" joins two predicates: a verb stands before it, and what follows has a subject and a verb of its own.
fn starts_clause(items: &[Item<'_>], from: usize, and: usize) -> bool {
    let has_verb_before = items[from..and].iter().any(|item| item.is(w::VERB));
    let rest = &items[and + 1..];
    let verb = rest.iter().position(|item| item.is(w::VERB));
    let stop = rest.iter().position(|item| item.mark.is_some_and(|mark| mark != '"' && mark != '`' && mark != '-'));
    let Some(verb) = verb.filter(|verb| stop.is_none_or(|stop| *verb < stop)) else { return false };
    let has_subject = rest[..verb].iter().any(|item| item.topics != 0 || item.signal.is_some() || item.lower == "it");
    has_verb_before && has_subject
}

pub(crate) struct Reader<'a> {
    pub(crate) tokens: &'a [Token<'a>],
    pub(crate) index: &'a Index,
    pub(crate) case: &'a CaseFacts,
    /// Tokens that stand in quotation marks.
    pub(crate) quoted: Vec<bool>,
    /// Verdicts on figures and names, by their first token.
    pub(crate) found: &'a [Found],
}

impl<'a> Reader<'a> {
    fn claim(&self, found: &'a Found, end: usize) -> Item<'a> {
        let token = &self.tokens[found.start];
        let mut item = Item { end: found.end.min(end), ..blank(found.start) };
        match &found.verdict {
            Ok(path) => {
                item.claim = Some((path, found.kind));
                item.what = found.what.as_ref();
                item.signal = self.signal_named(path, found.kind);
                // Most facts stand near the top, as `/score/total` does, and need no search.
                if path.bytes().filter(|byte| *byte == b'/').count() > 2 {
                    (item.is_detail, item.is_of_rule) = (path.contains("/details/"), path.contains("/flags/"));
                }
            }
            // It is refused already, and says nothing more.
            Err(_) => item.lower = "",
        }
        // A count's noun belongs to the claim and still tells what the clause is about.
        let is_name = matches!(found.kind, ClaimKind::Name | ClaimKind::Id | ClaimKind::Country);
        for token in self.tokens[found.start..item.end].iter().filter(|_| !is_name) {
            let known = token.word.unwrap_or_default();
            item.topics |= known.topics & !w::VALUE;
            item.acts |= known.acts & (w::PRIOR | w::SIMILAR);
            if found.kind == ClaimKind::Count {
                item.acts |= known.acts & w::NO;
            }
        }
        if item.path() == Some("/transaction/merchant") {
            item.topics |= w::MERCHANT;
        }
        if found.kind == ClaimKind::Country {
            item.country = self.country(found.start, item.end);
        }
        if found.kind == ClaimKind::Severity {
            item.topics |= w::SEVERITY;
        }
        if item.claim.is_some() && matches!(token.kind, Kind::Word) {
            (item.lower, item.hash) = (token.lower.as_ref(), token.hash);
        }
        item
    }

    fn country(&self, start: usize, end: usize) -> Option<&'static str> {
        let words: Vec<_> = self.words(start, end).map(|(_, word)| without_apostrophes(word)).collect();
        let only = &self.tokens[start];
        country::code_of(&words.join(" "))
            .or_else(|| country::known_code(only.text))
            .or_else(|| country::code_of_adjective(&only.lower))
    }

    /// Whether an item has one of these words.
    pub(crate) fn has_word(&self, item: &Item<'_>, words: &Words) -> bool {
        self.tokens[item.start..item.end].iter().any(|token| words.has(token.hash))
    }

    /// A whole number at the start of an item, in digits or as a small word.
    pub(crate) fn number(&self, item: &Item<'_>) -> Option<u64> {
        let token = &self.tokens[item.start];
        let small = super::SMALL.iter().position(|word| token.is_word(word)).map(|number| number as u64);
        small.or_else(|| token.text.replace(',', "").parse().ok())
    }

    /// The first word of an item, as it is written.
    pub(crate) fn text(&self, item: &Item<'_>) -> &'a str {
        self.tokens[item.start].text
    }

    /// The words of an item, as names are compared.
    pub(crate) fn spoken(&self, item: &Item<'_>) -> String {
        let words = self.tokens[item.start..item.end].iter().filter(|token| !matches!(token.kind, Kind::Mark(_)));
        spoken(&words.map(|token| token.text).collect::<Vec<_>>().join(" "))
    }

    /// A name that is a signal's: `/signals/2/name`.
    fn signal_named(&self, path: &str, kind: ClaimKind) -> Option<Named> {
        let rest = path.strip_prefix("/signals/").filter(|_| kind == ClaimKind::Name || kind == ClaimKind::Id)?;
        let (place, field) = rest.split_once('/')?;
        let place: usize = place.parse().ok()?;
        (field == "name" && place < self.case.signals.len()).then_some(Named::Known(place))
    }

    fn item(&self, at: usize, stop: usize) -> Item<'a> {
        // Few words start anything longer than themselves.
        let token = &self.tokens[at];
        let is_plain = matches!(token.kind, Kind::Word) && !token.opens_run && !self.may_be_called(at);
        if is_plain {
            return self.word(at);
        }
        if let Some((signal, end)) = self.signal(at, stop) {
            return Item { end, topics: w::SIGNAL, signal: Some(signal), ..blank(at) };
        }
        if let Some((idiom, end)) = self.idiom(at, stop) {
            let is_possessive = is_possessive(&self.tokens[end - 1]);
            return Item {
                end,
                topics: idiom.topics,
                acts: idiom.acts,
                lower: IDIOM,
                hash: IDIOM_HASH,
                is_possessive,
                ..blank(at)
            };
        }
        let token = &self.tokens[at];
        match token.kind {
            Kind::Mark(mark) => Item { mark: Some(mark), ..blank(at) },
            Kind::Word => self.word(at),
            Kind::Signal(_) | Kind::Given => blank(at),
            Kind::Ident | Kind::Id => Item { lower: &token.lower, is_unknown: !self.is_key(at), ..blank(at) },
            Kind::Number(_) | Kind::Date(_) | Kind::Clock(_) | Kind::Stamp(..) | Kind::Odd => {
                Item { is_number: true, lower: token.text, ..blank(at) }
            }
        }
    }

    fn word(&self, at: usize) -> Item<'a> {
        let token = &self.tokens[at];
        let lower: &str = &token.lower;
        let known = token.word;
        let is_letter = lower == "a" || self.quoted[at] && lower.chars().count() == 1;
        let is_quoted = self.is_category(at);
        let Word { topics, acts } = known.filter(|_| !is_quoted).unwrap_or_default();
        Item {
            lower,
            hash: token.hash,
            topics,
            acts,
            is_unknown: known.is_none() && !is_letter && !self.is_key(at) && !is_quoted,
            is_possessive: is_possessive(token),
            ..blank(at)
        }
    }

    /// The name of a sender's field, in quotation marks: `"chargebacks 30d"`.
    fn is_key(&self, at: usize) -> bool {
        self.quoted[at] && self.tokens[at].lower.split('_').all(|part| self.index.phrases.is_ordinary(part))
    }

    /// The category or the funds as the sender wrote them, behind their own noun: `in the category sporting goods`.
    fn is_category(&self, at: usize) -> bool {
        const LABELS: [(u64, &str); 3] =
            [(w::CATEGORY, "category"), (w::SOURCE, "source"), (w::DESTINATION, "destination")];
        let token = &self.tokens[at];
        if !self.case.texts.iter().any(|(_, text)| text.split(' ').any(|word| token.is_word(word))) {
            return false;
        }
        let before = &self.tokens[at.saturating_sub(10)..at];
        let Some(label) = before.iter().rev().find_map(|token| LABELS.iter().find(|(_, label)| token.is_word(label)))
        else {
            return false;
        };
        let mut texts = self.case.texts.iter().filter(|(topic, _)| *topic == label.0);
        texts.any(|(_, text)| text.split(' ').any(|word| token.is_word(word)))
    }

    fn words(&self, at: usize, stop: usize) -> impl Iterator<Item = (usize, &'a str)> {
        let is_joint = |token: &Token<'_>| matches!(token.kind, Kind::Mark('-')) && token.glued;
        (at..stop).filter(move |at| !is_joint(&self.tokens[*at])).map(|at| {
            (at, if matches!(self.tokens[at].kind, Kind::Word) { self.tokens[at].lower.as_ref() } else { "" })
        })
    }

    /// The end of a run of words that starts at `at`, hyphens left out.
    fn runs(&self, at: usize, stop: usize, wanted: &[&str]) -> Option<usize> {
        let mut words = self.words(at, stop);
        let mut end = at;
        for want in wanted {
            let (place, found) = words.next()?;
            if found != *want {
                return None;
            }
            end = place + 1;
        }
        Some(end)
    }

    /// A sender's signal is named in quotation marks or behind its noun.
    fn may_be_called(&self, at: usize) -> bool {
        at > 0
            && (matches!(self.tokens[at - 1].kind, Kind::Mark('"' | '`'))
                || words!["signal", "indicator", "check"].has(self.tokens[at - 1].hash))
    }

    fn signal(&self, at: usize, stop: usize) -> Option<(Named, usize)> {
        let token = &self.tokens[at];
        if matches!(token.kind, Kind::Ident) {
            let spoken = token.lower.replace('_', " ");
            if let Some(known) = self.case.signal(&spoken) {
                return Some((Named::Known(known), at + 1));
            }
            return OWN.contains(&spoken.as_str()).then_some((Named::Missing, at + 1));
        }
        if !matches!(token.kind, Kind::Word) {
            return None;
        }
        let own = self.own_signal(at, stop);
        if let Some((name, end)) = own {
            return Some((self.case.signal(name).map_or(Named::Missing, Named::Known), end));
        }
        let is_quoted = at > 0 && matches!(self.tokens[at - 1].kind, Kind::Mark('"' | '`'));
        let is_called = at > 0 && words!["signal", "indicator", "check"].has(self.tokens[at - 1].hash);
        if !is_quoted && !is_called {
            return None;
        }
        self.case.signals.iter().enumerate().find_map(|(place, signal)| {
            (!signal.name.is_empty()).then_some(())?;
            Some((Named::Known(place), self.runs(at, stop, &signal.name.split(' ').collect::<Vec<_>>())?))
        })
    }

    /// One of the detector's signals by any of its names, and where the name ends.
    fn own_signal(&self, at: usize, stop: usize) -> Option<(&'static str, usize)> {
        static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
            let spoken = OWN.iter().map(|name| (*name, *name)).chain(SPOKEN.iter().copied());
            spoken.map(|(spoken, name)| Name::of(spoken, name)).collect()
        });
        let first = self.tokens[at].hash;
        let mut named = NAMES.iter().filter(|name| name.first == first);
        named.find_map(|name| Some((name.name, self.runs(at, stop, &name.words)?)))
    }

    fn idiom(&self, at: usize, stop: usize) -> Option<(Word, usize)> {
        if !matches!(self.tokens[at].kind, Kind::Word) {
            return None;
        }
        // By the hash of their first words, so that only those which can match are looked at.
        static SORTED: LazyLock<Vec<Idiom>> = LazyLock::new(|| {
            let mut idioms: Vec<Idiom> = IDIOMS.iter().map(Idiom::of).collect();
            idioms.sort_by_key(|idiom| idiom.first);
            idioms
        });
        let first = self.tokens[at].hash;
        let from = SORTED.partition_point(|idiom| idiom.first < first);
        SORTED[from..]
            .iter()
            .take_while(|idiom| idiom.first == first)
            .filter_map(|idiom| Some((idiom.said, self.runs(at, stop, &idiom.words)?)))
            .max_by_key(|(_, end)| *end)
    }
}

/// What one of the detector's signals is called.
struct Name {
    /// Hash of the first word.
    first: u64,
    words: Vec<&'static str>,
    name: &'static str,
}

impl Name {
    fn of(spoken: &'static str, name: &'static str) -> Self {
        let words: Vec<&str> = spoken.split(' ').collect();
        Self { first: fnv64::hash(words[0].as_bytes()), words, name }
    }
}

/// Words that say together what none of them says alone.
struct Idiom {
    /// Hash of the first word.
    first: u64,
    words: Vec<&'static str>,
    said: Word,
}

impl Idiom {
    fn of((words, topics, acts): &(&'static str, u64, u64)) -> Self {
        let words: Vec<&str> = words.split(' ').collect();
        Self { first: fnv64::hash(words[0].as_bytes()), words, said: Word { topics: *topics, acts: *acts } }
    }
}

/// The first words of idioms and of signals' names.
pub(crate) fn run_openers() -> impl Iterator<Item = &'static str> {
    let runs = IDIOMS.iter().map(|(run, ..)| *run).chain(OWN).chain(SPOKEN.iter().map(|(run, _)| *run));
    runs.filter_map(|run| run.split(' ').next())
}

/// Stands for an idiom's words.
pub(crate) const IDIOM: &str = "~";
const IDIOM_HASH: u64 = fnv64::hash(IDIOM.as_bytes());

fn is_possessive(token: &Token<'_>) -> bool {
    matches!(token.text.as_bytes(), [.., b'\'', b's'] | [.., b's', b'\''])
}

fn blank<'a>(at: usize) -> Item<'a> {
    Item {
        start: at,
        end: at + 1,
        lower: "",
        hash: 0,
        topics: 0,
        acts: 0,
        claim: None,
        what: None,
        signal: None,
        mark: None,
        is_unknown: false,
        is_number: false,
        country: None,
        is_possessive: false,
        is_detail: false,
        is_of_rule: false,
    }
}

/// The detector's signals, as they are spoken of.
const OWN: [&str; 4] = ["amount deviation", "velocity anomaly", "geographic inconsistency", "rule flags"];
const SPOKEN: &[(&str, &str)] = &[
    ("amount check", "amount deviation"),
    ("amount signal", "amount deviation"),
    ("amount indicator", "amount deviation"),
    ("deviation signal", "amount deviation"),
    ("velocity check", "velocity anomaly"),
    ("velocity signal", "velocity anomaly"),
    ("velocity indicator", "velocity anomaly"),
    ("geographic check", "geographic inconsistency"),
    ("geographic signal", "geographic inconsistency"),
    ("geographic indicator", "geographic inconsistency"),
    ("geographical inconsistency", "geographic inconsistency"),
    ("location check", "geographic inconsistency"),
    ("travel check", "geographic inconsistency"),
    ("rule check", "rule flags"),
    ("rule signal", "rule flags"),
    ("rule based signal", "rule flags"),
];

/// Runs of words that mean something together.
const IDIOMS: &[(&str, u64, u64)] = &[
    ("up to", 0, 0),
    ("went through", 0, w::COMPLETE | w::VERB),
    ("go through", 0, w::COMPLETE | w::VERB),
    ("went to", 0, w::VERB),
    ("according to", 0, 0),
    ("could not be", 0, w::NOT),
    ("could be", 0, w::COULD),
    ("would have required", 0, w::NEED | w::VERB),
    ("would have needed", 0, w::NEED | w::VERB),
    ("in all", 0, 0),
    ("until then", 0, w::PRIOR),
    ("outside sender", w::SENDER, 0),
    ("external sender", w::SENDER, 0),
    ("external source", w::SENDER, 0),
    ("make up", w::COMPOSITION, w::VERB),
    ("makes up", w::COMPOSITION, w::VERB),
    ("passed between", 0, w::VERB),
    ("stops at", w::CAP, w::VERB),
    ("stopped at", w::CAP, w::VERB),
    ("limited to", w::CAP, w::VERB),
    ("as large", 0, 0),
    ("too close in time", 0, 0),
    ("as well", 0, 0),
    ("on record", w::RECORD, w::STATE),
    ("in the record", w::RECORD, 0),
    ("part of the record", w::RECORD, w::STATE),
    ("followed from", 0, w::BECAUSE | w::VERB),
    ("follows from", 0, w::BECAUSE | w::VERB),
    ("resulted from", 0, w::BECAUSE | w::VERB),
    ("arose from", 0, w::BECAUSE | w::VERB),
    ("stemmed from", 0, w::BECAUSE | w::VERB),
    ("account holder", w::CUSTOMER, 0),
    ("account holders", w::CUSTOMER, 0),
    ("outside system", w::SENDER, 0),
    ("external system", w::SENDER, 0),
    ("risk score", w::SCORE, 0),
    ("card present", w::CHANNEL, w::CARD | w::HELD),
    ("card not present", w::CHANNEL, w::CARD | w::ONLINE),
    ("cash machine", w::CHANNEL, w::CASH),
    ("stood out", 0, w::UNUSUAL | w::VERB),
    ("stand out", 0, w::UNUSUAL | w::VERB),
    ("stands out", 0, w::UNUSUAL | w::VERB),
    ("took place", 0, w::VERB),
    ("take place", 0, w::VERB),
    ("taken place", 0, w::VERB),
    ("taking place", 0, w::VERB),
    ("takes place", 0, w::VERB),
    ("carried out", 0, w::VERB),
    ("made up of", w::COMPOSITION, w::VERB),
    ("made up", w::COMPOSITION, w::VERB),
    ("added up", 0, w::VERB),
    ("adds up", 0, w::VERB),
    ("add up", 0, w::VERB),
    ("adding up", 0, w::VERB),
    ("took up", 0, w::VERB),
    ("taken up", 0, w::VERB),
    ("in force", 0, 0),
    ("out of", 0, 0),
    ("at most", 0, w::DOWN),
    ("at least", 0, w::UP),
    ("this one included", 0, 0),
    ("from first to last", 0, 0),
    ("due to", 0, w::BECAUSE),
    ("as a result of", 0, w::BECAUSE),
    ("as a result", 0, w::THEREFORE),
    ("resulted in", 0, w::LEAD | w::VERB),
    ("resulting in", 0, w::LEAD | w::VERB),
    ("led to", 0, w::LEAD | w::VERB),
    ("leads to", 0, w::LEAD | w::VERB),
    ("leading to", 0, w::LEAD | w::VERB),
    ("gave rise to", 0, w::LEAD | w::VERB),
    ("led by", 0, w::HEAVIEST),
    ("prior to", 0, w::BEFORE),
    ("most recent", 0, w::LAST),
    ("as much as", 0, 0),
    ("not seen before", 0, w::NEW),
    ("never seen before", 0, w::NEW),
    ("more than", 0, w::UP),
    ("less than", 0, w::DOWN),
    ("fewer than", 0, w::DOWN),
    ("higher than", 0, w::UP),
    ("greater than", 0, w::UP),
    ("larger than", 0, w::UP),
    ("lower than", 0, w::DOWN),
    ("smaller than", 0, w::DOWN),
    ("in excess of", 0, w::UP),
    ("short of", 0, w::DOWN),
    ("too little history", w::HISTORY, w::ABSENT),
    ("insufficient history", w::HISTORY, w::ABSENT),
    ("not enough history", w::HISTORY, w::ABSENT),
    ("was made by", 0, w::MADE | w::VERB),
    ("were made by", 0, w::MADE | w::VERB),
    ("source of funds", w::SOURCE, 0),
    ("source of the funds", w::SOURCE, 0),
    ("destination of funds", w::DESTINATION, 0),
    ("destination of the funds", w::DESTINATION, 0),
    ("network address", w::NETWORK, 0),
    ("ip address", w::NETWORK, 0),
    ("device fingerprint", w::DEVICE, 0),
    ("cut off", w::THRESHOLD, 0),
    ("left out", 0, w::VERB),
    ("set apart", 0, w::UNUSUAL | w::VERB),
    ("first seen", w::FIRST_SEEN, w::VERB),
    ("how long", w::FIRST_SEEN, w::HOW),
    ("in the same currency", w::SAME_CURRENCY, 0),
    ("as well as", 0, 0),
    ("rather than", 0, w::NOT),
    ("instead of", 0, w::NOT),
    ("regulatory impact", w::IMPACT, 0),
    ("structured data", w::REPORT, 0),
    ("at the same time", 0, 0),
    ("at the time", 0, 0),
    ("at that time", 0, 0),
    ("at the time of", 0, 0),
    ("over time", 0, w::FELL),
    ("made by", 0, w::MADE | w::VERB),
];
