//! Labelled texts with their contexts, converted to features.

use std::{collections::HashMap, io, path::Path};

use countersign_inspect::training::grounding::of_text;
use countersign_text::hash::SplitMix64;
use serde::Deserialize;

use super::boost::BoostRow;
use super::business;
use super::corrupt::{Mistakes, changed};
use crate::data;

pub(crate) struct Example {
    /// The file or the generator it came from.
    pub(crate) file: &'static str,
    /// The file whose texts it was made from.
    pub(crate) made_from: &'static str,
    /// Examples of the same group in a file are held out together.
    pub(crate) group: String,
    /// The source within the file, by which accuracy is reported.
    pub(crate) part: String,
    /// The group within which the two classes get the same weight.
    pub(crate) balance: String,
    pub(crate) values: Vec<f32>,
    pub(crate) ungrounded: bool,
    /// Whether its licence permits use in released weights.
    pub(crate) trains: bool,
    /// For texts with planted mistakes: text, context and the wrong byte ranges.
    pub(crate) marked: Option<Marked>,
}

pub(crate) struct Marked {
    pub(crate) text: String,
    pub(crate) context: String,
    pub(crate) wrong: Vec<(usize, usize)>,
}

#[derive(Clone, Deserialize)]
struct GroundingLine {
    id: String,
    source: String,
    context: String,
    text: String,
    label: String,
}

/// Names of the generated sources.
pub(crate) const CORRUPTED: &str = "corrupted";
pub(crate) const BUSINESSES: &str = "businesses";
const SEED: u64 = 2024;

/// File name, whether it is used for training, and its total weight.
pub(crate) const FILES: [(&str, bool, f32); 10] = [
    (CORRUPTED, true, 2.0),
    (BUSINESSES, true, 1.0),
    ("summedits_evaluation.jsonl.gz", true, 4.0),
    ("mtrag.jsonl", true, 1.0),
    ("begin_dev.jsonl", true, 0.4),
    ("q2_wow.jsonl", true, 0.4),
    ("faithdial_audit.jsonl.gz", true, 0.4),
    ("dialfact.jsonl", true, 0.6),
    ("qags.jsonl", false, 0.0),
    ("wice_dev.jsonl.gz", false, 0.0),
];

pub(crate) fn read(data: &Path) -> io::Result<Vec<Example>> {
    let mut examples = Vec::new();
    let mut supported = Vec::new();
    for (file, trains, _) in FILES.into_iter().filter(|(file, ..)| file.contains('.')) {
        for line in data::rows::<GroundingLine>(data, &format!("grounding/{file}"))? {
            if trains && line.label == "grounded" && line.source != "begin/tc" {
                supported.push((file, line.clone()));
            }
            let trains = trains && line.source != "begin/tc";
            examples.push(Example {
                file,
                made_from: file,
                group: line.group(),
                values: of_text(&line.text, &line.context).to_vec(),
                ungrounded: line.label == "ungrounded",
                balance: if line.source.starts_with("summedits") { line.context } else { line.source.clone() },
                part: line.source,
                trains,
                marked: None,
            });
        }
    }
    examples.extend(corrupted(&supported));
    examples.extend(businesses());
    Ok(examples)
}

/// Supported texts, both unchanged and with mistakes.
fn corrupted(supported: &[(&'static str, GroundingLine)]) -> Vec<Example> {
    let mut chance = SplitMix64(SEED);
    let mistakes = Mistakes::new(supported.iter().map(|(_, line)| line.text.as_str()));
    let mut examples = Vec::new();
    for (file, line) in supported {
        let times = match *file {
            "mtrag.jsonl" => 3,
            "summedits_evaluation.jsonl.gz" => 1,
            _ if chance.below(3) > 0 => continue,
            _ => 1,
        };
        let mut texts = vec![(line.text.clone(), false)];
        texts.extend((0..times).filter_map(|_| mistakes.corrupted(&line.text, &mut chance)).map(|text| (text, true)));
        for (text, ungrounded) in texts {
            let values = of_text(&text, &line.context).to_vec();
            examples.push(Example {
                file: CORRUPTED,
                made_from: file,
                group: line.group(),
                values,
                ungrounded,
                part: format!("{CORRUPTED}/{}", line.source),
                balance: line.source.clone(),
                trains: true,
                marked: Some(Marked { wrong: changed(&line.text, &text), context: line.context.clone(), text }),
            });
        }
    }
    examples
}

fn businesses() -> Vec<Example> {
    let made = business::generate(900, &mut SplitMix64(SEED));
    let example = |(n, described): (usize, business::DescribedBusiness)| Example {
        file: BUSINESSES,
        made_from: BUSINESSES,
        group: format!("business {n}"),
        values: of_text(&described.text, &described.context).to_vec(),
        ungrounded: !described.wrong.is_empty(),
        part: BUSINESSES.to_owned(),
        balance: BUSINESSES.to_owned(),
        trains: true,
        marked: Some(Marked { text: described.text, context: described.context, wrong: described.wrong }),
    };
    made.into_iter().enumerate().map(example).collect()
}

impl GroundingLine {
    fn group(&self) -> String {
        match self.source.as_str() {
            source if source.starts_with("summedits") => source.to_owned(),
            "mtrag" => self.id.split("<::>").next().unwrap_or_default().to_owned(),
            _ => self.context.clone(),
        }
    }
}

/// Weights the examples so that every file has the weight in the table and its two classes weigh the same.
pub(crate) fn weighted<'a>(examples: impl Iterator<Item = &'a Example> + Clone) -> Vec<BoostRow> {
    let mut counts: HashMap<(&str, &str, bool), f32> = HashMap::new();
    let mut totals: HashMap<&str, f32> = HashMap::new();
    for example in examples.clone() {
        *counts.entry((example.file, &example.balance, example.ungrounded)).or_default() += 1.0;
        *totals.entry(example.file).or_default() += 1.0;
    }
    let weight = |example: &Example| {
        let file = FILES.iter().find(|(file, ..)| *file == example.file).map_or(1.0, |(.., weight)| *weight);
        let count = |label| counts.get(&(example.file, example.balance.as_str(), label)).copied().unwrap_or(0.0);
        let (same, other) = (count(example.ungrounded), count(!example.ungrounded));
        let total = totals.get(example.file).copied().unwrap_or(1.0);
        // Real descriptions of records are unsupported about two times in three.
        let odds = match (example.file, example.ungrounded) {
            (BUSINESSES, true) => 1.3,
            (BUSINESSES, false) => 0.7,
            _ => 1.0,
        };
        // Groups with a single class can't show what distinguishes the classes, so they weigh less.
        let balanced = if other == 0.0 { 0.3 } else { (same + other) / (2.0 * same) };
        1000.0 * file / total * balanced.min(6.0) * odds
    };
    examples.map(|e| BoostRow { values: e.values.clone(), positive: e.ungrounded, weight: weight(e) }).collect()
}
