//! A stand-in for a Supabase project: stores rows in `logs` as PostgREST does, with faults that a test can choose.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpSocket},
    task::{JoinHandle, JoinSet},
};

pub(crate) const KEY: &str = "sb_secret_0nLy-f0r-THIS.test";

pub(crate) struct Postgrest {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
    state: ServerState,
}

enum ServerState {
    Up(JoinHandle<()>),
    /// The port is reserved, and connections are refused.
    Down(TcpSocket),
}

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) rows: BTreeMap<String, Value>,
    pub(crate) inserted: usize,
    pub(crate) ignored: usize,
    /// How requests differed from what PostgREST requires.
    pub(crate) violations: Vec<String>,
    /// The response to every request, instead of storing its row.
    pub(crate) response_to_all: Option<(u16, Value)>,
    /// The response to rows with this query, instead of storing them.
    pub(crate) response_to_query: Option<(String, u16, Value)>,
    /// How many times to store a row and close the connection without a response.
    pub(crate) hang_ups_left: usize,
}

impl Postgrest {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::default();
        let state = ServerState::Up(tokio::spawn(serve(listener, Arc::clone(&seen))));
        Self { address, seen, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().unwrap())
    }

    pub(crate) async fn go_down(&mut self) {
        if let ServerState::Up(server) = &mut self.state {
            server.abort();
            let _ = server.await;
            let socket = TcpSocket::new_v4().unwrap();
            socket.set_reuseaddr(true).unwrap();
            socket.bind(self.address).unwrap();
            self.state = ServerState::Down(socket);
        }
    }

    pub(crate) fn come_up(self) -> Self {
        let ServerState::Down(socket) = self.state else { return self };
        let state = ServerState::Up(tokio::spawn(serve(socket.listen(64).unwrap(), Arc::clone(&self.seen))));
        Self { state, ..self }
    }
}

async fn serve(listener: TcpListener, seen: Arc<Mutex<Seen>>) {
    // Dropping the set with this task closes the connections.
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let seen = Arc::clone(&seen);
        connections.spawn(async move {
            let service = service_fn(|request| respond(request, Arc::clone(&seen)));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the connection is dropped")]
struct HangUp;

async fn respond(request: Request<Incoming>, seen: Arc<Mutex<Seen>>) -> Result<Response<Full<Bytes>>, HangUp> {
    let violations = violations_of(&request);
    let body = request.into_body().collect().await.map_err(|_| HangUp)?.to_bytes();
    let mut seen = seen.lock().unwrap();
    seen.violations.extend(violations);
    let mut row = match serde_json::from_slice::<Vec<Value>>(&body) {
        Ok(mut rows) if rows.len() == 1 => rows.remove(0),
        _ => {
            seen.violations.push(format!("not one row: {}", String::from_utf8_lossy(&body)));
            Value::Null
        }
    };
    let columns: Vec<_> = row.as_object_mut().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    if columns != ["audit", "created_at", "id", "query", "response", "status"] {
        seen.violations.push(format!("columns: {columns:?}"));
    }
    if let Some((status, body)) = seen.response_to_all.clone() {
        return Ok(response(status, &body));
    }
    if let Some((_, status, body)) = seen.response_to_query.clone().filter(|(query, ..)| row["query"] == query.as_str())
    {
        return Ok(response(status, &body));
    }
    let id = row["id"].as_str().unwrap_or_default().to_owned();
    if seen.rows.contains_key(&id) {
        seen.ignored += 1;
    } else {
        seen.inserted += 1;
        seen.rows.insert(id, row);
    }
    if seen.hang_ups_left > 0 {
        seen.hang_ups_left -= 1;
        return Err(HangUp);
    }
    Ok(response(201, &Value::Null))
}

fn response(status: u16, body: &Value) -> Response<Full<Bytes>> {
    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    Response::builder().status(status).body(Full::new(body)).unwrap()
}

/// The ways in which a request differs from what PostgREST, and the gateway in front of it, require.
fn violations_of(request: &Request<Incoming>) -> Vec<String> {
    let target = format!("{} {}", request.method(), request.uri());
    let header = |name: &str| request.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    let pairs = [
        (target, "POST /rest/v1/logs?on_conflict=id".to_owned()),
        (header("apikey"), KEY.to_owned()),
        (header("authorization"), format!("Bearer {KEY}")),
        (header("content-type"), "application/json".to_owned()),
        (header("prefer"), "resolution=ignore-duplicates,return=minimal".to_owned()),
    ];
    pairs.into_iter().filter(|(found, wanted)| found != wanted).map(|(found, _)| found).collect()
}

pub(crate) fn error(code: &str) -> Value {
    // Servers may echo what they were sent.
    json!({"code": code, "details": null, "hint": null, "message": format!("key {KEY} and row 'q-bad'")})
}
