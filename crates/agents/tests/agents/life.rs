//! Starting, pausing, heartbeats and stopping.

use std::time::Duration;

use countersign_agents::{Dispatch, RuntimeError};
use countersign_domain::{AgentState, EventType, payload::ReportSkipped};
use countersign_store::{EventQuery, RegistryEntry, Store};

use crate::fixture::{Echo, StoreFixture, echoes, start, status, until, until_handled, until_idle};

async fn events_of(store: &Store, event_type: EventType) -> usize {
    let query = EventQuery { types: vec![event_type], limit: 100, ..Default::default() };
    store.events(query).await.unwrap().len()
}

#[tokio::test(start_paused = true)]
async fn a_paused_agent_handles_no_new_events_until_resumed_even_across_a_restart() {
    for dispatch in [Dispatch::Lanes { concurrency: 2 }, Dispatch::Batches { events_max: 8 }] {
        let fixture = StoreFixture::with_seed(1);
        let store = fixture.open();
        let echo = Echo::quick(dispatch);
        let runtime = start(&store, &echo).await;
        assert!(runtime.pause("echo").await.unwrap().paused);
        assert!(matches!(runtime.pause("nobody").await, Err(RuntimeError::UnknownAgent)));
        fixture.ingest(&store, &["a", "b"]).await;
        tokio::time::sleep(Duration::from_secs(120)).await;
        assert!(echoes(&store).await.is_empty());
        assert!(status(&runtime).lag >= 2);
        runtime.stop(Duration::from_secs(8)).await;

        let runtime = start(&store, &echo).await;
        assert!(status(&runtime).paused);
        tokio::time::sleep(Duration::from_secs(120)).await;
        assert!(echoes(&store).await.is_empty());
        runtime.resume("echo").await.unwrap();
        until_handled(&runtime, 2).await;
        assert_eq!(echoes(&store).await.len(), 2);
        runtime.stop(Duration::from_secs(8)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn events_of_other_types_are_not_lag_and_are_skipped_at_the_next_heartbeat() {
    for dispatch in [Dispatch::Lanes { concurrency: 2 }, Dispatch::Batches { events_max: 8 }] {
        let fixture = StoreFixture::with_seed(3);
        let store = fixture.open();
        let runtime = start(&store, &Echo::quick(dispatch)).await;
        until_idle(&runtime).await;
        let other = |reason| ReportSkipped {
            fraud_detection_id: None,
            report_type: None,
            reason,
            skipped_at: store.seams().now(),
        };
        store.append((0..50).map(|_| fixture.event(other)).collect()).await.unwrap();
        assert_eq!(status(&runtime).lag, 0);
        assert!(store.progress("echo").await.unwrap().0 < store.size().await.unwrap());
        tokio::time::sleep(Duration::from_secs(31)).await;
        assert_eq!(store.progress("echo").await.unwrap().0, store.size().await.unwrap());
        // An event that the agent subscribes to is handled even between others.
        store.append(vec![fixture.event(other), fixture.transaction(1, "a"), fixture.event(other)]).await.unwrap();
        until_handled(&runtime, 1).await;
        runtime.stop(Duration::from_secs(8)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_registry_is_written_with_heartbeats_and_not_at_every_change() {
    let fixture = StoreFixture::with_seed(2);
    let store = fixture.open();
    let echo = Echo::quick(Dispatch::Lanes { concurrency: 2 });
    let runtime = start(&store, &echo).await;
    until(|| status(&runtime).state == AgentState::Idle).await;
    let at_start = store.registry().await.unwrap().remove(0);
    fixture.ingest(&store, &["a", "b"]).await;
    until_handled(&runtime, 2).await;
    // Counts are written in the step's commit, so that a crash loses no count. All other fields are written with heartbeats.
    let between = store.registry().await.unwrap().remove(0);
    assert_eq!(between.processed, 2);
    assert_eq!(
        RegistryEntry { processed: at_start.processed, ..between },
        at_start,
        "only counts are written between heartbeats"
    );
    tokio::time::sleep(Duration::from_secs(31)).await;
    let later = store.registry().await.unwrap().remove(0);
    assert_eq!(later.processed, 2);
    assert_eq!(later.heartbeat_at.micros() - at_start.heartbeat_at.micros(), 30_000_000);
    runtime.stop(Duration::from_secs(8)).await;
}

#[tokio::test(start_paused = true)]
async fn the_state_shows_whether_the_agent_is_working() {
    let fixture = StoreFixture::with_seed(3);
    let store = fixture.open();
    let echo = Echo::new(Dispatch::Lanes { concurrency: 1 }, |_, _| (Duration::from_secs(10), Ok(())));
    let runtime = start(&store, &echo).await;
    assert_eq!(status(&runtime).state, AgentState::Init);
    until(|| status(&runtime).state == AgentState::Idle).await;
    fixture.ingest(&store, &["a"]).await;
    until(|| status(&runtime).state == AgentState::Analyze).await;
    assert_eq!(status(&runtime).in_flight, 1);
    until(|| status(&runtime).state == AgentState::Idle).await;
    assert_eq!(status(&runtime).processed, 1);
    runtime.stop(Duration::from_secs(8)).await;
}

#[tokio::test(start_paused = true)]
async fn stopping_finishes_running_events_and_leaves_the_rest() {
    let fixture = StoreFixture::with_seed(4);
    let store = fixture.open();
    let echo = Echo::new(Dispatch::Lanes { concurrency: 1 }, |_, _| (Duration::from_secs(5), Ok(())));
    let runtime = start(&store, &echo).await;
    fixture.ingest(&store, &["a", "b", "c"]).await;
    until(|| status(&runtime).in_flight == 1).await;
    runtime.stop(Duration::from_secs(8)).await;
    assert_eq!(echoes(&store).await.len(), 1);
    assert_eq!(
        (events_of(&store, EventType::AgentStarted).await, events_of(&store, EventType::AgentStopped).await),
        (1, 1)
    );

    let runtime = start(&store, &echo).await;
    until_handled(&runtime, 3).await;
    assert_eq!(echoes(&store).await.len(), 3, "each event is handled exactly once across the restart");
    runtime.stop(Duration::from_secs(8)).await;
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_hangs_does_not_hold_up_the_stop() {
    let fixture = StoreFixture::with_seed(5);
    let store = fixture.open();
    let echo = Echo::new(Dispatch::Lanes { concurrency: 1 }, |_, _| (Duration::from_secs(1_000_000), Ok(())));
    let runtime = start(&store, &echo).await;
    fixture.ingest(&store, &["a"]).await;
    until(|| status(&runtime).in_flight == 1).await;
    let before = tokio::time::Instant::now();
    runtime.stop(Duration::from_secs(8)).await;
    assert_eq!(before.elapsed().as_secs(), 8);
    assert!(echoes(&store).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn minutes_are_recorded_even_if_nobody_asks_for_the_status() {
    let fixture = StoreFixture::with_seed(9);
    let store = fixture.open();
    let echo = Echo::quick(Dispatch::Lanes { concurrency: 2 });
    let runtime = start(&store, &echo).await;
    fixture.ingest(&store, &["a", "b"]).await;
    tokio::time::sleep(Duration::from_secs(180)).await;
    fixture.ingest(&store, &["c"]).await;
    tokio::time::sleep(Duration::from_secs(31)).await;
    let now = status(&runtime);
    let processed: Vec<u64> = now.history.iter().map(|minute| minute.processed).collect();
    assert_eq!(processed.len(), 4);
    assert_eq!((processed[0], processed[3], processed.iter().sum::<u64>()), (now.processed - 1, 1, now.processed));
    let first = now.history[0].at;
    assert!((0..).zip(&now.history).all(|(n, minute)| minute.at.micros() - first.micros() == n * 60_000_000));
    assert!(now.history.iter().all(|minute| minute.lag == 0 && minute.failed == 0));
    assert!(now.rate_per_minute > 0.0);
    runtime.stop(Duration::from_secs(8)).await;
}
