//! Taking alerts in from somebody else's detector.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use countersign_domain::{Alert, AlertId, InvestigationId, NewEvent};
use countersign_store::Taken;
use serde::Serialize;

use super::{
    App,
    error::{ApiError, Result},
    json::{self, Json},
    query::Params,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct AlertTaken {
    alert_id: AlertId,
}

/// Send an alert in
///
/// Stored exactly once by its `alert_id`: sending it again changes nothing. The answer comes when it is on disk. A
/// severity that disagrees with its score is taken as given.
#[utoipa::path(post, path = "/api/alerts", tag = "Intake", request_body = Alert,
    responses(
        (status = 202, description = "Stored, now or before", body = AlertTaken),
        (status = 409, description = "The id is stored with other content", body = super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn post(
    State(app): State<App>,
    params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<AlertTaken>)> {
    params.finish()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let text = json::text(&body.bytes)?;
    // Serde would read an array as the fields in their order.
    if !text.trim_ascii_start().starts_with('{') {
        return Err(ApiError::bad_request("the body must be one JSON object"));
    }
    let alert: Alert = json::parse::<Alert>(text)?.validated()?;
    let alert_id = alert.alert_id.clone();
    let seams = app.store.seams();
    let correlation = InvestigationId::of_alert(&alert_id).into();
    let event = NewEvent::new(seams.event_id(), alert, seams.now(), "api", correlation)?;
    match app.store.take(vec![event]).await?.first() {
        Some(Taken::Conflict { .. }) => {
            Err(ApiError::Conflict("alert_id: is stored already with other content".into()))
        }
        _ => Ok((StatusCode::ACCEPTED, Json(AlertTaken { alert_id }))),
    }
}
