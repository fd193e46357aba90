//! Sums the weights of features: each feature counts once, and less if there are very many.

use super::features::SentenceFeatures;
use crate::learned::Linear;

/// With more different features of a family than this, each counts less, so that a long text isn't judged by its length.
pub(super) const MEANING_FULL: f32 = 64.0;
pub(super) const WORDS_FULL: f32 = 32.0;

/// The summed weights of the features of a sentence or a text.
pub(super) struct Sums {
    seen: SeenFeatures,
    meaning: Sum,
    words: Sum,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    weights: i32,
    count: u32,
}

impl Sums {
    pub(super) fn new() -> Self {
        Self { seen: SeenFeatures::new(), meaning: Sum::default(), words: Sum::default() }
    }

    pub(super) fn clear(&mut self) {
        self.seen.clear();
        (self.meaning, self.words) = (Sum::default(), Sum::default());
    }

    /// Adds a sentence's features, and to `whole` those that it has not seen yet.
    pub(super) fn add(&mut self, model: &Linear, sentence: &SentenceFeatures<'_>, whole: &mut Self) {
        let families = [
            (sentence.meaning, &mut self.meaning, &mut whole.meaning),
            (sentence.words, &mut self.words, &mut whole.words),
        ];
        for (features, sentence_sum, text_sum) in families {
            for &feature in features {
                if self.seen.add(feature) {
                    let weight = model.weight(feature);
                    sentence_sum.add(weight);
                    if whole.seen.set_bit(feature).is_some() {
                        text_sum.add(weight);
                    }
                }
            }
        }
    }

    pub(super) fn score(&self, model: &Linear) -> f32 {
        let part = |sum: Sum, full| sum.weights as f32 * share(sum.count, full);
        model.scaled(0, (part(self.meaning, MEANING_FULL) + part(self.words, WORDS_FULL)).round() as i32)
    }
}

impl Sum {
    fn add(&mut self, weight: i32) {
        self.weights += weight;
        self.count += 1;
    }
}

/// The share of its weight with which each of `count` features counts.
pub(super) fn share(count: u32, full: f32) -> f32 {
    (full / count.max(1) as f32).sqrt().min(1.0)
}

/// Which features were seen, with one bit per hash. A set of whole hashes would be exact, but the weights were fitted with
/// these collisions, so scores would change; it also took 2 % more instructions (see the benchmarks' notes).
pub(super) struct SeenFeatures {
    bits: Vec<u64>,
    touched: Vec<u16>,
}

impl SeenFeatures {
    pub(super) fn new() -> Self {
        Self { bits: vec![0; 1 << 10], touched: Vec::new() }
    }

    /// Adds a feature; returns whether it is new.
    pub(super) fn add(&mut self, feature: u32) -> bool {
        let bit = self.set_bit(feature);
        self.touched.extend(bit);
        bit.is_some()
    }

    /// Adds a feature without recording it for `clear`; returns its bit if it is new.
    fn set_bit(&mut self, feature: u32) -> Option<u16> {
        let at = (feature.wrapping_mul(0x9E37_79B1) >> 16) as u16;
        let (word, bit) = (usize::from(at >> 6), 1_u64 << (at & 63));
        let new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        new.then_some(at)
    }

    fn clear(&mut self) {
        for at in self.touched.drain(..) {
            self.bits[usize::from(at >> 6)] = 0;
        }
    }
}
