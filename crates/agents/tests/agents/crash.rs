//! Crashes: the runtime is aborted at any moment and the store dropped without closing. Each effect happens once.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use countersign_agents::{AgentError, Dispatch, RuntimeSettings};
use countersign_domain::DeadLetterState;
use countersign_store::DeadLetterQuery;
use proptest::prelude::*;

use crate::fixture::{
    Echo, SETTINGS, StoreFixture, crash, echoes, start, start_with, status, until, until_handled, until_idle,
};

/// Allows more attempts than there are crashes, so that an event that is in progress at each crash is not dead-lettered.
const PATIENT: RuntimeSettings = RuntimeSettings { attempts_max: 100, ..SETTINGS };
const USERS: [&str; 4] = ["a", "b", "c", "d"];

/// Crashes after each of these spans of virtual time, then lets the work finish.
async fn check_each_effect_happens_once(seed: u8, dispatch: Dispatch, crash_after_ms: Vec<u64>) {
    let fixture = StoreFixture::with_seed(seed);
    let total = 10 * crash_after_ms.len().max(1);
    for (round, crash_after_ms) in crash_after_ms.iter().enumerate() {
        let store = fixture.open();
        let echo = Echo::new(dispatch, |transaction, _| {
            let is_odd = transaction.transaction_id.as_str().len() % 2 == 1;
            (Duration::from_millis(if is_odd { 7 } else { 3 }), Ok(()))
        });
        let runtime = start_with(&store, &echo, PATIENT).await;
        let events = (0..10).map(|n| fixture.transaction(round * 10 + n, USERS[n % 4])).collect();
        store.ingest(events).await.unwrap();
        tokio::time::sleep(Duration::from_millis(*crash_after_ms)).await;
        crash(runtime, store).await;
    }
    let store = fixture.open();
    let runtime = start_with(&store, &Echo::quick(dispatch), PATIENT).await;
    until_idle(&runtime).await;
    assert_eq!(status(&runtime).processed, total as u64, "each event is counted once");
    runtime.stop(Duration::from_secs(8)).await;
    let echoed = echoes(&store).await;
    assert_eq!(echoed.len(), total, "{echoed:?}");
    assert_eq!(echoed.iter().collect::<HashSet<_>>().len(), total);
    for user in 0..4 {
        let of_user = |id: &&String| id[3..].parse::<usize>().unwrap() % 10 % 4 == user;
        let order: Vec<usize> = echoed.iter().filter(of_user).map(|id| id[3..].parse().unwrap()).collect();
        assert!(order.is_sorted(), "{order:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whenever_it_crashes_each_effect_happens_once_and_in_order(
        seed in any::<u8>(), batches in any::<bool>(), crashes in prop::collection::vec(0_u64..40, 1..5),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let dispatch = if batches { Dispatch::Batches { events_max: 4 } } else { Dispatch::Lanes { concurrency: 3 } };
        runtime.block_on(check_each_effect_happens_once(seed, dispatch, crashes));
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_that_repeatedly_ends_the_process_becomes_a_dead_letter() {
    for dispatch in [Dispatch::Lanes { concurrency: 2 }, Dispatch::Batches { events_max: 8 }] {
        let fixture = StoreFixture::with_seed(9);
        let store = fixture.open();
        fixture.ingest(&store, &["killer", "a"]).await;
        drop(store);
        for _ in 0..4 {
            let store = fixture.open();
            // Never returns, as if the process had died.
            let echo = Echo::new(dispatch, |transaction, _| {
                let hangs = transaction.user_id.as_str() == "killer";
                (Duration::from_secs(if hangs { 1_000_000 } else { 0 }), Ok(()))
            });
            let runtime = start(&store, &echo).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
            crash(runtime, store).await;
        }
        let store = fixture.open();
        let runtime = start(&store, &Echo::quick(dispatch)).await;
        until_idle(&runtime).await;
        let letters = store.dead_letters(DeadLetterQuery { limit: 10, ..Default::default() }).await.unwrap();
        assert_eq!(letters.len(), 1, "{letters:?}");
        assert!(letters[0].error.contains("the process ended 3 times"), "{}", letters[0].error);
        assert_eq!(echoes(&store).await, ["tx-1"]);
        assert_eq!((status(&runtime).processed, status(&runtime).dead_lettered), (1, 1));
        runtime.stop(Duration::from_secs(8)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_before_a_crash_does_not_lose_the_event() {
    let fixture = StoreFixture::with_seed(8);
    let store = fixture.open();
    let failing =
        Echo::new(Dispatch::Lanes { concurrency: 1 }, |_, _| (Duration::ZERO, Err(AgentError::Transient("no".into()))));
    let runtime = start(&store, &failing).await;
    fixture.ingest(&store, &["a"]).await;
    until(|| status(&runtime).failed == 1).await;
    crash(runtime, store).await;
    let store = fixture.open();
    let runtime = start(&store, &Echo::quick(Dispatch::Lanes { concurrency: 1 })).await;
    until_handled(&runtime, 1).await;
    assert_eq!(echoes(&store).await.len(), 1);
    runtime.stop(Duration::from_secs(8)).await;
}

#[tokio::test(start_paused = true)]
async fn a_replay_that_ends_the_process_is_not_retried_automatically() {
    for dispatch in [Dispatch::Lanes { concurrency: 2 }, Dispatch::Batches { events_max: 8 }] {
        let fixture = StoreFixture::with_seed(7);
        let store = fixture.open();
        // The first attempt fails permanently; the replay never returns.
        let replayed = Arc::new(AtomicBool::new(false));
        let is_replayed = Arc::clone(&replayed);
        let echo = Echo::new(dispatch, move |_, _| match is_replayed.load(Ordering::Relaxed) {
            false => (Duration::ZERO, Err(AgentError::Permanent("no".into()))),
            true => (Duration::from_secs(1_000_000), Ok(())),
        });
        let runtime = start(&store, &echo).await;
        fixture.ingest(&store, &["a"]).await;
        until_handled(&runtime, 1).await;
        let query = || DeadLetterQuery { limit: 10, ..Default::default() };
        let id = store.dead_letters(query()).await.unwrap()[0].id;
        replayed.store(true, Ordering::Relaxed);
        runtime.replay(id, "ana").await.unwrap();
        until(|| status(&runtime).in_flight == 1).await;
        crash(runtime, store).await;

        let store = fixture.open();
        let runtime = start(&store, &echo).await;
        until_idle(&runtime).await;
        assert_eq!(store.dead_letters(query()).await.unwrap()[0].state, DeadLetterState::Dead);
        assert_eq!(status(&runtime).in_flight, 0);
        runtime.stop(Duration::from_secs(8)).await;
    }
}
