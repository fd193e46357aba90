//! The accept loop: connections with their limits, and an orderly stop.
//!
//! This uses hyper's connections instead of `axum::serve`, which has no time-out for headers: a client that sends one byte a
//! minute would hold its connection forever.
//!
//! This file knows no routes. The caller passes a router and says what happens while all connections are in use.

use std::{collections::VecDeque, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{Router, body::Body, response::Response};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tower::Service;

/// Requests in flight get this long to finish after a stop; the whole program has 10 s.
pub(crate) const FINISH_WITHIN: Duration = Duration::from_secs(8);
/// Limits the time for a request's headers, and the idle time between two requests on one connection.
const HEADERS_WITHIN: Duration = Duration::from_secs(30);
/// Connections reserved for probes, beyond the configured limit.
const PROBE_CONNECTIONS: usize = 64;
/// The time limit for a probe's headers. Probes send them at once, and other clients must not occupy the reserve.
const PROBES_WITHIN: Duration = Duration::from_secs(2);
const HEADERS_MAX: usize = 64;
const CONNECTION_BUFFER_BYTES: usize = 64 * 1024;
/// Accepting usually fails because file handles have run out; an immediate retry would fail too.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// The client's address. Every request carries it as an extension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// How requests are answered while all connections are in use.
#[derive(Clone, Copy)]
pub(crate) struct Overload {
    /// Whether this path is a health probe. Probes are answered as usual.
    pub(crate) is_probe: fn(&str) -> bool,
    /// The response for any other path.
    pub(crate) refuse: fn(&str) -> Response,
}

/// The connections of one server.
pub(crate) struct Connections {
    router: Router,
    /// One permit for each connection.
    slots: Arc<Semaphore>,
    /// Further connections for probes, while all slots are taken.
    reserve: Arc<Semaphore>,
    overload: Overload,
    /// Asks connections to finish their request and close.
    stop: CancellationToken,
    /// Makes connections close at once.
    close_now: CancellationToken,
}

impl Connections {
    pub(crate) fn new(router: Router, slots: Arc<Semaphore>, overload: Overload, stop: CancellationToken) -> Self {
        let reserve = Arc::new(Semaphore::new(PROBE_CONNECTIONS));
        Self { router, slots, reserve, overload, stop, close_now: CancellationToken::new() }
    }

    /// Accepts connections forever; each is served in a task of its own.
    pub(crate) async fn accept(&self, listener: TcpListener) {
        let mut reserved = VecDeque::with_capacity(PROBE_CONNECTIONS);
        loop {
            let (stream, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "could not accept a connection");
                    sleep(ACCEPT_AGAIN_AFTER).await;
                    continue;
                }
            };
            let Some(Slot { permit, allowed, close }) = self.take_slot(&mut reserved).await else { return };
            let connection = serve(stream, peer, self.router.clone(), allowed, self.stop.clone());
            tokio::spawn(async move {
                close.run_until_cancelled(connection).await;
                close.cancel();
                drop(permit);
            });
        }
    }

    /// Takes a slot for a connection, or one from the reserve if all slots are taken. `None` when the server is closing.
    ///
    /// `reserved` lists the connections in the reserve, oldest first. If the reserve is full, the oldest is closed: a real
    /// probe sends its headers at once and is answered within milliseconds, so the oldest can't be a probe.
    async fn take_slot(&self, reserved: &mut VecDeque<CancellationToken>) -> Option<Slot> {
        let close = self.close_now.child_token();
        match Arc::clone(&self.slots).try_acquire_owned() {
            Ok(permit) => return Some(Slot { permit, allowed: AllowedRequests::Any, close }),
            Err(TryAcquireError::Closed) => return None,
            Err(TryAcquireError::NoPermits) => {}
        }
        reserved.retain(|connection| !connection.is_cancelled());
        if reserved.len() >= PROBE_CONNECTIONS
            && let Some(oldest) = reserved.pop_front()
        {
            oldest.cancel();
        }
        // A connection that was told to close returns its permit at once.
        let permit = Arc::clone(&self.reserve).acquire_owned().await.ok()?;
        reserved.push_back(close.clone());
        Some(Slot { permit, allowed: AllowedRequests::ProbesOnly(self.overload), close })
    }

    /// Waits until all connections have closed. Requests that take too long are dropped.
    pub(crate) async fn finish(&self, connections_max: usize) {
        let all = u32::try_from(connections_max.min(Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        if timeout(FINISH_WITHIN, self.slots.acquire_many(all)).await.is_err() {
            tracing::warn!("dropped requests that were still in flight");
            self.close_now.cancel();
            let _ = self.slots.acquire_many(all).await;
        }
        // Connections in the reserve time out within seconds.
        let _ = timeout(PROBES_WITHIN, self.reserve.acquire_many(PROBE_CONNECTIONS as u32)).await;
    }
}

/// Serves a router until told to stop, then finishes the requests in flight.
pub(crate) async fn serve_router(
    listener: TcpListener,
    router: Router,
    connections_max: usize,
    overload: Overload,
    stop: CancellationToken,
) {
    let slots = Arc::new(Semaphore::new(connections_max));
    let connections = Connections::new(router, slots, overload, stop.clone());
    tokio::select! {
        () = stop.cancelled() => {}
        () = connections.accept(listener) => {}
    }
    connections.finish(connections_max).await;
}

/// The resources that a connection occupies while it is open.
struct Slot {
    permit: OwnedSemaphorePermit,
    allowed: AllowedRequests,
    /// Cancelled when the connection must close, and when it has closed.
    close: CancellationToken,
}

/// Which requests a connection may send.
#[derive(Clone, Copy)]
enum AllowedRequests {
    Any,
    /// One health probe. Any other request is answered by [`Overload::refuse`].
    ProbesOnly(Overload),
}

async fn serve(stream: TcpStream, peer: SocketAddr, router: Router, allowed: AllowedRequests, stop: CancellationToken) {
    // Responses are small, and a client waits for each.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let mut router = router.clone();
        async move {
            if let AllowedRequests::ProbesOnly(overload) = allowed
                && !(overload.is_probe)(request.uri().path())
            {
                return Ok((overload.refuse)(request.uri().path()));
            }
            router.call(request.map(Body::new)).await
        }
    });
    let is_regular = matches!(allowed, AllowedRequests::Any);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .keep_alive(is_regular)
        .header_read_timeout(if is_regular { HEADERS_WITHIN } else { PROBES_WITHIN })
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
        // Peers disconnect all the time, so this is only for debugging.
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}
