//! The runtime with a held clock on a real store: order, retries, dead letters, pauses, crashes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod asked;
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
