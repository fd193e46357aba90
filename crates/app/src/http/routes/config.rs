//! The effective configuration.

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
    /// Masked if the setting is secret.
    value: String,
    /// `flag`, `environment`, `file` or `default`.
    #[schema(value_type = String)]
    source: countersign_config::SettingSource,
    /// The environment variable for this setting.
    variable: Option<&'static str>,
    description: &'static str,
}

/// Show the configuration
///
/// Returns every setting with its value and the source of the value. Secrets are masked.
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
