//! Mirroring audit logs to a Supabase project that is down, refuses logs or does not respond. Waits are real and short, because
//! the network does not follow a controlled clock.

mod postgrest;

use std::{sync::Arc, time::Duration};

use countersign_agents::{Agent, Mirror, Runtime, RuntimeSettings};
use countersign_domain::payload::AuditLogCreated;
use countersign_store::{DeadLetter, DeadLetterQuery, EventQuery, Store};
use serde_json::{Value, json};

use crate::fixture::{SETTINGS, StoreFixture, crash, status, until, until_handled, until_idle};
use postgrest::{KEY, Postgrest, error};

const QUICK: RuntimeSettings = RuntimeSettings { backoff: Duration::from_millis(1), ..SETTINGS };
const SOON: Duration = Duration::from_secs(5);

async fn start(store: &Store, project: &Postgrest) -> Runtime {
    let mirror = Mirror::new(&project.url(), KEY).unwrap();
    Runtime::start(store.clone(), vec![mirror as Arc<dyn Agent>], QUICK).await.unwrap()
}

/// Appends a log for each query. Returns the expected rows.
async fn record(fixture: &StoreFixture, store: &Store, queries: impl IntoIterator<Item = String>) -> Vec<Value> {
    let (mut events, mut rows) = (Vec::new(), Vec::new());
    for query in queries {
        let event = fixture.event(|id| AuditLogCreated {
            log_id: id.parse().unwrap(),
            query,
            response: "Grüße, \u{1F600} \"quoted\"\n".into(),
            audit: serde_json::from_value(json!({"risk_score": 7, "findings": [{"kind": "pii", "at": [0, 1.5]}]}))
                .unwrap(),
            status: countersign_domain::RiskStatus::Flagged,
            created_at: "2026-03-01T09:29:59.123456Z".parse().unwrap(),
            worker: None,
        });
        let mut row: Value = serde_json::from_str(&event.payload).unwrap();
        let id = row.as_object_mut().unwrap().remove("log_id").unwrap();
        row["id"] = id;
        rows.push(row);
        events.push(event);
    }
    store.append(events).await.unwrap();
    rows
}

fn numbered(range: std::ops::Range<usize>) -> impl Iterator<Item = String> {
    range.map(|n| format!("q-{n}"))
}

async fn letters(store: &Store) -> Vec<DeadLetter> {
    store.dead_letters(DeadLetterQuery { limit: 100, ..Default::default() }).await.unwrap()
}

fn check_rows(project: &Postgrest, mut expected: Vec<Value>) {
    expected.sort_by_key(|row| row["id"].as_str().unwrap().to_owned());
    project.with(|seen| {
        assert_eq!(seen.violations, [""; 0]);
        assert_eq!(seen.rows.values().cloned().collect::<Vec<_>>(), expected);
        assert_eq!(seen.inserted, expected.len());
    });
}

#[tokio::test]
async fn a_row_has_all_fields_of_its_log() {
    let (fixture, project) = (StoreFixture::with_seed(1), Postgrest::start().await);
    let store = fixture.open();
    let mut expected = record(&fixture, &store, numbered(0..3)).await;
    let runtime = start(&store, &project).await;
    until_handled(&runtime, 3).await;
    expected.extend(record(&fixture, &store, numbered(3..40)).await);
    until_handled(&runtime, 40).await;
    check_rows(&project, expected);
    project.with(|seen| assert_eq!(seen.ignored, 0));
    assert_eq!(status(&runtime).failed, 0);
    runtime.stop(SOON).await;
    assert_eq!(store.size().await.unwrap(), 40 + 2, "the log only gains the agent's start and stop");
}

#[tokio::test]
async fn no_row_is_lost_or_duplicated_while_the_project_is_down_and_the_process_restarts() {
    let (fixture, mut project) = (StoreFixture::with_seed(2), Postgrest::start().await);
    let store = fixture.open();
    let runtime = start(&store, &project).await;
    let mut expected = record(&fixture, &store, numbered(0..30)).await;
    until(|| project.with(|seen| seen.inserted >= 5)).await;
    project.go_down().await;
    expected.extend(record(&fixture, &store, numbered(30..60)).await);
    let before = status(&runtime).failed;
    until(|| status(&runtime).failed >= before + 100).await;
    runtime.stop(SOON).await;
    store.close().await.unwrap();
    drop((runtime, store));

    let store = fixture.open();
    let runtime = start(&store, &project).await;
    expected.extend(record(&fixture, &store, numbered(60..90)).await);
    let before = status(&runtime).failed;
    until(|| status(&runtime).failed >= before + 100).await;
    // It is up again, but closes the first connections after storing their rows.
    project.with(|seen| seen.hang_ups_left = 10);
    let project = project.come_up();
    until_handled(&runtime, 90).await;
    runtime.stop(SOON).await;

    check_rows(&project, expected);
    project.with(|seen| assert!(seen.ignored >= 10, "{}", seen.ignored));
    assert!(letters(&store).await.is_empty());
}

#[tokio::test]
async fn a_project_that_refuses_everything_is_retried_and_the_registry_says_why() {
    let (fixture, project) = (StoreFixture::with_seed(3), Postgrest::start().await);
    let store = fixture.open();
    let runtime = start(&store, &project).await;
    let mut expected = Vec::new();
    let refusals = [
        (500, error("XX000"), "can't accept logs now (500, XX000)"),
        (503, Value::Null, "can't accept logs now (503, no code)"),
        (503, json!("long".repeat(100_000)), "can't accept logs now (503, no code)"),
        (429, error(KEY), "can't accept logs now (429, no code)"),
        (401, error("PGRST301"), "Supabase refuses the key (401, PGRST301)"),
        (404, error("PGRST205"), "there is no table logs in the Supabase project (404, PGRST205)"),
        (400, error("PGRST204"), "the table logs does not fit (400, PGRST204)"),
    ];
    for (n, (http_status, body, expected_error)) in refusals.into_iter().enumerate() {
        project.with(|seen| seen.response_to_all = Some((http_status, body)));
        expected.extend(record(&fixture, &store, numbered(n..n + 1)).await);
        let before = status(&runtime).failed;
        until(|| status(&runtime).failed >= before + 2 * u64::from(QUICK.attempts_max)).await;
        let last_error = status(&runtime).last_error.unwrap();
        assert!(last_error.contains(expected_error), "{last_error}");
        project.with(|seen| seen.response_to_all = None);
        until_handled(&runtime, n as u64 + 1).await;
    }
    runtime.stop(SOON).await;
    check_rows(&project, expected);
    assert!(letters(&store).await.is_empty());
    check_key_is_nowhere(&store, &runtime).await;
}

#[tokio::test]
async fn only_the_row_that_cannot_be_stored_becomes_a_dead_letter() {
    let (fixture, project) = (StoreFixture::with_seed(4), Postgrest::start().await);
    let store = fixture.open();
    project.with(|seen| seen.response_to_query = Some(("q-bad".into(), 400, error("23514"))));
    let runtime = start(&store, &project).await;
    let mut expected = record(&fixture, &store, numbered(0..10)).await;
    record(&fixture, &store, ["q-bad".to_owned()]).await;
    expected.extend(record(&fixture, &store, numbered(10..20)).await);
    until_handled(&runtime, 21).await;
    check_rows(&project, expected);
    let letters = letters(&store).await;
    assert_eq!(letters.len(), 1);
    assert_eq!((letters[0].error.as_str(), letters[0].attempts), ("Supabase can't store this log (400, 23514)", 1));
    runtime.stop(SOON).await;
    check_key_is_nowhere(&store, &runtime).await;
}

/// Fails if the project's key is in the log, the registry, an agent's status or a dead letter.
async fn check_key_is_nowhere(store: &Store, runtime: &Runtime) {
    let events = store.events(EventQuery { limit: 1000, ..Default::default() }).await.unwrap();
    let shown = [
        serde_json::to_string(&events).unwrap(),
        format!("{:?}", store.registry().await.unwrap()),
        format!("{:?}", runtime.statuses()),
        format!("{:?}", letters(store).await),
    ];
    assert!(shown[1].contains("last_error: Some("), "the registry has no error to check: {}", shown[1]);
    shown.iter().for_each(|text| assert!(!text.contains(KEY) && !text.contains("f0r-THIS"), "{text}"));
}

#[tokio::test]
async fn an_erased_log_is_skipped() {
    let (fixture, project) = (StoreFixture::with_seed(5), Postgrest::start().await);
    let store = fixture.open();
    let mut expected = record(&fixture, &store, numbered(0..3)).await;
    store.erase(vec![1], "asked for", "test").await.unwrap();
    expected.remove(1);
    let runtime = start(&store, &project).await;
    until_handled(&runtime, 3).await;
    check_rows(&project, expected);
    assert_eq!(status(&runtime).failed, 0);
    runtime.stop(SOON).await;
}

#[tokio::test]
async fn restarts_during_an_outage_after_a_crash_dead_letter_no_log() {
    let (fixture, mut project) = (StoreFixture::with_seed(6), Postgrest::start().await);
    project.go_down().await;
    let store = fixture.open();
    let expected = record(&fixture, &store, numbered(0..5)).await;
    let runtime = start(&store, &project).await;
    until(|| status(&runtime).failed > 5).await;
    crash(runtime, store).await;
    for _ in 0..=QUICK.attempts_max {
        let store = fixture.open();
        let runtime = start(&store, &project).await;
        let before = status(&runtime).failed;
        until(|| status(&runtime).failed > before + 5).await;
        runtime.stop(SOON).await;
        store.close().await.unwrap();
    }
    let project = project.come_up();
    let store = fixture.open();
    let runtime = start(&store, &project).await;
    until_idle(&runtime).await;
    runtime.stop(SOON).await;
    assert!(letters(&store).await.is_empty());
    check_rows(&project, expected);
}
