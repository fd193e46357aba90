//! The API's documentation: the OpenAPI document and a page made from it. Both are rendered once, at the start.

use axum::{
    extract::State,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE},
    response::{Html, IntoResponse, Response},
};

use crate::{
    docs,
    http::edge::{App, json},
};

pub(super) const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

/// Get the OpenAPI document
#[utoipa::path(get, path = "/api/openapi.json", tag = "Documentation", responses(
    (status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object),
))]
pub(super) async fn openapi(State(app): State<App>) -> Response {
    json::response(app.documents.openapi.clone())
}

/// Read this documentation as a page
#[utoipa::path(get, path = "/api/docs", tag = "Documentation", responses(
    (status = 200, description = "A page that needs no JavaScript", content_type = "text/html", body = String),
))]
pub(super) async fn page(State(app): State<App>) -> Response {
    ([(CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(app.documents.page.clone())).into_response()
}

/// Get the style sheet of the documentation
#[utoipa::path(get, path = "/api/docs.css", tag = "Documentation", responses(
    (status = 200, description = "A style sheet", content_type = "text/css", body = String),
))]
pub(super) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], docs::STYLE).into_response()
}
