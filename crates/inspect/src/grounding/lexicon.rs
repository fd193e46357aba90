//! What the word lists say about a stem: how specific it is, its synonyms, and its opposites.

use std::sync::LazyLock;

use countersign_text::hash::{PrehashedMap, PrehashedSet};

use super::stem::stem;
use crate::tokenize;

/// One side of a line of opposites; the sides of a line have consecutive numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) id: u16,
    pub(super) line_from: u16,
    pub(super) line_to: u16,
}

#[derive(Default)]
pub(super) struct StemEntry {
    /// The synonym lines that contain the stem.
    pub(super) groups: Vec<u16>,
    pub(super) sides: Vec<Side>,
    pub(super) neutral: bool,
    pub(super) frequent: bool,
    pub(super) soft: bool,
}

impl StemEntry {
    /// Whether one of these sides excludes the stem, and no side has the same meaning.
    pub(super) fn opposed_by(&self, sides: &Bits) -> bool {
        let excluded = |side: &Side| (side.line_from..side.line_to).any(|id| sides.contains(id));
        !self.sides.iter().any(|side| sides.contains(side.id)) && self.sides.iter().any(excluded)
    }

    pub(super) fn excludes(&self, other: &Self) -> bool {
        let apart = |one: &Side, two: &Side| one.line_from == two.line_from && one.id != two.id;
        self.sides.iter().any(|one| other.sides.iter().any(|two| apart(one, two)))
    }

    pub(super) fn means(&self, other: &Self) -> bool {
        self.groups.iter().any(|group| other.groups.contains(group))
            || self.sides.iter().any(|side| other.sides.contains(side))
    }
}

/// The index of a word that is in no list.
pub(super) const NONE: u16 = u16::MAX;

pub(super) struct Lexicon {
    /// Hashes of the function words.
    function: PrehashedSet,
    /// The index of each stem's entry.
    places: PrehashedMap<u16>,
    entries: Vec<StemEntry>,
    pub(super) groups: usize,
    pub(super) sides: usize,
}

pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// The lines of a list, without comments.
pub(super) fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

impl Lexicon {
    fn read() -> Self {
        let all = |list| lines(list).flat_map(str::split_whitespace);
        let function = all(include_str!("lists/function.txt")).map(tokenize::hash).collect();
        let (mut places, mut entries): (PrehashedMap<u16>, Vec<StemEntry>) = Default::default();
        let mut entry = |word, set: &dyn Fn(&mut StemEntry)| {
            let at = *places.entry(stem(word)).or_insert(entries.len() as u16);
            if usize::from(at) == entries.len() {
                entries.push(StemEntry::default());
            }
            entries.get_mut(usize::from(at)).into_iter().for_each(set);
        };
        for word in all(include_str!("lists/neutral.txt")) {
            entry(word, &|entry| entry.neutral = true);
        }
        for word in all(include_str!("lists/frequent.txt")) {
            entry(word, &|entry| entry.frequent = true);
        }
        for word in all(include_str!("lists/soft.txt")) {
            entry(word, &|entry| entry.soft = true);
        }
        let mut groups = 0;
        for line in lines(include_str!("lists/synonyms.txt")) {
            line.split_whitespace().for_each(|word| entry(word, &|entry| entry.groups.push(groups)));
            groups += 1;
        }
        let mut sides = 0;
        for line in lines(include_str!("lists/opposites.txt")) {
            let (from, count) = (sides, line.split('|').count() as u16);
            for side in line.split('|') {
                let side_of = Side { id: sides, line_from: from, line_to: from + count };
                side.split_whitespace().for_each(|word| entry(word, &|entry| entry.sides.push(side_of)));
                sides += 1;
            }
        }
        Self { function, places, entries, groups: usize::from(groups), sides: usize::from(sides) }
    }

    pub(super) fn is_function(&self, word: u32) -> bool {
        self.function.contains(&word)
    }

    pub(super) fn place(&self, stem: u32) -> u16 {
        self.places.get(&stem).copied().unwrap_or(NONE)
    }

    pub(super) fn get(&self, place: u16) -> Option<&StemEntry> {
        self.entries.get(usize::from(place))
    }
}

/// A set of small integers.
#[derive(Clone)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, n: u16) {
        if let Some(word) = self.0.get_mut(usize::from(n) / 64) {
            *word |= 1 << (n % 64);
        }
    }

    pub(super) fn contains(&self, n: u16) -> bool {
        self.0.get(usize::from(n) / 64).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_read() {
        let lexicon = &*LEXICON;
        assert!(lexicon.is_function(tokenize::hash("the")) && !lexicon.is_function(tokenize::hash("house")));
        let of = |word| lexicon.get(lexicon.place(stem(word))).unwrap();
        assert!(of("purchase").groups.iter().any(|group| of("bought").groups.contains(group)));
        let (rise, fall) = (of("rises").sides[0], of("falling").sides[0]);
        assert!(rise.id != fall.id && rise.line_from == fall.line_from);
    }

    #[test]
    fn every_function_word_is_known() {
        let mut all = lines(include_str!("lists/function.txt")).flat_map(str::split_whitespace).map(tokenize::hash);
        assert!(all.all(|word| LEXICON.is_function(word)));
        assert!(!LEXICON.is_function(0));
    }

    #[test]
    fn a_bit_set_contains_the_inserted_numbers() {
        let mut bits = Bits::new(70);
        bits.insert(69);
        assert!(bits.contains(69) && !bits.contains(5) && !bits.contains(700));
        bits.clear();
        assert!(!bits.contains(69));
    }
}
