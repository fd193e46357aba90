//! Countersign's server and its command line, as a library so that tests can start a whole server in their own process.
//!
//! | file              | job                                                                     |
//! |-------------------|-------------------------------------------------------------------------|
//! | `cli/`            | the commands and their output                                           |
//! | `server.rs`       | the API server: binds, runs, stops in order                             |
//! | `http/`           | the API: routes, and the guard that every request passes                |
//! | `wiring.rs`       | builds the parts below from the configuration                           |
//! | `demo.rs`         | made-up traffic                                                         |
//! | `gateway/`        | the OpenAI-compatible pass-through                                      |
//! | `answers/`        | audited answers: asked, audited, recorded, and only then released       |
//! | `investigations/` | the agents of fraud investigations, their rules and metrics             |
//! | `background/`     | supervises the background tasks                                         |
//! | `connections.rs`  | the accept loop: connections, time-outs, orderly stop                   |
//! | `live.rs`         | the live end of the log, shared by all live clients                     |
//! | `keys.rs`         | access keys: creates, revokes and recognises them                       |
//! | `sessions.rs`     | browser sessions                                                        |
//! | `masking.rs`      | masks customers' data for callers who may not read it                   |
//! | `metrics.rs`      | the metrics endpoint's content                                          |
//! | `probe.rs`        | checks at start whether providers accept their keys                     |
//! | `telemetry/`      | exports traces to an OpenTelemetry collector                            |
//! | `witnesses/`      | has checkpoints cosigned by witnesses, and publishes them               |
//! | `witness/`        | the witness server: cosigns the checkpoints of other logs               |
//! | `docs.rs`         | the OpenAPI document as a page                                          |
//! | `json_errors.rs`  | explains what is wrong with JSON, without repeating its values          |
//! | `json_parts.rs`   | every key, string and number of a JSON text, with its place             |
//! | `key_leaks/`      | finds providers' keys that are hidden in what providers send back       |
//! | `panics.rs`       | the message of a caught panic                                           |
//!
//! `tests/app/architecture.rs` lists what each room may use, and fails if a room uses anything else.

mod answers;
mod background;
pub mod cli;
mod connections;
mod demo;
pub mod docs;
mod gateway;
pub mod http;
mod investigations;
mod json_errors;
mod json_parts;
mod key_leaks;
pub mod keys;
mod live;
mod masking;
mod metrics;
mod panics;
mod probe;
pub mod server;
mod sessions;
mod telemetry;
mod wiring;
mod witness;
mod witnesses;

pub use background::{Background, Stage};
pub use keys::KeyRing;
pub use server::Server;
pub use telemetry::{SpanCounts, Telemetry, TelemetryError};
pub use wiring::Engine;
