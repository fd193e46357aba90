//! A stand-in for the systems that receive notices: accepts notices at any path, and responds with the statuses a test sets.

use std::{
    collections::{HashMap, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Request, Response,
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::{net::TcpListener, task::JoinSet};

pub(crate) struct Receiver {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) connections: usize,
    pub(crate) notices: Vec<Notice>,
    /// The statuses of the next responses, by path. Later responses are 200.
    pub(crate) statuses: HashMap<&'static str, VecDeque<u16>>,
}

#[derive(Clone)]
pub(crate) struct Notice {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::<Mutex<Seen>>::default();
        tokio::spawn(serve(listener, Arc::clone(&seen)));
        Self { address, seen }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().unwrap())
    }

    pub(crate) fn respond_with(&self, path: &'static str, statuses: impl IntoIterator<Item = u16>) {
        self.with(|seen| seen.statuses.insert(path, statuses.into_iter().collect()));
    }

    pub(crate) fn notices(&self, path: &str) -> Vec<Notice> {
        self.with(|seen| seen.notices.iter().filter(|notice| notice.path == path).cloned().collect())
    }
}

impl Notice {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Checks the signature as a receiver would, without using the sender's code.
    pub(crate) fn is_signed_with(&self, key: &[u8]) -> bool {
        let mut signed = format!("{}.{}.", self.header("webhook-id"), self.header("webhook-timestamp")).into_bytes();
        signed.extend_from_slice(&self.body);
        let expected = format!("v1,{}", BASE64_STANDARD.encode(hmac_sha256(key, &signed)));
        self.header("webhook-signature") == expected
    }
}

/// HMAC-SHA256 (RFC 2104), for keys of at most 64 bytes.
fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().into()
}

async fn serve(listener: TcpListener, seen: Arc<Mutex<Seen>>) {
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        seen.lock().unwrap().connections += 1;
        let seen = Arc::clone(&seen);
        connections.spawn(async move {
            let service = service_fn(|request| respond(request, Arc::clone(&seen)));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn respond(request: Request<Incoming>, seen: Arc<Mutex<Seen>>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let mut seen = seen.lock().unwrap();
    let path = parts.uri.path().to_owned();
    let status = seen.statuses.get_mut(path.as_str()).and_then(VecDeque::pop_front).unwrap_or(200);
    assert_eq!(parts.method, "POST");
    seen.notices.push(Notice { path, headers: parts.headers, body });
    // The body is larger than the agent reads, and its text must not appear in errors.
    let text = Full::new(Bytes::from("quoted".repeat(100_000)));
    Ok(Response::builder().status(status).header("location", "/elsewhere").body(text).unwrap())
}
