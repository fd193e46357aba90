//! `countersign eval text`: measures the inspectors on labelled texts, and optionally a model auditor on the same rows.
//!
//! It shows ids but never texts, because labelled sets contain slurs and personal data.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use countersign_agents::audit_of_findings;
use countersign_domain::AuditedBy;
use countersign_inspect::{Kind, Scores, audit};
use countersign_measure::{ConfusionMatrix, Ranking, SpanTally, TypedSpan};
use countersign_store::Seams;
use serde::Serialize;
use serde_json::json;

use super::{
    figure,
    labelled::{self, LabelledText, LabelledTexts, Truth},
};
use crate::{
    cli::{
        arguments::{EvalTextFlags, TextKind},
        config, count,
        failure::Failure,
        progress::ProgressLine,
        say,
    },
    wiring,
};

/// The minimum score at which a text counts as flagged.
const DECISION: f64 = 0.5;
const CONFUSIONS_SHOWN: usize = 20;
const WORST_SHOWN: usize = 10;

pub(super) fn run(flags: &EvalTextFlags) -> Result<(), Failure> {
    let mut labels = labelled::read(&flags.file, flags.kind)?;
    if let Some(limit) = flags.limit {
        labels.rows.truncate(limit);
    }
    if labels.left_out > 0 {
        let _ = writeln!(io::stderr().lock(), "skipped {} lines without a label", count(labels.left_out));
    }
    if labels.task == TextKind::Pii {
        if flags.model {
            return Err(Failure::new("a model can't be measured on labelled spans")
                .help("leave out --model, or name a file with plain labels"));
        }
        return measure_spans(&labels, flags.json);
    }
    let builtin = score_builtin(&labels);
    let model = if flags.model { Some(score_model(flags, &labels)?) } else { None };
    if flags.json {
        let json = json!({
            "kind": labels.task.as_str(), "builtin": builtin.summary(),
            "model": model.as_ref().map(|(name, scored)| json!({"name": name, "measures": scored.summary()})),
        });
        return say(&json.to_string());
    }
    print(&labels, &builtin, model.as_ref())
}

/// Scores and labels of all texts.
#[derive(Default)]
struct ScoredTexts {
    ranking: Ranking,
    by_kind: BTreeMap<String, ConfusionMatrix>,
    /// Wrong decisions: distance from the threshold, the label, and the row's id.
    wrong: Vec<(f64, bool, String)>,
    /// Rows without a verdict from the model.
    failed: u64,
}

#[derive(Serialize)]
struct TextMeasures {
    texts: u64,
    positives: u64,
    failed: u64,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
    f2: Option<f64>,
    accuracy: Option<f64>,
    balanced_accuracy: Option<f64>,
    false_positive_rate: Option<f64>,
    roc_auc: Option<f64>,
    pr_auc: Option<f64>,
    calibration_error: Option<f64>,
    calibration: Vec<countersign_measure::CalibrationBin>,
    decisions: ConfusionMatrix,
    by_kind: BTreeMap<String, ConfusionMatrix>,
}

impl ScoredTexts {
    fn add(&mut self, row: &LabelledText, score: f64, label: bool) {
        self.ranking.add(score, label);
        if let Some(kind) = &row.kind {
            self.by_kind.entry(kind.clone()).or_default().add(score >= DECISION, label);
        }
        if (score >= DECISION) != label {
            self.wrong.push(((score - DECISION).abs(), label, row.id.clone()));
        }
    }

    fn summary(&self) -> TextMeasures {
        let at = self.ranking.at(DECISION);
        TextMeasures {
            texts: self.ranking.len() as u64,
            positives: at.true_positives + at.false_negatives,
            failed: self.failed,
            precision: at.precision(),
            recall: at.recall(),
            f1: at.f1(),
            f2: at.f2(),
            accuracy: at.accuracy(),
            balanced_accuracy: at.balanced_accuracy(),
            false_positive_rate: at.false_positive_rate(),
            roc_auc: self.ranking.roc_auc(),
            pr_auc: self.ranking.pr_auc(),
            calibration_error: self.ranking.calibration_error(),
            calibration: self.ranking.calibration(),
            decisions: at,
            by_kind: self.by_kind.clone(),
        }
    }
}

fn score_builtin(labels: &LabelledTexts) -> ScoredTexts {
    let mut scored = ScoredTexts::default();
    let mut progress = ProgressLine::new("Auditing", "texts");
    for (n, row) in (1..).zip(&labels.rows) {
        progress.show(n, labels.rows.len() as u64);
        let Truth::Label(label) = row.truth else { continue };
        let scores = audit(&row.text, row.context.as_deref()).scores;
        scored.add(row, score_of(&scores, labels.task), label);
    }
    scored
}

fn score_of(scores: &Scores, task: TextKind) -> f64 {
    match task {
        TextKind::Pii => scores.pii,
        TextKind::Toxicity => scores.toxicity,
        TextKind::Injection => scores.injection,
        TextKind::Grounding => scores.grounding,
    }
}

/// Asks the configured auditor about every row, one at a time, to leave most of the provider's rate limits to real traffic.
fn score_model(flags: &EvalTextFlags, labels: &LabelledTexts) -> Result<(String, ScoredTexts), Failure> {
    let config = config::read(&flags.location, &[])?;
    let seams =
        Seams::system().map_err(|error| Failure::new(format!("the system has no source of randomness: {error}")))?;
    let auditor = wiring::auditor(&config, &seams).map_err(|error| Failure::new(error.to_string()))?;
    let Some(name) = auditor.judge().map(ToString::to_string) else {
        return Err(Failure::new("no model is configured as auditor")
            .help("set COUNTERSIGN_AUDITOR, for example to gemini/gemini-2.5-flash, with its key"));
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("could not start the async runtime: {error}")))?;
    let mut scored = ScoredTexts::default();
    let mut progress = ProgressLine::new("Asking", "texts");
    for (n, row) in (1..).zip(&labels.rows) {
        progress.show(n, labels.rows.len() as u64);
        let Truth::Label(label) = row.truth else { continue };
        // Pass no findings of the inspectors: only the model is measured.
        let no_findings = audit_of_findings("", &[], seams.now());
        let query = row.context.as_deref().unwrap_or_default();
        let audited = runtime.block_on(auditor.audit(query, &row.text, no_findings, seams.entropy.bytes())).audit;
        if audited.auditor == AuditedBy::Failed {
            scored.failed += 1;
            continue;
        }
        let flagged = match labels.task {
            TextKind::Pii => audited.pii_detected,
            TextKind::Toxicity => audited.toxic_content_detected,
            TextKind::Injection => audited.prompt_injection_detected,
            TextKind::Grounding => audited.hallucination_detected,
        };
        // The model's yes or no decides; its risk score ranks the texts within each side.
        let risk = f64::from(audited.risk_score.get()) / 10.0;
        scored.add(row, if flagged { DECISION + risk / 2.0 } else { risk * 0.49 }, label);
    }
    Ok((name, scored))
}

fn print(labels: &LabelledTexts, builtin: &ScoredTexts, model: Option<&(String, ScoredTexts)>) -> Result<(), Failure> {
    let columns: Vec<(&str, TextMeasures)> = std::iter::once(("built-in", builtin.summary()))
        .chain(model.map(|(name, scored)| (name.as_str(), scored.summary())))
        .collect();
    let (task, positives) = (labels.task.as_str(), columns[0].1.positives);
    say(&format!("{task}: {} texts, {} positive by their labels\n", count(columns[0].1.texts), count(positives)))?;
    let width = columns.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(8);
    let line = |name: &str, cell: &dyn Fn(&TextMeasures) -> String| {
        let cells: String = columns.iter().map(|(_, summary)| format!("  {:>width$}", cell(summary))).collect();
        say(&format!("{name:<22}{cells}"))
    };
    let heads: String = columns.iter().map(|(name, _)| format!("  {name:>width$}")).collect();
    say(&format!("{:<22}{heads}", ""))?;
    line("precision at 0.5", &|s| figure(s.precision, 3))?;
    line("recall at 0.5", &|s| figure(s.recall, 3))?;
    line("F1", &|s| figure(s.f1, 3))?;
    line("F2", &|s| figure(s.f2, 3))?;
    line("accuracy", &|s| figure(s.accuracy, 3))?;
    line("balanced accuracy", &|s| figure(s.balanced_accuracy, 3))?;
    line("false-positive rate", &|s| figure(s.false_positive_rate, 3))?;
    line("ROC-AUC", &|s| figure(s.roc_auc, 3))?;
    line("PR-AUC", &|s| figure(s.pr_auc, 3))?;
    line("calibration error", &|s| figure(s.calibration_error, 3))?;
    if columns.iter().any(|(_, summary)| summary.failed > 0) {
        line("no verdict", &|s| count(s.failed))?;
    }
    say("\nscore        texts  mean score  positive")?;
    for bin in &columns[0].1.calibration {
        let (from, to) = (bin.from, bin.from + 0.1);
        say(&format!(
            "{from:.1} to {to:.1}  {:>6}  {:>10.3}  {:>8.3}",
            count(bin.rows),
            bin.mean_score,
            bin.positives
        ))?;
    }
    print_kinds(&builtin.by_kind)?;
    print_worst(&builtin.wrong)
}

fn print_kinds(by_kind: &BTreeMap<String, ConfusionMatrix>) -> Result<(), Failure> {
    if by_kind.len() < 2 {
        return Ok(());
    }
    let width = by_kind.keys().map(|kind| kind.chars().count()).max().unwrap_or(0).min(40);
    say(&format!("\n{:<width$}  true pos.  false pos.  missed  true neg.  accuracy", "kind"))?;
    for (kind, table) in by_kind {
        let kind: String = kind.chars().map(|c| if c.is_control() { ' ' } else { c }).take(40).collect();
        say(&format!(
            "{kind:<width$}  {:>9}  {:>10}  {:>6}  {:>9}  {:>8}",
            count(table.true_positives),
            count(table.false_positives),
            count(table.false_negatives),
            count(table.true_negatives),
            figure(table.accuracy(), 3)
        ))?;
    }
    Ok(())
}

fn print_worst(wrong: &[(f64, bool, String)]) -> Result<(), Failure> {
    let mut wrong: Vec<_> = wrong.iter().collect();
    wrong.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
    for (label, title) in [(false, "false positives, most confident first"), (true, "missed, most confident first")] {
        let ids: Vec<&str> =
            wrong.iter().filter(|row| row.1 == label).take(WORST_SHOWN).map(|row| row.2.as_str()).collect();
        if !ids.is_empty() {
            say(&format!("\n{title}\n  {}", ids.join("\n  ")))?;
        }
    }
    Ok(())
}

fn measure_spans(labels: &LabelledTexts, json: bool) -> Result<(), Failure> {
    let mut tally = SpanTally::default();
    let mut progress = ProgressLine::new("Auditing", "texts");
    for (n, row) in (1..).zip(&labels.rows) {
        progress.show(n, labels.rows.len() as u64);
        let Truth::Spans(labelled) = &row.truth else { continue };
        let found = audit(&row.text, None).findings;
        let found = found.into_iter().filter(|finding| finding.kind == Kind::Pii && finding.score >= DECISION);
        let found: Vec<TypedSpan> =
            found.map(|f| TypedSpan { start: f.start, end: f.end, r#type: f.r#type.to_owned() }).collect();
        tally.add(&found, labelled);
    }
    drop(progress);
    let mut confusions: Vec<_> = tally.confusions.iter().collect();
    confusions.sort_by_key(|((labelled, found), n)| (std::cmp::Reverse(**n), labelled.clone(), found.clone()));
    let (exact, characters) = (tally.exact, tally.characters);
    if json {
        let confusions: Vec<_> = confusions.iter().map(|((labelled, found), n)| json!([labelled, found, n])).collect();
        let json = json!({
            "kind": "pii", "tally": tally, "confusions": confusions,
            "exact": {"precision": exact.precision(), "recall": exact.recall(), "f1": exact.f1(), "f2": exact.f2()},
            "characters": {"precision": characters.precision(), "recall": characters.recall(), "f1": characters.f1(),
                "f2": characters.f2()},
        });
        return say(&json.to_string());
    }
    say(&format!("pii: {} texts, {} of them without a labelled span\n", count(tally.texts), count(tally.clean_texts)))?;
    say(&format!("{:<24}  labelled  precision  recall     F1     F2", "exact place and type"))?;
    let line = |name: &str, table: &ConfusionMatrix| {
        say(&format!(
            "{name:<24}  {:>8}  {:>9}  {:>6}  {:>5}  {:>5}",
            count(table.true_positives + table.false_negatives),
            figure(table.precision(), 3),
            figure(table.recall(), 3),
            figure(table.f1(), 3),
            figure(table.f2(), 3)
        ))
    };
    line("all", &exact)?;
    for (name, counts) in &tally.by_type {
        line(name, &counts.exact)?;
    }
    line("characters, any type", &characters)?;
    say(&format!("\nclean texts marked  {} of {}", count(tally.clean_texts_marked), count(tally.clean_texts)))?;
    if !confusions.is_empty() {
        say("\nlabelled as           found as              times")?;
    }
    for ((labelled, found), n) in confusions.into_iter().take(CONFUSIONS_SHOWN) {
        say(&format!("{labelled:<20}  {found:<20}  {:>5}", count(*n)))?;
    }
    Ok(())
}
