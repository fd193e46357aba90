//! Measures the injection model on patterns that it was not trained on, and on collections whose licences don't allow
//! training.

use std::{io, path::Path};

use countersign_inspect::training::injection::score;
use countersign_inspect::{Kind, inspect, learned::Linear};
use countersign_measure::Ranking;

use super::corpus::{InjectionText, LabelledPrompt};
use super::fit::{WeightedFeatures, fit};
use super::model;
use crate::data;

/// Ordinary requests that use the words of attacks. They are not among the patterns, and are used only for measuring.
const LOOKALIKES: &str = include_str!("../../texts/injection/lookalikes.txt");

const FOLDS: usize = 5;
const DECISION: f64 = 0.5;

/// Used for measuring only, because their licences are not stated or not open.
const MEASURED: &[&str] = &["deepset_train.jsonl", "gandalf.jsonl", "mosscap.jsonl", "giskard.jsonl", MIXED, PLANTED];
const MIXED: &str = "parapet_mixed.jsonl.gz";
/// Attacks inside other people's texts. They are reported separately, because a question planted there is an ordinary
/// question elsewhere.
const PLANTED: &str = "bipia_train.jsonl";
/// The collections whose ordinary rows every attack is ranked against.
const ORDINARY: &[&str] = &["deepset_train.jsonl", MIXED];

#[expect(clippy::print_stdout, reason = "a command for developers")]
pub(crate) fn cross_validate(texts: &[InjectionText], rows: &[WeightedFeatures]) -> io::Result<()> {
    let scores = held_out_scores(texts, rows)?;
    println!("{} texts, {FOLDS} folds, whole patterns held out", rows.len());
    let mut sources: Vec<&str> = texts.iter().map(|text| text.source).collect();
    sources.dedup();
    for source in sources {
        let ranking = ranking(texts, &scores, |text| text.source == source);
        let table = ranking.at(DECISION);
        let rate = table.recall().or(table.false_positive_rate());
        println!("  {source:<20} {:>6} texts, flagged {}", ranking.len(), figure(rate));
    }
    let all = ranking(texts, &scores, |_| true);
    let (f1, auc, error) = (all.at(DECISION).f1(), all.roc_auc(), all.calibration_error());
    println!("  F1 {}, ROC-AUC {}, calibration error {}\n", figure(f1), figure(auc), figure(error));
    Ok(())
}

/// The score of each text from a model that was fitted without the text's pattern.
fn held_out_scores(texts: &[InjectionText], rows: &[WeightedFeatures]) -> io::Result<Vec<f64>> {
    let fold = |n: usize| (rows[n].group.wrapping_mul(0x9E37_79B1) >> 8) % FOLDS;
    let mut scores = vec![0.0; rows.len()];
    for held_out in 0..FOLDS {
        let chosen: Vec<usize> = (0..rows.len()).filter(|&n| fold(n) != held_out).collect();
        let model = model(fit(rows, &chosen))?;
        for n in (0..rows.len()).filter(|&n| fold(n) == held_out) {
            scores[n] = audited(&model, &texts[n].text);
        }
    }
    Ok(scores)
}

fn ranking(texts: &[InjectionText], scores: &[f64], of: impl Fn(&InjectionText) -> bool) -> Ranking {
    let mut ranking = Ranking::default();
    for (text, &score) in texts.iter().zip(scores).filter(|(text, _)| of(text)) {
        ranking.add(score, text.is_attack);
    }
    ranking
}

#[expect(clippy::print_stdout, reason = "a command for developers")]
pub(crate) fn measure(data: &Path, model: &Linear) -> io::Result<()> {
    let flagged = LOOKALIKES.lines().filter(|text| audited(model, text) >= DECISION).count();
    println!("look-alikes: {flagged} of {} flagged\n", LOOKALIKES.lines().count());
    let rows = |name: &str| data::rows::<LabelledPrompt>(data, &format!("injection/{name}"));
    let mut ordinary = Vec::new();
    for name in ORDINARY {
        ordinary.extend(rows(name)?.iter().filter(|row| row.label == 0).map(|row| audited(model, &row.text)));
    }
    let against_all = || {
        let mut ranking = Ranking::default();
        ordinary.iter().for_each(|&score| ranking.add(score, false));
        ranking
    };
    println!(
        "{:<24} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}  AUC against all ordinary",
        "", "attacks", "benign", "recall", "FPR", "F1", "AUC"
    );
    let mut all = against_all();
    for &name in MEASURED {
        let (mut own, mut against) = (Ranking::default(), against_all());
        for row in rows(name)? {
            let score = audited(model, &row.text);
            own.add(score, row.label == 1);
            if row.label == 1 {
                against.add(score, true);
                if name != PLANTED {
                    all.add(score, true);
                }
            }
        }
        println!("{}  {}", line(name, &own), figure(against.roc_auc()));
    }
    println!("{}", line("all but the planted", &all));
    Ok(())
}

/// Scores a text as the audit does: the highest score of the phrases and the model.
fn audited(model: &Linear, text: &str) -> f64 {
    let phrases = inspect(text).into_iter().filter(|finding| finding.kind == Kind::Injection);
    phrases.map(|finding| finding.score).fold(score(model, text), f64::max)
}

fn line(name: &str, ranking: &Ranking) -> String {
    let table = ranking.at(DECISION);
    let (attacks, benign) =
        (table.true_positives + table.false_negatives, table.false_positives + table.true_negatives);
    let f1 = if benign == 0 { None } else { table.f1() };
    format!(
        "{name:<24} {attacks:>7} {benign:>7} {:>7} {:>7} {:>7} {:>7}",
        figure(table.recall()),
        figure(table.false_positive_rate()),
        figure(f1),
        figure(ranking.roc_auc())
    )
}

fn figure(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| format!("{value:.3}"))
}
