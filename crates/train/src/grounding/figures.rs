//! Measures the model on files, domains and contexts that it was not trained on.

use std::collections::BTreeMap;

use countersign_inspect::learned::probability;
use countersign_inspect::training::grounding::{FEATURES, Trees, reported_spans};
use countersign_measure::Ranking;
use countersign_text::hash::fnv64;

use super::examples::{Example, FILES};

type Train<'a> = &'a dyn Fn(&dyn Fn(&Example) -> bool) -> Trees;

const FOLDS: u64 = 4;

/// Prints the accuracy on held-out files and on held-out groups of contexts.
#[expect(clippy::print_stdout, reason = "a command for developers")]
pub(crate) fn held_out(examples: &[Example], train: Train<'_>) {
    println!("| held out | part | rows | ROC-AUC | F1 | balanced accuracy |\n|---|---|---|---|---|---|");
    let mut mean = Vec::new();
    for (file, ..) in FILES {
        let model = train(&|example| example.file != file && example.made_from != file);
        let scored = |example: &Example| model.score(&example.values);
        mean.push(print("file", file, examples.iter().filter(|e| e.file == file).map(|e| (scored(e), e.ungrounded))));
    }
    println!("| mean of files | | | | | {:.3} |", mean.iter().sum::<f64>() / mean.len() as f64);
    let mut scores = vec![0.0; examples.len()];
    let mut bytes: BTreeMap<&str, ByteOverlap> = BTreeMap::new();
    for fold in 0..FOLDS {
        let inside = |example: &Example| hash(&example.group) % FOLDS == fold;
        let model = train(&|example| !inside(example));
        for (score, example) in scores.iter_mut().zip(examples).filter(|(_, example)| inside(example)) {
            *score = model.score(&example.values);
            if let Some(marked) = &example.marked {
                bytes
                    .entry(example.made_from)
                    .or_default()
                    .add(&reported_spans(&model, &marked.text, &marked.context), &marked.wrong);
            }
        }
    }
    bytes.iter().for_each(|(part, bytes)| bytes.print(part));
    let mut parts: BTreeMap<&str, Vec<(f32, bool)>> = BTreeMap::new();
    for (score, example) in scores.iter().zip(examples) {
        parts.entry(&example.part).or_default().push((*score, example.ungrounded));
        if example.part == example.file {
            continue;
        }
        parts.entry(example.file).or_default().push((*score, example.ungrounded));
    }
    let mut domains = Vec::new();
    for (part, scored) in parts {
        let balanced = print("contexts", part, scored.into_iter());
        if part.starts_with("summedits/") {
            domains.push(balanced);
        }
    }
    println!("| mean of summedits' domains | | | | | {:.3} |", domains.iter().sum::<f64>() / domains.len() as f64);
}

/// Prints a row of the table and returns the balanced accuracy.
#[expect(clippy::print_stdout, reason = "a command for developers")]
fn print(how: &str, part: &str, scored: impl Iterator<Item = (f32, bool)>) -> f64 {
    let mut ranking = Ranking::default();
    scored.for_each(|(score, label)| ranking.add(probability(score), label));
    let at = ranking.at(0.5);
    let [area, f1, balanced] = [ranking.roc_auc(), at.f1(), at.balanced_accuracy()].map(Option::unwrap_or_default);
    println!("| {how} | {part} | {} | {area:.3} | {f1:.3} | {balanced:.3} |", ranking.len());
    balanced
}

/// Compares the reported bytes with the wrong bytes.
#[derive(Default)]
struct ByteOverlap {
    right: usize,
    found: usize,
    wrong: usize,
}

impl ByteOverlap {
    fn add(&mut self, found: &[(usize, usize)], wrong: &[(usize, usize)]) {
        let length = |spans: &[(usize, usize)]| spans.iter().map(|(start, end)| end - start).sum::<usize>();
        self.found += length(found);
        self.wrong += length(wrong);
        let overlap = |a: &(usize, usize), b: &(usize, usize)| a.1.min(b.1).saturating_sub(a.0.max(b.0));
        self.right += found.iter().map(|a| wrong.iter().map(|b| overlap(a, b)).sum::<usize>()).sum::<usize>();
    }

    #[expect(clippy::print_stdout, reason = "a command for developers")]
    fn print(&self, part: &str) {
        let share = |of: usize| self.right as f64 / of.max(1) as f64;
        let f1 = 2.0 * self.right as f64 / (self.found + self.wrong).max(1) as f64;
        println!(
            "bytes of planted mistakes, {part}: precision {:.3}, recall {:.3}, F1 {f1:.3}",
            share(self.found),
            share(self.wrong)
        );
    }
}

/// Prints how much the trees use each feature: the spread of the leaves below each of its splits.
#[expect(clippy::print_stdout, reason = "a command for developers")]
pub(crate) fn importance(model: &Trees) {
    let mut sums = vec![0_f32; FEATURES.len()];
    for tree in &model.trees {
        for (at, (feature, _)) in tree.splits.iter().enumerate() {
            let (width, first) = match at {
                0 => (8, 0),
                1 | 2 => (4, (at - 1) * 4),
                _ => (2, (at - 3) * 2),
            };
            let leaves = &tree.leaves[first..first + width];
            let (left, right) = leaves.split_at(width / 2);
            let mean = |half: &[f32]| half.iter().sum::<f32>() / half.len() as f32;
            sums[usize::from(*feature)] += (mean(left) - mean(right)).abs() * width as f32 / 8.0;
        }
    }
    let mut order: Vec<usize> = (0..sums.len()).collect();
    order.sort_by(|a, b| sums[*b].total_cmp(&sums[*a]));
    for feature in order {
        println!("{:>7.2} {}", sums[feature], FEATURES[feature].0);
    }
}

fn hash(group: &str) -> u64 {
    fnv64::hash(group.as_bytes()) >> 7
}
