//! OpenAI's chat completions, as spoken by OpenAI, Groq, Ollama and many others.

use super::{ParsedReply, malformed};
use crate::error::CallError;
use crate::prompt::{Finish, MessageRole, Prompt, ReplyFormat, Schema, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The differences between OpenAI and compatible servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// OpenAI itself refuses `max_tokens` for its newer models.
    Original,
    /// Compatible servers take `max_tokens`; some refuse `max_completion_tokens`.
    Compatible,
}

impl Dialect {
    pub(crate) fn of(base_url: &str) -> Self {
        if base_url.starts_with("https://api.openai.com/") { Self::Original } else { Self::Compatible }
    }
}

pub(crate) fn request(model: &str, prompt: &Prompt, format: ReplyFormat<'_>, dialect: Dialect) -> Value {
    let system = system(prompt, format).map(|text| json!({"role": "system", "content": text}));
    let messages = prompt.messages.iter().map(|message| {
        let role = match message.role {
            MessageRole::User => "user",
            MessageRole::Assistant => "assistant",
        };
        json!({"role": role, "content": message.text})
    });
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), system.into_iter().chain(messages).collect());
    if let Some(temperature) = prompt.temperature {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(max_tokens) = prompt.max_tokens {
        let name = if dialect == Dialect::Original { "max_completion_tokens" } else { "max_tokens" };
        body.insert(name.into(), max_tokens.into());
    }
    match format {
        ReplyFormat::Text => {}
        ReplyFormat::Schema(Schema { name, json }) => {
            let inner = json!({"name": name, "strict": true, "schema": json});
            body.insert("response_format".into(), json!({"type": "json_schema", "json_schema": inner}));
        }
        ReplyFormat::Object(_) => {
            body.insert("response_format".into(), json!({"type": "json_object"}));
        }
    }
    Value::Object(body)
}

fn system(prompt: &Prompt, format: ReplyFormat<'_>) -> Option<String> {
    let ReplyFormat::Object(schema) = format else { return prompt.system.clone() };
    let described = format!("Answer with only a JSON object that follows this JSON Schema:\n{}", schema.json);
    Some(prompt.system.iter().cloned().chain([described]).collect::<Vec<_>>().join("\n\n"))
}

/// Whether a provider's error means that the model doesn't support schemas.
pub(crate) fn is_schema_refusal(status: u16, message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    let names_schemas = ["json_schema", "response_format", "response format"].iter().any(|name| message.contains(name));
    matches!(status, 400 | 404 | 422) && names_schemas
}

#[derive(Deserialize)]
struct Body {
    model: Option<String>,
    choices: Option<Vec<Choice>>,
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Choice {
    message: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<Content>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Deserialize)]
struct ContentPart {
    text: Option<String>,
}

#[derive(Deserialize)]
struct Tokens {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

pub(crate) fn parse(body: &[u8]) -> Result<ParsedReply, CallError> {
    let body: Body = serde_json::from_slice(body).map_err(|error| malformed(&error))?;
    let Some(choices) = body.choices else {
        return Err(CallError::Malformed("no choices".into()));
    };
    let usage = body.usage.map_or_else(Usage::default, |tokens| Usage {
        input_tokens: tokens.prompt_tokens,
        output_tokens: tokens.completion_tokens,
    });
    let choice = choices.into_iter().next();
    let (message, reason) = choice.map_or((None, None), |choice| (choice.message, choice.finish_reason));
    let (content, refusal) = message.map_or((None, None), |message| (message.content, message.refusal));
    let withheld = match reason.as_deref() {
        Some("content_filter") => Some("content_filter".to_owned()),
        _ => refusal.filter(|text| !text.is_empty()).map(|_| "refusal".to_owned()),
    };
    let text = match content {
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
        None => String::new(),
    };
    let finish = match reason.as_deref() {
        Some("stop") | None => Finish::Stop,
        Some("length") => Finish::Length,
        Some(other) => Finish::Other(other.chars().take(64).collect()),
    };
    Ok(ParsedReply { model: body.model.unwrap_or_default(), text, finish, usage, withheld })
}
