//! Tests of the fake's wire formats and faults, over real HTTP.
//!
//! | file           | job                                         |
//! |----------------|---------------------------------------------|
//! | `caller.rs`    | an HTTP client for tests                    |
//! | `unary.rs`     | complete answers                            |
//! | `streams.rs`   | streams                                     |
//! | `errors.rs`    | the providers' error bodies and headers     |
//! | `faults.rs`    | broken answers, and callers that disconnect |
//! | `lifecycle.rs` | stopping and restarting                     |
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod caller;
mod errors;
mod faults;
mod lifecycle;
mod streams;
mod unary;
