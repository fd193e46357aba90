//! Properties that hold for any text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod auditor;
mod auditor_texts;
mod auditor_wordings;
mod disguises;
mod properties;
mod robustness;
mod streams;
mod texts;
