//! The agents' status, and pausing and resuming them.

use axum::extract::State;
use countersign_agents::AgentStatus;

use crate::http::edge::{
    App,
    error::Result,
    json::Json,
    query::{Page, PageParams, Params, Segment},
};

/// List agents
#[utoipa::path(get, path = "/api/agents", tag = "Agents", params(PageParams), responses(
    (status = 200, description = "The agents' status", body = Page<AgentStatus>),
))]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<Page<AgentStatus>>> {
    let page = params.page()?;
    params.finish()?;
    Ok(Json(Page::within(app.runtime.statuses(), &page, |agent| agent.name.clone())?))
}

/// Pause an agent
///
/// The agent finishes the events that it is processing and starts no others until it is resumed, even after a restart.
#[utoipa::path(post, path = "/api/agents/{name}/pause", tag = "Agents",
    params(("name" = String, Path, description = "The agent's name", example = "orchestrator")),
    responses(
        (status = 200, description = "The agent's status", body = AgentStatus),
        (status = 404, description = "There is no such agent", body = super::ErrorBody),
    ),
)]
pub(super) async fn pause(State(app): State<App>, Segment(name): Segment) -> Result<Json<AgentStatus>> {
    Ok(Json(app.runtime.pause(&name).await?))
}

/// Resume an agent
#[utoipa::path(post, path = "/api/agents/{name}/resume", tag = "Agents",
    params(("name" = String, Path, description = "The agent's name", example = "orchestrator")),
    responses(
        (status = 200, description = "The agent's status", body = AgentStatus),
        (status = 404, description = "There is no such agent", body = super::ErrorBody),
    ),
)]
pub(super) async fn resume(State(app): State<App>, Segment(name): Segment) -> Result<Json<AgentStatus>> {
    Ok(Json(app.runtime.resume(&name).await?))
}
