//! Outgoing HTTP: everything this program sends to another server goes through here.
//!
//! | file          | job                                                                                |
//! |---------------|------------------------------------------------------------------------------------|
//! | `client.rs`   | [`HttpClient`]: pooled connections, TLS roots, no redirects, no cookies            |
//! | `body.rs`     | [`read_body`] and [`next_chunk`]: response bodies, read up to a limit              |
//! | `address.rs`  | [`AddressPolicy`]: which addresses may be connected to, checked after DNS          |
//! | `base_url.rs` | [`check_base_url`]: configured base URLs                                           |
//! | `endpoint.rs` | [`Endpoint`]: one fixed URL with its headers and time-out, for webhooks and others |
//! | `scrub.rs`    | [`scrub`]: makes a foreign message safe to store: bounded, one line, no keys       |
//! | `error.rs`    | [`SetupError`] when something is configured, [`RequestError`] when it is used      |
//!
//! It logs nothing, retries nothing and stores nothing. Retries, circuit breakers and budgets for models are in
//! `countersign-llm`.

mod address;
mod base_url;
mod body;
mod client;
mod endpoint;
mod error;
mod scrub;

pub use address::{AddressPolicy, has_private_ip};
pub use base_url::check_base_url;
pub use body::{next_chunk, read_body};
pub use client::{HttpClient, OutboundRequest};
pub use endpoint::Endpoint;
pub use error::{RequestError, SetupError};
pub use scrub::scrub;

/// The `User-Agent` of every request.
pub const USER_AGENT: &str = concat!("countersign/", env!("CARGO_PKG_VERSION"));
