//! Failures: retries with increasing waits, dead letters, replays.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use countersign_agents::{AgentError, Dispatch, Runtime, RuntimeError};
use countersign_domain::DeadLetterState;
use countersign_store::{DeadLetter, DeadLetterQuery, Store};

use crate::fixture::{Echo, StoreFixture, echoes, start, status, until, until_handled};

const BOTH: [Dispatch; 2] = [Dispatch::Lanes { concurrency: 2 }, Dispatch::Batches { events_max: 8 }];

async fn letters(store: &Store) -> Vec<DeadLetter> {
    store.dead_letters(DeadLetterQuery { limit: 10, ..Default::default() }).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn transient_failures_are_retried_with_increasing_waits() {
    for dispatch in BOTH {
        let fixture = StoreFixture::with_seed(1);
        let store = fixture.open();
        let echo = Echo::new(dispatch, |_, attempt| {
            let outcome = if attempt < 3 { Err(AgentError::Transient("not now".into())) } else { Ok(()) };
            (Duration::ZERO, outcome)
        });
        let runtime = start(&store, &echo).await;
        fixture.ingest(&store, &["a"]).await;
        until_handled(&runtime, 1).await;
        assert_eq!(echoes(&store).await.len(), 1);
        let started: Vec<_> = echo.started.lock().unwrap().iter().map(|(_, at)| *at).collect();
        // A batch is tried once before its events are handled one at a time.
        let waits: Vec<_> = started.windows(2).map(|pair| pair[1] - pair[0]).filter(|wait| !wait.is_zero()).collect();
        assert!(waits[0] >= Duration::from_millis(800) && waits[0] <= Duration::from_millis(1200), "{waits:?}");
        if let Some(second) = waits.get(1) {
            assert!(*second >= Duration::from_millis(1600) && *second <= Duration::from_millis(2400), "{waits:?}");
        }
        runtime.stop(Duration::from_secs(8)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_outage_of_any_length_is_waited_out() {
    for dispatch in BOTH {
        let fixture = StoreFixture::with_seed(4);
        let store = fixture.open();
        let echo = Echo::new(dispatch, |_, attempt| {
            let outcome = match attempt {
                // Only transient failures count towards `attempts_max`. Outages don't.
                2 | 20 => Err(AgentError::Transient("not now".into())),
                1..40 => Err(AgentError::Outage("nobody there".into())),
                _ => Ok(()),
            };
            (Duration::ZERO, outcome)
        });
        let runtime = start(&store, &echo).await;
        fixture.ingest(&store, &["a"]).await;
        tokio::time::sleep(Duration::from_secs(40 * 72)).await;
        assert_eq!((status(&runtime).processed, echoes(&store).await.len()), (1, 1));
        assert!(letters(&store).await.is_empty());
        let started: Vec<_> = echo.started.lock().unwrap().iter().map(|(_, at)| *at).collect();
        assert!(
            started.windows(2).all(|pair| pair[1] - pair[0] <= Duration::from_secs(72)),
            "waits must not grow beyond their bound"
        );
        runtime.stop(Duration::from_secs(8)).await;
    }
}

async fn check_dead(
    dispatch: Dispatch,
    error: &'static str,
    fail: impl Fn() -> Result<(), AgentError> + Send + Sync + 'static,
) -> Runtime {
    let fixture = StoreFixture::with_seed(2);
    let store = fixture.open();
    let echo = Echo::new(dispatch, move |transaction, _| {
        let is_bad = transaction.user_id.as_str() == "bad";
        (Duration::ZERO, if is_bad { fail() } else { Ok(()) })
    });
    let runtime = start(&store, &echo).await;
    fixture.ingest(&store, &["a", "bad", "b"]).await;
    until_handled(&runtime, 3).await;
    assert_eq!(echoes(&store).await.len(), 2, "the agent continues with the next events");
    let letters = letters(&store).await;
    assert_eq!(letters.len(), 1);
    assert!(letters[0].error.contains(error), "{}", letters[0].error);
    assert_eq!((letters[0].agent.as_str(), letters[0].state), ("echo", DeadLetterState::Dead));
    assert_eq!(status(&runtime).dead_lettered, 1);
    runtime.stop(Duration::from_secs(8)).await;
    runtime
}

#[tokio::test(start_paused = true)]
async fn permanent_and_repeated_failures_become_dead_letters_with_their_error() {
    for dispatch in BOTH {
        check_dead(dispatch, "never", || Err(AgentError::Permanent("never".into()))).await;
        check_dead(dispatch, "still not", || Err(AgentError::Transient("still not".into()))).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_a_failure_like_any_other() {
    for dispatch in BOTH {
        check_dead(dispatch, "panicked: boom", || panic!("boom")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_dead_letter_is_replayed_once_or_fails_again() {
    for dispatch in BOTH {
        let fixture = StoreFixture::with_seed(3);
        let store = fixture.open();
        let fixed = Arc::new(AtomicBool::new(false));
        let is_fixed = Arc::clone(&fixed);
        let echo = Echo::new(dispatch, move |_, _| {
            let fixed = is_fixed.load(Ordering::Relaxed);
            (Duration::ZERO, if fixed { Ok(()) } else { Err(AgentError::Permanent("broken".into())) })
        });
        let runtime = start(&store, &echo).await;
        fixture.ingest(&store, &["a"]).await;
        until_handled(&runtime, 1).await;
        let id = letters(&store).await[0].id;

        runtime.replay(id, "ana").await.unwrap();
        until(|| status(&runtime).dead_lettered == 2).await;
        let letter = letters(&store).await.remove(0);
        assert_eq!(
            (letter.id, letter.state, letter.attempts),
            (id, DeadLetterState::Dead, 2),
            "the failed replay makes it a dead letter again"
        );

        fixed.store(true, Ordering::Relaxed);
        runtime.replay(id, "ana").await.unwrap();
        until(|| status(&runtime).processed == 1).await;
        assert_eq!(letters(&store).await[0].state, DeadLetterState::Replayed);
        assert_eq!(echoes(&store).await.len(), 1);
        assert!(
            matches!(runtime.replay(id, "ana").await, Err(RuntimeError::Store(_))),
            "it is not a dead letter any more"
        );
        runtime.stop(Duration::from_secs(8)).await;
    }
}
