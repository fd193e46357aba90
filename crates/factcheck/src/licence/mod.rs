//! Whether facts license what a sentence says in words: every content word, direction, negation, order, rank, actor and cause.
//!
//! | file          | job                                                                        |
//! |---------------|----------------------------------------------------------------------------|
//! | `words.rs`    | the closed vocabulary: what each word is about and what it asserts          |
//! | `case.rs`     | the facts that words can be right or wrong about                            |
//! | `sentence.rs` | a sentence as items (words, claims, signals, idioms) in clauses             |
//! | `signals.rs`  | fired, clear, without a result                                              |
//! | `absence.rs`  | what is said to be missing is missing, what is named is there                |
//! | `compare.rs`  | above, below, inside, outside, largest, heaviest                             |
//! | `events.rs`   | completed or attempted, before or after, first or last, how it was paid      |
//! | `frames.rs`   | what may stand together: a place with its event, a score with its alert     |
//! | `relate.rs`   | who did what, and what led to what                                          |
//! | `roles.rs`    | a figure is the one that its words call it; `record.rs` has them by role      |
//! | `usage.rs`    | a model's sentences are made of known wordings                               |
//!
//! A vocabulary and a small grammar decide, so the same text always gets the same answer, in linear time, with a reason that
//! names the word. It refuses what it can't read: a writer is asked for plainer words, which is cheaper than a claim that
//! nobody proved.

mod absence;
mod case;
mod compare;
mod events;
mod frames;
mod record;
mod relate;
mod roles;
mod sentence;
mod signals;
mod usage;
mod words;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use case::CaseFacts;
pub(crate) use sentence::run_openers;
use sentence::{Reader, Sentence};
use words as w;
pub(crate) use words::{Word, vocabulary};

use super::fact::Index;
use super::figure::What;
use super::lex::{Kind, Token};
use super::{ClaimKind, Reason};

/// A verdict on a figure or a name, by its tokens.
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: ClaimKind,
    pub(crate) verdict: Result<String, Reason>,
    /// The value and unit that a figure states; `None` for names, ids and severities.
    pub(crate) what: Option<What>,
}

/// What the words of a text come to.
#[derive(Default)]
pub(crate) struct Licence {
    /// First and last token, and why.
    pub(crate) refused: Vec<(usize, usize, Reason)>,
    /// Tokens of each sentence, and the facts that license it.
    pub(crate) sentences: Vec<(Range<usize>, Vec<String>)>,
}

pub(crate) const SMALL: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/// Most sentences rest on no more facts: room for them is made at once.
const SENTENCE_FACTS_USUAL: usize = 16;
/// Words of a quotation in which a full stop ends no sentence.
const QUOTED_TOKENS_MAX: usize = 60;

/// `found` is in the order of the text. `is_foreign` tells whether a sentence, given by its tokens, is not the built-in writer's
/// own; then it must also be made of known wordings (`usage.rs`).
pub(crate) fn licence(
    tokens: &[Token<'_>],
    index: &Index,
    case: &CaseFacts,
    found: &[Found],
    is_foreign: impl Fn(&Range<usize>) -> bool,
) -> Licence {
    let reader = Reader { tokens, index, case, quoted: quoted(tokens), found };
    let mut licence = Licence::default();
    let mut carried = None;
    let mut sentence = Sentence::default();
    for range in sentences(tokens, found, &reader.quoted) {
        sentence.read(&reader, range.clone());
        let facts = Vec::with_capacity(SENTENCE_FACTS_USUAL);
        let mut check = Check { reader: &reader, sentence: &sentence, case, carried, problems: Vec::new(), facts };
        check.run();
        if check.problems.is_empty() && is_foreign(&range) {
            check.usage();
        }
        carried = sentence.items.iter().rev().find_map(|item| item.signal).or(carried);
        let Check { problems, mut facts, .. } = check;
        licence.refused.extend(problems.into_iter().map(|problem| {
            let (first, last) = (&sentence.items[problem.from], &sentence.items[problem.to - 1]);
            (first.start, last.end, problem.reason)
        }));
        facts.sort_unstable();
        facts.dedup();
        licence.sentences.push((range, facts.into_iter().map(Cow::into_owned).collect()));
    }
    licence
}

/// Every sentence as a line of `wordings/`.
pub(crate) fn wordings(tokens: &[Token<'_>], index: &Index, case: &CaseFacts, found: &[Found]) -> Vec<String> {
    let reader = Reader { tokens, index, case, quoted: quoted(tokens), found };
    let mut sentence = Sentence::default();
    let wording = |range| {
        sentence.read(&reader, range);
        usage::wording(&reader, &sentence)
    };
    sentences(tokens, found, &reader.quoted).map(wording).collect()
}

fn quoted(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut open = None;
    let read = |token: &Token<'_>| {
        match token.kind {
            Kind::Mark(mark @ ('"' | '`')) if open == Some(mark) => open = None,
            Kind::Mark(mark @ ('"' | '`')) if open.is_none() => open = Some(mark),
            _ => {}
        }
        open.is_some()
    };
    tokens.iter().map(read).collect()
}

/// Token ranges of the sentences. What looks like an end inside a quotation is none.
fn sentences(tokens: &[Token<'_>], found: &[Found], quoted: &[bool]) -> impl Iterator<Item = Range<usize>> {
    let is_inside = |at: usize| {
        let is_closed =
            || tokens[at..].iter().take(QUOTED_TOKENS_MAX).any(|token| matches!(token.kind, Kind::Mark('"' | '`')));
        if quoted[at] && quoted[at - 1] && is_closed() {
            return true;
        }
        let before = found.partition_point(|found| found.start < at);
        before.checked_sub(1).is_some_and(|before| found[before].end > at)
    };
    let mut from = 0;
    std::iter::from_fn(move || {
        tokens.get(from)?;
        let mut to = from;
        loop {
            let sentence = tokens[to].sentence;
            to += tokens[to..].iter().take_while(|token| token.sentence == sentence).count();
            // A closing mark alone belongs to the sentence before it.
            while to < tokens.len() && matches!(tokens[to].kind, Kind::Mark('"' | '`' | ')' | '.')) && tokens[to].glued
            {
                to += 1;
            }
            // `"A. B." as a reason`: the rest of the sentence around a quotation.
            let goes_on =
                |token: &Token<'_>| !token.is_capital && matches!(token.kind, Kind::Word | Kind::Mark(',' | ';'));
            let after_quote = to > 0 && matches!(tokens[to - 1].kind, Kind::Mark('"' | '`'));
            if to >= tokens.len() || !(is_inside(to) || after_quote && goes_on(&tokens[to])) {
                break;
            }
        }
        let range = from..to;
        from = to;
        Some(range)
    })
}

/// The place of the signal that a fact's path leads into.
fn signal_of(path: &str) -> Option<usize> {
    path.strip_prefix("/signals/")?.split('/').next()?.parse().ok()
}

struct Problem {
    /// Items.
    from: usize,
    to: usize,
    reason: Reason,
}

/// One sentence before the facts.
struct Check<'a> {
    reader: &'a Reader<'a>,
    sentence: &'a Sentence<'a>,
    case: &'a CaseFacts,
    /// The signal that the sentence before spoke of last.
    carried: Option<sentence::Named>,
    problems: Vec<Problem>,
    facts: Vec<Cow<'a, str>>,
}

impl<'a> Check<'a> {
    fn run(&mut self) {
        let items = &self.sentence.items;
        if items.iter().all(|item| item.mark.is_some()) {
            return;
        }
        // Nothing is stated by asking.
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
        // What can't be read at all says nothing that could be checked further.
        if !self.problems.is_empty() {
            return;
        }
        self.signals();
        self.absences();
        self.comparisons();
        self.events();
        self.relations();
        self.frames();
        self.roles();
        if self.problems.is_empty() && self.facts.is_empty() {
            self.refuse_all(Reason::Silent);
        }
    }

    /// A number word that no figure took: "two of HIGH severity", "of the two rules that held".
    fn is_counted(&mut self, at: usize) -> bool {
        let items = &self.sentence.items;
        let Some(number) = SMALL.iter().position(|word| *word == items[at].lower) else { return false };
        let next = items.get(at + 1);
        // "two of the four signals fired".
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

    fn refuse(&mut self, at: usize, reason: Reason) {
        self.problems.push(Problem { from: at, to: at + 1, reason });
    }

    fn refuse_all(&mut self, reason: Reason) {
        self.problems.push(Problem { from: 0, to: self.sentence.items.len(), reason });
    }

    fn contradict(&mut self, at: usize, path: &str) {
        self.refuse(at, Reason::Contradicts { path: path.to_owned() });
    }

    /// The word at `at` is licensed by the fact at `path` if it holds, and contradicts it otherwise.
    fn expect(&mut self, at: usize, holds: bool, path: impl Into<Cow<'a, str>>) {
        let path = path.into();
        if holds {
            self.facts.push(path);
        } else {
            self.refuse(at, Reason::Contradicts { path: path.into_owned() });
        }
    }
}
