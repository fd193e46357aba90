//! Tests of the whole crate with a server that speaks the providers' wire formats, including faults.
//!
//! | file            | job                                                      |
//! |-----------------|----------------------------------------------------------|
//! | `chat.rs`       | requests and replies in each provider's format           |
//! | `structured.rs` | replies that must fit a schema, and their repair         |
//! | `forward.rs`    | requests that are passed on unchanged, and streams       |
//! | `outcomes.rs`   | the outcome of each kind of failure, and retries         |
//! | `limits.rs`     | limits on calls, rates and budgets, and circuit breakers |
//! | `health.rs`     | probes of keys, and the health of providers              |
//! | `logging.rs`    | one log entry per call, without secrets                  |
//! | `simulated.rs`  | the simulated provider                                   |
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod chat;
mod forward;
mod health;
mod limits;
mod logging;
mod outcomes;
mod simulated;
mod structured;

use countersign_fake_provider::{Behaviour, Fake};
use countersign_llm::{CallLimits, CallPolicy, ModelSettings, Models, Provider, Target, WireFormat};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const KEY: &str = "gsk_test_key_0123456789";
pub(crate) const NATIVE: [&str; 3] = ["groq", "gemini", "anthropic"];

/// A policy with one attempt, so that no test waits for a retry.
pub(crate) const ONCE: CallPolicy =
    CallPolicy { attempts_max: 1, attempt_timeout: Duration::from_secs(5), deadline: Duration::from_secs(20) };
pub(crate) const THRICE: CallPolicy = CallPolicy { attempts_max: 3, ..ONCE };

pub(crate) fn settings(fake: &Fake) -> ModelSettings {
    let key = || Some(KEY.into());
    ModelSettings::new(vec![
        Provider::new("groq", WireFormat::OpenAi, fake.groq_url(), key()),
        Provider::new("gemini", WireFormat::Gemini, fake.gemini_url(), key()),
        Provider::new("anthropic", WireFormat::Anthropic, fake.anthropic_url(), key()),
        Provider::new("ollama", WireFormat::OpenAi, fake.ollama_url(), None),
        Provider::simulated(),
    ])
}

/// Builds models whose jitter always gives the shortest wait.
pub(crate) fn build(settings: ModelSettings) -> Models {
    Models::new(settings, Arc::new(|| 0.0)).unwrap()
}

pub(crate) fn models(fake: &Fake) -> Models {
    build(settings(fake))
}

pub(crate) fn limited(fake: &Fake, limits: &CallLimits) -> Models {
    let mut settings = settings(fake);
    for provider in &mut settings.providers {
        provider.limits = limits.clone();
    }
    build(settings)
}

pub(crate) fn target(provider: &str) -> Target {
    Target::new(provider, "some-model")
}

/// Uses these behaviours in turn, then works without faults.
pub(crate) async fn fake(behaviours: impl IntoIterator<Item = Behaviour>) -> Fake {
    let fake = Fake::start().await;
    for behaviour in behaviours {
        fake.push(behaviour);
    }
    fake
}
