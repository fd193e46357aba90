//! A plain HTTP client that opens one connection for each call.

use bytes::Bytes;
use countersign_fake_provider::Fake;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

pub(crate) struct ReceivedResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl ReceivedResponse {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect(&self.text)
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// The JSON of every `data:` line.
    pub(crate) fn events(&self) -> Vec<Value> {
        let lines = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).expect(data)).collect()
    }
}

pub(crate) async fn post(fake: &Fake, path: &str, body: Value) -> ReceivedResponse {
    let (response, _connection) = open(fake, "POST", path, body.to_string()).await.expect("an answer");
    read(response).await
}

pub(crate) async fn get(fake: &Fake, path: &str) -> ReceivedResponse {
    let (response, _connection) = open(fake, "GET", path, String::new()).await.expect("an answer");
    read(response).await
}

async fn read(response: Response<Incoming>) -> ReceivedResponse {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a whole body").to_bytes();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    ReceivedResponse { status: parts.status.as_u16(), headers: parts.headers, text }
}

/// The connection closes when its task is aborted: dropping the handle alone leaves it open.
pub(crate) async fn open(
    fake: &Fake,
    method: &str,
    path: &str,
    body: String,
) -> Result<(Response<Incoming>, JoinHandle<()>), String> {
    let stream = TcpStream::connect(fake.address()).await.map_err(|error| error.to_string())?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    let connection = tokio::spawn(async move {
        let _ = connection.await;
    });
    let mut request = Request::builder().method(method).uri(path).header("host", "fake");
    if path.ends_with("/v1/messages") || path == "/anthropic/v1/models" {
        request = request.header("anthropic-version", "2023-06-01");
    }
    let request = request.header("x-goog-api-key", "test-key").body(Full::new(Bytes::from(body))).unwrap();
    let response = sender.send_request(request).await.map_err(|error| format!("{error:?}"))?;
    Ok((response, connection))
}

pub(crate) const OPENAI: &str = "/openai/v1/chat/completions";
pub(crate) const GEMINI: &str = "/v1beta/models/gemini-x:generateContent";
pub(crate) const GEMINI_STREAM: &str = "/v1beta/models/gemini-x:streamGenerateContent?alt=sse";
pub(crate) const ANTHROPIC: &str = "/anthropic/v1/messages";

pub(crate) fn chat(extra: Value) -> Value {
    with(json!({"model": "llama-x", "messages": [{"role": "user", "content": "Please call a tool."}]}), extra)
}

pub(crate) fn contents(extra: Value) -> Value {
    with(json!({"contents": [{"role": "user", "parts": [{"text": "Please call a tool."}]}]}), extra)
}

pub(crate) fn messages(extra: Value) -> Value {
    with(chat(json!({"max_tokens": 100})), extra)
}

fn with(mut body: Value, extra: Value) -> Value {
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    body
}
