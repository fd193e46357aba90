//! The configured providers of models, and their state.

use axum::extract::State;
use countersign_llm::BreakerState;
use serde::Serialize;

use crate::http::edge::{App, error::Result, json::Json, query::Params};

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Providers {
    /// `provider/model` that answers `/process-agent` and gateway requests for a model without a provider.
    #[schema(example = "groq/llama-3.3-70b-versatile")]
    worker: String,
    /// `provider/model` that audits, or `builtin`.
    auditor: String,
    items: Vec<Provider>,
}

/// A provider's counts since the server's start, and its budgets today.
#[derive(Serialize, utoipa::ToSchema)]
struct Provider {
    name: String,
    calls: u64,
    failures: u64,
    in_flight: u64,
    tokens_today: u64,
    /// In US dollars, as decimal text. Only calls to models with a configured price count.
    cost_usd_today: String,
    /// The limit for a UTC day; null if there is no limit.
    tokens_per_day: Option<u64>,
    usd_per_day: Option<String>,
    /// The result of the key check at the server's start: `accepted`, `refused` or `unreachable`. Null if the provider has no key
    /// or was not checked.
    #[schema(example = "accepted")]
    key: Option<&'static str>,
    models: Vec<Model>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Model {
    model: String,
    /// State of the circuit breaker. `closed`: calls are made; `open`: calls fail immediately for a while; `half_open`: one call is
    /// tried.
    circuit: &'static str,
}

/// List providers
///
/// Returns the providers that can be called, with calls and failures since the start, tokens and cost of today, and the circuit
/// breaker of each model.
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
            // Requests for the list of models are counted under an empty model name.
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
