//! What the model of injections sees of a text: which concepts stand together in a sentence and in which order, and which words.
//!
//! Two families, kept apart because they weigh differently: features of concepts mean something in every language and every
//! collection; words and pairs of words only help where the lexicon is silent. Each is seen once in a text, however often it stands.

use std::ops::Range;

use countersign_text::hash::fnv32;

use super::concept::{self, Concept, Spelling};
use crate::learned::joined;
use crate::tokenize::Word;

/// Longer stretches without a full stop are cut here.
const SENTENCE_WORDS_MAX: usize = 48;
/// How many words apart two concepts may stand and still be seen together.
const REACH_WORDS: usize = 10;
/// How many concepts back a concept is paired with.
const REACH_CONCEPTS: usize = 4;
/// Capital words in a row that shout.
const SHOUTED_WORDS: usize = 4;
/// Marks in a row that draw a line.
const RULED_MARKS: usize = 3;
/// Single letters of a sentence that spell, if there is little else.
const SPELT_LETTERS: usize = 6;

/// A sentence and what was seen in it.
pub(super) struct SentenceFeatures<'a> {
    /// Bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) concepts: Concepts,
    /// A word of it that stands for another.
    pub(super) disguised: Option<Range<usize>>,
    /// Features of both families; not yet free of repetitions.
    pub(super) meaning: &'a [u32],
    pub(super) words: &'a [u32],
}

/// A set of concepts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Concepts(u64);

impl Concepts {
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

/// The kinds of features, so that the same two concepts in another relation are another feature.
#[derive(Clone, Copy)]
enum Of {
    Concept = 1,
    Opening,
    Pair,
    Next,
    Triple,
    Disguised,
    Break,
    Shouted,
    Ruled,
    Labelled,
    Spelt,
    Word,
    Words,
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
        reader.sentence(text, sentence);
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

/// Up to and with the mark that ends it, or to the line's end.
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
    concepts: Concepts,
    disguised: Option<Range<usize>>,
    /// The last concepts of the sentence and where they stood.
    recent: Vec<(Concept, usize)>,
    asked_before: bool,
    ruled_before: bool,
    sentences: usize,
}

impl Reader {
    fn sentence(&mut self, text: &str, words: &[Word]) {
        self.meaning.clear();
        self.words.clear();
        self.recent.clear();
        self.concepts = Concepts::default();
        self.disguised = None;
        let mut quoted = false;
        for (n, word) in words.iter().enumerate() {
            let before = n.checked_sub(1).map(|before| &words[before]);
            self.word(word, before);
            // A sentence that is all quotation counts as said.
            quoted ^= n > 0 && word.shape.is_mark && matches!(&text[word.start..word.end], "\"" | "“" | "”");
            match concept::of(text, word, before) {
                Some((concept, _)) if quoted && concept != Concept::Quote => {
                    self.meaning.push(feature(Of::Quoted, concept as u32, 0));
                }
                Some((concept, form)) => {
                    self.concept(concept, n);
                    if form == Spelling::Disguised {
                        self.meaning.push(feature(Of::Disguised, concept as u32, 0));
                        self.disguised = Some(word.start..word.end);
                    }
                }
                None => {}
            }
        }
        self.layout(words);
        self.asked_before = self.concepts.has(Concept::Question);
        self.sentences += 1;
    }

    fn word(&mut self, word: &Word, before: Option<&Word>) {
        if word.shape.is_mark {
            return;
        }
        self.words.push(feature(Of::Word, word.hash, 0));
        if let Some(before) = before {
            self.words.push(feature(Of::Words, before.hash, word.hash));
        }
    }

    fn concept(&mut self, concept: Concept, at: usize) {
        let id = concept as u32;
        self.concepts.insert(concept);
        self.meaning.push(feature(Of::Concept, id, 0));
        if self.recent.is_empty() && at < 3 {
            self.meaning.push(feature(Of::Opening, id, 0));
            if self.sentences > 0 && (self.asked_before || self.ruled_before) {
                self.meaning.push(feature(Of::Break, id, u32::from(self.ruled_before)));
            }
        }
        let within = |&&(_, stood): &&(Concept, usize)| at - stood <= REACH_WORDS;
        for &(earlier, stood) in self.recent.iter().rev().take(REACH_CONCEPTS).take_while(within) {
            self.meaning.push(feature(Of::Pair, earlier as u32, id));
            if at - stood == 1 {
                self.meaning.push(feature(Of::Next, earlier as u32, id));
            }
        }
        if let [.., (first, stood), (second, _)] = self.recent[..]
            && at - stood <= REACH_WORDS
        {
            self.meaning.push(feature(Of::Triple, joined(first as u32, second as u32), id));
        }
        self.recent.push((concept, at));
    }

    /// Shouting, lines of marks, labels of a speaker, spelt-out words: how a text looks where it breaks off.
    fn layout(&mut self, words: &[Word]) {
        let look = SentenceLook::of(words);
        if look.shouted >= SHOUTED_WORDS {
            self.meaning.push(feature(Of::Shouted, u32::from(look.is_quiet_too), 0));
        }
        self.ruled_before = look.ruled >= RULED_MARKS;
        if self.ruled_before {
            self.meaning.push(feature(Of::Ruled, 0, 0));
        }
        if look.letters >= SPELT_LETTERS && look.letters * 3 > look.words * 2 {
            self.meaning.push(feature(Of::Spelt, 0, 0));
        }
        if let [(Concept::System | Concept::Model | Concept::Directive, 0), (Concept::Colon, 1), ..] = self.recent[..] {
            self.meaning.push(feature(Of::Labelled, self.recent[0].0 as u32, 0));
        }
        if let [(only, _)] = self.recent[..] {
            self.meaning.push(feature(Of::Alone, only as u32, 0));
        }
    }
}

/// What a sentence looks like, in one pass.
#[derive(Default)]
struct SentenceLook {
    /// The most capital words in a row, and the most marks.
    shouted: usize,
    ruled: usize,
    /// A longer word that is not in capitals.
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

fn feature(of: Of, a: u32, b: u32) -> u32 {
    joined(joined(joined(fnv32::START, of as u32), a), b)
}
