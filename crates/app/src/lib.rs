//! Countersign's server and its command line, as a library so that tests can start a whole server in their own process.
//!
//! | file          | job                                                                    |
//! |---------------|------------------------------------------------------------------------|
//! | `cli/`        | commands and what they print                                           |
//! | `server.rs`   | the accept loop: connections, time-outs, stopping in order             |
//! | `http/`       | routes, one file for each resource, and the guard that all pass        |
//! | `answers/`    | audited answers: asked, judged, recorded, and only then released       |
//! | `gateway/`    | the OpenAI-compatible pass-through                                     |
//! | `investigations/` | the agents of fraud investigations, their rules and their counts   |
//! | `demo.rs`     | made-up traffic for trying it out                                      |
//! | `probe.rs`    | whether providers accept their keys, asked at start                    |
//! | `wiring.rs`   | from configuration to the parts that run                               |
//! | `live.rs`     | the tail of the log that live clients share                            |
//! | `keys.rs`     | access keys: made, revoked, recognised                                 |
//! | `sessions.rs` | who has signed in with a browser                                       |
//! | `telemetry/`  | the log's exchanges as OpenTelemetry spans, for a collector elsewhere  |
//! | `masking.rs`  | customers' data in answers, masked for those who may not read it       |
//! | `metrics.rs`  | what is counted and measured                                           |
//! | `docs.rs`     | the OpenAPI document as a page                                         |

mod answers;
pub mod cli;
mod demo;
pub mod docs;
mod gateway;
pub mod http;
mod investigations;
mod json_parts;
mod key_leaks;
pub mod keys;
mod live;
mod masking;
mod metrics;
mod probe;
pub mod server;
mod sessions;
mod telemetry;
mod wiring;
mod witness;
mod witnesses;

pub use keys::KeyRing;
pub use server::Server;
pub use telemetry::{SpanCounts, Telemetry, TelemetryError};
pub use wiring::Engine;
