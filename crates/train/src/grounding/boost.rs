//! Gradient boosting of trees of depth three, with monotone constraints on some features.
//!
//! Uses histograms with at most 48 bins per feature, Newton steps on the logistic loss, and a random sample of rows and
//! features for each tree. The same rows and options give the same trees.

use countersign_inspect::training::grounding::{LEAVES, SPLITS, Tree, Trees};
use countersign_text::hash::SplitMix64;

const BINS: usize = 48;

pub(crate) struct BoostRow {
    pub(crate) values: Vec<f32>,
    pub(crate) positive: bool,
    pub(crate) weight: f32,
}

#[derive(Clone, Copy)]
pub(crate) struct BoostOptions {
    pub(crate) trees: usize,
    pub(crate) rate: f32,
    pub(crate) l2: f32,
    /// The minimum total weight of the rows in a leaf.
    pub(crate) leaf_weight_min: f32,
    /// The percentage of rows and of features that each tree sees.
    pub(crate) rows_percent: usize,
    pub(crate) features_percent: usize,
    pub(crate) seed: u64,
}

/// The rows of one training run, divided into bins.
struct Binned<'a> {
    rows: &'a [BoostRow],
    monotone: &'a [i8],
    /// The upper bounds of each feature's bins; the last bin has none.
    bounds: Vec<Vec<f32>>,
    /// The bin of each row, feature by feature.
    bins: Vec<Vec<u8>>,
}

pub(crate) fn boost(rows: &[BoostRow], monotone: &[i8], options: BoostOptions) -> Trees {
    let binned = Binned::new(rows, monotone);
    let mut model = Trees { features: monotone.len(), base: 0.0, trees: Vec::new() };
    let mut scores = vec![0_f32; rows.len()];
    let mut chance = SplitMix64(options.seed);
    for _ in 0..options.trees {
        let steps: Vec<(f32, f32)> = rows.iter().zip(&scores).map(|(row, &score)| step(row, score)).collect();
        let used: Vec<u32> = (0..rows.len() as u32).filter(|_| chance.below(100) < options.rows_percent).collect();
        let features: Vec<usize> =
            (0..monotone.len()).filter(|_| chance.below(100) < options.features_percent).collect();
        let tree = binned.tree(&steps, used, &features, options);
        for (score, row) in scores.iter_mut().zip(rows) {
            *score += tree.score(&row.values);
        }
        model.trees.push(tree);
    }
    model
}

/// The gradient and curvature of the loss for a row.
fn step(row: &BoostRow, score: f32) -> (f32, f32) {
    let predicted = 1.0 / (1.0 + (-score).exp());
    let truth = if row.positive { 1.0 } else { 0.0 };
    ((predicted - truth) * row.weight, predicted * (1.0 - predicted) * row.weight)
}

struct Split {
    gain: f32,
    feature: usize,
    bin: usize,
    left: f32,
    right: f32,
}

/// The rows that reached a node, and the range of values that its leaves may have.
struct Node {
    rows: Vec<u32>,
    least: f32,
    most: f32,
}

impl<'a> Binned<'a> {
    fn new(rows: &'a [BoostRow], monotone: &'a [i8]) -> Self {
        let bounds: Vec<Vec<f32>> = (0..monotone.len()).map(|feature| bounds(rows, feature)).collect();
        let bin = |feature: usize, value: f32| bounds[feature].partition_point(|&bound| bound < value) as u8;
        let bins = (0..monotone.len()).map(|f| rows.iter().map(|row| bin(f, row.values[f])).collect()).collect();
        Self { rows, monotone, bounds, bins }
    }

    fn tree(&self, steps: &[(f32, f32)], used: Vec<u32>, features: &[usize], options: BoostOptions) -> Tree {
        let mut tree = Tree { splits: [(0, f32::MAX); SPLITS], leaves: [0.0; LEAVES] };
        let mut level = vec![Node { rows: used, least: f32::MIN, most: f32::MAX }];
        let mut at = 0;
        while at < SPLITS {
            let mut below = Vec::with_capacity(level.len() * 2);
            for node in level {
                let split = self.best(&node, steps, features, options);
                if let Some(split) = &split {
                    tree.splits[at] = (split.feature as u8, self.bounds[split.feature][split.bin]);
                }
                let (left, right) = self.split_node(node, split);
                below.push(left);
                below.push(right);
                at += 1;
            }
            level = below;
        }
        for (leaf, node) in tree.leaves.iter_mut().zip(&level) {
            let (gradient, curvature) = total(&node.rows, steps);
            *leaf = value(gradient, curvature, node, options) * options.rate;
        }
        tree
    }

    fn best(&self, node: &Node, steps: &[(f32, f32)], features: &[usize], options: BoostOptions) -> Option<Split> {
        let (all_gradient, all_curvature) = total(&node.rows, steps);
        let all_weight: f32 = node.rows.iter().map(|&row| self.rows[row as usize].weight).sum();
        let worth = |gradient: f32, curvature: f32| gradient * gradient / (curvature + options.l2);
        let mut best: Option<Split> = None;
        for &feature in features {
            let mut sums = [(0_f32, 0_f32, 0_f32); BINS];
            for &row in &node.rows {
                let (gradient, curvature) = steps[row as usize];
                let sum = &mut sums[usize::from(self.bins[feature][row as usize])];
                *sum = (sum.0 + gradient, sum.1 + curvature, sum.2 + self.rows[row as usize].weight);
            }
            let (mut gradient, mut curvature, mut weight) = (0.0, 0.0, 0.0);
            for (bin, sum) in sums.iter().enumerate().take(self.bounds[feature].len()) {
                gradient += sum.0;
                curvature += sum.1;
                weight += sum.2;
                if weight < options.leaf_weight_min || all_weight - weight < options.leaf_weight_min {
                    continue;
                }
                let (right_gradient, right_curvature) = (all_gradient - gradient, all_curvature - curvature);
                let left = value(gradient, curvature, node, options);
                let right = value(right_gradient, right_curvature, node, options);
                if (right - left) * f32::from(self.monotone[feature]) < 0.0 {
                    continue;
                }
                let gain = worth(gradient, curvature) + worth(right_gradient, right_curvature)
                    - worth(all_gradient, all_curvature);
                if gain > best.as_ref().map_or(1e-4, |best| best.gain) {
                    best = Some(Split { gain, feature, bin, left, right });
                }
            }
        }
        best
    }

    fn split_node(&self, node: Node, split: Option<Split>) -> (Node, Node) {
        let Node { rows, least, most } = node;
        let Some(split) = split else {
            // Without a split, the threshold is above every value, so all rows go left.
            return (Node { rows, least, most }, Node { rows: Vec::new(), least, most });
        };
        let (left, right) =
            rows.into_iter().partition(|&row| usize::from(self.bins[split.feature][row as usize]) <= split.bin);
        let middle = f32::midpoint(split.left, split.right);
        let (left_most, right_least) = match self.monotone[split.feature] {
            1 => (middle, middle),
            _ => (most, least),
        };
        let (left_least, right_most) = match self.monotone[split.feature] {
            -1 => (middle, middle),
            _ => (least, most),
        };
        (
            Node { rows: left, least: left_least, most: left_most },
            Node { rows: right, least: right_least, most: right_most },
        )
    }
}

fn total(rows: &[u32], steps: &[(f32, f32)]) -> (f32, f32) {
    rows.iter().fold((0.0, 0.0), |sum, &row| (sum.0 + steps[row as usize].0, sum.1 + steps[row as usize].1))
}

fn value(gradient: f32, curvature: f32, node: &Node, options: BoostOptions) -> f32 {
    (-gradient / (curvature + options.l2)).clamp(node.least, node.most)
}

/// At most `BINS` - 1 bounds at quantiles; fewer if values repeat.
fn bounds(rows: &[BoostRow], feature: usize) -> Vec<f32> {
    let mut values: Vec<f32> = rows.iter().map(|row| row.values[feature]).collect();
    values.sort_unstable_by(f32::total_cmp);
    let mut bounds: Vec<f32> = (1..BINS).filter_map(|n| values.get(n * values.len() / BINS).copied()).collect();
    bounds.dedup();
    if bounds.last() == values.last() {
        bounds.pop();
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> BoostOptions {
        BoostOptions {
            trees: 40,
            rate: 0.3,
            l2: 1.0,
            leaf_weight_min: 2.0,
            rows_percent: 100,
            features_percent: 100,
            seed: 1,
        }
    }

    fn rows(positive: impl Fn(f32, f32) -> bool) -> Vec<BoostRow> {
        let value = |n: usize| (n * 7919 % 97) as f32 / 97.0;
        (0..400)
            .map(|n| (value(n), value(n * 31 + 5)))
            .map(|(a, b)| BoostRow { values: vec![a, b], positive: positive(a, b), weight: 1.0 })
            .collect()
    }

    #[test]
    fn an_interaction_of_two_features_is_learnt_reproducibly() {
        let rows = rows(|a, b| (a > 0.5) != (b > 0.5));
        let (once, again) = (boost(&rows, &[0, 0], options()), boost(&rows, &[0, 0], options()));
        assert_eq!(once, again);
        let right = rows.iter().filter(|row| (once.score(&row.values) > 0.0) == row.positive).count();
        assert!(right > 380, "{right} of 400");
        assert_eq!(Trees::from_bytes(&once.to_bytes()).as_ref(), Some(&once));
    }

    #[test]
    fn a_monotone_constraint_is_respected() {
        let rows = rows(|a, b| a > 0.3 && a < 0.6 || b > 0.8);
        let model = boost(&rows, &[1, 0], options());
        for b in [0.1, 0.5, 0.9] {
            let scores: Vec<f32> = (0..100).map(|n| model.score(&[n as f32 / 100.0, b])).collect();
            assert!(scores.windows(2).all(|pair| pair[0] <= pair[1] + 1e-4), "{scores:?}");
        }
    }
}
