//! Requests that are passed on unchanged, and streams.

use crate::{KEY, ONCE, THRICE, build, fake, models, settings, target};
use bytes::Bytes;
use countersign_fake_provider::{Behaviour, Fake};
use countersign_llm::{AttemptOutcome, CallError, CallPolicy, CallResult, Forwarded, Models, Purpose, Usage};
use std::time::Duration;

const BODY: &[u8] = br#"{"model":"some-model", "unknown":{"z":1,"a":2},
  "messages":[{"role":"user","content":"Hi"}]}"#;
const STREAM_BODY: &[u8] = br#"{"model":"some-model","stream":true,"messages":[{"role":"user","content":"Hi"}]}"#;

async fn forward(models: &Models, provider: &str, calls: &CallPolicy) -> CallResult<Forwarded> {
    models.forward(Purpose::Gateway, &target(provider), Bytes::from_static(BODY), false, calls).await
}

async fn stream(models: &Models, calls: &CallPolicy) -> CallResult<Forwarded> {
    models.forward(Purpose::Gateway, &target("groq"), Bytes::from_static(STREAM_BODY), true, calls).await
}

#[tokio::test]
async fn request_bodies_are_sent_unchanged_to_each_compatible_path() {
    for (provider, path) in [
        ("groq", "/openai/v1/chat/completions"),
        ("gemini", "/v1beta/openai/chat/completions"),
        ("anthropic", "/anthropic/v1/chat/completions"),
        ("ollama", "/ollama/v1/chat/completions"),
    ] {
        let fake = fake([]).await;
        let mut forwarded = forward(&models(&fake), provider, &ONCE).await.result.unwrap();
        assert_eq!(forwarded.status, 200, "{provider}");
        let answer: serde_json::Value = serde_json::from_slice(&forwarded.bytes().await.unwrap()).unwrap();
        assert!(answer["choices"][0]["message"]["content"].is_string());
        let received = fake.received().remove(0);
        assert_eq!((received.path.as_str(), &received.body[..]), (path, BODY));
        let bearer = (provider != "ollama").then(|| format!("Bearer {KEY}"));
        assert_eq!(received.header("authorization"), bearer.as_deref());
        let attempt = forwarded.finish(AttemptOutcome::Ok, Usage { input_tokens: Some(3), output_tokens: Some(4) });
        assert_eq!((attempt.number, attempt.status, attempt.output_tokens), (1, Some(200), Some(4)));
    }
}

#[tokio::test]
async fn only_response_headers_that_callers_may_see_are_kept() {
    let sent = [
        ("x-request-id", "r1"),
        ("openai-model", "m"),
        ("x-ratelimit-remaining-tokens", "5"),
        ("x-groq-region", "eu"),
        ("set-cookie", "a=b"),
        ("server", "s"),
        ("x-other", "o"),
        ("keep-alive", "timeout=5"),
    ];
    let headers = sent.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let body = Bytes::from_static(b"{}");
    let fake = fake([Behaviour::Raw { status: 200, content_type: "application/json".into(), body, headers }]).await;
    let forwarded = forward(&models(&fake), "groq", &ONCE).await.result.unwrap();
    let mut names: Vec<_> = forwarded.headers.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(
        names,
        ["content-type", "openai-model", "x-groq-region", "x-ratelimit-remaining-tokens", "x-request-id"]
    );
}

#[tokio::test]
async fn an_error_keeps_its_status_and_body_after_the_retries() {
    let fake = Fake::start_with(|_| Behaviour::Status(500)).await;
    let called = forward(&models(&fake), "groq", &CallPolicy { attempts_max: 2, ..ONCE }).await;
    assert_eq!(
        called.attempts.iter().map(|a| (a.number, a.outcome)).collect::<Vec<_>>(),
        [(1, AttemptOutcome::ServerError)]
    );
    let mut forwarded = called.result.unwrap();
    assert_eq!((forwarded.status, forwarded.outcome()), (500, AttemptOutcome::ServerError));
    let body: serde_json::Value = serde_json::from_slice(&forwarded.bytes().await.unwrap()).unwrap();
    assert!(body["error"]["message"].is_string());
    let last = forwarded.finish(AttemptOutcome::ServerError, Usage::default());
    assert_eq!((last.number, last.status), (2, Some(500)));
}

#[tokio::test]
async fn a_permanent_error_status_is_passed_on_without_retries() {
    let fake = fake([Behaviour::Status(401)]).await;
    let called = forward(&models(&fake), "gemini", &THRICE).await;
    assert!(called.attempts.is_empty());
    assert_eq!(called.result.unwrap().status, 401);
    assert_eq!(fake.count(), 1);
}

#[tokio::test]
async fn a_truncated_body_is_retried() {
    let fake = fake([Behaviour::Truncated]).await;
    let called = forward(&models(&fake), "groq", &THRICE).await;
    assert_eq!(called.attempts[0].outcome, AttemptOutcome::Connection);
    assert_eq!(called.result.unwrap().status, 200);
}

#[tokio::test]
async fn a_stream_arrives_piece_by_piece() {
    let fake = fake([Behaviour::StreamText { chunks: vec!["a".into(), "b".into()] }]).await;
    let mut forwarded = stream(&models(&fake), &ONCE).await.result.unwrap();
    let whole = String::from_utf8(forwarded.bytes().await.unwrap().to_vec()).unwrap();
    assert!(whole.starts_with("data: {") && whole.ends_with("data: [DONE]\n\n"), "{whole}");
    assert_eq!(forwarded.chunk().await.unwrap(), None);
    assert_eq!(forwarded.finish(AttemptOutcome::Ok, Usage::default()).outcome, AttemptOutcome::Ok);
}

#[tokio::test]
async fn a_stream_that_fails_before_it_begins_is_retried() {
    let fake = fake([Behaviour::Status(503)]).await;
    let called = stream(&models(&fake), &THRICE).await;
    assert_eq!(called.attempts.len(), 1);
    assert_eq!(called.result.unwrap().status, 200);
}

async fn read_to_error(forwarded: &mut Forwarded) -> (usize, CallError) {
    let mut pieces = 0;
    loop {
        match forwarded.chunk().await {
            Ok(Some(_)) => pieces += 1,
            Ok(None) => panic!("the stream ended without an error"),
            Err(error) => return (pieces, error),
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_is_a_connection_failure() {
    let fake = fake([Behaviour::StreamBreak { after_chunks: 2 }]).await;
    let mut forwarded = stream(&models(&fake), &ONCE).await.result.unwrap();
    let (pieces, error) = read_to_error(&mut forwarded).await;
    assert!(pieces > 0 && matches!(error, CallError::Connection(_)), "{error}");
}

#[tokio::test]
async fn a_stream_that_stalls_times_out_and_is_closed() {
    let fake = fake([Behaviour::StreamHang { after_chunks: 2 }]).await;
    let calls = CallPolicy { attempt_timeout: Duration::from_millis(200), ..ONCE };
    let mut forwarded = stream(&models(&fake), &calls).await.result.unwrap();
    let (_, error) = read_to_error(&mut forwarded).await;
    assert_eq!(error, CallError::Timeout { after_ms: 200 });
    assert!(fake.wait_for(|fake| fake.cancelled() == 1).await);
    assert_eq!(forwarded.chunk().await.unwrap(), None);
}

#[tokio::test]
async fn a_stream_ends_at_the_deadline_of_the_call() {
    let fake = fake([Behaviour::StreamHang { after_chunks: 1 }]).await;
    let calls = CallPolicy { deadline: Duration::from_millis(200), ..ONCE };
    let mut forwarded = stream(&models(&fake), &calls).await.result.unwrap();
    assert_eq!(read_to_error(&mut forwarded).await.1, CallError::Deadline);
}

#[tokio::test]
async fn a_streams_size_is_bounded_too() {
    let fake = fake([Behaviour::HugeBody(4 << 20)]).await;
    let mut settings = settings(&fake);
    settings.answer_bytes_max = 200_000;
    let mut forwarded = stream(&build(settings), &ONCE).await.result.unwrap();
    assert_eq!(read_to_error(&mut forwarded).await.1, CallError::TooLarge { bytes_max: 200_000 });
}

#[tokio::test]
async fn a_dropped_stream_is_cancelled_and_its_connection_closed() {
    let fake = fake([Behaviour::StreamHang { after_chunks: 1 }]).await;
    let models = models(&fake);
    let mut forwarded = stream(&models, &ONCE).await.result.unwrap();
    forwarded.chunk().await.unwrap();
    assert_eq!(models.health()[0].in_flight, 1);
    drop(forwarded);
    assert!(fake.wait_for(|fake| fake.cancelled() == 1).await);
    let health = models.health().remove(0);
    assert_eq!((health.in_flight, health.calls, health.failures), (0, 1, 0));
}

#[tokio::test]
async fn time_outs_and_lost_connections_are_errors() {
    let fake = fake([Behaviour::Hang, Behaviour::Reset]).await;
    let models = models(&fake);
    let calls = CallPolicy { attempt_timeout: Duration::from_millis(100), ..ONCE };
    assert_eq!(forward(&models, "groq", &calls).await.result.unwrap_err(), CallError::Timeout { after_ms: 100 });
    let called = forward(&models, "groq", &ONCE).await;
    assert!(matches!(called.result.unwrap_err(), CallError::Connection(_)));
    assert_eq!(called.attempts[0].outcome, AttemptOutcome::Connection);
}

#[tokio::test]
async fn connections_are_reused() {
    let fake = fake([]).await;
    let models = models(&fake);
    for _ in 0..20 {
        let mut forwarded = forward(&models, "groq", &ONCE).await.result.unwrap();
        forwarded.bytes().await.unwrap();
        forwarded.finish(AttemptOutcome::Ok, Usage::default());
    }
    assert_eq!(models.health()[0].calls, 20);
    let list = models.get_models("groq").await.result.unwrap();
    assert_eq!(list.status, 200);
}
