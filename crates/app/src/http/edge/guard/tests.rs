use std::sync::Arc;

use axum::{Router, middleware::from_fn_with_state, routing::get};
use countersign_agents::{Runtime, RuntimeSettings};
use countersign_store::{DataDir, Seams, Store, StoreLocation, Threading};
use http_body_util::BodyExt;
use tower::ServiceExt;

use super::*;
use crate::{Engine, http::edge::AppParts, keys::KeyRing, live::Hub};

async fn app(folder: &tempfile::TempDir) -> App {
    let store =
        Store::open(&StoreLocation::in_dir(DataDir::new(folder.path())), Threading::Inline, Seams::system().unwrap())
            .unwrap();
    let inputs =
        countersign_config::Inputs { flags: &[], env: &|_| None, variable_names: &[], file: None, defaults: &[] };
    let config = Arc::new(countersign_config::load(&inputs).unwrap().config);
    let second = Duration::from_secs(1);
    let settings = RuntimeSettings { heartbeat: second, attempts_max: 1, backoff: second, window_events_max: 1 };
    let runtime = Runtime::start(store.clone(), Vec::new(), settings).await.unwrap();
    let keys = KeyRing::load(&store).await.unwrap();
    let bound = config.listen;
    let Engine { answers, investigations, witnesses, key_checks, .. } = Engine::new(&config, &store).unwrap();
    let parts = AppParts {
        config,
        store: store.clone(),
        runtime,
        keys,
        answers,
        investigations,
        witnesses: witnesses.statuses,
        key_checks,
        is_demo: false,
        is_worker_simulated: true,
        bound,
    };
    let hub = Hub::new(store, &parts.config.live, |_, _| Box::pin(async { Ok(None) }));
    App::new(parts, hub, utoipa::openapi::OpenApi::default())
}

/// Sends a request to a router whose health check panics, and which has a route that is missing from the access table.
async fn ask(path: &str) -> (StatusCode, String, &'static str, Option<FailureDetails>) {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder).await;
    let router = Router::new()
        .route("/health", get(panics))
        .route("/forgotten", get(|| async { "secret" }))
        .layer(from_fn_with_state(app, guard));
    let request = Request::builder().uri(path).header("host", "localhost").body(Body::empty()).unwrap();
    let response = router.oneshot(request).await.unwrap();
    let (status, failure) = (response.status(), response.extensions().get::<FailureDetails>().cloned());
    let category = Category::of(&response);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap(), category, failure)
}

async fn panics() -> &'static str {
    panic!("a bug")
}

#[tokio::test]
async fn a_panic_is_answered_with_500_and_only_the_log_has_its_message() {
    let (status, body, category, failure) = ask("/health").await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(body.contains("\"status_code\":500") && !body.contains("a bug"), "{body}");
    let failure = failure.unwrap();
    assert_eq!((category, failure.chain()), ("panic", "the request's handler panicked: a bug"));
}

#[test]
fn a_path_that_may_hold_a_key_is_not_logged() {
    for path in ["/", "/api/nothing", "/favicon.ico", "/well-known/a_b", &format!("/{}", "x".repeat(63))] {
        assert_eq!(loggable(path), path);
    }
    // In these a key could be hidden as base64, base32, hexadecimal or escapes: only lower-case letters and `/-_.` are harmless.
    for path in ["/Zm9vYmFy", "/mzxw6ytb", "/66 6f", "/a%", "/%63s", "/é", "/cs/abc2", &format!("/{}", "x".repeat(64))]
    {
        assert_eq!(loggable(path), "withheld", "{path}");
    }
}

#[tokio::test]
async fn a_route_that_is_missing_from_the_table_is_closed() {
    let (status, body, category, _) = ask("/forgotten").await;
    assert_eq!(category, "authorization");
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(!body.contains("secret"), "{body}");
}
