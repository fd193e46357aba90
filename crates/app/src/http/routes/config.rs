//! The configuration in force.

use axum::extract::State;
use serde::Serialize;

use crate::http::edge::{App, error::Result, json::Json, query::Params};

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Settings {
    settings: Vec<Setting>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Setting {
    #[schema(example = "limits.request_timeout_ms")]
    key: &'static str,
    /// Masked where it is secret.
    value: String,
    /// `flag`, `environment`, `file` or `default`.
    #[schema(value_type = String)]
    source: countersign_config::Source,
    /// The variable that can set it.
    variable: Option<&'static str>,
    description: &'static str,
}

/// The configuration in force
///
/// Every setting with its value and where that came from. Secrets are masked.
#[utoipa::path(get, path = "/api/config", tag = "Operation", responses(
    (status = 200, description = "All settings", body = Settings),
))]
pub(super) async fn show(State(app): State<App>, params: Params) -> Result<Json<Settings>> {
    params.finish()?;
    let settings = app.config.effective().into_iter().map(|row| Setting {
        key: row.key,
        value: row.value,
        source: row.source,
        variable: row.variable,
        description: row.description,
    });
    Ok(Json(Settings { settings: settings.collect() }))
}
