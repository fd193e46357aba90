//! The providers' wire formats: turns prompts into requests, and response bodies into replies or errors.

pub(crate) mod anthropic;
pub(crate) mod gemini;
mod gemini_schema;
pub(crate) mod openai;
pub(crate) mod simulated;

use crate::error::CallError;
use crate::prompt::{Finish, Prompt, Reply, ReplyFormat, Usage};
use crate::provider::WireFormat;
use crate::provider_state::ProviderState;
use bytes::Bytes;
use countersign_outbound::{OutboundRequest, scrub};
use hyper::Method;
use serde::Deserialize;
use std::time::Duration;

pub(crate) fn request(
    state: &ProviderState,
    model: &str,
    prompt: &Prompt,
    format: ReplyFormat<'_>,
) -> Result<OutboundRequest, CallError> {
    let (uri, body) = match state.wire_format {
        WireFormat::OpenAi | WireFormat::Simulated => {
            (state.native.uri.clone(), openai::request(model, prompt, format, openai::Dialect::of(&state.base)))
        }
        WireFormat::Gemini => (gemini::uri(&state.base, model)?, gemini::request(prompt, format.schema())),
        WireFormat::Anthropic => (state.native.uri.clone(), anthropic::request(model, prompt, format.schema())),
    };
    let body = serde_json::to_vec(&body).map_err(|error| CallError::Malformed(error.to_string()))?;
    Ok(OutboundRequest { method: Method::POST, uri, headers: state.native.headers.clone(), body: Bytes::from(body) })
}

/// Reads a response body. The usage may be known even if there is no usable text.
pub(crate) fn reply(wire_format: WireFormat, body: &[u8], is_structured: bool) -> (Usage, Result<Reply, CallError>) {
    let parsed = match wire_format {
        WireFormat::OpenAi | WireFormat::Simulated => openai::parse(body),
        WireFormat::Gemini => gemini::parse(body),
        WireFormat::Anthropic => anthropic::parse(body),
    };
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return (Usage::default(), Err(error)),
    };
    let usage = parsed.usage;
    (usage, parsed.into_reply(is_structured))
}

/// The content of a response body, before it is checked.
pub(crate) struct ParsedReply {
    pub(crate) model: String,
    pub(crate) text: String,
    pub(crate) finish: Finish,
    pub(crate) usage: Usage,
    /// Why the provider withheld the answer.
    pub(crate) withheld: Option<String>,
}

impl ParsedReply {
    fn into_reply(self, is_structured: bool) -> Result<Reply, CallError> {
        if let Some(reason) = self.withheld {
            return Err(CallError::Safety { reason: scrub(&reason, None) });
        }
        if self.text.trim().is_empty() {
            let is_cut = is_structured && self.finish == Finish::Length;
            return Err(if is_cut { CallError::Truncated } else { CallError::Empty });
        }
        Ok(Reply { text: self.text, model: self.model, finish: self.finish, usage: self.usage })
    }
}

/// An error with the provider's message, or else with the beginning of the body.
pub(crate) fn status_error(
    state: &ProviderState,
    status: u16,
    body: &[u8],
    retry_after: Option<Duration>,
) -> CallError {
    #[derive(Deserialize)]
    struct Body {
        error: Problem,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Problem {
        Object { message: String },
        Text(String),
    }
    // Try an array first, because serde accepts one as a struct.
    let parsed = serde_json::from_slice::<[Body; 1]>(body).map(|[body]| body);
    let parsed = parsed.or_else(|_| serde_json::from_slice::<Body>(body));
    let text = match parsed {
        Ok(Body { error: Problem::Object { message } | Problem::Text(message) }) => message,
        Err(_) => String::from_utf8_lossy(&body[..body.len().min(2_000)]).into_owned(),
    };
    CallError::Status { status, message: scrub(&text, state.key()), retry_after }
}

pub(crate) fn malformed(error: &serde_json::Error) -> CallError {
    // The error's text may quote the body, so only give its position and kind.
    CallError::Malformed(format!("{:?} at line {} column {}", error.classify(), error.line(), error.column()))
}

#[cfg(test)]
mod tests;
