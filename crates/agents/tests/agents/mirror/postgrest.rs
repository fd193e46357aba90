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
    way: Way,
}

enum Way {
    Up(JoinHandle<()>),
    /// The port is reserved, and connections are refused.
    Down(TcpSocket),
}

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) rows: BTreeMap<String, Value>,
    pub(crate) inserted: usize,
    pub(crate) ignored: usize,
    /// Requests that PostgREST would refuse.
    pub(crate) strange: Vec<String>,
    /// Responses to all requests, instead of storing rows.
    pub(crate) refuses: Option<(u16, Value)>,
    /// Responses to rows with this query.
    pub(crate) refuses_query: Option<(String, u16, Value)>,
    /// How many times to store a row and close the connection without a response.
    pub(crate) hangs_up: usize,
}

impl Postgrest {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::default();
        let way = Way::Up(tokio::spawn(serve(listener, Arc::clone(&seen))));
        Self { address, seen, way }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().unwrap())
    }

    pub(crate) async fn go_down(&mut self) {
        if let Way::Up(server) = &mut self.way {
            server.abort();
            let _ = server.await;
            let socket = TcpSocket::new_v4().unwrap();
            socket.set_reuseaddr(true).unwrap();
            socket.bind(self.address).unwrap();
            self.way = Way::Down(socket);
        }
    }

    pub(crate) fn come_up(self) -> Self {
        let Way::Down(socket) = self.way else { return self };
        let way = Way::Up(tokio::spawn(serve(socket.listen(64).unwrap(), Arc::clone(&self.seen))));
        Self { way, ..self }
    }
}

async fn serve(listener: TcpListener, seen: Arc<Mutex<Seen>>) {
    // Dropping the set with this task closes the connections.
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let seen = Arc::clone(&seen);
        connections.spawn(async move {
            let service = service_fn(|request| answer(request, Arc::clone(&seen)));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the connection is dropped")]
struct HangUp;

async fn answer(request: Request<Incoming>, seen: Arc<Mutex<Seen>>) -> Result<Response<Full<Bytes>>, HangUp> {
    let strange = strangeness(&request);
    let body = request.into_body().collect().await.map_err(|_| HangUp)?.to_bytes();
    let mut seen = seen.lock().unwrap();
    seen.strange.extend(strange);
    let mut row = match serde_json::from_slice::<Vec<Value>>(&body) {
        Ok(mut rows) if rows.len() == 1 => rows.remove(0),
        _ => {
            seen.strange.push(format!("not one row: {}", String::from_utf8_lossy(&body)));
            Value::Null
        }
    };
    let columns: Vec<_> = row.as_object_mut().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    if columns != ["audit", "created_at", "id", "query", "response", "status"] {
        seen.strange.push(format!("columns: {columns:?}"));
    }
    if let Some((status, body)) = seen.refuses.clone() {
        return Ok(response(status, &body));
    }
    if let Some((_, status, body)) = seen.refuses_query.clone().filter(|(query, ..)| row["query"] == query.as_str()) {
        return Ok(response(status, &body));
    }
    let id = row["id"].as_str().unwrap_or_default().to_owned();
    if seen.rows.contains_key(&id) {
        seen.ignored += 1;
    } else {
        seen.inserted += 1;
        seen.rows.insert(id, row);
    }
    if seen.hangs_up > 0 {
        seen.hangs_up -= 1;
        return Err(HangUp);
    }
    Ok(response(201, &Value::Null))
}

fn response(status: u16, body: &Value) -> Response<Full<Bytes>> {
    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    Response::builder().status(status).body(Full::new(body)).unwrap()
}

/// The ways in which a request differs from what PostgREST, and the gateway in front of it, require.
fn strangeness(request: &Request<Incoming>) -> Vec<String> {
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
