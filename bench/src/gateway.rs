//! The cost of the gateway over direct calls to a provider, with durable logging and the built-in auditor.

use std::{
    io::{BufRead, BufReader},
    os::unix::fs::FileExt,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread::JoinHandle,
    time::{Duration, Instant},
};

use crate::{
    client::Connection,
    sample::{self, quantile},
    startup::Program,
};

const SECONDS: u64 = 5;
const QUESTION: &str = "What is the capital of France, and how many people live there? Please answer in one sentence.";

pub(crate) fn run() {
    let provider = Provider::start();
    let bench_store = sample::BenchStore::new();
    let base = format!("http://{}/openai/v1", provider.address);
    let program = Program::start_with(
        bench_store.path(),
        &[("GROQ_API_KEY", "bench"), ("GROQ_BASE_URL", &base), ("COUNTERSIGN_WORKER", "groq/bench")],
    );
    let commit = one_commit();
    println!("one durable commit, alone: p50 {} us", commit.as_micros());
    let direct = Route { address: &provider.address, path: "/openai/v1/chat/completions" };
    let ours = Route { address: &program.address, path: "/v1/chat/completions" };
    for connections in [1, 32, 256] {
        let direct_load = load(&direct, connections, false);
        let cpu = program.cpu();
        let gateway_load = load(&ours, connections, false);
        let cpu_us = (program.cpu() - cpu).as_micros() / gateway_load.count.max(1) as u128;
        println!(
            "{connections:>3} connections: {:>6.0}/s (direct {:.0}/s)   p50 {:.2} ms   p99 {:.2} ms   overhead p50 {:.2} ms   {cpu_us} us CPU each   {:.0} MB",
            gateway_load.rate,
            direct_load.rate,
            ms(gateway_load.p50),
            ms(gateway_load.p99),
            ms(gateway_load.p50.saturating_sub(direct_load.p50)),
            program.memory_kb() as f64 / 1024.0
        );
    }
    for connections in [1, 32] {
        let direct_load = load(&direct, connections, true);
        let gateway_load = load(&ours, connections, true);
        println!(
            "{connections:>3} streams: {:>6.0}/s (direct {:.0}/s)   first byte p50 {:.2} ms (direct {:.2} ms)",
            gateway_load.rate,
            direct_load.rate,
            ms(gateway_load.first),
            ms(direct_load.first)
        );
    }
    half_load(&ours, &direct);
}

fn ms(us: u128) -> f64 {
    us as f64 / 1e3
}

struct Route<'a> {
    address: &'a str,
    path: &'static str,
}

struct Load {
    count: usize,
    rate: f64,
    /// Times in microseconds.
    p50: u128,
    p99: u128,
    /// The median time until the first byte of the body.
    first: u128,
}

fn body(is_stream: bool) -> String {
    let stream = if is_stream { r#","stream":true"# } else { "" };
    format!(
        r#"{{"model":"bench","messages":[{{"role":"system","content":"You are a helpful assistant."}},{{"role":"user","content":"{QUESTION}"}}]{stream}}}"#
    )
}

fn load(route: &Route<'_>, connections: usize, is_stream: bool) -> Load {
    paced(route, connections, is_stream, None)
}

/// Sends requests as fast as possible, or on each connection at most one per `every`.
fn paced(route: &Route<'_>, connections: usize, is_stream: bool, every: Option<Duration>) -> Load {
    // One thread for the client, to leave as much of the machine as possible to the server.
    let client = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut took: Vec<(u128, u128)> = client.block_on(async {
        let end = Instant::now() + Duration::from_secs(SECONDS);
        let tasks: Vec<_> = (0..connections)
            .map(|number| {
                let (address, path, body) = (route.address.to_owned(), route.path, body(is_stream));
                // Spread the starts, so that no burst is measured.
                let offset = every.map_or(Duration::ZERO, |every| every.mul_f64(number as f64 / connections as f64));
                tokio::spawn(async move {
                    let mut connection = Connection::open(&address).await;
                    let mut took = Vec::new();
                    let mut due = Instant::now() + offset;
                    tokio::time::sleep_until(due.into()).await;
                    while Instant::now() < end {
                        let answer = connection.post(path, &body).await;
                        assert_eq!(answer.status, 200);
                        took.push((answer.whole.as_micros(), answer.first.as_micros()));
                        if let Some(every) = every {
                            due += every;
                            tokio::time::sleep_until(due.into()).await;
                        }
                    }
                    took
                })
            })
            .collect();
        let mut all = Vec::new();
        for task in tasks {
            all.extend(task.await.unwrap());
        }
        all
    });
    let mut first: Vec<u128> = took.iter().map(|(_, first)| *first).collect();
    first.sort_unstable();
    took.sort_unstable();
    let whole: Vec<u128> = took.into_iter().map(|(whole, _)| whole).collect();
    Load {
        count: whole.len(),
        rate: whole.len() as f64 / SECONDS as f64,
        p50: quantile(&whole, 0.5),
        p99: quantile(&whole, 0.99),
        first: quantile(&first, 0.5),
    }
}

/// The tail latency at half of the saturating load, compared with the provider's own at the same rate. On a shared machine, the
/// host takes the processors away for milliseconds now and then, which shows in every tail.
fn half_load(ours: &Route<'_>, direct: &Route<'_>) {
    let saturated = load(ours, 32, false);
    let every = Duration::from_secs_f64(32.0 / (saturated.rate / 2.0));
    let before = sample::MachineTime::now();
    let disk = DiskProbe::start();
    let half = paced(ours, 32, false, Some(every));
    let disk = disk.stop();
    let stolen = sample::MachineTime::now().stolen_since(&before);
    let direct_load = paced(direct, 32, false, Some(every));
    println!(
        "at half of the saturating load: {:.0}/s of {:.0}/s   p50 {:.2} ms   p99 {:.2} ms   (direct p99 {:.2} ms)   processors \
         taken away {:.0} % of the time   syncs of more than 5 ms during {:.2} % of the time, longest {:.1} ms",
        half.rate,
        saturated.rate,
        ms(half.p50),
        ms(half.p99),
        ms(direct_load.p99),
        stolen * 100.0,
        disk.long_share * 100.0,
        ms(disk.longest)
    );
}

/// Writes and syncs a page two hundred times a second on the same disk. Requests during a slow sync wait for it. If syncs are
/// slow for more than 1 % of the time, the 99th percentile can't be faster than they are.
struct DiskProbe {
    stop: mpsc::Sender<()>,
    thread: JoinHandle<Syncs>,
}

struct Syncs {
    /// The share of the time that was spent in syncs of more than 5 ms.
    long_share: f64,
    longest: u128,
}

impl DiskProbe {
    fn start() -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let bench_store = sample::BenchStore::new();
            let file = std::fs::File::create(bench_store.path().join("synced")).unwrap();
            let (began, mut all) = (Instant::now(), Vec::new());
            while stopped.recv_timeout(Duration::from_millis(5)).is_err() {
                let started = Instant::now();
                file.write_all_at(&[7; 4096], 0).unwrap();
                file.sync_data().unwrap();
                all.push(started.elapsed());
            }
            let long: Duration = all.iter().filter(|took| **took > Duration::from_millis(5)).sum();
            Syncs {
                long_share: long.as_secs_f64() / began.elapsed().as_secs_f64(),
                longest: all.iter().max().map_or(0, Duration::as_micros),
            }
        });
        Self { stop, thread }
    }

    fn stop(self) -> Syncs {
        self.stop.send(()).unwrap();
        self.thread.join().unwrap()
    }
}

/// The cost of durability alone: the time to commit a single event on the same disk.
fn one_commit() -> Duration {
    let bench_store = sample::BenchStore::new();
    let runtime = sample::runtime();
    let mut took: Vec<u128> = runtime.block_on(async {
        let (store, seams) = bench_store.open();
        let mut took = Vec::new();
        for n in 0..1_000 {
            let event = sample::transaction(&seams, n);
            let started = Instant::now();
            store.append(vec![event]).await.unwrap();
            took.push(started.elapsed().as_micros());
        }
        store.close().await.unwrap();
        took
    });
    took.sort_unstable();
    Duration::from_micros(u64::try_from(quantile(&took, 0.5)).unwrap())
}

/// The fake provider in its own process.
struct Provider {
    child: Child,
    address: String,
}

impl Provider {
    fn start() -> Self {
        let binary = std::env::current_exe().unwrap().with_file_name("fake-provider");
        let mut child = Command::new(&binary)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error} (build it first: make bench)", binary.display()));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("http://").expect("the ready line").1.to_owned();
        Self { child, address }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
