//! The features that the model of injections weighs: which concepts occur together in a sentence and in which order, and
//! which words.
//!
//! They form two families, which are weighed separately. Features of concepts mean the same in every language and every
//! collection of texts; words and pairs of words only help where the lexicon has no entry. A feature counts once per text.

use std::ops::Range;

use countersign_text::hash::fnv32;

use super::concept::{self, Concept, Spelling};
use crate::learned::joined;
use crate::tokenize::Word;

/// Longer sentences are cut at this length.
const SENTENCE_WORDS_MAX: usize = 48;
/// The maximum distance in words between two concepts that form a feature together.
const REACH_WORDS: usize = 10;
/// How many concepts back a concept is paired with.
const REACH_CONCEPTS: usize = 4;
/// The minimum number of words in capitals in a row that count as shouting.
const SHOUTED_WORDS_MIN: usize = 4;
/// The minimum number of marks in a row that count as a line (a rule), such as `-----`.
const RULE_MARKS_MIN: usize = 3;
/// The minimum number of single letters in a sentence that count as spelling, if there is little else.
const SPELT_LETTERS_MIN: usize = 6;

/// A sentence and its features.
pub(super) struct SentenceFeatures<'a> {
    /// The byte range in the text.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) concepts: ConceptSet,
    /// The byte range of its last word that is a listed word in disguise.
    pub(super) disguised: Option<Range<usize>>,
    /// The features of concepts and of words; they may repeat.
    pub(super) meaning: &'a [u32],
    pub(super) words: &'a [u32],
}

/// A set of concepts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ConceptSet(u64);

impl ConceptSet {
    fn insert(&mut self, concept: Concept) {
        self.0 |= 1 << concept as u8;
    }

    pub(super) fn has(self, concept: Concept) -> bool {
        self.0 & (1 << concept as u8) != 0
    }

    pub(super) fn has_any(self, concepts: &[Concept]) -> bool {
        concepts.iter().any(|&concept| self.has(concept))
    }
}

/// The kinds of features. The same two concepts in another relation are another feature.
#[derive(Clone, Copy)]
enum FeatureKind {
    Concept = 1,
    /// The first concept of a sentence, within its first three words.
    Opening,
    /// Two concepts close to each other.
    Pair,
    /// Two concepts in adjacent words.
    Next,
    Triple,
    Disguised,
    /// The opening concept of a sentence after a question or a line of marks.
    Break,
    Shouted,
    /// A line of marks.
    Ruled,
    /// The label of a speaker, such as "System:".
    Labelled,
    Spelt,
    Word,
    WordPair,
    /// The only concept of its sentence.
    Alone,
    Quoted,
}

/// Reads a text sentence by sentence.
pub(super) fn read(text: &str, words: &[Word], mut each: impl FnMut(SentenceFeatures<'_>)) {
    let mut reader = Reader::default();
    let mut from = 0;
    while from < words.len() {
        let length = sentence_length(text, &words[from..]);
        let sentence = &words[from..from + length];
        reader.read_sentence(text, sentence);
        each(SentenceFeatures {
            start: sentence[0].start,
            end: sentence[length - 1].end,
            concepts: reader.concepts,
            disguised: reader.disguised.clone(),
            meaning: &reader.meaning,
            words: &reader.words,
        });
        from += length;
    }
}

/// The number of words in the first sentence: up to and including the mark that ends it, or to the end of the line.
fn sentence_length(text: &str, words: &[Word]) -> usize {
    let ends = |n: usize| {
        let word = &words[n];
        let closed = word.shape.is_mark && matches!(&text[word.start..word.end], "." | "!" | "?" | "。" | "！" | "？");
        words.get(n + 1).is_some_and(|next| next.shape.opens_line || (closed && next.shape.spaced))
    };
    let most = words.len().min(SENTENCE_WORDS_MAX);
    (0..most).find(|&n| ends(n)).map_or(most, |n| n + 1)
}

#[derive(Default)]
struct Reader {
    meaning: Vec<u32>,
    words: Vec<u32>,
    concepts: ConceptSet,
    disguised: Option<Range<usize>>,
    /// The concepts of the sentence so far, outside quotations, with their word indices.
    recent: Vec<(Concept, usize)>,
    follows_question: bool,
    follows_rule: bool,
    sentences: usize,
}

impl Reader {
    fn read_sentence(&mut self, text: &str, words: &[Word]) {
        self.meaning.clear();
        self.words.clear();
        self.recent.clear();
        self.concepts = ConceptSet::default();
        self.disguised = None;
        let mut quoted = false;
        for (n, word) in words.iter().enumerate() {
            let before = n.checked_sub(1).map(|before| &words[before]);
            self.add_word(word, before);
            // A mark that opens the sentence doesn't open a quotation, so a sentence quoted as a whole counts as unquoted.
            quoted ^= n > 0 && word.shape.is_mark && matches!(&text[word.start..word.end], "\"" | "“" | "”");
            match concept::of(text, word, before) {
                Some((concept, _)) if quoted && concept != Concept::Quote => {
                    self.meaning.push(feature(FeatureKind::Quoted, concept as u32, 0));
                }
                Some((concept, spelling)) => {
                    self.add_concept(concept, n);
                    if spelling == Spelling::Disguised {
                        self.meaning.push(feature(FeatureKind::Disguised, concept as u32, 0));
                        self.disguised = Some(word.start..word.end);
                    }
                }
                None => {}
            }
        }
        self.add_layout(words);
        self.follows_question = self.concepts.has(Concept::Question);
        self.sentences += 1;
    }

    fn add_word(&mut self, word: &Word, before: Option<&Word>) {
        if word.shape.is_mark {
            return;
        }
        self.words.push(feature(FeatureKind::Word, word.hash, 0));
        if let Some(before) = before {
            self.words.push(feature(FeatureKind::WordPair, before.hash, word.hash));
        }
    }

    fn add_concept(&mut self, concept: Concept, at: usize) {
        let id = concept as u32;
        self.concepts.insert(concept);
        self.meaning.push(feature(FeatureKind::Concept, id, 0));
        if self.recent.is_empty() && at < 3 {
            self.meaning.push(feature(FeatureKind::Opening, id, 0));
            if self.sentences > 0 && (self.follows_question || self.follows_rule) {
                self.meaning.push(feature(FeatureKind::Break, id, u32::from(self.follows_rule)));
            }
        }
        let within = |&&(_, position): &&(Concept, usize)| at - position <= REACH_WORDS;
        for &(earlier, position) in self.recent.iter().rev().take(REACH_CONCEPTS).take_while(within) {
            self.meaning.push(feature(FeatureKind::Pair, earlier as u32, id));
            if at - position == 1 {
                self.meaning.push(feature(FeatureKind::Next, earlier as u32, id));
            }
        }
        if let [.., (first, position), (second, _)] = self.recent[..]
            && at - position <= REACH_WORDS
        {
            self.meaning.push(feature(FeatureKind::Triple, joined(first as u32, second as u32), id));
        }
        self.recent.push((concept, at));
    }

    /// Adds the features of a sentence's appearance: shouting, lines of marks, labels of a speaker, spelt-out words.
    fn add_layout(&mut self, words: &[Word]) {
        let look = SentenceLook::of(words);
        if look.shouted >= SHOUTED_WORDS_MIN {
            self.meaning.push(feature(FeatureKind::Shouted, u32::from(look.is_quiet_too), 0));
        }
        self.follows_rule = look.ruled >= RULE_MARKS_MIN;
        if self.follows_rule {
            self.meaning.push(feature(FeatureKind::Ruled, 0, 0));
        }
        if look.letters >= SPELT_LETTERS_MIN && look.letters * 3 > look.words * 2 {
            self.meaning.push(feature(FeatureKind::Spelt, 0, 0));
        }
        if let [(Concept::System | Concept::Model | Concept::Directive, 0), (Concept::Colon, 1), ..] = self.recent[..] {
            self.meaning.push(feature(FeatureKind::Labelled, self.recent[0].0 as u32, 0));
        }
        if let [(only, _)] = self.recent[..] {
            self.meaning.push(feature(FeatureKind::Alone, only as u32, 0));
        }
    }
}

/// The shape of a sentence.
#[derive(Default)]
struct SentenceLook {
    /// The largest number of words in capitals in a row, and of marks in a row.
    shouted: usize,
    ruled: usize,
    /// There is also a longer word that is not in capitals.
    is_quiet_too: bool,
    words: usize,
    /// Words of one letter.
    letters: usize,
}

impl SentenceLook {
    fn of(words: &[Word]) -> Self {
        let mut look = Self::default();
        let (mut shouted, mut ruled) = (0, 0);
        for word in words {
            shouted = if word.shape.all_upper { shouted + 1 } else { 0 };
            ruled = if word.shape.is_mark { ruled + 1 } else { 0 };
            (look.shouted, look.ruled) = (look.shouted.max(shouted), look.ruled.max(ruled));
            if !word.shape.is_mark {
                let length = word.end - word.start;
                look.words += 1;
                look.letters += usize::from(length == 1 && !word.shape.has_digit);
                look.is_quiet_too |= !word.shape.all_upper && length > 3;
            }
        }
        look
    }
}

fn feature(kind: FeatureKind, a: u32, b: u32) -> u32 {
    joined(joined(joined(fnv32::START, kind as u32), a), b)
}
