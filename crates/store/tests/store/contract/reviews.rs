//! People's decisions: each is accepted only once, and only in the state that the person saw.

use countersign_domain::{
    Event, InvestigationId, NewEvent, ReportId, Score, State,
    payload::{
        Decision, InvestigationAssigned, ReportApproved, ReportGenerated, ReportNeedsReview, ReportRequested,
        ReportSkipped, ReportType, ReviewDecided, SupervisorReviewRequested,
    },
};
use countersign_ledger::{HashedText, sha256};
use countersign_store::{NewReport, Progress, ReportQuery, Step, Store, StoreError, Threading};
use serde_json::json;

use crate::fixture::{Fixture, assert_good, store_reports};

const ALERT: &str = "a-1";

fn id() -> InvestigationId {
    InvestigationId::of_alert(&ALERT.parse().unwrap())
}

fn event(fixture: &Fixture, event: impl Into<Event>) -> NewEvent {
    let seams = &fixture.seams;
    NewEvent::new(seams.event_id(), event, seams.now(), "test", id().into()).unwrap()
}

fn decided(fixture: &Fixture, report: &str, decision: Decision, by: &str) -> NewEvent {
    event(
        fixture,
        ReviewDecided {
            report_id: report.parse().unwrap(),
            investigation_id: Some(id()),
            decision,
            comment: "seen".into(),
            decided_by: by.into(),
            decided_at: fixture.seams.now(),
            disposition: None,
            revision: None,
        },
    )
}

fn assigned(fixture: &Fixture, to: &str) -> NewEvent {
    let (assigned_to, assigned_by) = (Some(to.to_owned()), "test".to_owned());
    let assigned_at = fixture.seams.now();
    event(fixture, InvestigationAssigned { investigation_id: id(), assigned_to, assigned_by, assigned_at })
}

/// Stores a version of the report, which `requested_by` requested, if anybody did.
async fn report(fixture: &Fixture, store: &Store, version: u32, requested_by: Option<&str>) -> String {
    report_of_type(fixture, store, ReportType::Compliance, version, requested_by).await
}

async fn report_of_type(
    fixture: &Fixture,
    store: &Store,
    report_type: ReportType,
    version: u32,
    requested_by: Option<&str>,
) -> String {
    let name = if report_type == ReportType::Compliance { "r" } else { report_type.as_str() };
    let report_id = format!("{name}-{version}");
    let content = format!("{{\"version\":{version}}}");
    let generated = ReportGenerated {
        investigation_id: id(),
        report_id: report_id.parse().unwrap(),
        report_type,
        fraud_detection_id: Some(ALERT.parse().unwrap()),
        narrative: None,
        generated_at: fixture.seams.now(),
        generation_time_ms: 1,
        content_hash: sha256(content.as_bytes()).to_hex(),
        version,
        transaction_id: None,
        severity: Some("high".parse().unwrap()),
        risk_score: Some(Score::new(70).unwrap()),
        regeneration_of: version
            .checked_sub(1)
            .filter(|last| *last > 0)
            .map(|last| format!("{name}-{last}").parse().unwrap()),
        requested_by: requested_by.map(Into::into),
    };
    let progress = Progress::Lane { seq: store.size().await.unwrap(), low: 0 };
    let mut step = Step::new("stand-in", progress, vec![event(fixture, generated)]);
    step.reports = vec![NewReport { report_id: report_id.parse().unwrap(), content: HashedText::new(content) }];
    store.step(step).await.unwrap();
    report_id
}

fn doubted(fixture: &Fixture, report: &str, score: u8) -> NewEvent {
    event(
        fixture,
        ReportNeedsReview {
            report_id: report.parse().unwrap(),
            investigation_id: id(),
            validation_score: Score::new(score).unwrap(),
            issues: Vec::new(),
            feedback: "look at it".into(),
            requires_regeneration: false,
            flagged_at: fixture.seams.now(),
            content_hash: None,
        },
    )
}

fn passed(fixture: &Fixture, report: &str) -> NewEvent {
    event(
        fixture,
        ReportApproved {
            report_id: report.parse().unwrap(),
            investigation_id: id(),
            validation_score: Score::new(95).unwrap(),
            validation_notes: String::new(),
            approved_at: fixture.seams.now(),
            content_hash: None,
            justification_strength: None,
        },
    )
}

/// An investigation whose report waits for a person.
async fn in_review(fixture: &Fixture, threading: Threading) -> Store {
    let store = fixture.open(threading);
    store.append(vec![fixture.alert(ALERT), fixture.investigation(ALERT)]).await.unwrap();
    let report = report(fixture, &store, 1, Some("ana")).await;
    store.append(vec![doubted(fixture, &report, 55)]).await.unwrap();
    store
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_is_accepted_only_if_its_case_has_not_moved_on() {
    for threading in [Threading::Threaded, Threading::Inline] {
        let fixture = Fixture::new();
        let store = in_review(&fixture, threading).await;
        let seen = store.case(id()).await.unwrap().unwrap();
        assert_eq!(seen.case.state, State::InReview);
        store.append(vec![assigned(&fixture, "ben")]).await.unwrap();
        let size = store.size().await.unwrap();
        let approve = || vec![decided(&fixture, "r-1", Decision::Approve, "ben")];
        assert_eq!(store.append_if_case(id(), seen.seq, approve()).await.unwrap(), None);
        assert_eq!(store.size().await.unwrap(), size, "nothing was appended");
        assert_eq!(store.append_if_case(id(), size - 1, approve()).await.unwrap(), Some(size));
        // Disposal is allowed in the approved state, but that isn't the state that was seen.
        let dispose = vec![decided(&fixture, "r-1", Decision::Dispose, "cleo")];
        assert_eq!(store.append_if_case(id(), size - 1, dispose).await.unwrap(), None);
        assert_eq!(store.case(id()).await.unwrap().unwrap().case.state, State::Approved);
        // A decision that the state forbids is refused even if the case hasn't moved.
        assert!(matches!(store.append_if_case(id(), size, approve()).await, Err(StoreError::Conflict(_))));
        let unknown = InvestigationId::of_alert(&"nobody's".parse().unwrap());
        assert!(matches!(store.append_if_case(unknown, 0, approve()).await, Err(StoreError::NotFound)));
        assert_eq!(store.size().await.unwrap(), size + 1);
        store.close().await.unwrap();
        drop(store);
        assert_good(&fixture.verify());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_many_conditional_decisions_is_accepted() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Threaded).await;
    let seen = store.case(id()).await.unwrap().unwrap().seq;
    let decisions = [Decision::Approve, Decision::SendBack, Decision::Dispose];
    let deciding: Vec<_> = (0..12)
        .map(|n| {
            let event = decided(&fixture, "r-1", decisions[n % 3], &format!("reviewer-{n}"));
            let store = store.clone();
            tokio::spawn(async move { store.append_if_case(id(), seen, vec![event]).await.unwrap() })
        })
        .collect();
    let mut accepted = 0;
    for decision in deciding {
        accepted += usize::from(decision.await.unwrap().is_some());
    }
    assert_eq!((accepted, store.reviews_of(id()).await.unwrap().len()), (1, 1));
}

#[tokio::test]
async fn people_who_requested_a_version_are_authors_but_the_reviewer_who_sent_it_back_is_not() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    store.append(vec![decided(&fixture, "r-1", Decision::SendBack, "ben")]).await.unwrap();
    report(&fixture, &store, 2, None).await;
    assert_eq!(store.report_authors(&"r-1".parse().unwrap()).await.unwrap(), ["ana"]);
    assert_eq!(store.report_authors(&"r-2".parse().unwrap()).await.unwrap(), ["ana"]);
    report(&fixture, &store, 3, Some("cleo")).await;
    assert_eq!(
        store.report_authors(&"r-2".parse().unwrap()).await.unwrap(),
        ["ana"],
        "a later request changes nothing"
    );
    assert_eq!(store.report_authors(&"r-3".parse().unwrap()).await.unwrap(), ["ana", "cleo"]);
    assert!(store.report_authors(&"r-4".parse().unwrap()).await.unwrap().is_empty());
    let current = store.reports_of(id()).await.unwrap();
    assert_eq!(current.iter().map(|report| report.id.as_str()).collect::<Vec<_>>(), ["r-3"]);
}

#[tokio::test]
async fn a_case_has_been_waiting_since_the_event_that_put_it_in_review() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    let flagged_at = fixture.seams.now();
    let since = async || store.open_reviews(None, 1).await.unwrap().first().map(|review| review.waiting_since);
    assert_eq!(since().await, Some(flagged_at));
    fixture.clock.move_by_seconds(60);
    let (requested_by, requested_at) = ("ben".to_owned(), fixture.seams.now());
    let asked = SupervisorReviewRequested { investigation_id: id(), requested_by, reason: None, requested_at };
    store.append(vec![assigned(&fixture, "ben"), event(&fixture, asked.clone())]).await.unwrap();
    assert_eq!(since().await, Some(flagged_at), "it has been waiting all along");
    store.append(vec![decided(&fixture, "r-1", Decision::Approve, "ben")]).await.unwrap();
    assert_eq!(since().await, None);
    fixture.clock.move_by_seconds(60);
    store.append(vec![event(&fixture, asked)]).await.unwrap();
    assert_eq!(since().await, Some(fixture.seams.now()));
}

#[tokio::test]
async fn the_last_verdict_and_the_decisions_are_found_newest_first() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    fixture.clock.move_by_seconds(1);
    let verdicts = async || store.last_verdicts(vec!["r-1".parse().unwrap(), "r-9".parse().unwrap()]).await.unwrap();
    let first = verdicts().await[0].unwrap();
    assert_eq!((first.passed, first.validation_score.get(), first.issues), (false, 55, 0));
    store.append(vec![passed(&fixture, "r-1")]).await.unwrap();
    let last = verdicts().await;
    assert_eq!((last[0].unwrap().passed, last[0].unwrap().validated_at, last[1]), (true, fixture.seams.now(), None));
    store.append(vec![decided(&fixture, "r-1", Decision::Dispose, "ben")]).await.unwrap();
    let all = store.decided_reviews(None, 10).await.unwrap();
    assert_eq!(all.len(), 1);
    assert!(store.decided_reviews(Some(all[0].seq), 10).await.unwrap().is_empty());
}

async fn waiting(store: &Store) -> Vec<String> {
    let reviews = store.open_reviews(None, 10).await.unwrap();
    reviews.into_iter().map(|review| review.report_id.map(String::from).unwrap_or_default()).collect()
}

async fn report_state(store: &Store, report: &str) -> Option<State> {
    store.report(&report.parse().unwrap()).await.unwrap().unwrap().state
}

#[tokio::test]
async fn two_reports_of_a_case_are_reviewed_independently() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    let second = report_of_type(&fixture, &store, ReportType::Full, 1, Some("eve")).await;
    store.append(vec![passed(&fixture, &second)]).await.unwrap();
    assert_eq!(report_state(&store, "r-1").await, Some(State::InReview));
    assert_eq!(report_state(&store, &second).await, Some(State::Approved));
    let case = store.case(id()).await.unwrap().unwrap().case;
    assert_eq!((case.state, case.report_id.as_ref().map(ReportId::as_str)), (State::InReview, Some("r-1")));
    assert_eq!(waiting(&store).await, ["r-1"]);
    let third = report_of_type(&fixture, &store, ReportType::Internal, 1, None).await;
    fixture.clock.move_by_seconds(60);
    store.append(vec![doubted(&fixture, &third, 40)]).await.unwrap();
    assert_eq!(waiting(&store).await, [third.as_str(), "r-1"]);
    let reviews = store.open_reviews(None, 10).await.unwrap();
    assert!(reviews[0].waiting_since > reviews[1].waiting_since, "each waits since its own verdict");
    assert_eq!(
        store.open_reviews(Some(reviews[0].seq), 10).await.unwrap()[0].report_id.as_ref().map(ReportId::as_str),
        Some("r-1")
    );
    let query = ReportQuery { status: Some(State::InReview), limit: 9, ..Default::default() };
    let listed = store.reports(query).await.unwrap();
    assert_eq!(listed.iter().map(|report| report.id.as_str()).collect::<Vec<_>>(), [third.as_str(), "r-1"]);
    store.append(vec![decided(&fixture, "r-1", Decision::Approve, "ben")]).await.unwrap();
    assert_eq!(waiting(&store).await, [third.as_str()]);
    assert_eq!(store.case(id()).await.unwrap().unwrap().case.state, State::InReview);
    let twice = store.append(vec![decided(&fixture, "r-1", Decision::SendBack, "ben")]).await;
    assert!(matches!(twice, Err(StoreError::Conflict(_))));
    store.append(vec![decided(&fixture, &third, Decision::SendBack, "ben")]).await.unwrap();
    let fourth = report_of_type(&fixture, &store, ReportType::Internal, 2, None).await;
    assert_eq!((report_state(&store, &third).await, report_state(&store, &fourth).await), (None, Some(State::Open)));
    store.append(vec![passed(&fixture, &fourth)]).await.unwrap();
    assert_eq!(store.case(id()).await.unwrap().unwrap().case.state, State::Approved);
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn the_person_who_posted_the_alert_is_an_author_of_every_report_about_it() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let alert = NewEvent { metadata: r#"{"posted_by":"dora"}"#.into(), ..fixture.alert(ALERT) };
    store.ingest(vec![alert]).await.unwrap();
    // Sent again by somebody else, it is the same alert.
    let again = NewEvent { metadata: r#"{"posted_by":"ben"}"#.into(), ..fixture.alert(ALERT) };
    store.ingest(vec![again]).await.unwrap();
    store.append(vec![fixture.investigation(ALERT)]).await.unwrap();
    report(&fixture, &store, 1, None).await;
    report(&fixture, &store, 2, Some("ana")).await;
    let full = report_of_type(&fixture, &store, ReportType::Full, 1, None).await;
    assert_eq!(store.report_authors(&"r-1".parse().unwrap()).await.unwrap(), ["dora"]);
    assert_eq!(store.report_authors(&"r-2".parse().unwrap()).await.unwrap(), ["ana", "dora"]);
    assert_eq!(store.report_authors(&full.parse().unwrap()).await.unwrap(), ["dora"]);
}

/// A request for a report, by a person.
fn requested(fixture: &Fixture, report_type: ReportType, by: &str) -> NewEvent {
    let request = json!({
        "fraud_detection_id": ALERT, "investigation_id": id(), "report_type": report_type, "severity": "HIGH",
        "risk_score": 70, "requested_at": fixture.seams.now(), "requested_by": by
    });
    event(fixture, serde_json::from_value::<ReportRequested>(request).unwrap())
}

#[tokio::test]
async fn the_authors_of_a_case_are_those_of_its_reports_in_review_and_of_its_open_requests() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let authors = async || store.case_authors(id()).await.unwrap();
    assert!(authors().await.is_empty(), "there is no such case");
    let alert = NewEvent { metadata: r#"{"posted_by":"dora"}"#.into(), ..fixture.alert(ALERT) };
    store.append(vec![alert, fixture.investigation(ALERT)]).await.unwrap();
    assert_eq!(authors().await, ["dora"]);
    let first = report(&fixture, &store, 1, Some("ana")).await;
    assert_eq!(authors().await, ["dora"], "the report is not in review yet");
    store.append(vec![doubted(&fixture, &first, 55)]).await.unwrap();
    assert_eq!(authors().await, ["ana", "dora"]);
    let full = report_of_type(&fixture, &store, ReportType::Full, 1, Some("eve")).await;
    store.append(vec![passed(&fixture, &full)]).await.unwrap();
    assert_eq!(authors().await, ["ana", "dora"], "the full report is approved");
    let request = requested(&fixture, ReportType::Internal, "cleo");
    let skipped = ReportSkipped {
        fraud_detection_id: Some(ALERT.parse().unwrap()),
        report_type: None,
        reason: "there is nothing to report".into(),
        skipped_at: fixture.seams.now(),
    };
    let skipped = event(&fixture, skipped).caused_by(request.event_id);
    store.append(vec![request]).await.unwrap();
    assert_eq!(authors().await, ["ana", "cleo", "dora"]);
    store.append(vec![skipped]).await.unwrap();
    assert_eq!(authors().await, ["ana", "dora"], "the request is answered");
    store.append(vec![requested(&fixture, ReportType::Compliance, "ben")]).await.unwrap();
    report(&fixture, &store, 2, None).await;
    store.append(vec![doubted(&fixture, "r-2", 55)]).await.unwrap();
    assert_eq!(authors().await, ["ana", "ben", "dora"], "with those of earlier versions, and who ever requested one");
    assert_eq!(store.report_authors(&"r-2".parse().unwrap()).await.unwrap(), authors().await);
    store.append(vec![decided(&fixture, "r-2", Decision::Approve, "fay")]).await.unwrap();
    assert_eq!(authors().await, ["ben", "dora"], "nothing is in review, but nobody has answered ben");
}

#[tokio::test]
async fn a_report_that_replaced_one_of_another_type_has_its_authors_too() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    report(&fixture, &store, 2, Some("ben")).await;
    let (event, content) = fixture.report_of(ALERT, ReportType::Full, "HIGH", 1);
    let Event::ReportGenerated(generated) = event.event else { panic!() };
    let (replaced, by) = (Some("r-1".parse().unwrap()), Some("cleo".to_owned()));
    let event = fixture.event(ReportGenerated { regeneration_of: replaced, requested_by: by, ..generated });
    let full = content.report_id.clone();
    store_reports(&store, vec![(event, content)]).await;
    assert_eq!(store.report_authors(&full).await.unwrap(), ["ana", "cleo"]);
}

#[tokio::test]
async fn a_person_named_only_by_an_erased_event_is_not_an_author() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    report(&fixture, &store, 2, Some("ben")).await;
    store.append(vec![doubted(&fixture, "r-2", 55)]).await.unwrap();
    let second = "r-2".parse().unwrap();
    assert_eq!(store.report_authors(&second).await.unwrap(), ["ana", "ben"]);
    let first = store.report(&"r-1".parse().unwrap()).await.unwrap().unwrap().seq;
    store.erase(vec![first], "asked for", "ana").await.unwrap();
    assert_eq!(store.report_authors(&second).await.unwrap(), ["ben"]);
    assert_eq!(store.case_authors(id()).await.unwrap(), ["ben"]);
}

#[tokio::test]
async fn a_report_waits_for_a_person_only_while_its_investigation_can_be_read() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.alert(ALERT)]).await.unwrap();
    let first = report(&fixture, &store, 1, None).await;
    store.append(vec![doubted(&fixture, &first, 55)]).await.unwrap();
    assert!(waiting(&store).await.is_empty(), "the investigation is not opened yet");
    let opened = store.append(vec![fixture.investigation(ALERT)]).await.unwrap();
    assert_eq!(waiting(&store).await, [first.as_str()]);
    store.erase(vec![opened], "asked for", "ana").await.unwrap();
    assert!(waiting(&store).await.is_empty());
    assert_eq!(report_state(&store, &first).await, Some(State::InReview), "the report's state stays");
}

#[tokio::test]
async fn an_investigation_in_review_without_a_report_is_listed_too() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.alert(ALERT), fixture.investigation(ALERT)]).await.unwrap();
    assert!(store.open_reviews(None, 10).await.unwrap().is_empty());
    let (requested_by, asked_at) = ("ben".to_owned(), fixture.seams.now());
    let asked =
        SupervisorReviewRequested { investigation_id: id(), requested_by, reason: None, requested_at: asked_at };
    store.append(vec![event(&fixture, asked)]).await.unwrap();
    fixture.clock.move_by_seconds(60);
    let waits = async || {
        let reviews = store.open_reviews(None, 10).await.unwrap();
        (reviews.len(), reviews[0].report_id.clone(), reviews[0].waiting_since)
    };
    assert_eq!(waits().await, (1, None, asked_at));
    let first = report(&fixture, &store, 1, None).await;
    assert_eq!(
        waits().await,
        (1, Some(first.parse().unwrap()), asked_at),
        "its first report waits since the case does"
    );
}

#[tokio::test]
async fn a_report_that_is_written_after_the_disposal_is_disposed_too() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    store.append(vec![decided(&fixture, "r-1", Decision::Dispose, "ben")]).await.unwrap();
    let late = report_of_type(&fixture, &store, ReportType::Full, 1, Some("eve")).await;
    let second = report(&fixture, &store, 2, None).await;
    let check = async |store: &Store| {
        let states =
            [report_state(store, "r-1").await, report_state(store, &late).await, report_state(store, &second).await];
        assert_eq!(states, [None, Some(State::Disposed), Some(State::Disposed)]);
    };
    check(&store).await;
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn erased_verdicts_and_assignments_keep_what_they_meant_to_the_case() {
    let fixture = Fixture::new();
    let store = in_review(&fixture, Threading::Inline).await;
    let second = report_of_type(&fixture, &store, ReportType::Full, 1, Some("eve")).await;
    store.append(vec![passed(&fixture, &second)]).await.unwrap();
    let verdict = store.size().await.unwrap() - 1;
    store.append(vec![assigned(&fixture, "ben")]).await.unwrap();
    store.erase(vec![verdict, store.size().await.unwrap() - 1], "asked for", "ana").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let store = fixture.open(Threading::Inline);
    assert_eq!(report_state(&store, "r-1").await, Some(State::InReview));
    assert_eq!(report_state(&store, &second).await, Some(State::Approved));
    let case = store.case(id()).await.unwrap().unwrap().case;
    assert_eq!(
        (case.state, case.report_id.as_ref().map(ReportId::as_str), case.assigned_to),
        (State::InReview, Some("r-1"), None)
    );
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
}
