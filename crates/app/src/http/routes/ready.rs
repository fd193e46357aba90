//! The readiness probe.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::http::edge::{
    App,
    error::{ApiError, ErrorBody, Result},
    json::Json,
    store_watch::StoreCheck,
};

/// An agent without a heartbeat for this many intervals counts as stuck.
const HEARTBEATS_MISSED_MAX: u32 = 3;

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Ready {
    /// Always `ready`.
    #[schema(example = "ready")]
    status: &'static str,
}

/// Why the server should get no traffic now.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct NotReady {
    /// Always `not_ready`.
    #[schema(example = "not_ready")]
    status: &'static str,
    #[schema(example = json!(["all connections are in use"]), min_items = 1)]
    reasons: Vec<String>,
    #[serde(flatten)]
    error: ErrorBody,
}

/// Readiness probe
///
/// Needs no key, and is answered under any load, like `/health`. While it returns 503, a load balancer should send requests
/// elsewhere: the server is stopping or overloaded, its store is slow or can't be written, or an agent is stuck.
#[utoipa::path(get, path = "/ready", tag = "Operation", responses(
    (status = 200, description = "The server is ready for traffic", body = Ready),
    (status = 503, description = "The server is not ready, for the given reasons", body = NotReady),
))]
pub(super) async fn show(State(app): State<App>) -> Result<Response> {
    let reasons = reasons(&app);
    if reasons.is_empty() {
        return Ok(Json(Ready { status: "ready" }).into_response());
    }
    let failure = ApiError::NotReady(reasons.join("; "));
    let body = serde_json::to_vec(&NotReady { status: "not_ready", reasons, error: failure.body() })?;
    Ok(failure.with_body(body))
}

fn reasons(app: &App) -> Vec<String> {
    // A stopping server takes all its connection permits itself, so no other reason is meaningful.
    if app.stop.is_cancelled() {
        return vec!["the server is stopping".to_owned()];
    }
    let mut reasons = Vec::new();
    let mut add = |applies: bool, reason: &str| {
        if applies {
            reasons.push(reason.to_owned());
        }
    };
    let store_check = app.store_watch.last();
    add(!app.store.is_writable(), "the store can't be written");
    add(matches!(store_check, StoreCheck::Fails(_)), "the store can't be read");
    add(store_check == StoreCheck::Slow, "the store is slow");
    add(app.connections.available_permits() == 0, "all connections are in use");
    add(app.in_flight.available_permits() == 0, "the limit on requests in flight is reached");
    let silent_max = app.config.agents.heartbeat * HEARTBEATS_MISSED_MAX;
    let now = app.store.seams().now();
    for agent in app.runtime.statuses() {
        let silent_micros = now.micros() - agent.heartbeat_at.micros();
        if u128::try_from(silent_micros).is_ok_and(|silent| silent > silent_max.as_micros()) {
            reasons.push(format!("the agent {} has sent no heartbeat for {} s", agent.name, silent_micros / 1_000_000));
        }
    }
    reasons
}
