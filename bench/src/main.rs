//! Benchmarks. Most results are ratios to something measured in the same run, because ratios vary less on noisy machines.
//!
//! `make bench` runs all; `countersign-bench append http …` runs some. Results are in `bench/README.md`.
//!
//! | file                | job                                              |
//! |---------------------|--------------------------------------------------|
//! | `append.rs`         | durable events per second                        |
//! | `plain.rs`          | the baseline for the store: plain SQLite inserts |
//! | `postgres.rs`       | durable events per second on Postgres            |
//! | `http.rs`           | accepted transactions per second over HTTP       |
//! | `latency.rs`        | the time from a commit to its handler            |
//! | `signals.rs`        | assessed transactions per second                 |
//! | `investigations.rs` | rates of alerts and validated reports            |
//! | `gateway.rs`        | the cost of the gateway over direct calls        |
//! | `live.rs`           | the effect of stalled live clients               |
//! | `logs.rs`           | reading and recording audit logs                 |
//! | `startup.rs`        | the time to start, and idle memory               |
//! | `client.rs`         | a minimal HTTP client                            |
//! | `sample.rs`         | sample transactions, and tools for measuring     |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that can't run should fail loudly"
)]
#![allow(clippy::print_stdout, reason = "printing is its job")]

mod append;
mod client;
mod gateway;
mod http;
mod investigations;
mod latency;
mod live;
mod logs;
mod plain;
mod postgres;
mod sample;
mod signals;
mod startup;

/// Use the same allocator as countersign.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Benchmark = (&'static str, fn());

const ALL: [Benchmark; 11] = [
    ("append", append::run),
    ("postgres", postgres::run),
    ("latency", latency::run),
    ("http", http::run),
    ("gateway", gateway::run),
    ("live", live::run),
    ("startup", startup::run),
    ("logs", logs::run),
    ("signals", signals::run),
    ("detection", investigations::detection),
    ("reports", investigations::reports),
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = asked.iter().find(|name| ALL.iter().all(|(known, _)| known != name)) {
        let known: Vec<_> = ALL.iter().map(|(name, _)| *name).collect();
        println!("unknown benchmark {unknown}; there are: {}", known.join(", "));
        std::process::exit(2);
    }
    for (name, run) in ALL {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            println!("# {name}");
            run();
            println!();
        }
    }
}
