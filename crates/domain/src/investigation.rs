//! How an investigation moves: which event leads to which state, and who may decide.
//!
//! One state machine for everybody: the store applies it as events are appended, `verify` applies it again, and the API
//! asks it before it lets anybody decide. It knows nothing of where cases are kept.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Event, Invalid, InvestigationId, Severity, payload::Decision, validation::Strength};

macro_rules! states {
    ($($(#[$meta:meta])* $name:ident, $field:literal { $($variant:ident = $wire:literal),* $(,)? })*) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[schema(rename_all = "snake_case")]
        pub enum $name { $($variant),* }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = Invalid;
            fn from_str(text: &str) -> Result<Self, Invalid> {
                let found = Self::ALL.iter().copied().find(|state| state.as_str() == text);
                found.ok_or_else(|| Invalid::new($field, concat!("must be one of", $(" ", $wire),*)))
            }
        })*
    };
}

states! {
    /// Where an investigation stands.
    State, "status" {
        Open = "open", InReview = "in_review", Approved = "approved", SentBack = "sent_back", Disposed = "disposed",
    }
    /// Where an alert stands. Low ones are recorded, and that is all.
    AlertState, "status" { Recorded = "recorded", Open = "open", Reported = "reported", Closed = "closed" }
}

/// An investigation as its events have left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub state: State,
    /// The highest that any of its events gave it.
    pub severity: Option<Severity>,
    pub assigned_to: Option<String>,
    /// The report under judgement: the newest.
    pub report_id: Option<String>,
}

/// What an event means to an investigation. It says nothing about a person but in `Assigned`, and so it may outlive the
/// event's body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    Alerted {
        severity: Severity,
    },
    Opened {
        severity: Severity,
    },
    Reported {
        report_id: String,
        severity: Option<Severity>,
    },
    /// The supervisor's countersignature.
    Passed {
        report_id: String,
        /// How well the score is justified; missing in verdicts from before evidence was weighed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        strength: Option<Strength>,
    },
    /// The supervisor's doubts; `is_rewritten` where a new version has been asked for.
    Doubted {
        report_id: String,
        is_rewritten: bool,
    },
    ReviewRequested,
    Decided {
        report_id: String,
        decision: Decision,
        /// Sent back with a comment that leads to no new version: a person still has to decide.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        without_version: bool,
    },
    Assigned {
        to: Option<String>,
    },
}

/// How an event names the investigation that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    Investigation(InvestigationId),
    /// The one of this report.
    ReportOf(&'a str),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    #[error("the investigation is {state}; this decision needs one that is {wanted}")]
    NotIn { state: State, wanted: &'static str },
    #[error("the investigation was disposed of, and that is final")]
    Final,
    #[error("another report is under judgement now")]
    AnotherReport,
    #[error("whoever asked for a report or wrote it can't approve it")]
    SamePerson,
}

/// What an event changes, and of which investigation. `None` for events that concern no investigation's state.
pub fn change_of(event: &Event) -> Option<(Subject<'_>, Change)> {
    let of = Subject::Investigation;
    match event {
        Event::FraudAlertCreated(alert) if alert.severity.is_investigated() => {
            let severity = alert.severity;
            Some((of(InvestigationId::of_alert(&alert.alert_id)), Change::Alerted { severity }))
        }
        Event::InvestigationCreated(new) => Some((of(new.investigation_id), Change::Opened { severity: new.severity })),
        Event::ReportGenerated(report) => {
            let change = Change::Reported { report_id: report.report_id.clone(), severity: report.severity };
            Some((of(report.investigation_id), change))
        }
        Event::ReportApproved(verdict) => {
            let (report_id, strength) = (verdict.report_id.clone(), verdict.justification_strength);
            Some((of(verdict.investigation_id), Change::Passed { report_id, strength }))
        }
        Event::ReportNeedsReview(verdict) => {
            let (report_id, is_rewritten) = (verdict.report_id.clone(), verdict.requires_regeneration);
            Some((of(verdict.investigation_id), Change::Doubted { report_id, is_rewritten }))
        }
        Event::SupervisorReviewRequested(asked) => Some((of(asked.investigation_id), Change::ReviewRequested)),
        Event::ReviewDecided(review) => {
            let is_sent_back = review.decision == Decision::SendBack;
            let leads_nowhere = review.revision.as_ref().is_some_and(|plan| !plan.leads_to_a_version());
            let change = Change::Decided {
                report_id: review.report_id.clone(),
                decision: review.decision,
                without_version: is_sent_back && leads_nowhere,
            };
            Some((review.investigation_id.map_or(Subject::ReportOf(&review.report_id), of), change))
        }
        Event::InvestigationAssigned(given) => {
            Some((of(given.investigation_id), Change::Assigned { to: given.assigned_to.clone() }))
        }
        _ => None,
    }
}

impl Change {
    /// Whether it makes a case where there is none: agents work side by side, and any of these may come first. What
    /// judges or assigns an investigation that nobody knows changes nothing.
    pub const fn begins(&self) -> bool {
        matches!(self, Self::Alerted { .. } | Self::Opened { .. } | Self::Reported { .. })
    }

    /// What may be kept of it when the event's body is erased.
    pub fn without_names(self) -> Self {
        if let Self::Assigned { .. } = self { Self::Assigned { to: None } } else { self }
    }
}

impl Default for Case {
    fn default() -> Self {
        Self { state: State::Open, severity: None, assigned_to: None, report_id: None }
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

    /// The next state. Only a person's decision can be refused: what agents report has happened, and where it comes too
    /// late (another report is under judgement, a person has decided) it changes nothing.
    pub fn after(mut self, change: &Change) -> Result<Self, TransitionError> {
        match change {
            Change::Alerted { severity } | Change::Opened { severity } => self.raise(Some(*severity)),
            Change::Assigned { to } => self.assigned_to.clone_from(to),
            Change::Decided { report_id, decision, without_version } => {
                may_decide_in(self.state, *decision)?;
                if self.report_id.as_ref().is_some_and(|current| current != report_id) {
                    return Err(TransitionError::AnotherReport);
                }
                self.state = match decision {
                    Decision::Approve => State::Approved,
                    // Nothing is on its way, so the report that is there still waits for a decision.
                    Decision::SendBack if *without_version => State::InReview,
                    Decision::SendBack => State::SentBack,
                    Decision::Dispose => State::Disposed,
                };
            }
            _ if self.state == State::Disposed => {}
            Change::Reported { report_id, severity } => {
                self.raise(*severity);
                self.report_id = Some(report_id.clone());
                self.state = State::Open;
            }
            Change::ReviewRequested => self.state = State::InReview,
            Change::Passed { report_id, strength } => {
                let is_awaited = matches!(self.state, State::Open | State::InReview);
                if is_awaited && self.report_id.as_ref() == Some(report_id) {
                    self.state = if self.needs_a_person(*strength) { State::InReview } else { State::Approved };
                }
            }
            Change::Doubted { report_id, is_rewritten } => {
                if self.state != State::SentBack && self.report_id.as_ref() == Some(report_id) {
                    self.state = if *is_rewritten { State::Open } else { State::InReview };
                }
            }
        }
        Ok(self)
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

/// Whether `who` may decide so about a report. `authored_by` are those who asked for it or wrote it. Four eyes bind
/// named people: without keys everybody is the same, and what agents wrote may be approved by whoever is there.
pub fn may_decide(
    state: State,
    decision: Decision,
    who: &str,
    authored_by: &[String],
    named: bool,
) -> Result<(), TransitionError> {
    may_decide_in(state, decision)?;
    if named && decision == Decision::Approve && authored_by.iter().any(|author| author == who) {
        return Err(TransitionError::SamePerson);
    }
    Ok(())
}

fn may_decide_in(state: State, decision: Decision) -> Result<(), TransitionError> {
    match (decision, state) {
        (_, State::Disposed) => Err(TransitionError::Final),
        (Decision::Dispose, _) | (_, State::InReview) => Ok(()),
        (Decision::Approve | Decision::SendBack, state) => Err(TransitionError::NotIn { state, wanted: "in_review" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn critical() -> Change {
        Change::Opened { severity: Severity::Critical }
    }

    fn high() -> Change {
        Change::Opened { severity: Severity::High }
    }

    fn reported(id: &str) -> Change {
        Change::Reported { report_id: id.into(), severity: None }
    }

    fn passed(id: &str) -> Change {
        Change::Passed { report_id: id.into(), strength: None }
    }

    fn passed_with(id: &str, strength: Strength) -> Change {
        Change::Passed { report_id: id.into(), strength: Some(strength) }
    }

    fn doubted(id: &str, is_rewritten: bool) -> Change {
        Change::Doubted { report_id: id.into(), is_rewritten }
    }

    fn decided(id: &str, decision: Decision) -> Change {
        Change::Decided { report_id: id.into(), decision, without_version: false }
    }

    fn run(changes: &[Change]) -> Result<Case, TransitionError> {
        changes.iter().try_fold(Case::default(), Case::after)
    }

    #[track_caller]
    fn check(changes: &[Change], state: State, alert_state: AlertState) {
        let case = run(changes).unwrap();
        assert_eq!((case.state, case.alert_state()), (state, alert_state), "{changes:?}");
    }

    #[test]
    fn an_investigation_moves_with_its_events() {
        use AlertState as A;
        use Decision::{Approve, Dispose, SendBack};
        use State as S;
        check(&[high()], S::Open, A::Open);
        check(&[high(), reported("r")], S::Open, A::Reported);
        check(&[high(), reported("r"), passed("r")], S::Approved, A::Closed);
        check(&[critical(), reported("r"), passed("r")], S::InReview, A::Reported);
        check(&[critical(), reported("r"), passed("r"), decided("r", Approve)], S::Approved, A::Closed);
        check(&[high(), reported("r"), doubted("r", false)], S::InReview, A::Reported);
        check(&[high(), reported("r"), doubted("r", true)], S::Open, A::Reported);
        check(&[high(), reported("r"), doubted("r", false), decided("r", SendBack)], S::SentBack, A::Reported);
        check(&[high(), reported("r"), doubted("r", false), decided("r", Dispose)], S::Disposed, A::Closed);
        check(&[high(), reported("r"), passed("r"), Change::ReviewRequested], S::InReview, A::Reported);
        check(&[high(), Change::ReviewRequested], S::InReview, A::Open);
        // A new version is judged anew.
        check(&[high(), reported("r"), doubted("r", true), reported("r2"), passed("r2")], S::Approved, A::Closed);
        check(&[high(), reported("r"), passed("r"), reported("r2")], S::Open, A::Reported);
    }

    #[test]
    fn a_case_without_enough_evidence_is_never_closed_without_a_person() {
        let opened = |severity| [Change::Opened { severity }, reported("r")];
        for severity in [Severity::Medium, Severity::High, Severity::Critical] {
            let changes = [&opened(severity)[..], &[passed_with("r", Strength::None)]].concat();
            check(&changes, State::InReview, AlertState::Reported);
        }
        let weak = |severity| [&opened(severity)[..], &[passed_with("r", Strength::Weak)]].concat();
        check(&weak(Severity::High), State::InReview, AlertState::Reported);
        check(&weak(Severity::Medium), State::Approved, AlertState::Closed);
        let adequate = [&opened(Severity::High)[..], &[passed_with("r", Strength::Adequate)]].concat();
        check(&adequate, State::Approved, AlertState::Closed);
    }

    #[test]
    fn a_stored_approval_from_before_evidence_was_weighed_can_be_read() {
        let old: Change = serde_json::from_str(r#"{"change":"passed","report_id":"r"}"#).unwrap();
        assert_eq!(old, passed("r"));
        assert_eq!(serde_json::to_string(&old).unwrap(), r#"{"change":"passed","report_id":"r"}"#);
    }

    #[test]
    fn a_report_sent_back_without_a_version_to_follow_stays_in_review() {
        let unmet = Change::Decided { report_id: "r".into(), decision: Decision::SendBack, without_version: true };
        let in_review = [high(), reported("r"), doubted("r", false), unmet.clone()];
        check(&in_review, State::InReview, AlertState::Reported);
        check(&[&in_review[..], std::slice::from_ref(&unmet)].concat(), State::InReview, AlertState::Reported);
        check(&[&in_review[..], &[decided("r", Decision::Approve)]].concat(), State::Approved, AlertState::Closed);
        assert_eq!(
            run(&[high(), reported("r"), unmet]).map_err(|error| error.to_string()).err().as_deref(),
            Some("the investigation is open; this decision needs one that is in_review")
        );
        // Erasures keep changes: what was kept before this field reads as it did.
        let kept: Change =
            serde_json::from_str(r#"{"change":"decided","report_id":"r","decision":"send_back"}"#).unwrap();
        assert_eq!(kept, decided("r", Decision::SendBack));
        assert_eq!(
            serde_json::to_string(&kept).unwrap(),
            r#"{"change":"decided","report_id":"r","decision":"send_back"}"#
        );
    }

    #[test]
    fn whichever_event_comes_first_begins_the_case() {
        check(&[reported("r"), high()], State::Open, AlertState::Reported);
        check(&[reported("r"), high(), passed("r")], State::Approved, AlertState::Closed);
        // Without a known severity nobody can say that a person is not needed.
        check(&[reported("r"), passed("r")], State::InReview, AlertState::Reported);
        assert!(
            high().begins() && reported("r").begins() && !passed("r").begins() && !Change::ReviewRequested.begins()
        );
    }

    #[test]
    fn a_verdict_that_comes_too_late_changes_nothing() {
        let disposed = [high(), reported("r"), decided("r", Decision::Dispose)];
        for late in [passed("r"), doubted("r", false), reported("r2"), Change::ReviewRequested, high()] {
            check(&[&disposed[..], &[late]].concat(), State::Disposed, AlertState::Closed);
        }
        assert_eq!(run(&[&disposed[..], &[reported("r2")]].concat()).unwrap().report_id.as_deref(), Some("r"));
        let replaced = [high(), reported("r"), reported("r2")];
        for late in [passed("r"), doubted("r", false)] {
            check(&[&replaced[..], &[late]].concat(), State::Open, AlertState::Reported);
        }
        let sent_back = [high(), reported("r"), doubted("r", false), decided("r", Decision::SendBack)];
        for late in [passed("r"), doubted("r", false)] {
            check(&[&sent_back[..], &[late]].concat(), State::SentBack, AlertState::Reported);
        }
    }

    #[test]
    fn the_highest_severity_counts() {
        let changes = [critical(), Change::Reported { report_id: "r".into(), severity: Some(Severity::Medium) }];
        assert_eq!(run(&changes).unwrap().severity, Some(Severity::Critical));
    }

    #[test]
    fn a_decision_about_another_report_is_refused() {
        let changes = [high(), reported("r"), doubted("r", false), decided("q", Decision::Approve)];
        assert_eq!(run(&changes), Err(TransitionError::AnotherReport));
    }

    #[test]
    fn an_assignment_changes_who_and_nothing_else() {
        let given = |to: Option<&str>| Change::Assigned { to: to.map(Into::into) };
        let case = run(&[high(), reported("r"), given(Some("ana"))]).unwrap();
        assert_eq!((case.assigned_to.as_deref(), case.state), (Some("ana"), State::Open));
        assert_eq!(run(&[high(), given(Some("ana")), given(None)]).unwrap().assigned_to, None);
        assert_eq!(given(Some("ana")).without_names(), given(None));
        assert_eq!(high().without_names(), high());
    }

    #[test]
    fn a_decision_needs_its_state() {
        use Decision::{Approve, Dispose, SendBack};
        for state in State::ALL.iter().copied() {
            for decision in [Approve, SendBack, Dispose] {
                let allowed = match decision {
                    Approve | SendBack => state == State::InReview,
                    Dispose => state != State::Disposed,
                };
                assert_eq!(may_decide(state, decision, "ana", &[], true).is_ok(), allowed, "{decision:?} in {state}");
            }
        }
    }

    #[test]
    fn four_eyes_bind_named_people() {
        let authors = ["ana".to_owned(), "report-agent".to_owned()];
        let decide = |decision, who, named| may_decide(State::InReview, decision, who, &authors, named);
        assert_eq!(decide(Decision::Approve, "ana", true), Err(TransitionError::SamePerson));
        assert_eq!(decide(Decision::Approve, "ben", true), Ok(()));
        assert_eq!(decide(Decision::Approve, "ana", false), Ok(()));
        // Taking one's own work back needs nobody else.
        assert_eq!(decide(Decision::SendBack, "ana", true), Ok(()));
        assert_eq!(decide(Decision::Dispose, "ana", true), Ok(()));
    }

    #[test]
    fn states_are_read_as_they_are_written() {
        for state in State::ALL {
            assert_eq!(state.as_str().parse::<State>().unwrap(), *state);
            assert_eq!(serde_json::to_value(state).unwrap(), state.as_str());
        }
        for state in AlertState::ALL {
            assert_eq!(state.as_str().parse::<AlertState>().unwrap(), *state);
            assert_eq!(serde_json::to_value(state).unwrap(), state.as_str());
        }
        assert!("Open".parse::<State>().is_err() && "recorded".parse::<State>().is_err());
    }
}
