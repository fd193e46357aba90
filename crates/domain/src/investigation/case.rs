//! An investigation's current state, and the rules by which events and decisions change it.

use super::{AlertState, Change, State};
use crate::{ReportId, Severity, payload::Decision, validation::Strength};

/// An investigation as its events have left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub state: State,
    /// The highest that any of its events gave it.
    pub severity: Option<Severity>,
    pub assigned_to: Option<String>,
    /// The report that lists show: the first that waits for a person, or else the newest.
    pub report_id: Option<ReportId>,
    /// Its reports, oldest first, each with a review of its own. A report that was written again is replaced by its new
    /// version.
    pub reports: Vec<CaseReport>,
}

/// Where one report of an investigation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseReport {
    pub report_id: ReportId,
    pub state: State,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    #[error("the report is {state}; this decision needs one that is {wanted}")]
    NotIn { state: State, wanted: &'static str },
    #[error("the investigation was disposed of, and that is final")]
    Final,
    #[error("the report is not under review in this investigation; a newer version may have replaced it")]
    NotUnderReview,
    #[error(
        "four eyes: you requested a report that is under review here or posted its alert, so somebody else must approve or \
         close it"
    )]
    SamePerson,
}

impl Default for Case {
    fn default() -> Self {
        Self { state: State::Open, severity: None, assigned_to: None, report_id: None, reports: Vec::new() }
    }
}

impl Case {
    pub const fn alert_state(&self) -> AlertState {
        match (self.state, &self.report_id) {
            (State::Approved | State::Disposed, _) => AlertState::Closed,
            (_, Some(_)) => AlertState::Reported,
            (_, None) => AlertState::Open,
        }
    }

    /// Where one of its reports stands. `None` for a report that is not of this case, or that a newer version replaced.
    pub fn state_of(&self, report_id: &ReportId) -> Option<State> {
        self.reports.iter().find(|report| report.report_id == *report_id).map(|report| report.state)
    }

    /// The next state. Only a person's decision can be refused: what agents report has happened, and where it comes too
    /// late (a newer version replaced the report, a person has decided) it changes nothing.
    ///
    /// Only a person takes a report out of review. Other reports of the case, verdicts on them and newer versions don't.
    pub fn after(mut self, change: &Change) -> Result<Self, TransitionError> {
        match change {
            Change::Alerted { severity } | Change::Opened { severity } => self.raise(Some(*severity)),
            Change::Assigned { to } => self.assigned_to.clone_from(to),
            Change::Decided { report_id, decision, without_version } => {
                self.decide(report_id, *decision, *without_version)?;
            }
            Change::Reported { report_id, severity, replaces } => {
                self.raise(*severity);
                self.report(report_id, replaces.as_ref());
            }
            _ if self.state == State::Disposed => {}
            Change::ReviewRequested => match self.reports.last_mut() {
                Some(newest) => newest.state = State::InReview,
                None => self.state = State::InReview,
            },
            Change::Passed { report_id, strength } => {
                let next = if self.needs_a_person(*strength) { State::InReview } else { State::Approved };
                self.judge(report_id, next, |state| state == State::Open);
            }
            Change::Doubted { report_id, is_rewritten } => {
                let next = if *is_rewritten { State::Open } else { State::InReview };
                self.judge(report_id, next, |state| matches!(state, State::Open | State::Approved));
            }
        }
        self.summarise();
        Ok(self)
    }

    fn decide(
        &mut self,
        report_id: &ReportId,
        decision: Decision,
        without_version: bool,
    ) -> Result<(), TransitionError> {
        self.check_state(report_id, decision)?;
        let next = match decision {
            Decision::Approve => State::Approved,
            // Nothing is on its way, so the report that is there still waits for a decision.
            Decision::SendBack if without_version => State::InReview,
            Decision::SendBack => State::SentBack,
            Decision::Dispose => State::Disposed,
        };
        // A disposal closes the whole case.
        for report in &mut self.reports {
            if report.report_id == *report_id || next == State::Disposed {
                report.state = next;
            }
        }
        if self.reports.is_empty() {
            self.state = next;
        }
        Ok(())
    }

    /// Whether the report stands where it can be decided about so.
    fn check_state(&self, report_id: &ReportId, decision: Decision) -> Result<(), TransitionError> {
        if self.state == State::Disposed {
            return Err(TransitionError::Final);
        }
        // A case without reports is decided about as a whole.
        let state = if self.reports.is_empty() { Some(self.state) } else { self.state_of(report_id) };
        match (decision, state.ok_or(TransitionError::NotUnderReview)?) {
            (Decision::Dispose, _) | (_, State::InReview) => Ok(()),
            (Decision::Approve | Decision::SendBack, state) => {
                Err(TransitionError::NotIn { state, wanted: "in_review" })
            }
        }
    }

    /// Adds a report. A new version of one that waits for a person waits too, and so does the first report of a case that
    /// somebody asked to have reviewed. A report that comes after the disposal is disposed of with the rest.
    fn report(&mut self, report_id: &ReportId, replaces: Option<&ReportId>) {
        let replaced = self.reports.iter().position(|report| Some(&report.report_id) == replaces);
        let before = match replaced {
            Some(at) => Some(self.reports.remove(at).state),
            None => self.reports.is_empty().then_some(self.state),
        };
        let state = match (self.state, before) {
            (State::Disposed, _) => State::Disposed,
            (_, Some(State::InReview)) => State::InReview,
            _ => State::Open,
        };
        self.reports.push(CaseReport { report_id: report_id.clone(), state });
    }

    /// The supervisor's verdict on a report that may still be judged.
    fn judge(&mut self, report_id: &ReportId, next: State, may_be_judged: fn(State) -> bool) {
        let report = self.reports.iter_mut().find(|report| report.report_id == *report_id);
        if let Some(report) = report.filter(|report| may_be_judged(report.state)) {
            report.state = next;
        }
    }

    /// A case stands where the report stands that needs most.
    fn summarise(&mut self) {
        const MOST_URGENT_FIRST: [State; 5] =
            [State::Disposed, State::InReview, State::SentBack, State::Open, State::Approved];
        let stands = |state: &State| self.reports.iter().any(|report| report.state == *state);
        self.state = MOST_URGENT_FIRST.into_iter().find(stands).unwrap_or(self.state);
        let waiting = self.reports.iter().find(|report| report.state == State::InReview);
        self.report_id = waiting.or(self.reports.last()).map(|report| report.report_id.clone());
    }

    /// The supervisor's word is not enough for a critical case, for one of unknown severity, or for one whose evidence is
    /// too weak. That a report passed does not change this: whatever emits the event, no evidence means a person.
    fn needs_a_person(&self, strength: Option<Strength>) -> bool {
        let Some(severity) = self.severity else { return true };
        let is_supported = strength.is_none_or(|strength| strength.suffices_without_a_person(severity));
        severity == Severity::Critical || !is_supported
    }

    fn raise(&mut self, severity: Option<Severity>) {
        self.severity = self.severity.max(severity);
    }
}

/// Whether `who` may decide so about a report. `requesters` are the people who posted its alert or requested it; for a
/// disposal, which ends every review of the case, those who requested any of its reports in review.
///
/// Four eyes bind named people: without keys everybody is the same, and anybody may approve what agents wrote.
pub fn may_decide(
    case: &Case,
    report_id: &ReportId,
    decision: Decision,
    who: &str,
    requesters: &[String],
    named: bool,
) -> Result<(), TransitionError> {
    case.check_state(report_id, decision)?;
    let closes = matches!(decision, Decision::Approve | Decision::Dispose);
    if named && closes && requesters.iter().any(|requester| requester == who) {
        return Err(TransitionError::SamePerson);
    }
    Ok(())
}
