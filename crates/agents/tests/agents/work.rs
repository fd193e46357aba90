//! Order, lanes and batches.

use std::{collections::HashSet, time::Duration};

use countersign_agents::Dispatch;

use crate::fixture::{Bench, Echo, echoes, start, status, until_handled};

#[tokio::test(start_paused = true)]
async fn events_with_one_key_are_handled_in_order_and_other_keys_do_not_wait() {
    let bench = Bench::new(1);
    let store = bench.open();
    // The slow user's first event takes a minute. The quick users' events follow it in the log.
    let echo = Echo::new(Dispatch::Lanes { concurrency: 4 }, |transaction, _| {
        let is_slow = transaction.user_id.as_str() == "slow";
        (Duration::from_secs(if is_slow { 60 } else { 1 }), Ok(()))
    });
    let runtime = start(&store, &echo).await;
    bench.ingest(&store, &["slow", "slow", "a", "b", "a", "c", "b"]).await;
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
    let bench = Bench::new(2);
    let store = bench.open();
    let echo = Echo::new(Dispatch::Lanes { concurrency: 3 }, |_, _| (Duration::from_secs(1), Ok(())));
    let runtime = start(&store, &echo).await;
    bench.ingest(&store, &["a", "b", "c", "d", "e", "f"]).await;
    until_handled(&runtime, 6).await;
    let begun: Vec<_> = echo.begun.lock().unwrap().iter().map(|(_, at)| *at).collect();
    let waves: Vec<_> = begun.iter().map(|at| (*at - begun[0]).as_secs()).collect();
    assert_eq!(waves, [0, 0, 0, 1, 1, 1]);
    runtime.stop(Duration::from_secs(8)).await;
}

#[tokio::test(start_paused = true)]
async fn events_of_a_batch_share_a_commit_and_leave_no_row_each() {
    let bench = Bench::new(3);
    let store = bench.open();
    bench.ingest(&store, &["a"; 100]).await;
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

#[tokio::test(start_paused = true)]
async fn the_window_bounds_the_events_that_are_read_and_unfinished() {
    let bench = Bench::new(4);
    let store = bench.open();
    bench.ingest(&store, &["a"; 200]).await;
    let echo = Echo::new(Dispatch::Lanes { concurrency: 2 }, |_, _| (Duration::from_secs(1), Ok(())));
    let runtime = start(&store, &echo).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let lag = status(&runtime).lag;
    assert!(lag >= 200, "{lag}");
    until_handled(&runtime, 200).await;
    assert_eq!(echoes(&store).await.len(), 200);
    runtime.stop(Duration::from_secs(8)).await;
}

/// Uses real threads, so that a commit can be read before the store announces it.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_read_early_is_not_handled_twice() {
    for dispatch in [Dispatch::Batches { events_max: 8 }, Dispatch::Lanes { concurrency: 4 }] {
        let bench = Bench::new(5);
        let store = bench.open_threaded();
        let echo = Echo::quick(dispatch);
        let runtime = start(&store, &echo).await;
        let senders: Vec<_> = (0..4)
            .map(|sender| {
                let events: Vec<_> =
                    (0..300).map(|n| bench.transaction(sender * 1_000 + n, &format!("user-{sender}"))).collect();
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
        assert_eq!(echo.begun.lock().unwrap().len(), 1_200, "each event is handled once");
        runtime.stop(Duration::from_secs(8)).await;
        store.close().await.unwrap();
    }
}
