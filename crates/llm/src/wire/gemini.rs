//! Gemini's `generateContent`. Its schema language is a subset, so ours is translated; its thoughts are not answers.

use super::{Parsed, malformed};
use crate::error::CallError;
use crate::prompt::{Finish, Prompt, Role, Schema, Usage};
use hyper::Uri;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Keys that Gemini's schema knows and that mean the same there.
const KEPT: [&str; 14] = [
    "description", "format", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "nullable",
    "pattern", "required", "title", "propertyOrdering", "default",
];
const DEPTH_MAX: u8 = 24;
const WITHHELD: [&str; 7] =
    ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "MODEL_ARMOR"];

pub(crate) fn uri(base: &str, model: &str) -> Result<Uri, CallError> {
    let model = model.strip_prefix("models/").unwrap_or(model);
    let mut url = format!("{base}/models/");
    for byte in model.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => url.push(char::from(byte)),
            // A name from outside must not reach another path.
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url.push_str(":generateContent");
    url.parse().map_err(|_| CallError::Malformed("the model's name does not fit into a URL".into()))
}

pub(crate) fn request(prompt: &Prompt, schema: Option<&Schema>) -> Value {
    let contents = prompt.messages.iter().map(|message| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "model",
        };
        json!({"role": role, "parts": [{"text": message.text}]})
    });
    let mut generation = Map::new();
    if let Some(temperature) = prompt.temperature {
        generation.insert("temperature".into(), temperature.into());
    }
    if let Some(max_tokens) = prompt.max_tokens {
        generation.insert("maxOutputTokens".into(), max_tokens.into());
    }
    if let Some(schema) = schema {
        generation.insert("responseMimeType".into(), "application/json".into());
        generation.insert("responseSchema".into(), translated(&schema.json, &schema.json, 0));
    }
    let mut body = Map::new();
    if let Some(system) = &prompt.system {
        body.insert("systemInstruction".into(), json!({"parts": [{"text": system}]}));
    }
    body.insert("contents".into(), contents.collect());
    if !generation.is_empty() {
        body.insert("generationConfig".into(), Value::Object(generation));
    }
    Value::Object(body)
}

/// JSON Schema in Gemini's subset: references inlined, null as `nullable`, what it does not know left out.
fn translated(schema: &Value, root: &Value, depth: u8) -> Value {
    let Some(object) = schema.as_object().filter(|_| depth < DEPTH_MAX) else { return json!({}) };
    if let Some(pointer) = object.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
        return root.pointer(pointer).map_or_else(|| json!({}), |found| translated(found, root, depth + 1));
    }
    let mut out: Map<String, Value> =
        object.iter().filter(|(key, _)| KEPT.contains(&key.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect();
    let within = |value: &Value| translated(value, root, depth + 1);
    match object.get("type") {
        Some(Value::String(name)) => {
            out.insert("type".into(), name.to_ascii_uppercase().into());
        }
        Some(Value::Array(names)) => {
            let names: Vec<_> = names.iter().filter_map(Value::as_str).collect();
            if let Some(name) = names.iter().find(|name| **name != "null") {
                out.insert("type".into(), name.to_ascii_uppercase().into());
            }
            if names.contains(&"null") {
                out.insert("nullable".into(), true.into());
            }
        }
        _ => {}
    }
    let choices = object.get("enum").and_then(Value::as_array).cloned();
    let choices = choices.or_else(|| object.get("const").map(|only| vec![only.clone()])).unwrap_or_default();
    // Only strings can be listed there.
    let names: Vec<Value> = choices.into_iter().filter(Value::is_string).collect();
    if !names.is_empty() {
        out.insert("enum".into(), names.into());
        out.insert("type".into(), "STRING".into());
    }
    if let Some(properties) = object.get("properties").and_then(Value::as_object) {
        let translated = properties.iter().map(|(name, value)| (name.clone(), within(value))).collect();
        out.insert("properties".into(), Value::Object(translated));
    }
    if let Some(items) = object.get("items") {
        out.insert("items".into(), within(items));
    }
    if let Some(any) = object.get("anyOf").or_else(|| object.get("oneOf")).and_then(Value::as_array) {
        let is_null = |value: &&Value| value.get("type").and_then(Value::as_str) == Some("null");
        if any.iter().any(|value| is_null(&value)) {
            out.insert("nullable".into(), true.into());
        }
        out.insert("anyOf".into(), any.iter().filter(|value| !is_null(value)).map(within).collect());
    }
    Value::Object(out)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    candidates: Option<Vec<Candidate>>,
    prompt_feedback: Option<Feedback>,
    usage_metadata: Option<Tokens>,
    model_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    parts: Option<Vec<Part>>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    thought: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
    block_reason_message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    prompt_token_count: Option<u64>,
    candidates_token_count: Option<u64>,
    thoughts_token_count: Option<u64>,
}

pub(crate) fn parse(body: &[u8]) -> Result<Parsed, CallError> {
    let body: Body = serde_json::from_slice(body).map_err(|error| malformed(&error))?;
    if body.candidates.is_none() && body.prompt_feedback.is_none() && body.usage_metadata.is_none() {
        return Err(CallError::Malformed("no candidates".into()));
    }
    let usage = body.usage_metadata.map_or_else(Usage::default, |tokens| Usage {
        input_tokens: tokens.prompt_token_count,
        output_tokens: match (tokens.candidates_token_count, tokens.thoughts_token_count) {
            (None, None) => None,
            // Thinking is billed as output.
            (answer, thoughts) => Some(answer.unwrap_or(0).saturating_add(thoughts.unwrap_or(0))),
        },
    });
    let blocked = body.prompt_feedback.and_then(|feedback| feedback.block_reason.or(feedback.block_reason_message));
    let candidate = body.candidates.unwrap_or_default().into_iter().next();
    let (content, reason) = candidate.map_or((None, None), |candidate| (candidate.content, candidate.finish_reason));
    let withheld = blocked.or_else(|| reason.clone().filter(|reason| WITHHELD.contains(&reason.as_str())));
    let parts = content.and_then(|content| content.parts).unwrap_or_default();
    let text = parts.into_iter().filter(|part| part.thought != Some(true)).filter_map(|part| part.text).collect();
    let finish = match reason.as_deref() {
        Some("STOP") | None => Finish::Stop,
        Some("MAX_TOKENS") => Finish::Length,
        Some(other) => Finish::Other(other.chars().take(64).collect()),
    };
    Ok(Parsed { model: body.model_version.unwrap_or_default(), text, finish, usage, withheld })
}
