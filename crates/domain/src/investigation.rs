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
    /// The report that lists show: the first that waits for a person, or else the newest.
    pub report_id: Option<String>,
    /// Its reports, oldest first, each with a review of its own. A report that was written again is replaced by its new
    /// version.
    pub reports: Vec<CaseReport>,
}

/// Where one report of an investigation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseReport {
    pub report_id: String,
    pub state: State,
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
        /// The report that this one is a new version of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaces: Option<String>,
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
            let change = Change::Reported {
                report_id: report.report_id.clone(),
                severity: report.severity,
                replaces: report.regeneration_of.clone(),
            };
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
    pub fn state_of(&self, report_id: &str) -> Option<State> {
        self.reports.iter().find(|report| report.report_id == report_id).map(|report| report.state)
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
                self.report(report_id, replaces.as_deref());
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

    fn decide(&mut self, report_id: &str, decision: Decision, without_version: bool) -> Result<(), TransitionError> {
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
            if report.report_id == report_id || next == State::Disposed {
                report.state = next;
            }
        }
        if self.reports.is_empty() {
            self.state = next;
        }
        Ok(())
    }

    /// Whether the report stands where it can be decided about so.
    fn check_state(&self, report_id: &str, decision: Decision) -> Result<(), TransitionError> {
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
    fn report(&mut self, report_id: &str, replaces: Option<&str>) {
        let replaced = self.reports.iter().position(|report| Some(report.report_id.as_str()) == replaces);
        let before = match replaced {
            Some(at) => Some(self.reports.remove(at).state),
            None => self.reports.is_empty().then_some(self.state),
        };
        let state = match (self.state, before) {
            (State::Disposed, _) => State::Disposed,
            (_, Some(State::InReview)) => State::InReview,
            _ => State::Open,
        };
        self.reports.push(CaseReport { report_id: report_id.to_owned(), state });
    }

    /// The supervisor's verdict on a report that may still be judged.
    fn judge(&mut self, report_id: &str, next: State, may_be_judged: fn(State) -> bool) {
        let report = self.reports.iter_mut().find(|report| report.report_id == report_id);
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
    report_id: &str,
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
        Change::Reported { report_id: id.into(), severity: None, replaces: None }
    }

    fn rewritten(id: &str, replaces: &str) -> Change {
        Change::Reported { report_id: id.into(), severity: None, replaces: Some(replaces.into()) }
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
        check(&[high(), reported("r"), doubted("r", true), rewritten("r2", "r"), passed("r2")], S::Approved, A::Closed);
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
            Some("the report is open; this decision needs one that is in_review")
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
        let both = [("r".to_owned(), State::Disposed), ("r2".to_owned(), State::Disposed)];
        assert_eq!(reports(&[&disposed[..], &[reported("r2"), passed("r2")]].concat()), both);
        assert_eq!(reports(&[&disposed[..], &[rewritten("r2", "r"), doubted("r2", false)]].concat()), both[1..]);
        let replaced = [high(), reported("r"), rewritten("r2", "r")];
        for late in [passed("r"), doubted("r", false)] {
            check(&[&replaced[..], &[late]].concat(), State::Open, AlertState::Reported);
        }
        let sent_back = [high(), reported("r"), doubted("r", false), decided("r", Decision::SendBack)];
        for late in [passed("r"), doubted("r", false)] {
            check(&[&sent_back[..], &[late]].concat(), State::SentBack, AlertState::Reported);
        }
    }

    /// The states of a case's reports, in the order in which they were written.
    fn reports(changes: &[Change]) -> Vec<(String, State)> {
        run(changes).unwrap().reports.into_iter().map(|report| (report.report_id, report.state)).collect()
    }

    #[test]
    fn a_second_report_neither_closes_nor_blocks_the_review_of_the_first() {
        use State as S;
        let named = |reports: [(&str, State); 2]| reports.map(|(id, state)| (id.to_owned(), state)).to_vec();
        let both = [high(), reported("r"), doubted("r", false), reported("q"), passed("q")];
        assert_eq!(reports(&both), named([("r", S::InReview), ("q", S::Approved)]));
        check(&both, S::InReview, AlertState::Reported);
        assert_eq!(run(&both).unwrap().report_id.as_deref(), Some("r"), "the one that waits is shown");
        let approved = [&both[..], &[decided("r", Decision::Approve)]].concat();
        check(&approved, S::Approved, AlertState::Closed);
        assert_eq!(run(&approved).unwrap().report_id.as_deref(), Some("q"));
        // Each has its own review: a decision about one says nothing about the other.
        let two = [critical(), reported("r"), passed("r"), reported("q"), passed("q")];
        assert_eq!(reports(&two), named([("r", S::InReview), ("q", S::InReview)]));
        let first = [&two[..], &[decided("q", Decision::Approve)]].concat();
        assert_eq!(reports(&first), named([("r", S::InReview), ("q", S::Approved)]));
        check(&first, S::InReview, AlertState::Reported);
        let again = [&first[..], &[decided("q", Decision::SendBack)]].concat();
        assert!(matches!(run(&again), Err(TransitionError::NotIn { state: S::Approved, .. })));
        check(&[&first[..], &[decided("r", Decision::SendBack)]].concat(), S::SentBack, AlertState::Reported);
        // A disposal closes the case with all its reports.
        let disposed = [&two[..], &[decided("q", Decision::Dispose)]].concat();
        assert_eq!(reports(&disposed), named([("r", S::Disposed), ("q", S::Disposed)]));
        let late = [&disposed[..], &[decided("r", Decision::Approve)]].concat();
        assert_eq!(run(&late), Err(TransitionError::Final));
    }

    #[test]
    fn only_a_person_takes_a_report_out_of_review() {
        let asked = [high(), reported("r"), Change::ReviewRequested];
        for machine in [passed("r"), doubted("r", true), doubted("r", false), rewritten("r2", "r"), reported("q")] {
            check(&[&asked[..], &[machine]].concat(), State::InReview, AlertState::Reported);
        }
        // A new version of a report that waits must be decided about by a person too.
        let second = [&asked[..], &[rewritten("r2", "r"), passed("r2")]].concat();
        check(&second, State::InReview, AlertState::Reported);
        check(&[&second[..], &[decided("r2", Decision::Approve)]].concat(), State::Approved, AlertState::Closed);
        let before_any_report = [high(), Change::ReviewRequested, reported("r"), passed("r")];
        check(&before_any_report, State::InReview, AlertState::Reported);
    }

    proptest::proptest! {
        #[test]
        fn no_events_of_agents_take_a_report_out_of_review(picks in proptest::collection::vec((0..5_usize, 0..3_usize), 0..12)) {
            let ids = ["r", "q", "p"];
            let start = [high(), reported("r"), doubted("r", false)];
            let mut case = run(&start).unwrap();
            let mut waiting = "r".to_owned();
            for (n, (kind, which)) in picks.into_iter().enumerate() {
                let id = ids[which];
                let change = match kind {
                    0 => reported(&format!("{id}-{n}")),
                    1 => rewritten(&format!("{id}-{n}"), &waiting),
                    2 => passed(if which == 0 { &waiting } else { id }),
                    3 => doubted(if which == 0 { &waiting } else { id }, n % 2 == 0),
                    _ => Change::ReviewRequested,
                };
                case = case.after(&change).unwrap();
                if kind == 1 {
                    waiting = format!("{id}-{n}");
                }
                proptest::prop_assert_eq!(case.state_of(&waiting), Some(State::InReview));
                proptest::prop_assert_eq!(case.state, State::InReview);
            }
            proptest::prop_assert!(case.after(&decided(&waiting, Decision::Approve)).is_ok());
        }
    }

    #[test]
    fn the_highest_severity_counts() {
        let changes =
            [critical(), Change::Reported { report_id: "r".into(), severity: Some(Severity::Medium), replaces: None }];
        assert_eq!(run(&changes).unwrap().severity, Some(Severity::Critical));
    }

    #[test]
    fn a_decision_about_another_report_is_refused() {
        let changes = [high(), reported("r"), doubted("r", false), decided("q", Decision::Approve)];
        assert_eq!(run(&changes), Err(TransitionError::NotUnderReview));
        let replaced = [high(), reported("r"), doubted("r", true), rewritten("r2", "r"), doubted("r2", false)];
        let about_the_first = [&replaced[..], &[decided("r", Decision::Approve)]].concat();
        assert_eq!(run(&about_the_first), Err(TransitionError::NotUnderReview));
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

    fn with_report_in(state: State) -> Case {
        Case { state, reports: vec![CaseReport { report_id: "r".into(), state }], ..Case::default() }
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
                let may = may_decide(&with_report_in(state), "r", decision, "ana", &[], true);
                assert_eq!(may.is_ok(), allowed, "{decision:?} in {state}");
            }
        }
    }

    #[test]
    fn four_eyes_bind_named_people() {
        let authors = ["ana".to_owned(), "report-agent".to_owned()];
        let case = with_report_in(State::InReview);
        let decide = |decision, who, named| may_decide(&case, "r", decision, who, &authors, named);
        assert_eq!(decide(Decision::Approve, "ana", true), Err(TransitionError::SamePerson));
        assert_eq!(decide(Decision::Approve, "ben", true), Ok(()));
        assert_eq!(decide(Decision::Approve, "ana", false), Ok(()));
        assert_eq!(decide(Decision::Dispose, "ana", true), Err(TransitionError::SamePerson));
        assert_eq!(decide(Decision::Dispose, "ben", true), Ok(()));
        assert_eq!(decide(Decision::Dispose, "ana", false), Ok(()));
        // Sending one's own work back closes nothing.
        assert_eq!(decide(Decision::SendBack, "ana", true), Ok(()));
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
