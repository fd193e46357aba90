//! Anthropic's messages. For JSON with a schema, the model is forced to use a tool, and the tool's input is the answer.

use super::{ParsedReply, malformed};
use crate::error::CallError;
use crate::prompt::{Finish, MessageRole, Prompt, Schema, Usage};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// Anthropic requires this field.
const MAX_TOKENS_DEFAULT: u32 = 4_096;

pub(crate) fn request(model: &str, prompt: &Prompt, schema: Option<&Schema>) -> Value {
    let messages = prompt.messages.iter().map(|message| {
        let role = match message.role {
            MessageRole::User => "user",
            MessageRole::Assistant => "assistant",
        };
        json!({"role": role, "content": message.text})
    });
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("max_tokens".into(), prompt.max_tokens.unwrap_or(MAX_TOKENS_DEFAULT).into());
    if let Some(system) = &prompt.system {
        body.insert("system".into(), system.as_str().into());
    }
    body.insert("messages".into(), messages.collect());
    if let Some(temperature) = prompt.temperature {
        body.insert("temperature".into(), temperature.clamp(0.0, 1.0).into());
    }
    if let Some(schema) = schema {
        let tool = json!({"name": schema.name, "description": "Give the answer.", "input_schema": schema.json});
        body.insert("tools".into(), json!([tool]));
        body.insert("tool_choice".into(), json!({"type": "tool", "name": schema.name}));
    }
    Value::Object(body)
}

#[derive(Deserialize)]
struct Body {
    model: Option<String>,
    content: Option<Vec<Block>>,
    stop_reason: Option<String>,
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    input: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Tokens {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

pub(crate) fn parse(body: &[u8]) -> Result<ParsedReply, CallError> {
    let body: Body = serde_json::from_slice(body).map_err(|error| malformed(&error))?;
    let Some(blocks) = body.content else {
        return Err(CallError::Malformed("no content".into()));
    };
    let usage = body.usage.map_or_else(Usage::default, |tokens| Usage {
        // Cached tokens are input too.
        input_tokens: tokens.input_tokens.map(|input| {
            let cached = [tokens.cache_creation_input_tokens, tokens.cache_read_input_tokens];
            cached.into_iter().flatten().fold(input, u64::saturating_add)
        }),
        output_tokens: tokens.output_tokens,
    });
    let input = blocks.iter().find(|block| block.kind == "tool_use").and_then(|block| block.input.as_ref());
    let text = match input {
        Some(input) => input.get().to_owned(),
        None => blocks.iter().filter(|block| block.kind == "text").filter_map(|block| block.text.as_deref()).collect(),
    };
    let withheld = (body.stop_reason.as_deref() == Some("refusal")).then(|| "refusal".to_owned());
    let finish = match body.stop_reason.as_deref() {
        Some("end_turn" | "stop_sequence" | "tool_use") | None => Finish::Stop,
        Some("max_tokens" | "model_context_window_exceeded") => Finish::Length,
        Some(other) => Finish::Other(other.chars().take(64).collect()),
    };
    Ok(ParsedReply { model: body.model.unwrap_or_default(), text, finish, usage, withheld })
}
