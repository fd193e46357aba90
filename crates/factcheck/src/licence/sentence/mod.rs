//! Stage 7, licence, first step: a sentence as the rules read it, which is items (words, claims, signals, idioms) in clauses.
//!
//! | file        | job                                                           |
//! |-------------|---------------------------------------------------------------|
//! | `mod.rs`    | items, clauses, negation                                      |
//! | `reader.rs` | builds the items of a sentence from its tokens                |
//! | `idioms.rs` | lists the names of signals and idioms                         |

mod idioms;
mod reader;

use std::ops::Range;

use super::ClaimKind;
use super::vocabulary::{self as w, WordList, words};
use crate::figure::FigureValue;

pub(crate) use idioms::{IDIOM, multiword_openers};
pub(crate) use reader::SentenceReader;

/// A word, a claim, a signal's name, an idiom or a mark.
#[derive(Debug, Clone)]
pub(crate) struct Item<'a> {
    /// Index of the item's first token in the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The word in lower case, `IDIOM` for an idiom, or the numeral of a number that is not a claim. Empty for marks and the
    /// names of signals. A claim has its first word here, if it starts with one.
    pub(crate) lower: &'a str,
    /// The hash of `lower`.
    pub(crate) hash: u64,
    pub(crate) topics: u64,
    pub(crate) acts: u64,
    /// The path of the fact that it claims, and the kind of claim.
    pub(crate) claim: Option<(&'a str, ClaimKind)>,
    /// The value and unit of a claim that is a figure.
    pub(crate) figure: Option<&'a FigureValue>,
    pub(crate) signal: Option<NamedSignal>,
    pub(crate) mark: Option<char>,
    /// Whether it is neither a word of the vocabulary nor the name of a fact.
    pub(crate) is_unknown: bool,
    /// Whether it is a numeral that is not a claim.
    pub(crate) is_number: bool,
    /// The country that a claim names.
    pub(crate) country: Option<&'static str>,
    /// Whether it is a possessive: "customer's".
    pub(crate) is_possessive: bool,
    /// Whether it claims a detail of a signal.
    pub(crate) is_detail: bool,
    /// Whether it claims a detail of a rule that held: its name, weight or message.
    pub(crate) is_of_rule: bool,
}

/// A signal that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedSignal {
    /// Its index in the case's signals.
    Known(usize),
    /// One of the detector's signals that is missing from the alert.
    Missing,
}

// The rules call these for every item, dozens of times each, and the compiler does not inline them across files without
// the hint.
impl<'a> Item<'a> {
    #[inline]
    pub(crate) fn is(&self, acts: u64) -> bool {
        self.acts & acts != 0
    }

    #[inline]
    pub(crate) fn about(&self, topics: u64) -> bool {
        self.topics & topics != 0
    }

    /// Whether the item is one of the words of a list.
    #[inline]
    pub(crate) fn is_any(&self, words: &WordList) -> bool {
        words.has(self.hash)
    }

    /// Whether the item is a mark or an article. No rule starts at one.
    #[inline]
    pub(crate) fn is_mark_or_article(&self) -> bool {
        self.mark.is_some() || self.is_any(words!["the", "a", "an"])
    }

    #[inline]
    pub(crate) fn path(&self) -> Option<&'a str> {
        self.claim.map(|(path, _)| path)
    }

    /// Whether the item is a rule's name. A rule's weight does not count.
    #[inline]
    pub(crate) fn names_rule(&self) -> bool {
        self.is_of_rule && self.claim.is_some_and(|(_, kind)| kind != ClaimKind::Number)
    }
}

/// A sentence as items in clauses.
#[derive(Default)]
pub(crate) struct GrammarSentence<'a> {
    pub(crate) items: Vec<Item<'a>>,
    /// Clauses: consecutive parts of the sentence, each with its own predicate. Together they cover the whole sentence.
    pub(crate) clauses: Vec<Range<usize>>,
    /// The index of each item's clause.
    clause_at: Vec<u16>,
    /// Topics and acts of each clause, precomputed because the rules ask for them at every item.
    sums: Vec<(u64, u64)>,
    whole: (u64, u64),
}

impl<'a> GrammarSentence<'a> {
    /// Replaces the contents by another sentence, reusing the memory.
    pub(crate) fn read(&mut self, reader: &SentenceReader<'a>, tokens: Range<usize>) {
        let Self { items, clauses, clause_at, sums, whole } = self;
        items.clear();
        items.reserve(tokens.len());
        let mut at = tokens.start;
        let mut found = reader.verdicts.partition_point(|found| found.start < at);
        // Skip a quotation that began in the previous sentence and reaches into this one.
        at = found.checked_sub(1).map_or(at, |before| at.max(reader.verdicts[before].end.min(tokens.end)));
        while at < tokens.end {
            if let Some(claim) = reader.verdicts.get(found).filter(|claim| claim.start == at) {
                found += 1;
                items.push(reader.claim(claim, tokens.end));
                at = claim.end.max(at + 1);
                // Verdicts may overlap; the first one counts.
                while reader.verdicts.get(found).is_some_and(|next| next.start < at) {
                    found += 1;
                }
                continue;
            }
            let next_claim = reader.verdicts.get(found).map_or(tokens.end, |next| next.start.min(tokens.end));
            let item = reader.item(at, next_claim);
            at = item.end;
            items.push(item);
        }
        drop_acts_of_nouns(items);
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

    /// The precomputed topics and acts, if the range is the whole sentence or one of its clauses.
    #[inline]
    fn precomputed(&self, range: &Range<usize>) -> Option<(u64, u64)> {
        if range.start == 0 && range.end == self.items.len() {
            return Some(self.whole);
        }
        let at = usize::from(*self.clause_at.get(range.start)?);
        (self.clauses[at] == *range).then(|| self.sums[at])
    }

    #[inline]
    pub(crate) fn topics(&self, range: Range<usize>) -> u64 {
        if let Some((topics, _)) = self.precomputed(&range) {
            return topics;
        }
        self.items[range].iter().fold(0, |all, item| all | item.topics)
    }

    #[inline]
    pub(crate) fn acts(&self, range: Range<usize>) -> u64 {
        if let Some((_, acts)) = self.precomputed(&range) {
            return acts;
        }
        self.items[range].iter().fold(0, |all, item| all | item.acts)
    }

    pub(crate) fn signals(&self, range: Range<usize>) -> Vec<NamedSignal> {
        self.items[range].iter().filter_map(|item| item.signal).collect()
    }

    #[inline]
    pub(crate) fn has_word(&self, range: Range<usize>, words: &WordList) -> bool {
        self.items[range].iter().any(|item| item.is_any(words))
    }

    /// Whether the word at `at` is negated: by "not" before it, or by "no" on its subject.
    pub(crate) fn is_negated(&self, at: usize) -> bool {
        let clause = self.clause_of(at);
        let before = &self.items[clause.start..at];
        let is_verb = |item: &&Item<'_>| item.is(w::VERB) && !item.is_any(AUXILIARY);
        // "not" negates up to the next verb or comma.
        let not = before.iter().rposition(|item| item.is(w::NOT));
        if let Some(not) = not
            && !before[not..].iter().any(|item| is_verb(&item) || item.mark == Some(','))
        {
            return true;
        }
        // "no" negates the subject: "no X fired", "none of them fired", "neither X nor Y fired", "nothing exceeded".
        let no = before.iter().position(|item| item.is(w::NO | w::NOTHING) || item.lower == "nor");
        no.is_some_and(|no| {
            !before[..no].iter().any(|item| item.is(w::VERB)) && !before[no..].iter().any(|item| is_verb(&item))
        })
    }
}

pub(crate) const AUXILIARY: &WordList =
    words!["was", "were", "is", "are", "be", "been", "being", "had", "has", "have", "having", "did", "do", "does"];

/// Words that may stand between a preposition and its noun.
pub(crate) const ARTICLES: &WordList =
    words!["the", "this", "a", "an", "that", "same", "own", "its", "their", "any", "every"];

/// Clears the assertions of words that can be verbs but are nouns here: "the record", "its report".
fn drop_acts_of_nouns(items: &mut [Item<'_>]) {
    const DETERMINERS: &WordList = words!["the", "a", "an", "this", "that", "its", "their", "whose", "same"];
    for at in 1..items.len() {
        let before = &items[at - 1];
        let is_noun = before.is_any(DETERMINERS) || before.is_possessive || before.is(w::PRIOR);
        // In "no measured signal", the word is an adjective.
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
    const AFTER_COMMA: &WordList =
        words!["and", "but", "which", "where", "whose", "while", "whereas", "although", "though", "so", "when", "who"];
    const ALONE: &WordList = words!["because", "but", "while", "whereas", "although", "though", "so"];
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

/// Whether "and" joins two predicates: there is a verb before it, and a subject with its own verb after it.
fn starts_clause(items: &[Item<'_>], from: usize, and: usize) -> bool {
    let has_verb_before = items[from..and].iter().any(|item| item.is(w::VERB));
    let rest = &items[and + 1..];
    let verb = rest.iter().position(|item| item.is(w::VERB));
    let stop = rest.iter().position(|item| item.mark.is_some_and(|mark| mark != '"' && mark != '`' && mark != '-'));
    let Some(verb) = verb.filter(|verb| stop.is_none_or(|stop| *verb < stop)) else { return false };
    let has_subject = rest[..verb].iter().any(|item| item.topics != 0 || item.signal.is_some() || item.lower == "it");
    has_verb_before && has_subject
}
