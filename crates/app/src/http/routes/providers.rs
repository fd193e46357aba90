//! The providers of models: which there are, and how they fare.

use axum::extract::State;
use countersign_llm::BreakerState;
use serde::Serialize;

use crate::http::edge::{App, error::Result, json::Json, query::Params};

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Providers {
    /// `provider/model` that answers `/process-agent` and bare model names of the gateway.
    #[schema(example = "groq/llama-3.3-70b-versatile")]
    worker: String,
    /// `provider/model` that judges, or `builtin`.
    auditor: String,
    items: Vec<Provider>,
}

/// A provider since the server's start, and today as far as budgets go.
#[derive(Serialize, utoipa::ToSchema)]
struct Provider {
    name: String,
    calls: u64,
    failures: u64,
    in_flight: u64,
    tokens_today: u64,
    /// US dollars, as decimal text; only what has a configured price.
    cost_usd_today: String,
    /// The most of a UTC day; null where none is set.
    tokens_per_day: Option<u64>,
    usd_per_day: Option<String>,
    /// What the provider said about its key when the server started: `accepted`, `refused` or `unreachable`. Null where
    /// it has no key or was not asked.
    #[schema(example = "accepted")]
    key: Option<&'static str>,
    models: Vec<Model>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Model {
    model: String,
    /// `closed`: calls go through; `open`: they fail at once for a while; `half_open`: one is tried.
    circuit: &'static str,
}

/// The providers that can be called
///
/// With calls, failures and tokens since the start, and the circuit of each model.
#[utoipa::path(get, path = "/api/providers", tag = "Operation", responses(
    (status = 200, description = "All providers", body = Providers),
))]
pub(super) async fn list(State(app): State<App>, params: Params) -> Result<Json<Providers>> {
    params.finish()?;
    let answers = &app.answers;
    let items = answers.models.health().into_iter().map(|health| Provider {
        key: app.key_checks.of(&health.name),
        name: health.name,
        calls: health.calls,
        failures: health.failures,
        in_flight: health.in_flight as u64,
        tokens_today: health.tokens_today,
        cost_usd_today: health.cost_today_usd.normalize().to_string(),
        tokens_per_day: health.tokens_per_day,
        usd_per_day: health.usd_per_day.map(|usd| usd.normalize().to_string()),
        models: health
            .breakers
            .into_iter()
            // The list of models is asked for under no model's name.
            .filter(|(model, _)| !model.is_empty())
            .map(|(model, state)| Model { model: model.to_string(), circuit: circuit(state) })
            .collect(),
    });
    let auditor = answers.auditor.judge().map_or_else(|| "builtin".to_owned(), ToString::to_string);
    Ok(Json(Providers { worker: answers.worker.to_string(), auditor, items: items.collect() }))
}

fn circuit(state: BreakerState) -> &'static str {
    match state {
        BreakerState::Closed => "closed",
        BreakerState::Open => "open",
        BreakerState::HalfOpen => "half_open",
    }
}
