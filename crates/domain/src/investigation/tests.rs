//! Sequences of changes and the states that they lead to.

use super::*;
use crate::{ReportId, Severity, payload::Decision, validation::Strength};

fn report_id(text: &str) -> ReportId {
    text.parse().unwrap()
}

fn critical() -> Change {
    Change::Opened { severity: Severity::Critical }
}

fn high() -> Change {
    Change::Opened { severity: Severity::High }
}

fn reported(id: &str) -> Change {
    Change::Reported { report_id: report_id(id), severity: None, replaces: None }
}

fn rewritten(id: &str, replaces: &str) -> Change {
    Change::Reported { report_id: report_id(id), severity: None, replaces: Some(report_id(replaces)) }
}

fn passed(id: &str) -> Change {
    Change::Passed { report_id: report_id(id), strength: None }
}

fn passed_with(id: &str, strength: Strength) -> Change {
    Change::Passed { report_id: report_id(id), strength: Some(strength) }
}

fn doubted(id: &str, is_rewritten: bool) -> Change {
    Change::Doubted { report_id: report_id(id), is_rewritten }
}

fn decided(id: &str, decision: Decision) -> Change {
    Change::Decided { report_id: report_id(id), decision, without_version: false }
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
fn events_change_the_state_of_an_investigation_and_its_alert() {
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
    // A new version gets a verdict of its own.
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
fn a_report_stays_in_review_if_its_comment_leads_to_no_version() {
    let unmet = Change::Decided { report_id: report_id("r"), decision: Decision::SendBack, without_version: true };
    let in_review = [high(), reported("r"), doubted("r", false), unmet.clone()];
    check(&in_review, State::InReview, AlertState::Reported);
    check(&[&in_review[..], std::slice::from_ref(&unmet)].concat(), State::InReview, AlertState::Reported);
    check(&[&in_review[..], &[decided("r", Decision::Approve)]].concat(), State::Approved, AlertState::Closed);
    assert_eq!(
        run(&[high(), reported("r"), unmet]).map_err(|error| error.to_string()).err().as_deref(),
        Some("the report is open, but this decision requires a report that is in_review")
    );
    // Changes are kept when a body is erased; those from before this field must still be readable.
    let kept: Change = serde_json::from_str(r#"{"change":"decided","report_id":"r","decision":"send_back"}"#).unwrap();
    assert_eq!(kept, decided("r", Decision::SendBack));
    assert_eq!(serde_json::to_string(&kept).unwrap(), r#"{"change":"decided","report_id":"r","decision":"send_back"}"#);
}

#[test]
fn any_of_the_first_events_opens_the_case() {
    check(&[reported("r"), high()], State::Open, AlertState::Reported);
    check(&[reported("r"), high(), passed("r")], State::Approved, AlertState::Closed);
    // With unknown severity, a person has to decide.
    check(&[reported("r"), passed("r")], State::InReview, AlertState::Reported);
    assert!(high().begins() && reported("r").begins() && !passed("r").begins() && !Change::ReviewRequested.begins());
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
    run(changes).unwrap().reports.into_iter().map(|report| (report.report_id.into(), report.state)).collect()
}

#[test]
fn a_second_report_neither_closes_nor_blocks_the_review_of_the_first() {
    use State as S;
    let named = |reports: [(&str, State); 2]| reports.map(|(id, state)| (id.to_owned(), state)).to_vec();
    let both = [high(), reported("r"), doubted("r", false), reported("q"), passed("q")];
    assert_eq!(reports(&both), named([("r", S::InReview), ("q", S::Approved)]));
    check(&both, S::InReview, AlertState::Reported);
    assert_eq!(
        run(&both).unwrap().report_id.as_ref().map(ReportId::as_str),
        Some("r"),
        "lists show the report in review"
    );
    let approved = [&both[..], &[decided("r", Decision::Approve)]].concat();
    check(&approved, S::Approved, AlertState::Closed);
    assert_eq!(run(&approved).unwrap().report_id.as_ref().map(ReportId::as_str), Some("q"));
    // Each report has its own review, and a decision about one does not affect the other.
    let two = [critical(), reported("r"), passed("r"), reported("q"), passed("q")];
    assert_eq!(reports(&two), named([("r", S::InReview), ("q", S::InReview)]));
    let first = [&two[..], &[decided("q", Decision::Approve)]].concat();
    assert_eq!(reports(&first), named([("r", S::InReview), ("q", S::Approved)]));
    check(&first, S::InReview, AlertState::Reported);
    let again = [&first[..], &[decided("q", Decision::SendBack)]].concat();
    assert!(matches!(run(&again), Err(TransitionError::NotIn { state: S::Approved, .. })));
    check(&[&first[..], &[decided("r", Decision::SendBack)]].concat(), S::SentBack, AlertState::Reported);
    // Disposing of a case closes all its reports.
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
    // A new version of a report in review needs a person's decision too.
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
            proptest::prop_assert_eq!(case.state_of(&report_id(&waiting)), Some(State::InReview));
            proptest::prop_assert_eq!(case.state, State::InReview);
        }
        proptest::prop_assert!(case.after(&decided(&waiting, Decision::Approve)).is_ok());
    }
}

#[test]
fn the_highest_severity_counts() {
    let changes =
        [critical(), Change::Reported { report_id: report_id("r"), severity: Some(Severity::Medium), replaces: None }];
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
fn an_assignment_changes_only_the_assignee() {
    let given = |to: Option<&str>| Change::Assigned { to: to.map(Into::into) };
    let case = run(&[high(), reported("r"), given(Some("ana"))]).unwrap();
    assert_eq!((case.assigned_to.as_deref(), case.state), (Some("ana"), State::Open));
    assert_eq!(run(&[high(), given(Some("ana")), given(None)]).unwrap().assigned_to, None);
    assert_eq!(given(Some("ana")).without_names(), given(None));
    assert_eq!(high().without_names(), high());
}

fn with_report_in(state: State) -> Case {
    Case { state, reports: vec![CaseReport { report_id: report_id("r"), state }], ..Case::default() }
}

#[test]
fn each_decision_is_allowed_in_certain_states_only() {
    use Decision::{Approve, Dispose, SendBack};
    for state in State::ALL.iter().copied() {
        for decision in [Approve, SendBack, Dispose] {
            let allowed = match decision {
                Approve | SendBack => state == State::InReview,
                Dispose => state != State::Disposed,
            };
            let may = may_decide(&with_report_in(state), &report_id("r"), decision, "ana", &[], true);
            assert_eq!(may.is_ok(), allowed, "{decision:?} in {state}");
        }
    }
}

#[test]
fn four_eyes_review_applies_to_named_people_only() {
    let authors = ["ana".to_owned(), "report-agent".to_owned()];
    let case = with_report_in(State::InReview);
    let decide = |decision, who, named| may_decide(&case, &report_id("r"), decision, who, &authors, named);
    assert_eq!(decide(Decision::Approve, "ana", true), Err(TransitionError::SamePerson));
    assert_eq!(decide(Decision::Approve, "ben", true), Ok(()));
    assert_eq!(decide(Decision::Approve, "ana", false), Ok(()));
    assert_eq!(decide(Decision::Dispose, "ana", true), Err(TransitionError::SamePerson));
    assert_eq!(decide(Decision::Dispose, "ben", true), Ok(()));
    assert_eq!(decide(Decision::Dispose, "ana", false), Ok(()));
    // Sending one's own work back is allowed, because it closes nothing.
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
