//! Checks that every report comes with its content.

use countersign_domain::{Event, InvestigationId, NewEvent, payload::ReportGenerated};

use crate::{
    error::{Result, StoreError},
    job::NewReport,
};

/// Every report among the events needs its content in the same commit, and every content its report. `Conflict` otherwise.
pub(crate) fn check_contents(events: &[NewEvent], contents: &[NewReport]) -> Result<()> {
    let reports = || {
        events.iter().filter_map(|event| match &event.event {
            Event::ReportGenerated(report) => Some(report),
            _ => None,
        })
    };
    for report in reports() {
        let refuse = |why: &str| Err(StoreError::Conflict(format!("report {}: {why}", report.report_id)));
        let mut found = contents.iter().filter(|content| content.report_id == report.report_id);
        let Some(content) = found.next() else { return refuse("the event came without its content") };
        if found.next().is_some() {
            return refuse("the event came with two contents");
        }
        if content.content.hash().to_hex() != report.content_hash {
            return refuse("the content does not match the hash in its event");
        }
        if report.fraud_detection_id.as_ref().map(InvestigationId::of_alert) != Some(report.investigation_id) {
            return refuse("the investigation is not its alert's");
        }
    }
    match contents.iter().find(|content| !reports().any(|report| report.report_id == content.report_id)) {
        Some(content) => {
            Err(StoreError::Conflict(format!("report {}: no event says that it was made", content.report_id)))
        }
        None => Ok(()),
    }
}

/// The content of a report whose event was just appended. [`check_contents`] has seen both.
pub(crate) fn content_of<'a>(report: &ReportGenerated, contents: &'a [NewReport]) -> Result<&'a str> {
    let content = contents.iter().find(|content| content.report_id == report.report_id).ok_or(StoreError::NotFound)?;
    Ok(content.content.text())
}

/// Readers hold a content in memory.
const CONTENT_BYTES_MAX: usize = 8 * 1024 * 1024;
/// JSON that is nested deeper than this is refused, as SQLite refuses it.
const CONTENT_DEPTH_MAX: usize = 1_000;

/// Whether a report's content may be stored: the JSON text of an object, within bounds. On SQLite the table checks this.
pub(crate) fn check_content(content: &str) -> Result<()> {
    let is_object = content.trim_ascii_start().starts_with('{')
        && content.len() <= CONTENT_BYTES_MAX
        && depth(content) <= CONTENT_DEPTH_MAX
        && serde_json::from_str::<serde::de::IgnoredAny>(content).is_ok();
    if is_object {
        return Ok(());
    }
    Err(StoreError::Conflict(format!(
        "a report's content must be a JSON object of at most {CONTENT_BYTES_MAX} bytes, nested at most {CONTENT_DEPTH_MAX} deep"
    )))
}

/// How deep a JSON text is nested.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut is_escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_within_bounds_is_a_content() {
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        let in_strings = format!("{{\"a\":\"{}\\\"{}\"}}", "[".repeat(2_000), "{".repeat(2_000));
        for content in ["{}", " {\"a\": 1}", "{\"a\":\"\\u0000\"}", &nested(CONTENT_DEPTH_MAX), &in_strings] {
            assert!(check_content(content).is_ok(), "{content}");
        }
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(CONTENT_BYTES_MAX));
        for content in ["", "no json", "[]", "null", "{\"a\":1", "{} {}", &nested(CONTENT_DEPTH_MAX + 1), &long] {
            assert!(check_content(content).is_err(), "{}", &content[..content.len().min(40)]);
        }
    }
}
