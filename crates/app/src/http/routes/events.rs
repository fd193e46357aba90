//! Reading the event log.

use std::{collections::HashSet, sync::Arc};

use axum::extract::State;
use countersign_domain::{Event, EventId, EventType, StoredEvent, event::UnreadableEvent};
use countersign_store::{EventQuery, StoreError};
use serde::Serialize;

use crate::http::edge::{
    App,
    error::{ApiError, Result},
    json::Json,
    query::{Page, PageParams, Params, Segment},
};

const TYPES_MAX: usize = 64;
const TYPE_CHARS_MAX: usize = 64;
const CHAIN_EVENTS_MAX: usize = 1000;
/// The maximum number of causes outside the correlation that a chain includes.
const CAUSES_MAX: usize = 100;

/// List events, oldest first
#[utoipa::path(get, path = "/api/events", tag = "Events",
    params(
        ("type" = Option<Vec<String>>, Query, description = "Only events of these types; repeat the parameter or separate types with commas",
            example = json!(["FRAUD_ALERT_CREATED"])),
        ("correlation_id" = Option<countersign_domain::CorrelationId>, Query,
            description = "Only events of one investigation or request"),
        PageParams,
    ),
    responses((status = 200, description = "A page of events", body = Page<StoredEvent>)),
)]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<Page<StoredEvent>>> {
    let page = params.page()?;
    let names = type_names(&mut params)?;
    let query = EventQuery {
        from_seq: page.after::<PassedEvents>()?.map_or(0, |passed| passed.0),
        types: names.iter().filter_map(|name| EventType::parse(name)).collect(),
        correlation_id: params.parsed("correlation_id", "a UUID")?,
        limit: page.limit + 1,
    };
    params.finish()?;
    // An empty list of types would mean all types.
    let only_unknown = !names.is_empty() && query.types.is_empty();
    let events = if only_unknown { Vec::new() } else { app.store.events(query).await? };
    Ok(Json(Page::of(events, page.limit, |event| format!("e{}", event.seq + 1))))
}

/// The cursor of the list: the number of events of the log that it has passed.
struct PassedEvents(u64);

impl std::str::FromStr for PassedEvents {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let passed = text.strip_prefix('e').and_then(|number| number.parse::<i64>().ok());
        passed.and_then(|passed| u64::try_from(passed).ok()).map(Self).ok_or(())
    }
}

/// Accepts any name. A type that this version doesn't know matches nothing.
fn type_names(params: &mut Params) -> Result<Vec<String>> {
    let given = params.all("type");
    let types: Vec<String> = given.iter().flat_map(|list| list.split(',')).map(str::to_owned).collect();
    let is_name = |name: &String| {
        (1..=TYPE_CHARS_MAX).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    if types.len() > TYPES_MAX || !types.iter().all(is_name) {
        return Err(ApiError::bad_request(format!("type: must be a list of at most {TYPES_MAX} event type names")));
    }
    Ok(types)
}

/// Show an event
#[utoipa::path(get, path = "/api/events/{id}", tag = "Events",
    params(("id" = EventId, Path, description = "The event's id")),
    responses(
        (status = 200, description = "The event", body = StoredEvent),
        (status = 404, description = "There is no such event", body = super::ErrorBody),
    ),
)]
pub(super) async fn one(State(app): State<App>, Segment(id): Segment) -> Result<Json<StoredEvent>> {
    Ok(Json(app.store.event(parse_id(&id)?).await?))
}

fn parse_id(text: &str) -> Result<EventId> {
    text.parse().map_err(|_| ApiError::bad_request("id: is not a UUID"))
}

/// The parsed event. `None` if it was erased.
pub(super) fn parse_event(stored: &StoredEvent) -> Result<Option<Event>> {
    match stored.event() {
        Ok(event) => Ok(Some(event)),
        Err(UnreadableEvent::Erased { .. }) => Ok(None),
        Err(error) => Err(ApiError::Internal { what: "a stored event can't be read", source: Some(Arc::new(error)) }),
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Chain {
    /// The oldest event of the chain.
    root: EventId,
    /// Oldest first.
    items: Vec<StoredEvent>,
    /// Whether the chain has more events than are returned.
    truncated: bool,
}

/// Show the chain of an event
///
/// Returns all events of the same investigation or request, and their causes outside of it.
#[utoipa::path(get, path = "/api/events/{id}/chain", tag = "Events",
    params(("id" = EventId, Path, description = "The id of any event of the chain")),
    responses(
        (status = 200, description = "The chain, at most 1000 events", body = Chain),
        (status = 404, description = "There is no such event", body = super::ErrorBody),
    ),
)]
pub(super) async fn chain(State(app): State<App>, Segment(id): Segment) -> Result<Json<Chain>> {
    let event = app.store.event(parse_id(&id)?).await?;
    let query =
        EventQuery { correlation_id: Some(event.correlation_id), limit: CHAIN_EVENTS_MAX + 1, ..Default::default() };
    let mut items = app.store.events(query).await?;
    let truncated = items.len() > CHAIN_EVENTS_MAX;
    items.truncate(CHAIN_EVENTS_MAX);
    add_causes(&app, &mut items).await?;
    items.sort_by_key(|event| event.seq);
    let root = items.first().map_or(event.event_id, |first| first.event_id);
    Ok(Json(Chain { root, items, truncated }))
}

/// Adds causes outside of the correlation, back to the first.
async fn add_causes(app: &App, items: &mut Vec<StoredEvent>) -> Result<()> {
    let mut known: HashSet<EventId> = items.iter().map(|event| event.event_id).collect();
    let mut missing: Vec<EventId> = items.iter().filter_map(|event| event.causation_id).collect();
    let mut followed = 0;
    while let Some(cause) = missing.pop() {
        if !known.insert(cause) || followed == CAUSES_MAX {
            continue;
        }
        followed += 1;
        match app.store.event(cause).await {
            Ok(event) => {
                missing.extend(event.causation_id);
                items.push(event);
            }
            Err(StoreError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
