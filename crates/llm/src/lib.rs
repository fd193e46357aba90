//! Calls to models: time-outs, retries, circuit breakers, limits, budgets and prices, for three wire formats.
//!
//! | file                | job                                                                             |
//! |---------------------|---------------------------------------------------------------------------------|
//! | `models.rs`         | [`Models`], the entry point: finds the provider, asks it and reads its reply    |
//! | `prompt.rs`         | prompts and replies, in no provider's format                                    |
//! | `target.rs`         | `provider/model` names                                                          |
//! | `structured.rs`     | replies as JSON with a schema, repaired at most once                            |
//! | `forward.rs`        | raw OpenAI requests and responses, for the gateway                              |
//! | `call.rs`           | the loop that makes a call's attempts                                           |
//! | `retry.rs`          | when to retry, and the shared budget of retries                                 |
//! | `attempt.rs`        | one attempt: admission, outcome and record                                      |
//! | `provider.rs`       | settings of providers                                                           |
//! | `provider_state.rs` | a provider at run time: addresses, headers and shared state                     |
//! | `breaker.rs`        | the circuit breaker of a model                                                  |
//! | `limits.rs`         | rate limits                                                                     |
//! | `budget.rs`         | tokens and money per day                                                        |
//! | `price.rs`          | the cost of a call                                                              |
//! | `health.rs`         | the state of providers, and checks of their keys                                |
//! | `wire/`             | the wire formats of OpenAI, Gemini and Anthropic, and the simulated model       |
//! | `secrets.rs`        | removes our keys from everything that comes back                                |
//! | `key_fragments.rs`  | finds parts of keys in disguise                                                 |
//! | `error.rs`          | errors of calls, and outcomes of attempts                                       |
//!
//! HTTP itself is in `countersign-outbound`. This crate never logs bodies, keys or addresses, and stores nothing.

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
pub use error::{Attempt, AttemptOutcome, CallError, CallResult};
pub use forward::{Forwarded, ForwardedBody};
pub use health::{Probe, ProviderHealth};
pub use models::{Jitter, ModelSeams, Models, Now};
pub use price::Price;
pub use prompt::{Finish, Message, MessageRole, Prompt, Purpose, Reply, Schema, Structured, Usage};
pub use provider::{CallLimits, CallPolicy, ModelSettings, Provider, ProviderKey, SettingsError, WireFormat};
pub use secrets::{Secrets, Tail};
pub use target::{Target, TargetError};
