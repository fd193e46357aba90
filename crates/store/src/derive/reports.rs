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
