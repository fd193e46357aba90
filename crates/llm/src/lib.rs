//! One place for calling models: time-outs, retries, breakers, limits, budgets and prices, over three wire shapes.
//!
//! - [`Models`] is the door: `chat`, `structured` (JSON by a schema), `forward` (raw OpenAI wire), `health`, `probe`.
//! - `call` is the loop of attempts, `retry` its pure rules, `flight` one attempt and its record.
//! - `breaker`, `limits`, `budget`, `price` are kept per provider (`wired`), a breaker per model.
//! - `http` is the bounded client; `wire` speaks OpenAI, Gemini, Anthropic, and answers as `simulated`.
//! - [`Endpoint`] lends that client to what posts JSON elsewhere than to a model; `reach` says which addresses it may
//!   connect to.
//!
//! It never logs bodies, keys or addresses, and it stores nothing.

mod breaker;
mod budget;
mod call;
mod endpoint;
mod error;
mod flight;
mod forward;
mod health;
mod http;
mod limits;
mod models;
mod price;
mod prompt;
mod provider;
mod reach;
mod retry;
mod scrub;
mod secrets;
mod structured;
mod target;
mod traces;
mod wire;
mod wired;

pub use breaker::BreakerState;
pub use endpoint::Endpoint;
pub use error::{Attempt, CallError, Called, Outcome};
pub use flight::Journal;
pub use forward::{Forwarded, ForwardedBody};
pub use health::{Probe, ProviderHealth};
pub use models::{Dice, Models, Now, Seams};
pub use price::Price;
pub use prompt::{Finish, Message, Prompt, Purpose, Reply, Role, Schema, Structured, Usage};
pub use provider::{Calls, Limits, Provider, Secret, Settings, SettingsError, Shape};
pub use reach::is_private_url;
pub use secrets::{Secrets, Tail};
pub use target::{Target, TargetError};

/// A message from outside, fit to be kept: bounded, on one line, without what looks like a key.
pub fn readable(message: &str) -> String {
    scrub::message(message, None)
}
