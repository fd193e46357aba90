//! The part of a context that a sentence is most likely based on: the sentences that share its rarer words.

use super::index::Index;
use super::lexicon::{Bits, LEXICON};
use super::token::{Class, Token};

/// How many places of a word are examined; the places of more frequent words carry little information.
const PLACES_MAX: usize = 128;
const SENTENCES: usize = 3;

/// Used for one sentence after another, so that its memory is reused.
pub(super) struct Passage {
    scores: Vec<f32>,
    touched: Vec<u32>,
    /// The best sentences of the context, the best one first.
    pub(super) nearest: Vec<usize>,
    /// The stems of the passage, sorted, and whether each is negated there.
    stems: Vec<(u32, bool)>,
    /// The stems of the best sentence, in text order.
    pub(super) best: Vec<u32>,
    groups: Bits,
    sides: Bits,
    pub(super) negators: usize,
}

impl Passage {
    pub(super) fn new(index: &Index) -> Self {
        Self {
            scores: vec![0.0; index.sentences.len()],
            touched: Vec::new(),
            nearest: Vec::new(),
            stems: Vec::new(),
            best: Vec::new(),
            groups: Bits::new(LEXICON.groups),
            sides: Bits::new(LEXICON.sides),
            negators: 0,
        }
    }

    /// Finds the passage for a sentence.
    pub(super) fn align(&mut self, index: &Index, sentence: &[Token]) {
        self.score(index, sentence);
        self.choose();
        self.stems.clear();
        self.best.clear();
        self.groups.clear();
        self.sides.clear();
        self.negators = 0;
        let Some(&best) = self.nearest.first() else { return };
        self.best.extend(index.tokens_of(best).iter().filter(|token| token.is_content()).map(|token| token.stem));
        self.negators = index.tokens_of(best).iter().filter(|token| token.negator).count();
        let around = [best.checked_sub(1), Some(best + 1)].into_iter().flatten().filter(|n| !self.nearest.contains(n));
        let chosen: Vec<usize> = self.nearest.iter().copied().chain(around).collect();
        chosen.into_iter().for_each(|sentence| self.add_sentence(index.tokens_of(sentence)));
        self.stems.sort_unstable();
    }

    /// Gives each sentence of the context the weight of the words it shares with this one; words that are rare in the
    /// context weigh more.
    fn score(&mut self, index: &Index, sentence: &[Token]) {
        let all = index.sentences.len() as f32;
        for token in sentence.iter().filter(|token| token.is_content()) {
            let places = index.places(token.stem);
            let weight = token.weight() * (1.0 + all / (1.0 + places.len() as f32)).ln();
            let mut last = u32::MAX;
            for &(_, at) in &places[..places.len().min(PLACES_MAX)] {
                let sentence = index.tokens[at as usize].sentence;
                if sentence == last {
                    continue;
                }
                last = sentence;
                let score = &mut self.scores[sentence as usize];
                if *score == 0.0 {
                    self.touched.push(sentence);
                }
                *score += weight;
            }
        }
    }

    /// Keeps the sentences with the highest scores, and resets the scores.
    fn choose(&mut self) {
        let scores = &self.scores;
        let better = |a: &u32, b: &u32| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b));
        if self.touched.len() > SENTENCES {
            self.touched.select_nth_unstable_by(SENTENCES, better);
        }
        let mut top: Vec<u32> = self.touched.iter().copied().take(SENTENCES).collect();
        top.sort_unstable_by(better);
        self.nearest.clear();
        self.nearest.extend(top.into_iter().map(|sentence| sentence as usize));
        for &sentence in &self.touched {
            self.scores[sentence as usize] = 0.0;
        }
        self.touched.clear();
    }

    fn add_sentence(&mut self, tokens: &[Token]) {
        for token in tokens.iter().filter(|token| token.class != Class::Mark) {
            self.stems.push((token.stem, token.negated));
            let Some(entry) = LEXICON.get(token.entry) else { continue };
            entry.sides.iter().for_each(|side| self.sides.insert(side.id));
            if token.is_content() {
                entry.groups.iter().for_each(|&group| self.groups.insert(group));
            }
        }
    }

    pub(super) fn has(&self, stem: u32) -> bool {
        self.stems.binary_search_by_key(&stem, |&(other, _)| other).is_ok()
    }

    pub(super) fn has_synonym(&self, token: &Token) -> bool {
        LEXICON.get(token.entry).is_some_and(|entry| entry.groups.iter().any(|&group| self.groups.contains(group)))
    }

    /// Whether the passage contains a word that excludes this one, and no synonym of it.
    pub(super) fn opposes(&self, token: &Token) -> bool {
        LEXICON.get(token.entry).is_some_and(|entry| entry.opposed_by(&self.sides))
    }

    /// Whether the passage contains this word only with the opposite polarity.
    pub(super) fn flips(&self, stem: u32, negated: bool) -> bool {
        let from = self.stems.partition_point(|&(other, _)| other < stem);
        let mut same = self.stems[from..].iter().take_while(|&&(other, _)| other == stem).peekable();
        same.peek().is_some() && same.all(|&(_, other)| other != negated)
    }
}
