//! Customers' data in answers and live messages, masked for callers whose role may not read it.
//!
//! Handlers build their answers as if everybody might read them; the guard passes them through here. So a route that is
//! added later can't forget it.

use axum::{
    body::{Body, to_bytes},
    http::header,
    response::Response,
};
use countersign_report::mask_records;
use serde_json::Value;

/// More than the largest page of events that the store gives out.
const ANSWER_BYTES_MAX: usize = 256 << 20;

/// An answer with its records masked; `None` if it can't be read, which is then not shown.
pub(crate) async fn masked_answer(response: Response) -> Option<Response> {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, ANSWER_BYTES_MAX).await.ok()?;
    if bytes.is_empty() {
        return Some(Response::from_parts(parts, Body::empty()));
    }
    let mut answer: Value = serde_json::from_slice(&bytes).ok()?;
    mask_records(&mut answer);
    parts.headers.remove(header::CONTENT_LENGTH);
    Some(Response::from_parts(parts, Body::from(serde_json::to_vec(&answer).ok()?)))
}

/// A live message with its record masked; without its record if it can't be read.
pub(crate) fn masked_message(message: &str) -> String {
    let Ok(mut message) = serde_json::from_str::<Value>(message) else { return "{}".to_owned() };
    // An audit log is no record of a customer: it shows what was asked and answered, as `/api/logs` does.
    if message.get("type").is_none_or(|kind| kind != "log") {
        message.get_mut("data").into_iter().for_each(mask_records);
    }
    message.to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn an_answer_that_cannot_be_read_is_not_shown() {
        let masked = |body: &'static str| masked_answer(Response::new(Body::from(body)));
        assert!(masked("user-7731").await.is_none());
        assert!(masked("").await.is_some());
        let shown = masked(r#"{"user_id":"user-7731"}"#).await.unwrap();
        assert_eq!(to_bytes(shown.into_body(), 100).await.unwrap(), r#"{"user_id":"***7731"}"#);
    }

    #[test]
    fn a_message_keeps_its_cursor_and_a_log_its_words() {
        let read = |message: Value| serde_json::from_str::<Value>(&masked_message(&message.to_string())).unwrap();
        let alert = json!({"type": "alert", "cursor": "a.1", "data": {"user_id": "user-7731"}});
        assert_eq!(read(alert), json!({"type": "alert", "cursor": "a.1", "data": {"user_id": "***7731"}}));
        let log = json!({"type": "log", "cursor": "a.2", "data": {"query": "q", "metadata": {"x": 1}}});
        assert_eq!(read(log.clone()), log);
    }
}
