//! Stage 2, tokens: everything known about a word. It is looked up once per token, so that later stages don't compare strings
//! with word lists.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::LazyLock;

use countersign_text::hash::{Prehashed, fnv64};

use crate::licence::WordSense;
use crate::{concept, figure, licence, ordinary_words};

/// Word classes, as a bit set.
pub(crate) type WordClasses = u8;

/// A function word, which says nothing about a figure.
pub(crate) const FUNCTION: WordClasses = 1;
/// A word that a figure can start with.
pub(crate) const OPENS: WordClasses = 1 << 1;
/// A word that looks like a plural but is not one.
pub(crate) const NO_PLURAL: WordClasses = 1 << 2;
/// A word that may be capitalised without being a name.
pub(crate) const ORDINARY: WordClasses = 1 << 3;
/// A word for a severity.
pub(crate) const LEVEL: WordClasses = 1 << 4;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WordKnowledge {
    /// The concepts that the word refers to, as a bit mask.
    pub(crate) concepts: u64,
    pub(crate) classes: WordClasses,
    /// The meaning of the word in a report. `None` if it is not in the vocabulary of reports.
    pub(crate) sense: Option<WordSense>,
    /// Whether an idiom or a signal's name of several words may start with the word.
    pub(crate) opens_multiword: bool,
}

impl WordKnowledge {
    fn add(&mut self, more: Self) {
        self.concepts |= more.concepts;
        self.classes |= more.classes;
        self.opens_multiword |= more.opens_multiword;
        self.sense = match (self.sense, more.sense) {
            (Some(one), Some(other)) => {
                Some(WordSense { topics: one.topics | other.topics, acts: one.acts | other.acts })
            }
            (one, other) => one.or(other),
        };
    }
}

/// A word with its precomputed hash.
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

/// Looks up a word in lower case, or a part of a key. Returns its hash too.
pub(crate) fn look_up(word: &str) -> (WordKnowledge, u64) {
    static LEXICON: LazyLock<Lexicon<'static>> = LazyLock::new(lexicon);
    let lexicon: &Lexicon<'_> = &LEXICON;
    let hashed = HashedWord::of(word);
    (lexicon.get(&hashed).copied().unwrap_or_default(), hashed.hash)
}

fn lexicon() -> Lexicon<'static> {
    let with_concepts =
        concept::WORDS.iter().map(|(of, words)| (WordKnowledge { concepts: *of, ..WordKnowledge::default() }, *words));
    let with_classes = [
        (FUNCTION, figure::FUNCTION_WORDS),
        (OPENS, figure::OPENERS),
        (NO_PLURAL, figure::NO_PLURALS),
        (ORDINARY, ordinary_words::WORDS),
        (LEVEL, "low medium moderate high critical"),
    ];
    let with_classes =
        with_classes.map(|(classes, words)| (WordKnowledge { classes, ..WordKnowledge::default() }, words));
    let lists = with_concepts.chain(with_classes);
    let words = lists.flat_map(|(known, words)| words.split_whitespace().map(move |word| (word, known)));
    let senses = licence::vocabulary::entries()
        .map(|(word, sense)| (word, WordKnowledge { sense: Some(sense), ..WordKnowledge::default() }));
    let opening = licence::multiword_openers()
        .map(|word| (word, WordKnowledge { opens_multiword: true, ..WordKnowledge::default() }));
    let mut lexicon = Lexicon::default();
    for (word, known) in words.chain(senses).chain(opening) {
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
        assert_eq!(levels.inspect(|word| assert!(look_up(word).0.classes & LEVEL != 0, "{word}")).count(), 5);
    }
}
