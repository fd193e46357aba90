//! Agents and their runtime, with a real store.
//!
//! `work`, `retry`, `crash`, `life` and `faults` pause tokio's clock, so that waits take no time. The others run in real time.
//!
//! | file                | job                                                                |
//! |---------------------|--------------------------------------------------------------------|
//! | `fixture.rs`        | a store that follows tokio's clock, and a scripted agent           |
//! | `model_requests.rs` | recognises the purpose of a request to a model                     |
//! | `work.rs`           | order, concurrency, the window, and batches                        |
//! | `retry.rs`          | retries, dead letters and replays                                  |
//! | `crash.rs`          | crashes at any moment                                              |
//! | `life.rs`           | starting, pausing, heartbeats and stopping                         |
//! | `investigations.rs` | from a transaction to a verdict                                    |
//! | `sent_back.rs`      | reports that are sent back with a comment                          |
//! | `faults.rs`         | failing model providers                                            |
//! | `obedient_judge.rs` | a judge that follows instructions in the text under audit          |
//! | `mirror.rs`         | mirroring logs to Supabase                                         |
//! | `webhooks.rs`       | notices to other systems                                           |
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../../inspect/tests/inspect/auditor_wordings.rs"]
#[expect(dead_code, reason = "the inspectors' own tests use the rest")]
mod auditor_wordings;
mod crash;
mod faults;
mod fixture;
mod investigations;
mod life;
mod mirror;
mod model_requests;
mod obedient_judge;
mod retry;
mod sent_back;
mod webhooks;
mod work;
