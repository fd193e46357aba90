//! Exports a stored report as a file.

use std::str::FromStr;

use countersign_domain::{Invalid, payload::ReportAddendumAdded};

use crate::{
    Content, addenda,
    html::{html, html_with},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Md,
    Json,
    Html,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
    pub file_name: String,
}

impl ExportFormat {
    pub const ALL: [Self; 3] = [Self::Md, Self::Json, Self::Html];

    /// The name in requests, which is also the file extension.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Json => "json",
            Self::Html => "html",
        }
    }

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Md => "text/markdown; charset=utf-8",
            Self::Json => "application/json",
            Self::Html => "text/html; charset=utf-8",
        }
    }
}

impl FromStr for ExportFormat {
    type Err = Invalid;
    fn from_str(text: &str) -> Result<Self, Invalid> {
        let known = Self::ALL.into_iter().find(|format| format.as_str().eq_ignore_ascii_case(text));
        known.ok_or_else(|| Invalid::new("format", "must be md, json or html"))
    }
}

/// Exports a report. JSON is the sealed bytes: their SHA-256 is the one in the ledger.
pub fn export(content: &Content, format: ExportFormat) -> serde_json::Result<ExportedFile> {
    let bytes = match format {
        ExportFormat::Md => content.markdown_content.clone().into_bytes(),
        ExportFormat::Json => content.sealed()?.into_text().into_bytes(),
        ExportFormat::Html => html(content).into_bytes(),
    };
    Ok(ExportedFile { content_type: format.content_type(), bytes, file_name: file_name(content, format) })
}

/// Like [`export`], with the addenda to the report, oldest first. Without addenda the result is the same.
///
/// JSON gets `addenda` as its last member. If that member is removed, the bytes are the sealed ones again.
pub fn export_with_addenda(
    content: &Content,
    format: ExportFormat,
    added: &[ReportAddendumAdded],
) -> serde_json::Result<ExportedFile> {
    let mut exported = export(content, format)?;
    if added.is_empty() {
        return Ok(exported);
    }
    match format {
        ExportFormat::Md => exported.bytes.extend_from_slice(addenda::markdown(added).as_bytes()),
        ExportFormat::Html => exported.bytes = html_with(content, added).into_bytes(),
        ExportFormat::Json => {
            // The sealed text is an object, so its last byte is the closing brace.
            exported.bytes.pop();
            exported.bytes.extend_from_slice(b",\"addenda\":");
            serde_json::to_writer(&mut exported.bytes, added)?;
            exported.bytes.push(b'}');
        }
    }
    Ok(exported)
}

fn file_name(content: &Content, format: ExportFormat) -> String {
    let is_safe = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    let id: String = content.id.as_str().chars().filter(is_safe).take(64).collect();
    format!("report-{id}-v{}.{}", content.version, format.as_str())
}
