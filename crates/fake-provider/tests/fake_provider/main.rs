//! The fake's own wire shapes and faults, over real HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod caller;
mod errors;
mod faults;
mod lifecycle;
mod streams;
mod unary;
