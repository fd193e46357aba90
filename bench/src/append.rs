//! Durable events per second with 1 and 64 concurrent writers, compared with the plain loop.

use std::time::Instant;

use countersign_domain::NewEvent;

use crate::{plain, sample};

const ROUNDS: usize = 3;

pub(crate) fn run() {
    println!("{:<12} {:>14} {:>14} {:>8}", "writers", "store/s", "plain/s", "ratio");
    for (writers, events) in [(1, 2_000), (64, 60_000)] {
        // Alternate several times, because the disk's speed changes by the minute.
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let (store, plain) = (store(writers, events), plain(writers, events));
            println!("{writers:<12} {store:>14.0} {plain:>14.0} {:>8.2}", store / plain);
            ratios.push(store / plain);
        }
        ratios.sort_by(f64::total_cmp);
        println!("{writers:<12} {:>38.2} median", ratios[ratios.len() / 2]);
    }
}

fn store(writers: usize, events: usize) -> f64 {
    let bench_store = sample::BenchStore::new();
    let runtime = sample::runtime();
    runtime.block_on(async {
        let (store, seams) = bench_store.open();
        // Distribute the events in the order of their ids. Ids contain the time, so real callers create them in this order too.
        let mut work: Vec<Vec<NewEvent>> = vec![Vec::new(); writers];
        for n in 0..events {
            work[n % writers].push(sample::transaction(&seams, n));
        }
        let started = Instant::now();
        let tasks: Vec<_> = work
            .into_iter()
            .map(|work| {
                let store = store.clone();
                tokio::spawn(async move {
                    for event in work {
                        store.ingest(vec![event]).await.unwrap();
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let rate = events as f64 / started.elapsed().as_secs_f64();
        store.close().await.unwrap();
        rate
    })
}

/// The plain loop's events per second, with as many rows per commit as there are writers.
pub(crate) fn plain(writers: usize, events: usize) -> f64 {
    let bench_store = sample::BenchStore::new();
    let seams = countersign_store::Seams::system().unwrap();
    let events: Vec<_> = (0..events).map(|n| sample::transaction(&seams, n)).collect();
    plain::run(&bench_store.path().join("plain.db"), &events, writers)
}
