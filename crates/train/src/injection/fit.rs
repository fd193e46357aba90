//! Logistic regression over two families of features, each with its own regularisation. In a text with many features of a
//! family, each of them counts less.

use std::collections::{HashMap, HashSet};

use countersign_inspect::learned::training::{bucket, to_bytes};
use countersign_inspect::training::injection::{BUCKETS_LOG2, Features};
use countersign_text::hash::SplitMix64;

pub(crate) struct WeightedFeatures {
    pub(crate) features: Features,
    pub(crate) is_attack: bool,
    pub(crate) weight: f32,
    /// The pattern of the row; rows of one pattern are never on both sides of a fold.
    pub(crate) group: usize,
}

const EPOCHS: usize = 15;
const RATE: f32 = 0.08;
/// The strength of the L2 regularisation, for features of concepts and for words.
const MEANING_L2: f32 = 5.0;
const WORDS_L2: f32 = 2.0;
/// A word that occurs in fewer patterns characterises a pattern rather than attacks.
const WORD_GROUPS_MIN: usize = 4;

/// Fits a model to the chosen rows and returns its bytes.
pub(crate) fn fit(rows: &[WeightedFeatures], chosen: &[usize]) -> Vec<u8> {
    let common = common_words(rows, chosen);
    let prepared: Vec<Prepared> = chosen.iter().map(|&n| Prepared::new(&rows[n], &common)).collect();
    let mut weights = vec![0_f32; 1 << BUCKETS_LOG2];
    let mut squares = vec![1e-3_f32; weights.len()];
    let mut counts = vec![0_f32; weights.len()];
    for row in &prepared {
        for &(at, ..) in &row.features {
            counts[at] += 1.0;
        }
    }
    let (mut bias, mut bias_squares) = (0_f32, 1e-3_f32);
    let mut order: Vec<usize> = (0..prepared.len()).collect();
    let mut chance = SplitMix64(11);
    for _ in 0..EPOCHS {
        chance.shuffle(&mut order);
        for row in order.iter().map(|&n| &prepared[n]) {
            let score = bias + row.features.iter().map(|&(at, share, _)| weights[at] * share).sum::<f32>();
            let error = (1.0 / (1.0 + (-score).exp()) - row.target) * row.weight;
            step(&mut bias, &mut bias_squares, error);
            for &(at, share, l2) in &row.features {
                let gradient = error * share + l2 * weights[at] / counts[at];
                step(&mut weights[at], &mut squares[at], gradient);
            }
        }
    }
    to_bytes(BUCKETS_LOG2, &[bias], &weights)
}

struct Prepared {
    /// Bucket, share and regularisation strength of each feature.
    features: Vec<(usize, f32, f32)>,
    target: f32,
    weight: f32,
}

impl Prepared {
    fn new(row: &WeightedFeatures, common: &HashSet<u32>) -> Self {
        let of = &row.features;
        let meaning = of.meaning.iter().map(|&f| (bucket(f, BUCKETS_LOG2), of.meaning_share, MEANING_L2));
        let words = of.words.iter().filter(|f| common.contains(f));
        let words = words.map(|&f| (bucket(f, BUCKETS_LOG2), of.words_share, WORDS_L2));
        Self { features: meaning.chain(words).collect(), target: f32::from(row.is_attack), weight: row.weight }
    }
}

fn step(weight: &mut f32, squares: &mut f32, gradient: f32) {
    *squares += gradient * gradient;
    *weight -= RATE * gradient / squares.sqrt();
}

fn common_words(rows: &[WeightedFeatures], chosen: &[usize]) -> HashSet<u32> {
    let mut groups: HashMap<u32, Vec<usize>> = HashMap::new();
    for row in chosen.iter().map(|&n| &rows[n]) {
        for &feature in &row.features.words {
            let seen = groups.entry(feature).or_default();
            if seen.len() < WORD_GROUPS_MIN && !seen.contains(&row.group) {
                seen.push(row.group);
            }
        }
    }
    groups.into_iter().filter(|(_, seen)| seen.len() >= WORD_GROUPS_MIN).map(|(feature, _)| feature).collect()
}
