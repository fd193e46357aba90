//! An investigation's current state, and the rules by which events and decisions change it.

use super::{AlertState, Change, State};
use crate::{ReportId, Severity, payload::Decision, validation::Strength};

/// The state of an investigation, computed from its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub state: State,
    /// The highest severity in any of its events.
    pub severity: Option<Severity>,
    pub assigned_to: Option<String>,
    /// The report that lists show: the oldest one in review, or else the newest.
    pub report_id: Option<ReportId>,
    /// Its current reports, oldest first. Each is reviewed separately; a new version replaces the earlier one.
    pub reports: Vec<CaseReport>,
}

/// The state of one report of an investigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseReport {
    pub report_id: ReportId,
    pub state: State,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    #[error("the report is {state}, but this decision requires a report that is {required}")]
    NotIn { state: State, required: &'static str },
    #[error("the investigation is closed, and that is final")]
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

    /// The state of one of its reports. `None` if the report belongs to another case or was replaced by a newer version.
    pub fn state_of(&self, report_id: &ReportId) -> Option<State> {
        self.reports.iter().find(|report| report.report_id == *report_id).map(|report| report.state)
    }

    /// The state after a change. Only a person's decision can be refused. An agent's event has already happened; if it comes
    /// too late, because a newer version replaced the report or a person has decided, it changes nothing.
    ///
    /// Only a person takes a report out of review. Other reports of the case, verdicts on them and new versions never do.
    pub fn after(mut self, change: &Change) -> Result<Self, TransitionError> {
        match change {
            Change::Alerted { severity } | Change::Opened { severity } => self.raise_severity(Some(*severity)),
            Change::Assigned { to } => self.assigned_to.clone_from(to),
            Change::Decided { report_id, decision, without_version } => {
                self.decide(report_id, *decision, *without_version)?;
            }
            Change::Reported { report_id, severity, replaces } => {
                self.raise_severity(*severity);
                self.add_report(report_id, replaces.as_ref());
            }
            _ if self.state == State::Disposed => {}
            Change::ReviewRequested => match self.reports.last_mut() {
                Some(newest) => newest.state = State::InReview,
                None => self.state = State::InReview,
            },
            Change::Passed { report_id, strength } => {
                let next = if self.needs_a_person(*strength) { State::InReview } else { State::Approved };
                self.apply_verdict(report_id, next, |state| state == State::Open);
            }
            Change::Doubted { report_id, is_rewritten } => {
                let next = if *is_rewritten { State::Open } else { State::InReview };
                self.apply_verdict(report_id, next, |state| matches!(state, State::Open | State::Approved));
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
            // No new version follows, so this one still needs a decision.
            Decision::SendBack if without_version => State::InReview,
            Decision::SendBack => State::SentBack,
            Decision::Dispose => State::Disposed,
        };
        // Disposing of a case closes all its reports.
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

    /// Checks that the report is in a state that allows this decision.
    fn check_state(&self, report_id: &ReportId, decision: Decision) -> Result<(), TransitionError> {
        if self.state == State::Disposed {
            return Err(TransitionError::Final);
        }
        // A case without reports is decided as a whole.
        let state = if self.reports.is_empty() { Some(self.state) } else { self.state_of(report_id) };
        match (decision, state.ok_or(TransitionError::NotUnderReview)?) {
            (Decision::Dispose, _) | (_, State::InReview) => Ok(()),
            (Decision::Approve | Decision::SendBack, state) => {
                Err(TransitionError::NotIn { state, required: "in_review" })
            }
        }
    }

    /// Adds a report. It starts in review if it replaces a report in review, or if it is the first report of a case whose
    /// review was requested. If the case was disposed of, so is the report.
    fn add_report(&mut self, report_id: &ReportId, replaces: Option<&ReportId>) {
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

    /// Applies the supervisor's verdict, unless the report's state no longer allows one.
    fn apply_verdict(&mut self, report_id: &ReportId, next: State, may_be_judged: fn(State) -> bool) {
        let report = self.reports.iter_mut().find(|report| report.report_id == *report_id);
        if let Some(report) = report.filter(|report| may_be_judged(report.state)) {
            report.state = next;
        }
    }

    /// Gives the case the state of its most urgent report.
    fn summarise(&mut self) {
        const MOST_URGENT_FIRST: [State; 5] =
            [State::Disposed, State::InReview, State::SentBack, State::Open, State::Approved];
        let is_any_in = |state: &State| self.reports.iter().any(|report| report.state == *state);
        self.state = MOST_URGENT_FIRST.into_iter().find(is_any_in).unwrap_or(self.state);
        let waiting = self.reports.iter().find(|report| report.state == State::InReview);
        self.report_id = waiting.or(self.reports.last()).map(|report| report.report_id.clone());
    }

    /// The supervisor alone can't close a case that is critical, of unknown severity, or too weakly supported by evidence,
    /// even if its report passed. This holds for every producer of the event.
    fn needs_a_person(&self, strength: Option<Strength>) -> bool {
        let Some(severity) = self.severity else { return true };
        let is_supported = strength.is_none_or(|strength| strength.suffices_without_a_person(severity));
        severity == Severity::Critical || !is_supported
    }

    fn raise_severity(&mut self, severity: Option<Severity>) {
        self.severity = self.severity.max(severity);
    }
}

/// Checks whether `who` may decide about a report. `requesters` are the people who posted its alert or requested the report;
/// for a disposal, which ends all reviews of the case, those who requested any of its reports in review.
///
/// Four-eyes review only applies to named people. Without access keys nobody `is_named`, and anybody may decide.
pub fn may_decide(
    case: &Case,
    report_id: &ReportId,
    decision: Decision,
    who: &str,
    requesters: &[String],
    is_named: bool,
) -> Result<(), TransitionError> {
    case.check_state(report_id, decision)?;
    let closes = matches!(decision, Decision::Approve | Decision::Dispose);
    if is_named && closes && requesters.iter().any(|requester| requester == who) {
        return Err(TransitionError::SamePerson);
    }
    Ok(())
}
