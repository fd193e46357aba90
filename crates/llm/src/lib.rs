//! One place for calling models: time-outs, retries, breakers, limits, budgets and prices, over three wire shapes.
//!
//! - [`Models`] is the door: `chat`, `structured` (JSON by a schema), `forward` (raw OpenAI wire), `health`, `probe`.
//! - `call` is the loop of attempts, `retry` its pure rules, `open_attempt` one attempt and its record.
//! - `breaker`, `limits`, `budget`, `price` are kept per provider (`state`), a breaker per model.
//! - `http` is the bounded client; `wire` speaks OpenAI, Gemini, Anthropic, and answers as `simulated`.
//! - [`Endpoint`] lends that client to what posts JSON elsewhere than to a model; `reach` says which addresses it may
//!   connect to.
//!
//! It never logs bodies, keys or addresses, and it stores nothing.

mod attempt;
mod breaker;
mod budget;
mod call;
mod error;
mod forward;
mod health;
mod key_fragments;
mod limits;
mod models;
mod price;
mod prompt;
mod provider;
mod provider_state;
mod retry;
mod secrets;
mod structured;
mod target;
mod wire;

pub use attempt::Journal;
pub use breaker::BreakerState;
pub use error::{Attempt, CallError, CallResult, Outcome};
pub use forward::{Forwarded, ForwardedBody};
pub use health::{Probe, ProviderHealth};
pub use models::{Jitter, ModelSeams, Models, Now};
pub use price::Price;
pub use prompt::{Finish, Message, Prompt, Purpose, Reply, Role, Schema, Structured, Usage};
pub use provider::{CallLimits, CallPolicy, ModelSettings, Provider, Secret, SettingsError, Shape};
pub use secrets::{Secrets, Tail};
pub use target::{Target, TargetError};
