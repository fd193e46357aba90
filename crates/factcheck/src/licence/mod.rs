//! Stage 7 (`lib.rs` lists the stages), licence: checks whether facts license what a sentence says in words: every content
//! word, direction, negation, order, rank, actor and cause. (Stage 8, known wordings, is `known_wordings.rs`.)
//!
//! ## From tokens to a licence
//!
//! 1. The text is split into sentences (`sentences` below), and each is read as **items** in **clauses** (`sentence/`). An
//!    item is one word, one claim (a figure or name with its verdict), the name of a signal, an idiom or a mark. It has
//!    topics (what it is about) and acts (what it asserts), which `vocabulary.rs` lists for every word that a report may use.
//! 2. A word that is not in this vocabulary, or a number that is not a claim, is refused. The rules are then skipped,
//!    because they can only check a sentence whose words are all known.
//! 3. The rules are applied to the items (`SentenceCheck::run`). Each rule looks for certain assertions and compares them
//!    with the facts of the case (`case/`, `case_figures.rs`). It adds either the facts that hold or an objection.
//! 4. A sentence that states no fact is refused as silent.
//! 5. A sentence that the built-in writer did not write must also consist of known wordings (`known_wordings.rs`).
//!
//! ## An example
//!
//! Amount deviation fired, with a value of 7.24 and a threshold of 3.5. The sentence "Amount deviation fired, because the
//! modified z-score of 7.24 exceeded the threshold of 3.5." is read as two clauses:
//!
//! | clause | item             | claim                  | topics      | acts      |
//! |--------|------------------|------------------------|-------------|-----------|
//! | 1      | Amount deviation |                        | `SIGNAL`    |           |
//! | 1      | fired            |                        |             | `FIRE`    |
//! | 2      | because          |                        |             | `BECAUSE` |
//! | 2      | z-score          |                        | `VALUE`     |           |
//! | 2      | 7.24             | `/signals/0/value`     |             |           |
//! | 2      | exceeded         |                        |             | `UP`      |
//! | 2      | threshold        |                        | `THRESHOLD` |           |
//! | 2      | 3.5              | `/signals/0/threshold` |             |           |
//!
//! The other words ("the", "modified", "of") are neutral, and verbs also have the act `VERB`. The claims are facts that license
//! the sentence. Then the rules read the acts:
//!
//! - `FIRE` after the name of a signal claims that this signal fired (`signals.rs`). It did, so the fact
//!   `/signals/0/outcome` licenses the word.
//! - `UP` before a threshold claims that the value of the clause's signal is greater (`compare/`). It is, so the fact
//!   `/signals/0/threshold` licenses the word.
//! - `BECAUSE` claims a causal link (`relations/causes.rs`). A signal's own measurement may be the reason why it fired.
//!
//! These sentences about the same case are refused:
//!
//! - "Amount deviation did not fire." The word "not" negates `FIRE`, which contradicts the outcome.
//! - "The modified z-score of 7.24 fell below the threshold of 3.5." The word "below" has the act `DOWN`.
//! - "Amount deviation fired because of geographic inconsistency." One signal is not the cause of another.
//! - "The transaction was suspicious." The word "suspicious" is not in the vocabulary.
//!
//! ## Files
//!
//! The rules run in the order of this table.
//!
//! | file                | job                                                                        |
//! |---------------------|----------------------------------------------------------------------------|
//! | `vocabulary.rs`     | the closed vocabulary: what each word is about and what it asserts         |
//! | `sentence/`         | a sentence as items in clauses; idioms and the names of signals            |
//! | `case/`             | the facts that words can be right or wrong about                           |
//! | `case_figures.rs`   | the figures of a case by their role, and its events                        |
//! | `signals.rs`        | rules: fired, clear, without a result                                      |
//! | `absence/`          | rules: whether things are missing, or on record, as the sentence says      |
//! | `compare/`          | rules: above, below, inside, outside, largest, heaviest                    |
//! | `events.rs`         | rules: completed or attempted, before or after, first or last, channel     |
//! | `relations/`        | rules: actors, causes, and whether names are called what they are          |
//! | `frames/`           | rules: what a clause may combine, such as a place and its event            |
//! | `roles/`            | rules: a figure is the one that its words call it                          |
//! | `known_wordings.rs` | stage 8                                                                    |
//!
//! A vocabulary and a small grammar decide, so a text always gets the same verdict, in linear time, with a reason that names
//! the word. What they can't read is refused: asking a writer for plainer words is cheaper than an unproven claim.

mod absence;
mod case;
mod case_figures;
mod compare;
mod events;
mod frames;
mod known_wordings;
mod relations;
mod roles;
mod sentence;
mod signals;
pub(crate) mod vocabulary;

use std::borrow::Cow;
use std::ops::Range;

use countersign_text::numbers::UNITS;

pub(crate) use case::CaseFacts;
pub(crate) use sentence::multiword_openers;
use sentence::{GrammarSentence, SentenceReader};
use vocabulary as w;
pub(crate) use vocabulary::WordSense;

use super::fact::FactIndex;
use super::figure::FigureValue;
use super::lex::{Token, TokenKind};
use super::{ClaimKind, Reason};

/// The verdict on a figure or a name of the text: the path of its fact, or why it is refused.
pub(crate) struct ClaimVerdict {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: ClaimKind,
    pub(crate) verdict: Result<String, Reason>,
    /// The value and unit that a figure states; `None` for names, ids and severities.
    pub(crate) figure: Option<FigureValue>,
}

/// The result for all sentences of a text.
#[derive(Default)]
pub(crate) struct TextLicence {
    /// First token, end and reason of each refusal. The end is exclusive.
    pub(crate) refused: Vec<(usize, usize, Reason)>,
    /// The tokens of each sentence, with the facts that license it.
    pub(crate) sentences: Vec<(Range<usize>, Vec<String>)>,
}

/// The number words from zero to nine.
pub(crate) const SMALL_NUMBERS: &[&str] = UNITS.split_at(10).0;
/// Most sentences are licensed by at most this many facts. Used to preallocate.
const SENTENCE_FACTS_USUAL: usize = 16;
/// In a quotation of at most this many tokens, a full stop does not end the sentence.
const QUOTED_TOKENS_MAX: usize = 60;

/// Checks every sentence. `verdicts` is in the order of the text. `is_foreign` tells whether a sentence, given by its tokens,
/// is not the built-in writer's own. Such a sentence must also be made of known wordings (`known_wordings.rs`).
pub(crate) fn licence(
    tokens: &[Token<'_>],
    index: &FactIndex,
    case: &CaseFacts,
    verdicts: &[ClaimVerdict],
    is_foreign: impl Fn(&Range<usize>) -> bool,
) -> TextLicence {
    let reader = SentenceReader { tokens, index, case, quoted: quoted(tokens), verdicts };
    let mut licence = TextLicence::default();
    let mut earlier_signal = None;
    let mut sentence = GrammarSentence::default();
    for range in sentences(tokens, verdicts, &reader.quoted) {
        sentence.read(&reader, range.clone());
        let facts = Vec::with_capacity(SENTENCE_FACTS_USUAL);
        let mut check =
            SentenceCheck { reader: &reader, sentence: &sentence, case, earlier_signal, objections: Vec::new(), facts };
        check.run();
        if check.objections.is_empty() && is_foreign(&range) {
            check.check_wording_is_known();
        }
        earlier_signal = sentence.items.iter().rev().find_map(|item| item.signal).or(earlier_signal);
        let SentenceCheck { objections, mut facts, .. } = check;
        licence.refused.extend(objections.into_iter().map(|objection| {
            let (first, last) = (&sentence.items[objection.from], &sentence.items[objection.to - 1]);
            (first.start, last.end, objection.reason)
        }));
        facts.sort_unstable();
        facts.dedup();
        licence.sentences.push((range, facts.into_iter().map(Cow::into_owned).collect()));
    }
    licence
}

/// Formats every sentence as a line of `wordings/`.
pub(crate) fn wordings(
    tokens: &[Token<'_>],
    index: &FactIndex,
    case: &CaseFacts,
    verdicts: &[ClaimVerdict],
) -> Vec<String> {
    let reader = SentenceReader { tokens, index, case, quoted: quoted(tokens), verdicts };
    let mut sentence = GrammarSentence::default();
    let wording = |range| {
        sentence.read(&reader, range);
        known_wordings::wording(&reader, &sentence)
    };
    sentences(tokens, verdicts, &reader.quoted).map(wording).collect()
}

/// For each token, whether it is inside quotation marks.
fn quoted(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut open = None;
    let read = |token: &Token<'_>| {
        match token.kind {
            TokenKind::Mark(mark @ ('"' | '`')) if open == Some(mark) => open = None,
            TokenKind::Mark(mark @ ('"' | '`')) if open.is_none() => open = Some(mark),
            _ => {}
        }
        open.is_some()
    };
    tokens.iter().map(read).collect()
}

/// Token ranges of the sentences. A full stop inside a quotation or a name does not end a sentence.
fn sentences(tokens: &[Token<'_>], verdicts: &[ClaimVerdict], quoted: &[bool]) -> impl Iterator<Item = Range<usize>> {
    let is_inside = |at: usize| {
        let is_closed = || {
            tokens[at..].iter().take(QUOTED_TOKENS_MAX).any(|token| matches!(token.kind, TokenKind::Mark('"' | '`')))
        };
        if quoted[at] && quoted[at - 1] && is_closed() {
            return true;
        }
        let before = verdicts.partition_point(|verdict| verdict.start < at);
        before.checked_sub(1).is_some_and(|before| verdicts[before].end > at)
    };
    let mut from = 0;
    std::iter::from_fn(move || {
        tokens.get(from)?;
        let mut to = from;
        loop {
            let sentence = tokens[to].sentence;
            to += tokens[to..].iter().take_while(|token| token.sentence == sentence).count();
            // A closing mark by itself belongs to the sentence before it.
            while to < tokens.len()
                && matches!(tokens[to].kind, TokenKind::Mark('"' | '`' | ')' | '.'))
                && tokens[to].is_glued
            {
                to += 1;
            }
            // The sentence may continue after a quotation: `"A. B." as a reason`.
            let goes_on = |token: &Token<'_>| {
                !token.is_capital && matches!(token.kind, TokenKind::Word | TokenKind::Mark(',' | ';'))
            };
            let after_quote = to > 0 && matches!(tokens[to - 1].kind, TokenKind::Mark('"' | '`'));
            if to >= tokens.len() || !(is_inside(to) || after_quote && goes_on(&tokens[to])) {
                break;
            }
        }
        let range = from..to;
        from = to;
        Some(range)
    })
}

/// The index of the signal that a path belongs to.
fn signal_of(path: &str) -> Option<usize> {
    path.strip_prefix("/signals/")?.split('/').next()?.parse().ok()
}

/// A refusal of a range of items.
struct Objection {
    /// Index of the first item. `to` is exclusive.
    from: usize,
    to: usize,
    reason: Reason,
}

/// A sentence being checked against the facts.
struct SentenceCheck<'a> {
    reader: &'a SentenceReader<'a>,
    sentence: &'a GrammarSentence<'a>,
    case: &'a CaseFacts,
    /// The last signal that a previous sentence named. "It" may refer to this signal.
    earlier_signal: Option<sentence::NamedSignal>,
    objections: Vec<Objection>,
    facts: Vec<Cow<'a, str>>,
}

impl<'a> SentenceCheck<'a> {
    fn run(&mut self) {
        let items = &self.sentence.items;
        if items.iter().all(|item| item.mark.is_some()) {
            return;
        }
        // A report must not ask questions.
        if items.iter().any(|item| item.mark == Some('?')) {
            return self.refuse_all(Reason::Unlicensed);
        }
        for (at, item) in items.iter().enumerate() {
            if (item.is_unknown || item.is_number) && !self.is_counted(at) {
                self.refuse(at, Reason::Unlicensed);
            }
            if let Some((path, _)) = item.claim {
                self.facts.push(path.into());
            }
        }
        // A sentence with unknown words can't be checked further.
        if !self.objections.is_empty() {
            return;
        }
        self.check_signals();
        self.check_absences();
        self.check_comparisons();
        self.check_events();
        self.check_relations();
        self.check_frames();
        self.check_roles();
        if self.objections.is_empty() && self.facts.is_empty() {
            self.refuse_all(Reason::Silent);
        }
    }

    /// Whether a number word that is not part of a figure states a correct count: "two of HIGH severity", "of the two rules
    /// that held".
    fn is_counted(&mut self, at: usize) -> bool {
        let items = &self.sentence.items;
        let Some(number) = SMALL_NUMBERS.iter().position(|word| *word == items[at].lower) else { return false };
        let next = items.get(at + 1);
        // "two of the four signals fired" states how many signals fired.
        if items[at + 1..].iter().take(4).any(|item| item.about(w::SIGNAL))
            && items.iter().any(|item| item.is(w::FIRE))
            && !items.iter().any(|item| item.is(w::NOT | w::NO))
        {
            return self.case.fired().count() == number;
        }
        if next.is_some_and(|next| next.about(w::RULE)) && items.iter().any(|item| item.is(w::HELD)) {
            let held: usize = self.case.signals.iter().map(|signal| signal.rules_held).sum();
            return held == number;
        }
        let severity = items.get(at + 2).filter(|_| next.is_some_and(|next| next.lower == "of"));
        let level = severity
            .and_then(|item| ["low", "medium", "high", "critical"].iter().position(|level| *level == item.lower));
        let speaks_of_prior =
            items.iter().any(|item| item.is(w::PRIOR)) && items.iter().any(|item| item.about(w::ALERT));
        level.is_some_and(|level| speaks_of_prior && self.case.prior_by_severity[level] == number as u64)
    }

    /// Refuses the item at `at`.
    fn refuse(&mut self, at: usize, reason: Reason) {
        self.objections.push(Objection { from: at, to: at + 1, reason });
    }

    fn refuse_all(&mut self, reason: Reason) {
        self.objections.push(Objection { from: 0, to: self.sentence.items.len(), reason });
    }

    /// Refuses the item at `at` because its words say the opposite of the fact at `path`. A figure that is a fact, but not the
    /// one that its words call it, is refused as [`Reason::BelongsToAnother`] instead.
    fn contradict(&mut self, at: usize, path: &str) {
        self.refuse(at, Reason::Contradicts { path: path.to_owned() });
    }

    /// The fact at `path` licenses the word at `at` if `holds`; otherwise the word contradicts it.
    fn expect(&mut self, at: usize, holds: bool, path: impl Into<Cow<'a, str>>) {
        let path = path.into();
        if holds {
            self.facts.push(path);
        } else {
            self.refuse(at, Reason::Contradicts { path: path.into_owned() });
        }
    }
}
