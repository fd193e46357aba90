//! The providers' own error bodies and headers.

use countersign_fake_provider::{Behaviour, Fake};
use serde_json::{Value, json};

use crate::caller::{ANTHROPIC, GEMINI, OPENAI, chat, contents, messages, post};

/// Posts a valid request to a provider that fails with this status. The error's value at `pointer` must be `expected`.
async fn check(path: &str, status: u16, pointer: &str, expected: Value) {
    let fake = Fake::start_with(move |_| Behaviour::Status(status)).await;
    let body = if path == GEMINI { contents(json!({})) } else { messages(json!({})) };
    let answer = post(&fake, path, body).await;
    assert_eq!(answer.status, status);
    assert_eq!(answer.json().pointer(pointer), Some(&expected), "{}", answer.text);
}

#[tokio::test]
async fn openai_names_its_errors_by_code() {
    check(OPENAI, 400, "/error/code", json!("context_length_exceeded")).await;
    check(OPENAI, 401, "/error/code", json!("invalid_api_key")).await;
    check(OPENAI, 404, "/error/code", json!("model_not_found")).await;
    check(OPENAI, 429, "/error/code", json!("rate_limit_exceeded")).await;
    check(OPENAI, 500, "/error/type", json!("server_error")).await;
    check(OPENAI, 503, "/error/code", Value::Null).await;
}

#[tokio::test]
async fn gemini_names_its_errors_by_status() {
    check(GEMINI, 400, "/error/details/0/reason", json!("API_KEY_INVALID")).await;
    check(GEMINI, 404, "/error/status", json!("NOT_FOUND")).await;
    check(GEMINI, 429, "/error/status", json!("RESOURCE_EXHAUSTED")).await;
    check(GEMINI, 500, "/error/code", json!(500)).await;
    check(GEMINI, 503, "/error/status", json!("UNAVAILABLE")).await;
    check("/v1beta/openai/chat/completions", 429, "/0/error/status", json!("RESOURCE_EXHAUSTED")).await;
}

#[tokio::test]
async fn anthropic_names_its_errors_by_type() {
    check(ANTHROPIC, 401, "/error/type", json!("authentication_error")).await;
    check(ANTHROPIC, 429, "/error/type", json!("rate_limit_error")).await;
    check(ANTHROPIC, 529, "/error/type", json!("overloaded_error")).await;
    check(ANTHROPIC, 529, "/type", json!("error")).await;
}

#[tokio::test]
async fn the_time_to_retry_is_in_a_header_or_in_retry_info() {
    let fake = Fake::start_with(|_| Behaviour::StatusRetryAfter(429, 2.0)).await;
    assert_eq!(post(&fake, OPENAI, chat(json!({}))).await.header("retry-after"), "2");
    assert_eq!(post(&fake, ANTHROPIC, messages(json!({}))).await.header("retry-after"), "2");
    let answer = post(&fake, GEMINI, contents(json!({}))).await;
    assert_eq!(answer.header("retry-after"), "");
    let info = json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2s"});
    assert!(answer.json()["error"]["details"].as_array().unwrap().contains(&info));
}

#[tokio::test]
async fn a_gateway_error_is_an_html_page_and_not_json() {
    let fake = Fake::start_with(|_| Behaviour::Status(502)).await;
    let answer = post(&fake, OPENAI, chat(json!({}))).await;
    assert_eq!((answer.status, answer.header("content-type")), (502, "text/html"));
}

#[tokio::test]
async fn requests_that_a_provider_would_refuse_are_refused() {
    let fake = Fake::start().await;
    let rows = [
        (OPENAI, json!({"messages": [{}]}), 400),
        (OPENAI, json!({"model": "x", "messages": []}), 400),
        (GEMINI, json!({}), 400),
        (ANTHROPIC, chat(json!({})), 400),
        ("/v1/v1/chat/completions", chat(json!({})), 404),
        ("/v1beta/models/gemini-x:countTokens", contents(json!({})), 404),
    ];
    for (path, body, status) in rows {
        assert_eq!(post(&fake, path, body.clone()).await.status, status, "{path} {body}");
    }
}
