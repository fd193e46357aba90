//! The state that all handlers share.

use std::{net::SocketAddr, sync::Arc};

use axum::{body::Body, http::HeaderMap};
use countersign_agents::Runtime;
use countersign_config::Config;
use countersign_store::Store;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{
    body::{BodyBudget, RequestBody},
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
    sessions::Sessions, witnesses::WitnessStatuses,
};

/// The state that all handlers share. Clones are cheap.
#[derive(Clone)]
pub(crate) struct App(Arc<AppState>);

/// What an [`App`] is made of.
pub(crate) struct AppParts {
    pub(crate) config: Arc<Config>,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) keys: KeyRing,
    pub(crate) answers: Answers,
    pub(crate) investigations: Investigations,
    pub(crate) witnesses: WitnessStatuses,
    pub(crate) key_checks: KeyChecks,
    pub(crate) is_demo: bool,
    pub(crate) is_worker_simulated: bool,
    /// The address that the server listens on.
    pub(crate) bound: SocketAddr,
}

pub(crate) struct AppState {
    pub(crate) config: Arc<Config>,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) keys: KeyRing,
    pub(crate) sessions: Sessions,
    pub(crate) answers: Answers,
    pub(crate) investigations: Investigations,
    pub(crate) hub: Hub,
    pub(crate) denials: Denials,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    pub(crate) metrics: Metrics,
    pub(crate) origins: Origins,
    pub(crate) rate: Option<RateLimit>,
    pub(crate) sign_ins: RateLimit,
    pub(crate) witnesses: WitnessStatuses,
    pub(crate) wrong_keys: RateLimit,
    pub(crate) is_demo: bool,
    /// Whether the worker's answers are made up.
    pub(crate) is_worker_simulated: bool,
    pub(crate) key_checks: KeyChecks,
    pub(crate) bodies: BodyBudget,
    pub(crate) in_flight: Semaphore,
    /// One permit for each connection.
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) store_watch: StoreWatch,
    pub(crate) live_callers: LiveCallers,
    pub(crate) documents: Documents,
    pub(crate) request_ids: RequestIds,
}

impl std::ops::Deref for App {
    type Target = AppState;
    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    pub(crate) fn new(parts: AppParts, hub: Hub, openapi: utoipa::openapi::OpenApi) -> Self {
        let AppParts { config, store, runtime, keys, answers, investigations, witnesses, .. } = parts;
        Self(Arc::new(AppState {
            hub,
            denials: Denials::default(),
            stop: CancellationToken::new(),
            metrics: Metrics::new(&store, &runtime, &answers.metrics, &investigations.metrics),
            origins: Origins::new(&config, parts.bound),
            sessions: Sessions::default(),
            sign_ins: RateLimit::new(WRONG_KEYS_PER_MINUTE),
            witnesses,
            wrong_keys: RateLimit::new(WRONG_KEYS_PER_MINUTE),
            is_demo: parts.is_demo,
            is_worker_simulated: parts.is_worker_simulated,
            key_checks: parts.key_checks,
            rate: config.requests_per_minute().map(RateLimit::new),
            bodies: BodyBudget::new(config.limits.body_bytes_in_flight_max),
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

    /// Reads the body on a route that has a time limit of its own. Only the model may take longer than the usual limit.
    pub(crate) async fn read_body(&self, headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<RequestBody> {
        let limit = self.config.limits.request_timeout;
        let reading = tokio::time::timeout(limit, self.bodies.read(headers, body, bytes_max)).await;
        reading.unwrap_or(Err(ApiError::TimedOut(limit.as_millis())))
    }
}
