//! Trains the toxicity model on the files with permissive licences and on our own texts, and measures it by leaving out
//! whole files and templates.
//!
//! | file | job |
//! |---|---|
//! | `sources.rs` | reads the files and weights their rows |
//! | `texts.rs` | generates our own texts from templates |
//! | `fit.rs` | fits the model |

mod fit;
mod sources;
mod texts;

use std::{fs, io, path::Path};

use countersign_inspect::learned::training::to_bytes;
use countersign_inspect::training::toxicity::LOG2;
use countersign_measure::Ranking;

use fit::{FittedToxicity, fit};
use sources::{Source, ToxicityRow};

const FOLDS: usize = 5;

pub(crate) fn run(data: &Path, out: Option<&Path>) -> io::Result<()> {
    let files = sources::files(data)?;
    let own = sources::own();
    let measured = sources::measured(data)?;
    let all: Vec<&ToxicityRow> = files.iter().chain([&own]).flat_map(|source| &source.rows).collect();
    let whole = fit(&all);
    print_head();
    for file in files.iter().filter(|file| file.is_measured) {
        let others: Vec<&ToxicityRow> =
            files.iter().filter(|other| other.name != file.name).chain([&own]).flat_map(|other| &other.rows).collect();
        print_line(&format!("{}, left out", file.name), &fit(&others), file.rows.iter());
    }
    for file in &measured {
        print_line(&format!("{}, never trained on", file.name), &whole, file.rows.iter());
    }
    for file in sources::prompts(data)? {
        print_flagged(&format!("{}, harmless", file.name), file.rows.iter().map(|row| whole.probability(row)));
    }
    own_by_template(&files, &own);
    if let Some(out) = out {
        write(out, &whole)?;
    }
    Ok(())
}

/// Measures each set of our own texts, leaving out a fifth of its templates at a time.
fn own_by_template(files: &[Source], own: &Source) {
    let mut scored: Vec<(&ToxicityRow, f64)> = Vec::new();
    for fold in 0..FOLDS {
        let kept = own.rows.iter().filter(|row| row.template % FOLDS != fold);
        let rows: Vec<&ToxicityRow> = files.iter().flat_map(|file| &file.rows).chain(kept).collect();
        let fitted = fit(&rows);
        scored.extend(
            own.rows.iter().filter(|row| row.template % FOLDS == fold).map(|row| (row, fitted.probability(row))),
        );
    }
    let mut sets: Vec<&str> = own.rows.iter().map(|row| row.set).collect();
    sets.sort_unstable();
    sets.dedup();
    for set in sets {
        let rows = || scored.iter().filter(|(row, _)| row.set == set);
        let target = rows().next().map_or(0.0, |(row, _)| row.target);
        print_flagged(&format!("own, {set} ({target})"), rows().map(|&(_, score)| score));
    }
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn print_flagged(name: &str, scores: impl Iterator<Item = f64>) {
    let scores: Vec<f64> = scores.collect();
    let flagged = scores.iter().filter(|&&score| score >= 0.5).count();
    println!("{name:<48} {:>6}  flagged {:5.1} %", scores.len(), 100.0 * flagged as f64 / scores.len().max(1) as f64);
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn print_head() {
    println!(
        "{:<34} {:>6} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6}",
        "file", "rows", "PR-AUC", "ROC", "P", "R", "F1", "ECE"
    );
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn print_line<'r>(name: &str, fitted: &FittedToxicity, rows: impl Iterator<Item = &'r ToxicityRow>) {
    let mut ranking = Ranking::default();
    for row in rows {
        ranking.add(fitted.probability(row), row.positive);
    }
    let decided = ranking.at(0.5);
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    println!(
        "{name:<34} {:>6} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6}",
        ranking.len(),
        shown(ranking.pr_auc()),
        shown(ranking.roc_auc()),
        shown(decided.precision()),
        shown(decided.recall()),
        shown(decided.f1()),
        shown(ranking.calibration_error()),
    );
}

fn write(out: &Path, fitted: &FittedToxicity) -> io::Result<()> {
    for (table, name) in ["toxicity.bin", "toxicity_skeletons.bin", "toxicity_words.bin"].iter().enumerate() {
        let bias = if table == 0 { fitted.bias } else { 0.0 };
        fs::write(out.join(name), to_bytes(LOG2[table], &[bias], fitted.table(table)))?;
    }
    Ok(())
}
