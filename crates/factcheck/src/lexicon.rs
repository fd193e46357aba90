//! What is known of a word, found once when it is read: no reader has to compare it with a list again.

use std::sync::LazyLock;

use super::licence::Word;
use super::table::{Table, hash};
use super::{concept, figure, licence, vocabulary};

/// Sorts of words, as bits.
pub(super) type Sorts = u8;

/// Stands between others and says nothing of a figure.
pub(super) const FUNCTION: Sorts = 1;
/// A figure can start with it.
pub(super) const OPENS: Sorts = 1 << 1;
/// Ends as a plural does and is none.
pub(super) const NO_PLURAL: Sorts = 1 << 2;
/// May stand in capitals without being anybody's name.
pub(super) const ORDINARY: Sorts = 1 << 3;
/// Says how severe something is.
pub(super) const LEVEL: Sorts = 1 << 4;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// What it speaks of.
    pub(super) concepts: u64,
    pub(super) sorts: Sorts,
    /// What it says in a report; none if reports have no such word.
    pub(super) word: Option<Word>,
    /// An idiom or a signal's name may start with it.
    pub(super) opens_run: bool,
}

/// Of a word in small letters, or a part of a key, with its hash.
pub(super) fn known(word: &str) -> (Known, u64) {
    static WORDS: LazyLock<Table<Known>> = LazyLock::new(|| {
        let speaking = concept::WORDS.iter().map(|(of, words)| (Known { concepts: *of, ..Known::default() }, *words));
        let sorted = [
            (FUNCTION, figure::FUNCTION_WORDS),
            (OPENS, figure::OPENERS),
            (NO_PLURAL, figure::NO_PLURALS),
            (ORDINARY, vocabulary::WORDS),
            (LEVEL, "low medium moderate high critical"),
        ];
        let sorted = sorted.map(|(sorts, words)| (Known { sorts, ..Known::default() }, words));
        let words =
            speaking.chain(sorted).flat_map(|(known, words)| words.split_whitespace().map(move |word| (word, known)));
        let said = licence::vocabulary().map(|(word, said)| (word, Known { word: Some(said), ..Known::default() }));
        let opening = licence::run_openers().map(|word| (word, Known { opens_run: true, ..Known::default() }));
        Table::of(words.chain(said).chain(opening), |known, more| {
            known.concepts |= more.concepts;
            known.sorts |= more.sorts;
            known.opens_run |= more.opens_run;
            known.word = match (known.word, more.word) {
                (Some(one), Some(other)) => {
                    Some(Word { topics: one.topics | other.topics, acts: one.acts | other.acts })
                }
                (one, other) => one.or(other),
            };
        })
    });
    let hash = hash(word);
    (WORDS.get_hashed(word, hash).unwrap_or_default(), hash)
}

#[cfg(test)]
mod tests {
    use super::super::fact::Level;
    use super::*;

    #[test]
    fn every_word_for_a_severity_is_known_as_one() {
        let levels = include_str!("fact.rs").split('"').filter(|word| Level::of(word).is_some());
        assert_eq!(levels.inspect(|word| assert!(known(word).0.sorts & LEVEL != 0, "{word}")).count(), 5);
    }
}
