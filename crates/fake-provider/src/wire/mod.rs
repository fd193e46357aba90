//! The three wire formats. They only write replies; they don't choose them.
//!
//! | file           | job                                         |
//! |----------------|---------------------------------------------|
//! | `openai.rs`    | chat completions of OpenAI, Groq and Ollama |
//! | `gemini.rs`    | Gemini's `generateContent` and its stream   |
//! | `anthropic.rs` | Anthropic's messages                        |

mod anthropic;
mod gemini;
mod openai;

use std::fmt::Display;

use bytes::Bytes;
use serde_json::Value;

use crate::received::{Api, Received};
use crate::reply::ModelReply;

/// A stream before it is sent. Faults count content chunks only, not the frames before and after them.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    pub(crate) opening: Vec<Bytes>,
    pub(crate) chunks: Vec<Bytes>,
    pub(crate) closing: Vec<Bytes>,
}

pub(crate) fn unary(received: &Received, reply: &ModelReply) -> String {
    match received.api {
        Api::OpenAi => openai::unary(received, reply),
        Api::Gemini => gemini::unary(received, reply),
        Api::Anthropic => to_text(&anthropic::unary(received, reply)),
    }
}

pub(crate) fn stream(received: &Received, reply: &ModelReply) -> Frames {
    match received.api {
        Api::OpenAi => openai::stream(received, reply),
        Api::Gemini => gemini::stream(received, reply),
        Api::Anthropic => anthropic::stream(received, reply),
    }
}

pub(crate) fn models(received: &Received) -> Value {
    match received.api {
        Api::OpenAi => openai::models(),
        Api::Gemini => gemini::models(),
        Api::Anthropic => anthropic::models(),
    }
}

/// Only Gemini responds to a refused prompt with a 200.
pub(crate) fn answers_when_blocked(received: &Received) -> bool {
    received.api == Api::Gemini
}

/// The provider's error for an invalid request. `None` for a valid one.
pub(crate) fn request_error(received: &Received) -> Option<&'static str> {
    let Some(json) = &received.json else { return Some("We could not parse the JSON body of your request.") };
    let is_listed = |field: &str| json[field].as_array().is_some_and(|list| !list.is_empty());
    match received.api {
        Api::Gemini if !is_listed("contents") => Some("* GenerateContentRequest.contents: contents is not specified\n"),
        Api::Gemini => None,
        _ if !json["model"].is_string() => Some("you must provide a model parameter"),
        _ if !is_listed("messages") => Some("Missing required parameter: 'messages'."),
        Api::Anthropic if !json["max_tokens"].is_u64() => Some("max_tokens: Field required"),
        Api::Anthropic if received.header("anthropic-version").is_none() => {
            Some("anthropic-version: header is required")
        }
        _ => None,
    }
}

/// Content type and body of an error. By default, the message is the provider's usual one.
pub(crate) fn error(
    received: &Received,
    status: u16,
    retry_after_s: Option<f64>,
    message: Option<&str>,
) -> (&'static str, Bytes) {
    // A proxy in front of the model responds, in HTML.
    if matches!(status, 502 | 504) && received.api != Api::Gemini {
        let page = format!("<html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>\n");
        return ("text/html", page.into());
    }
    let body = match received.api {
        Api::OpenAi if received.is_gemini_compatible() => {
            Value::Array(vec![gemini::error(received, status, retry_after_s, message)])
        }
        Api::OpenAi => openai::error(received, status, retry_after_s, message),
        Api::Gemini if received.is_stream && !received.wants_events() => {
            Value::Array(vec![gemini::error(received, status, retry_after_s, message)])
        }
        Api::Gemini => gemini::error(received, status, retry_after_s, message),
        Api::Anthropic => anthropic::error(received, status, message),
    };
    ("application/json", body.to_string().into())
}

pub(crate) fn stream_error(received: &Received) -> Bytes {
    match received.api {
        Api::OpenAi => openai::stream_error(received),
        Api::Gemini => gemini::stream_error(received),
        Api::Anthropic => anthropic::stream_error(),
    }
}

pub(crate) fn error_headers(received: &Received, status: u16, retry_after_s: Option<f64>) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    if let Some(after_s) = retry_after_s
        && received.api != Api::Gemini
        && !received.is_gemini_compatible()
    {
        headers.push(("retry-after".to_owned(), after_s.to_string()));
        if status == 429 && received.api == Api::OpenAi {
            headers.push(("x-ratelimit-remaining-requests".to_owned(), "0".to_owned()));
            headers.push(("x-ratelimit-reset-requests".to_owned(), format!("{after_s}s")));
        }
    }
    headers
}

/// The headers of every response.
pub(crate) fn headers(received: &Received) -> Vec<(String, String)> {
    let name = match received.api {
        Api::OpenAi => "x-request-id",
        Api::Anthropic => "request-id",
        Api::Gemini => return Vec::new(),
    };
    vec![(name.to_owned(), request_id(received))]
}

fn request_id(received: &Received) -> String {
    format!("req_fake{:020}", received.number)
}

/// Faster than `Value`'s own `to_string`, which goes through the formatter.
pub(crate) fn to_text(json: &Value) -> String {
    serde_json::to_string(json).unwrap_or_default()
}

fn event_data(json: impl Display) -> Bytes {
    format!("data: {json}\n\n").into()
}
