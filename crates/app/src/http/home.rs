//! The page at `/`: what this is and where to go.

use axum::response::Html;

const PAGE: &str = concat!(
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    "<meta name=\"color-scheme\" content=\"light dark\"><title>Countersign</title></head><body><main>",
    "<h1>Countersign ",
    env!("CARGO_PKG_VERSION"),
    "</h1><p>This server records what agents do in a log that nobody can change unseen. ",
    "The dashboard is not part of this build; everything is reachable over HTTP.</p>",
    "<ul><li><a href=\"/api/docs\">The API</a></li><li><a href=\"/health\">Health</a></li>",
    "<li><a href=\"/metrics\">Metrics</a></li><li><a href=\"/api/ledger/checkpoint\">The newest checkpoint</a></li>",
    "</ul></main></body></html>\n",
);

/// A page that says what this is
#[utoipa::path(get, path = "/", tag = "Documentation", responses(
    (status = 200, description = "A small page with links", content_type = "text/html", body = String),
))]
pub(super) async fn show() -> Html<&'static str> {
    Html(PAGE)
}
