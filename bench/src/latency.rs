//! Measures the time from an append to its acknowledgement, and from there until an agent starts handling the event.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use countersign_agents::{Agent, DecideFuture, Dispatch, Runtime, RuntimeSettings};
use countersign_domain::{EventId, EventType, StoredEvent};

use crate::sample;

const EVENTS: usize = 2_000;

struct Watch(Mutex<HashMap<EventId, Instant>>);

impl Agent for Watch {
    fn name(&self) -> &'static str {
        "watch"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::TransactionReceived]
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Lanes { concurrency: 8 }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        self.0.lock().unwrap().entry(event.event_id).or_insert_with(Instant::now);
        Box::pin(async { Ok(Vec::new()) })
    }
}

pub(crate) fn run() {
    let bench_store = sample::BenchStore::new();
    let (mut to_ack, mut to_handler) = sample::runtime().block_on(async {
        let (store, seams) = bench_store.open();
        let watch = Arc::new(Watch(Mutex::default()));
        let settings = RuntimeSettings {
            heartbeat: Duration::from_secs(30),
            attempts_max: 5,
            backoff: Duration::from_secs(1),
            window_events_max: 256,
        };
        let agents: Vec<Arc<dyn Agent>> = vec![watch.clone()];
        let runtime = Runtime::start(store.clone(), agents, settings).await.unwrap();
        let (mut to_ack, mut acknowledged) = (Vec::new(), Vec::new());
        for n in 0..EVENTS {
            let event = sample::transaction(&seams, n);
            let (id, sent) = (event.event_id, Instant::now());
            store.ingest(vec![event]).await.unwrap();
            to_ack.push(sent.elapsed().as_micros());
            acknowledged.push((id, Instant::now()));
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
        while watch.0.lock().unwrap().len() < EVENTS {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let started = watch.0.lock().unwrap().clone();
        // The handler may start before the caller gets its acknowledgement. That counts as zero delay.
        let to_handler: Vec<u128> =
            acknowledged.iter().map(|(id, at)| started[id].saturating_duration_since(*at).as_micros()).collect();
        runtime.stop(Duration::from_secs(5)).await;
        store.close().await.unwrap();
        (to_ack, to_handler)
    });
    for (label, sorted) in [("append to acknowledged", &mut to_ack), ("commit to handler", &mut to_handler)] {
        sorted.sort_unstable();
        let (p50, p99) = (sample::quantile(sorted, 0.5), sample::quantile(sorted, 0.99));
        println!("{label:<24} p50 {p50:>6} us   p99 {p99:>6} us");
    }
}
