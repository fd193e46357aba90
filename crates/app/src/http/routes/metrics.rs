//! Metrics for Prometheus.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};

use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
    },
    metrics::CONTENT_TYPE,
};

/// Get metrics for Prometheus
///
/// Returns the OpenMetrics text format.
#[utoipa::path(get, path = "/metrics", tag = "Operation", responses(
    (status = 200, description = "OpenMetrics text", content_type = "application/openmetrics-text", body = String),
))]
pub(super) async fn show(State(app): State<App>) -> Result<Response> {
    let text = app.metrics.render().map_err(|error| ApiError::Internal {
        what: "the metrics could not be rendered",
        source: Some(std::sync::Arc::new(error)),
    })?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response())
}
