//! Measures the detector on the Fraud Detection Handbook's simulated transactions (CSV, in time order):
//! `cargo run --release -p countersign-signals --example handbook -- transactions.csv`
//!
//! Labels are only used for the result. Scenario 2 is compromised terminals: with ordinary amounts, and with neither place nor
//! device in the file, a customer's own history can't reveal it.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example that can't run should fail loudly")]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    time::Instant,
};

use countersign_domain::{Money, Transaction};
use countersign_signals::{Detector, HistoryCache};
use serde_json::Map;

struct ScoredTransaction {
    score: u8,
    is_fraud: bool,
    scenario: u8,
}

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| "transactions.csv".into());
    let lines = BufReader::new(File::open(path).unwrap()).lines();
    let (detector, mut cache) = (Detector::built_in(), HistoryCache::new(10_000));
    let (mut rows, began) = (Vec::new(), Instant::now());
    for (seq, line) in lines.skip(1).enumerate() {
        let line = line.unwrap();
        let fields: Vec<&str> = line.split(',').collect();
        let Some(tx) = transaction(&fields) else { continue };
        let history = match cache.get(&tx.user_id) {
            Some(history) => history,
            None => cache.insert(tx.user_id.clone(), Default::default()),
        };
        let assessment = detector.assess(seq as u64, &tx, history);
        history.add(seq as u64, &tx);
        rows.push(ScoredTransaction {
            score: assessment.score.get(),
            is_fraud: fields[5] == "1",
            scenario: fields[6].parse().unwrap(),
        });
    }
    println!("{} transactions in {:.1} s", rows.len(), began.elapsed().as_secs_f64());
    report("all rows", &rows, |_| true);
    report("without scenario 2", &rows, |row| row.scenario != 2);
    report("scenario 3 alone", &rows, |row| matches!(row.scenario, 0 | 3));
}

/// `None` for an amount of zero, which is not a valid transaction here. The file has no currency.
fn transaction(fields: &[&str]) -> Option<Transaction> {
    Some(Transaction {
        transaction_id: fields[0].parse().unwrap(),
        user_id: fields[2].parse().unwrap(),
        amount: Money::new(fields[4], "USD".parse().unwrap()).ok()?,
        occurred_at: format!("{}Z", fields[1]).parse().unwrap(),
        merchant: None,
        category: None,
        channel: None,
        location: None,
        ip_address: None,
        device_fingerprint: None,
        account_opened_at: None,
        metadata: Map::new(),
    })
}

fn report(what: &str, rows: &[ScoredTransaction], is_in: impl Fn(&ScoredTransaction) -> bool) {
    // Frauds and others per score: equal scores are one step of the curve.
    let mut found = [(0_u64, 0_u64); 101];
    for row in rows.iter().filter(|row| is_in(row)) {
        let step = &mut found[usize::from(row.score)];
        if row.is_fraud { step.0 += 1 } else { step.1 += 1 }
    }
    let frauds: u64 = found.iter().map(|step| step.0).sum();
    let (mut hits, mut misses, mut area) = (0, 0, 0.0);
    println!("{what}: {frauds} frauds");
    for (score, step) in found.iter().enumerate().rev() {
        hits += step.0;
        misses += step.1;
        let precision = hits as f64 / (hits + misses).max(1) as f64;
        area += step.0 as f64 / frauds as f64 * precision;
        if matches!(score, 1 | 20 | 40 | 60 | 80) {
            let recall = hits as f64 / frauds as f64;
            println!("  score >= {score:2}: precision {precision:.3}, recall {recall:.3}, alerts {}", hits + misses);
        }
    }
    println!("  average precision {area:.3}");
}
