//! Streams: their framing, order and concatenated text.

use countersign_fake_provider::{ANSWER_TEXT, Behaviour, Fake};
use serde_json::{Value, json};

use crate::caller::{ANTHROPIC, GEMINI_STREAM, OPENAI, chat, contents, messages, post};

fn joined(events: &[Value], pointer: &str) -> String {
    events.iter().filter_map(|event| event.pointer(pointer)?.as_str()).collect()
}

#[tokio::test]
async fn openai_streams_words_then_usage_then_done() {
    let fake = Fake::start().await;
    let body = chat(json!({"stream": true, "stream_options": {"include_usage": true}}));
    let answer = post(&fake, OPENAI, body).await;
    assert!(answer.header("content-type").starts_with("text/event-stream"));
    assert!(answer.text.ends_with("}\n\ndata: [DONE]\n\n"));
    let events = answer.events();
    assert_eq!(joined(&events, "/choices/0/delta/content"), ANSWER_TEXT);
    assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
    let [.., finish, usage] = &events[..] else { panic!("{events:?}") };
    assert_eq!(finish["choices"][0]["finish_reason"], "stop");
    assert_eq!(finish["usage"], Value::Null);
    assert_eq!(usage["choices"], json!([]));
    assert!(usage["usage"]["completion_tokens"].as_u64().unwrap() > 5);
}

#[tokio::test]
async fn openai_only_sends_usage_on_request_and_interleaves_choices() {
    let fake = Fake::start().await;
    fake.push(Behaviour::Choices(vec!["a b".into(), "c".into()]));
    let events = post(&fake, OPENAI, chat(json!({"stream": true}))).await.events();
    assert!(events.iter().all(|event| event.get("usage").is_none()));
    let indexes: Vec<u64> = events.iter().map(|event| event["choices"][0]["index"].as_u64().unwrap()).collect();
    assert_eq!(indexes, [0, 1, 0, 1, 0, 0, 1]);
    assert_eq!(
        events.last().unwrap()["x_groq"]["usage"]["completion_tokens"],
        3,
        "Groq sends the usage in its own field"
    );
}

#[tokio::test]
async fn tool_arguments_arrive_in_pieces_that_join_to_json() {
    let fake = Fake::start().await;
    let arguments = r#"{"city":"Oslo","days":3}"#;
    fake.script(move |_| Behaviour::ToolCall { name: "weather".into(), arguments: arguments.into() });

    let events = post(&fake, OPENAI, chat(json!({"stream": true}))).await.events();
    let call = "/choices/0/delta/tool_calls/0";
    assert_eq!(joined(&events, &format!("{call}/function/name")), "weather");
    assert_eq!(joined(&events, &format!("{call}/function/arguments")), arguments);
    assert!(events.len() > 4, "in pieces: {events:?}");

    let events = post(&fake, ANTHROPIC, messages(json!({"stream": true}))).await.events();
    assert_eq!(joined(&events, "/delta/partial_json"), arguments);

    let events = post(&fake, GEMINI_STREAM, contents(json!({}))).await.events();
    let args = &events[0]["candidates"][0]["content"]["parts"][0]["functionCall"]["args"];
    assert_eq!(args, &json!({"city": "Oslo", "days": 3}));
}

#[tokio::test]
async fn gemini_streams_candidates_and_the_last_has_the_finish_reason() {
    let fake = Fake::start().await;
    fake.push(Behaviour::StreamText { chunks: vec!["One".into(), " two".into(), "\n".into()] });
    let answer = post(&fake, GEMINI_STREAM, contents(json!({}))).await;
    let events = answer.events();
    assert_eq!(joined(&events, "/candidates/0/content/parts/0/text"), "One two\n");
    let reasons: Vec<&Value> = events.iter().map(|event| &event["candidates"][0]["finishReason"]).collect();
    assert_eq!(reasons, [&Value::Null, &Value::Null, &json!("STOP")]);
    assert!(!answer.text.contains("[DONE]"));
}

#[tokio::test]
async fn gemini_without_alt_sse_streams_one_json_array() {
    let fake = Fake::start().await;
    let answer = post(&fake, "/v1beta/models/gemini-x:streamGenerateContent", contents(json!({}))).await;
    let events = answer.json().as_array().unwrap().clone();
    assert_eq!(joined(&events, "/candidates/0/content/parts/0/text"), ANSWER_TEXT);
}

#[tokio::test]
async fn anthropic_streams_its_named_events_in_order() {
    let fake = Fake::start().await;
    fake.push(Behaviour::Text("Hello there".into()));
    let answer = post(&fake, ANTHROPIC, messages(json!({"stream": true}))).await;
    let names: Vec<&str> = answer.text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let expected = [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(names, expected);
    assert_eq!(joined(&answer.events(), "/delta/text"), "Hello there");
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_has_the_providers_shape() {
    let fake = Fake::start_with(|_| Behaviour::StreamError { after_chunks: 2 }).await;
    let events = post(&fake, "/v1/chat/completions", chat(json!({"stream": true}))).await.events();
    assert_eq!(joined(&events, "/choices/0/delta/content"), "The quarterly ");
    assert_eq!(events.last().unwrap()["error"]["type"], "server_error");
    let groq = post(&fake, OPENAI, chat(json!({"stream": true}))).await;
    assert!(groq.text.contains("event: error\ndata: {\"error\":{"), "{}", groq.text);

    let answer = post(&fake, ANTHROPIC, messages(json!({"stream": true}))).await;
    assert!(answer.text.contains("event: error\ndata: {\"error\":{"));

    let answer = post(&fake, GEMINI_STREAM, contents(json!({}))).await;
    assert_eq!(answer.events().len(), 2);
    assert!(answer.text.contains("\n\n{\"error\":{\"code\":503"), "{}", answer.text);
}
