//! Rates from transactions to durable alerts, and from alerts to validated reports with the built-in writer.
//!
//! Each rate is compared with that of appending the same events without agents. Agents have their own threads, as in the program.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use countersign_agents::{
    Agent, DetectorAgent, Observation, Observer, Orchestrator, Reporter, Runtime, RuntimeSettings, Supervisor, Writers,
};
use countersign_domain::{Alert, InvestigationId, NewEvent, Time};
use countersign_llm::{CallPolicy, ModelSettings, Models, Provider};
use countersign_report::{LicensedTexts, validate::Limits};
use countersign_signals::Detector;
use countersign_store::{Seams, Store};
use countersign_transactions::Generator;
use serde_json::json;
use tokio::runtime::Handle;

use crate::sample;

const TRANSACTIONS: usize = 60_000;
const CUSTOMERS: usize = 2_000;
const ALERTS: usize = 4_000;
const EVENTS_PER_INGEST: usize = 256;
const SETTINGS: RuntimeSettings = RuntimeSettings {
    heartbeat: Duration::from_secs(30),
    attempts_max: 5,
    backoff: Duration::from_secs(1),
    window_events_max: 256,
};
const CALLS: CallPolicy =
    CallPolicy { attempts_max: 1, attempt_timeout: Duration::from_secs(1), deadline: Duration::from_secs(1) };

pub(crate) fn detection() {
    let for_agents = sample::runtime();
    let appended = sample::runtime().block_on(transactions(false, for_agents.handle()));
    println!("transactions, without agents      {:>8.0}/s", appended.0);
    let (detected, alerts) = sample::runtime().block_on(transactions(true, for_agents.handle()));
    println!(
        "transactions to durable alerts    {detected:>8.0}/s   {:.2} of the above   ({alerts} alerts)",
        detected / appended.0
    );
}

pub(crate) fn reports() {
    let appended = sample::runtime().block_on(alerts_alone());
    println!("alerts, without agents            {appended:>8.0}/s");
    let alerts = sample::from_env("BENCH_ALERTS", ALERTS);
    let for_agents = sample::runtime();
    for alerts in [alerts / 4, alerts] {
        let (rate, cpu_ms, p50) = sample::runtime().block_on(measure_reports(alerts, for_agents.handle()));
        println!(
            "{alerts:>5} alerts to validated reports {rate:>8.0}/s   {:.2} of the above   {cpu_ms:.2} ms of CPU each, a \
             single one p50 {:.1} ms",
            rate / appended,
            p50 as f64 / 1e3
        );
    }
}

/// Ingests transactions, with or without the detector. Returns the rate per second, and the number of alerts.
async fn transactions(is_detected: bool, for_agents: &Handle) -> (f64, u64) {
    let bench_store = sample::BenchStore::new();
    let (store, seams) = bench_store.open();
    let alerts = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&alerts);
    let observer: Observer = Arc::new(move |observation| {
        let is_alert = matches!(observation, Observation::AlertRaised { .. });
        counted.fetch_add(u64::from(is_alert), Ordering::Relaxed);
    });
    let mut agents: Vec<Arc<dyn Agent>> = Vec::new();
    if is_detected {
        agents.push(DetectorAgent::new(store.with_inline_reads(), Detector::built_in(), 100_000));
    }
    let starting = Runtime::start_observed(store.with_inline_reads(), agents, SETTINGS, Some(observer));
    let runtime = for_agents.spawn(starting).await.unwrap().unwrap();
    let start: Time = "2026-01-01T00:00:00Z".parse().unwrap();
    let events: Vec<_> = Generator::new(1, start, CUSTOMERS)
        .take(TRANSACTIONS)
        .map(|labelled| {
            let at = labelled.transaction.occurred_at;
            NewEvent::new(seams.event_id(), labelled.transaction, at, "bench", seams.correlation_id()).unwrap()
        })
        .collect();
    let began = Instant::now();
    feed(&store, events).await;
    until_agents_are_done(&runtime).await;
    let rate = TRANSACTIONS as f64 / began.elapsed().as_secs_f64();
    runtime.stop(Duration::from_secs(5)).await;
    store.close().await.unwrap();
    (rate, alerts.load(Ordering::Relaxed))
}

async fn feed(store: &Store, mut events: Vec<NewEvent>) {
    while !events.is_empty() {
        let rest = events.split_off(events.len().min(EVENTS_PER_INGEST));
        store.ingest(events).await.unwrap();
        events = rest;
    }
}

async fn until_agents_are_done(runtime: &Runtime) {
    while runtime.statuses().iter().any(|agent| agent.lag > 0) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// An alert whose report is approved. A report that needs review would cost the orchestrator another step.
fn alert(seams: &Seams, n: usize) -> NewEvent {
    let alert: Alert = serde_json::from_value(json!({
        "alert_id": format!("fraud-{n}"), "user_id": format!("user-{}", n % 500), "severity": "medium", "score": 45,
        "metadata": {"signals": {"velocity_anomaly": {
            "value": 14, "threshold": 5, "unit": "transactions in 1 hour", "contribution": 45
        }}}
    }))
    .unwrap();
    let correlation = InvestigationId::of_alert(&alert.alert_id).into();
    NewEvent::new(seams.event_id(), alert, seams.now(), "bench", correlation).unwrap()
}

async fn alerts_alone() -> f64 {
    let bench_store = sample::BenchStore::new();
    let (store, seams) = bench_store.open();
    let events = (0..ALERTS).map(|n| alert(&seams, n)).collect();
    let began = Instant::now();
    feed(&store, events).await;
    let rate = ALERTS as f64 / began.elapsed().as_secs_f64();
    store.close().await.unwrap();
    rate
}

/// Validated reports per second, processor time per report, and the time from a single alert to its verdict in microseconds.
async fn measure_reports(alerts: usize, for_agents: &Handle) -> (f64, f64, u128) {
    let bench_store = sample::BenchStore::new();
    let (store, seams) = bench_store.open();
    let models = Models::new(ModelSettings::new(vec![Provider::simulated()]), Arc::new(|| 0.5)).unwrap();
    let verdicts = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&verdicts);
    let licensed = Arc::<LicensedTexts>::default();
    let agents: Vec<Arc<dyn Agent>> = vec![
        Orchestrator::new(store.with_inline_reads()),
        Reporter::new(store.with_inline_reads(), models.clone(), Writers::default(), CALLS, Arc::clone(&licensed)),
        Supervisor::new(store.with_inline_reads(), models, None, CALLS, Limits::default(), licensed),
    ];
    let observer: Observer = Arc::new(move |observation| {
        let is_verdict = matches!(observation, Observation::ReportValidated { .. });
        counted.fetch_add(u64::from(is_verdict), Ordering::Relaxed);
    });
    let starting = Runtime::start_observed(store.with_inline_reads(), agents, SETTINGS, Some(observer));
    let runtime = for_agents.spawn(starting).await.unwrap().unwrap();
    let events = (0..alerts).map(|n| alert(&seams, n)).collect();
    let (began, cpu) = (Instant::now(), sample::cpu_ms());
    feed(&store, events).await;
    while verdicts.load(Ordering::Relaxed) < alerts as u64 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    until_agents_are_done(&runtime).await;
    let rate = alerts as f64 / began.elapsed().as_secs_f64();
    let cpu_ms = (sample::cpu_ms() - cpu) as f64 / alerts as f64;
    let mut alone = Vec::new();
    for n in 0..50 {
        let (began, before) = (Instant::now(), verdicts.load(Ordering::Relaxed));
        store.ingest(vec![alert(&seams, alerts + n)]).await.unwrap();
        while verdicts.load(Ordering::Relaxed) == before {
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        alone.push(began.elapsed().as_micros());
    }
    alone.sort_unstable();
    runtime.stop(Duration::from_secs(5)).await;
    store.close().await.unwrap();
    (rate, cpu_ms, sample::quantile(&alone, 0.5))
}
