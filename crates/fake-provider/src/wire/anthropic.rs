//! Anthropic's messages: content blocks, named events, typed errors.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{Frames, request_id};
use crate::received::Received;
use crate::reply::{FinishReason, ModelReply, ReplyContent};

pub(super) fn unary(received: &Received, reply: &ModelReply) -> Value {
    let mut message = message(received, reply);
    message["content"] = reply.choices.first().and_then(block).into_iter().collect();
    message["stop_reason"] = json!(stop_reason(reply.finish));
    message["usage"]["output_tokens"] = json!(reply.tokens.completion);
    message
}

pub(super) fn stream(received: &Received, reply: &ModelReply) -> Frames {
    let content = reply.choices.first().filter(|content| !matches!(content, ReplyContent::Nothing));
    let mut frames = Frames::default();
    frames.opening.push(event(&json!({"type": "message_start", "message": message(received, reply)})));
    if let Some(content) = content {
        let start = json!({"type": "content_block_start", "index": 0, "content_block": empty_block(content)});
        frames.opening.push(event(&start));
        frames.opening.push(event(&json!({"type": "ping"})));
        let deltas = content.deltas().into_iter();
        frames.chunks = deltas.map(|text| event(&block_delta(content, text))).collect();
        frames.closing.push(event(&json!({"type": "content_block_stop", "index": 0})));
    }
    frames.closing.push(event(&json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason(reply.finish), "stop_sequence": null},
        "usage": {"output_tokens": reply.tokens.completion},
    })));
    frames.closing.push(event(&json!({"type": "message_stop"})));
    frames
}

/// The message at its start, without content and stop reason.
fn message(received: &Received, reply: &ModelReply) -> Value {
    json!({
        "id": format!("msg_fake{}", received.number),
        "type": "message",
        "role": "assistant",
        "model": received.model(),
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {
            "input_tokens": reply.tokens.prompt, "output_tokens": 1,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "service_tier": "standard",
        },
        // A field that no client knows: a gateway must pass it on.
        "x_fake_unknown": {"kept": [1, "two", null]},
    })
}

fn block(content: &ReplyContent) -> Option<Value> {
    if let ReplyContent::Tool { name, arguments } = content {
        let input: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
        return Some(json!({"type": "tool_use", "id": "toolu_fake0", "name": name, "input": input}));
    }
    content.text().map(|text| json!({"type": "text", "text": text}))
}

fn empty_block(content: &ReplyContent) -> Value {
    match content {
        ReplyContent::Tool { name, .. } => json!({"type": "tool_use", "id": "toolu_fake0", "name": name, "input": {}}),
        _ => json!({"type": "text", "text": ""}),
    }
}

fn block_delta(content: &ReplyContent, text: &str) -> Value {
    let delta = match content {
        ReplyContent::Tool { .. } => json!({"type": "input_json_delta", "partial_json": text}),
        _ => json!({"type": "text_delta", "text": text}),
    };
    json!({"type": "content_block_delta", "index": 0, "delta": delta})
}

fn event(json: &Value) -> Bytes {
    let name = json["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {json}\n\n").into()
}

fn stop_reason(finish: FinishReason) -> &'static str {
    match finish {
        FinishReason::Stop => "end_turn",
        FinishReason::Tool => "tool_use",
        FinishReason::MaxTokens => "max_tokens",
        FinishReason::Safety | FinishReason::Recitation | FinishReason::Blocked => "refusal",
    }
}

pub(super) fn models() -> Value {
    let model = json!({
        "type": "model", "id": "fake-large", "display_name": "Fake Large", "created_at": "2026-01-01T00:00:00Z",
    });
    json!({"data": [model], "has_more": false, "first_id": "fake-large", "last_id": "fake-large"})
}

pub(super) fn error(received: &Received, status: u16, message: Option<&str>) -> Value {
    let (kind, usual) = match status {
        400 => ("invalid_request_error", "prompt is too long: 200001 tokens > 200000 maximum"),
        401 => ("authentication_error", "invalid x-api-key"),
        403 => ("permission_error", "Your API key does not have permission to use the specified resource."),
        404 => ("not_found_error", "The requested resource could not be found."),
        413 => ("request_too_large", "Request exceeds the maximum size"),
        429 => ("rate_limit_error", "This request would exceed your organization's rate limit."),
        529 => ("overloaded_error", "Overloaded"),
        _ => ("api_error", "Internal server error"),
    };
    let error = json!({"type": kind, "message": message.unwrap_or(usual)});
    json!({"type": "error", "error": error, "request_id": request_id(received)})
}

pub(super) fn stream_error() -> Bytes {
    event(&json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}))
}
