//! A local server that speaks the model providers' wire formats, including their streams and faults.
//!
//! Tests start a [`Fake`] and choose its behaviour; the `fake-provider` binary serves benchmarks and demonstrations. Its answers
//! are canned, or texts that the caller chose.
//!
//! | file           | job                                                                    |
//! |----------------|------------------------------------------------------------------------|
//! | `fake.rs`      | the handle that a test holds                                           |
//! | `behaviour.rs` | the answers and faults that a test can choose                          |
//! | `received.rs`  | the requests that callers sent                                         |
//! | `server.rs`    | accepts connections and routes requests                                |
//! | `respond.rs`   | turns a behaviour into a response                                      |
//! | `body.rs`      | response bodies, which may be slow or break off                        |
//! | `reply.rs`     | a model's reply, before it is written in a wire format                 |
//! | `sample.rs`    | sample values for JSON schemas                                         |
//! | `wire/`        | the wire formats of OpenAI, Gemini and Anthropic                       |
//! | `counts.rs`    | counts of calls                                                        |

mod behaviour;
mod body;
mod counts;
mod fake;
mod received;
mod reply;
mod respond;
mod sample;
mod server;
mod wire;

pub use behaviour::{Behaviour, mixed, mixed_with_hangs};
pub use fake::Fake;
pub use received::{Api, Received};
pub use reply::{ANSWER_TEXT, AUDIT_TEXT};
