//! Gemini's `generateContent` and `streamGenerateContent`.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{Frames, event_data, to_text};
use crate::received::Received;
use crate::reply::{FinishReason, ModelReply, ReplyContent, Tokens};

pub(super) fn unary(received: &Received, reply: &ModelReply) -> String {
    let tail = tail(received, reply.tokens);
    if reply.finish == FinishReason::Blocked {
        let feedback = json!({"blockReason": "SAFETY", "safetyRatings": ratings("HIGH")});
        return format!(r#"{{"promptFeedback":{feedback},{tail}}}"#);
    }
    let candidates = reply.choices.iter().enumerate().map(|(index, content)| {
        let part = match content {
            ReplyContent::Tool { name, arguments } => Some(call(name, arguments)),
            content => content.text().map(|text| json!({"text": text})),
        };
        with_finish(candidate(index, part), reply.finish)
    });
    let candidates: Value = candidates.collect();
    format!(r#"{{"candidates":{},{tail}}}"#, to_text(&candidates))
}

/// The last content chunk has the finish reason. Gemini sends nothing after it, not even a `[DONE]`.
pub(super) fn stream(received: &Received, reply: &ModelReply) -> Frames {
    let tail = tail(received, reply.tokens);
    let mut events: Vec<String> = Vec::new();
    for (index, content) in reply.choices.iter().enumerate() {
        let mut candidates: Vec<Value> = match content {
            // Function calls arrive in one piece.
            ReplyContent::Tool { name, arguments } => vec![candidate(index, Some(call(name, arguments)))],
            content => content.deltas().into_iter().map(|text| candidate(index, Some(json!({"text": text})))).collect(),
        };
        let last =
            candidates.pop().unwrap_or_else(|| candidate(index, content.text().map(|text| json!({"text": text}))));
        candidates.push(with_finish(last, reply.finish));
        let candidates = candidates.into_iter();
        events.extend(candidates.map(|candidate| format!(r#"{{"candidates":[{}],{tail}}}"#, to_text(&candidate))));
    }
    if events.is_empty() {
        events.push(unary(received, reply));
    }
    if received.wants_events() {
        return Frames { chunks: events.iter().map(event_data).collect(), ..Frames::default() };
    }
    array(&events)
}

fn array(events: &[String]) -> Frames {
    let lead = |index: usize| if index == 0 { "[" } else { ",\r\n" };
    let chunks = events.iter().enumerate().map(|(index, event)| format!("{}{event}", lead(index)).into());
    Frames { opening: Vec::new(), chunks: chunks.collect(), closing: vec![Bytes::from_static(b"]")] }
}

/// The fields at the end of every answer and of every event of a stream.
fn tail(received: &Received, tokens: Tokens) -> String {
    let (number, model) = (received.number, to_text(&received.model().into()));
    let usage = json!({
        "promptTokenCount": tokens.prompt,
        "candidatesTokenCount": tokens.completion,
        "totalTokenCount": tokens.total(),
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens.prompt}],
    });
    let unknown = r#""xFakeUnknown":{"kept":[1,"two",null]}"#;
    format!(r#""usageMetadata":{},"modelVersion":{model},"responseId":"fake{number}",{unknown}"#, to_text(&usage))
}

fn candidate(index: usize, part: Option<Value>) -> Value {
    match part {
        Some(part) => json!({"content": {"parts": [part], "role": "model"}, "index": index}),
        None => json!({"content": {"role": "model"}, "index": index}),
    }
}

fn with_finish(mut candidate: Value, finish: FinishReason) -> Value {
    let (reason, probability) = match finish {
        FinishReason::Stop | FinishReason::Tool => ("STOP", "NEGLIGIBLE"),
        FinishReason::MaxTokens => ("MAX_TOKENS", "NEGLIGIBLE"),
        FinishReason::Recitation => ("RECITATION", "NEGLIGIBLE"),
        FinishReason::Safety | FinishReason::Blocked => ("SAFETY", "HIGH"),
    };
    candidate["finishReason"] = json!(reason);
    candidate["safetyRatings"] = ratings(probability);
    if matches!(finish, FinishReason::Safety | FinishReason::Recitation)
        && let Some(candidate) = candidate.as_object_mut()
    {
        candidate.remove("content");
    }
    candidate
}

fn ratings(probability: &str) -> Value {
    json!([
        {"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"},
        {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": probability},
    ])
}

fn call(name: &str, arguments: &str) -> Value {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
    json!({"functionCall": {"name": name, "args": arguments}})
}

pub(super) fn models() -> Value {
    json!({"models": [{
        "name": "models/fake-large", "version": "001", "displayName": "Fake Large",
        "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536, "supportedGenerationMethods": ["generateContent"],
    }]})
}

pub(super) fn error(received: &Received, status: u16, retry_after_s: Option<f64>, message: Option<&str>) -> Value {
    let model = received.model();
    let (name, usual) = match status {
        400 => ("INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.".to_owned()),
        401 => ("UNAUTHENTICATED", "Request had invalid authentication credentials.".to_owned()),
        403 => ("PERMISSION_DENIED", "The caller does not have permission.".to_owned()),
        404 => ("NOT_FOUND", format!("models/{model} is not found for API version v1beta.")),
        429 => ("RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan.".to_owned()),
        499 => ("CANCELLED", "The operation was cancelled.".to_owned()),
        503 => ("UNAVAILABLE", "The model is overloaded. Please try again later.".to_owned()),
        504 => ("DEADLINE_EXCEEDED", "Deadline expired before operation could complete.".to_owned()),
        _ => ("INTERNAL", "An internal error has occurred. Please retry.".to_owned()),
    };
    let mut error = json!({"code": status, "message": message.unwrap_or(&usual), "status": name});
    let details = details(status, retry_after_s, message.is_none());
    if !details.is_empty() {
        error["details"] = Value::Array(details);
    }
    json!({"error": error})
}

fn details(status: u16, retry_after_s: Option<f64>, is_usual: bool) -> Vec<Value> {
    let mut details = Vec::new();
    if status == 400 && is_usual {
        details.push(json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com",
        }));
    }
    if status == 429 {
        details.push(json!({
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}],
        }));
    }
    if let Some(after_s) = retry_after_s {
        let delay = format!("{after_s}s");
        details.push(json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}));
    }
    details
}

/// Bare JSON between the events, as the real service sends it. Inside an array, it is the next element.
pub(super) fn stream_error(received: &Received) -> Bytes {
    let error = error(received, 503, None, None);
    if received.wants_events() { format!("{error}\n\n").into() } else { format!(",\r\n{error}]").into() }
}
