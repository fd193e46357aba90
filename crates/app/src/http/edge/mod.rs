//! What every request passes through before it reaches a handler, and what all handlers use.
//!
//! | file                             | job                                                            |
//! |----------------------------------|----------------------------------------------------------------|
//! | `app.rs`                         | the state that all handlers share                              |
//! | `guard.rs`                       | the layer around every request: limits, origin, access, log    |
//! | `access.rs`                      | the table of routes, with the minimum role of each             |
//! | `identity.rs`                    | authenticates the caller: by key, by session, or as `local`    |
//! | `origin.rs`                      | which hosts and origins are accepted (DNS rebinding, CORS)     |
//! | `rate.rs`, `live_callers.rs`     | limits per caller: requests per minute, live connections       |
//! | `denials.rs`                     | records refused requests as events, in batches                 |
//! | `request_id.rs`                  | the request id in the response and in the log line             |
//! | `body.rs`, `json.rs`, `query.rs` | reading requests: bounded bodies, JSON, query parameters       |
//! | `compression.rs`                 | gzip, and which responses must not be compressed               |
//! | `error.rs`                       | the error shape, and the only place that chooses a status      |
//! | `openapi.rs`                     | completes the OpenAPI document                                 |
//! | `store_watch.rs`                 | whether the store can be read, for the health probes           |

pub(crate) mod access;
mod app;
pub(crate) mod body;
pub(crate) mod compression;
pub(crate) mod denials;
pub(crate) mod error;
pub(crate) mod guard;
pub(crate) mod identity;
pub(crate) mod json;
pub(crate) mod live_callers;
pub(crate) mod openapi;
pub(crate) mod origin;
pub(crate) mod query;
pub(crate) mod rate;
pub(crate) mod request_id;
pub(crate) mod store_watch;

use std::sync::Arc;

pub(crate) use app::{App, AppParts};
use error::{ApiError, Result};

pub(crate) use crate::connections::Peer;

/// Runs work in a task of its own and waits for it. The work is completed even if the caller disconnects or times out.
pub(crate) async fn run_detached<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let panicked = |error| ApiError::Internal { what: "a task panicked", source: Some(Arc::new(error)) };
    tokio::spawn(work).await.map_err(panicked)?
}
