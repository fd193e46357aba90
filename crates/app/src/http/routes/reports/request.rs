//! Requesting a report. The recorded alert determines the report's data, whatever the request says.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use countersign_domain::{
    Alert, AlertId, Event, InvestigationId, NewEvent, Score, Severity, Time, TransactionId,
    payload::{Level, ReportRequested, ReportType},
};
use countersign_store::{AlertEntry, AlertQuery};
use serde::Deserialize;

use super::{WholeReport, report_json};
use crate::{
    http::{
        edge::{
            App,
            error::{ApiError, Result},
            json::{self, Json},
            query::Params,
        },
        routes::{events, investigations::RequestAccepted},
    },
    keys::Caller,
};

/// The maximum number of a customer's alerts that are searched for one about a transaction.
const ALERTS_MAX: usize = 1_000;

/// A request for a report. At least one of the three ids is required.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ReportRequest {
    #[serde(default)]
    transaction_id: Option<TransactionId>,
    /// The alert's id.
    #[serde(default)]
    fraud_detection_id: Option<AlertId>,
    #[serde(default)]
    investigation_id: Option<InvestigationId>,
    report_type: ReportType,
    /// Ignored: the alert's own value is used.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "HIGH")]
    severity: Option<Severity>,
    /// Ignored: the alert's own value is used.
    #[serde(default)]
    #[expect(dead_code, reason = "its type is checked, but the alert's value is used")]
    risk_score: Option<Score>,
    /// Derived from the severity if absent.
    #[serde(default)]
    regulatory_impact: Option<Level>,
    /// Ignored: the server's time is used.
    #[serde(default)]
    #[expect(dead_code, reason = "clients may send it, so it must not be refused")]
    requested_at: Option<Time>,
}

/// Request a report
///
/// The reporter writes the report, and `/api/live` announces it. If a report of this type already exists, it is returned.
#[utoipa::path(post, path = "/api/reports", tag = "Reports", request_body = ReportRequest,
    responses(
        (status = 200, description = "The existing report of this type", body = WholeReport),
        (status = 202, description = "The report has been requested", body = RequestAccepted),
        (status = 404, description = "No alert matches the given ids", body = super::super::ErrorBody),
        (status = 410, description = "The alert or its report has been erased", body = super::super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::super::ErrorBody),
    ),
)]
pub(in crate::http) async fn post(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    params.finish()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let request: ReportRequest = json::object(&body.bytes)?;
    if request.severity.is_some_and(|severity| !severity.is_investigated()) {
        return Err(ApiError::bad_request(
            "severity: must be MEDIUM, HIGH or CRITICAL; there are no reports about low severity",
        ));
    }
    let alert = alert_of(&app, &request).await?;
    check(&request, &alert)?;
    if let Some(current) = app.store.current_report(&alert.alert_id, request.report_type).await? {
        return Ok(Json(report_json(&app, &current).await?).into_response());
    }
    let seams = app.store.seams();
    let (request_id, requested_at) = (seams.event_id(), seams.now());
    let investigation_id = InvestigationId::of_alert(&alert.alert_id);
    let requested = ReportRequested {
        transaction_id: alert.metadata.transaction_id,
        fraud_detection_id: Some(alert.alert_id),
        investigation_id: Some(investigation_id),
        report_type: request.report_type,
        severity: alert.severity,
        risk_score: alert.score,
        regulatory_impact: request.regulatory_impact,
        requested_at,
        regeneration_of: None,
        feedback: None,
        attempt: None,
        requested_by: Some(caller.name().to_owned()),
        revision: None,
    };
    let event = NewEvent::new(request_id, requested, requested_at, "api", investigation_id.into())?;
    app.store.append(vec![event]).await?;
    Ok((StatusCode::ACCEPTED, Json(RequestAccepted { request_id })).into_response())
}

/// Checks that the given ids belong together, and that the alert is severe enough for a report.
fn check(request: &ReportRequest, alert: &Alert) -> Result<()> {
    let belongs = |id: Option<InvestigationId>| id.is_none_or(|id| id == InvestigationId::of_alert(&alert.alert_id));
    if !belongs(request.investigation_id) {
        return Err(ApiError::bad_request("investigation_id: belongs to another alert"));
    }
    let is_another = |(asked, known): (&TransactionId, &TransactionId)| asked != known;
    if request.transaction_id.as_ref().zip(alert.metadata.transaction_id.as_ref()).is_some_and(is_another) {
        return Err(ApiError::bad_request("transaction_id: belongs to another alert"));
    }
    if !alert.severity.is_investigated() {
        let detail = "the alert has low severity: it is recorded and counts in later alerts, but gets no report";
        return Err(ApiError::bad_request(detail));
    }
    Ok(())
}

async fn alert_of(app: &App, request: &ReportRequest) -> Result<Alert> {
    let entry = if let Some(id) = &request.fraud_detection_id {
        app.store.alert(id).await?
    } else if let Some(id) = request.investigation_id {
        of_investigation(app, id).await?
    } else if let Some(id) = &request.transaction_id {
        of_transaction(app, id).await?
    } else {
        let detail = "one of fraud_detection_id, investigation_id and transaction_id is required";
        return Err(ApiError::bad_request(detail));
    };
    let entry = entry.ok_or_else(|| ApiError::not_found("no alert matches the given ids"))?;
    match events::parse_event(&entry.event)? {
        Some(Event::FraudAlertCreated(alert)) => Ok(alert),
        Some(_) => Err(ApiError::Internal { what: "an alert's event is of another type", source: None }),
        None => Err(ApiError::Gone("the content of this alert has been erased")),
    }
}

async fn of_investigation(app: &App, id: InvestigationId) -> Result<Option<AlertEntry>> {
    let Some(entry) = app.store.investigation(id).await? else { return Ok(None) };
    match events::parse_event(&entry.event)? {
        Some(Event::InvestigationCreated(opened)) => Ok(app.store.alert(&opened.alert_id).await?),
        _ => Ok(None),
    }
}

/// The alert about a transaction. The id of the detector's alert follows from the transaction's id; other alerts are searched for
/// among the customer's.
async fn of_transaction(app: &App, id: &TransactionId) -> Result<Option<AlertEntry>> {
    if let Some(entry) = app.store.alert(&AlertId::of_transaction(id)).await? {
        return Ok(Some(entry));
    }
    let Some(stored) = app.store.transaction(id).await? else { return Ok(None) };
    let Some(Event::TransactionReceived(transaction)) = events::parse_event(&stored)? else { return Ok(None) };
    let query = AlertQuery { user_id: Some(transaction.user_id), limit: ALERTS_MAX, ..Default::default() };
    let is_about = |entry: &AlertEntry| match entry.event.event() {
        Ok(Event::FraudAlertCreated(alert)) => alert.metadata.transaction_id.as_ref() == Some(id),
        _ => false,
    };
    Ok(app.store.alerts(query).await?.into_iter().find(is_about))
}
