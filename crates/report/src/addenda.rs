//! Addenda in exported files: people's own words, clearly separated from the report that was checked.

use std::fmt::Write as _;

use countersign_domain::payload::ReportAddendumAdded;

use crate::{
    escape::{escape_markdown, html as escaped},
    figures,
};

pub(crate) const HEADING: &str = "Addenda: people's own words, not checked against the facts";

/// A section to append to the Markdown document.
pub(crate) fn markdown(addenda: &[ReportAddendumAdded]) -> String {
    let mut text = format!("\n## {HEADING}\n\n");
    for addendum in addenda {
        let _ = writeln!(text, "**{}**\n", escape_markdown(&signature(addendum)));
        // Every line is quoted, so that a person's words can't pass for the report's.
        for line in addendum.text.lines() {
            let _ = writeln!(text, "> {}  ", escape_markdown(line));
        }
        let _ = writeln!(text, "\nSHA-256 of the text: {}\n", escape_markdown(&addendum.text_sha256));
    }
    text
}

pub(crate) fn html(addenda: &[ReportAddendumAdded]) -> String {
    let mut items = String::new();
    for addendum in addenda {
        let _ = write!(items, "<div class=\"addendum\">\n<h3>{}</h3>\n", escaped(&signature(addendum)));
        for line in addendum.text.lines() {
            let _ = writeln!(items, "<p>{}</p>", escaped(line));
        }
        let _ = write!(
            items,
            "<p class=\"kind\">SHA-256 of the text <span class=\"mono\">{}</span></p>\n</div>\n",
            escaped(&addendum.text_sha256)
        );
    }
    format!("<section>\n<h2>{HEADING}</h2>\n{items}</section>\n")
}

/// `Ana (reviewer), on 1 March 2026 at 09:30 UTC, to version 2`
fn signature(addendum: &ReportAddendumAdded) -> String {
    let who = addendum.added_by_name.as_deref().unwrap_or(&addendum.added_by);
    let (role, at) = (addendum.role.as_str(), figures::prose_time(addendum.added_at));
    format!("{who} ({role}), on {at}, to version {}", addendum.version)
}
