//! Tests of the public interface: properties of any text, disguises, languages, streams and instructions to the
//! auditor.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod auditor;
mod auditor_texts;
mod auditor_wordings;
mod disguises;
mod properties;
mod robustness;
mod streams;
mod texts;
