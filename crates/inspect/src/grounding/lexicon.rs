//! What is known of a word, found once when it is read: no reader has to compare it with a list again.

use std::sync::LazyLock;

use super::table::Table;
use super::{concept, figure, vocabulary};

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
}

/// Of a word in small letters, or a part of a key.
pub(super) fn known(word: &str) -> Known {
    static WORDS: LazyLock<Table<Known>> = LazyLock::new(|| {
        let speaking = concept::WORDS.iter().map(|(of, words)| (Known { concepts: *of, sorts: 0 }, *words));
        let sorted = [
            (FUNCTION, figure::FUNCTION_WORDS),
            (OPENS, figure::OPENERS),
            (NO_PLURAL, figure::NO_PLURALS),
            (ORDINARY, vocabulary::WORDS),
            (LEVEL, "low medium moderate high critical"),
        ];
        let sorted = sorted.map(|(sorts, words)| (Known { concepts: 0, sorts }, words));
        let words =
            speaking.chain(sorted).flat_map(|(known, words)| words.split_whitespace().map(move |word| (word, known)));
        Table::of(words, |known, more| {
            known.concepts |= more.concepts;
            known.sorts |= more.sorts;
        })
    });
    WORDS.get(word).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::fact::Level;
    use super::*;

    #[test]
    fn every_word_for_a_severity_is_known_as_one() {
        let levels = include_str!("fact.rs").split('"').filter(|word| Level::of(word).is_some());
        assert_eq!(levels.inspect(|word| assert!(known(word).sorts & LEVEL != 0, "{word}")).count(), 5);
    }
}
