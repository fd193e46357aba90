//! The training rows: public files, each with a fixed total weight; ordinary text as background; and our own texts.

use std::{io, path::Path};

use countersign_inspect::training::toxicity::features;
use serde::Deserialize;

use super::fit::place;
use super::texts;
use crate::data;

pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) is_measured: bool,
    pub(crate) rows: Vec<ToxicityRow>,
}

pub(crate) struct ToxicityRow {
    pub(crate) set: &'static str,
    pub(crate) template: usize,
    pub(crate) features: Vec<(u32, f32)>,
    pub(crate) positive: bool,
    pub(crate) target: f32,
    pub(crate) weight: f32,
}

#[derive(Deserialize)]
struct Labelled {
    text: String,
    #[serde(default)]
    label: serde_json::Value,
    #[serde(default)]
    kind: Option<String>,
}

/// Permissively licensed files, with the total weight of their rows. Templates, and files that were collected with a
/// word list, weigh little.
const FILES: &[(&str, f32)] = &[
    ("surge.jsonl", 900.0),
    ("davidson.jsonl.gz", 600.0),
    ("jigsaw_wikipedia.jsonl", 1500.0),
    ("jigsaw_madlibs_5k.jsonl", 250.0),
];

/// Ordinary text that is not toxic: file, number of rows, total weight.
const BACKGROUND: &[(&str, usize, f32)] = &[
    ("pii/presidio_dev.jsonl", 400, 100.0),
    ("pii/lifebench_silver.jsonl.gz", 600, 200.0),
    ("grounding/faithdial_audit.jsonl.gz", 800, 150.0),
    ("grounding/summedits_evaluation.jsonl.gz", 400, 100.0),
    ("grounding/mtrag.jsonl", 368, 100.0),
];

/// Published without a licence, so used only for measuring.
const MEASURED: &[&str] = &["olid_train.jsonl.gz"];

/// Ordinary prompts, in files that are never used for training here; everything flagged among them is a false positive.
const PROMPTS: &[&str] = &["injection/parapet_mixed.jsonl.gz", "injection/jbb.jsonl", "injection/deepset_train.jsonl"];

pub(crate) fn files(data: &Path) -> io::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for &(name, total) in FILES {
        let mut source = file(data, name)?;
        let count = source.rows.len() as f32;
        source.rows.iter_mut().for_each(|row| row.weight = total / count);
        sources.push(source);
    }
    let mut background = Source { name: "background", is_measured: false, rows: Vec::new() };
    for &(name, most, total) in BACKGROUND {
        let rows: Vec<Labelled> = data::rows(data, name)?;
        let count = most.min(rows.len());
        background.rows.extend(rows.iter().take(count).map(|row| toxicity_row(&row.text, 0.0, total / count as f32)));
    }
    sources.push(background);
    Ok(sources)
}

pub(crate) fn measured(data: &Path) -> io::Result<Vec<Source>> {
    MEASURED.iter().map(|name| file(data, name)).collect()
}

pub(crate) fn prompts(data: &Path) -> io::Result<Vec<Source>> {
    let read = |name: &&'static str| {
        let rows: Vec<Labelled> = data::rows(data, name)?;
        let rows = rows.iter().filter(|row| row.label == 0).map(|row| toxicity_row(&row.text, 0.0, 1.0)).collect();
        Ok(Source { name, is_measured: false, rows })
    };
    PROMPTS.iter().map(read).collect()
}

fn file(data: &Path, name: &'static str) -> io::Result<Source> {
    let rows: Vec<Labelled> = data::rows(data, &format!("toxicity/{name}"))?;
    let rows = rows.iter().map(|row| {
        let positive = row.label == 1;
        // `davidson` was collected with a list of slurs and profanities, so its "offensive" rows are mostly only profane.
        let target = match row.kind.as_deref() {
            Some("offensive") => 0.7,
            _ => f32::from(u8::from(positive)),
        };
        ToxicityRow { positive, ..toxicity_row(&row.text, target, 1.0) }
    });
    Ok(Source { name, is_measured: true, rows: rows.collect() })
}

pub(crate) fn own() -> Source {
    let rows = texts::all().map(|text| ToxicityRow {
        set: text.set,
        template: text.template,
        ..toxicity_row(&text.text, text.target, text.weight)
    });
    Source { name: "own", is_measured: false, rows: rows.collect() }
}

fn toxicity_row(text: &str, target: f32, weight: f32) -> ToxicityRow {
    let features =
        features(text).into_iter().map(|(table, feature, value)| (place(table, feature) as u32, value)).collect();
    ToxicityRow { set: "", template: 0, features, positive: target >= 0.5, target, weight }
}
