//! An index of a context: its stems and their positions, its numbers, and its pairs of neighbouring words.

use super::lexicon::{Bits, LEXICON, StemEntry};
use super::sentence::{self, TokenRange};
use super::token::{self, Class, Token};

pub(super) struct Index {
    pub(super) tokens: Vec<Token>,
    pub(super) sentences: Vec<TokenRange>,
    pub(super) is_record: bool,
    /// Content stems with their token positions, sorted.
    stems: Vec<(u32, u32)>,
    numbers: Vec<f64>,
    /// Pairs of neighbouring words as written, sorted.
    word_pairs: Vec<u64>,
    /// Pairs of neighbouring content stems, sorted.
    stem_pairs: Vec<u64>,
    /// The synonym lines that contain a word of the context.
    groups: Bits,
    /// The sides of opposites that contain one.
    sides: Bits,
    /// The first letters of its long words, sorted.
    heads: Vec<u32>,
    /// Its stems without negating prefixes such as "un-", sorted.
    bare: Vec<u32>,
    /// The number of content words.
    pub(super) content_words: usize,
}

impl Index {
    pub(super) fn new(context: &str) -> Self {
        let is_record = sentence::is_record(context);
        let mut tokens = token::read(context, is_record);
        let sentences = sentence::split(context, &mut tokens, is_record);
        let lexicon = &*LEXICON;
        let (mut groups, mut sides) = (Bits::new(lexicon.groups), Bits::new(lexicon.sides));
        let (mut heads, mut bare) = (Vec::new(), Vec::new());
        let (mut stems, mut numbers) = (Vec::with_capacity(tokens.len()), Vec::new());
        let (mut word_pairs, mut stem_pairs) = (Vec::with_capacity(tokens.len()), Vec::with_capacity(tokens.len()));
        let (mut last_word, mut last_stem) = (0, 0);
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.class != Class::Mark) {
            word_pairs.push(pair(last_word, token.word));
            last_word = token.word;
            if token.class == Class::Number {
                numbers.push(token.value);
                // "22:0" in a record is "10 pm" in prose.
                if is_record && (13.0..24.0).contains(&token.value) {
                    numbers.push(token.value - 12.0);
                }
            }
            if token.is_content() {
                stems.push((token.stem, at as u32));
                stem_pairs.push(pair(last_stem, token.stem));
                last_stem = token.stem;
                heads.push(token.head);
                if token.bare != 0 {
                    bare.push(token.bare);
                }
                if let Some(entry) = lexicon.get(token.entry) {
                    entry.groups.iter().for_each(|&group| groups.insert(group));
                    entry.sides.iter().for_each(|side| sides.insert(side.id));
                }
            }
        }
        let content_words = stems.len();
        stems.sort_unstable();
        word_pairs.sort_unstable();
        stem_pairs.sort_unstable();
        numbers.sort_unstable_by(f64::total_cmp);
        heads.sort_unstable();
        bare.sort_unstable();
        Self {
            tokens,
            sentences,
            is_record,
            stems,
            numbers,
            word_pairs,
            stem_pairs,
            groups,
            sides,
            heads,
            bare,
            content_words,
        }
    }

    /// The token positions of a stem, in order.
    pub(super) fn places(&self, stem: u32) -> &[(u32, u32)] {
        let from = self.stems.partition_point(|&(other, _)| other < stem);
        let count = self.stems[from..].partition_point(|&(other, _)| other == stem);
        &self.stems[from..from + count]
    }

    pub(super) fn has(&self, stem: u32) -> bool {
        self.stems.binary_search_by_key(&stem, |&(other, _)| other).is_ok()
    }

    /// Whether the context contains a number: exactly or, if it is large and no year, within half a per cent.
    pub(super) fn has_number(&self, value: f64) -> bool {
        let slack =
            if value.abs() >= 1000.0 && !(1900.0..2100.0).contains(&value) { value.abs() * 0.005 } else { 1e-6 };
        let from = self.numbers.partition_point(|&other| other < value - slack);
        self.numbers.get(from).is_some_and(|&other| other <= value + slack)
    }

    pub(super) fn has_synonym(&self, token: &Token) -> bool {
        let grouped = |entry: &StemEntry| entry.groups.iter().any(|&group| self.groups.contains(group));
        LEXICON.get(token.entry).is_some_and(grouped)
            || token.head != 0 && self.heads.binary_search(&token.head).is_ok()
    }

    /// Whether the context contains a word that excludes this one, and no synonym of it.
    pub(super) fn opposes(&self, token: &Token) -> bool {
        let negated = token.bare != 0 && self.has(token.bare) || self.bare.binary_search(&token.stem).is_ok();
        negated || LEXICON.get(token.entry).is_some_and(|entry| entry.opposed_by(&self.sides))
    }

    pub(super) fn has_word_pair(&self, first: u32, second: u32) -> bool {
        self.word_pairs.binary_search(&pair(first, second)).is_ok()
    }

    pub(super) fn has_stem_pair(&self, first: u32, second: u32) -> bool {
        self.stem_pairs.binary_search(&pair(first, second)).is_ok()
    }

    pub(super) fn tokens_of(&self, sentence: usize) -> &[Token] {
        self.sentences.get(sentence).map_or(&[], |sentence| &self.tokens[sentence.from..sentence.to])
    }
}

fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}
