//! What every request passes before it reaches a resource, and what all resources use.
//!
//! | file                             | job                                                            |
//! |----------------------------------|----------------------------------------------------------------|
//! | `app.rs`                         | the state that all handlers share                              |
//! | `guard.rs`                       | the layer around every request: limits, origin, access, log    |
//! | `access.rs`                      | the table of routes with the role that each needs              |
//! | `identity.rs`                    | authenticates the caller: by key, by session, or as `local`    |
//! | `origin.rs`                      | which hosts and origins are accepted (DNS rebinding, CORS)     |
//! | `rate.rs`, `live_callers.rs`     | limits for each caller: requests a minute, live connections    |
//! | `denials.rs`                     | denied requests as events, batched                             |
//! | `request_id.rs`                  | the id in the answer and in the log line                       |
//! | `body.rs`, `json.rs`, `query.rs` | reading requests: bounded bodies, JSON, query parameters       |
//! | `compression.rs`                 | gzip, and the answers that must not be compressed              |
//! | `error.rs`                       | the error shape, and the only place that chooses a status      |
//! | `openapi.rs`                     | completes the OpenAPI document                                 |
//! | `store_watch.rs`                 | whether the store can be read, for the probes                  |

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

pub(crate) use app::{App, Peer};
use error::{ApiError, Result};

/// Waits for work that must not be cut short when its caller goes away or runs out of time.
pub(crate) async fn to_its_end<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    let broke_off = |error| ApiError::Internal { what: "a task broke off", source: Some(Arc::new(error)) };
    tokio::spawn(work).await.map_err(broke_off)?
}
