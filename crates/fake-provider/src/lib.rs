//! A local server that speaks the model providers' own wire formats, with their faults and their streams.
//!
//! Tests start a [`Fake`] and tell it how to behave; the `fake-provider` binary serves benches and demonstrations.
//! It never judges text: what it answers is canned, or what the caller asked it to say.
//!
//! - `fake`: the handle that a test holds. `behaviour`: what can be asked of it. `received`: what callers sent.
//! - `server` accepts and routes, `respond` turns a behaviour into an answer, `answer` is the body that may break.
//! - `reply` is an answer before it has a wire format, `wire` writes it as OpenAI, Gemini or Anthropic would.

mod answer;
mod behaviour;
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
