//! Measures the detector on the demo's generated stream, by kind of fraud:
//! `cargo run --release -p countersign-signals --example generated -- SEED DAYS`
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example that can't run should fail loudly")]

use std::collections::BTreeMap;

use countersign_signals::{Detector, HistoryCache};
use countersign_transactions::generate::Generator;

/// Days at the beginning that only build up histories.
const WARM_UP_DAYS: u32 = 30;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().unwrap());
    let (seed, days) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(120) as u32);
    let (_, stream) = Generator::with_history(seed, "2026-03-01T00:00:00Z".parse().unwrap(), 500, days);
    let begin = stream.first().unwrap().arrives_at.micros() + i64::from(WARM_UP_DAYS) * 86_400_000_000;
    let (detector, mut cache) = (Detector::built_in(), HistoryCache::new(10_000));
    // By kind: all transactions, those with an alert, and those at or above each severity.
    let mut found: BTreeMap<&str, [u32; 5]> = BTreeMap::new();
    let mut flags: BTreeMap<String, u32> = BTreeMap::new();
    for (seq, labelled) in stream.iter().enumerate() {
        let tx = &labelled.transaction;
        let history = match cache.get(&tx.user_id) {
            Some(history) => history,
            None => cache.insert(tx.user_id.clone(), Default::default()),
        };
        let assessment = detector.assess(seq as u64, tx, history);
        history.add(seq as u64, tx);
        if labelled.arrives_at.micros() < begin {
            continue;
        }
        let row = found.entry(labelled.fraud.map_or("(legitimate)", |kind| kind.as_str())).or_default();
        row[0] += 1;
        row[1] += u32::from(assessment.fires());
        for (cell, least) in row[2..].iter_mut().zip([40, 60, 80]) {
            *cell += u32::from(assessment.score.get() >= least);
        }
        if labelled.fraud.is_none() && assessment.fires() {
            for (name, signal) in assessment.signals() {
                let at_least = if assessment.score.get() >= 40 { "40" } else { " 1" };
                let names = signal.flags.iter().map(|flag| flag.name.as_str());
                let fired = (signal.contribution > 0 && signal.flags.is_empty()).then_some(name.as_str());
                names.chain(fired).for_each(|name| *flags.entry(format!("{at_least} {name}")).or_default() += 1);
            }
        }
    }
    println!("{:<20} {:>8} {:>8} {:>8} {:>8} {:>8}", "", "all", "alerts", ">= 40", ">= 60", ">= 80");
    for (kind, [all, alerts, medium, high, critical]) in &found {
        println!("{kind:<20} {all:>8} {alerts:>8} {medium:>8} {high:>8} {critical:>8}");
    }
    println!("what brought points to legitimate transactions: {flags:#?}");
}
