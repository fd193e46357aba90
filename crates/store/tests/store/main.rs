//! The store as its callers see it: the contract that every backend keeps, tampering, backup and bundles.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod append_only;
mod cases;
mod contract;
mod effects;
mod files;
mod fixture;
mod history;
mod ledger;
mod logs;
mod logs_model;
mod model;
mod mutations;
mod populated;
mod ranks;
mod reports;
mod reviews;
mod search;
mod tamper;
