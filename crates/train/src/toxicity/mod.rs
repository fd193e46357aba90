//! Toxicity: trained on the permissive files and on texts of our own, measured by leaving out whole files and whole templates.

mod fit;
mod sources;
mod texts;

use std::{fs, io, path::Path};

use countersign_inspect::learned::training::to_bytes;
use countersign_inspect::toxicity::training::LOG2;
use countersign_measure::Ranking;

use fit::{Fitted, fit};
use sources::{Row, Source};

const FOLDS: usize = 5;

pub(crate) fn run(data: &Path, out: Option<&Path>) -> io::Result<()> {
    let files = sources::files(data)?;
    let own = sources::own();
    let measured = sources::measured(data)?;
    let all: Vec<&Row> = files.iter().chain([&own]).flat_map(|source| &source.rows).collect();
    let whole = fit(&all);
    if let Ok(path) = std::env::var("EXPLAIN") {
        for (name, feature) in countersign_inspect::toxicity::training::named() {
            println!(
                "{name:<40} {:.2}",
                whole.table(0)[countersign_inspect::learned::training::bucket(feature, LOG2[0])]
            );
        }
        for line in fs::read_to_string(path)?.lines() {
            whole.explain(line);
        }
        return Ok(());
    }
    print_head();
    for file in files.iter().filter(|file| file.is_measured) {
        let others: Vec<&Row> =
            files.iter().filter(|other| other.name != file.name).chain([&own]).flat_map(|other| &other.rows).collect();
        print_line(&format!("{}, left out", file.name), &fit(&others), file.rows.iter());
    }
    for file in &measured {
        print_line(&format!("{}, never in", file.name), &whole, file.rows.iter());
    }
    flagged(data, &whole)?;
    own_by_template(&files, &own);
    if let Some(out) = out {
        write(out, &whole)?;
    }
    Ok(())
}

#[derive(serde::Deserialize)]
struct Prompt {
    text: String,
    label: u8,
    #[serde(default)]
    kind: String,
}

/// How much of ordinary prompts is flagged.
#[expect(clippy::print_stdout, reason = "a command for developers")]
fn flagged(data: &Path, fitted: &Fitted) -> io::Result<()> {
    for name in ["injection/parapet_mixed.jsonl.gz", "injection/jbb.jsonl", "injection/deepset_train.jsonl"] {
        let rows: Vec<Prompt> = crate::data::rows(data, name)?;
        for label in [0, 1] {
            let mut counts = std::collections::BTreeMap::<&str, (usize, usize)>::new();
            let all = rows.iter().filter(|row| row.label == label);
            for row in all {
                let seen = counts.entry(row.kind.as_str()).or_default();
                seen.0 += 1;
                seen.1 += usize::from(fitted.probability(&sources::made(&row.text, 0.0, 0.0)) >= 0.5);
            }
            println!("{name} label {label}: {:?}", counts);
        }
    }
    Ok(())
}

/// Each set of our own texts, its templates left out a fifth at a time.
#[expect(clippy::print_stdout, reason = "a command for developers")]
fn own_by_template(files: &[Source], own: &Source) {
    let mut scored: Vec<(&Row, f64)> = Vec::new();
    for fold in 0..FOLDS {
        let kept = own.rows.iter().filter(|row| row.template % FOLDS != fold);
        let rows: Vec<&Row> = files.iter().flat_map(|file| &file.rows).chain(kept).collect();
        let fitted = fit(&rows);
        scored.extend(
            own.rows.iter().filter(|row| row.template % FOLDS == fold).map(|row| (row, fitted.probability(row))),
        );
    }
    let mut sets: Vec<&str> = own.rows.iter().map(|row| row.set).collect();
    sets.sort_unstable();
    sets.dedup();
    let (mut right, mut all) = ([0.0; 2], [0.0; 2]);
    for (row, score) in scored.iter().filter(|(row, _)| row.target != 0.35) {
        let class = usize::from(row.target >= 0.5);
        all[class] += row.weight;
        right[class] += if (*score >= 0.5) == (class == 1) { row.weight } else { 0.0 };
    }
    println!("own, by template: harmless right {:.3}, harmful right {:.3}", right[0] / all[0], right[1] / all[1]);
    if std::env::var_os("BRIEF").is_some() {
        return;
    }
    for set in sets {
        let rows: Vec<&(&Row, f64)> = scored.iter().filter(|(row, _)| row.set == set).collect();
        let flagged = rows.iter().filter(|(_, score)| *score >= 0.5).count();
        let label = rows.first().map_or(0.0, |(row, _)| row.target);
        println!(
            "own {set:<28} label {label:.2}  rows {:5}  flagged {:5.1} %",
            rows.len(),
            100.0 * flagged as f64 / rows.len() as f64
        );
        if std::env::var_os("SHOW_WRONG").is_some() {
            show_wrong(&rows);
        }
    }
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn show_wrong(rows: &[&(&Row, f64)]) {
    let mut shown = std::collections::BTreeSet::new();
    for (row, score) in rows {
        if (*score >= 0.5) != (row.target >= 0.5) && shown.insert(row.template) {
            println!("    {score:.2} {}", row.text);
        }
    }
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn print_head() {
    println!(
        "{:<34} {:>6} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6}",
        "file", "rows", "PR-AUC", "ROC", "P", "R", "F1", "ECE"
    );
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn print_line<'r>(name: &str, fitted: &Fitted, rows: impl Iterator<Item = &'r Row>) {
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

fn write(out: &Path, fitted: &Fitted) -> io::Result<()> {
    for (table, name) in ["toxicity.bin", "toxicity_words.bin"].iter().enumerate() {
        let bias = if table == 0 { fitted.bias } else { 0.0 };
        fs::write(out.join(name), to_bytes(LOG2[table], &[bias], fitted.table(table)))?;
    }
    Ok(())
}
