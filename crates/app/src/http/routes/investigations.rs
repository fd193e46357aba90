//! Investigations: listing them, showing one with everything that belongs to it, assigning one, and requesting a review.

use axum::{
    Extension,
    body::Body,
    extract::State as AxumState,
    http::{HeaderMap, StatusCode},
};
use countersign_domain::{
    AlertId, Event, EventId, EventType, InvestigationId, NewEvent, ReportId, Score, Severity, State, StoredEvent, Time,
    TransactionId, UserId,
    payload::{InvestigationAssigned, Level, SupervisorReviewRequested},
    text,
};
use countersign_store::{AlertEntry, EventQuery, InvestigationEntry, InvestigationQuery};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{
    alerts, events,
    reports::{self, ReportRow},
    reviews::ReviewRow,
    transactions,
};
use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
        json::{self, Json},
        query::{Page, PageParams, Params, Segment},
    },
    keys::Caller,
};

/// The maximum number of events listed with an investigation; `/api/events` has all of them.
const EVENTS_MAX: usize = 1_000;
const ANOMALIES_MAX: usize = 100;
const NAME_CHARS_MAX: usize = 128;
const REASON_CHARS_MAX: usize = 4_000;
const PRODUCER: &str = "api";

/// An investigation in a list.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct InvestigationRow {
    investigation_id: InvestigationId,
    alert_id: AlertId,
    user_id: UserId,
    severity: Severity,
    risk_score: Score,
    transaction_id: Option<TransactionId>,
    status: State,
    created_at: Time,
    assigned_to: Option<String>,
    /// The report that has waited longest for a reviewer; if none is waiting, the newest report.
    #[schema(value_type = Option<String>)]
    report_id: Option<ReportId>,
    /// The signals of the alert, in the alert's own format. `null` if it has none or was erased.
    #[schema(value_type = Option<Object>)]
    signals: Option<Box<RawValue>>,
    event_id: EventId,
    seq: u64,
}

/// The part of an alert's payload that the row shows.
#[derive(Deserialize)]
struct AlertPayload {
    #[serde(default)]
    metadata: AlertPayloadMetadata,
}

#[derive(Deserialize, Default)]
struct AlertPayloadMetadata {
    #[serde(default)]
    signals: Option<Box<RawValue>>,
}

fn signals(entry: &InvestigationEntry) -> Option<Box<RawValue>> {
    let alert: AlertPayload = serde_json::from_str(entry.alert.as_ref()?.get()).ok()?;
    alert.metadata.signals
}

/// The row of an investigation. `None` if it was erased.
pub(crate) fn row(entry: &InvestigationEntry) -> Option<InvestigationRow> {
    let Ok(Event::InvestigationCreated(opened)) = entry.event.event() else { return None };
    let case = &entry.case.case;
    Some(InvestigationRow {
        investigation_id: opened.investigation_id,
        alert_id: opened.alert_id,
        user_id: opened.user_id,
        severity: opened.severity,
        risk_score: opened.risk_score,
        transaction_id: opened.transaction_id,
        status: case.state,
        created_at: opened.created_at,
        assigned_to: case.assigned_to.clone(),
        report_id: case.report_id.clone(),
        signals: signals(entry),
        event_id: entry.event.event_id,
        seq: entry.event.seq,
    })
}

/// List investigations, newest first
#[utoipa::path(get, path = "/api/investigations", tag = "Investigations", params(
    PageParams,
    ("severity" = Option<Severity>, Query, description = "Only investigations of this severity"),
    ("status" = Option<State>, Query, description = "Only investigations in this state"),
    ("user_id" = Option<UserId>, Query, description = "Only investigations about this customer"),
), responses((status = 200, description = "A page of investigations", body = Page<InvestigationRow>)))]
pub(super) async fn list(AxumState(app): AxumState<App>, mut params: Params) -> Result<Json<Page<InvestigationRow>>> {
    let page = params.page()?;
    let query = InvestigationQuery {
        severity: params.checked("severity")?,
        status: params.checked("status")?,
        user_id: params.checked("user_id")?,
        before: page.before()?,
        limit: page.limit + 1,
    };
    params.finish()?;
    let investigations = app.store.investigations(query).await?;
    let page = Page::going_back(investigations, page.limit, |entry| entry.event.seq);
    Ok(Json(page.convert(|entry| Ok(row(&entry)))?))
}

/// An investigation with everything that belongs to it.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Investigation {
    #[serde(flatten)]
    row: InvestigationRow,
    #[schema(value_type = Option<alerts::AlertRow>)]
    alert: Option<Box<RawValue>>,
    /// The transaction that the alert is about, if it is recorded.
    #[schema(value_type = Option<transactions::TransactionRow>)]
    transaction: Option<Box<RawValue>>,
    /// The current versions of its reports, newest first.
    reports: Vec<ReportRow>,
    /// Reviewers' decisions, newest first.
    reviews: Vec<ReviewRow>,
    /// Anomalies noted by the supervisor, oldest first.
    anomalies: Vec<Anomaly>,
    /// All its events, oldest first, at most 1000.
    events: Vec<EventName>,
    events_truncated: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Anomaly {
    event_id: EventId,
    #[schema(example = "alert_burst")]
    anomaly: String,
    severity: Level,
    description: String,
    flagged_at: Time,
}

/// A reference to an event.
#[derive(Serialize, utoipa::ToSchema)]
struct EventName {
    event_id: EventId,
    event_type: String,
    occurred_at: Time,
    seq: u64,
}

/// Show an investigation
///
/// Returns the investigation with its alert, transaction, reports, decisions, anomalies and events.
#[utoipa::path(get, path = "/api/investigations/{id}", tag = "Investigations",
    params(("id" = InvestigationId, Path, description = "The investigation's id")),
    responses(
        (status = 200, description = "The investigation", body = Investigation),
        (status = 404, description = "There is no such investigation", body = super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::ErrorBody),
    ),
)]
pub(super) async fn one(AxumState(app): AxumState<App>, params: Params, id: Segment) -> Result<Json<Investigation>> {
    params.finish()?;
    let row = find_investigation(&app, id.uuid()?).await?;
    let id = row.investigation_id;
    let alert = app.store.alert(&row.alert_id).await?;
    let transaction = transaction_of(&app, &row, alert.as_ref()).await?;
    let reviews = app.store.reviews_of(id).await?;
    let mut events = correlated_events(&app, id, &[], EVENTS_MAX + 1).await?;
    let events_truncated = events.len() > EVENTS_MAX;
    events.truncate(EVENTS_MAX);
    Ok(Json(Investigation {
        alert: alert.as_ref().map(alerts::row).transpose()?.flatten(),
        transaction,
        reports: reports::report_rows(&app.store, app.store.reports_of(id).await?).await?,
        reviews: reviews.iter().filter_map(|event| ReviewRow::of(event, &app.keys)).collect(),
        anomalies: anomalies(&app, id).await?,
        events: events.into_iter().map(EventName::of).collect(),
        events_truncated,
        row,
    }))
}

/// The customer whose records are requested: given by `user_id`, or by `investigation_id` for callers who may not see the
/// customer's id.
pub(super) async fn customer(app: &App, params: &mut Params) -> Result<Option<UserId>> {
    let user_id = params.checked("user_id")?;
    match params.parsed("investigation_id", "a UUID")? {
        None => Ok(user_id),
        Some(_) if user_id.is_some() => {
            Err(ApiError::bad_request("investigation_id: can't be given together with user_id"))
        }
        Some(id) => Ok(Some(find_investigation(app, id).await?.user_id)),
    }
}

async fn find_investigation(app: &App, id: InvestigationId) -> Result<InvestigationRow> {
    let entry = app.store.investigation(id).await?;
    let entry = entry.ok_or_else(|| ApiError::not_found("there is no investigation with this id"))?;
    events::parse_event(&entry.event)?.ok_or(ApiError::Gone("the content of this investigation has been erased"))?;
    row(&entry).ok_or(ApiError::Internal { what: "an investigation's first event is of another type", source: None })
}

/// The transaction of the alert. Another customer's transaction is not shown, even if the alert names it.
async fn transaction_of(
    app: &App,
    row: &InvestigationRow,
    alert: Option<&AlertEntry>,
) -> Result<Option<Box<RawValue>>> {
    let named = match alert.map(|alert| events::parse_event(&alert.event)).transpose()?.flatten() {
        Some(Event::FraudAlertCreated(alert)) => alert.metadata.transaction_id,
        _ => row.transaction_id.clone(),
    };
    let Some(id) = named else { return Ok(None) };
    let Some(stored) = app.store.transaction(&id).await? else { return Ok(None) };
    match events::parse_event(&stored)? {
        Some(Event::TransactionReceived(transaction)) if transaction.user_id == row.user_id => {
            Ok(transactions::row(&stored)?)
        }
        _ => Ok(None),
    }
}

async fn anomalies(app: &App, id: InvestigationId) -> Result<Vec<Anomaly>> {
    let events = correlated_events(app, id, &[EventType::AnomalyFlagged], ANOMALIES_MAX).await?;
    let anomaly = |stored: StoredEvent| match stored.event() {
        Ok(Event::AnomalyFlagged(flagged)) => Some(Anomaly {
            event_id: stored.event_id,
            anomaly: flagged.anomaly,
            severity: flagged.severity,
            description: flagged.description,
            flagged_at: flagged.flagged_at,
        }),
        _ => None,
    };
    Ok(events.into_iter().filter_map(anomaly).collect())
}

async fn correlated_events(
    app: &App,
    id: InvestigationId,
    types: &[EventType],
    limit: usize,
) -> Result<Vec<StoredEvent>> {
    let types = types.to_vec();
    Ok(app.store.events(EventQuery { from_seq: 0, types, correlation_id: Some(id.into()), limit }).await?)
}

impl EventName {
    fn of(event: StoredEvent) -> Self {
        let StoredEvent { event_id, event_type, occurred_at, seq, .. } = event;
        Self { event_id, event_type, occurred_at, seq }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Assignment {
    /// The assignee; `null` unassigns the investigation.
    #[serde(deserialize_with = "present")]
    #[schema(required = true, max_length = 128, example = "Ana")]
    to: Option<String>,
}

/// Requires the field: leaving it out is an error, unlike `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// Assign an investigation
#[utoipa::path(post, path = "/api/investigations/{id}/assign", tag = "Investigations", request_body = Assignment,
    params(("id" = InvestigationId, Path, description = "The investigation's id")),
    responses(
        (status = 200, description = "The updated investigation", body = InvestigationRow),
        (status = 404, description = "There is no such investigation", body = super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn assign(
    AxumState(app): AxumState<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    id: Segment,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<InvestigationRow>> {
    params.finish()?;
    let id: InvestigationId = id.uuid()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let Assignment { to: assigned_to } = json::object(&body.bytes)?;
    assigned_to.as_deref().map_or(Ok(()), |name| text::identifier("to", name, NAME_CHARS_MAX))?;
    find_investigation(&app, id).await?;
    let seams = app.store.seams();
    let (assigned_by, assigned_at) = (caller.name().to_owned(), seams.now());
    let assigned = InvestigationAssigned { investigation_id: id, assigned_to, assigned_by, assigned_at };
    let event = NewEvent::new(seams.event_id(), assigned, assigned_at, PRODUCER, id.into())?;
    app.store.append(vec![event]).await?;
    Ok(Json(find_investigation(&app, id).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewRequest {
    #[serde(default)]
    #[schema(max_length = 4000)]
    reason: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Requested)]
pub(super) struct RequestAccepted {
    /// The id of the request's event.
    pub(super) request_id: EventId,
}

/// Request a supervisor review
///
/// The supervisor checks the current report again. From then on, the investigation waits for a reviewer.
#[utoipa::path(post, path = "/api/investigations/{id}/supervisor-review", tag = "Investigations",
    request_body = ReviewRequest,
    params(("id" = InvestigationId, Path, description = "The investigation's id")),
    responses(
        (status = 202, description = "The review has been requested", body = RequestAccepted),
        (status = 404, description = "There is no such investigation", body = super::ErrorBody),
        (status = 409, description = "The investigation is closed", body = super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn supervisor_review(
    AxumState(app): AxumState<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    id: Segment,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<RequestAccepted>)> {
    params.finish()?;
    let id: InvestigationId = id.uuid()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let ReviewRequest { reason } =
        if body.bytes.is_empty() { ReviewRequest { reason: None } } else { json::object(&body.bytes)? };
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    reason.as_deref().map_or(Ok(()), |reason| super::reviews::check_text("reason", reason, REASON_CHARS_MAX))?;
    if find_investigation(&app, id).await?.status == State::Disposed {
        return Err(ApiError::Conflict("the investigation is closed, and that is final".into()));
    }
    let seams = app.store.seams();
    let (requested_by, requested_at) = (caller.name().to_owned(), seams.now());
    let requested = SupervisorReviewRequested { investigation_id: id, requested_by, reason, requested_at };
    let request_id = seams.event_id();
    let event = NewEvent::new(request_id, requested, requested_at, PRODUCER, id.into())?;
    app.store.append(vec![event]).await?;
    Ok((StatusCode::ACCEPTED, Json(RequestAccepted { request_id })))
}
