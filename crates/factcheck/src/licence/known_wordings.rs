//! Stage 8, known wordings: a sentence by a model must be made of wordings that the rules of stage 7 are known to read.
//!
//! Those rules know what words mean in typical report sentences. In any other sentence, the same words could mean
//! something that no rule examines: "Each of the 30 earlier transactions …", "assigned to the sender". So every two
//! consecutive words must occur in one of the wordings in `wordings/`, and so must every three if one of them asserts
//! something. Figures and names match by their kind, and words with equal topics and acts match each other.
//!
//! `wordings/own.txt` lists the built-in writer's sentences and the corpus's paraphrases (`make wordings` regenerates it);
//! `wordings/others.txt` lists true sentences in freer English, all of which the other rules license. To allow a wording, add
//! a line there: words as written, a figure or name as its kind, such as `<amount>`.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use countersign_text::hash::{Prehashed, fnv64};

use super::sentence::{GrammarSentence, IDIOM, SentenceReader};
use super::vocabulary::{self as w, WordSense, words};
use super::{Objection, Reason, SMALL_NUMBERS, SentenceCheck};
use crate::lex::TokenKind;
use crate::lexicon::look_up;

const OWN: &str = include_str!("wordings/own.txt");
const OTHERS: &str = include_str!("wordings/others.txt");

/// Words that say how widely a statement applies. The other rules examine only some of them.
const SCOPE_WORDS: &w::WordList = words![
    "same",
    "either",
    "any",
    "together",
    "total",
    "sum",
    "combined",
    "included",
    "including",
    "whole",
    "entire",
    "overall",
    "altogether",
    "except",
    "besides",
    "apart",
    "though",
    "although",
    "out"
];

/// Marks the start and the end of a sentence.
const START: &str = "^";
const END: &str = "$";

/// The elements by which wordings are compared: a word or its synonyms, a mark, or the kind of a figure or a name.
#[derive(Clone, Copy)]
struct Symbol {
    id: u64,
    /// Whether it is a word that asserts something, or that says how widely a statement applies.
    asserts: bool,
    /// The index of the item that the symbol represents.
    item: usize,
}

impl Symbol {
    /// The symbol of a mark, of a kind such as `<amount>`, or of an edge of the sentence.
    fn literal(text: &str, item: usize) -> Self {
        Self { id: fnv64::hash(text.as_bytes()), asserts: false, item }
    }

    /// The symbol of a word. `None` for articles, which are ignored.
    fn word(lower: &str, known: Option<WordSense>, item: usize) -> Option<Self> {
        let id = match lower {
            "a" | "an" | "the" => return None,
            "was" | "were" | "is" | "are" => fnv64::hash(b"was"),
            "had" | "has" | "have" => fnv64::hash(b"had"),
            _ => known.and_then(meaning).unwrap_or_else(|| fnv64::hash(lower.as_bytes())),
        };
        let asserts =
            known.is_some_and(|known| known.acts & !w::VERB != 0) || SCOPE_WORDS.has(fnv64::hash(lower.as_bytes()));
        Some(Self { id, asserts, item })
    }
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The symbol that synonyms share: words with equal topics and acts. Plain verbs and neutral words have no synonyms.
fn meaning(WordSense { topics, acts }: WordSense) -> Option<u64> {
    let is_plain = topics == 0 && acts & !w::VERB == 0;
    (!is_plain).then(|| (topics.wrapping_mul(MIX) ^ acts).wrapping_mul(MIX))
}

/// All runs of three consecutive symbols, including the edges of the sentence.
fn triples(symbols: &[Symbol]) -> impl Iterator<Item = [Symbol; 3]> {
    let last = symbols.last().map_or(0, |symbol| symbol.item);
    let mut all = Vec::with_capacity(symbols.len() + 2);
    all.push(Symbol::literal(START, 0));
    all.extend_from_slice(symbols);
    all.push(Symbol::literal(END, last));
    (2..all.len()).map(move |end| [all[end - 2], all[end - 1], all[end]])
}

fn key(symbols: &[Symbol]) -> u64 {
    symbols.iter().fold(0, |key: u64, symbol| (key.rotate_left(21) ^ symbol.id).wrapping_mul(MIX))
}

/// All runs of two and of three consecutive symbols in the known wordings.
static USED: LazyLock<HashSet<u64, BuildHasherDefault<Prehashed>>> = LazyLock::new(|| {
    let wordings = OWN.lines().chain(OTHERS.lines()).filter(|line| !line.starts_with('#'));
    let mut used = HashSet::default();
    for wording in wordings {
        let symbols: Vec<Symbol> = wording.split_whitespace().filter_map(read).collect();
        for triple in triples(&symbols) {
            used.extend([&triple[..], &triple[..2], &triple[1..]].map(key));
        }
    }
    used
});

fn is_used(triple: &[Symbol; 3]) -> bool {
    let has = |symbols: &[Symbol]| USED.contains(&key(symbols));
    let asserts = triple.iter().any(|symbol| symbol.asserts);
    has(triple) || !asserts && has(&triple[..2]) && has(&triple[1..])
}

/// The symbol of one element of a line in `wordings/`, as it is written there.
fn read(written: &str) -> Option<Symbol> {
    if !written.starts_with(char::is_alphanumeric) {
        return Some(Symbol::literal(written, 0));
    }
    let lower = written.strip_suffix("'s").unwrap_or(written);
    Symbol::word(lower, look_up(lower).0.sense, 0)
}

/// One element of a wording.
enum WordingElement<'a> {
    /// The kind of a figure or a name.
    Kind(&'static str),
    Mark(char),
    Word {
        lower: &'a str,
        known: Option<WordSense>,
        is_possessive: bool,
    },
}

/// The elements of a sentence, each with the index of its item. Quotation marks, commas and hyphens are left out.
fn elements<'a>(reader: &SentenceReader<'a>, sentence: &GrammarSentence<'a>) -> Vec<(usize, WordingElement<'a>)> {
    let mut all = Vec::with_capacity(sentence.items.len());
    for (at, item) in sentence.items.iter().enumerate() {
        let kind = match (item.signal, item.claim) {
            (Some(_), _) => Some("signal"),
            (None, Some((_, kind))) => Some(kind.as_str()),
            (None, None) => None,
        };
        if let Some(kind) = kind {
            all.push((at, WordingElement::Kind(kind)));
            continue;
        }
        for token in &reader.tokens[item.start..item.end] {
            let element = match token.kind {
                TokenKind::Mark('"' | '`' | '\u{2026}' | ',' | '-') => continue,
                TokenKind::Mark(mark) => WordingElement::Mark(mark),
                // A number word that is not part of a figure: "two of HIGH severity".
                TokenKind::Word if SMALL_NUMBERS.contains(&token.lower.as_ref()) => WordingElement::Kind("number"),
                TokenKind::Word if token.sense.is_some() || item.lower == IDIOM || item.is_unknown => {
                    WordingElement::Word { lower: &token.lower, known: token.sense, is_possessive: item.is_possessive }
                }
                // A name that the sender chose.
                _ => WordingElement::Kind("name"),
            };
            all.push((at, element));
        }
    }
    all
}

/// Formats a sentence as a line of `wordings/`.
pub(crate) fn wording(reader: &SentenceReader<'_>, sentence: &GrammarSentence<'_>) -> String {
    let written = |(_, element): (usize, WordingElement<'_>)| match element {
        WordingElement::Kind(kind) => format!("<{kind}>"),
        WordingElement::Mark(mark) => mark.to_string(),
        WordingElement::Word { lower, is_possessive: true, .. } => format!("{lower}'s"),
        WordingElement::Word { lower, .. } => lower.to_owned(),
    };
    elements(reader, sentence).into_iter().map(written).collect::<Vec<_>>().join(" ")
}

impl SentenceCheck<'_> {
    /// Refuses the first run of words that does not occur in any known wording.
    pub(crate) fn check_wording_is_known(&mut self) {
        let symbol = |(item, element): (usize, WordingElement<'_>)| match element {
            WordingElement::Kind(kind) => Some(Symbol::literal(&format!("<{kind}>"), item)),
            WordingElement::Mark(mark) => Some(Symbol::literal(mark.encode_utf8(&mut [0; 4]), item)),
            WordingElement::Word { lower, known, .. } => Symbol::word(lower, known, item),
        };
        let symbols: Vec<Symbol> = elements(self.reader, self.sentence).into_iter().filter_map(symbol).collect();
        if let Some([first, _, last]) = triples(&symbols).find(|triple| !is_used(triple)) {
            self.objections.push(Objection { from: first.item, to: last.item + 1, reason: Reason::Unfamiliar });
        }
    }
}
