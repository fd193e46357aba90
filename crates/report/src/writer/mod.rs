//! The built-in writer: prose from a context, without a model, the same words for the same case.

use countersign_domain::{Section, report::FALLBACK};

use crate::Context;

/// Version of the sentences; it changes when the same context would read differently.
pub const TEMPLATE: &str = "builtin-1";

/// A section within its word range.
pub fn write(_context: &Context, _section: Section) -> String {
    String::new()
}

/// A section that says first that the configured model was unavailable.
pub fn write_fallback(_context: &Context, _section: Section) -> String {
    FALLBACK.to_owned()
}

/// Somebody else's text brought into the section's word range at sentence boundaries.
pub fn fit(text: &str, _section: Section, _context: &Context) -> String {
    text.to_owned()
}

/// What people are asked to do next, for the audit trail.
pub fn next_steps(_context: &Context) -> Vec<String> {
    Vec::new()
}

/// Of full reports, 150 to 400 words.
pub fn extended_analysis(_context: &Context) -> String {
    String::new()
}

/// Of compliance and full reports, 60 to 160 words.
pub fn regulatory_statement(_context: &Context) -> String {
    String::new()
}
