//! Accepted transactions per second over HTTP, and what a bulk post does to a single write.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    sample::{self, transaction_json},
    startup::Program,
};

const CONNECTIONS: usize = 64;
const SECONDS: u64 = 8;

pub(crate) fn run() {
    let over_http = posts();
    let plain = crate::append::plain(CONNECTIONS, 60_000);
    println!(
        "a plain SQLite loop beside it, {CONNECTIONS} rows to a commit: {plain:.0}/s   ratio {:.2}",
        over_http / plain
    );
}

/// Returns accepted transactions per second.
fn posts() -> f64 {
    let place = sample::Place::new();
    let program = Program::start(place.path());
    // One thread for the client: the server should have as much of the machine as it can get.
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
        let mut beside_bulk = singles_beside_bulk(&program.address, &numbers).await;
        beside_bulk.sort_unstable();
        println!(
            "one connection beside posts of 10,000 rows:   p50 {} us   p99 {} us   longest {} us",
            sample::quantile(&beside_bulk, 0.5),
            sample::quantile(&beside_bulk, 0.99),
            beside_bulk.last().unwrap()
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
                    connection.post(&body).await;
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

async fn singles_beside_bulk(address: &str, numbers: &Arc<AtomicUsize>) -> Vec<u128> {
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
                connection.post(&body).await;
            }
            done.store(true, Ordering::Relaxed);
        })
    };
    let mut connection = Connection::open(address).await;
    let mut latencies = Vec::new();
    while !done.load(Ordering::Relaxed) {
        let body = transaction_json(numbers.fetch_add(1, Ordering::Relaxed));
        let sent = Instant::now();
        connection.post(&body).await;
        latencies.push(sent.elapsed().as_micros());
    }
    bulk.await.unwrap();
    latencies
}

/// As little client as can be: what it costs is taken from the server's share of the machine.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    host: String,
}

impl Connection {
    async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: Vec::with_capacity(4096), host: address.to_owned() }
    }

    async fn post(&mut self, body: &str) {
        let request = format!(
            "POST /api/transactions HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
        self.buffer.clear();
        loop {
            let read = self.stream.read_buf(&mut self.buffer).await.unwrap();
            assert!(read > 0, "the server closed the connection");
            let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let head = std::str::from_utf8(&self.buffer[..end]).unwrap();
            let length = head
                .to_ascii_lowercase()
                .lines()
                .find_map(|line| Some(line.strip_prefix("content-length: ")?.parse::<usize>().unwrap()));
            if self.buffer.len() >= end + 4 + length.expect("a length") {
                assert!(head.starts_with("HTTP/1.1 202"), "{}", String::from_utf8_lossy(&self.buffer));
                return;
            }
        }
    }
}
