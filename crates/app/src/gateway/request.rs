//! The parts of a request that the gateway reads: the model, whether to stream, and the query. The rest is forwarded unread.

use std::borrow::Cow;

use bytes::Bytes;
use countersign_llm::Target;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json_errors::explain;

/// A chat request, ready to be forwarded.
pub(crate) struct ChatRequest {
    /// The model as the caller named it.
    pub(crate) model: String,
    pub(crate) target: Target,
    pub(crate) is_stream: bool,
    /// The newest query, which is recorded.
    pub(crate) query: String,
    pub(crate) body: Bytes,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum ChatRequestError {
    #[error("{0}")]
    NotAChat(String),
    #[error(
        "no key is configured for the provider {0}; set it and restart the server. If {0}/… is a model of the worker's provider, \
         write that provider first, as in provider/{0}/…"
    )]
    NotConfigured(String),
    #[error("you must provide a model")]
    NoModel,
    #[error("you must provide at least one message")]
    NoMessages,
}

#[derive(Deserialize)]
struct RequestFields<'a> {
    #[serde(borrow, default)]
    model: Option<&'a RawValue>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(borrow, default)]
    messages: Option<Vec<Message<'a>>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ContentPart<'a> {
    #[serde(borrow, rename = "type", default)]
    part_type: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
}

impl ChatRequest {
    /// `is_provider` says which providers can be called. A bare model name goes to the provider of `worker`.
    pub(crate) fn read(
        body: &Bytes,
        worker: &Target,
        is_provider: impl Fn(&str) -> bool,
    ) -> Result<Self, ChatRequestError> {
        let text =
            std::str::from_utf8(body).map_err(|_| ChatRequestError::NotAChat("the body is not UTF-8".to_owned()))?;
        // Serde would also accept an array, and read its items as the fields in their order.
        if !text.trim_ascii_start().starts_with('{') {
            return Err(ChatRequestError::NotAChat("the body must be one JSON object".to_owned()));
        }
        let fields: RequestFields<'_> =
            serde_json::from_str(text).map_err(|error| ChatRequestError::NotAChat(explain(&error, text)))?;
        let raw_model = fields.model.ok_or(ChatRequestError::NoModel)?;
        let model: Cow<'_, str> = serde_json::from_str(raw_model.get()).map_err(|_| ChatRequestError::NoModel)?;
        if model.trim().is_empty() {
            return Err(ChatRequestError::NoModel);
        }
        let messages = fields.messages.filter(|messages| !messages.is_empty()).ok_or(ChatRequestError::NoMessages)?;
        let named = model.split_once('/').filter(|(provider, rest)| is_provider(provider) && !rest.is_empty());
        let (target, body) = match named {
            Some((provider, rest)) => {
                (Target::new(provider, rest), with_model(body, text, raw_model, rest).ok_or(ChatRequestError::NoModel)?)
            }
            // A request that names one company must not be sent to another.
            None if let Some(other) = RESERVED_NAMES.iter().find(|name| is_named(&model, name)) => {
                return Err(ChatRequestError::NotConfigured((*other).to_owned()));
            }
            None => (Target::new(worker.provider.clone(), &*model), body.clone()),
        };
        let is_stream = fields.stream.unwrap_or(false);
        Ok(Self { query: query_of(&messages), model: model.into_owned(), target, is_stream, body })
    }
}

/// Names that, before a slash, always mean the provider of that name, even if it is not configured.
const RESERVED_NAMES: [&str; 4] = ["groq", "gemini", "openai", "anthropic"];

fn is_named(model: &str, provider: &str) -> bool {
    model.strip_prefix(provider).is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'))
}

/// The body with the model replaced, and otherwise unchanged.
fn with_model(body: &Bytes, text: &str, raw_model: &RawValue, model: &str) -> Option<Bytes> {
    let at = (raw_model.get().as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let after = at + raw_model.get().len();
    let model = serde_json::to_string(model).ok()?;
    Some([body.get(..at)?, model.as_bytes(), body.get(after..)?].concat().into())
}

/// The last text of the user, or the last text of any role if the user sent none.
fn query_of(messages: &[Message<'_>]) -> String {
    let by_user = messages.iter().rev().filter(|message| message.role.as_deref() == Some("user"));
    let text = by_user.chain(messages.iter().rev()).map(text_of).find(|text| !text.trim().is_empty());
    text.unwrap_or_else(|| "(no text)".to_owned())
}

fn text_of(message: &Message<'_>) -> String {
    let Some(content) = message.content.map(RawValue::get) else { return String::new() };
    match content.as_bytes().first() {
        Some(b'"') => serde_json::from_str(content).unwrap_or_default(),
        Some(b'[') => {
            let parts: Vec<ContentPart<'_>> = serde_json::from_str(content).unwrap_or_default();
            let texts: Vec<_> = parts.into_iter().map(part_text).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// A text part's text. Any other part is shown as its type in brackets.
fn part_text(part: ContentPart<'_>) -> String {
    match (part.text, part.part_type) {
        (Some(text), _) => text.into_owned(),
        (None, Some(kind)) => format!("[{}]", kind.chars().take(32).collect::<String>()),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<ChatRequest, ChatRequestError> {
        let known = |name: &str| ["openai", "gemini"].contains(&name);
        ChatRequest::read(&Bytes::from(body.to_owned()), &Target::new("groq", "llama"), known)
    }

    fn check(model: &str, target: &str, forwarded_model: &str) {
        let body = |model: &str| {
            format!(
                r#"{{"x": {{"model": "inner"}}, "model" : "{model}", "messages":[{{"role":"user","content":"hi"}}], "zz":1e400}}"#
            )
        };
        let request = read(&body(model)).unwrap();
        assert_eq!(request.target.to_string(), target);
        assert_eq!(request.body, body(forwarded_model).as_bytes(), "every other byte stays");
    }

    #[test]
    fn a_bare_model_goes_to_the_worker_and_a_named_provider_gets_its_own() {
        check("gpt-x", "groq/gpt-x", "gpt-x");
        check("openai/gpt-x", "openai/gpt-x", "gpt-x");
        check("meta-llama/llama-4", "groq/meta-llama/llama-4", "meta-llama/llama-4");
        check("openai/", "groq/openai/", "openai/");
    }

    #[test]
    fn the_query_is_the_users_last_text() {
        let request = read(
            r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"first"},{"role":"user","content":[
            {"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:…"}}]},{"role":"assistant","content":null}]}"#,
        )
        .unwrap();
        assert_eq!((request.query.as_str(), request.is_stream), ("see\n[image_url]", true));
        let system = read(r#"{"model":"m","messages":[{"role":"system","content":"be kind"}]}"#).unwrap();
        assert_eq!(system.query, "be kind");
        let none = read(r#"{"model":"m","messages":[{"role":"user"}]}"#).unwrap();
        assert_eq!(none.query, "(no text)");
    }

    #[test]
    fn a_body_that_is_not_a_chat_request_is_refused() {
        for (body, error) in [
            ("{", "line 1, column 1"),
            ("[]", "one JSON object"),
            (r#"{"messages":[{"role":"user","content":"x"}]}"#, "must provide a model"),
            (r#"{"model":7,"messages":[{"role":"user"}]}"#, "must provide a model"),
            (r#"{"model":"m","messages":[]}"#, "at least one message"),
            (r#"{"model":"m","stream":"yes","messages":[{}]}"#, "stream: invalid type: string"),
            (r#"{"model":"m","messages":"hi"}"#, "messages: invalid type: string"),
            (r#"{"model":"anthropic/claude","messages":[{}]}"#, "no key is configured for the provider anthropic"),
        ] {
            let refused = read(body).err().unwrap().to_string();
            assert!(refused.contains(error), "{body}: {refused}");
        }
    }
}
