//! The runtime with a controlled clock and a real store: order, retries, dead letters, pauses, crashes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod asked;
#[path = "../../../inspect/tests/inspect/auditor_wordings.rs"]
#[expect(dead_code, reason = "the inspectors' own tests use the rest")]
mod auditor_wordings;
mod crash;
mod faults;
mod fixture;
mod investigations;
mod life;
mod mirror;
mod obedient_judge;
mod retry;
mod sent_back;
mod webhooks;
mod work;
