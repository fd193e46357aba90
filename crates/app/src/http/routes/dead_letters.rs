//! Dead letters: events that an agent failed to process, and replaying them.

use axum::{Extension, extract::State, http::StatusCode};
use countersign_domain::{DeadLetterId, EventId, Time};
use countersign_store::DeadLetterQuery;
use serde::Serialize;

use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
        json::Json,
        query::{Page, PageParams, Params, Segment},
    },
    keys::Caller,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct DeadLetter {
    id: DeadLetterId,
    agent: String,
    event_seq: u64,
    event_id: EventId,
    event_type: String,
    attempts: u32,
    /// Why the last attempt failed.
    error: String,
    dead_lettered_at: Time,
    /// `dead`, `replaying` or `replayed`.
    #[schema(example = "dead")]
    state: String,
}

impl From<countersign_store::DeadLetter> for DeadLetter {
    fn from(letter: countersign_store::DeadLetter) -> Self {
        Self {
            id: letter.id,
            agent: letter.agent,
            event_seq: letter.event_seq,
            event_id: letter.event_id,
            event_type: letter.event_type,
            attempts: letter.attempts,
            error: letter.error,
            dead_lettered_at: letter.dead_lettered_at,
            state: letter.state.to_string(),
        }
    }
}

/// List dead letters, newest first
#[utoipa::path(get, path = "/api/dead-letters", tag = "Agents",
    params(
        ("agent" = Option<String>, Query, description = "Only dead letters of this agent"),
        ("state" = Option<String>, Query, description = "Only dead letters in this state", example = "dead"),
        PageParams,
    ),
    responses((status = 200, description = "A page of dead letters", body = Page<DeadLetter>)),
)]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<Page<DeadLetter>>> {
    let page = params.page()?;
    let state: Option<String> = params.one("state")?;
    let query = DeadLetterQuery {
        before: page.after::<DeadLetterId>()?,
        agent: params.one("agent")?,
        state: state.as_deref().and_then(|state| state.parse().ok()),
        limit: page.limit + 1,
    };
    params.finish()?;
    // No dead letter can be in a state that this version doesn't know.
    let letters =
        if state.is_some() && query.state.is_none() { Vec::new() } else { app.store.dead_letters(query).await? };
    let letters = letters.into_iter().map(DeadLetter::from).collect();
    Ok(Json(Page::of(letters, page.limit, |letter: &DeadLetter| letter.id.to_string())))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Replaying {
    id: DeadLetterId,
    #[schema(example = "replaying")]
    state: &'static str,
}

/// Replay a dead letter
///
/// The agent processes the event again.
#[utoipa::path(post, path = "/api/dead-letters/{id}/replay", tag = "Agents",
    params(("id" = DeadLetterId, Path, description = "The dead letter's id")),
    responses(
        (status = 202, description = "The replay has been requested", body = Replaying),
        (status = 404, description = "There is no such dead letter", body = super::ErrorBody),
        (status = 409, description = "The dead letter is being replayed, or has been replayed", body = super::ErrorBody),
    ),
)]
pub(super) async fn replay(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Segment(id): Segment,
) -> Result<(StatusCode, Json<Replaying>)> {
    let id: DeadLetterId = id.parse().map_err(|_| ApiError::bad_request("id: is not a UUID"))?;
    app.runtime.replay(id, caller.name()).await?;
    Ok((StatusCode::ACCEPTED, Json(Replaying { id, state: "replaying" })))
}
