//! Reads labelled texts: rows of JSON Lines, optionally gzipped.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use countersign_measure::TypedSpan;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;

use crate::cli::{arguments::TextKind, failure::Failure, lines};

const LINE_BYTES_MAX: u64 = 16 * 1024 * 1024;

#[derive(Deserialize)]
struct LabelledRow {
    #[serde(default)]
    id: Value,
    text: String,
    #[serde(default)]
    context: Option<String>,
    #[serde(default)]
    label: Option<Value>,
    #[serde(default)]
    spans: Option<Vec<LabelledSpan>>,
    #[serde(default)]
    kind: Option<Value>,
}

#[derive(Deserialize)]
struct LabelledSpan {
    start: usize,
    end: usize,
    #[serde(default)]
    r#type: String,
}

pub(super) struct LabelledText {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) context: Option<String>,
    pub(super) truth: Truth,
    /// The kind of row, if the file names it.
    pub(super) kind: Option<String>,
}

pub(super) enum Truth {
    Spans(Vec<TypedSpan>),
    Label(bool),
}

pub(super) struct LabelledTexts {
    pub(super) task: TextKind,
    pub(super) rows: Vec<LabelledText>,
    /// Lines without a usable label.
    pub(super) left_out: u64,
}

pub(super) fn read(path: &Path, given: Option<TextKind>) -> Result<LabelledTexts, Failure> {
    let fail = |error: io::Error| Failure::new(format!("{}: {error}", path.display()));
    let mut input = open(path).map_err(fail)?;
    let mut rows = Vec::new();
    let mut left_out = 0;
    while let Some(line) = lines::next(&mut input, LINE_BYTES_MAX).map_err(fail)? {
        match serde_json::from_slice::<LabelledRow>(&line) {
            Ok(row) => rows.push(row),
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(_) => left_out += 1,
        }
    }
    let Some(task) = given.or_else(|| guess_kind(path, &rows)) else {
        return Err(Failure::new("can't tell what the labels mean, or no row has one")
            .help("give --kind pii, toxicity, injection or grounding"));
    };
    let labelled = |row: LabelledRow| {
        let truth = truth(task, &row)?;
        let id = row.id.as_str().map_or_else(|| row.id.to_string(), str::to_owned);
        let kind = row.kind.map(|kind| kind.as_str().map_or_else(|| kind.to_string(), str::to_owned));
        Some(LabelledText { id, text: row.text, context: row.context, truth, kind })
    };
    let all = rows.len() as u64;
    let rows: Vec<LabelledText> = rows.into_iter().filter_map(labelled).collect();
    left_out += all - rows.len() as u64;
    if rows.is_empty() {
        return Err(Failure::new("no row has a label").help(
            "a row is {\"text\", \"label\": 0 or 1}, {\"text\", \"spans\": [{\"start\", \"end\", \"type\"}]} or \
             {\"text\", \"context\", \"label\": \"grounded\" or \"ungrounded\"}",
        ));
    }
    Ok(LabelledTexts { task, rows, left_out })
}

fn open(path: &Path) -> io::Result<BufReader<Box<dyn Read>>> {
    let mut file = BufReader::new(File::open(path)?);
    let is_gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(BufReader::new(if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) }))
}

/// Guesses what the labels mean from their form, or for plain labels from the file's name.
fn guess_kind(path: &Path, rows: &[LabelledRow]) -> Option<TextKind> {
    let first = rows.iter().find(|row| row.label.is_some() || row.spans.is_some())?;
    if first.context.is_some() || first.label.as_ref().is_some_and(|label| grounded(label).is_some()) {
        return Some(TextKind::Grounding);
    }
    if first.spans.is_some() {
        return Some(TextKind::Pii);
    }
    let path = path.to_string_lossy().to_lowercase();
    match (path.contains("toxic"), path.contains("inject")) {
        (true, false) => Some(TextKind::Toxicity),
        (false, true) => Some(TextKind::Injection),
        _ => None,
    }
}

fn truth(task: TextKind, row: &LabelledRow) -> Option<Truth> {
    if task == TextKind::Pii {
        let span = |marked: &LabelledSpan| TypedSpan {
            start: marked.start,
            end: marked.end,
            r#type: our_type(&marked.r#type),
        };
        return row.spans.as_ref().map(|spans| Truth::Spans(spans.iter().map(span).collect()));
    }
    let label = row.label.as_ref()?;
    let plain = || match label {
        Value::Bool(label) => Some(*label),
        Value::Number(label) => Some(label.as_f64()? >= 0.5),
        _ => None,
    };
    // The positive class is "not grounded".
    grounded(label).map(|grounded| !grounded).or_else(plain).map(Truth::Label)
}

fn grounded(label: &Value) -> Option<bool> {
    match label.as_str()? {
        "grounded" => Some(true),
        "ungrounded" => Some(false),
        _ => None,
    }
}

/// Maps type names of other data sets to ours.
fn our_type(name: &str) -> String {
    let name = match name {
        "EMAIL_ADDRESS" => "EMAIL",
        "PHONE_NUMBER" => "PHONE",
        "IBAN_CODE" => "IBAN",
        "IP_ADDRESS" => "IP",
        "DOMAIN_NAME" => "URL",
        "GPE" => "LOCATION",
        "STREET_ADDRESS" => "ADDRESS",
        "ORG" => "ORGANIZATION",
        other => other,
    };
    name.to_owned()
}
