//! Reads audit logs from a store of ten million (`BENCH_LOGS` sets another number), fills their index, and measures the cost
//! of recording a log.
//!
//! The logs are written straight into the tables, in large transactions: headers without a tree, bodies without a
//! commitment, and without the two indexes of events that no read of logs uses. The measurements don't involve these.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use countersign_domain::{
    LogId, NewEvent, Time,
    payload::{AnswerRecorded, AuditLogCreated, ModelCalled},
};
use countersign_store::{Bucket, LogQuery, LogStats, Seams, StatsQuery, Store};
use countersign_text::hash::mix;
use rusqlite::{Connection, params};
use serde_json::json;

use crate::sample;

const LOGS: u64 = 10_000_000;
const LOGS_PER_TRANSACTION: u64 = 50_000;
const RUNS: usize = 21;
const DAYS: i64 = 30;
const START: &str = "2026-01-01T00:00:07Z";

pub(crate) fn run() {
    measure_appends();
    let logs = sample::from_env("BENCH_LOGS", LOGS);
    let bench_store = sample::BenchStore::new();
    sample::runtime().block_on(async {
        let (store, _) = bench_store.open();
        let began = Instant::now();
        fill(&store, logs);
        println!("{logs} logs written straight into the tables: {:.0}/s", logs as f64 / began.elapsed().as_secs_f64());
        index(&store, logs).await;
        measure_reads(&store, logs).await;
    });
}

// Writing.

/// Appends events of about the same size with and without a log's row, alternately. On a shared machine, processor time is more
/// informative than rates.
fn measure_appends() {
    println!("{:<32} {:>12} {:>16}", "64 writers, each waiting", "appends/s", "us of processor");
    for _ in 0..3 {
        for (label, make) in [
            ("an event without a row", plain_event as fn(&Seams, u64) -> Vec<NewEvent>),
            ("a log", |seams, n| vec![log(seams, n)]),
            ("a recorded answer and its log", |seams, n| vec![recorded(seams, n), log(seams, n)]),
        ] {
            let (rate, cpu) = append(make);
            println!("{label:<32} {rate:>12.0} {cpu:>16.1}");
        }
    }
}

/// Appends what `make` returns. Returns the appends per second, and the processor time of each in microseconds.
fn append(make: fn(&Seams, u64) -> Vec<NewEvent>) -> (f64, f64) {
    const APPENDS: u64 = 60_000;
    const WRITERS: usize = 64;
    let bench_store = sample::BenchStore::new();
    sample::runtime().block_on(async {
        let (store, seams) = bench_store.open();
        let mut work: Vec<Vec<Vec<NewEvent>>> = vec![Vec::new(); WRITERS];
        for n in 0..APPENDS {
            work[n as usize % WRITERS].push(make(&seams, n));
        }
        let (began, cpu) = (Instant::now(), sample::cpu_ms());
        let tasks: Vec<_> = work
            .into_iter()
            .map(|work| {
                let store = store.clone();
                tokio::spawn(async move {
                    for events in work {
                        store.append(events).await.unwrap();
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let rate = APPENDS as f64 / began.elapsed().as_secs_f64();
        let cpu = (sample::cpu_ms() - cpu) as f64 * 1_000.0 / APPENDS as f64;
        store.close().await.unwrap();
        (rate, cpu)
    })
}

fn event(seams: &Seams, event: impl Into<countersign_domain::Event>) -> NewEvent {
    NewEvent::new(seams.event_id(), event, seams.now(), "bench", seams.correlation_id()).unwrap()
}

fn plain_event(seams: &Seams, n: u64) -> Vec<NewEvent> {
    let (query, response) = texts(n);
    let called: ModelCalled = serde_json::from_value(json!({
        "purpose": query, "provider": "simulated", "model": id(n), "attempt": 1, "outcome": response, "latency_ms": 3
    }))
    .unwrap();
    vec![event(seams, called)]
}

fn recorded(seams: &Seams, n: u64) -> NewEvent {
    let (query, response) = texts(n);
    let answer: AnswerRecorded = serde_json::from_value(json!({
        "log_id": id(n), "query": query, "response": response, "recorded_at": seams.now(),
        "worker": {"provider": "simulated", "model": "m", "latency_ms": 3}
    }))
    .unwrap();
    event(seams, answer)
}

fn log(seams: &Seams, n: u64) -> NewEvent {
    let log: AuditLogCreated = serde_json::from_str(&payload(n, seams.now())).unwrap();
    event(seams, log)
}

// Logs.

/// An id that sorts like the program's own ids.
fn id(n: u64) -> String {
    format!("019c0000-{:04x}-7000-8000-{:012x}", n >> 20 & 0xffff, n)
}

/// A risk score: 80 % are safe, 15 % warning and 5 % flagged. One in a thousand is 10.
fn score(n: u64) -> u8 {
    match (mix(n) >> 16) % 1_000 {
        random @ 0..800 => (random % 4) as u8,
        random @ 800..950 => 4 + (random % 3) as u8,
        999 => 10,
        random => 7 + (random % 3) as u8,
    }
}

/// A query and an answer of about 200 bytes. "alpha" and "omega" each occur in half of the texts, but never together.
fn texts(n: u64) -> (String, String) {
    let half = if n.is_multiple_of(2) { "alpha" } else { "omega" };
    let rare = match n {
        n if n % 1_000_000 == 17 => "zebra",
        n if n % 10_000 == 18 => "okapi",
        _ => "horse",
    };
    let word = |place: u64| {
        let random = mix(n.wrapping_mul(31).wrapping_add(place)) >> 16;
        // A few words are frequent, most are rare.
        let range = [20, 200, 2_000, 20_000][(random % 4) as usize];
        format!("w{:x}", (random >> 8) % range + range)
    };
    let words: Vec<_> = (0..24).map(word).collect();
    (format!("What about {half} {}?", words[..6].join(" ")), format!("The {rare} is {}.", words[6..].join(" ")))
}

fn payload(n: u64, created_at: Time) -> String {
    let ((query, response), score) = (texts(n), score(n));
    let status = ["Safe", "Safe", "Safe", "Safe", "Warning", "Warning", "Warning"].get(usize::from(score));
    format!(
        r#"{{"log_id":"{}","query":"{query}","response":"{response}","audit":{{"risk_score":{score},"details":""}},"status":"{}","created_at":"{created_at}","worker":{{"provider":"simulated","model":"m","latency_ms":3}}}}"#,
        id(n),
        status.unwrap_or(&"Flagged"),
    )
}

fn created_at(n: u64, logs: u64) -> Time {
    let start: Time = START.parse().unwrap();
    let micros = i128::from(DAYS) * 86_400_000_000 * i128::from(n) / i128::from(logs);
    Time::from_micros(start.micros() + micros as i64).unwrap()
}

fn fill(store: &Store, logs: u64) {
    let conn = Connection::open(store.location().dir().path().join("countersign.db")).unwrap();
    conn.execute_batch(
        "PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 100000;
         DROP INDEX event_log_by_id; DROP INDEX event_log_by_correlation;",
    )
    .unwrap();
    let salt = [7_u8; 32];
    for first in (0..logs).step_by(LOGS_PER_TRANSACTION as usize) {
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        let mut header =
            conn.prepare_cached("INSERT INTO event_log (seq, header, leaf_hash) VALUES (?1, ?2, ?3)").unwrap();
        let mut body = conn.prepare_cached("INSERT INTO event_bodies VALUES (?1, ?2, ?3, '{}')").unwrap();
        let mut entry = conn.prepare_cached("INSERT INTO log_entries VALUES (?1, ?2, ?3, ?4, NULL)").unwrap();
        for n in first..logs.min(first + LOGS_PER_TRANSACTION) {
            let at = created_at(n, logs);
            let id = id(n);
            let text = format!(
                r#"{{"seq":{n},"event_id":"{id}","event_type":"AUDIT_LOG_CREATED","occurred_at":"{at}","recorded_at":"{at}","producer":"bench","correlation_id":"{id}","causation_id":null,"schema_version":1,"commitment":""}}"#
            );
            // Any 32 bytes serve as the leaf's hash, because no tree is built.
            header.execute(params![n, text, salt]).unwrap();
            body.execute(params![n, salt, payload(n, at)]).unwrap();
            entry.execute(params![n, id, at.micros(), score(n)]).unwrap();
        }
        conn.execute_batch("COMMIT").unwrap();
    }
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
}

async fn index(store: &Store, logs: u64) {
    let began = Instant::now();
    while store.index_logs_step().await.unwrap() {}
    let took = began.elapsed().as_secs_f64();
    let bytes = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |file| file.len());
    let megabytes = |path: std::path::PathBuf| (bytes(&path) + bytes(&path.with_extension("db-wal"))) / 1_000_000;
    let (database, search) =
        (store.location().dir().path().join("countersign.db"), store.location().dir().path().join("search.db"));
    println!(
        "indexed: {:.0}/s; database {} MB, index {} MB",
        logs as f64 / took,
        megabytes(database),
        megabytes(search)
    );
}

// Reading.

async fn measure_reads(store: &Store, logs: u64) {
    println!("{:<56} {:>10} {:>10}   {:>6}", "ms", "p50", "max", "found");
    pages(store, logs).await;
    searches(store, logs).await;
    statistics(store, logs).await;
    let id: LogId = id(logs / 3).parse().unwrap();
    measure("one by its id", || async { store.log(id).await.unwrap().iter().count().to_string() }).await;
}

async fn pages(store: &Store, logs: u64) {
    let page = LogQuery::default;
    let third = store.logs(LogQuery { to: Some(created_at(logs / 3, logs)), ..page() }).await.unwrap().next;
    for (label, query) in [
        ("first page", page()),
        ("a page in the middle", LogQuery { before: third, ..page() }),
        ("first page, Safe", LogQuery { max_score: 3, ..page() }),
        ("first page, Warning", LogQuery { min_score: 4, max_score: 6, ..page() }),
        ("first page, Flagged", LogQuery { min_score: 7, ..page() }),
        ("first page, score 10", LogQuery { min_score: 10, ..page() }),
        ("first page, scores 2 to 9", LogQuery { min_score: 2, max_score: 9, ..page() }),
        ("Flagged in the middle", LogQuery { min_score: 7, before: third, ..page() }),
        ("an hour, ten days ago", hour(logs, page())),
        ("500 of all", LogQuery { limit: 500, ..page() }),
    ] {
        measure_page(label, store, query).await;
    }
}

fn hour(logs: u64, query: LogQuery) -> LogQuery {
    let from = created_at(logs / 3 * 2, logs);
    let to = Time::from_micros(from.micros() + 3_600_000_000).unwrap();
    LogQuery { from: Some(from), to: Some(to), ..query }
}

async fn searches(store: &Store, logs: u64) {
    let words = |text: &str| LogQuery { text: Some(text.into()), ..Default::default() };
    for (label, query) in [
        ("a word in every log", words("what")),
        ("a word in half of the logs", words("alpha")),
        ("a word in one of 10,000", words("okapi")),
        ("a word in one of 1,000,000", words("zebra")),
        ("a word in no log", words("unicorn")),
        ("half of the logs, Flagged", LogQuery { min_score: 7, ..words("alpha") }),
        ("half of the logs, score 10", LogQuery { min_score: 10, ..words("alpha") }),
        ("half of the logs, scores 2 to 9", LogQuery { min_score: 2, max_score: 9, ..words("alpha") }),
        ("half of the logs, an hour ten days ago", hour(logs, words("alpha"))),
        ("one of 10,000, scores 4 to 10", LogQuery { min_score: 4, ..words("okapi") }),
        ("two words never together, 250 ms", words("alpha omega")),
        (
            "two words never together, 30 ms",
            LogQuery { time_budget: Duration::from_millis(30), ..words("alpha omega") },
        ),
        ("two words never together, to the end", LogQuery { time_budget: Duration::MAX, ..words("alpha omega") }),
        (
            "16 words in half of the logs or more",
            words("what about the is alpha w14 w15 w16 w17 w18 w19 w1a w1b w1c w1d w1e"),
        ),
    ] {
        measure_page(label, store, query).await;
    }
}

async fn statistics(store: &Store, logs: u64) {
    // Neither end is on a whole hour, so rollups alone can't answer.
    let (from, to) = (Some(created_at(logs / 7, logs)), Some(created_at(logs - logs / 5, logs)));
    let by = |bucket| StatsQuery { bucket: Some(bucket), ..StatsQuery::default() };
    let words = |text: &str| StatsQuery { text: Some(text.into()), ..StatsQuery::default() };
    for (label, query) in [
        ("statistics of all time", StatsQuery::default()),
        ("statistics of all time, by day", by(Bucket::Day)),
        ("statistics of all time, Flagged", StatsQuery { min_score: 7, ..StatsQuery::default() }),
        ("statistics of a range not on whole hours", StatsQuery { from, to, ..StatsQuery::default() }),
        ("statistics of a range not on whole hours, by hour", StatsQuery { from, to, ..by(Bucket::Hour) }),
        ("statistics of a range not on whole hours, by minute", StatsQuery { from, to, ..by(Bucket::Minute) }),
        ("statistics of a word in one of 10,000", words("okapi")),
        ("statistics of a word in half of the logs", words("alpha")),
    ] {
        measure(label, || async {
            let stats: LogStats = store.log_stats(query.clone()).await.unwrap();
            format!("{}{}", stats.scores.iter().sum::<u64>(), if stats.partial { ", partial" } else { "" })
        })
        .await;
    }
}

async fn measure_page(label: &str, store: &Store, query: LogQuery) {
    measure(label, || async {
        let page = store.logs(query.clone()).await.unwrap();
        format!("{}{}", page.items.len(), if page.partial { ", partial" } else { "" })
    })
    .await;
}

/// Prints the median and the longest of the runs, and what was found. The longest is often the first, with cold caches.
async fn measure<F: Future<Output = String>>(label: &str, call: impl Fn() -> F) {
    let (mut micros, mut found) = (Vec::new(), String::new());
    for _ in 0..RUNS {
        let began = Instant::now();
        found = call().await;
        micros.push(began.elapsed().as_micros());
    }
    micros.sort_unstable();
    let ms = |q| sample::quantile(&micros, q) as f64 / 1_000.0;
    println!("{label:<56} {:>10.2} {:>10.2}   {found:>6}", ms(0.5), ms(1.0));
}
