//! The state of each investigation and of each of its reports, advanced by the domain's state machine.

use countersign_domain::{
    Event, EventType, InvestigationId, ReportId,
    investigation::{Case, CaseRef, CaseReport, Change},
};

use super::column::ColumnValue;
use crate::{
    error::{Result, StoreError},
    investigations::CaseState,
};

/// The event types that change cases.
pub(crate) const EVENT_TYPES: [EventType; 8] = [
    EventType::FraudAlertCreated,
    EventType::InvestigationCreated,
    EventType::InvestigationAssigned,
    EventType::ReportGenerated,
    EventType::ReportApproved,
    EventType::ReportNeedsReview,
    EventType::SupervisorReviewRequested,
    EventType::ReviewDecided,
];

/// The columns of `case_states`.
pub(crate) const COLUMNS: [&str; 11] = [
    "investigation_id",
    "seq",
    "state",
    "alert_state",
    "severity",
    "assigned_to",
    "report_id",
    "alert_seq",
    "opened_seq",
    "report_seq",
    "assigned_seq",
];

/// A stored event, if its type changes cases. `None` too if it can't be read: such an event has changed no case.
pub(crate) fn case_event(type_name: &str, payload: &str) -> Option<Event> {
    let event_type = EventType::parse(type_name).filter(|event_type| EVENT_TYPES.contains(event_type))?;
    Event::from_payload(event_type, payload).ok()
}

/// The investigation that an event is about. `None` if it names a report that doesn't exist. `of_report` gives the investigation
/// that is stored with a report.
pub(crate) fn investigation_of(
    case_ref: CaseRef<'_>,
    of_report: impl FnOnce(&ReportId) -> Result<Option<String>>,
) -> Result<Option<InvestigationId>> {
    match case_ref {
        CaseRef::Investigation(id) => Ok(Some(id)),
        CaseRef::ReportOf(report) => {
            let id = of_report(report)?.map(|id| id.parse::<InvestigationId>()).transpose();
            id.map_err(|error| StoreError::Corrupt(error.to_string()))
        }
    }
}

/// The case after the event at `seq`. `None` if there is no case yet and the event doesn't begin one. `Conflict` if the event
/// is a decision that the case's state forbids.
pub(crate) fn advance(
    found: Option<CaseState>,
    id: InvestigationId,
    seq: u64,
    change: &Change,
) -> Result<Option<CaseState>> {
    let mut state = match found {
        Some(state) => state,
        None if change.begins() => CaseState {
            investigation_id: id,
            seq,
            case: Case::default(),
            alert_seq: None,
            opened_seq: None,
            report_seq: None,
            assigned_seq: None,
        },
        None => return Ok(None),
    };
    state.case = state.case.after(change).map_err(|error| StoreError::Conflict(error.to_string()))?;
    state.seq = seq;
    match change {
        Change::Alerted { .. } => state.alert_seq = Some(seq),
        Change::Opened { .. } => state.opened_seq = Some(seq),
        Change::Reported { report_id, .. } if state.case.state_of(report_id).is_some() => state.report_seq = Some(seq),
        Change::Assigned { .. } => state.assigned_seq = Some(seq),
        _ => {}
    }
    Ok(Some(state))
}

/// The row of `case_states`, in the order of [`COLUMNS`].
pub(crate) fn row(state: &CaseState) -> [ColumnValue<'_>; COLUMNS.len()] {
    let position = |seq: Option<u64>| ColumnValue::or_null(seq.map(ColumnValue::number));
    fn text(text: Option<&str>) -> ColumnValue<'_> {
        ColumnValue::or_null(text.map(ColumnValue::text))
    }
    let case = &state.case;
    [
        ColumnValue::owned(state.investigation_id),
        ColumnValue::number(state.seq),
        ColumnValue::text(case.state.as_str()),
        ColumnValue::text(case.alert_state().as_str()),
        ColumnValue::or_null(case.severity.map(|severity| ColumnValue::text(severity.as_str()))),
        text(case.assigned_to.as_deref()),
        text(case.report_id.as_ref().map(ReportId::as_str)),
        position(state.alert_seq),
        position(state.opened_seq),
        position(state.report_seq),
        position(state.assigned_seq),
    ]
}

/// What happens to a row of `report_states` when its case changes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReportStateChange<'a> {
    /// The event is the report's own, and its row begins with this state.
    Begins {
        state: &'static str,
    },
    Moves {
        report_id: &'a ReportId,
        state: &'static str,
    },
    /// A newer version has replaced the report.
    Ends {
        report_id: &'a ReportId,
    },
}

/// The changes between a case's reports before and after an event.
pub(crate) fn report_changes<'a>(
    before: &'a [CaseReport],
    after: &'a [CaseReport],
) -> impl Iterator<Item = ReportStateChange<'a>> {
    let find = |reports: &'a [CaseReport], id: &ReportId| reports.iter().find(|report| report.report_id == *id);
    let kept = after.iter().filter_map(move |report| {
        let state = report.state.as_str();
        match find(before, &report.report_id) {
            None => Some(ReportStateChange::Begins { state }),
            Some(earlier) if earlier.state != report.state => {
                Some(ReportStateChange::Moves { report_id: &report.report_id, state })
            }
            Some(_) => None,
        }
    });
    let replaced = before.iter().filter(move |report| find(after, &report.report_id).is_none());
    kept.chain(replaced.map(|report| ReportStateChange::Ends { report_id: &report.report_id }))
}

#[cfg(test)]
mod tests {
    use countersign_domain::State;

    use super::*;

    fn report(id: &str, state: State) -> CaseReport {
        CaseReport { report_id: id.parse().unwrap(), state }
    }

    #[test]
    fn only_reports_whose_state_differs_change() {
        let before = [report("a", State::Open), report("b", State::InReview), report("c", State::SentBack)];
        let after = [report("a", State::Open), report("b", State::Approved), report("d", State::Open)];
        let changes: Vec<_> = report_changes(&before, &after).collect();
        let (b, c) = ("b".parse().unwrap(), "c".parse().unwrap());
        let expected = [
            ReportStateChange::Moves { report_id: &b, state: "approved" },
            ReportStateChange::Begins { state: "open" },
            ReportStateChange::Ends { report_id: &c },
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn an_assignment_begins_no_case_but_an_alert_does() {
        let id = InvestigationId::of_alert(&"a-1".parse().unwrap());
        assert_eq!(advance(None, id, 7, &Change::Assigned { to: None }).unwrap(), None);
        let begun = advance(None, id, 7, &Change::Alerted { severity: countersign_domain::Severity::High }).unwrap();
        assert_eq!(begun.map(|state| (state.seq, state.alert_seq)), Some((7, Some(7))));
    }
}
