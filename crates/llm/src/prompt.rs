//! Prompts and replies, in no provider's format. Their `Debug` shows sizes, never text.

use std::fmt;

/// The purpose of a call, for logs and records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    Worker,
    Auditor,
    Writer,
    Supervisor,
    Gateway,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageRole {
    User,
    Assistant,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    pub role: MessageRole,
    pub text: String,
}

#[derive(Clone, Default, PartialEq)]
pub struct Prompt {
    pub system: Option<String>,
    pub messages: Vec<Message>,
    pub temperature: Option<f64>,
    pub max_tokens: Option<u32>,
}

/// A JSON Schema with the name that providers require.
#[derive(Clone, Debug)]
pub struct Schema {
    pub name: &'static str,
    pub json: serde_json::Value,
}

/// The requested format of a reply.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ReplyFormat<'a> {
    Text,
    Schema(&'a Schema),
    /// Any JSON object, with the schema described in the prompt, for models that don't support schemas.
    Object(&'a Schema),
}

#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    pub text: String,
    /// The model's name as reported by the provider.
    pub model: String,
    pub finish: Finish,
    pub usage: Usage,
}

/// A reply that was parsed into a value. `reply` keeps the raw text as provenance.
#[derive(Clone, Debug)]
pub struct Structured<T> {
    pub value: T,
    pub reply: Reply,
    pub repaired: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    Stop,
    Length,
    Other(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
}

impl Purpose {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Worker => "worker",
            Self::Auditor => "auditor",
            Self::Writer => "writer",
            Self::Supervisor => "supervisor",
            Self::Gateway => "gateway",
        }
    }
}

impl<'a> ReplyFormat<'a> {
    pub(crate) fn schema(self) -> Option<&'a Schema> {
        match self {
            Self::Text => None,
            Self::Schema(schema) | Self::Object(schema) => Some(schema),
        }
    }
}

impl Message {
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: MessageRole::User, text: text.into() }
    }

    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: MessageRole::Assistant, text: text.into() }
    }
}

impl Prompt {
    /// A single user message without a system prompt.
    pub fn user(text: impl Into<String>) -> Self {
        Self { messages: vec![Message::user(text)], ..Self::default() }
    }
}

impl Usage {
    /// The total number of tokens. `None` only if both counts are unknown.
    pub fn total(&self) -> Option<u64> {
        match (self.input_tokens, self.output_tokens) {
            (None, None) => None,
            (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}[{} bytes]", self.role, self.text.len())
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt")
            .field("system_bytes", &self.system.as_ref().map_or(0, String::len))
            .field("messages", &self.messages)
            .field("temperature", &self.temperature)
            .field("max_tokens", &self.max_tokens)
            .finish()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("text_bytes", &self.text.len())
            .field("model", &self.model)
            .field("finish", &self.finish)
            .field("usage", &self.usage)
            .finish()
    }
}
