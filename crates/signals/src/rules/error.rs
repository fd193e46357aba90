//! Why a file of rules is refused, and where.

use cel::ParseErrors;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {reason}", .rule.as_ref().map(|name| format!(", rule \"{name}\"")).unwrap_or_default())]
pub struct RulesError {
    /// Counted from 1.
    pub line: usize,
    /// The rule's name, if it is known.
    pub rule: Option<String>,
    pub reason: String,
}

const REASON_CHARS_MAX: usize = 300;

impl RulesError {
    pub(super) fn new(line: usize, rule: Option<&str>, reason: String) -> Self {
        Self { line, rule: rule.map(clean), reason: clean(&reason) }
    }

    pub(super) fn at(text: &str, offset: usize, rule: Option<&str>, reason: String) -> Self {
        let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Self::new(line, rule, reason)
    }

    pub(super) fn toml(text: &str, error: &toml::de::Error) -> Self {
        Self::at(text, error.span().map_or(0, |span| span.start), None, error.message().to_owned())
    }
}

/// The first of the parser's errors. Its position is within the expression.
pub(super) fn of_cel(errors: &ParseErrors) -> String {
    let first = errors.errors.first();
    first.map_or_else(
        || "is not a CEL expression".to_owned(),
        |error| format!("is not a CEL expression: {} (column {})", error.msg, error.pos.1),
    )
}

/// Names and reasons may quote the file, so control characters are replaced and the length is bounded.
fn clean(text: &str) -> String {
    text.chars().take(REASON_CHARS_MAX).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
