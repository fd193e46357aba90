//! The outcome of each kind of failure, and which failures are retried.

use crate::{KEY, NATIVE, ONCE, THRICE, build, fake, models, settings, target};
use bytes::Bytes;
use countersign_fake_provider::{Behaviour, Fake};
use countersign_llm::{Attempt, AttemptOutcome, CallError, CallPolicy, CallResult, Models, Prompt, Purpose, Reply};
use std::time::Duration;

async fn ask(models: &Models, provider: &str, calls: &CallPolicy) -> CallResult<Reply> {
    models.chat(Purpose::Worker, &target(provider), &Prompt::user("Why?"), calls).await
}

fn outcomes(attempts: &[Attempt]) -> Vec<(u8, AttemptOutcome)> {
    attempts.iter().map(|attempt| (attempt.number, attempt.outcome)).collect()
}

/// Up to three attempts are allowed, so a single received call shows that the failure was not retried.
async fn check_final(provider: &str, behaviour: Behaviour, outcome: AttemptOutcome) -> CallError {
    let fake = fake([behaviour.clone()]).await;
    let called = ask(&models(&fake), provider, &THRICE).await;
    assert_eq!(outcomes(&called.attempts), [(1, outcome)], "{provider} {behaviour:?}");
    assert_eq!(fake.count(), 1);
    called.result.unwrap_err()
}

#[tokio::test]
async fn permanent_failures_have_distinct_outcomes_and_are_not_retried() {
    for provider in NATIVE {
        let error = check_final(provider, Behaviour::Safety, AttemptOutcome::Safety).await;
        assert!(matches!(error, CallError::Safety { .. }), "{error}");
        for empty in [Behaviour::Empty, Behaviour::EmptyText, Behaviour::EmptyParts] {
            assert_eq!(check_final(provider, empty, AttemptOutcome::Empty).await, CallError::Empty);
        }
        let error = check_final(provider, Behaviour::MalformedJson, AttemptOutcome::Malformed).await;
        assert!(matches!(error, CallError::Malformed(_)), "{error}");
        for (status, outcome) in [
            (400, AttemptOutcome::ClientError),
            (401, AttemptOutcome::Refused),
            (403, AttemptOutcome::Refused),
            (404, AttemptOutcome::ClientError),
        ] {
            let error = check_final(provider, Behaviour::Status(status), outcome).await;
            assert!(matches!(error, CallError::Status { status: found, .. } if found == status), "{error}");
            assert!(!error.is_transient());
        }
    }
}

#[tokio::test]
async fn gemini_blocks_and_recitations_are_withheld_answers() {
    check_final("gemini", Behaviour::Blocked, AttemptOutcome::Safety).await;
    let error = check_final("gemini", Behaviour::Recitation, AttemptOutcome::Safety).await;
    assert_eq!(error, CallError::Safety { reason: "RECITATION".into() });
}

async fn check_transient(behaviour: Behaviour, outcome: AttemptOutcome) {
    let fake = fake([behaviour.clone()]).await;
    let calls = CallPolicy { attempts_max: 2, attempt_timeout: Duration::from_millis(300), ..ONCE };
    let called = ask(&models(&fake), "groq", &calls).await;
    assert_eq!(outcomes(&called.attempts), [(1, outcome), (2, AttemptOutcome::Ok)], "{behaviour:?}");
    assert!(called.result.is_ok());
}

#[tokio::test]
async fn transient_failures_are_retried() {
    tokio::join!(
        check_transient(Behaviour::Hang, AttemptOutcome::Timeout),
        check_transient(Behaviour::Reset, AttemptOutcome::Connection),
        check_transient(Behaviour::Truncated, AttemptOutcome::Connection),
        check_transient(Behaviour::Status(408), AttemptOutcome::Timeout),
        check_transient(Behaviour::Status(429), AttemptOutcome::RateLimited),
        check_transient(Behaviour::Status(500), AttemptOutcome::ServerError),
        check_transient(Behaviour::Status(503), AttemptOutcome::ServerError),
        check_transient(Behaviour::Status(529), AttemptOutcome::ServerError),
    );
}

#[tokio::test]
async fn there_are_at_most_three_attempts() {
    let fake = Fake::start_with(|_| Behaviour::Status(503)).await;
    let called = ask(&models(&fake), "anthropic", &THRICE).await;
    let failed = AttemptOutcome::ServerError;
    assert_eq!(outcomes(&called.attempts), [(1, failed), (2, failed), (3, failed)]);
    assert_eq!(fake.count(), 3);
    assert!(called.result.unwrap_err().is_transient());
}

#[tokio::test]
async fn a_call_is_not_retried_if_the_wait_would_pass_the_deadline() {
    for provider in NATIVE {
        let fake = fake([Behaviour::StatusRetryAfter(429, 34.5)]).await;
        let called = ask(&models(&fake), provider, &THRICE).await;
        assert_eq!(outcomes(&called.attempts), [(1, AttemptOutcome::RateLimited)], "{provider}");
        let wait = called.result.unwrap_err().retry_after().expect(provider);
        // The header only has whole seconds.
        assert!((34..=35).contains(&wait.as_secs()), "{provider} {wait:?}");
    }
}

#[tokio::test]
async fn the_deadline_cuts_an_attempt_short() {
    let fake = fake([Behaviour::Hang]).await;
    let calls = CallPolicy { deadline: Duration::from_millis(200), ..THRICE };
    let called = ask(&models(&fake), "groq", &calls).await;
    assert_eq!(called.result.unwrap_err(), CallError::Deadline);
    assert_eq!(outcomes(&called.attempts), [(1, AttemptOutcome::Timeout)]);
}

#[tokio::test]
async fn an_unreachable_server_is_a_connection_failure() {
    let fake = fake([]).await;
    let models = models(&fake);
    fake.stop().await;
    let called = ask(&models, "gemini", &ONCE).await;
    assert!(matches!(called.result.unwrap_err(), CallError::Connection(_)));
    assert_eq!(outcomes(&called.attempts), [(1, AttemptOutcome::Connection)]);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_at_once_and_its_connection_closed() {
    let fake = fake([Behaviour::HugeBody(8 << 20)]).await;
    let mut settings = settings(&fake);
    settings.answer_bytes_max = 100_000;
    let called = ask(&build(settings), "groq", &THRICE).await;
    assert_eq!(called.result.unwrap_err(), CallError::TooLarge { bytes_max: 100_000 });
    assert_eq!(outcomes(&called.attempts), [(1, AttemptOutcome::TooLarge)]);
    assert!(fake.wait_for(|fake| fake.cancelled() == 1).await);
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_read() {
    let whole = r#"{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}]}"#;
    for (bytes_max, is_fine) in [(whole.len(), true), (whole.len() - 1, false)] {
        let fake = fake([Behaviour::Json(serde_json::from_str(whole).unwrap())]).await;
        let mut settings = settings(&fake);
        settings.answer_bytes_max = bytes_max;
        assert_eq!(ask(&build(settings), "groq", &ONCE).await.result.is_ok(), is_fine);
    }
}

#[tokio::test]
async fn a_providers_error_message_is_shortened_and_keys_in_it_are_masked() {
    let message = format!("Invalid key {KEY}, or sk-abc***9xyz.\r\n\u{7}{}", "x".repeat(5_000));
    let body = serde_json::json!({"error": {"message": message}}).to_string();
    let raw =
        Behaviour::Raw { status: 400, content_type: "application/json".into(), body: body.into(), headers: vec![] };
    let CallError::Status { status: 400, message, .. } = check_final("groq", raw, AttemptOutcome::ClientError).await
    else {
        panic!("no status");
    };
    assert!(message.starts_with("Invalid key [key], or [key]. x"), "{message}");
    assert_eq!(message.chars().count(), 500);
}

#[tokio::test]
async fn an_error_page_that_is_not_json_still_has_a_message() {
    let body = Bytes::from_static(b"<html>bad gateway\xff</html>");
    let raw = Behaviour::Raw { status: 404, content_type: "text/html".into(), body, headers: vec![] };
    let error = check_final("anthropic", raw, AttemptOutcome::ClientError).await;
    assert!(error.to_string().contains("bad gateway"), "{error}");
}

#[tokio::test]
async fn a_dropped_call_closes_its_connection_and_frees_its_slot() {
    let fake = fake([Behaviour::Hang]).await;
    let models = models(&fake);
    let call = tokio::spawn({
        let models = models.clone();
        async move { ask(&models, "groq", &ONCE).await }
    });
    assert!(fake.wait_for(|fake| fake.count() == 1).await);
    assert_eq!(models.health()[0].in_flight, 1);
    call.abort();
    assert!(fake.wait_for(|fake| fake.cancelled() == 1).await);
    assert_eq!(models.health()[0].in_flight, 0);
}

#[tokio::test]
async fn a_server_without_tls_is_a_connection_failure() {
    let fake = fake([]).await;
    let mut settings = settings(&fake);
    settings.providers[0].base_url = fake.groq_url().replace("http://", "https://");
    let called = ask(&build(settings), "groq", &ONCE).await;
    assert!(matches!(called.result.unwrap_err(), CallError::Connection(_)));
    assert_eq!(fake.count(), 0);
}
