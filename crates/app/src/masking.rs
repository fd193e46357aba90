//! Masks customers' data in responses and live messages for callers whose role may not read it.
//!
//! Handlers build responses as if every caller could read them, and the guard masks the responses afterwards. So a new route can't
//! forget to mask.

use axum::{
    body::{Body, to_bytes},
    http::header,
    response::Response,
};
use countersign_report::mask_records;
use serde_json::Value;

/// More than the largest page of events that the store returns.
const ANSWER_BYTES_MAX: usize = 256 << 20;

/// The response with its records masked. `None` if it can't be parsed; then it must not be shown.
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

/// The live message with its record masked, or without the record if it can't be parsed.
pub(crate) fn masked_message(message: &str) -> String {
    let Ok(mut message) = serde_json::from_str::<Value>(message) else { return "{}".to_owned() };
    // An audit log is not a customer record: it shows the query and the answer, as `/api/logs` does.
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
    async fn a_response_that_cannot_be_parsed_is_not_shown() {
        let masked = |body: &'static str| masked_answer(Response::new(Body::from(body)));
        assert!(masked("user-7731").await.is_none());
        assert!(masked("").await.is_some());
        let shown = masked(r#"{"user_id":"user-7731"}"#).await.unwrap();
        assert_eq!(to_bytes(shown.into_body(), 100).await.unwrap(), r#"{"user_id":"***7731"}"#);
    }

    #[test]
    fn a_message_keeps_its_cursor_and_an_audit_log_its_text() {
        let read = |message: Value| serde_json::from_str::<Value>(&masked_message(&message.to_string())).unwrap();
        let alert = json!({"type": "alert", "cursor": "a.1", "data": {"user_id": "user-7731"}});
        assert_eq!(read(alert), json!({"type": "alert", "cursor": "a.1", "data": {"user_id": "***7731"}}));
        let log = json!({"type": "log", "cursor": "a.2", "data": {"query": "q", "metadata": {"x": 1}}});
        assert_eq!(read(log.clone()), log);
    }
}
