use super::*;
use proptest::prelude::*;
use std::time::UNIX_EPOCH;

const LONG: Duration = Duration::from_secs(1_000_000);

fn failed(number: u8) -> FailedAttempt {
    FailedAttempt { number, is_transient: true, retry_after: None }
}

fn wait_secs(next: Next) -> f64 {
    match next {
        Next::Wait(wait) => wait.as_secs_f64(),
        Next::Stop => panic!("stopped"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    // Feature: agent-audit, Property 15: Retry with exponential backoff
    #[test]
    fn for_any_failures_the_waits_are_one_two_and_four_seconds_give_or_take_a_fifth(
        attempts_max in 1_u8..=4,
        failures in prop::collection::vec((any::<bool>(), 0.0_f64..1.0), 1..12),
    ) {
        let mut made = 0_u8;
        for (is_transient, jitter) in failures {
            made += 1;
            let attempt = FailedAttempt { number: made, is_transient, retry_after: None };
            let next = next(attempt, attempts_max, LONG, jitter, || true);
            if !is_transient || made == attempts_max {
                prop_assert_eq!(next, Next::Stop);
                break;
            }
            let (wait, nominal) = (wait_secs(next), f64::from(1 << (made - 1)));
            prop_assert!((nominal * 0.8 - 1e-9..=nominal * 1.2 + 1e-9).contains(&wait), "{wait} after attempt {made}");
        }
        prop_assert!(made <= attempts_max);
    }

    #[test]
    fn the_longer_of_backoff_and_requested_wait_is_used_unless_it_passes_the_deadline(
        asked_ms in 0_u64..20_000, remaining_ms in 0_u64..20_000, jitter in 0.0_f64..1.0,
    ) {
        let (asked, remaining) = (Duration::from_millis(asked_ms), Duration::from_millis(remaining_ms));
        let wait = backoff(1, jitter).max(asked);
        let expected = if wait < remaining { Next::Wait(wait) } else { Next::Stop };
        let found = next(FailedAttempt { retry_after: Some(asked), ..failed(1) }, 3, remaining, jitter, || true);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn the_shared_budget_limits_only_attempts_beyond_the_third() {
    assert_ne!(next(failed(1), 4, LONG, 0.5, || panic!("the budget must not be asked")), Next::Stop);
    assert_ne!(next(failed(2), 4, LONG, 0.5, || panic!("the budget must not be asked")), Next::Stop);
    assert_eq!(next(failed(3), 4, LONG, 0.5, || false), Next::Stop);
    assert_eq!(next(failed(3), 4, LONG, 0.5, || true), Next::Wait(Duration::from_secs(4)));
}

#[test]
fn the_budget_has_room_until_all_retries_reach_a_fifth_of_the_calls_plus_ten() {
    let (budget, now) = (RetryBudget::default(), Instant::now());
    for _ in 0..100 {
        budget.count_call(now);
    }
    for _ in 0..30 {
        assert!(budget.has_room(now));
        budget.count_retry(now);
    }
    assert!(!budget.has_room(now));
    assert!(budget.has_room(now + Duration::from_secs(10)));
}

#[test]
fn the_requested_wait_is_read_from_headers_and_from_geminis_body() {
    // 30 s before Sun, 06 Nov 1994 08:49:37 GMT.
    let now = UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
    let check = |name: &'static str, value: &str, body: &str, expected_ms: Option<u64>| {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        let found = requested_wait(&headers, body.as_bytes(), now);
        assert_eq!(found, expected_ms.map(Duration::from_millis), "{name}: {value}");
    };
    check("retry-after", "7", "", Some(7_000));
    check("retry-after", "0.5", "", Some(500));
    check("retry-after-ms", "250", "", Some(250));
    check("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT", "", Some(30_000));
    check("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT", "", Some(0));
    check("retry-after", "Sunday, 06-Nov-94 08:49:37 GMT", "", Some(30_000));
    for nonsense in ["-1", "NaN", "inf", "1e300", "soon", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 GMT"] {
        check("retry-after", nonsense, "", None);
    }
    let info = r#"{"error":{"code":429,"details":[{"@type":"x"},{"@type":"RetryInfo","retryDelay":"34.4s"}]}}"#;
    check("x-other", "1", info, Some(34_400));
    check("x-other", "1", &format!("[{info}]"), Some(34_400));
    check("x-other", "1", r#"{"error":{"message":"no details"}}"#, None);
}
