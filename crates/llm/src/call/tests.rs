use super::*;
use crate::error::AttemptOutcome;
use std::cell::RefCell;

const CALLS: CallPolicy =
    CallPolicy { attempts_max: 3, attempt_timeout: Duration::from_secs(30), deadline: Duration::from_secs(60) };

fn record(number: u8, outcome: AttemptOutcome) -> Attempt {
    let (input_tokens, output_tokens) = (None, None);
    Attempt { number, outcome, status: None, input_tokens, output_tokens, cost_usd: None, latency_ms: 0 }
}

/// Runs attempts with these results, each of which takes a second. Checks when each starts, and returns the final result.
async fn check(calls: CallPolicy, results: &[Result<(), CallError>], expected_starts_ms: &[u128]) -> CallResult<()> {
    let target = Target::new("p", "m");
    let (began, starts) = (Instant::now(), RefCell::new(Vec::new()));
    let attempt = |number: u8| {
        starts.borrow_mut().push(began.elapsed().as_millis());
        let result = results[usize::from(number) - 1].clone();
        async move {
            sleep(Duration::from_secs(1)).await;
            match result {
                Ok(()) => AttemptResult::Done(()),
                Err(CallError::Status { retry_after, .. }) => AttemptResult::Retryable { value: (), retry_after },
                Err(error) => {
                    let attempt = record(number, error.outcome());
                    AttemptResult::Failed { error, attempt }
                }
            }
        }
    };
    let plan = CallPlan::new(Purpose::Worker, &target, &calls);
    let give_up = |()| record(0, AttemptOutcome::ServerError);
    let called = run(&plan, &RetryBudget::default(), &|| 0.5, attempt, give_up).await;
    assert_eq!(*starts.borrow(), expected_starts_ms);
    called
}

fn timeout() -> Result<(), CallError> {
    Err(CallError::Timeout { after_ms: 1 })
}

fn busy(retry_after_secs: Option<u64>) -> Result<(), CallError> {
    let retry_after = retry_after_secs.map(Duration::from_secs);
    Err(CallError::Status { status: 503, message: String::new(), retry_after })
}

fn open() -> Result<(), CallError> {
    Err(CallError::CircuitOpen { retry_after: Duration::from_secs(5) })
}

/// Another call is probing the model.
fn probed() -> Result<(), CallError> {
    Err(CallError::CircuitOpen { retry_after: PROBE_WAIT })
}

#[tokio::test(start_paused = true)]
async fn waits_are_one_two_and_four_seconds() {
    let called = check(CALLS, &[timeout(), timeout(), timeout()], &[0, 2_000, 5_000]).await;
    assert_eq!((called.attempts.len(), called.result.is_err()), (3, true));
    let four = CallPolicy { attempts_max: 4, ..CALLS };
    let called = check(four, &[timeout(), timeout(), timeout(), Ok(())], &[0, 2_000, 5_000, 10_000]).await;
    assert_eq!((called.attempts.len(), called.result.is_ok()), (3, true));
}

#[tokio::test(start_paused = true)]
async fn the_longer_of_backoff_and_requested_wait_is_used() {
    check(CALLS, &[busy(Some(7)), busy(Some(0)), Ok(())], &[0, 8_000, 11_000]).await;
}

#[tokio::test(start_paused = true)]
async fn a_transient_error_response_is_returned_if_there_is_no_retry() {
    let called = check(CALLS, &[busy(None), busy(None), busy(None)], &[0, 2_000, 5_000]).await;
    assert_eq!((called.attempts.len(), called.result.is_ok()), (2, true));
    let called = check(CALLS, &[busy(Some(60))], &[0]).await;
    assert_eq!((called.attempts.len(), called.result.is_ok()), (0, true));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_would_pass_the_deadline_is_not_begun() {
    let calls = CallPolicy { deadline: Duration::from_millis(2_000), ..CALLS };
    assert_eq!(check(calls, &[timeout()], &[0]).await.result.unwrap_err(), CallError::Timeout { after_ms: 1 });
}

#[tokio::test(start_paused = true)]
async fn an_open_circuit_fails_fast_at_first_and_is_waited_out_between_retries() {
    assert_eq!(check(CALLS, &[open()], &[0]).await.attempts.len(), 1);
    let called = check(CALLS, &[timeout(), open(), Ok(())], &[0, 2_000, 5_000]).await;
    assert_eq!((called.attempts.len(), called.result.is_ok()), (2, true));
}

#[tokio::test(start_paused = true)]
async fn a_first_attempt_waits_for_the_end_of_another_calls_probe() {
    let called = check(CALLS, &[probed(), Ok(())], &[0, 2_000]).await;
    assert_eq!((called.attempts.len(), called.result.is_ok()), (1, true));
    let called = check(CALLS, &[probed(), probed(), probed()], &[0, 2_000, 5_000]).await;
    assert_eq!((called.attempts.len(), called.result.is_err()), (3, true));
}

#[tokio::test(start_paused = true)]
async fn a_permanent_error_ends_the_call() {
    for error in [CallError::Empty, CallError::Deadline, CallError::TooLarge { bytes_max: 1 }] {
        assert_eq!(check(CALLS, &[Err(error.clone())], &[0]).await.result.unwrap_err(), error);
    }
}
