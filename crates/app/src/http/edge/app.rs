//! The state that all handlers share.

use std::{net::SocketAddr, sync::Arc};

use axum::{body::Body, http::HeaderMap};
use countersign_agents::Runtime;
use countersign_config::Config;
use countersign_store::Store;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{
    body::{self, Budget},
    denials::Denials,
    error::{ApiError, Result},
    live_callers::LiveCallers,
    openapi::Documents,
    origin::Origins,
    rate::{RateLimit, WRONG_KEYS_PER_MINUTE},
    request_id::RequestIds,
    store_watch::StoreWatch,
};
use crate::{
    answers::Answers, investigations::Investigations, keys::KeyRing, live::Hub, metrics::Metrics, probe::KeyChecks,
    sessions::Sessions, wiring::Engine, witnesses::Statuses,
};

/// The address at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// What handlers share.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) config: Arc<Config>,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) keys: KeyRing,
    pub(crate) sessions: Sessions,
    pub(crate) answers: Answers,
    pub(crate) investigations: Investigations,
    pub(crate) hub: Hub,
    pub(crate) denials: Denials,
    /// Told when the server stops.
    pub(crate) stop: CancellationToken,
    pub(crate) metrics: Metrics,
    pub(crate) origins: Origins,
    pub(crate) rate: Option<RateLimit>,
    pub(crate) sign_ins: RateLimit,
    pub(crate) witnesses: Statuses,
    pub(crate) wrong_keys: RateLimit,
    pub(crate) is_demo: bool,
    pub(crate) key_checks: KeyChecks,
    pub(crate) bodies: Budget,
    pub(crate) in_flight: Semaphore,
    /// One permit for each connection.
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) store_watch: StoreWatch,
    pub(crate) live_callers: LiveCallers,
    pub(crate) documents: Documents,
    pub(crate) request_ids: RequestIds,
}

impl std::ops::Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub(crate) fn new(
        config: Arc<Config>,
        store: Store,
        runtime: Runtime,
        keys: KeyRing,
        engine: Engine,
        bound: SocketAddr,
        openapi: utoipa::openapi::OpenApi,
    ) -> Self {
        let Engine { answers, investigations, witnesses, is_demo, key_checks, .. } = engine;
        Self(Arc::new(Shared {
            hub: Hub::new(store.clone(), &config.live),
            denials: Denials::default(),
            stop: CancellationToken::new(),
            metrics: Metrics::new(&store, &runtime, &answers.metrics, &investigations.metrics),
            origins: Origins::new(&config, bound),
            sessions: Sessions::default(),
            sign_ins: RateLimit::new(WRONG_KEYS_PER_MINUTE),
            witnesses: witnesses.statuses,
            wrong_keys: RateLimit::new(WRONG_KEYS_PER_MINUTE),
            is_demo,
            key_checks,
            rate: config.requests_per_minute().map(RateLimit::new),
            bodies: Budget::new(config.limits.body_bytes_in_flight_max),
            connections: Arc::new(Semaphore::new(config.limits.connections_max.min(Semaphore::MAX_PERMITS))),
            store_watch: StoreWatch::default(),
            live_callers: LiveCallers::default(),
            in_flight: Semaphore::new(config.limits.requests_in_flight_max.min(Semaphore::MAX_PERMITS)),
            documents: Documents::new(openapi, config.needs_keys()),
            request_ids: RequestIds::new(store.seams()),
            config,
            store,
            runtime,
            keys,
            answers,
            investigations,
        }))
    }

    /// A body on a route that keeps its own time: only the model may take longer than any other request.
    pub(crate) async fn read_body(&self, headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<body::Taken> {
        let limit = self.config.limits.request_timeout;
        let reading = tokio::time::timeout(limit, self.bodies.read(headers, body, bytes_max)).await;
        reading.unwrap_or(Err(ApiError::TimedOut(limit.as_millis())))
    }
}
