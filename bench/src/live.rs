//! How live clients that stopped reading affect the others: 1,000 clients, alternately with all of them reading and with 100
//! stalled, so that other load on the machine affects both alike.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::{sleep, sleep_until},
};

use crate::{
    client::Connection,
    sample::{self, from_env},
    startup::Program,
};

const CLIENTS: usize = 1_000;
const STALLED: usize = 100;
const ROUNDS: usize = 4;
const EVENTS: usize = 60;
const INTERVAL: Duration = Duration::from_millis(100);
/// The size of each alert: large enough that a stalled client soon fills all buffers between it and the server.
const ALERT_BYTES: usize = 16 * 1024;
/// The time that the slowest client may take to get the last message.
const LAST_WITHIN: Duration = Duration::from_secs(60);

pub(crate) fn run() {
    let clients = from_env("LIVE_CLIENTS", CLIENTS);
    let stalled = from_env("LIVE_STALLED", STALLED);
    let bench_store = sample::BenchStore::new();
    let program = Program::start(bench_store.path());
    sample::runtime().block_on(async {
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for turn in 0..ROUNDS {
            without.extend(measure(&program.address, turn * 2, clients, stalled, false).await);
            with.extend(measure(&program.address, turn * 2 + 1, clients, stalled, true).await);
        }
        let [without, with] = [without, with].map(|mut latencies| {
            latencies.sort_unstable();
            [0.5, 0.99].map(|q| sample::quantile(&latencies, q))
        });
        println!("{clients} clients, all reading:   p50 {} us   p99 {} us", without[0], without[1]);
        println!("{clients} clients, {stalled} stalled:   p50 {} us   p99 {} us", with[0], with[1]);
        println!("p99 with stalled clients / without: {:.3}", with[1] as f64 / without[1] as f64);
    });
}

/// Posts alerts and returns the times until they reached each of the clients that read in both cases. `with_stalled` says whether
/// the others are stalled.
async fn measure(address: &str, round: usize, clients: usize, stalled: usize, with_stalled: bool) -> Vec<u128> {
    let sent: Arc<Vec<OnceLock<Instant>>> = Arc::new((0..EVENTS).map(|_| OnceLock::new()).collect());
    let (mut reading, mut unread) = (JoinSet::new(), Vec::new());
    for n in 0..clients {
        let (is_measured, is_stalled) = (n >= stalled, n < stalled && with_stalled);
        let stream = open(address, is_stalled).await;
        if is_stalled {
            unread.push(stream);
        } else {
            let sent = Arc::clone(&sent);
            reading.spawn(async move {
                let latencies = receive(stream, round, &sent).await;
                if is_measured { latencies } else { Vec::new() }
            });
        }
    }
    let mut poster = Connection::open(address).await;
    let padding = "x".repeat(ALERT_BYTES);
    let start = tokio::time::Instant::now();
    for (n, at) in sent.iter().enumerate() {
        sleep_until(start + INTERVAL * n as u32).await;
        let body = format!(
            r#"{{"alert_id":"bench-{round}-{n}","user_id":"user-1","severity":"low","score":10,"metadata":{{"padding":"{padding}"}}}}"#
        );
        at.set(Instant::now()).unwrap();
        assert_eq!(poster.post("/api/alerts", &body).await.status, 202);
    }
    let mut latencies = Vec::new();
    let all = async {
        while let Some(received) = reading.join_next().await {
            latencies.extend(received.unwrap());
        }
    };
    tokio::select! {
        () = all => {}
        () = sleep(LAST_WITHIN) => panic!("not all clients got all messages"),
    }
    drop(unread);
    latencies
}

/// A WebSocket after its handshake. A stalled client gets the smallest buffer that the system allows.
async fn open(address: &str, is_stalled: bool) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    if is_stalled {
        socket.set_recv_buffer_size(4_096).unwrap();
    }
    let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let request = format!(
        "GET /api/live HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    stream
}

/// Reads until the last message. Frames from a server are not masked.
async fn receive(mut stream: TcpStream, round: usize, sent: &[OnceLock<Instant>]) -> Vec<u128> {
    let (mut latencies, mut payload) = (Vec::new(), Vec::new());
    let name = format!("\"alert_id\":\"bench-{round}-");
    while latencies.len() < sent.len() {
        let _opcode = stream.read_u8().await.unwrap();
        let length = match stream.read_u8().await.unwrap() {
            126 => usize::from(stream.read_u16().await.unwrap()),
            127 => usize::try_from(stream.read_u64().await.unwrap()).unwrap(),
            short => usize::from(short),
        };
        payload.resize(length, 0);
        stream.read_exact(&mut payload).await.unwrap();
        let now = Instant::now();
        let start = &payload[..payload.len().min(512)];
        let Some(at) = start.windows(name.len()).position(|window| window == name.as_bytes()) else { continue };
        let digits: String =
            start[at + name.len()..].iter().map(|b| char::from(*b)).take_while(char::is_ascii_digit).collect();
        let posted = sent[digits.parse::<usize>().unwrap()].get().unwrap();
        latencies.push((now - *posted).as_micros());
    }
    latencies
}
