//! Reports from the outside: what goes in is hostile, what comes out is looked at as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bounds;
mod canaries;
mod cases;
mod documents;
mod facts;
mod placements;
mod prompts;
mod redaction;
