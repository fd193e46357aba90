//! Exporting a report as a file.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderValue, header},
    response::Response,
};
use countersign_report::{Content, ExportFormat, mask_text};

use super::{addenda::TEXT_CHARS_MAX, content, find_report, report_id};
use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
        query::{Params, Segment},
    },
    keys::Caller,
};

/// The page may only use its own inline style, and must not be framed.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                           frame-ancestors 'none'";

/// Export a report
///
/// `md` and `json` are returned as files; `html` is a page to read and to print. The JSON is exactly what is stored: its SHA-256
/// is the report's `content_hash`. Addenda, if there are any, follow in a separate section; in JSON they are an additional last
/// member, `addenda`.
#[utoipa::path(get, path = "/api/reports/{id}/export", tag = "Reports",
    params(
        ("id" = String, Path, format = Uuid, description = "The report's id"),
        ("format" = String, Query, description = "`md`, `json` or `html`", example = "html"),
    ),
    responses(
        (status = 200, description = "The report", content(
            (String = "text/markdown"), (Object = "application/json"), (String = "text/html"),
        )),
        (status = 404, description = "There is no such report", body = super::super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::super::ErrorBody),
    ),
)]
pub(in crate::http) async fn export(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    mut params: Params,
    id: Segment,
) -> Result<Response> {
    let format = format(params.one("format")?)?;
    params.finish()?;
    let entry = find_report(&app, &report_id(&id)?).await?;
    let stored = content(&app, &entry.id).await?;
    let report: Content = serde_json::from_str(&stored)?;
    let mut addenda: Vec<_> = app.store.addenda(&entry.id).await?.into_iter().map(|(_, addendum)| addendum).collect();
    // The report contains no personal data, but addenda may.
    if !caller.role().reads_customer_data() {
        addenda.iter_mut().for_each(|addendum| addendum.text = mask_text(&addendum.text, TEXT_CHARS_MAX));
    }
    let export = countersign_report::export_with_addenda(&report, format, &addenda)?;
    let (bytes, disposition) = match format {
        // Exactly the bytes that were hashed.
        ExportFormat::Json if addenda.is_empty() => (stored.into_bytes(), "attachment"),
        ExportFormat::Html => (export.bytes, "inline"),
        _ => (export.bytes, "attachment"),
    };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(export.content_type));
    let disposition = format!("{disposition}; filename=\"{}\"", export.file_name);
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    if format == ExportFormat::Html {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    }
    Ok(response)
}

fn format(name: Option<String>) -> Result<ExportFormat> {
    let name = name.ok_or_else(|| ApiError::bad_request("format: is missing; use md, json or html"))?;
    if name == "pdf" {
        return Err(ApiError::bad_request("format: pdf is not supported; use html and print the page"));
    }
    name.parse().map_err(|invalid: countersign_domain::Invalid| invalid.into())
}
