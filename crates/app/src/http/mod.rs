//! The HTTP API: routes, one file for each resource with its own shapes, behind one guard.
//!
//! | file                        | job                                                          |
//! |-----------------------------|--------------------------------------------------------------|
//! | `guard.rs`                  | what every request passes: limits, origin, access, log       |
//! | `access.rs`                 | who may call what                                            |
//! | `identity.rs`               | who is calling: a key, a session, or anybody                 |
//! | `origin.rs`, `rate.rs`      | which pages may call; how often                              |
//! | `denials.rs`                | refusals, written down now and then                          |
//! | `body.rs`, `json.rs`, `query.rs` | what comes in, bounded and checked                      |
//! | `compression.rs`            | gzip, and where it must not be                               |
//! | `error.rs`                  | the error shape and the statuses                             |
//! | `openapi.rs`                | the document about all of it                                 |
//! | `ui.rs`                     | the dashboard's files                                        |
//! | the rest                    | one resource each                                            |

mod access;
mod agents;
pub(crate) mod alerts;
mod audit;
mod body;
mod compression;
mod config;
mod dead_letters;
mod denials;
mod documents;
mod error;
mod events;
mod gateway;
mod guard;
mod health;
mod identity;
pub(crate) mod investigations;
pub(crate) mod json;
mod keys;
mod ledger;
mod live;
pub(crate) mod logs;
mod metrics;
pub(crate) mod news;
mod openapi;
pub(crate) mod origin;
mod process_agent;
mod providers;
mod query;
mod rate;
mod ready;
pub(crate) mod reports;
pub(crate) mod reviews;
mod rules;
mod session;
mod transactions;
mod ui;

use std::{
    net::SocketAddr,
    sync::{Arc, atomic::AtomicU64},
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, Uri},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
};
use countersign_agents::Runtime;
use countersign_store::Store;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use utoipa_axum::{router::OpenApiRouter, routes};

pub use access::TABLE as ACCESS;
use error::{ApiError, ErrorBody};

use self::{
    body::Budget, denials::Denials, documents::Documents, error::Result, health::StoreWatch, live::LiveCallers,
    origin::Origins, rate::RateLimit,
};
use crate::{
    answers::Answers, config::Config, investigations::Investigations, keys::KeyRing, live::Hub, metrics::Metrics,
    probe::KeyChecks, sessions::Sessions, wiring::Engine, witnesses::Statuses,
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
    sessions: Sessions,
    pub(crate) answers: Answers,
    pub(crate) investigations: Investigations,
    pub(crate) hub: Hub,
    pub(crate) denials: Denials,
    /// Told when the server stops.
    pub(crate) stop: CancellationToken,
    metrics: Metrics,
    origins: Origins,
    rate: Option<RateLimit>,
    sign_ins: RateLimit,
    witnesses: Statuses,
    wrong_keys: RateLimit,
    is_demo: bool,
    key_checks: KeyChecks,
    bodies: Budget,
    in_flight: Semaphore,
    /// One permit for each connection.
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) store_watch: StoreWatch,
    live_callers: LiveCallers,
    documents: Documents,
    request_ids: RequestIds,
}

struct RequestIds {
    /// Tells one process's ids from another's.
    process: u32,
    next: AtomicU64,
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
    ) -> Self {
        let Engine { answers, investigations, witnesses, is_demo, key_checks, .. } = engine;
        Self(Arc::new(Shared {
            hub: Hub::new(store.clone(), &config.live),
            denials: Denials::default(),
            stop: CancellationToken::new(),
            metrics: Metrics::new(&store, &runtime, &answers.metrics, &investigations.metrics),
            origins: Origins::new(&config, bound),
            sessions: Sessions::default(),
            sign_ins: RateLimit::new(session::SIGN_INS_PER_MINUTE),
            witnesses: witnesses.statuses,
            wrong_keys: RateLimit::new(session::SIGN_INS_PER_MINUTE),
            is_demo,
            key_checks,
            rate: config.requests_per_minute().map(RateLimit::new),
            bodies: Budget::new(config.limits.body_bytes_in_flight_max),
            connections: Arc::new(Semaphore::new(config.limits.connections_max.min(Semaphore::MAX_PERMITS))),
            store_watch: StoreWatch::default(),
            live_callers: LiveCallers::default(),
            in_flight: Semaphore::new(config.limits.requests_in_flight_max.min(Semaphore::MAX_PERMITS)),
            documents: Documents::new(openapi::document(documented().into_openapi(), config.needs_keys())),
            request_ids: RequestIds {
                process: u32::from_ne_bytes(store.seams().entropy.bytes()),
                next: AtomicU64::new(0),
            },
            config,
            store,
            runtime,
            keys,
            answers,
            investigations,
        }))
    }

    /// A body on a route that keeps its own time: only the model may take longer than any other request.
    async fn read_body(&self, headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<body::Taken> {
        let limit = self.config.limits.request_timeout;
        let reading = tokio::time::timeout(limit, self.bodies.read(headers, body, bytes_max)).await;
        reading.unwrap_or(Err(ApiError::TimedOut(limit.as_millis())))
    }

    pub(crate) fn router(&self) -> Router {
        let router: Router<Self> = documented().into();
        router
            .fallback(no_such_path)
            .method_not_allowed_fallback(no_such_method)
            .layer(from_fn_with_state(self.clone(), guard::guard))
            .with_state(self.clone())
    }
}

/// Every route with its documentation.
fn documented() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(process_agent::post))
        .routes(routes!(audit::post))
        .routes(routes!(logs::list))
        .routes(routes!(logs::stats))
        .routes(routes!(logs::one))
        .routes(routes!(gateway::chat))
        .routes(routes!(gateway::models))
        .routes(routes!(transactions::list, transactions::post))
        .routes(routes!(alerts::list, alerts::post))
        .routes(routes!(alerts::one))
        .routes(routes!(investigations::list))
        .routes(routes!(investigations::one))
        .routes(routes!(investigations::assign))
        .routes(routes!(investigations::supervisor_review))
        .routes(routes!(reports::list, reports::request::post))
        .routes(routes!(reports::one))
        .routes(routes!(reports::versions))
        .routes(routes!(reports::evidence::facts))
        .routes(routes!(reports::evidence::validations))
        .routes(routes!(reports::export::export))
        .routes(routes!(reports::addenda::list, reports::addenda::add))
        .routes(routes!(reviews::list))
        .routes(routes!(reviews::decide))
        .routes(routes!(reviews::preview))
        .routes(routes!(rules::show))
        .routes(routes!(events::list))
        .routes(routes!(events::one))
        .routes(routes!(events::chain))
        .routes(routes!(live::open))
        .routes(routes!(ledger::checkpoint))
        .routes(routes!(ledger::key))
        .routes(routes!(ledger::inclusion))
        .routes(routes!(ledger::consistency))
        .routes(routes!(ledger::leaf))
        .routes(routes!(ledger::leaves))
        .routes(routes!(ledger::witnesses))
        .routes(routes!(agents::list))
        .routes(routes!(agents::pause))
        .routes(routes!(agents::resume))
        .routes(routes!(dead_letters::list))
        .routes(routes!(dead_letters::replay))
        .routes(routes!(keys::list, keys::create))
        .routes(routes!(keys::revoke))
        .routes(routes!(session::show, session::sign_in, session::sign_out))
        .routes(routes!(config::show))
        .routes(routes!(providers::list))
        .routes(routes!(health::show))
        .routes(routes!(ready::show))
        .routes(routes!(metrics::show))
        .routes(routes!(documents::openapi))
        .routes(routes!(documents::page))
        .routes(routes!(documents::style))
        .routes(routes!(ui::index))
        .merge(ui::pages_and_assets())
}

/// Whether requests to this path are answered also where all connections are in use.
pub(crate) fn is_probe(path: &str) -> bool {
    access::Route::find(path).is_some_and(|route| route.is_probe())
}

/// What any other request is told then.
pub(crate) fn full(path: &str) -> Response {
    let refused = ApiError::Overloaded("all connections are in use; try again").into_response();
    if path.starts_with("/v1/") { error::in_openai_shape(refused) } else { refused }
}

async fn no_such_path(_: State<App>, uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(128).collect();
    ApiError::not_found(format!("nothing is at {path}; /api/docs lists what there is"))
}

/// The guard answers for methods that the table doesn't list, so this is reached by a mistake in the table only.
async fn no_such_method() -> ApiError {
    ApiError::MethodNotAllowed { allow: "".into() }
}

/// Waits for work that must not be cut short when its caller goes away or runs out of time.
async fn to_its_end<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    let broke_off = |error| ApiError::Internal { what: "a task broke off", source: Some(Arc::new(error)) };
    tokio::spawn(work).await.map_err(broke_off)?
}
