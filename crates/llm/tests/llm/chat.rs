//! Requests and replies of chats in each provider's format.

use crate::{KEY, NATIVE, ONCE, fake, models, target};
use countersign_fake_provider::Behaviour;
use countersign_llm::{AttemptOutcome, CallError, Finish, Message, Prompt, Purpose};
use serde_json::{Value, json};

fn prompt() -> Prompt {
    Prompt {
        system: Some("Be brief.".into()),
        messages: vec![Message::user("One?"), Message::assistant("Two."), Message::user("Three?")],
        temperature: Some(0.5),
        max_tokens: Some(99),
    }
}

/// The path, the body and the headers of the request that this provider gets.
async fn sent_request(provider: &str) -> (String, Value, Vec<(String, String)>) {
    let fake = fake([]).await;
    models(&fake).chat(Purpose::Worker, &target(provider), &prompt(), &ONCE).await.result.unwrap();
    let received = fake.received().remove(0);
    let headers = received.headers.iter().map(|(n, v)| (n.to_string(), v.to_str().unwrap().to_owned())).collect();
    (received.path, received.json.unwrap(), headers)
}

fn check_header(headers: &[(String, String)], name: &str, value: &str) {
    assert!(headers.contains(&(name.into(), value.into())), "{name}: {value} is not in {headers:?}");
}

#[tokio::test]
async fn openai_like_providers_get_requests_in_openais_wire_format() {
    let (path, body, headers) = sent_request("groq").await;
    assert_eq!(path, "/openai/v1/chat/completions");
    check_header(&headers, "authorization", &format!("Bearer {KEY}"));
    let messages = json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "One?"},
        {"role": "assistant", "content": "Two."}, {"role": "user", "content": "Three?"}]);
    assert_eq!(body, json!({"model": "some-model", "messages": messages, "temperature": 0.5, "max_tokens": 99}));
}

#[tokio::test]
async fn gemini_gets_requests_in_its_wire_format_with_the_key_in_a_header() {
    let (path, body, headers) = sent_request("gemini").await;
    assert_eq!(path, "/v1beta/models/some-model:generateContent");
    check_header(&headers, "x-goog-api-key", KEY);
    let part = |role: &str, text: &str| json!({"role": role, "parts": [{"text": text}]});
    let contents = json!([part("user", "One?"), part("model", "Two."), part("user", "Three?")]);
    assert_eq!(
        body,
        json!({"systemInstruction": {"parts": [{"text": "Be brief."}]}, "contents": contents,
            "generationConfig": {"temperature": 0.5, "maxOutputTokens": 99}})
    );
}

#[tokio::test]
async fn anthropic_gets_requests_in_its_wire_format_with_a_version() {
    let (path, body, headers) = sent_request("anthropic").await;
    assert!(path.ends_with("/v1/messages"), "{path}");
    check_header(&headers, "x-api-key", KEY);
    check_header(&headers, "anthropic-version", "2023-06-01");
    let messages = json!([{"role": "user", "content": "One?"}, {"role": "assistant", "content": "Two."},
        {"role": "user", "content": "Three?"}]);
    assert_eq!(
        body,
        json!({"model": "some-model", "max_tokens": 99, "system": "Be brief.", "messages": messages,
            "temperature": 0.5})
    );
}

#[tokio::test]
async fn replies_in_every_wire_format_have_text_model_and_usage() {
    for provider in NATIVE.into_iter().chain(["ollama"]) {
        let fake = fake([Behaviour::Text("It is so.".into())]).await;
        let called = models(&fake).chat(Purpose::Worker, &target(provider), &prompt(), &ONCE).await;
        let reply = called.result.unwrap();
        assert_eq!((reply.text.as_str(), &reply.finish), ("It is so.", &Finish::Stop), "{provider}");
        assert_eq!(reply.model, "some-model", "{provider}");
        assert!(reply.usage.input_tokens > Some(0) && reply.usage.output_tokens > Some(0), "{provider}");
        let attempt = &called.attempts[0];
        assert_eq!((called.attempts.len(), attempt.number, attempt.outcome), (1, 1, AttemptOutcome::Ok));
        assert_eq!((attempt.status, attempt.cost_usd), (Some(200), None));
        assert_eq!(attempt.input_tokens, reply.usage.input_tokens);
    }
}

#[tokio::test]
async fn an_answer_cut_at_its_limit_has_the_finish_reason_length() {
    for provider in NATIVE {
        let fake = fake([Behaviour::MaxTokens]).await;
        let called = models(&fake).chat(Purpose::Worker, &target(provider), &prompt(), &ONCE).await;
        let reply = called.result.unwrap();
        assert_eq!(reply.finish, Finish::Length, "{provider}");
        assert!(!reply.text.is_empty());
    }
}

#[tokio::test]
async fn a_callers_model_name_cannot_reach_another_path() {
    let fake = fake([]).await;
    let target = countersign_llm::Target::new("gemini", "../../v1/x?key=1#a b/é");
    let _ = models(&fake).chat(Purpose::Gateway, &target, &prompt(), &ONCE).await;
    assert_eq!(fake.received()[0].path, "/v1beta/models/..%2F..%2Fv1%2Fx%3Fkey%3D1%23a%20b%2F%C3%A9:generateContent");
}

#[tokio::test]
async fn an_unknown_provider_is_named_in_the_error() {
    let fake = fake([]).await;
    let called = models(&fake).chat(Purpose::Worker, &target("nobody"), &prompt(), &ONCE).await;
    assert_eq!(called.result.unwrap_err(), CallError::UnknownProvider("nobody".into()));
    assert!(called.attempts.is_empty());
}
