//! Labelled texts from the data folder, converted to the types and ranges that the tagger learns.

use std::{io, ops::Range, path::Path};

use countersign_inspect::training::names::Label;
use serde::Deserialize;

use crate::data;

pub(crate) struct MarkedText {
    pub(crate) text: String,
    /// The labels for training: the parts of an address are one label.
    pub(crate) labels: Vec<Label>,
    /// The annotators' labels of the types that the tagger finds.
    pub(crate) marked: Vec<Label>,
    /// Labelled ranges of types that other detectors find.
    pub(crate) elsewhere: Vec<Range<usize>>,
    pub(crate) template: usize,
}

#[derive(Deserialize)]
struct CorpusLine {
    text: String,
    spans: Vec<CorpusSpan>,
    #[serde(default)]
    template: usize,
}

#[derive(Deserialize)]
struct CorpusSpan {
    start: usize,
    end: usize,
    r#type: String,
}

pub(crate) fn presidio(data: &Path) -> io::Result<Vec<MarkedText>> {
    let rows: Vec<CorpusLine> = data::rows(data, "pii/presidio_dev.jsonl")?;
    Ok(rows.into_iter().map(read).collect())
}

/// The beginning of every fourth text, because long texts about few people must not outweigh the rest.
pub(crate) fn lifebench(data: &Path) -> io::Result<Vec<MarkedText>> {
    const BYTES: usize = 1500;
    let rows: Vec<CorpusLine> = data::rows(data, "pii/lifebench_silver.jsonl.gz")?;
    let mut texts: Vec<MarkedText> = rows.into_iter().step_by(4).map(read).collect();
    for text in &mut texts {
        let end = text.text.char_indices().map(|(at, _)| at).find(|at| *at >= BYTES).unwrap_or(text.text.len());
        text.text.truncate(end);
        text.labels.retain(|(range, _)| range.end <= end);
    }
    Ok(texts)
}

fn read(row: CorpusLine) -> MarkedText {
    let mut places: Vec<usize> = row.text.char_indices().map(|(at, _)| at).collect();
    places.push(row.text.len());
    let mut spans = row.spans;
    spans.sort_by_key(|span| (span.start, span.end));
    let mut marked = Vec::new();
    let mut elsewhere = Vec::new();
    for span in spans {
        let (Some(start), Some(end)) = (places.get(span.start), places.get(span.end)) else { continue };
        match tagger_type(&span.r#type) {
            Some(r#type) => marked.push((*start..*end, r#type)),
            None => elsewhere.push(*start..*end),
        }
    }
    MarkedText { labels: join_addresses(&row.text, &marked), text: row.text, marked, elsewhere, template: row.template }
}

fn tagger_type(r#type: &str) -> Option<&'static str> {
    Some(match r#type {
        "PERSON" => "PERSON",
        "GPE" | "LOCATION" => "LOCATION",
        "STREET_ADDRESS" => "ADDRESS",
        "ORGANIZATION" | "ORG" => "ORGANIZATION",
        "DATE_TIME" => "DATE_TIME",
        "AGE" => "AGE",
        "TITLE" => "TITLE",
        "NRP" => "NRP",
        "ZIP_CODE" => "ZIP_CODE",
        _ => return None,
    })
}

/// Joins the parts of one address if only white space, commas and quotation marks of quoted lines separate them.
fn join_addresses(text: &str, marked: &[Label]) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    for (range, r#type) in marked {
        let part = matches!(*r#type, "ADDRESS" | "LOCATION");
        match labels.last_mut() {
            Some((open, "ADDRESS"))
                if part && text[open.end..range.start].chars().all(|c| c.is_whitespace() || ",>?".contains(c)) =>
            {
                open.end = range.end;
            }
            _ => labels.push((range.clone(), *r#type)),
        }
    }
    labels
}
