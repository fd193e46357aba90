//! What is known of a word. It is looked up once, when the token is made, so that no later stage compares strings with lists.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::LazyLock;

use countersign_text::hash::{Prehashed, fnv64};

use crate::licence::WordSense;
use crate::{concept, figure, licence, vocabulary};

/// Sorts of words, as bits.
pub(crate) type Sorts = u8;

/// A word of grammar that says nothing about a figure.
pub(crate) const FUNCTION: Sorts = 1;
/// A figure can start with it.
pub(crate) const OPENS: Sorts = 1 << 1;
/// Looks like a plural and is not one.
pub(crate) const NO_PLURAL: Sorts = 1 << 2;
/// May be capitalised without being a name.
pub(crate) const ORDINARY: Sorts = 1 << 3;
/// Says how severe something is.
pub(crate) const LEVEL: Sorts = 1 << 4;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WordKnowledge {
    /// What the word speaks of.
    pub(crate) concepts: u64,
    pub(crate) sorts: Sorts,
    /// What the word says in a report; `None` if it is not in the vocabulary of reports.
    pub(crate) word: Option<WordSense>,
    /// An idiom or the name of a signal may start with the word.
    pub(crate) opens_run: bool,
}

impl WordKnowledge {
    fn add(&mut self, more: Self) {
        self.concepts |= more.concepts;
        self.sorts |= more.sorts;
        self.opens_run |= more.opens_run;
        self.word = match (self.word, more.word) {
            (Some(one), Some(other)) => {
                Some(WordSense { topics: one.topics | other.topics, acts: one.acts | other.acts })
            }
            (one, other) => one.or(other),
        };
    }
}

/// A word with its hash, so that a lookup does not hash it a second time.
#[derive(PartialEq, Eq)]
struct HashedWord<'a> {
    hash: u64,
    word: &'a str,
}

impl<'a> HashedWord<'a> {
    fn of(word: &'a str) -> Self {
        Self { hash: fnv64::hash(word.as_bytes()), word }
    }
}

impl Hash for HashedWord<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

type Lexicon<'a> = HashMap<HashedWord<'a>, WordKnowledge, BuildHasherDefault<Prehashed>>;

/// What is known of a word in lower case, or of a part of a key; and the word's hash.
pub(crate) fn look_up(word: &str) -> (WordKnowledge, u64) {
    static LEXICON: LazyLock<Lexicon<'static>> = LazyLock::new(lexicon);
    let lexicon: &Lexicon<'_> = &LEXICON;
    let hashed = HashedWord::of(word);
    (lexicon.get(&hashed).copied().unwrap_or_default(), hashed.hash)
}

fn lexicon() -> Lexicon<'static> {
    let with_concepts =
        concept::WORDS.iter().map(|(of, words)| (WordKnowledge { concepts: *of, ..WordKnowledge::default() }, *words));
    let with_sorts = [
        (FUNCTION, figure::FUNCTION_WORDS),
        (OPENS, figure::OPENERS),
        (NO_PLURAL, figure::NO_PLURALS),
        (ORDINARY, vocabulary::WORDS),
        (LEVEL, "low medium moderate high critical"),
    ];
    let with_sorts = with_sorts.map(|(sorts, words)| (WordKnowledge { sorts, ..WordKnowledge::default() }, words));
    let lists = with_concepts.chain(with_sorts);
    let words = lists.flat_map(|(known, words)| words.split_whitespace().map(move |word| (word, known)));
    let said = licence::vocabulary()
        .map(|(word, said)| (word, WordKnowledge { word: Some(said), ..WordKnowledge::default() }));
    let opening =
        licence::run_openers().map(|word| (word, WordKnowledge { opens_run: true, ..WordKnowledge::default() }));
    let mut lexicon = Lexicon::default();
    for (word, known) in words.chain(said).chain(opening) {
        lexicon.entry(HashedWord::of(word)).or_default().add(known);
    }
    lexicon
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::SeverityLevel;

    #[test]
    fn every_word_for_a_severity_is_known_as_one() {
        let levels = include_str!("fact.rs").split('"').filter(|word| SeverityLevel::of(word).is_some());
        assert_eq!(levels.inspect(|word| assert!(look_up(word).0.sorts & LEVEL != 0, "{word}")).count(), 5);
    }
}
