//! Broken answers, and callers that disconnect.

use std::time::{Duration, Instant};

use countersign_fake_provider::{Behaviour, Fake};
use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::caller::{GEMINI, OPENAI, chat, contents, open, post};

fn request(is_stream: bool) -> String {
    chat(json!({"stream": is_stream})).to_string()
}

/// The announced length, and the text received before the body failed.
async fn read_broken(behaviour: Behaviour, is_stream: bool) -> (Option<u64>, String) {
    let fake = Fake::start_with(move |_| behaviour.clone()).await;
    let (mut response, _connection) = open(&fake, "POST", OPENAI, request(is_stream)).await.unwrap();
    let length = response.headers().get("content-length").map(|value| value.to_str().unwrap().parse().unwrap());
    let mut text = String::new();
    while let Ok(frame) = response.body_mut().frame().await.expect("a break before the end") {
        text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
    }
    assert!(fake.wait_for(|fake| fake.open_calls() == 0).await);
    assert_eq!(fake.cancelled(), 0, "a break by the fake must not count as cancelled");
    (length, text)
}

#[tokio::test]
async fn a_truncated_answer_is_shorter_than_its_content_length() {
    let (length, text) = read_broken(Behaviour::Truncated, false).await;
    assert_eq!(text.len() as u64, length.unwrap() / 2);
    let (length, text) = read_broken(Behaviour::Truncated, true).await;
    assert!((1..length.unwrap()).contains(&(text.len() as u64)));
}

#[tokio::test]
async fn a_broken_stream_ends_after_its_chunks_without_done() {
    let (length, text) = read_broken(Behaviour::StreamBreak { after_chunks: 3 }, true).await;
    assert_eq!(length, None);
    assert_eq!(text.matches("data: ").count(), 1 + 3, "the role and three words: {text}");
    assert!(!text.contains("[DONE]"));
}

#[tokio::test]
async fn a_reset_connection_gives_no_answer_and_the_next_call_works() {
    let fake = Fake::start().await;
    fake.push(Behaviour::Reset);
    let error = open(&fake, "POST", OPENAI, request(false)).await.unwrap_err();
    assert!(error.contains("ConnectionReset"), "{error}");
    assert_eq!(post(&fake, OPENAI, chat(json!({}))).await.status, 200);
    assert_eq!(fake.cancelled(), 0);
}

#[tokio::test]
async fn malformed_json_is_a_complete_answer_that_no_parser_accepts() {
    let fake = Fake::start_with(|_| Behaviour::MalformedJson).await;
    let answer = post(&fake, GEMINI, contents(json!({}))).await;
    assert_eq!(answer.status, 200);
    assert!(serde_json::from_str::<Value>(&answer.text).is_err());
    let answer = post(&fake, OPENAI, chat(json!({"stream": true}))).await;
    let last = answer.text.trim().rsplit("data: ").next().unwrap();
    assert!(serde_json::from_str::<Value>(last).is_err());
}

#[tokio::test]
async fn a_huge_body_has_the_requested_size() {
    let fake = Fake::start().await;
    for bytes in [100, 1_000_000] {
        fake.push(Behaviour::HugeBody(bytes));
        let answer = post(&fake, GEMINI, contents(json!({}))).await;
        assert_eq!(answer.text.len(), bytes);
        assert!(serde_json::from_str::<Value>(&answer.text).is_ok());
    }
}

#[tokio::test]
async fn a_caller_that_disconnects_from_a_hanging_call_is_counted() {
    let fake = Fake::start_with(|_| Behaviour::Hang).await;
    let call = open(&fake, "POST", OPENAI, request(false));
    let is_hanging = tokio::select! {
        _ = call => false,
        waiting = fake.wait_for(|fake| fake.count() == 1) => waiting,
    };
    assert!(is_hanging && fake.cancelled() == 0);
    assert!(fake.wait_for(|fake| fake.cancelled() == 1 && fake.open_calls() == 0).await);
}

#[tokio::test]
async fn a_caller_that_disconnects_in_the_middle_of_a_stream_is_counted() {
    let fake = Fake::start_with(|_| Behaviour::StreamHang { after_chunks: 2 }).await;
    let (mut response, connection) = open(&fake, "POST", OPENAI, request(true)).await.unwrap();
    let mut seen = 0;
    while seen < 3 {
        let frame = response.body_mut().frame().await.unwrap().unwrap().into_data().unwrap();
        seen += std::str::from_utf8(&frame).unwrap().matches("data: ").count();
    }
    assert_eq!((fake.open_calls(), fake.cancelled()), (1, 0));
    drop(response);
    connection.abort();
    assert!(fake.wait_for(|fake| fake.cancelled() == 1 && fake.open_calls() == 0).await);
}

#[tokio::test]
async fn a_delay_comes_before_the_answer_and_chunks_can_be_slow() {
    let fake = Fake::start().await;
    fake.push(Behaviour::Delay(Duration::from_millis(30), Box::new(Behaviour::Status(500))));
    let before = Instant::now();
    assert_eq!(post(&fake, OPENAI, chat(json!({}))).await.status, 500);
    assert!(before.elapsed() >= Duration::from_millis(30));

    fake.set_chunk_delay(Duration::from_millis(10));
    fake.push(Behaviour::Text("one two three".into()));
    let before = Instant::now();
    assert!(post(&fake, OPENAI, chat(json!({"stream": true}))).await.text.ends_with("[DONE]\n\n"));
    assert!(before.elapsed() >= Duration::from_millis(50), "five gaps between six frames");
}
