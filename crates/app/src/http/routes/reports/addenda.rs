//! Addenda: notes that reviewers add to a report. They are signed and recorded, but not checked against the facts, so they are kept
//! apart from the report's text. They are never sent to a model or a webhook.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use countersign_domain::{EventId, InvestigationId, NewEvent, ReportId, Role, Time, payload::ReportAddendumAdded};
use countersign_ledger::sha256;
use serde::{Deserialize, Serialize};

use super::{find_report, report_id};
use crate::{
    http::{
        edge::{
            App,
            error::{ApiError, Result},
            json::{self, Json},
            query::{Page, PageParams, Params, Segment},
        },
        routes::reviews::{check_text, name_of},
    },
    keys::Caller,
};

pub(super) const TEXT_CHARS_MAX: usize = 4_000;
/// The maximum number of addenda to a report and its earlier versions.
const ADDENDA_MAX: usize = 100;

/// A reviewer's note about a report. It is not checked against the facts.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(in crate::http) struct Addendum {
    /// The id of its event.
    addendum_id: EventId,
    seq: u64,
    #[schema(value_type = String)]
    report_id: ReportId,
    investigation_id: InvestigationId,
    text: String,
    /// SHA-256 of the text, in hex, as recorded in its event.
    text_sha256: String,
    /// The id of the key, or `local`.
    added_by: String,
    /// The name of the key at that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    added_by_name: Option<String>,
    role: Role,
    added_at: Time,
    /// The version of the report that it was added to.
    version: u32,
}

impl Addendum {
    fn of((seq, added): (u64, ReportAddendumAdded)) -> Self {
        Self {
            addendum_id: added.addendum_id,
            seq,
            report_id: added.report_id,
            investigation_id: added.investigation_id,
            text: added.text,
            text_sha256: added.text_sha256,
            added_by: added.added_by,
            added_by_name: added.added_by_name,
            role: added.role,
            added_at: added.added_at,
            version: added.version,
        }
    }
}

/// List a report's addenda, oldest first
///
/// Includes addenda to earlier versions of the report.
#[utoipa::path(get, path = "/api/reports/{id}/addenda", tag = "Reports",
    params(("id" = String, Path, format = Uuid, description = "The report's id"), PageParams),
    responses(
        (status = 200, description = "A page of addenda", body = Page<Addendum>),
        (status = 404, description = "There is no such report", body = super::super::ErrorBody),
    ),
)]
pub(in crate::http) async fn list(
    State(app): State<App>,
    mut params: Params,
    id: Segment,
) -> Result<Json<Page<Addendum>>> {
    let page = params.page()?;
    params.finish()?;
    let entry = find_report(&app, &report_id(&id)?).await?;
    let addenda = app.store.addenda(&entry.id).await?.into_iter().map(Addendum::of).collect();
    Ok(Json(Page::within(addenda, &page, |addendum: &Addendum| addendum.addendum_id.to_string())?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewAddendum {
    #[schema(min_length = 1, max_length = 4000)]
    text: String,
}

/// Add an addendum to a report
///
/// The text is recorded unchanged, with its author, and shown in a separate section below the report. It can't be changed
/// afterwards, and it doesn't affect the state of the case.
#[utoipa::path(post, path = "/api/reports/{id}/addenda", tag = "Reports", request_body = NewAddendum,
    params(("id" = String, Path, format = Uuid, description = "The report's id")),
    responses(
        (status = 201, description = "The recorded addendum", body = Addendum),
        (status = 404, description = "There is no such report", body = super::super::ErrorBody),
        (status = 409, description = "The report already has 100 addenda", body = super::super::ErrorBody),
        (status = 410, description = "The report has been erased", body = super::super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::super::ErrorBody),
    ),
)]
pub(in crate::http) async fn add(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    id: Segment,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Addendum>)> {
    params.finish()?;
    let id = report_id(&id)?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let NewAddendum { text } = json::object(&body.bytes)?;
    check_text("text", &text, TEXT_CHARS_MAX)?;
    if text.trim().is_empty() {
        return Err(ApiError::bad_request("text: must not be empty"));
    }
    let report = find_report(&app, &id).await?;
    let Some(content_hash) = report.content_hash.clone() else {
        return Err(ApiError::Gone("the content of this report has been erased"));
    };
    if app.store.addenda(&report.id).await?.len() >= ADDENDA_MAX {
        return Err(ApiError::Conflict(format!("the report already has {ADDENDA_MAX} addenda").into()));
    }
    let seams = app.store.seams();
    let (addendum_id, added_at) = (seams.event_id(), seams.now());
    let added = ReportAddendumAdded {
        addendum_id,
        report_id: report.id,
        investigation_id: report.investigation_id,
        text_sha256: sha256(text.as_bytes()).to_hex(),
        text,
        added_by: caller.name().to_owned(),
        added_by_name: name_of(caller.name(), &app.keys),
        role: caller.role(),
        added_at,
        version: report.version,
        content_hash,
    };
    let event = NewEvent::new(addendum_id, added.clone(), added_at, "api", report.investigation_id.into())?;
    let seq = app.store.append(vec![event]).await?;
    Ok((StatusCode::CREATED, Json(Addendum::of((seq, added)))))
}
