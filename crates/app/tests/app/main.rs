//! The whole server over the network: each test uses a real store in its own folder, a real port and a real client.
//!
//! | file                | job                                                     |
//! |---------------------|---------------------------------------------------------|
//! | `client.rs`         | an HTTP client for tests                                |
//! | `running.rs`        | starts a server in the test's process                   |
//! | `program.rs`        | runs the real binary                                    |
//! | `case.rs`           | creates investigations for tests                        |
//! | `access.rs`         | the role that every route requires                      |
//! | `sessions.rs`       | signing in with a browser                               |
//! | `keys.rs`           | access keys                                             |
//! | `origins.rs`        | accepted host names and origins                         |
//! | `limits.rs`         | limits on requests, connections, bodies and rates       |
//! | `errors.rs`         | invalid requests and the error shape                    |
//! | `documents.rs`      | the OpenAPI document and the HTML pages                 |
//! | `schemas.rs`        | responses compared with the OpenAPI document            |
//! | `fuzz.rs`           | arbitrary bodies for every route that accepts one       |
//! | `intake.rs`         | transactions and alerts from outside                    |
//! | `events.rs`         | the log: filters, pages, causal chains, dead letters    |
//! | `investigations.rs` | transactions, alerts and investigations                 |
//! | `reports.rs`        | requesting, reading and exporting reports               |
//! | `reviews.rs`        | reviewers' decisions                                    |
//! | `addenda.rs`        | previews of sending a report back, and addenda          |
//! | `answers.rs`        | the audited worker's API                                |
//! | `properties.rs`     | the audited worker's correctness properties             |
//! | `gateway.rs`        | the OpenAI-compatible gateway                           |
//! | `enforcement.rs`    | attacks on an enforced policy                           |
//! | `clients.rs`        | OpenAI's own clients with the gateway                   |
//! | `live.rs`           | live messages over WebSocket                            |
//! | `ledger.rs`         | proofs served to outside auditors                       |
//! | `witness.rs`        | `countersign witness`, and servers with witnesses       |
//! | `rewrites.rs`       | rewritten histories and the anchors that detect them    |
//! | `commands.rs`       | `serve`, `config`, `verify`, `backup`, `export`, `keys` |
//! | `fraud_commands.rs` | `ingest`, `report`, `eval fraud`, `demo`                |
//! | `texts.rs`          | `audit`, `eval text`                                    |
//! | `logging.rs`        | the program's log output                                |
//! | `telemetry.rs`      | the export of traces                                    |
//! | `privacy.rs`        | personal data in all output of the program              |
//! | `faults.rs`         | ten thousand requests with failing providers            |
//! | `crash.rs`          | random kills under load                                 |
//! | `stopping.rs`       | graceful shutdown                                       |
//! | `architecture.rs`   | allowed dependencies between crates and rooms           |
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod access;
mod addenda;
mod answers;
mod architecture;
mod case;
mod client;
mod clients;
mod commands;
mod crash;
mod documents;
mod enforcement;
mod errors;
mod events;
mod faults;
mod fraud_commands;
mod fuzz;
mod gateway;
mod intake;
mod investigations;
mod keys;
mod ledger;
mod limits;
mod live;
mod logging;
mod origins;
mod privacy;
mod program;
mod properties;
mod reports;
mod reviews;
mod rewrites;
mod running;
mod schemas;
mod sessions;
mod stopping;
mod telemetry;
mod texts;
mod witness;
