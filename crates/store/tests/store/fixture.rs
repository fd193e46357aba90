//! Stores and events to test with.

use std::sync::Arc;

use countersign_domain::{Alert, NewEvent, Time, Transaction};
use countersign_store::{Clock, DataDir, Entropy, Mode, Seams, Store};
use serde_json::json;
use tempfile::TempDir;

/// A clock that stands still.
pub(crate) struct Still(pub(crate) &'static str);

impl Clock for Still {
    fn now(&self) -> Time {
        self.0.parse().unwrap()
    }
}

pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) seams: Seams,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(Still("2026-03-01T09:30:00Z"));
        Self {
            folder: tempfile::tempdir().unwrap(),
            seams: Seams { clock, entropy: Arc::new(Entropy::from_seed([7; 32])) },
        }
    }

    pub(crate) fn dir(&self) -> DataDir {
        DataDir::new(self.folder.path().join("data"))
    }

    pub(crate) fn open(&self, mode: Mode) -> Store {
        Store::open(&self.dir(), mode, self.seams.clone()).unwrap()
    }

    pub(crate) fn transaction(&self, id: &str, user: &str, amount: &str) -> NewEvent {
        let transaction: Transaction = serde_json::from_value(json!({
            "transaction_id": id, "user_id": user, "amount": {"amount": amount, "currency": "USD"},
            "occurred_at": "2026-03-01T09:00:00Z"
        }))
        .unwrap();
        self.event(transaction)
    }

    pub(crate) fn alert(&self, id: &str, score: u8) -> NewEvent {
        let alert: Alert = serde_json::from_value(json!({
            "alert_id": id, "user_id": "user-1", "severity": "high", "score": score, "metadata": {"transaction_id": "tx-1"}
        }))
        .unwrap();
        self.event(alert)
    }

    pub(crate) fn event(&self, event: impl Into<countersign_domain::Event>) -> NewEvent {
        NewEvent::new(self.seams.event_id(), event, self.seams.now(), "test", self.seams.correlation_id()).unwrap()
    }
}
