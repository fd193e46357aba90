//! The order of events, concurrency, the window of unfinished events, and batches.

use std::{collections::HashSet, sync::atomic::Ordering, time::Duration};

use countersign_agents::{AgentError, Dispatch};
use countersign_domain::payload::AgentStopped;

use crate::fixture::{Echo, SETTINGS, StoreFixture, echoes, start, status, until, until_handled, until_idle};

#[tokio::test(start_paused = true)]
async fn events_with_one_key_are_handled_in_order_and_other_keys_do_not_wait() {
    let fixture = StoreFixture::with_seed(1);
    let store = fixture.open();
    // The slow user's first event takes a minute. The quick users' events follow it in the log.
    let echo = Echo::new(Dispatch::Lanes { concurrency: 4 }, |transaction, _| {
        let is_slow = transaction.user_id.as_str() == "slow";
        (Duration::from_secs(if is_slow { 60 } else { 1 }), Ok(()))
    });
    let runtime = start(&store, &echo).await;
    fixture.ingest(&store, &["slow", "slow", "a", "b", "a", "c", "b"]).await;
    until_handled(&runtime, 7).await;
    let echoed = echoes(&store).await;
    let position = |n: usize| echoed.iter().position(|id| id.ends_with(&format!("{n}"))).unwrap();
    assert!(position(0) < position(1) && position(2) < position(4) && position(3) < position(6), "{echoed:?}");
    assert!(position(6) < position(0), "quick users waited for the slow one: {echoed:?}");
    assert_eq!(echoed.iter().collect::<HashSet<_>>().len(), 7);
    runtime.stop(Duration::from_secs(8)).await;
}

#[tokio::test(start_paused = true)]
async fn concurrency_never_exceeds_the_configured_number() {
    let fixture = StoreFixture::with_seed(2);
    let store = fixture.open();
    let echo = Echo::new(Dispatch::Lanes { concurrency: 3 }, |_, _| (Duration::from_secs(1), Ok(())));
    let runtime = start(&store, &echo).await;
    fixture.ingest(&store, &["a", "b", "c", "d", "e", "f"]).await;
    until_handled(&runtime, 6).await;
    let started: Vec<_> = echo.started.lock().unwrap().iter().map(|(_, at)| *at).collect();
    let waves: Vec<_> = started.iter().map(|at| (*at - started[0]).as_secs()).collect();
    assert_eq!(waves, [0, 0, 0, 1, 1, 1]);
    runtime.stop(Duration::from_secs(8)).await;
}

#[tokio::test(start_paused = true)]
async fn batches_keep_the_order_of_the_log_and_leave_no_rows_of_finished_events() {
    let fixture = StoreFixture::with_seed(3);
    let store = fixture.open();
    fixture.ingest(&store, &["a"; 100]).await;
    let echo = Echo::quick(Dispatch::Batches { events_max: 64 });
    let runtime = start(&store, &echo).await;
    until_handled(&runtime, 100).await;
    let echoed = echoes(&store).await;
    let expected: Vec<_> = (0..100).map(|n| format!("tx-{n}")).collect();
    assert_eq!(echoed, expected);
    let (low, done) = store.progress("echo").await.unwrap();
    assert!(low >= 100 && done.is_empty());
    runtime.stop(Duration::from_secs(8)).await;
}

/// `mark_low` may report a failure although its commit was made. Then the stored mark is higher than the agent believes. The test
/// moves the mark without the agent's knowledge.
#[tokio::test(start_paused = true)]
async fn a_batch_is_handled_although_the_stored_mark_is_higher_than_the_agent_knows() {
    // In the second round each event fails once, so it is handled alone.
    for failures in [0, 1] {
        let fixture = StoreFixture::with_seed(6);
        let store = fixture.open();
        let echo = Echo::new(Dispatch::Batches { events_max: 8 }, move |_, attempt| {
            let outcome = if attempt > failures { Ok(()) } else { Err(AgentError::Transient("not yet".into())) };
            (Duration::ZERO, outcome)
        });
        let runtime = start(&store, &echo).await;
        until_idle(&runtime).await;
        let stopped = |agent| AgentStopped { agent, reason: "test".into(), stopped_at: store.seams().now() };
        store.append(vec![fixture.event(stopped)]).await.unwrap();
        store.mark_low("echo", store.size().await.unwrap()).await.unwrap();
        fixture.ingest(&store, &["a", "b"]).await;
        until_handled(&runtime, 2).await;
        assert_eq!(echoes(&store).await.len(), 2);
        runtime.stop(Duration::from_secs(8)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_events_are_read_than_fit_into_the_window() {
    let fixture = StoreFixture::with_seed(4);
    let store = fixture.open();
    fixture.ingest(&store, &["a"; 200]).await;
    let echo = Echo::new(Dispatch::Lanes { concurrency: 2 }, |_, _| (Duration::from_secs(1), Ok(())));
    let runtime = start(&store, &echo).await;
    until(|| !echo.started.lock().unwrap().is_empty()).await;
    assert_eq!(echo.put_into_lanes.load(Ordering::Relaxed), SETTINGS.window_events_max);
    let lag = status(&runtime).lag;
    assert!(lag >= 200, "unread events count as lag: {lag}");
    until_handled(&runtime, 200).await;
    assert_eq!(echoes(&store).await.len(), 200);
    runtime.stop(Duration::from_secs(8)).await;
}

/// Uses real threads, so that the agent may read a commit before the store announces it.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_may_be_read_before_it_is_announced_is_handled_once() {
    for dispatch in [Dispatch::Batches { events_max: 8 }, Dispatch::Lanes { concurrency: 4 }] {
        let fixture = StoreFixture::with_seed(5);
        let store = fixture.open_threaded();
        let echo = Echo::quick(dispatch);
        let runtime = start(&store, &echo).await;
        let senders: Vec<_> = (0..4)
            .map(|sender| {
                let events: Vec<_> =
                    (0..300).map(|n| fixture.transaction(sender * 1_000 + n, &format!("user-{sender}"))).collect();
                let store = store.clone();
                tokio::spawn(async move {
                    for event in events {
                        store.ingest(vec![event]).await.unwrap();
                    }
                })
            })
            .collect();
        for sender in senders {
            sender.await.unwrap();
        }
        until_handled(&runtime, 1_200).await;
        let echoed = echoes(&store).await;
        assert_eq!((echoed.len(), echoed.iter().collect::<HashSet<_>>().len()), (1_200, 1_200));
        assert_eq!(echo.started.lock().unwrap().len(), 1_200, "each event is handled once");
        runtime.stop(Duration::from_secs(8)).await;
        store.close().await.unwrap();
    }
}
