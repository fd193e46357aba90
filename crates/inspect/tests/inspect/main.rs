//! Properties that hold for any text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod grounding;
mod properties;
mod robustness;
mod streams;
mod texts;
