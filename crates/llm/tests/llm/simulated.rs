//! The simulated provider: labelled answers without a model.

use crate::{ONCE, build};
use bytes::Bytes;
use countersign_llm::{AttemptOutcome, ModelSettings, Models, Prompt, Provider, Purpose, Schema, Target, Usage};
use serde_json::{Value, json};
use std::collections::HashSet;

fn models() -> Models {
    build(ModelSettings::new(vec![Provider::simulated()]))
}

fn target() -> Target {
    Target::new("simulated", "simulated")
}

async fn chat(question: &str) -> String {
    let called = models().chat(Purpose::Worker, &target(), &Prompt::user(question), &ONCE).await;
    let reply = called.result.unwrap();
    assert_eq!((reply.model.as_str(), called.attempts[0].outcome), ("simulated", AttemptOutcome::Ok));
    assert!(reply.usage.input_tokens > Some(0) && reply.usage.output_tokens > Some(5));
    reply.text
}

#[tokio::test]
async fn the_same_question_gets_the_same_labelled_answer() {
    let question = "What is the capital of France?";
    let answer = chat(question).await;
    assert_eq!(answer, chat(question).await);
    assert!(answer.ends_with("(simulated answer)"), "{answer}");
}

#[tokio::test]
async fn a_text_is_repeated_on_request_and_labelled() {
    let asked = "Repeat: write to jane.roe@example.com, please.";
    assert_eq!(chat(asked).await, "write to jane.roe@example.com, please. (simulated answer)");
    assert!(!chat("Please repeat: jane.roe@example.com").await.contains('@'));
}

#[tokio::test]
async fn answers_vary_and_contain_nothing_that_looks_like_data() {
    let mut answers = HashSet::new();
    for number in 0..100 {
        let answer = chat(&format!("Question {number}, about 555-1234 and a@b.example?")).await;
        assert!(!answer.chars().any(|c| c.is_ascii_digit() || c == '@'), "{answer}");
        answers.insert(answer);
    }
    assert!(answers.len() > 40, "{} kinds", answers.len());
}

async fn forward(body: Value, is_stream: bool) -> (u16, String) {
    let body = Bytes::from(body.to_string());
    let called = models().forward(Purpose::Gateway, &target(), body, is_stream, &ONCE).await;
    let mut forwarded = called.result.unwrap();
    let mut pieces = Vec::new();
    while let Some(piece) = forwarded.chunk().await.unwrap() {
        pieces.push(String::from_utf8(piece.to_vec()).unwrap());
    }
    assert!(!is_stream || pieces.len() > 4);
    let status = forwarded.status;
    forwarded.finish(AttemptOutcome::Ok, Usage::default());
    (status, pieces.concat())
}

#[tokio::test]
async fn a_stream_has_the_text_of_the_plain_answer() {
    let messages = json!([{"role": "user", "content": [{"type": "text", "text": "Why?"}]}]);
    let (_, plain) = forward(json!({"messages": messages}), false).await;
    let plain: Value = serde_json::from_str(&plain).unwrap();
    assert_eq!(plain["object"], "chat.completion");
    for wants_usage in [false, true] {
        let body = json!({"messages": messages, "stream": true, "stream_options": {"include_usage": wants_usage}});
        let (status, stream) = forward(body, true).await;
        let events: Vec<&str> = stream.split_terminator("\n\n").map(|e| e.strip_prefix("data: ").unwrap()).collect();
        assert_eq!((status, *events.last().unwrap()), (200, "[DONE]"));
        let chunks: Vec<Value> = events[..events.len() - 1].iter().map(|e| serde_json::from_str(e).unwrap()).collect();
        let text: String = chunks.iter().filter_map(|c| c["choices"][0]["delta"]["content"].as_str()).collect();
        assert_eq!(text, plain["choices"][0]["message"]["content"]);
        let last = chunks.last().unwrap();
        assert_eq!(last["usage"]["total_tokens"].is_u64(), wants_usage);
        assert_eq!(last["choices"].as_array().unwrap().is_empty(), wants_usage);
    }
}

#[tokio::test]
async fn a_body_that_is_not_a_chat_is_refused_as_openai_does() {
    let (status, body) = forward(json!({"messages": "none"}), false).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &body["error"]["type"]), (400, &json!("invalid_request_error")));
}

#[tokio::test]
async fn a_schema_gets_a_value_that_reports_no_findings() {
    let json =
        json!({"type": "object", "properties": {"risk_score": {"type": "integer"}, "found": {"type": "boolean"}}});
    let schema = Schema { name: "audit", json };
    let read = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    let called = models().structured(Purpose::Auditor, &target(), &Prompt::user("?"), &schema, &ONCE, read).await;
    assert_eq!(called.result.unwrap().value, json!({"risk_score": 0, "found": false}));
}

#[tokio::test]
async fn its_list_of_models_is_in_openais_wire_format() {
    let mut list = models().get_models("simulated").await.result.unwrap();
    let list: Value = serde_json::from_slice(&list.bytes().await.unwrap()).unwrap();
    assert_eq!((&list["object"], &list["data"][0]["id"]), (&json!("list"), &json!("simulated")));
}
