//! Gemini's `generateContent`. It only supports a subset of JSON Schema, so schemas are translated. Replies leave out thoughts.

use super::{ParsedReply, gemini_schema, malformed};
use crate::error::CallError;
use crate::prompt::{Finish, MessageRole, Prompt, Schema, Usage};
use hyper::Uri;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const WITHHELD: [&str; 7] =
    ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "MODEL_ARMOR"];

pub(crate) fn uri(base: &str, model: &str) -> Result<Uri, CallError> {
    let model = model.strip_prefix("models/").unwrap_or(model);
    let mut url = format!("{base}/models/");
    for byte in model.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => url.push(char::from(byte)),
            // Escape everything else, so that a name from outside can't change the path.
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url.push_str(":generateContent");
    url.parse().map_err(|_| CallError::Malformed("the model's name does not fit into a URL".into()))
}

pub(crate) fn request(prompt: &Prompt, schema: Option<&Schema>) -> Value {
    let contents = prompt.messages.iter().map(|message| {
        let role = match message.role {
            MessageRole::User => "user",
            MessageRole::Assistant => "model",
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
        generation.insert("responseSchema".into(), gemini_schema::translate(&schema.json));
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
    parts: Option<Vec<ContentPart>>,
}

#[derive(Deserialize)]
struct ContentPart {
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

pub(crate) fn parse(body: &[u8]) -> Result<ParsedReply, CallError> {
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
    Ok(ParsedReply { model: body.model_version.unwrap_or_default(), text, finish, usage, withheld })
}
