//! Accepted transactions per second over HTTP, and the effect of bulk posts on a single write.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{
    client::Connection,
    sample::{self, transaction_json},
    startup::Program,
};

const PATH: &str = "/api/transactions";
const CONNECTIONS: usize = 64;
const SECONDS: u64 = 8;

pub(crate) fn run() {
    let over_http = posts();
    let plain = crate::append::plain(CONNECTIONS, 60_000);
    println!("plain SQLite loop, {CONNECTIONS} rows per commit: {plain:.0}/s   ratio {:.2}", over_http / plain);
}

/// Returns accepted transactions per second.
fn posts() -> f64 {
    let bench_store = sample::BenchStore::new();
    let program = Program::start(bench_store.path());
    // One thread for the client, to leave as much of the machine as possible to the server.
    let client = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let numbers = Arc::new(AtomicUsize::new(0));
    client.block_on(async {
        let (accepted, mut latencies) = singles(&program.address, &numbers).await;
        latencies.sort_unstable();
        let rate = accepted as f64 / SECONDS as f64;
        println!(
            "{CONNECTIONS} connections, one transaction each: {rate:.0}/s   p50 {} us   p99 {} us",
            sample::quantile(&latencies, 0.5),
            sample::quantile(&latencies, 0.99)
        );
        let mut during_bulk = singles_during_bulk(&program.address, &numbers).await;
        during_bulk.sort_unstable();
        println!(
            "one connection during posts of 10,000 rows:   p50 {} us   p99 {} us   longest {} us",
            sample::quantile(&during_bulk, 0.5),
            sample::quantile(&during_bulk, 0.99),
            during_bulk.last().unwrap()
        );
        rate
    })
}

async fn singles(address: &str, numbers: &Arc<AtomicUsize>) -> (usize, Vec<u128>) {
    let end = Instant::now() + Duration::from_secs(SECONDS);
    let tasks: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let (address, numbers) = (address.to_owned(), Arc::clone(numbers));
            tokio::spawn(async move {
                let mut connection = Connection::open(&address).await;
                let mut latencies = Vec::new();
                while Instant::now() < end {
                    let body = transaction_json(numbers.fetch_add(1, Ordering::Relaxed));
                    let sent = Instant::now();
                    assert_eq!(connection.post(PATH, &body).await.status, 202);
                    latencies.push(sent.elapsed().as_micros());
                }
                latencies
            })
        })
        .collect();
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await.unwrap());
    }
    (latencies.len(), latencies)
}

async fn singles_during_bulk(address: &str, numbers: &Arc<AtomicUsize>) -> Vec<u128> {
    let done = Arc::new(AtomicBool::new(false));
    let bulk = {
        let (address, numbers, done) = (address.to_owned(), Arc::clone(numbers), Arc::clone(&done));
        let bodies: Vec<String> = (0..5)
            .map(|_| {
                let first = numbers.fetch_add(10_000, Ordering::Relaxed);
                let rows: Vec<_> = (first..first + 10_000).map(transaction_json).collect();
                format!("[{}]", rows.join(","))
            })
            .collect();
        tokio::spawn(async move {
            let mut connection = Connection::open(&address).await;
            for body in bodies {
                assert_eq!(connection.post(PATH, &body).await.status, 202);
            }
            done.store(true, Ordering::Relaxed);
        })
    };
    let mut connection = Connection::open(address).await;
    let mut latencies = Vec::new();
    while !done.load(Ordering::Relaxed) {
        let body = transaction_json(numbers.fetch_add(1, Ordering::Relaxed));
        let sent = Instant::now();
        assert_eq!(connection.post(PATH, &body).await.status, 202);
        latencies.push(sent.elapsed().as_micros());
    }
    bulk.await.unwrap();
    latencies
}
