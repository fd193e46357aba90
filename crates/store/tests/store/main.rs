//! The store as its callers see it: the contract that every backend keeps, and what is particular to each backend.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod backend;
mod contract;
mod fixture;
mod on_postgres;
mod populated;
mod sqlite;
