//! The states of investigations and alerts: changed by events, listed, and kept by erasures.

use countersign_domain::{AlertState, NewEvent, ReportId, Severity, State};
use countersign_store::{
    AlertQuery, InvestigationQuery, Progress, Step, Store, StoreError, Threading, backup, restore,
};

use crate::fixture::{Fixture, assert_good, investigation_of, store_reports};

async fn states(store: &Store, alert: &str) -> (State, AlertState) {
    let case = store.case(investigation_of(alert)).await.unwrap().unwrap().case;
    (case.state, case.alert_state())
}

async fn report(fixture: &Fixture, store: &Store, alert: &str, version: u32) -> ReportId {
    let report = fixture.report(alert, version);
    let id = report.1.report_id.clone();
    store_reports(store, vec![report]).await;
    id
}

async fn append(store: &Store, event: NewEvent) {
    store.append(vec![event]).await.unwrap();
}

#[tokio::test]
async fn events_change_their_case_in_whatever_order_they_come() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.ingest(vec![fixture.alert("a-1")]).await.unwrap();
    assert_eq!(states(&store, "a-1").await, (State::Open, AlertState::Open));
    assert!(store.investigation(investigation_of("a-1")).await.unwrap().is_none(), "it is not opened yet");
    // The reporter is faster than the orchestrator.
    let id = report(&fixture, &store, "a-1", 1).await;
    assert_eq!(states(&store, "a-1").await, (State::Open, AlertState::Reported));
    append(&store, fixture.investigation("a-1")).await;
    assert_eq!(states(&store, "a-1").await, (State::Open, AlertState::Reported));
    append(&store, fixture.doubted("a-1", &id, true)).await;
    assert_eq!(states(&store, "a-1").await, (State::Open, AlertState::Reported));
    let second = report(&fixture, &store, "a-1", 2).await;
    append(&store, fixture.passed("a-1", &id)).await;
    assert_eq!(states(&store, "a-1").await, (State::Open, AlertState::Reported), "the first is not judged any more");
    append(&store, fixture.passed("a-1", &second)).await;
    assert_eq!(states(&store, "a-1").await, (State::Approved, AlertState::Closed));
    append(&store, fixture.review_requested("a-1")).await;
    assert_eq!(states(&store, "a-1").await, (State::InReview, AlertState::Reported));
    append(&store, fixture.assigned("a-1", Some("ana"))).await;
    append(&store, fixture.decided("a-1", &second, "send_back")).await;
    assert_eq!(states(&store, "a-1").await, (State::SentBack, AlertState::Reported));
    let found = store.investigation(investigation_of("a-1")).await.unwrap().unwrap();
    assert_eq!((found.event.seq, found.case.seq, found.case.opened_seq), (2, store.size().await.unwrap() - 1, Some(2)));
    assert_eq!(found.case.case.assigned_to.as_deref(), Some("ana"));
    assert_eq!(found.case.case.report_id, Some(second));
    drop(store);
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_critical_case_waits_for_a_person() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.ingest(vec![fixture.alert_of("u", "a-1", "critical", 90)]).await.unwrap();
    let id = report(&fixture, &store, "a-1", 1).await;
    append(&store, fixture.passed("a-1", &id)).await;
    assert_eq!(states(&store, "a-1").await, (State::InReview, AlertState::Reported));
    append(&store, fixture.decided("a-1", &id, "approve")).await;
    assert_eq!(states(&store, "a-1").await, (State::Approved, AlertState::Closed));
}

#[tokio::test]
async fn a_decision_that_the_state_forbids_is_refused_and_appends_nothing() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.ingest(vec![fixture.alert("a-1")]).await.unwrap();
    let id = report(&fixture, &store, "a-1", 1).await;
    let refused = async |event: NewEvent, why: &str| {
        let size = store.size().await.unwrap();
        let failed = store.append(vec![event]).await;
        assert!(matches!(&failed, Err(StoreError::Conflict(said)) if said.contains(why)), "{why}: {failed:?}");
        assert_eq!(store.size().await.unwrap(), size);
    };
    refused(fixture.decided("a-1", &id, "approve"), "the report is open").await;
    append(&store, fixture.doubted("a-1", &id, false)).await;
    refused(fixture.decided("a-1", "another", "approve"), "not under review").await;
    // Two people at once: the second finds it decided.
    append(&store, fixture.decided("a-1", &id, "approve")).await;
    refused(fixture.decided("a-1", &id, "send_back"), "the report is approved").await;
    append(&store, fixture.decided("a-1", &id, "dispose")).await;
    refused(fixture.decided("a-1", &id, "dispose"), "final").await;
    assert_eq!(store.reviews_of(investigation_of("a-1")).await.unwrap().len(), 2);
    // An unknown investigation has no state.
    append(&store, fixture.decided("a-9", "x", "approve")).await;
    append(&store, fixture.passed("a-9", "x")).await;
    append(&store, fixture.assigned("a-9", Some("ana"))).await;
    assert!(store.case(investigation_of("a-9")).await.unwrap().is_none());
    drop(store);
    assert_good(&fixture.verify());
}

/// Alerts of two users and all severities; some have been reported, judged and decided.
async fn queue(fixture: &Fixture) -> Store {
    let store = fixture.open(Threading::Inline);
    for (n, severity) in ["low", "medium", "high", "critical", "high", "low", "medium", "critical"].iter().enumerate() {
        let (user, alert) = (if n % 2 == 0 { "ana" } else { "ben" }, format!("a-{n}"));
        let score = 30 + 10 * n as u8;
        store.ingest(vec![fixture.alert_of(user, &alert, severity, score)]).await.unwrap();
        if *severity != "low" {
            append(&store, fixture.investigation_of(user, &alert, severity, score)).await;
        }
    }
    // a-1 approved, a-2 in review, a-3 in review, a-4 reported and open, the rest untouched.
    for (n, passes) in [(1, true), (2, false), (3, true)] {
        let alert = format!("a-{n}");
        let id = report(fixture, &store, &alert, 1).await;
        let verdict = if passes { fixture.passed(&alert, &id) } else { fixture.doubted(&alert, &id, false) };
        append(&store, verdict).await;
    }
    report(fixture, &store, "a-4", 1).await;
    store
}

#[tokio::test]
async fn alerts_are_found_by_severity_state_and_user() {
    let fixture = Fixture::new();
    let store = queue(&fixture).await;
    let found = async |query: AlertQuery| -> Vec<u8> {
        let entries = store.alerts(AlertQuery { limit: 100, ..query }).await.unwrap();
        let id = |payload: &str| payload.split("\"a-").nth(1).unwrap().as_bytes()[0] - b'0';
        entries.iter().map(|entry| id(entry.event.payload.as_ref().unwrap().get())).collect()
    };
    let any = AlertQuery::default;
    let ana = || Some("ana".parse().unwrap());
    let severity = |name: &str| Some(name.parse::<Severity>().unwrap());
    let status = |name: &str| Some(name.parse::<AlertState>().unwrap());
    assert_eq!(found(any()).await, [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(found(AlertQuery { severity: severity("high"), ..any() }).await, [4, 2]);
    assert_eq!(found(AlertQuery { status: status("recorded"), ..any() }).await, [5, 0]);
    assert_eq!(found(AlertQuery { status: status("open"), ..any() }).await, [7, 6]);
    assert_eq!(found(AlertQuery { status: status("reported"), ..any() }).await, [4, 3, 2]);
    assert_eq!(found(AlertQuery { status: status("closed"), ..any() }).await, [1]);
    assert_eq!(found(AlertQuery { status: status("reported"), severity: severity("high"), ..any() }).await, [4, 2]);
    assert_eq!(found(AlertQuery { status: status("reported"), severity: severity("low"), ..any() }).await, [0_u8; 0]);
    assert_eq!(found(AlertQuery { status: status("recorded"), severity: severity("high"), ..any() }).await, [0_u8; 0]);
    assert_eq!(found(AlertQuery { user_id: ana(), ..any() }).await, [6, 4, 2, 0]);
    assert_eq!(found(AlertQuery { user_id: ana(), severity: severity("high"), ..any() }).await, [4, 2]);
    assert_eq!(found(AlertQuery { user_id: ana(), status: status("recorded"), ..any() }).await, [0]);
    assert_eq!(found(AlertQuery { user_id: ana(), status: status("reported"), ..any() }).await, [4, 2]);

    let fourth = store.alert(&"a-4".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!((fourth.state, fourth.case.unwrap().case.state), (AlertState::Reported, State::Open));
    let before = Some(fourth.event.seq);
    for query in [
        AlertQuery { before, ..any() },
        AlertQuery { before, user_id: ana(), ..any() },
        AlertQuery { before, status: status("reported"), ..any() },
        AlertQuery { before, severity: severity("high"), ..any() },
    ] {
        let (all, rest) = (found(AlertQuery { before: None, ..query.clone() }).await, found(query).await);
        assert_eq!(rest, all.into_iter().filter(|n| *n < 4).collect::<Vec<_>>());
    }
    let low = store.alert(&"a-0".parse().unwrap()).await.unwrap().unwrap();
    assert!(low.state == AlertState::Recorded && low.case.is_none());
    assert!(store.alert(&"x".parse().unwrap()).await.unwrap().is_none());
}

#[tokio::test]
async fn investigations_are_found_by_severity_state_and_user() {
    let fixture = Fixture::new();
    let store = queue(&fixture).await;
    let numbers = |entries: Vec<countersign_store::InvestigationEntry>| -> Vec<u8> {
        let id = |payload: &str| payload.split("\"a-").nth(1).unwrap().as_bytes()[0] - b'0';
        entries.iter().map(|entry| id(entry.event.payload.as_ref().unwrap().get())).collect()
    };
    let found = async |query: InvestigationQuery| {
        numbers(store.investigations(InvestigationQuery { limit: 100, ..query }).await.unwrap())
    };
    let any = InvestigationQuery::default;
    let ben = || Some("ben".parse().unwrap());
    let critical = Some(Severity::Critical);
    assert_eq!(found(any()).await, [7, 6, 4, 3, 2, 1]);
    assert_eq!(found(InvestigationQuery { severity: critical, ..any() }).await, [7, 3]);
    assert_eq!(found(InvestigationQuery { status: Some(State::Open), ..any() }).await, [7, 6, 4]);
    assert_eq!(found(InvestigationQuery { status: Some(State::InReview), ..any() }).await, [3, 2]);
    assert_eq!(found(InvestigationQuery { status: Some(State::InReview), severity: critical, ..any() }).await, [3]);
    assert_eq!(found(InvestigationQuery { status: Some(State::Disposed), ..any() }).await, [0_u8; 0]);
    assert_eq!(found(InvestigationQuery { user_id: ben(), ..any() }).await, [7, 3, 1]);
    assert_eq!(found(InvestigationQuery { user_id: ben(), status: Some(State::Approved), ..any() }).await, [1]);
    assert_eq!(found(InvestigationQuery { user_id: ben(), severity: critical, ..any() }).await, [7, 3]);
    let waiting = async |before, limit| {
        let reviews = store.open_reviews(before, limit).await.unwrap();
        numbers(reviews.into_iter().map(|review| review.investigation).collect())
    };
    assert_eq!(waiting(None, 10).await, [3, 2]);
    let third = store.open_reviews(None, 1).await.unwrap()[0].seq;
    assert_eq!(waiting(Some(third), 10).await, [2]);
    assert_eq!(waiting(None, 1).await, [3]);
}

#[tokio::test]
async fn earlier_alerts_of_a_user_are_counted_and_listed() {
    let fixture = Fixture::new();
    let store = queue(&fixture).await;
    let prior = async |user: &str| {
        let (alert, user) = ("a-6".parse().unwrap(), user.parse().unwrap());
        store.prior_alerts(&alert, &user, 2).await.unwrap().unwrap()
    };
    let anas = prior("ana").await;
    assert_eq!((anas.by_severity, anas.count()), ([1, 0, 2, 0], 3));
    let newest: Vec<_> = anas.newest.iter().map(|alert| (alert.alert_id.as_str(), alert.score.get())).collect();
    assert_eq!(newest, [("a-4", 70), ("a-2", 50)]);
    let last = anas.last().unwrap();
    assert_eq!((last.severity, last.created_at), (Severity::High, fixture.seams.now()));
    let none = prior("nobody").await;
    assert!(none.count() == 0 && none.last().is_none());
    let unknown = store.prior_alerts(&"unknown".parse().unwrap(), &"ana".parse().unwrap(), 2).await.unwrap();
    assert_eq!(unknown, None, "there is nothing before an alert that isn't on record");
}

// Erasing and restoring.

#[tokio::test]
async fn an_erased_investigation_is_not_listed_but_is_found_by_its_id() {
    let fixture = Fixture::new();
    let store = queue(&fixture).await;
    let id = investigation_of("a-3");
    let case = store.case(id).await.unwrap().unwrap();
    let found = async || {
        let found = store.investigation(id).await.unwrap().unwrap();
        assert_eq!(found.case, case);
        (found.event.payload.is_some(), found.alert.is_some())
    };
    let listed = async || {
        let query = InvestigationQuery { status: Some(State::InReview), limit: 100, ..Default::default() };
        store.investigations(query).await.unwrap().len()
    };
    assert_eq!((found().await, listed().await), ((true, true), 2));
    store.erase(vec![case.alert_seq.unwrap()], "asked for", "ana").await.unwrap();
    assert_eq!((found().await, listed().await), ((true, false), 2));
    store.erase(vec![case.opened_seq.unwrap()], "asked for", "ana").await.unwrap();
    assert_eq!((found().await, listed().await), ((false, false), 1));
}

#[tokio::test]
async fn an_erased_case_keeps_its_state_and_forgets_its_assignee() {
    let fixture = Fixture::new();
    let store = queue(&fixture).await;
    append(&store, fixture.assigned("a-2", Some("ben"))).await;
    let assigned = store.size().await.unwrap() - 1;
    let before = store.case(investigation_of("a-2")).await.unwrap().unwrap();
    let seqs =
        [before.alert_seq, before.opened_seq, before.report_seq, before.report_seq.map(|seq| seq + 1), Some(assigned)];
    store.erase(seqs.into_iter().flatten().collect(), "asked for", "ana").await.unwrap();
    let after = store.case(investigation_of("a-2")).await.unwrap().unwrap();
    assert_eq!((after.case.state, after.case.assigned_to.as_deref()), (State::InReview, None));
    assert_eq!((after.seq, after.case.report_id), (before.seq, before.case.report_id));
    let page = store.alerts(AlertQuery { limit: 100, ..Default::default() }).await.unwrap();
    assert_eq!(page.len(), 7, "it is not listed");
    assert!(store.alert(&"a-2".parse().unwrap()).await.unwrap().unwrap().event.payload.is_none());
    for status in [AlertState::Reported, AlertState::Open] {
        let query = AlertQuery { status: Some(status), limit: 100, ..Default::default() };
        assert_eq!(store.alerts(query).await.unwrap().len(), 2);
    }
    // The case goes on from there.
    append(&store, fixture.assigned("a-2", Some("eve"))).await;
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());

    let key = fixture.open(Threading::Inline).verifying_key();
    let copy = fixture.folder.path().join("backup");
    backup(&fixture.location(), &copy, &mut |_, _| {}).unwrap();
    let store = fixture.open(Threading::Inline);
    store.erase(vec![store.size().await.unwrap() - 1], "asked for", "ana").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    restore(&fixture.location(), &copy, Some(&key), &fixture.seams).unwrap();
    let store = fixture.open(Threading::Inline);
    let assignee = store.case(investigation_of("a-2")).await.unwrap().unwrap().case.assigned_to;
    assert_eq!(assignee, None, "what was erased after the backup is erased again");
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
}

#[tokio::test(flavor = "multi_thread")]
async fn cases_verify_while_they_change() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let work: Vec<_> = (0..60)
        .map(|n| {
            let alert = format!("a-{n}");
            let report = fixture.report(&alert, 1);
            let id = report.1.report_id.clone();
            let before = vec![
                fixture.transaction(&format!("tx-{n}"), "1.00"),
                fixture.alert(&alert),
                fixture.investigation(&alert),
            ];
            let after = vec![
                fixture.doubted(&alert, &id, false),
                fixture.assigned(&alert, Some("ana")),
                fixture.decided(&alert, &id, "approve"),
            ];
            (before, report, after)
        })
        .collect();
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            let mut low = 0;
            for (before, report, after) in work {
                let first = store.append(before).await.unwrap();
                store_reports(&store, vec![report]).await;
                let step = Step::new("detector", Progress::Batch { from: low, to: first + 1 }, Vec::new());
                store.step(Step { indexes_history: true, ..step }).await.unwrap();
                low = first + 1;
                store.append(after).await.unwrap();
                store.sign_checkpoint().await.unwrap();
                store.erase(vec![first, first + 3, first + 5], "asked for", "ana").await.unwrap();
            }
        }
    });
    while !writer.is_finished() {
        let location = fixture.location();
        let verify = move || countersign_store::verify(&location, None, &mut |_, _| {}).unwrap();
        assert_good(&tokio::task::spawn_blocking(verify).await.unwrap());
    }
    writer.await.unwrap();
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}
