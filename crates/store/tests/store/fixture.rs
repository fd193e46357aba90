//! Stores and events to test with.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use countersign_domain::{
    DeadLetterId, EventId, InvestigationId, NewEvent, Role, Score, Time,
    payload::{
        AgentStarted, AnswerFailed, AnswerRecorded, AnswerRequested, AuditLogCreated, EventDeadLettered,
        InvestigationCreated, KeyChange, KeyChanged,
    },
};
use countersign_store::{Clock, DataDir, Entropy, Mode, Report, Seams, Store, verify};
use serde_json::json;
use tempfile::TempDir;

/// A clock that stands still until it is moved, in either direction.
pub(crate) struct Hand(AtomicI64);

impl Hand {
    pub(crate) fn move_by_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }
}

impl Clock for Hand {
    fn now(&self) -> Time {
        Time::from_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) clock: Arc<Hand>,
    pub(crate) seams: Seams,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let start: Time = "2026-03-01T09:30:00Z".parse().unwrap();
        let clock = Arc::new(Hand(AtomicI64::new(start.micros())));
        let entropy = Arc::new(Entropy::from_seed([7; 32]));
        Self {
            folder: tempfile::tempdir().unwrap(),
            seams: Seams { clock: Arc::<Hand>::clone(&clock), entropy },
            clock,
        }
    }

    pub(crate) fn dir(&self) -> DataDir {
        DataDir::new(self.folder.path().join("data"))
    }

    pub(crate) fn open(&self, mode: Mode) -> Store {
        Store::open(&self.dir(), mode, self.seams.clone()).unwrap()
    }

    pub(crate) fn event(&self, event: impl Into<countersign_domain::Event>) -> NewEvent {
        NewEvent::new(self.seams.event_id(), event, self.seams.now(), "test", self.seams.correlation_id()).unwrap()
    }

    pub(crate) fn transaction(&self, id: &str, amount: &str) -> NewEvent {
        let transaction = json!({
            "transaction_id": id, "user_id": "user-1", "amount": {"amount": amount, "currency": "USD"},
            "occurred_at": "2026-03-01T09:00:00Z"
        });
        self.event(serde_json::from_value::<countersign_domain::Transaction>(transaction).unwrap())
    }

    pub(crate) fn alert(&self, id: &str) -> NewEvent {
        let alert = json!({
            "alert_id": id, "user_id": "user-1", "severity": "high", "score": 70, "metadata": {"transaction_id": "tx-1"}
        });
        self.event(serde_json::from_value::<countersign_domain::Alert>(alert).unwrap())
    }

    pub(crate) fn investigation(&self, alert: &str) -> NewEvent {
        let alert_id = alert.parse().unwrap();
        self.event(InvestigationCreated {
            investigation_id: InvestigationId::of_alert(&alert_id),
            alert_id,
            user_id: "user-1".parse().unwrap(),
            severity: "high".parse().unwrap(),
            risk_score: Score::new(70).unwrap(),
            transaction_id: None,
            created_at: self.seams.now(),
        })
    }

    /// An event without a row of its own.
    pub(crate) fn started(&self, agent: &str) -> NewEvent {
        self.event(AgentStarted { agent: agent.into(), version: "1".into(), started_at: self.seams.now() })
    }

    /// An audited answer.
    pub(crate) fn log(&self, id: &str, score: u8, created_at: Time, query: &str, response: &str) -> NewEvent {
        let status = match score {
            0..=3 => "Safe",
            4..=6 => "Warning",
            _ => "Flagged",
        };
        let log = json!({
            "log_id": id, "query": query, "response": response, "audit": {"risk_score": score}, "status": status,
            "created_at": created_at, "worker": {"provider": "simulated", "model": "m", "latency_ms": 3}
        });
        self.event(serde_json::from_value::<AuditLogCreated>(log).unwrap())
    }

    pub(crate) fn answer_requested(&self, id: &str) -> NewEvent {
        let answer = json!({"log_id": id, "query": "why", "route": "/process-agent", "requested_at": self.seams.now()});
        self.event(serde_json::from_value::<AnswerRequested>(answer).unwrap())
    }

    pub(crate) fn answer_recorded(&self, id: &str) -> NewEvent {
        let answer = json!({
            "log_id": id, "query": "why", "response": "because", "recorded_at": self.seams.now(),
            "worker": {"provider": "simulated", "model": "m", "latency_ms": 3}
        });
        self.event(serde_json::from_value::<AnswerRecorded>(answer).unwrap())
    }

    pub(crate) fn answer_failed(&self, id: &str) -> NewEvent {
        let answer = json!({"log_id": id, "end": "refused", "detail": "flagged", "failed_at": self.seams.now()});
        self.event(serde_json::from_value::<AnswerFailed>(answer).unwrap())
    }

    pub(crate) fn dead_letter(&self, id: DeadLetterId, agent: &str, seq: u64, event_id: EventId) -> NewEvent {
        self.event(EventDeadLettered {
            dead_letter_id: id,
            agent: agent.into(),
            event_id,
            event_type: "TRANSACTION_RECEIVED".into(),
            seq,
            attempts: 3,
            error: "it does not add up".into(),
            dead_lettered_at: self.seams.now(),
        })
    }

    pub(crate) fn key(&self, id: &str, change: KeyChange) -> NewEvent {
        self.event(KeyChanged {
            key_id: id.to_owned().try_into().unwrap(),
            change,
            role: Role::Reviewer,
            name: "ana".into(),
            secret_sha256: "ab".repeat(32),
            expires_at: None,
            changed_by: "test".into(),
            changed_at: self.seams.now(),
        })
    }

    pub(crate) fn verify(&self) -> Report {
        verify(&self.dir(), None, &mut |_, _| {}).unwrap()
    }
}

#[track_caller]
pub(crate) fn assert_good(report: &Report) {
    assert!(report.is_good(), "{:#?}", report.findings);
}
