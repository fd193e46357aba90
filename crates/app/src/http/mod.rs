//! The HTTP API.
//!
//! | folder    | job                                                                                      |
//! |-----------|------------------------------------------------------------------------------------------|
//! | `edge/`   | what every request passes (limits, access, errors, the log) and the state handlers share |
//! | `routes/` | one file or folder for each resource, with its own request and response types            |
//!
//! Routes use the edge; the edge knows nothing of them but the table in `edge/access.rs`.

pub(crate) mod edge;
pub(crate) mod routes;

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::Uri,
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
};
use countersign_agents::Runtime;
use countersign_config::Config;
use countersign_store::Store;

pub use edge::access::TABLE as ACCESS;
pub(crate) use edge::{App, Peer, origin::local_url};

use self::edge::{
    access::Route,
    error::{self, ApiError},
    guard,
};
use crate::{keys::KeyRing, wiring::Engine};

/// The state of a server that listens at `bound`.
pub(crate) fn app(
    config: Arc<Config>,
    store: Store,
    runtime: Runtime,
    keys: KeyRing,
    engine: Engine,
    bound: SocketAddr,
) -> App {
    App::new(config, store, runtime, keys, engine, bound, routes::documented().into_openapi())
}

/// All routes behind the guard.
pub(crate) fn router(app: &App) -> Router {
    let router: Router<App> = routes::documented().into();
    router
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

/// Whether requests to this path are answered also where all connections are in use.
pub(crate) fn is_probe(path: &str) -> bool {
    Route::find(path).is_some_and(|route| route.is_probe())
}

/// What any other request is told then.
pub(crate) fn full(path: &str) -> Response {
    let refused = ApiError::Overloaded("all connections are in use; try again").into_response();
    if path.starts_with("/v1/") { error::in_openai_shape(refused) } else { refused }
}

async fn no_such_path(_: State<App>, uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(128).collect();
    ApiError::not_found(format!("nothing is at {path}; /api/docs lists what there is"))
}

/// The guard answers for methods that the table doesn't list, so this is reached by a mistake in the table only.
async fn no_such_method() -> ApiError {
    ApiError::MethodNotAllowed { allow: "".into() }
}
