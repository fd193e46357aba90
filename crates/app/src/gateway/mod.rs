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
//! | `sse.rs`     | a stream of bytes as a stream of events                            |
//! | `chunk.rs`   | the text of one event of a stream                                  |
//! | `held.rs`    | events that wait until what they say has been inspected            |

mod answer;
mod chunk;
mod held;
mod plain;
mod request;
mod sse;
mod stream;

use axum::http::{HeaderName, HeaderValue};

pub(crate) use plain::{GatewayError, PlainAnswer, complete};
pub(crate) use request::{ChatRequest, Unroutable};
pub(crate) use stream::{Opened, open};

pub(crate) const ROUTE: &str = "/v1/chat/completions";

/// What passes back besides status and body.
pub(crate) type Headers = Vec<(HeaderName, HeaderValue)>;
