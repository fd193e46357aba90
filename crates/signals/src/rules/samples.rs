//! Transactions that every rule must be able to evaluate before it applies.

use countersign_domain::Transaction;
use serde_json::{Value, json};

use super::RuleVariables;
use crate::{History, snapshot::CustomerSnapshot};

/// Calls `judge` with each sample, without and with a history. Stops at the first error.
pub(super) fn for_each_sample(judge: impl Fn(&str, &RuleVariables) -> Result<(), String>) -> Result<(), String> {
    for (what, sample) in [
        ("a transaction without optional fields", thin()),
        ("a full transaction", rich()),
        ("an extreme transaction", extreme()),
    ] {
        // Skipping a sample that can't be read would let every rule pass.
        let tx: Transaction =
            serde_json::from_value(sample).map_err(|error| format!("{what} can't be read: {error}"))?;
        let mut history = History::new();
        judge(what, &RuleVariables::new(&tx, &CustomerSnapshot::new(1_000, &tx, &history)))?;
        for seq in 0..8 {
            history.add(seq, &tx);
        }
        judge(what, &RuleVariables::new(&tx, &CustomerSnapshot::new(1_000, &tx, &history)))?;
    }
    Ok(())
}

fn thin() -> Value {
    json!({
        "transaction_id": "t", "user_id": "u", "amount": {"amount": "0.01", "currency": "USD"},
        "occurred_at": "2026-03-01T09:30:00Z"
    })
}

fn rich() -> Value {
    json!({
        "transaction_id": "t", "user_id": "u", "amount": {"amount": "1250.00", "currency": "USD"},
        "occurred_at": "2026-03-01T03:30:00Z", "merchant": "Corner Shop 17", "category": "groceries",
        "channel": "transfer", "location": {"lat": 38.7, "lon": -9.1, "country": "PT", "city": "Lisbon"},
        "ip_address": "192.0.2.1", "device_fingerprint": "device-1", "account_opened_at": "2020-01-01T00:00:00Z",
        "metadata": {"direction": "in", "type": "credit"}
    })
}

fn extreme() -> Value {
    json!({
        "transaction_id": "t", "user_id": "u", "amount": {"amount": "999999999999999.9999", "currency": "CLF"},
        "occurred_at": "9999-12-30T00:00:00Z", "merchant": "\u{202e}🦓".repeat(100), "category": "'\"\\",
        "location": {"lat": -90, "lon": 180, "country": "ZZ"}, "device_fingerprint": "\u{fffd}",
        "account_opened_at": "0000-01-01T00:00:00Z", "metadata": {"direction": "out"}
    })
}
