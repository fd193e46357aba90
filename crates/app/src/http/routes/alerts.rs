//! Alerts: accepting them from external detectors, and reading all of them.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use countersign_agents::DETECTOR;
use countersign_domain::{
    Alert, AlertId, AlertState, EventId, InvestigationId, NewEvent, ReportId, Severity, Time, UserId,
};
use countersign_store::{AlertEntry, AlertQuery, Ingested};
use serde::Serialize;
use serde_json::value::RawValue;

use super::investigations;
use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
        json::{self, Json},
        query::{Page, PageParams, Params, Segment},
    },
    keys::Caller,
};

/// The metadata of an alert from an external detector. The store reads it to find the authors of a report.
#[derive(Serialize)]
struct PostedBy<'a> {
    posted_by: &'a str,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct AlertTaken {
    alert_id: AlertId,
}

/// Send an alert
///
/// An alert is stored exactly once by its `alert_id`; sending it again changes nothing. The response is sent once the alert is
/// on disk. The severity is not checked against the score.
#[utoipa::path(post, path = "/api/alerts", tag = "Intake", request_body = Alert,
    responses(
        (status = 202, description = "Stored, now or earlier", body = AlertTaken),
        (status = 409, description = "An alert with this id and different content already exists", body = super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn post(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<AlertTaken>)> {
    params.finish()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let alert: Alert = json::object::<Alert>(&body.bytes)?.validated()?;
    let alert_id = alert.alert_id.clone();
    let seams = app.store.seams();
    let correlation = InvestigationId::of_alert(&alert_id).into();
    let mut event = NewEvent::new(seams.event_id(), alert, seams.now(), "api", correlation)?;
    // The caller who posts an alert can neither approve reports about it nor close the case.
    event.metadata = serde_json::to_string(&PostedBy { posted_by: caller.name() })?;
    match app.store.ingest(vec![event]).await?.first() {
        Some(Ingested::Conflict { .. }) => {
            Err(ApiError::Conflict("alert_id: already exists with different content".into()))
        }
        _ => Ok((StatusCode::ACCEPTED, Json(AlertTaken { alert_id }))),
    }
}

/// An alert in a list.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct AlertRow {
    #[serde(flatten)]
    alert: Alert,
    #[serde(flatten)]
    standing: AlertStanding,
}

/// What the server knows about an alert, besides its own fields.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct AlertStanding {
    /// `recorded` for alerts of low severity, which are not investigated.
    status: AlertState,
    /// Who raised the alert: the built-in `detector`, or an `external` one.
    #[schema(example = "detector")]
    source: &'static str,
    created_at: Time,
    /// `null` if the alert is not investigated.
    investigation_id: Option<InvestigationId>,
    event_id: EventId,
    seq: u64,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct AlertDetail {
    #[serde(flatten)]
    #[schema(value_type = AlertRow)]
    standing: AlertStanding,
    /// The current versions of its reports, newest first.
    #[schema(value_type = Vec<String>)]
    report_ids: Vec<ReportId>,
}

impl AlertStanding {
    fn of(entry: &AlertEntry) -> Self {
        Self {
            status: entry.state,
            source: if entry.event.producer == DETECTOR { DETECTOR } else { "external" },
            created_at: entry.event.occurred_at,
            investigation_id: entry.case.as_ref().map(|case| case.investigation_id),
            event_id: entry.event.event_id,
            seq: entry.event.seq,
        }
    }
}

/// The alert as it was sent, and its state. `None` if it was erased.
pub(crate) fn row(entry: &AlertEntry) -> serde_json::Result<Option<Box<RawValue>>> {
    entry.event.payload.as_ref().map(|payload| json::joined(payload.get(), &AlertStanding::of(entry))).transpose()
}

/// List alerts, newest first
#[utoipa::path(get, path = "/api/alerts", tag = "Investigations", params(
    PageParams,
    ("severity" = Option<Severity>, Query, description = "Only alerts of this severity"),
    ("status" = Option<AlertState>, Query, description = "Only alerts in this state"),
    ("user_id" = Option<UserId>, Query, description = "Only alerts about this customer"),
    ("investigation_id" = Option<InvestigationId>, Query,
        description = "Only alerts about the customer of this investigation"),
), responses(
    (status = 200, description = "A page of alerts", body = Page<AlertRow>),
    (status = 404, description = "There is no investigation with this id", body = super::ErrorBody),
))]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<Page<Box<RawValue>>>> {
    let page = params.page()?;
    let query = AlertQuery {
        severity: params.checked("severity")?,
        status: params.checked("status")?,
        user_id: investigations::customer(&app, &mut params).await?,
        before: page.before()?,
        limit: page.limit + 1,
    };
    params.finish()?;
    let alerts = app.store.alerts(query).await?;
    let alerts = Page::going_back(alerts, page.limit, |entry| entry.event.seq);
    Ok(Json(alerts.convert(|entry| Ok(row(&entry)?))?))
}

/// Show an alert
#[utoipa::path(get, path = "/api/alerts/{id}", tag = "Investigations",
    params(("id" = AlertId, Path, description = "The alert's id, as chosen by its sender")),
    responses(
        (status = 200, description = "The alert and the ids of its reports", body = AlertDetail),
        (status = 404, description = "There is no such alert", body = super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::ErrorBody),
    ),
)]
pub(super) async fn one(State(app): State<App>, params: Params, id: Segment) -> Result<Json<Box<RawValue>>> {
    params.finish()?;
    let id: AlertId = id.name()?;
    let entry = app.store.alert(&id).await?;
    let entry = entry.ok_or_else(|| ApiError::not_found("there is no alert with this id"))?;
    let reports = app.store.reports_of(InvestigationId::of_alert(&id)).await?;
    let payload = entry.event.payload.as_ref().ok_or(ApiError::Gone("the content of this alert has been erased"))?;
    let report_ids = reports.into_iter().map(|report| report.id).collect();
    Ok(Json(json::joined(payload.get(), &AlertDetail { standing: AlertStanding::of(&entry), report_ids })?))
}
