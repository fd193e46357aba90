//! The resources of the API. Each has a file or a folder with its handlers, its request and response types, and their
//! documentation.

mod agents;
mod alerts;
mod audit;
mod config;
mod dead_letters;
mod documents;
mod events;
mod gateway;
mod health;
mod investigations;
mod keys;
mod ledger;
mod live;
pub(super) mod live_rows;
mod logs;
mod metrics;
mod process_agent;
mod providers;
mod ready;
mod reports;
mod reviews;
mod rules;
mod session;
mod transactions;
mod ui;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::http::edge::{App, error::ErrorBody};

/// All routes with their documentation.
pub(super) fn documented() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(process_agent::post))
        .routes(routes!(audit::post))
        .routes(routes!(logs::list))
        .routes(routes!(logs::stats))
        .routes(routes!(logs::one))
        .routes(routes!(gateway::chat))
        .routes(routes!(gateway::models))
        .routes(routes!(transactions::list, transactions::post))
        .routes(routes!(alerts::list, alerts::post))
        .routes(routes!(alerts::one))
        .routes(routes!(investigations::list))
        .routes(routes!(investigations::one))
        .routes(routes!(investigations::assign))
        .routes(routes!(investigations::supervisor_review))
        .routes(routes!(reports::list, reports::request::post))
        .routes(routes!(reports::one))
        .routes(routes!(reports::versions))
        .routes(routes!(reports::evidence::facts))
        .routes(routes!(reports::evidence::validations))
        .routes(routes!(reports::export::export))
        .routes(routes!(reports::addenda::list, reports::addenda::add))
        .routes(routes!(reviews::list))
        .routes(routes!(reviews::decide))
        .routes(routes!(reviews::preview))
        .routes(routes!(rules::show))
        .routes(routes!(events::list))
        .routes(routes!(events::one))
        .routes(routes!(events::chain))
        .routes(routes!(live::open))
        .routes(routes!(ledger::checkpoint))
        .routes(routes!(ledger::key))
        .routes(routes!(ledger::inclusion))
        .routes(routes!(ledger::consistency))
        .routes(routes!(ledger::leaf))
        .routes(routes!(ledger::leaves))
        .routes(routes!(ledger::witnesses))
        .routes(routes!(agents::list))
        .routes(routes!(agents::pause))
        .routes(routes!(agents::resume))
        .routes(routes!(dead_letters::list))
        .routes(routes!(dead_letters::replay))
        .routes(routes!(keys::list, keys::create))
        .routes(routes!(keys::revoke))
        .routes(routes!(session::show, session::sign_in, session::sign_out))
        .routes(routes!(config::show))
        .routes(routes!(providers::list))
        .routes(routes!(health::show))
        .routes(routes!(ready::show))
        .routes(routes!(metrics::show))
        .routes(routes!(documents::openapi))
        .routes(routes!(documents::page))
        .routes(routes!(documents::style))
        .routes(routes!(ui::index))
        .merge(ui::pages_and_assets())
}
