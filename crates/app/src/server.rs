//! The accept loop: connections with their limits, and stopping in order.
//!
//! hyper's own connections instead of `axum::serve`, because that one has no time-out for headers: a client that sends
//! one byte a minute would hold its connection for ever.

use std::{collections::VecDeque, io, net::SocketAddr, path::PathBuf, pin::pin, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use countersign_agents::Runtime;
use countersign_config::Config;
use countersign_store::{Store, write_durably};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::{Deserialize, Serialize};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tower::Service;

use crate::{
    answers::Answers,
    http::{self, App, Peer, full, is_probe, local_url},
    keys::{KeyRing, new_local_token},
    wiring::Engine,
};

/// For a request's headers, and for the silence between two requests of one connection.
const HEADERS_WITHIN: Duration = Duration::from_secs(30);
/// Connections for probes, beyond all others.
const RESERVE: usize = 64;
/// A probe sends its headers at once. Others must not hold the reserve.
const PROBES_WITHIN: Duration = Duration::from_secs(2);
const HEADERS_MAX: usize = 64;
const CONNECTION_BUFFER_BYTES: usize = 64 * 1024;
/// Requests in flight may finish for so long after a stop; the whole program has 10 s.
const FINISH_WITHIN: Duration = Duration::from_secs(8);
const ANSWERS_WITHIN: Duration = Duration::from_secs(6);
/// Writing down the last refusals must not eat up what is left of the ten seconds.
const LAST_WORDS_WITHIN: Duration = Duration::from_millis(500);
/// When accepting fails it is mostly for want of file handles, and asking again at once would not help.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// A server that is bound, but does not answer yet.
pub struct Server {
    pub address: SocketAddr,
    listener: TcpListener,
    app: App,
    note: ServerNote,
}

/// How commands beside the server reach it. Only the directory's owner can read the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ServerFile {
    pub pid: u32,
    pub url: String,
    pub token: String,
}

/// The file, for as long as the server runs.
struct ServerNote(PathBuf);

impl Drop for ServerNote {
    fn drop(&mut self) {
        // One that stays is found stale by whoever tries its address.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Server {
    pub async fn bind(
        config: Arc<Config>,
        store: Store,
        runtime: Runtime,
        keys: KeyRing,
        engine: Engine,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(config.listen).await?;
        let address = listener.local_addr()?;
        let token = new_local_token(store.seams());
        let file = ServerFile { pid: std::process::id(), url: local_url(address), token };
        let path = store.data_dir().server();
        write_durably(&path, &serde_json::to_vec(&file)?, true).map_err(io::Error::other)?;
        let note = ServerNote(path);
        let keys = keys.with_local_token(&file.token);
        let app = http::app(config, store, runtime, keys, engine, address);
        Ok(Self { address, listener, app, note })
    }

    /// Answers until told to stop. Then accepts nothing more, lets requests in flight finish, closes live connections,
    /// and returns.
    pub async fn run(self, stop: CancellationToken) {
        let Self { listener, app, note, .. } = self;
        let hub = tokio::spawn(app.hub.clone().run(app.stop.clone()));
        let denials = tokio::spawn({
            let app = app.clone();
            async move { app.denials.run(&app.store, &app.stop).await }
        });
        let watch = tokio::spawn({
            let app = app.clone();
            async move { app.store_watch.run(&app.store, &app.stop).await }
        });
        let connections = Connections::new(http::router(&app), Arc::clone(&app.connections), app.stop.clone());
        tokio::select! {
            () = stop.cancelled() => {}
            () = connections.accept(listener) => {}
        }
        app.stop.cancel();
        // Live connections have left their HTTP connection behind, so they are waited for by their places.
        let clients_max = u32::try_from(app.config.live.clients_max).unwrap_or(u32::MAX);
        let live = timeout(FINISH_WITHIN, app.hub.places().acquire_many(clients_max));
        let _ = tokio::join!(connections.finish(app.config.limits.connections_max), live, finish_answers(&app.answers));
        // One that began while its body was still coming in.
        app.answers.abandon();
        let _ = timeout(LAST_WORDS_WITHIN, app.answers.finished()).await;
        for task in [hub, denials, watch] {
            let _ = timeout(LAST_WORDS_WITHIN, task).await;
        }
        drop(note);
    }
}

/// Exchanges may finish for a while; then they break off, and say so on record while there is still time.
async fn finish_answers(answers: &Answers) {
    if timeout(ANSWERS_WITHIN, answers.finished()).await.is_err() {
        answers.abandon();
        let _ = timeout(FINISH_WITHIN.saturating_sub(ANSWERS_WITHIN), answers.finished()).await;
    }
}

/// Answers with a router until told to stop, with the same limits and the same order of stopping as the server's own.
pub(crate) async fn serve_router(
    listener: TcpListener,
    router: Router,
    connections_max: usize,
    stop: CancellationToken,
) {
    let connections = Connections::new(router, Arc::new(Semaphore::new(connections_max)), stop.clone());
    tokio::select! {
        () = stop.cancelled() => {}
        () = connections.accept(listener) => {}
    }
    connections.finish(connections_max).await;
}

struct Connections {
    router: Router,
    places: Arc<Semaphore>,
    /// For probes, while all places are taken.
    reserve: Arc<Semaphore>,
    /// Finish what is in flight.
    stop: CancellationToken,
    /// Finish now.
    abandon: CancellationToken,
}

impl Connections {
    fn new(router: Router, places: Arc<Semaphore>, stop: CancellationToken) -> Self {
        let reserve = Arc::new(Semaphore::new(RESERVE));
        Self { router, places, reserve, stop, abandon: CancellationToken::new() }
    }

    async fn accept(&self, listener: TcpListener) {
        let mut reserved = VecDeque::with_capacity(RESERVE);
        loop {
            let (stream, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(ACCEPT_AGAIN_AFTER).await;
                    continue;
                }
            };
            let Some(Place { permit, lane, evicted }) = self.place(&mut reserved).await else { return };
            let connection = serve(stream, peer, self.router.clone(), lane, self.stop.clone());
            tokio::spawn(async move {
                evicted.run_until_cancelled(connection).await;
                evicted.cancel();
                drop(permit);
            });
        }
    }

    /// A place for a connection: one of all, or of the reserve while those are taken. `None` when the server is closing.
    ///
    /// `reserved` are the connections of the reserve, oldest first. If it is full, the oldest has to go: a real probe sends
    /// its headers at once and is answered within milliseconds, so the oldest one is none.
    async fn place(&self, reserved: &mut VecDeque<CancellationToken>) -> Option<Place> {
        let evicted = self.abandon.child_token();
        match Arc::clone(&self.places).try_acquire_owned() {
            Ok(permit) => return Some(Place { permit, lane: Lane::Open, evicted }),
            Err(TryAcquireError::Closed) => return None,
            Err(TryAcquireError::NoPermits) => {}
        }
        reserved.retain(|connection| !connection.is_cancelled());
        if reserved.len() >= RESERVE
            && let Some(oldest) = reserved.pop_front()
        {
            oldest.cancel();
        }
        // The one that was told to go gives its place back at once.
        let permit = Arc::clone(&self.reserve).acquire_owned().await.ok()?;
        reserved.push_back(evicted.clone());
        Some(Place { permit, lane: Lane::Probes, evicted })
    }

    async fn finish(&self, connections_max: usize) {
        let all = u32::try_from(connections_max.min(Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        if timeout(FINISH_WITHIN, self.places.acquire_many(all)).await.is_err() {
            tracing::warn!("requests were still in flight and have been broken off");
            self.abandon.cancel();
            let _ = self.places.acquire_many(all).await;
        }
        // Each of these has seconds at most.
        let _ = timeout(PROBES_WITHIN, self.reserve.acquire_many(RESERVE as u32)).await;
    }
}

struct Place {
    permit: OwnedSemaphorePermit,
    lane: Lane,
    /// Cancelled when the connection has to end, and when it has ended.
    evicted: CancellationToken,
}

/// What a connection may ask for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Open,
    /// Whether the server is alive or ready, once. Everything else is told to come back later.
    Probes,
}

async fn serve(stream: TcpStream, peer: SocketAddr, router: Router, lane: Lane, stop: CancellationToken) {
    // Answers are small and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let mut router = router.clone();
        async move {
            if lane == Lane::Probes && !is_probe(request.uri().path()) {
                return Ok(full(request.uri().path()));
            }
            router.call(request.map(Body::new)).await
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .keep_alive(lane == Lane::Open)
        .header_read_timeout(if lane == Lane::Open { HEADERS_WITHIN } else { PROBES_WITHIN })
        .max_headers(HEADERS_MAX)
        .max_buf_size(CONNECTION_BUFFER_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // Peers go away all the time; it is worth a line only to whoever looks for it.
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}
