//! Transactions assessed per second on one core, without rules and with the built-in ones, and memory use over many transactions.
//!
//! The transactions are generated from a seed. The time for generating them is measured separately and subtracted.

use std::time::Instant;

use countersign_domain::{Time, Transaction};
use countersign_signals::{Detector, DetectorSettings, History, HistoryCache, Rules};
use countersign_text::hash::SplitMix64;

use crate::sample;

const USERS: u64 = 200_000;
/// The number of histories in memory: fewer than users, so that some histories are dropped.
const CAPACITY: usize = 100_000;
const TRANSACTIONS: u64 = 5_000_000;

pub(crate) fn run() {
    let transactions = sample::from_env("BENCH_TRANSACTIONS", TRANSACTIONS);
    let short_run = transactions / 5;
    println!("{:<52} {:>12} {:>12}", "", "per second", "memory, MB");
    let generating = measure("generating the transactions", short_run, |stream, n| {
        std::hint::black_box(stream.next(n));
        0
    });
    let without = Detector::new(DetectorSettings::default(), Rules::default());
    let measure_full_histories = |detector: Detector, label: &str| {
        let mut histories: Vec<History> = (0..1_000).map(|_| History::new()).collect();
        let took = measure(label, short_run, |stream, n| {
            let user = stream.user as usize % 1_000;
            let tx = stream.next(n);
            let history = &mut histories[user];
            let assessment = detector.assess(n, tx, history);
            history.add(n, tx);
            u64::from(assessment.score.get())
        });
        println!("{:<52} {:>12.0}", "  without generating", short_run as f64 / (took - generating).max(1e-9));
    };
    measure_full_histories(without, "full histories, no rules");
    measure_full_histories(Detector::built_in(), "full histories, the built-in rules");
    let detector = Detector::built_in();
    measure("with sentences and JSON for each", short_run / 10, |stream, n| {
        let history = History::new();
        detector.assess(n, stream.next(n), &history).signals_json().len() as u64
    });
    let (detector, mut histories) = (Detector::built_in(), HistoryCache::new(CAPACITY));
    let mut misses = 0_u64;
    measure("200,000 users, 100,000 kept, the built-in rules", transactions, |stream, n| {
        let tx = stream.next(n);
        let history = match histories.get(&tx.user_id) {
            Some(history) => history,
            None => {
                misses += 1;
                histories.insert(tx.user_id.clone(), History::new())
            }
        };
        let assessment = detector.assess(n, tx, history);
        history.add(n, tx);
        u64::from(assessment.score.get())
    });
    println!("  histories not in memory: {misses} of {transactions}");
}

/// Runs `step` for each transaction of a new stream. Prints the rate, and the memory use at the start of each fifth of the run.
/// Returns the seconds that it took.
fn measure(label: &str, transactions: u64, mut step: impl FnMut(&mut TransactionStream, u64) -> u64) -> f64 {
    let (mut stream, mut checksum, mut memory) = (TransactionStream::new(), 0_u64, Vec::new());
    let began = Instant::now();
    for n in 0..transactions {
        checksum = checksum.wrapping_add(step(&mut stream, n));
        if n % (transactions / 5).max(1) == 0 {
            memory.push(resident_mb().to_string());
        }
    }
    let took = began.elapsed().as_secs_f64();
    std::hint::black_box(checksum);
    println!("{label:<52} {:>12.0} {:>12}", transactions as f64 / took, memory.join(" "));
    took
}

fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    kilobytes.and_then(|text| text.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1_000
}

/// Reuses its transactions, because new ones would measure the allocator.
struct TransactionStream {
    random: SplitMix64,
    user: u64,
    templates: Vec<Transaction>,
    users: Vec<countersign_domain::UserId>,
}

impl TransactionStream {
    fn new() -> Self {
        let template = |n: u64| -> Transaction { serde_json::from_str(&template_json(n)).unwrap() };
        let users = (0..USERS).map(|n| format!("user-{n:06}").parse().unwrap()).collect();
        Self { random: SplitMix64(0), user: 0, templates: (0..512).map(template).collect(), users }
    }

    /// A quarter of the users make most of the transactions.
    fn next(&mut self, n: u64) -> &Transaction {
        let random = self.random.next();
        let among = if !random.is_multiple_of(4) { USERS / 4 } else { USERS };
        self.user = (random >> 8) % among;
        let template = &mut self.templates[(random >> 40) as usize % 512];
        template.user_id.clone_from(&self.users[self.user as usize]);
        template.occurred_at = Time::from_micros(1_750_000_000_000_000 + n as i64 * 1_000_000).unwrap();
        template
    }
}

fn template_json(n: u64) -> String {
    let (lat, lon) = (38.0 + n as f64 / 512.0, -9.0 - n as f64 / 512.0);
    format!(
        r#"{{"transaction_id":"tx-{n}","user_id":"u","amount":{{"amount":"{}.{:02}","currency":"USD"}},"occurred_at":"2026-03-01T09:30:00Z","merchant":"Corner Shop 17","category":"groceries","channel":"card_present","location":{{"lat":{lat},"lon":{lon},"country":"PT","city":"Lisbon"}},"ip_address":"192.0.2.7","device_fingerprint":"device-{}","account_opened_at":"2020-01-01T00:00:00Z"}}"#,
        5 + n * n % 400,
        n % 100,
        n % 3,
    )
}
