//! The OpenAI-compatible gateway: a pass-through of raw JSON that records and audits what passes.
//!
//! Nothing that passes goes through types that would drop a field: a request is changed only where a provider's name is
//! taken off its model, an answer only where a policy masks personal data, and then only in those very strings.
//!
//! | file         | job                                                                |
//! |--------------|--------------------------------------------------------------------|
//! | `request.rs` | what of a request the gateway must know                            |
//! | `answer.rs`  | the text of a whole answer, and where in the JSON it stands        |
//! | `plain.rs`   | an answer in one piece                                             |
//! | `stream.rs`  | an answer in pieces                                                |
//! | `strings.rs` | every key, string and number of a JSON text, and where it stands   |
//! | `split.rs`   | identifiers that are spread over several strings                   |
//! | `headers.rs` | which of a provider's headers a caller gets                        |
//! | `upstream_error.rs` | what a caller gets of a provider's error                    |
//! | `sse.rs`     | a stream of bytes as a stream of events                            |
//! | `chunk.rs`   | the text of one event of a stream                                  |
//! | `key_watch.rs` | a provider's key that a stream spells out or a body hides        |
//! | `held.rs`    | events that wait until what they say has been inspected            |

mod answer;
mod chunk;
mod headers;
mod held;
mod key_watch;
mod plain;
mod request;
mod split;
mod sse;
mod stream;
mod strings;
mod upstream_error;

use axum::http::{HeaderName, HeaderValue};

pub(crate) use key_watch::is_hidden_in;
pub(crate) use plain::{GatewayError, PlainAnswer, complete};
pub(crate) use request::{ChatRequest, Unroutable};
pub(crate) use stream::{Opened, open};
pub(crate) use upstream_error::released as released_response;

pub(crate) const ROUTE: &str = "/v1/chat/completions";

/// What passes back besides status and body.
pub(crate) type Headers = Vec<(HeaderName, HeaderValue)>;
