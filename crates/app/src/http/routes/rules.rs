//! The detection rules in force.

use axum::extract::State;
use countersign_domain::Time;
use serde::Serialize;

use crate::http::edge::{App, error::Result, json::Json, query::Params};

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct RulesInForce {
    /// SHA-256 of the rules, in hex. Alerts contain it.
    rules_hash: String,
    /// When the rules came into force.
    loaded_at: Option<Time>,
    /// `built-in`, or the name of the file that they were read from.
    #[schema(example = "built-in")]
    source: String,
    items: Vec<DetectionRule>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct DetectionRule {
    name: String,
    /// The points that the rule adds to the score.
    weight: u8,
    /// What an alert says when the rule applies.
    message: String,
    /// The condition, in CEL.
    #[schema(example = "amount > 10000.0")]
    when: String,
}

/// List the detection rules in force
#[utoipa::path(get, path = "/api/rules", tag = "Operation", responses(
    (status = 200, description = "The rules, in their order", body = RulesInForce),
))]
pub(super) async fn show(State(app): State<App>, params: Params) -> Result<Json<RulesInForce>> {
    params.finish()?;
    let detector = app.investigations.detector.detector();
    let book = &app.investigations.rules;
    // Only the file's name is shown: readers of the rules need not know the server's directories.
    let name = book.file.as_deref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned());
    let rule = |rule: &countersign_signals::Rule| DetectionRule {
        name: rule.name.clone(),
        weight: rule.weight,
        message: rule.message.clone(),
        when: rule.when.clone(),
    };
    Ok(Json(RulesInForce {
        rules_hash: detector.rules().hash().to_owned(),
        loaded_at: book.loaded_at(),
        source: name.unwrap_or_else(|| "built-in".to_owned()),
        items: detector.rules().list().map(rule).collect(),
    }))
}
