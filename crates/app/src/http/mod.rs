//! The HTTP API.
//!
//! | folder    | job                                                                                          |
//! |-----------|----------------------------------------------------------------------------------------------|
//! | `edge/`   | what every request passes through (limits, access, errors, the log), and the handlers' state |
//! | `routes/` | one file or folder for each resource, with its request and response types                    |
//!
//! Routes use the edge. The edge knows no route except as a line in the table of `edge/access.rs`.
//! Apart from the server that runs this API, nothing in the program uses this room.

pub(crate) mod edge;
pub(crate) mod routes;

use axum::{
    Router,
    extract::State,
    http::Uri,
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
};

pub use edge::access::TABLE as ACCESS;
pub(crate) use edge::{App, AppParts, origin::local_url};

use self::edge::{
    access::Route,
    error::{self, ApiError},
    guard,
};
use crate::{connections::Overload, live::Hub};

/// The state of the handlers.
pub(crate) fn app(parts: AppParts) -> App {
    let hub = Hub::new(parts.store.clone(), &parts.config.live, routes::live_rows::row);
    App::new(parts, hub, routes::documented().into_openapi())
}

/// All routes, wrapped in the guard.
pub(crate) fn router(app: &App) -> Router {
    let router: Router<App> = routes::documented().into();
    router
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

/// While all connections are in use, health probes are answered, and other requests are refused with 503.
pub(crate) const OVERLOAD: Overload = Overload { is_probe, refuse };

fn is_probe(path: &str) -> bool {
    Route::find(path).is_some_and(|route| route.is_probe())
}

fn refuse(path: &str) -> Response {
    let refused = ApiError::Overloaded("all connections are in use; try again").into_response();
    if path.starts_with("/v1/") { error::in_openai_shape(refused) } else { refused }
}

async fn no_such_path(_: State<App>, uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(128).collect();
    ApiError::not_found(format!("there is nothing at {path}; /api/docs lists all paths"))
}

/// The guard refuses methods that the table doesn't list, so this is only reached if the table lists a method without a handler.
async fn no_such_method() -> ApiError {
    ApiError::MethodNotAllowed { allow: "".into() }
}
