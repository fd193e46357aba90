//! Logistic regression that starts from prior weights and is regularised towards them. Adam uses all rows in each step,
//! so the order of the rows doesn't matter, and a weight moves far only if many rows agree.

use countersign_inspect::learned::training::bucket;
use countersign_inspect::training::toxicity::{LOG2, priors};

use super::sources::ToxicityRow;

const STEPS: usize = 120;
const RATE: f32 = 0.12;
const PRIOR_BIAS: f32 = -3.0;
/// The regularisation towards the prior, per weight of each table.
const PULL: [f32; 3] = [4.0, 4.0, 0.7];

pub(crate) struct FittedToxicity {
    pub(crate) bias: f32,
    weights: Vec<f32>,
}

/// The index of a feature's weight among those of all tables.
pub(crate) fn place(table: usize, feature: u32) -> usize {
    base(table) + bucket(feature, LOG2[table])
}

fn base(table: usize) -> usize {
    LOG2[..table].iter().map(|log2| 1_usize << log2).sum()
}

impl FittedToxicity {
    pub(crate) fn table(&self, table: usize) -> &[f32] {
        &self.weights[base(table)..base(table + 1)]
    }

    pub(crate) fn probability(&self, row: &ToxicityRow) -> f64 {
        f64::from(sigmoid(self.score(row)))
    }

    fn score(&self, row: &ToxicityRow) -> f32 {
        self.bias + row.features.iter().map(|&(at, value)| self.weights[at as usize] * value).sum::<f32>()
    }
}

pub(crate) fn fit(rows: &[&ToxicityRow]) -> FittedToxicity {
    let size = base(LOG2.len());
    let mut start = vec![0.0; size];
    for (feature, weight) in priors() {
        start[place(0, feature)] = weight;
    }
    let mut fitted = FittedToxicity { bias: PRIOR_BIAS, weights: start.clone() };
    let mut adam = Adam { means: vec![0.0; size + 1], squares: vec![0.0; size + 1] };
    let mut slopes = vec![0.0_f32; size + 1];
    for step in 0..STEPS {
        slopes.fill(0.0);
        for row in rows {
            let error = (sigmoid(fitted.score(row)) - row.target) * row.weight;
            for &(at, value) in &row.features {
                slopes[at as usize] += error * value;
            }
            slopes[size] += error;
        }
        for (table, pull) in PULL.iter().enumerate() {
            for at in base(table)..base(table + 1) {
                slopes[at] += pull * (fitted.weights[at] - start[at]);
            }
        }
        let rate = RATE * (1.0 - step as f32 / STEPS as f32).max(0.05);
        for (at, (weight, slope)) in fitted.weights.iter_mut().zip(&slopes).enumerate() {
            adam.step(weight, at, *slope, rate, step);
        }
        adam.step(&mut fitted.bias, size, slopes[size], rate, step);
    }
    fitted
}

struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Adam {
    fn step(&mut self, weight: &mut f32, at: usize, slope: f32, rate: f32, step: usize) {
        const KEEP: (f32, f32) = (0.9, 0.99);
        let (mean, square) = (&mut self.means[at], &mut self.squares[at]);
        *mean = KEEP.0 * *mean + (1.0 - KEEP.0) * slope;
        *square = KEEP.1 * *square + (1.0 - KEEP.1) * slope * slope;
        if *square == 0.0 {
            return;
        }
        let nth = step as i32 + 1;
        let (mean, square) = (*mean / (1.0 - KEEP.0.powi(nth)), *square / (1.0 - KEEP.1.powi(nth)));
        *weight -= rate * mean / (square.sqrt() + 1e-6);
    }
}

fn sigmoid(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}
