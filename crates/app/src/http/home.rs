//! The page at `/`: what this is and where to go, in the look of the API page.

use axum::{
    http::header::{CONTENT_SECURITY_POLICY, HeaderName},
    response::Html,
};

use super::documents::PAGE_POLICY;

const PAGE: &str = concat!(
    r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body class="alone">
<main>
<h1>Countersign <small>"#,
    env!("CARGO_PKG_VERSION"),
    r#"</small></h1>
<p class="prose">No AI output is trusted until it has been countersigned. This server keeps what agents do in a log that
nobody can change unseen.</p>
<p class="prose muted">The dashboard is not part of this build; everything is reachable over HTTP.</p>
<h2>Where to go</h2>
<ul class="prose">
<li><a href="/api/docs">The API</a>, operation by operation</li>
<li><a href="/api/events">The log</a>, oldest first</li>
<li><a href="/api/agents">The agents</a>: state, heartbeat, lag</li>
<li><a href="/api/ledger/checkpoint">The newest signed checkpoint</a> and <a href="/api/ledger/key">the key</a> to check it with</li>
<li><a href="/health">Health</a> and <a href="/metrics">metrics</a></li>
</ul>
<h2>Try it</h2>
<pre><code>curl localhost:8080/api/alerts -d '{"alert_id":"fraud-123","user_id":"user-7731","severity":"high","score":75}'
curl 'localhost:8080/api/events?type=INVESTIGATION_CREATED'
countersign verify</code></pre>
</main>
</body>
</html>
"#,
);

/// A page that says what this is
#[utoipa::path(get, path = "/", tag = "Documentation", responses(
    (status = 200, description = "A small page with links", content_type = "text/html", body = String),
))]
pub(super) async fn show() -> ([(HeaderName, &'static str); 1], Html<&'static str>) {
    ([(CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(PAGE))
}
