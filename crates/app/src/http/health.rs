//! Whether the server is alive.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::{extract::State, response::Response};
use countersign_domain::{AgentState, Time};
use countersign_store::{EventQuery, Store, StoreError};
use serde::Serialize;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    App,
    error::{ApiError, ErrorBody, Result},
    json,
};
use crate::witnesses::Standing;

/// How often the store is looked at.
const LOOKS_APART: Duration = Duration::from_secs(1);
/// A store that takes longer for one row is slow.
const READ_LIMIT: Duration = Duration::from_secs(2);

/// How the last look at the store went. Probes read this, so that none waits for a store that is busy or in trouble.
#[derive(Default)]
pub(crate) struct StoreWatch(Mutex<Reading>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Reading {
    #[default]
    Works,
    Slow,
    Fails(String),
}

impl StoreWatch {
    /// Reads one row every second until told to stop.
    pub(crate) async fn run(&self, store: &Store, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            let newest = EventQuery { from_seq: store.size().saturating_sub(1), limit: 1, ..Default::default() };
            let reading = match timeout(READ_LIMIT, store.events(newest)).await {
                Ok(Ok(_)) => Reading::Works,
                Ok(Err(StoreError::Busy)) | Err(_) => Reading::Slow,
                Ok(Err(error)) => Reading::Fails(error.to_string()),
            };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = reading;
            stop.run_until_cancelled(sleep(LOOKS_APART)).await;
        }
    }

    pub(super) fn last(&self) -> Reading {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

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

/// Why the server can't serve, beside what is known of it.
#[derive(Serialize, utoipa::ToSchema)]
struct Unhealthy {
    #[serde(flatten)]
    health: Health,
    #[serde(flatten)]
    error: ErrorBody,
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

/// Whether the server is alive
///
/// Needs no key, and is answered under any load: also when all connections are in use, and without waiting for the store. 503
/// means that the store can't be read or written, which a restart may heal. Whether the server should get traffic is said by
/// `/ready`.
#[utoipa::path(get, path = "/health", tag = "Operation", responses(
    (status = 200, description = "It is", body = Health),
    (status = 503, description = "It can't read or write its store", body = Unhealthy),
))]
pub(super) async fn show(State(app): State<App>) -> Result<Response> {
    let failure = match app.store_watch.last() {
        Reading::Fails(why) => Some(ApiError::Unavailable(StoreError::Database(why))),
        Reading::Works | Reading::Slow if !app.store.is_writable() => Some(ApiError::Unavailable(StoreError::Busy)),
        Reading::Works | Reading::Slow => None,
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
    };
    Ok(match failure {
        None => json::written(serde_json::to_vec(&health)?),
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
        disagreeing: all.iter().filter(|witness| witness.state == Standing::Disagrees).count(),
    }
}
