//! Transactions for tests. Each test states only the fields that differ from a plain transaction.

use countersign_domain::Transaction;
use serde_json::{Value, json};

use crate::{Assessment, Detector, DetectorSettings, History, Rules};

/// Sunday 2026-03-01, noon.
const NOON_MICROS: i64 = 1_772_366_400_000_000;

/// A transaction `minutes` after noon with these fields. An `amount` may be a plain number, in USD.
pub(crate) fn tx(minutes: i64, fields: Value) -> Transaction {
    let at = countersign_domain::Time::from_micros(NOON_MICROS + minutes * 60_000_000).unwrap();
    let mut all = json!({
        "transaction_id": "tx", "user_id": "u", "amount": {"amount": "100", "currency": "USD"}, "occurred_at": at
    });
    for (name, value) in fields.as_object().unwrap() {
        all[name] = match (name.as_str(), value) {
            ("amount", Value::Number(amount)) => json!({"amount": amount.to_string(), "currency": "USD"}),
            _ => value.clone(),
        };
    }
    serde_json::from_value::<Transaction>(all).unwrap().validated().unwrap()
}

pub(crate) fn at(lat: f64, lon: f64, country: &str) -> Value {
    json!({"location": {"lat": lat, "lon": lon, "country": country}})
}

/// A history of transactions that arrived in this order.
pub(crate) fn history<'a>(earlier: impl IntoIterator<Item = &'a Transaction>) -> History {
    let mut history = History::new();
    earlier.into_iter().enumerate().for_each(|(seq, tx)| history.add(seq as u64, tx));
    history
}

/// Assesses with the default settings and no rules.
pub(crate) fn assess(tx: &Transaction, earlier: &[Transaction]) -> Assessment {
    Detector::new(DetectorSettings::default(), Rules::default()).assess(1_000, tx, &history(earlier))
}
