//! Time from start to ready, and memory when idle, with an empty store and with 1,000,000 events.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::sample;

const EVENTS: usize = 1_000_000;
const RUNS: usize = 5;

pub(crate) fn run() {
    let empty = sample::BenchStore::new();
    measure("0 events", empty.path());
    let full = sample::BenchStore::new();
    fill(&full);
    measure("1,000,000 events", full.path());
}

fn fill(bench_store: &sample::BenchStore) {
    sample::runtime().block_on(async {
        let (store, seams) = bench_store.open();
        let started = Instant::now();
        for first in (0..EVENTS).step_by(10_000) {
            let events = (first..first + 10_000).map(|n| sample::transaction(&seams, n)).collect();
            store.ingest(events).await.unwrap();
        }
        println!("filled with {EVENTS} events in bulk: {:.0}/s", EVENTS as f64 / started.elapsed().as_secs_f64());
        store.close().await.unwrap();
    });
}

fn measure(label: &str, path: &Path) {
    let mut ready: Vec<_> = Vec::new();
    let mut memory_kb = 0;
    for _ in 0..RUNS {
        let program = Program::start(path);
        ready.push(program.ready.as_millis());
        std::thread::sleep(Duration::from_millis(500));
        memory_kb = program.memory_kb();
    }
    ready.sort_unstable();
    println!(
        "{label:<18} ready in {} ms (median of {RUNS}), {:.1} MB at idle",
        ready[RUNS / 2],
        memory_kb as f64 / 1024.0
    );
}

/// The real program. It is stopped when dropped.
pub(crate) struct Program {
    child: Child,
    pub(crate) address: String,
    pub(crate) ready: Duration,
}

impl Program {
    pub(crate) fn start(path: &Path) -> Self {
        Self::start_with(path, &[])
    }

    pub(crate) fn start_with(path: &Path, variables: &[(&str, &str)]) -> Self {
        let binary = std::env::current_exe().unwrap().with_file_name("countersign");
        let started = Instant::now();
        let mut child = Command::new(&binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(path.join("data"))
            .env("RUST_LOG", "warn")
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error} (build it first: make bench)", binary.display()));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready = started.elapsed();
        let address = line.trim().rsplit_once("http://").expect("the ready line").1.to_owned();
        Self { child, address, ready }
    }

    /// The processor time that it has used so far.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        // The kernel reports hundredths of a second.
        Duration::from_millis(ticks * 10)
    }

    pub(crate) fn memory_kb(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SIGTERM, so that it shuts down cleanly and the next start needs no recovery.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}
