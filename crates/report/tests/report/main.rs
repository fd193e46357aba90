//! Tests reports through the crate's public API: hostile input, with the output inspected as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bounds;
mod canaries;
mod cases;
mod documents;
mod facts;
mod placements;
mod prompts;
mod redaction;
