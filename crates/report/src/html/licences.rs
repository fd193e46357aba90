//! A table of all sentences with the facts that license them.

use std::fmt::Write as _;

use countersign_domain::Section;
use serde_json::Value;

use super::facts::{plain, value_at};
use crate::{Content, TracedSentence, escape::html as escaped};

/// The maximum number of sentences shown. A report has about fifty.
const SENTENCES_MAX: usize = 200;
const SENTENCE_CHARS_MAX: usize = 600;
const FACTS_MAX: usize = 12;

/// The table, or an empty text for a report that was stored before sentences were checked.
pub(super) fn licences(content: &Content, facts: &Value) -> String {
    let sentences: Vec<_> = Section::ALL.into_iter().flat_map(|section| in_order(content, section)).collect();
    if sentences.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for (section, words, sentence) in sentences.iter().take(SENTENCES_MAX) {
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            section.heading(),
            shortened(words),
            fact_lines(sentence, facts)
        );
    }
    if let Some(more) = sentences.len().checked_sub(SENTENCES_MAX).filter(|more| *more > 0) {
        let _ = writeln!(rows, "<tr><td colspan=\"3\">{more} more sentences are not shown.</td></tr>");
    }
    format!(
        "<div class=\"scroll\"><table class=\"licences\">\n<thead><tr><th>Section</th><th>Sentence</th><th>Supporting facts</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// The sentences of a section in order. A span that is empty or lies outside the text is ignored.
fn in_order(content: &Content, section: Section) -> Vec<(Section, Vec<char>, &TracedSentence)> {
    let letters: Vec<char> = content.section(section).chars().collect();
    let records = content.sections.iter().filter(|record| record.section == section);
    let mut sentences: Vec<_> = records.flat_map(|record| &record.sentences).collect();
    sentences.sort_by_key(|sentence| (sentence.start, sentence.end));
    let words = |sentence: &TracedSentence| letters.get(sentence.start..sentence.end).map(<[char]>::to_vec);
    let found = sentences.into_iter().filter_map(|sentence| Some((section, words(sentence)?, sentence)));
    found.filter(|(_, words, _)| !words.is_empty()).collect()
}

fn shortened(words: &[char]) -> String {
    match words.get(..SENTENCE_CHARS_MAX) {
        Some(start) if words.len() > SENTENCE_CHARS_MAX => format!("{}…", plain(start)),
        _ => plain(words),
    }
}

/// One line per fact. A fact is left out if a part of it is listed too.
fn fact_lines(sentence: &TracedSentence, facts: &Value) -> String {
    let has_part = |path: &str| {
        sentence.facts.iter().any(|other| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    };
    let mut lines = String::new();
    for path in sentence.facts.iter().filter(|path| !has_part(path)).take(FACTS_MAX) {
        let value = match facts.pointer(path) {
            None | Some(Value::Null) => "not on record".to_owned(),
            Some(Value::Object(fields)) if !fields.contains_key("amount") || fields.len() > 2 => "on record".to_owned(),
            Some(_) => value_at(facts, path),
        };
        let _ = write!(lines, "<div><span class=\"mono\">{}</span> {}</div>", escaped(path), escaped(&value));
    }
    lines
}
