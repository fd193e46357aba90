//! A small HTTP client with one connection per call, and a raw connection for requests that no proper client would send.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Request, client::conn::http1::handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::running::PATIENCE;

pub(crate) struct Call {
    address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Bytes,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Call {
    pub(crate) fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        let (method, path) = (method.to_owned(), path.to_owned());
        Self { address, method, path, headers: Vec::new(), body: Bytes::new() }
    }

    /// Sets a header. Replaces an earlier value of the same name.
    pub(crate) fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.retain(|(given, _)| !given.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    pub(crate) fn key(self, key: Option<&str>) -> Self {
        match key {
            Some(key) => self.header("authorization", format!("Bearer {key}")),
            None => self,
        }
    }

    pub(crate) fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) async fn send(self) -> Answer {
        timeout(PATIENCE, self.exchange()).await.expect("no answer in time")
    }

    async fn exchange(self) -> Answer {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(connection);
        let mut request = Request::builder().method(self.method.as_str()).uri(&self.path);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request = request.header("host", self.address.to_string());
        }
        for (name, value) in &self.headers {
            request = request.header(name, value.as_slice());
        }
        let response = sender.send_request(request.body(Full::new(self.body)).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        connection.abort();
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Checks that the response is an error with this status in our shape. Returns its detail.
    pub(crate) fn check_error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        let body = self.json();
        let mut fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["detail", "error", "status_code"]);
        assert_eq!(body["status_code"], status);
        assert!(!body["error"].as_str().unwrap().is_empty());
        assert_eq!(self.headers.contains_key("retry-after"), status == 429 || status == 503, "{self:?}");
        body["detail"].as_str().unwrap().to_owned()
    }
}

/// A connection on which a test sends arbitrary bytes.
pub(crate) struct Raw(TcpStream);

impl Raw {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Waits for a response's head, and for as much of its body as the head announces. Returns the status and the received text.
    pub(crate) async fn receive(&mut self) -> (u16, String) {
        timeout(PATIENCE, self.receive_whole()).await.expect("no answer in time")
    }

    async fn receive_whole(&mut self) -> (u16, String) {
        let mut text = Vec::new();
        loop {
            if let Some(answer) = whole_answer(&text) {
                return answer;
            }
            let mut chunk = [0; 4096];
            let read = self.0.read(&mut chunk).await.unwrap_or(0);
            assert!(read > 0, "the connection ended after {:?}", String::from_utf8_lossy(&text));
            text.extend_from_slice(&chunk[..read]);
        }
    }

    /// Whether the other side has closed.
    pub(crate) async fn is_closed(&mut self) -> bool {
        let mut byte = [0];
        timeout(PATIENCE, self.0.read(&mut byte))
            .await
            .expect("the connection did not close in time")
            .is_ok_and(|read| read == 0)
    }
}

fn whole_answer(bytes: &[u8]) -> Option<(u16, String)> {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    (body.len() >= length).then(|| (status, text.to_string()))
}
