//! Accepts connections, records each call, and takes its behaviour from the queue or the script.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::behaviour::Behaviour;
use crate::body::ResponseBody;
use crate::counts::{OpenCall, ServerCounts};
use crate::received::Received;
use crate::respond::{ConnectionReset, respond, whole};

const BODY_BYTES_MAX: usize = 64 << 20;
const RECORDED_MAX: usize = 100_000;

pub(crate) type Script = Arc<dyn Fn(&Received) -> Behaviour + Send + Sync>;

pub(crate) struct Server {
    pub(crate) counts: Arc<ServerCounts>,
    pub(crate) recorded: Mutex<VecDeque<Received>>,
    pub(crate) is_recording: AtomicBool,
    pub(crate) script: Mutex<Script>,
    pub(crate) queue: Mutex<VecDeque<Behaviour>>,
    pub(crate) chunk_delay_us: AtomicU64,
}

impl Server {
    pub(crate) fn new(script: Script) -> Self {
        Self {
            counts: Arc::default(),
            recorded: Mutex::default(),
            is_recording: AtomicBool::new(true),
            script: Mutex::new(script),
            queue: Mutex::default(),
            chunk_delay_us: AtomicU64::new(0),
        }
    }

    fn record(&self, received: &Received) {
        if !self.is_recording.load(SeqCst) {
            return;
        }
        let mut recorded = lock(&self.recorded);
        if recorded.len() == RECORDED_MAX {
            recorded.pop_front();
        }
        recorded.push_back(received.clone());
    }

    fn behaviour(&self, received: &Received) -> Behaviour {
        if let Some(behaviour) = lock(&self.queue).pop_front() {
            return behaviour;
        }
        // Run the script outside the lock, because it may be slow or panic.
        let script = Arc::clone(&lock(&self.script));
        script(received)
    }

    fn stats(&self) -> Bytes {
        let ServerCounts { received, open, cancelled, .. } = &*self.counts;
        let stats = json!({
            "count": received.load(SeqCst), "open_calls": open.load(SeqCst), "cancelled": cancelled.load(SeqCst),
        });
        stats.to_string().into()
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves until stopped, then closes the port and all connections.
pub(crate) async fn run(server: Arc<Server>, listener: TcpListener, mut stop: oneshot::Receiver<()>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = &mut stop => break,
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    connections.spawn(connection(Arc::clone(&server), stream));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    connections.shutdown().await;
}

async fn connection(server: Arc<Server>, stream: TcpStream) {
    // Without TCP_NODELAY, a small chunk waits for the acknowledgement of the previous one.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| serve(Arc::clone(&server), request));
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let outcome = (&mut connection).await;
    let is_reset = outcome.is_err_and(|error| error.source().is_some_and(|cause| cause.is::<ConnectionReset>()));
    if is_reset {
        let _ = connection.into_parts().io.into_inner().set_zero_linger();
    }
}

async fn serve(server: Arc<Server>, request: Request<Incoming>) -> Result<Response<ResponseBody>, ConnectionReset> {
    if request.method() == Method::GET {
        match request.uri().path() {
            "/health" => return Ok(whole(200, "application/json", Bytes::from_static(br#"{"status":"ok"}"#), None)),
            "/stats" => return Ok(whole(200, "application/json", server.stats(), None)),
            _ => {}
        }
    }
    let mut open = OpenCall::new(&server.counts);
    let (parts, body) = request.into_parts();
    let Ok(body) = Limited::new(body, BODY_BYTES_MAX).collect().await else {
        open.finish();
        return Ok(whole(413, "text/plain", Bytes::from_static(b"Payload Too Large"), Some(open)));
    };
    let number = server.counts.received.fetch_add(1, SeqCst) + 1;
    let path = parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let received = Received::new(number, parts.method, path, parts.headers, body.to_bytes());
    server.record(&received);
    server.counts.changed.notify_waiters();
    let behaviour = server.behaviour(&received);
    let chunk_delay = Duration::from_micros(server.chunk_delay_us.load(SeqCst));
    respond(&received, behaviour, open, chunk_delay).await
}
