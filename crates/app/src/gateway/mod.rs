//! The OpenAI-compatible gateway: passes raw JSON through, records it and audits it.
//!
//! Bodies never go through types that would drop a field. A request is changed only to remove the provider's prefix from the
//! model's name; an answer only if a policy masks or removes parts of it, and then only in those parts.
//!
//! | file                   | job                                                                 |
//! |------------------------|---------------------------------------------------------------------|
//! | `request.rs`           | the parts of a request that the gateway reads                       |
//! | `whole.rs`             | an answer in one piece                                              |
//! | `completion.rs`        | the text of a whole answer, and where in the JSON it is             |
//! | `stream.rs`            | an answer as a stream of events                                     |
//! | `sse.rs`               | server-sent events, read from a stream of bytes                     |
//! | `transcript/`          | the text of a stream, accumulated event by event                    |
//! | `hold_back.rs`         | events that are held back until they have been inspected            |
//! | `split_identifiers.rs` | identifiers that are spread over several strings                    |
//! | `headers.rs`           | which of a provider's headers are passed on                         |
//! | `upstream_error.rs`    | how much of a provider's error is passed on                         |

mod completion;
mod headers;
mod hold_back;
mod request;
mod split_identifiers;
mod sse;
mod stream;
mod transcript;
mod upstream_error;
mod whole;

use axum::http::{HeaderName, HeaderValue};

pub(crate) use request::{ChatRequest, ChatRequestError};
pub(crate) use stream::{Opened, open};
pub(crate) use upstream_error::released as released_response;
pub(crate) use whole::{WholeAnswer, complete};

pub(crate) const ROUTE: &str = "/v1/chat/completions";

/// A provider's response headers.
pub(crate) type Headers = Vec<(HeaderName, HeaderValue)>;
