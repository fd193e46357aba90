//! Since when a report has been waiting for a person's decision.

use std::collections::HashMap;

use countersign_domain::{
    ReportId, State, StoredEvent, Time,
    investigation::{Case, Change, change_of},
};

/// Since when a report has been waiting, or the whole case if `report_id` is `None`. `events` are all events about the case, in
/// order: which of them made it wait is stored nowhere else.
pub(crate) fn waiting_since(events: &[StoredEvent], report_id: Option<&ReportId>) -> Option<Time> {
    const WHOLE_CASE: &str = "";
    let (mut case, mut since) = (Case::default(), HashMap::<String, Time>::new());
    for stored in events {
        let Ok(event) = stored.event() else { continue };
        let Some((_, change)) = change_of(&event) else { continue };
        // Decisions that the state forbids were never appended.
        let Ok(next) = case.clone().after(&change) else { continue };
        // A new version of a report that is waiting has been waiting as long as that report.
        let inherited = match &change {
            Change::Reported { replaces, .. } => since.remove(replaces.as_ref().map_or(WHOLE_CASE, ReportId::as_str)),
            _ => None,
        };
        let whole = next.reports.is_empty().then_some((WHOLE_CASE, next.state));
        let states = next.reports.iter().map(|report| (report.report_id.as_str(), report.state)).chain(whole);
        for (report, state) in states {
            if state == State::InReview {
                since.entry(report.to_owned()).or_insert(inherited.unwrap_or(stored.recorded_at));
            } else {
                since.remove(report);
            }
        }
        case = next;
    }
    // If the event that made it wait was erased, the newest event is the best answer there is.
    since.remove(report_id.map_or(WHOLE_CASE, ReportId::as_str)).or(events.last().map(|last| last.recorded_at))
}
