//! The fact check: every sentence of a text about a case must be licensed by facts of the case, or it is refused.
//!
//! ## From a text to its licence
//!
//! The context (a JSON document) is read once, into [`Facts`]:
//!
//! 1. `walk/` visits every value of the context and makes **facts** of it. A fact is a value with its JSON pointer and
//!    with what its key says about it. `key.rs` reads keys, `fact.rs` stores the facts and finds them by value,
//!    `phrase.rs` and `finder.rs` find the context's names and ids in a text, and `sender_names.rs` knows the names that a
//!    sender gave to its own signals.
//! 2. `licence/case/` reads what a sentence can contradict in words: which signals fired, what is missing.
//!
//! Then each text goes through these stages ([`check`], `text_check.rs`):
//!
//! 1. **Fold** (`fold.rs`): normalises the text to what a reader sees, with one kind of digit, letter, space and dash.
//! 2. **Tokens** (`lex/`): words, numbers, dates, ids and marks. `lexicon.rs` looks up everything known about each
//!    word.
//! 3. **Names** (`name.rs`): ids, quotations and names, each with whether the context has it. Names that the context has are
//!    found before figures, because a figure may be part of a name ("Shop 17"). All other names are judged last.
//! 4. **Figures** (`figure/`): tokens that state a number, an amount, a date or a duration, with the unit.
//! 5. **Surroundings** (`clause.rs`, `mention.rs`): what the words around a figure call it, as *concepts*, and where
//!    the text names a signal, a country or a window of time.
//! 6. **Verdicts on figures** (`judge.rs`, `agree.rs`, `severity.rs`): a figure is a **claim** if a fact has its value
//!    and the words around it refer to that fact. Any other figure is refused.
//! 7. **Licence** (`licence/`): each sentence is read as items, and rules compare its words with the facts of the case.
//!    A sentence is licensed if no rule objects and at least one fact supports it.
//! 8. **Known wordings** (`licence/known_wordings.rs`): a text that the built-in writer did not write must also consist of
//!    wordings that the rules are known to read.
//!
//! The check never trusts a text: what it can't read, or reads as something that the context does not contain, is
//! refused.
//!
//! ## An example
//!
//! The context of a case has this signal, among other things:
//!
//! ```json
//! {"name": "amount_deviation", "outcome": "fired", "value": 7.24, "threshold": 3.5, "unit": "modified z-score"}
//! ```
//!
//! A text says: "Amount deviation fired, because the modified z-score of 7.24 exceeded the threshold of 3.5."
//!
//! 1. Fold: nothing to change.
//! 2. Tokens: words, the numbers 7.24 and 3.5, and marks.
//! 3. Names: no id, no quotation and no name.
//! 4. Figures: 7.24 and 3.5, both without a unit.
//! 5. Surroundings: the words before 7.24 call it a value ("z-score"), those before 3.5 a threshold. The sentence names one
//!    signal.
//! 6. Verdicts on figures: 7.24 is the fact `/signals/0/value`, and 3.5 is the fact `/signals/0/threshold`.
//! 7. Licence: "fired" agrees with `/signals/0/outcome`. "Exceeded" is true of the value and the threshold. "Because" gives the
//!    signal's own measurement as the reason why it fired.
//! 8. Known wordings, for a model's text only: the wording is a line of `licence/wordings/own.txt`.
//!
//! So the sentence is licensed by three facts: `/signals/0/outcome`, `/signals/0/threshold` and `/signals/0/value`. These
//! sentences are refused:
//!
//! - "The modified z-score of 7.42 exceeded the threshold of 3.5." Stage 6, [`Reason::Absent`]: no fact has the value 7.42.
//! - "The modified z-score of 3.5 exceeded the threshold of 7.24." Stage 6, [`Reason::BelongsToAnother`]: each figure is a
//!   fact, but not the one that the words before it call it.
//! - "Amount deviation did not fire." Stage 7, [`Reason::Contradicts`]: the outcome is "fired".
//! - "The transaction was suspicious." Stage 7, [`Reason::Unlicensed`]: "suspicious" is not in the vocabulary of reports.
//! - "It was there." Stage 7, [`Reason::Silent`]: the sentence states no fact.
//!
//! ## Terms
//!
//! - *fact*: one value of the context, addressed by its JSON pointer (`fact.rs`).
//! - *concept*: one of about forty things that a word or a key can refer to, such as "median" or "prior" (`concept.rs`).
//!   Facts and the words around figures are compared by their concepts (stages 5 and 6).
//! - *claim*: what a sentence asserts. A [`Claim`] is a figure or a name that is a fact.
//! - *licence*: the facts that together support everything a sentence says.
//! - *topic*: what a word is about, such as the threshold or the customer (`licence/vocabulary.rs`). Concepts serve to tell
//!   figures apart (stages 5 and 6), topics to check words (stage 7), so they are two lists.
//! - *assertion* or *act*: what a word claims about the things in its sentence, such as "not", "above", "fired" or "because".
//!   In code it is an act (`licence/vocabulary.rs`).
//! - *frame*: the things that one clause may combine, such as a place with its transaction or a score with its alert
//!   (`licence/frames/`).
//! - *role*: what the words around a figure call it, such as the count over 24 hours or the account's age (`licence/roles/`).
//!
//! ## Files
//!
//! | file | job |
//! |---|---|
//! | `text_check.rs` | runs the stages on one text and collects the verdicts |
//! | `fold.rs`, `lex/`, `lexicon.rs` | stages 1 and 2 |
//! | `name.rs` | stage 3 |
//! | `finder.rs`, `phrase.rs` | the ids and the names of the context, to find them in stage 3 |
//! | `sender_names.rs`, `ordinary_words.rs` | stage 3: names that a sender chose, and words that are not names |
//! | `figure/`, `calendar.rs`, `currency.rs` | stage 4: figures, the dates and times in them, currencies |
//! | `clause.rs`, `mention.rs`, `concept.rs`, `signal.rs`, `country.rs` | stage 5 |
//! | `judge.rs`, `agree.rs`, `severity.rs` | stage 6 |
//! | `licence/` | stages 7 and 8; its own map is in `licence/mod.rs` |
//! | `walk/`, `key.rs`, `fact.rs` | reading the context: its facts |
//!
//! ## Where a change goes
//!
//! - A new phrase whose meaning is not that of its words ("went through"): `licence/sentence/idioms.rs`.
//! - A new word for something that reports already state: `licence/vocabulary.rs`, and also `concept.rs` if it identifies a
//!   figure. A model may use it only in a known wording: add a true sentence with it, as in the next line.
//! - A true sentence that is refused only for its wording: a line in `licence/wordings/others.txt`.
//! - A new kind of fact in the context: `key.rs` and `walk/meaning.rs` for figures, `licence/case/` for what words can say
//!   about it, `licence/case_figures.rs` if a role must be equal to it.
//! - A new unit or way to write a figure: `figure/`.
//! - A new comparison ("twice as many as"): `licence/compare/mod.rs`.
//! - After any change, run `cargo nextest run -p countersign-corpus`, which fails if too many lies pass. If the corpus's true
//!   sentences have changed, run `make wordings` first. `make accuracy` updates the published figures.

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
mod judge;
mod key;
mod lex;
mod lexicon;
mod licence;
mod mention;
mod name;
mod ordinary_words;
mod phrase;
mod sender_names;
mod severity;
mod signal;
mod text_check;
mod walk;

use std::ops::Range;

use serde_json::Value;

pub use country::country_name;
use fact::FactIndex;
use figure::{FigureValue, Unit};
use licence::CaseFacts;
use sender_names::SenderNames;
use text_check::TextCheck;

/// Everything that the check knows about a context. Read it once and check any number of texts with it.
#[derive(Debug)]
pub struct Facts {
    index: FactIndex,
    case: CaseFacts,
    sender_names: SenderNames,
}

impl Facts {
    pub fn of(context: &Value) -> Self {
        let mut index = FactIndex::of(context);
        let sender_names = SenderNames::of(context, &mut index.signals);
        Self { index, case: CaseFacts::of(context), sender_names }
    }
}

/// The claims of a text, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    pub claims: Vec<Claim>,
    pub refused: Vec<Refused>,
    /// Every sentence with the facts that license it. Empty if only figures were checked.
    pub sentences: Vec<CheckedSentence>,
}

/// A sentence of a text with the facts that license it. Offsets are code points, `end` is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedSentence {
    pub start: usize,
    pub end: usize,
    /// JSON pointers, in order.
    pub facts: Vec<String>,
    /// Whether nothing in the sentence is refused.
    pub is_licensed: bool,
}

/// A figure or a name that is a fact. Offsets are code points, `end` is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub start: usize,
    pub end: usize,
    pub kind: ClaimKind,
    /// JSON pointer of the fact.
    pub path: String,
}

/// A figure, a name or a word that no fact supports, or that belongs to a different fact than its sentence says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub start: usize,
    pub end: usize,
    pub kind: ClaimKind,
    pub reason: Reason,
    /// The beginning of the refused text.
    quote: String,
}

/// Why something is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The context does not contain it.
    Absent,
    /// It is a fact, but not the one that the sentence refers to.
    BelongsToAnother { path: String },
    /// Its value can't be determined from how it is written.
    Unreadable,
    /// No fact licenses this word, relation or actor.
    Unlicensed,
    /// The words say the opposite of a fact.
    Contradicts { path: String },
    /// The sentence states no fact at all.
    Silent,
    /// The wording is not among those that the rules are known to read.
    Unfamiliar,
}

/// What is claimed, or refused: a kind of figure, a name, or a word.
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
    /// A statement without a figure.
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

    fn of(value: &FigureValue) -> Self {
        match value {
            FigureValue::Date(_) | FigureValue::Timestamp(..) => Self::Date,
            FigureValue::TimeOfDay(_) => Self::Time,
            FigureValue::Unreadable => Self::Number,
            FigureValue::Number(_, unit) => match unit {
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
    /// A description for records that must not repeat the text: quotes a plain word, and names anything else by its kind.
    pub fn in_short(&self) -> String {
        let is_plain = self.quote.len() <= 24 && self.quote.bytes().all(|byte| byte.is_ascii_lowercase());
        match self.kind {
            ClaimKind::Word if is_plain => format!("\"{}\"", self.quote),
            ClaimKind::Word => "a relation".to_owned(),
            ClaimKind::Money | ClaimKind::Id => format!("an {}", self.kind.as_str()),
            kind => format!("a {}", kind.as_str()),
        }
    }

    /// A description for the writer who is asked to correct the text. Quotes at most 60 characters of it.
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

/// Checks every sentence: its figures, names, dates and severities, and whether facts license its words. Takes time linear in
/// the length of any text.
pub fn check(text: &str, facts: &Facts) -> Checked {
    text_check::run(text, facts, |check| {
        let licence = check.licence(facts, |_| false);
        check.finish(text, licence)
    })
}

/// Checks a text that the built-in writer did not write. In addition to [`check`], its wordings must be ones that the
/// rules are known to read. `is_own` tells which sentences are the built-in writer's own; those are exempt.
pub fn check_foreign(text: &str, facts: &Facts, is_own: impl Fn(&str) -> bool) -> Checked {
    text_check::run(text, facts, |check| {
        let letters: Vec<char> = text.chars().collect();
        let is_foreign = |sentence: &Range<usize>| {
            let (start, end) = check.span(sentence.start, sentence.end);
            !is_own(&letters[start..end].iter().collect::<String>())
        };
        let licence = check.licence(facts, is_foreign);
        check.finish(text, licence)
    })
}

/// Checks figures, dates, ids, countries, severities and names only, for texts that are not prose about a case.
pub fn check_figures(text: &str, facts: &Facts) -> Checked {
    text_check::run(text, facts, |check| check.finish(text, licence::TextLicence::default()))
}

/// The sentences of a text in the format of `licence/wordings/*.txt`, which [`check_foreign`] uses.
pub fn wordings(text: &str, facts: &Facts) -> Vec<String> {
    text_check::run(text, facts, |check: TextCheck<'_>| check.wordings(facts))
}
