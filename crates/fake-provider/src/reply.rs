//! A model's reply before it is written in a wire format: choices, finish reason and token counts.

use std::borrow::Cow;

use serde_json::Value;

use crate::behaviour::Behaviour;
use crate::received::{Api, Received};
use crate::sample::sample;

/// The default answer.
pub const ANSWER_TEXT: &str = "The quarterly report was filed on time and the review found no exceptions.";

/// The answer to a request for JSON in the form of an audit.
pub const AUDIT_TEXT: &str = r#"{"risk_score":1,"hallucination_detected":false,"pii_detected":false,"toxic_content_detected":false,"prompt_injection_detected":false,"details":"No issue was found in the text.","confidence":0.9,"findings":[]}"#;

const CHOICES_MAX: u64 = 128;

#[derive(Debug)]
pub(crate) struct ModelReply {
    pub(crate) choices: Vec<ReplyContent>,
    pub(crate) finish: FinishReason,
    pub(crate) tokens: Tokens,
}

#[derive(Debug, Clone)]
pub(crate) enum ReplyContent {
    Text(Cow<'static, str>),
    /// Text that a stream sends in these chunks.
    Chunks(Vec<String>),
    Tool {
        name: String,
        arguments: String,
    },
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FinishReason {
    Stop,
    Tool,
    MaxTokens,
    Safety,
    Recitation,
    Blocked,
}

/// Estimated token counts: four bytes of the request, or one word of the answer, per token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tokens {
    pub(crate) prompt: usize,
    pub(crate) completion: usize,
}

impl Tokens {
    pub(crate) fn total(self) -> usize {
        self.prompt + self.completion
    }
}

impl ReplyContent {
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(text) => Some(Cow::Borrowed(text)),
            Self::Chunks(chunks) => Some(Cow::Owned(chunks.concat())),
            Self::Tool { .. } | Self::Nothing => None,
        }
    }

    /// The deltas of a stream: words, the given chunks, or pieces of a tool's arguments.
    pub(crate) fn deltas(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => text.split_inclusive(' ').collect(),
            Self::Chunks(chunks) => chunks.iter().map(String::as_str).collect(),
            // Models send arguments in pieces that are not valid JSON by themselves.
            Self::Tool { arguments, .. } => arguments.split_inclusive([':', ',']).collect(),
            Self::Nothing => Vec::new(),
        }
    }
}

impl ModelReply {
    pub(crate) fn new(received: &Received, behaviour: Behaviour) -> Self {
        let (choices, finish) = choices_of(received, behaviour);
        let completion = choices.iter().map(|choice| choice.deltas().len()).sum();
        let tokens = Tokens { prompt: received.body.len() / 4, completion };
        Self { choices, finish, tokens }
    }
}

fn choices_of(received: &Received, behaviour: Behaviour) -> (Vec<ReplyContent>, FinishReason) {
    let one = |content, finish| (vec![content], finish);
    match behaviour {
        Behaviour::Text(text) => (repeat(received, ReplyContent::Text(text.into())), FinishReason::Stop),
        Behaviour::Choices(texts) => {
            (texts.into_iter().map(|text| ReplyContent::Text(text.into())).collect(), FinishReason::Stop)
        }
        Behaviour::ToolCall { name, arguments } => one(ReplyContent::Tool { name, arguments }, FinishReason::Tool),
        Behaviour::StreamText { chunks } => one(ReplyContent::Chunks(chunks), FinishReason::Stop),
        Behaviour::Empty => (Vec::new(), FinishReason::Stop),
        Behaviour::Blocked => (Vec::new(), FinishReason::Blocked),
        Behaviour::EmptyText => one(ReplyContent::Text("".into()), FinishReason::Stop),
        Behaviour::EmptyParts => one(ReplyContent::Nothing, FinishReason::Stop),
        Behaviour::Safety => one(ReplyContent::Nothing, FinishReason::Safety),
        Behaviour::Recitation => one(ReplyContent::Nothing, FinishReason::Recitation),
        Behaviour::MaxTokens => {
            one(ReplyContent::Text("The quarterly report was filed on".into()), FinishReason::MaxTokens)
        }
        _ => match requested_tool(received) {
            Some(tool) => one(tool, FinishReason::Tool),
            None => (repeat(received, ReplyContent::Text(canned_text(received))), FinishReason::Stop),
        },
    }
}

/// Repeats the content for each choice that the request asks for. Anthropic's requests can't ask for several.
fn repeat(received: &Received, content: ReplyContent) -> Vec<ReplyContent> {
    let requested = received.json.as_ref().and_then(|json| match received.api {
        Api::OpenAi => json["n"].as_u64(),
        Api::Gemini => json["generationConfig"]["candidateCount"].as_u64(),
        Api::Anthropic => None,
    });
    let count = requested.unwrap_or(1).clamp(1, CHOICES_MAX);
    (0..count).map(|_| content.clone()).collect()
}

fn canned_text(received: &Received) -> Cow<'static, str> {
    let Some(json) = &received.json else { return ANSWER_TEXT.into() };
    if json["generationConfig"]["responseMimeType"] == "application/json" {
        return AUDIT_TEXT.into();
    }
    let format = &json["response_format"];
    let schema = &format["json_schema"]["schema"];
    let is_audit = || received.body.windows(10).any(|window| window == b"risk_score");
    match format["type"].as_str() {
        Some("json_schema" | "json_object") if is_audit() => AUDIT_TEXT.into(),
        Some("json_schema") => sample(schema).to_string().into(),
        Some("json_object") => r#"{"answer":"No exceptions."}"#.into(),
        _ => ANSWER_TEXT.into(),
    }
}

/// The request's first tool, if its last message says "call a tool".
fn requested_tool(received: &Received) -> Option<ReplyContent> {
    let json = received.json.as_ref()?;
    let tool = json["tools"].get(0)?;
    let messages = json["messages"].as_array().or_else(|| json["contents"].as_array())?;
    if !messages.last()?.to_string().to_ascii_lowercase().contains("call a tool") {
        return None;
    }
    let (name, schema) = match received.api {
        Api::OpenAi => (&tool["function"]["name"], &tool["function"]["parameters"]),
        Api::Gemini => (&tool["functionDeclarations"][0]["name"], &tool["functionDeclarations"][0]["parameters"]),
        Api::Anthropic => (&tool["name"], &tool["input_schema"]),
    };
    let schema = if schema.is_null() { &Value::Bool(true) } else { schema };
    Some(ReplyContent::Tool { name: name.as_str()?.to_owned(), arguments: sample(schema).to_string() })
}
