//! Calls the server that is running on the same data directory, as its owner: only the owner can read the token in its server file.

use countersign_store::DataDir;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Method, Request, StatusCode, body::Bytes, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use super::failure::Failure;
use crate::server::ServerFile;

const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The running server's address, and its token for local commands.
pub(super) struct Client(ServerFile);

impl Client {
    pub(super) fn of(dir: &DataDir) -> Result<Self, Failure> {
        let path = dir.server();
        let text = std::fs::read_to_string(&path).map_err(|error| {
            Failure::new(format!("the data directory is in use, but {} can't be read: {error}", path.display()))
                .help("run this command as the user who runs the server, or stop the server first")
        })?;
        let file = serde_json::from_str(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        Ok(Self(file))
    }

    /// Sends one request. A refusal becomes a failure with the server's own message.
    pub(super) async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
        let (status, answer) = self.send(method, path, body).await.map_err(|error| {
            Failure::new(format!("no answer from the server at {}: {error}", self.0.url))
                .help("if it has just been stopped, try again")
        })?;
        if status.is_success() {
            return Ok(answer);
        }
        let detail = answer.get("detail").and_then(Value::as_str).unwrap_or("no details");
        Err(Failure::new(format!("the server refused the request ({}): {detail}", status.as_u16())))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Value), Box<dyn std::error::Error + Send + Sync>> {
        let host = self.0.url.strip_prefix("http://").unwrap_or(&self.0.url).trim_end_matches('/');
        let stream = TcpStream::connect(host).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", host)
            .header("authorization", format!("Bearer {}", self.0.token))
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body)))?;
        let answer = sender.send_request(request).await?;
        let status = answer.status();
        let bytes = Limited::new(answer.into_body(), ANSWER_BYTES_MAX).collect().await?.to_bytes();
        Ok((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
    }
}
