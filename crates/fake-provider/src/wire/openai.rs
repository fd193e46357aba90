//! Chat completions of OpenAI, Groq and Ollama, with extra fields that a proxy must pass on unchanged.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{Frames, event_data, request_id, to_text};
use crate::received::Received;
use crate::reply::{FinishReason, ModelReply, ReplyContent, Tokens};

const CREATED: u64 = 1_767_225_600;
/// Extra fields that a proxy must pass on unchanged.
const EXTRAS: &str =
    r#""service_tier":"default","system_fingerprint":"fp_fake0001","x_fake_unknown":{"kept":[1,"two",null]}"#;

/// Writes the outer object as text, because building JSON values would take most of a benchmark's time.
pub(super) fn unary(received: &Received, reply: &ModelReply) -> String {
    let choices = reply.choices.iter().enumerate();
    let choices: Value = choices.map(|(index, content)| choice(index, content, reply.finish)).collect();
    let (head, choices, usage) = (head(received, "chat.completion"), to_text(&choices), usage(reply.tokens));
    let request = request_id(received);
    format!(r#"{{{head},"choices":{choices},"usage":{usage},"x_groq":{{"id":"{request}","seed":7}},{EXTRAS}}}"#)
}

fn head(received: &Received, object: &str) -> String {
    let (number, model) = (received.number, to_text(&received.model().into()));
    format!(r#""id":"chatcmpl-fake{number}","object":"{object}","created":{CREATED},"model":{model}"#)
}

fn choice(index: usize, content: &ReplyContent, finish: FinishReason) -> Value {
    let mut message = json!({"role": "assistant", "content": content.text(), "refusal": null, "annotations": []});
    if let ReplyContent::Tool { name, arguments } = content {
        let call =
            json!({"id": call_id(index), "type": "function", "function": {"name": name, "arguments": arguments}});
        message["tool_calls"] = json!([call]);
    }
    json!({"index": index, "message": message, "logprobs": null, "finish_reason": finish_reason(finish)})
}

pub(super) fn stream(received: &Received, reply: &ModelReply) -> Frames {
    let has_usage = received.json.as_ref().is_some_and(|json| json["stream_options"]["include_usage"] == true);
    let head = head(received, "chat.completion.chunk");
    let no_usage = if has_usage { r#","usage":null"# } else { "" };
    let chunk = |choice: Value, more: &str| {
        let choice = to_text(&choice);
        event_data(format_args!(r#"{{{head},"choices":[{choice}],{EXTRAS}{no_usage}{more}}}"#))
    };
    let mut frames = Frames::default();
    for (index, content) in reply.choices.iter().enumerate() {
        frames.opening.push(chunk(part(index, opening(index, content), None), ""));
        let last = part(index, json!({}), Some(finish_reason(reply.finish)));
        frames.closing.push(chunk(last, &groq_usage(received, reply.tokens)));
    }
    for (index, content, text) in interleaved(&reply.choices) {
        frames.chunks.push(chunk(part(index, delta(content, text), None), ""));
    }
    if has_usage {
        let usage = usage(reply.tokens);
        frames.closing.push(event_data(format_args!(r#"{{{head},"choices":[],"usage":{usage},{EXTRAS}}}"#)));
    }
    frames.closing.push(Bytes::from_static(b"data: [DONE]\n\n"));
    frames
}

/// Interleaves the choices: the first delta of each, then the second of each.
fn interleaved(choices: &[ReplyContent]) -> Vec<(usize, &ReplyContent, &str)> {
    let deltas = choices.iter().enumerate().flat_map(|(index, content)| {
        content.deltas().into_iter().enumerate().map(move |(turn, text)| (turn, (index, content, text)))
    });
    let mut deltas: Vec<_> = deltas.collect();
    deltas.sort_by_key(|(turn, (index, ..))| (*turn, *index));
    deltas.into_iter().map(|(_, delta)| delta).collect()
}

fn part(index: usize, delta: Value, finish: Option<&str>) -> Value {
    json!({"index": index, "delta": delta, "logprobs": null, "finish_reason": finish})
}

/// Groq always sends the usage, in a field of its own.
fn groq_usage(received: &Received, tokens: Tokens) -> String {
    if !received.is_groq() {
        return String::new();
    }
    format!(r#","x_groq":{{"id":"{}","usage":{}}}"#, request_id(received), usage(tokens))
}

/// A tool call starts with its name and empty arguments, which the deltas then fill.
fn opening(index: usize, content: &ReplyContent) -> Value {
    let ReplyContent::Tool { name, .. } = content else {
        return json!({"role": "assistant", "content": "", "refusal": null});
    };
    let call =
        json!({"index": 0, "id": call_id(index), "type": "function", "function": {"name": name, "arguments": ""}});
    json!({"role": "assistant", "content": null, "tool_calls": [call]})
}

fn delta(content: &ReplyContent, text: &str) -> Value {
    match content {
        ReplyContent::Tool { .. } => json!({"tool_calls": [{"index": 0, "function": {"arguments": text}}]}),
        _ => json!({"content": text}),
    }
}

fn usage(tokens: Tokens) -> String {
    let (prompt, completion, total) = (tokens.prompt, tokens.completion, tokens.total());
    let details = r#""prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}"#;
    format!(r#"{{"prompt_tokens":{prompt},"completion_tokens":{completion},"total_tokens":{total},{details}}}"#)
}

fn call_id(index: usize) -> String {
    format!("call_fake{index}")
}

fn finish_reason(finish: FinishReason) -> &'static str {
    match finish {
        FinishReason::Stop => "stop",
        FinishReason::Tool => "tool_calls",
        FinishReason::MaxTokens => "length",
        FinishReason::Safety | FinishReason::Recitation | FinishReason::Blocked => "content_filter",
    }
}

pub(super) fn models() -> Value {
    let model = |id: &str| json!({"id": id, "object": "model", "created": CREATED, "owned_by": "fake"});
    json!({"object": "list", "data": [model("fake-large"), model("fake-small")]})
}

pub(super) fn error(received: &Received, status: u16, retry_after_s: Option<f64>, message: Option<&str>) -> Value {
    let model = received.model();
    let (kind, code, usual) = match status {
        400 if message.is_some() => ("invalid_request_error", Value::Null, String::new()),
        400 => (
            "invalid_request_error",
            json!("context_length_exceeded"),
            "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.".to_owned(),
        ),
        401 => (
            "invalid_request_error",
            json!("invalid_api_key"),
            "Incorrect API key provided. You can find your API key in your account settings.".to_owned(),
        ),
        403 => {
            ("invalid_request_error", json!("unsupported_country_region_territory"), "Not supported here.".to_owned())
        }
        404 if model.is_empty() => ("invalid_request_error", json!("unknown_url"), "Unknown request URL.".to_owned()),
        404 => (
            "invalid_request_error",
            json!("model_not_found"),
            format!("The model `{model}` does not exist or you do not have access to it."),
        ),
        429 => {
            let wait = retry_after_s.map(|after_s| format!(" Please try again in {after_s}s.")).unwrap_or_default();
            let usual = format!("Rate limit reached for {model} on requests per min (RPM): Limit 3, Used 3.{wait}");
            ("requests", json!("rate_limit_exceeded"), usual)
        }
        503 => (
            "service_unavailable",
            Value::Null,
            "The engine is currently overloaded, please try again later".to_owned(),
        ),
        _ => ("server_error", Value::Null, "The server had an error while processing your request.".to_owned()),
    };
    json!({"error": {"message": message.unwrap_or(&usual), "type": kind, "param": null, "code": code}})
}

/// Groq names the event and repeats the status; OpenAI only sends the body.
pub(super) fn stream_error(received: &Received) -> Bytes {
    let mut body = error(received, 500, None, None);
    if !received.is_groq() {
        return event_data(&body);
    }
    body["error"]["status_code"] = json!(500);
    format!("event: error\ndata: {body}\n\n").into()
}
