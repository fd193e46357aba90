//! Prose with its traced figures marked, and a table of all traced figures.

use std::fmt::Write as _;

use countersign_domain::Section;
use serde_json::Value;

use crate::{
    Content, TracedFact,
    escape::html as escaped,
    redact::{bounded, clean},
};

const VALUE_CHARS_MAX: usize = 120;

/// A section's text as a paragraph. Each traced figure is marked, with the fact's path and value as its title.
pub(super) fn traced(content: &Content, section: Section, facts: &Value) -> String {
    let letters: Vec<char> = content.section(section).chars().collect();
    let mut html = "<p>".to_owned();
    let mut written = 0;
    for fact in in_order(content, section) {
        // Ignore a span that doesn't contain the figure it claims to contain.
        let Some(figure) = letters.get(fact.start..fact.end).filter(|_| fact.start >= written) else { continue };
        if figure.iter().copied().ne(fact.text.chars()) || figure.is_empty() {
            continue;
        }
        html.push_str(&plain(&letters[written..fact.start]));
        let title = format!("{} = {}", fact.path, value_at(facts, &fact.path));
        let is_id = fact.path.ends_with("_id") || fact.path.ends_with("hash");
        let class = if is_id { "fact id" } else { "fact" };
        let _ = write!(html, "<span class=\"{class}\" title=\"{}\">{}</span>", escaped(&title), plain(figure));
        written = fact.end;
    }
    html.push_str(&plain(&letters[written..]));
    html.push_str("</p>\n");
    html
}

/// All traced figures as a table, because titles can't be seen on paper.
pub(super) fn appendix(content: &Content, facts: &Value) -> String {
    let mut rows = String::new();
    for section in Section::ALL {
        for fact in in_order(content, section) {
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}</td><td class=\"mono\">{}</td><td>{}</td></tr>",
                section.heading(),
                escaped(&bounded(fact.text.clone(), VALUE_CHARS_MAX)),
                escaped(&fact.path),
                escaped(&value_at(facts, &fact.path))
            );
        }
    }
    if rows.is_empty() {
        return "<p>No figures were traced.</p>\n".to_owned();
    }
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th>Section</th><th>Figure</th><th>Fact</th><th>Value</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn in_order(content: &Content, section: Section) -> Vec<&TracedFact> {
    let records = content.sections.iter().filter(|record| record.section == section);
    let mut facts: Vec<_> = records.flat_map(|record| &record.facts).collect();
    facts.sort_by_key(|fact| (fact.start, fact.end));
    facts
}

/// The text without backticks, which mark ids in prose only.
pub(super) fn plain(letters: &[char]) -> String {
    escaped(&letters.iter().filter(|letter| **letter != '`').collect::<String>())
}

pub(super) fn value_at(facts: &Value, path: &str) -> String {
    let text = match facts.pointer(path) {
        None => "not in the context".to_owned(),
        Some(Value::String(text)) => clean(text),
        Some(Value::Array(items)) => format!("{} entries", items.len()),
        Some(Value::Object(fields)) => match (fields.get("currency"), fields.get("amount")) {
            (Some(Value::String(currency)), Some(Value::String(amount))) => format!("{currency} {amount}"),
            _ => Value::Object(fields.clone()).to_string(),
        },
        Some(other) => other.to_string(),
    };
    bounded(text, VALUE_CHARS_MAX)
}
