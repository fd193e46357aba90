//! The whole server, over the network: a real store in a folder of its own, a real port, a real client.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod access;
mod addenda;
mod answers;
mod case;
mod client;
mod clients;
mod commands;
mod crash;
mod documents;
mod enforcement;
mod errors;
mod events;
mod faults;
mod fuzz;
mod gateway;
mod intake;
mod investigations;
mod keys;
mod ledger;
mod limits;
mod live;
mod logging;
mod origins;
mod privacy;
mod program;
mod properties;
mod reports;
mod reviews;
mod running;
mod schemas;
mod sessions;
mod stopping;
mod streams;
mod telemetry;
mod texts;
