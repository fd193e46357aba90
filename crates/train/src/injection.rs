//! Trains and cross-validates the model of injections, and measures it on collections that it may not be made of.

mod fit;
mod rows;
mod texts;

use std::{fs, io, path::Path};

use countersign_inspect::inspect_injection;
use countersign_inspect::learned::Linear;
use countersign_inspect::training::injection::{features, score};
use countersign_measure::Ranking;

use crate::data;
use fit::{Row, fit};
use rows::{Labelled, Text};

pub(crate) const ATTACKS: &str = include_str!("../texts/injection/attacks.txt");
pub(crate) const BENIGN: &str = include_str!("../texts/injection/benign.txt");

/// Ordinary requests with an attack's words, apart from the patterns: to measure with.
const LOOKALIKES: &str = include_str!("../texts/injection/lookalikes.txt");

const FOLDS: usize = 5;

/// For measuring alone: their licences are not stated or not open.
const MEASURED: &[&str] = &[
    "injection/deepset_train.jsonl",
    "injection/gandalf.jsonl",
    "injection/mosscap.jsonl",
    "injection/giskard.jsonl",
    "injection/parapet_mixed.jsonl.gz",
    "injection/bipia_train.jsonl",
];
/// Whose ordinary rows every attack is ranked against.
const AGAINST: &[&str] = &["injection/deepset_train.jsonl", "injection/parapet_mixed.jsonl.gz"];

pub(crate) fn run(data: &Path, out: Option<&Path>) -> io::Result<()> {
    let texts = rows::texts(data)?;
    let rows: Vec<Row> = texts
        .iter()
        .map(|text| Row {
            features: features(&text.text),
            is_attack: text.is_attack,
            weight: text.weight,
            group: text.group,
        })
        .collect();
    cross_validate(&texts, &rows)?;
    let bytes = fit(&rows, &(0..rows.len()).collect::<Vec<_>>());
    let path = out.map(|out| out.join("injection.bin"));
    if let Some(path) = &path {
        fs::write(path, &bytes)?;
    }
    measure(data, &model(bytes)?)
}

fn model(bytes: Vec<u8>) -> io::Result<Linear> {
    Linear::from_bytes(bytes.leak()).ok_or_else(|| io::Error::other("these weights are no model"))
}

/// As the audit does: the phrases and the model, whichever is more certain.
fn audited(model: &Linear, text: &str) -> f64 {
    let phrases = inspect_injection(text);
    phrases.iter().map(|finding| finding.score).fold(score(model, text), f64::max)
}

fn fold(group: usize) -> usize {
    (group.wrapping_mul(0x9E37_79B1) >> 8) % FOLDS
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn cross_validate(texts: &[Text], rows: &[Row]) -> io::Result<()> {
    let mut scores = vec![0.0; rows.len()];
    for held in 0..FOLDS {
        let chosen: Vec<usize> = (0..rows.len()).filter(|&n| fold(rows[n].group) != held).collect();
        let model = model(fit(rows, &chosen))?;
        for n in (0..rows.len()).filter(|&n| fold(rows[n].group) == held) {
            scores[n] = audited(&model, &texts[n].text);
        }
    }
    println!("{} texts, {FOLDS} folds, whole patterns held out", rows.len());
    let mut all = Ranking::default();
    for (text, &score) in texts.iter().zip(&scores) {
        all.add(score, text.is_attack);
    }
    let mut sources: Vec<&str> = texts.iter().map(|text| text.source).collect();
    sources.dedup();
    for source in sources {
        let mut ranking = Ranking::default();
        for (text, &score) in texts.iter().zip(&scores).filter(|(text, _)| text.source == source) {
            ranking.add(score, text.is_attack);
        }
        let flagged = ranking.at(0.5);
        let rate = flagged.recall().or(flagged.false_positive_rate()).unwrap_or_default();
        println!("  {source:<20} {:>6} texts, flagged {rate:.3}", ranking.len());
    }
    let (table, error) = (all.at(0.5), all.calibration_error().unwrap_or_default());
    println!(
        "  F1 {:.3}, ROC-AUC {:.3}, calibration error {error:.3}\n",
        table.f1().unwrap_or_default(),
        all.roc_auc().unwrap_or_default()
    );
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
fn measure(data: &Path, model: &Linear) -> io::Result<()> {
    let flagged: Vec<&str> = LOOKALIKES.lines().filter(|text| audited(model, text) >= 0.5).collect();
    println!("look-alikes never trained on: {} of {} flagged", flagged.len(), LOOKALIKES.lines().count());
    if std::env::var("SHOW").is_ok() {
        for t in flagged {
            println!("   {:.2} {t}", audited(model, t));
        }
    }
    let mut benign = Vec::new();
    for name in AGAINST {
        let rows = data::rows::<Labelled>(data, name)?;
        benign.extend(rows.iter().filter(|row| row.label == 0).map(|row| audited(model, &row.text)));
    }
    println!(
        "{:<36} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "measured", "attacks", "benign", "recall", "FPR", "F1", "AUC"
    );
    for name in MEASURED {
        let (mut own, mut pooled) = (Ranking::default(), Ranking::default());
        for row in data::rows::<Labelled>(data, name)? {
            let score = audited(model, &row.text);
            own.add(score, row.label == 1);
            if row.label == 1 {
                pooled.add(score, true);
            }
        }
        for &score in &benign {
            pooled.add(score, false);
        }
        let table = own.at(0.5);
        let figure = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.3}"));
        let own_auc = own.roc_auc();
        println!(
            "{name:<36} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8} {:>8}",
            table.right + table.missed,
            table.wrong + table.quiet,
            figure(table.recall()),
            figure(table.false_positive_rate()),
            figure(table.f1()),
            figure(pooled.roc_auc()),
            figure(own_auc)
        );
    }
    Ok(())
}
