//! The liveness probe.

use std::collections::BTreeMap;

use axum::{extract::State, response::Response};
use countersign_domain::{AgentState, Time};
use countersign_store::StoreError;
use serde::Serialize;

use crate::{
    http::edge::{
        App,
        error::{ApiError, ErrorBody, Result},
        json,
        store_watch::StoreCheck,
    },
    witnesses::WitnessState,
};

#[derive(Serialize, utoipa::ToSchema)]
struct Health {
    /// `ok` or `unavailable`.
    #[schema(example = "ok")]
    status: &'static str,
    version: &'static str,
    store: &'static str,
    delivery: &'static str,
    agents: BTreeMap<String, AgentHealth>,
    witnesses: WitnessHealth,
}

/// Why the server is unavailable, with its status.
#[derive(Serialize, utoipa::ToSchema)]
struct Unhealthy {
    #[serde(flatten)]
    health: Health,
    #[serde(flatten)]
    error: ErrorBody,
}

/// How many of the ledger's witnesses cosign. `GET /api/ledger/witnesses` lists them.
#[derive(Serialize, utoipa::ToSchema)]
struct WitnessHealth {
    configured: usize,
    required: usize,
    current: usize,
    /// The number of witnesses that have cosigned a different history of this log.
    disagreeing: usize,
}

#[derive(Serialize, utoipa::ToSchema)]
struct AgentHealth {
    state: AgentState,
    paused: bool,
    lag: u64,
    heartbeat_at: Time,
}

/// Liveness probe
///
/// Needs no key. It is answered under any load, even if all connections are in use, and without waiting for the store. 503 means
/// that the store can't be read or written; a restart may help. Use `/ready` to decide whether the server should get traffic.
#[utoipa::path(get, path = "/health", tag = "Operation", responses(
    (status = 200, description = "The server is alive", body = Health),
    (status = 503, description = "The server can't read or write its store", body = Unhealthy),
))]
pub(super) async fn show(State(app): State<App>) -> Result<Response> {
    let failure = match app.store_watch.last() {
        StoreCheck::Fails(why) => Some(ApiError::Unavailable(StoreError::Database(why))),
        StoreCheck::Works | StoreCheck::Slow if !app.store.is_writable() => {
            Some(ApiError::Unavailable(StoreError::Busy))
        }
        StoreCheck::Works | StoreCheck::Slow => None,
    };
    let agents = app.runtime.statuses().into_iter().map(|agent| {
        let health =
            AgentHealth { state: agent.state, paused: agent.paused, lag: agent.lag, heartbeat_at: agent.heartbeat_at };
        (agent.name, health)
    });
    let health = Health {
        status: if failure.is_none() { "ok" } else { "unavailable" },
        version: env!("CARGO_PKG_VERSION"),
        store: app.store.database_name(),
        delivery: "in-process",
        agents: agents.collect(),
        witnesses: witness_health(&app),
    };
    Ok(match failure {
        None => json::response(serde_json::to_vec(&health)?),
        Some(failure) => {
            let body = serde_json::to_vec(&Unhealthy { health, error: failure.body() })?;
            failure.with_body(body)
        }
    })
}

fn witness_health(app: &App) -> WitnessHealth {
    let all = app.witnesses.all();
    WitnessHealth {
        configured: all.len(),
        required: app.witnesses.required(),
        current: app.witnesses.current(),
        disagreeing: all.iter().filter(|witness| witness.state == WitnessState::Disagrees).count(),
    }
}
