//! Whether the server can serve.

use std::{collections::BTreeMap, time::Duration};

use axum::{extract::State, response::Response};
use countersign_domain::{AgentState, Time};
use countersign_store::{EventQuery, StoreError};
use serde::Serialize;
use tokio::time::timeout;

use super::{
    App,
    error::{ApiError, ErrorBody, Result},
    json,
};
use crate::witnesses::Standing;

/// A store that takes longer for one row can't serve.
const READ_LIMIT: Duration = Duration::from_secs(2);

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
    /// Present when unavailable.
    #[serde(flatten)]
    error: Option<ErrorBody>,
}

/// How many of the ledger's witnesses cosign. `GET /api/ledger/witnesses` has each of them.
#[derive(Serialize, utoipa::ToSchema)]
struct WitnessHealth {
    configured: usize,
    required: usize,
    current: usize,
    /// Those that have cosigned another history of this log.
    disagreeing: usize,
}

#[derive(Serialize, utoipa::ToSchema)]
struct AgentHealth {
    state: AgentState,
    paused: bool,
    lag: u64,
    heartbeat_at: Time,
}

/// Whether the server can serve
///
/// Needs no key. It reads one row of the store and looks at how the last write went, so that a disk in trouble shows.
#[utoipa::path(get, path = "/health", tag = "Operation", responses(
    (status = 200, description = "It can", body = Health),
    (status = 503, description = "It can't read or write its store", body = Health),
))]
pub(super) async fn show(State(app): State<App>) -> Result<Response> {
    let newest = EventQuery { from_seq: app.store.size().saturating_sub(1), limit: 1, ..Default::default() };
    let read = timeout(READ_LIMIT, app.store.events(newest)).await;
    let failure = match read {
        Ok(Ok(_)) if !app.store.is_writable() => Some(ApiError::Unavailable(StoreError::Busy)),
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(ApiError::Unavailable(error)),
        Err(_) => Some(ApiError::Unavailable(StoreError::Busy)),
    };
    let agents = app.runtime.statuses().into_iter().map(|agent| {
        let health =
            AgentHealth { state: agent.state, paused: agent.paused, lag: agent.lag, heartbeat_at: agent.heartbeat_at };
        (agent.name, health)
    });
    let health = Health {
        status: if failure.is_none() { "ok" } else { "unavailable" },
        version: env!("CARGO_PKG_VERSION"),
        store: "sqlite",
        delivery: "in-process",
        agents: agents.collect(),
        witnesses: witness_health(&app),
        error: failure.as_ref().map(ApiError::body),
    };
    let body = serde_json::to_vec(&health)?;
    Ok(match failure {
        None => json::written(body),
        Some(failure) => failure.with_body(body),
    })
}

fn witness_health(app: &App) -> WitnessHealth {
    let all = app.witnesses.all();
    WitnessHealth {
        configured: all.len(),
        required: app.witnesses.required(),
        current: app.witnesses.current(),
        disagreeing: all.iter().filter(|witness| witness.state == Standing::Disagrees).count(),
    }
}
