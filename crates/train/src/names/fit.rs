//! Logistic regression over hashed features, trained with AdaGrad. The same rows and options give the same weights.

use countersign_inspect::learned::training::{bucket, to_bytes};
use countersign_text::hash::SplitMix64;

/// The hashed features of a row, its class and its weight.
pub(crate) struct HashedRow {
    pub(crate) features: Vec<u32>,
    pub(crate) class: usize,
    pub(crate) weight: f32,
}

#[derive(Clone, Copy)]
pub(crate) struct FitOptions {
    /// 1 means yes (class 1) or no (class 0) with a single set of weights; more means one set per class.
    pub(crate) classes: usize,
    pub(crate) log2_buckets: u8,
    pub(crate) epochs: usize,
    pub(crate) rate: f32,
    pub(crate) l2: f32,
    pub(crate) seed: u64,
}

pub(crate) struct FittedTagger {
    log2_buckets: u8,
    classes: usize,
    pub(crate) biases: Vec<f32>,
    pub(crate) weights: Vec<f32>,
}

pub(crate) fn fit(rows: &[HashedRow], options: FitOptions) -> FittedTagger {
    let size = (1_usize << options.log2_buckets) * options.classes;
    let mut fitted = FittedTagger {
        log2_buckets: options.log2_buckets,
        classes: options.classes,
        biases: vec![0.0; options.classes],
        weights: vec![0.0; size],
    };
    let mut squares = vec![1e-6_f32; size];
    let mut bias_squares = vec![1e-6_f32; options.classes];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut chance = SplitMix64(options.seed);
    let mut scores = vec![0.0; options.classes];
    for _ in 0..options.epochs {
        chance.shuffle(&mut order);
        for &n in &order {
            let row = &rows[n];
            fitted.scores(&row.features, &mut scores);
            errors(&mut scores, row.class);
            for (class, error) in scores.iter().enumerate() {
                let gradient = error * row.weight;
                step(&mut fitted.biases[class], &mut bias_squares[class], gradient, options.rate);
                for &feature in &row.features {
                    let at = bucket(feature, options.log2_buckets) * options.classes + class;
                    let gradient = gradient + options.l2 * fitted.weights[at];
                    step(&mut fitted.weights[at], &mut squares[at], gradient, options.rate);
                }
            }
        }
    }
    fitted
}

impl FittedTagger {
    pub(crate) fn scores(&self, features: &[u32], scores: &mut [f32]) {
        scores.copy_from_slice(&self.biases);
        for &feature in features {
            let at = bucket(feature, self.log2_buckets) * self.classes;
            for (score, weight) in scores.iter_mut().zip(&self.weights[at..at + self.classes]) {
                *score += weight;
            }
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self.log2_buckets, &self.biases, &self.weights)
    }
}

/// Turns scores into errors: the prediction minus the truth.
fn errors(scores: &mut [f32], class: usize) {
    if let [score] = scores {
        *score = 1.0 / (1.0 + (-*score).exp()) - class as f32;
        return;
    }
    let largest = scores.iter().copied().fold(f32::MIN, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - largest).exp()).sum();
    for (n, score) in scores.iter_mut().enumerate() {
        *score = (*score - largest).exp() / sum - if n == class { 1.0 } else { 0.0 };
    }
}

fn step(weight: &mut f32, squares: &mut f32, gradient: f32, rate: f32) {
    *squares += gradient * gradient;
    *weight -= rate * gradient / squares.sqrt();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(classes: usize) -> FitOptions {
        FitOptions { classes, log2_buckets: 8, epochs: 50, rate: 0.3, l2: 0.0, seed: 7 }
    }

    #[test]
    fn separable_classes_are_learnt_reproducibly() {
        let rows: Vec<HashedRow> = (0..20_u32)
            .map(|n| HashedRow { features: vec![n % 2, 100 + n], class: (n % 2) as usize, weight: 1.0 })
            .collect();
        let (once, again) = (fit(&rows, options(1)), fit(&rows, options(1)));
        assert_eq!(once.to_bytes(), again.to_bytes());
        let score = |feature| {
            let mut scores = [0.0];
            once.scores(&[feature], &mut scores);
            scores[0]
        };
        assert!(score(1) > 1.0 && score(0) < -1.0);
    }

    #[test]
    fn several_classes_are_learnt_together() {
        let rows: Vec<HashedRow> =
            (0..30_u32).map(|n| HashedRow { features: vec![n % 3], class: (n % 3) as usize, weight: 1.0 }).collect();
        let fitted = fit(&rows, options(3));
        for class in 0..3 {
            let mut scores = [0.0; 3];
            fitted.scores(&[class as u32], &mut scores);
            assert!((0..3).all(|other| other == class || scores[class] > scores[other]), "{scores:?}");
        }
    }
}
