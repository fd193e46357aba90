//! A caller's request, and the wire format of its path.

use std::fmt;

use bytes::Bytes;
use hyper::{HeaderMap, Method};
use serde_json::Value;

/// The wire format of a path. The compatible paths of Gemini and Anthropic use OpenAI's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    OpenAi,
    Gemini,
    Anthropic,
}

/// A request that the server received.
#[derive(Clone)]
pub struct Received {
    /// The first call is number 1.
    pub number: u64,
    pub method: Method,
    /// The path with its query, as sent.
    pub path: String,
    pub api: Api,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub json: Option<Value>,
    pub is_stream: bool,
}

/// The operation that a path requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Completion,
    Models,
    Unknown,
}

const OPENAI_PREFIXES: [&str; 5] = ["/v1", "/openai/v1", "/ollama/v1", "/v1beta/openai", "/anthropic/v1"];

impl Received {
    pub(crate) fn new(number: u64, method: Method, path: String, headers: HeaderMap, body: Bytes) -> Self {
        let api = api(&path, &headers);
        let json: Option<Value> = if body.is_empty() { None } else { serde_json::from_slice(&body).ok() };
        let is_stream = match api {
            Api::Gemini => without_query(&path).ends_with(":streamGenerateContent"),
            Api::OpenAi | Api::Anthropic => json.as_ref().is_some_and(|json| json["stream"] == true),
        };
        Self { number, method, path, api, headers, body, json, is_stream }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(crate) fn operation(&self) -> Operation {
        let path = without_query(&self.path);
        if self.method == Method::GET {
            let prefix = path.strip_suffix("/models").unwrap_or_default();
            let is_known = prefix == "/v1beta" || OPENAI_PREFIXES.contains(&prefix);
            return if is_known { Operation::Models } else { Operation::Unknown };
        }
        let is_completion = match self.api {
            Api::OpenAi => {
                path.strip_suffix("/chat/completions").is_some_and(|prefix| OPENAI_PREFIXES.contains(&prefix))
            }
            Api::Gemini => path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent"),
            Api::Anthropic => path == "/anthropic/v1/messages" || path == "/v1/messages",
        };
        if is_completion && self.method == Method::POST { Operation::Completion } else { Operation::Unknown }
    }

    pub(crate) fn model(&self) -> &str {
        if self.api == Api::Gemini {
            let name = without_query(&self.path).strip_prefix("/v1beta/models/").unwrap_or_default();
            return name.split(':').next().unwrap_or_default();
        }
        self.json.as_ref().and_then(|json| json["model"].as_str()).unwrap_or_default()
    }

    /// Whether a stream is sent as server-sent events. Gemini sends one JSON array unless the query says `alt=sse`.
    pub(crate) fn wants_events(&self) -> bool {
        let query = self.path.split_once('?').map(|(_, query)| query).unwrap_or_default();
        self.api != Api::Gemini || query.split('&').any(|pair| pair == "alt=sse")
    }

    pub(crate) fn is_groq(&self) -> bool {
        self.path.starts_with("/openai/")
    }

    pub(crate) fn is_gemini_compatible(&self) -> bool {
        self.path.starts_with("/v1beta/openai/")
    }
}

/// Omits headers and body, which contain keys and people's texts.
impl fmt::Debug for Received {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, method, api, is_stream, .. } = self;
        write!(f, "Received #{number} {method} {} ({api:?}, stream: {is_stream})", without_query(&self.path))
    }
}

fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

fn api(path: &str, headers: &HeaderMap) -> Api {
    let path = without_query(path);
    if path.starts_with("/v1beta/models") {
        return Api::Gemini;
    }
    // Anthropic's list of models shares its path with OpenAI's.
    let is_list = path.ends_with("/v1/models") && headers.contains_key("anthropic-version");
    if is_list || path.ends_with("/v1/messages") { Api::Anthropic } else { Api::OpenAi }
}
