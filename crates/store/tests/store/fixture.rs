//! A store on the backend under test, and events for it.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use countersign_domain::{
    DeadLetterId, EventId, InvestigationId, LogId, NewEvent, ReportId, Role, Score, Time,
    payload::{
        AgentStarted, AnswerFailed, AnswerRecorded, AnswerRequested, AuditLogCreated, EventDeadLettered,
        InvestigationAssigned, InvestigationCreated, KeyChange, KeyChanged, ReportAddendumAdded, ReportApproved,
        ReportGenerated, ReportNeedsReview, ReportRequested, ReportType, ReviewDecided, SupervisorReviewCompleted,
        SupervisorReviewRequested,
    },
};
use countersign_ledger::{HashedText, sha256};
use countersign_store::{
    Clock, DataDir, Entropy, NewReport, Progress, Seams, Step, Store, StoreError, StoreLocation, Threading,
    Verification, verify,
};
use serde::Serialize;
use serde_json::json;
use tempfile::TempDir;

use countersign_test_store::location;

use crate::backend;

/// A clock that stands still until it is moved, in either direction.
pub(crate) struct ManualClock(AtomicI64);

impl ManualClock {
    pub(crate) fn move_by_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        Time::from_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) seams: Seams,
}

/// Makes a log's id from a short name. The ids sort like the names.
pub(crate) fn log_id(name: &str) -> LogId {
    let hex: String = name.bytes().chain(std::iter::repeat(0)).take(16).map(|byte| format!("{byte:02x}")).collect();
    hex.parse().unwrap()
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let start: Time = "2026-03-01T09:30:00Z".parse().unwrap();
        let clock = Arc::new(ManualClock(AtomicI64::new(start.micros())));
        let entropy = Arc::new(Entropy::from_seed([7; 32]));
        Self {
            folder: tempfile::tempdir().unwrap(),
            seams: Seams { clock: Arc::<ManualClock>::clone(&clock), entropy },
            clock,
        }
    }

    pub(crate) fn dir(&self) -> DataDir {
        DataDir::new(self.folder.path().join("data"))
    }

    /// Where the store is kept on the backend that is under test.
    pub(crate) fn location(&self) -> StoreLocation {
        location(self.dir())
    }

    /// Where the backend under test keeps another store, in another folder next to the first one.
    pub(crate) fn location_in(&self, folder: &str) -> StoreLocation {
        location(DataDir::new(self.folder.path().join(folder)))
    }

    /// Opens the store on the backend that is under test.
    pub(crate) fn open(&self, threading: Threading) -> Store {
        Store::open(&self.location(), threading, self.seams.clone()).unwrap()
    }

    /// Sizes and notes of the checkpoints that the database keeps, in the order of their sizes.
    pub(crate) fn kept_checkpoints(&self) -> Vec<(u64, String)> {
        backend::kept_checkpoints(&self.dir())
    }

    /// Deletes the search index of a closed store.
    pub(crate) fn lose_search_index(&self) {
        backend::lose_search_index(&self.dir());
    }

    pub(crate) fn event(&self, event: impl Into<countersign_domain::Event>) -> NewEvent {
        NewEvent::new(self.seams.event_id(), event, self.seams.now(), "test", self.seams.correlation_id()).unwrap()
    }

    pub(crate) fn transaction(&self, id: &str, amount: &str) -> NewEvent {
        self.transaction_of("user-1", id, amount)
    }

    pub(crate) fn transaction_of(&self, user: &str, id: &str, amount: &str) -> NewEvent {
        let transaction = json!({
            "transaction_id": id, "user_id": user, "amount": {"amount": amount, "currency": "USD"},
            "occurred_at": "2026-03-01T09:00:00Z"
        });
        self.event(serde_json::from_value::<countersign_domain::Transaction>(transaction).unwrap())
    }

    pub(crate) fn alert(&self, id: &str) -> NewEvent {
        self.alert_of("user-1", id, "high", 70)
    }

    pub(crate) fn alert_of(&self, user: &str, id: &str, severity: &str, score: u8) -> NewEvent {
        let alert = json!({
            "alert_id": id, "user_id": user, "severity": severity, "score": score, "metadata": {"transaction_id": "tx-1"}
        });
        self.event(serde_json::from_value::<countersign_domain::Alert>(alert).unwrap())
    }

    pub(crate) fn investigation(&self, alert: &str) -> NewEvent {
        self.investigation_of("user-1", alert, "high", 70)
    }

    pub(crate) fn investigation_of(&self, user: &str, alert: &str, severity: &str, score: u8) -> NewEvent {
        let alert_id = alert.parse().unwrap();
        self.event(InvestigationCreated {
            investigation_id: InvestigationId::of_alert(&alert_id),
            alert_id,
            user_id: user.parse().unwrap(),
            severity: severity.parse().unwrap(),
            risk_score: Score::new(score).unwrap(),
            transaction_id: None,
            created_at: self.seams.now(),
        })
    }

    /// A version of an alert's report, and its content.
    pub(crate) fn report(&self, alert: &str, version: u32) -> (NewEvent, NewReport) {
        self.report_of(alert, ReportType::Compliance, "HIGH", version)
    }

    pub(crate) fn report_of(
        &self,
        alert: &str,
        report_type: ReportType,
        severity: &str,
        version: u32,
    ) -> (NewEvent, NewReport) {
        let alert_id = alert.parse().unwrap();
        let (id, generated_at) = (ReportId::of_version(&alert_id, report_type, version), self.seams.now());
        let content = json!({
            "id": id, "executive_summary": format!("summary of {alert}"), "fraud_explanation": "it \"was\" \u{202e}odd",
            "timeline_narrative": "first, then", "risk_justification": "because", "investigation_narrative": "who",
            "markdown_content": "# Report", "structured_data": {"severity": severity, "risk_score": 70},
            "version": version
        })
        .to_string();
        let previous = (version > 1).then(|| ReportId::of_version(&alert_id, report_type, version - 1));
        let event = json!({
            "investigation_id": InvestigationId::of_alert(&alert_id), "report_id": id, "report_type": report_type,
            "fraud_detection_id": alert_id, "generated_at": generated_at, "generation_time_ms": 12,
            "content_hash": sha256(content.as_bytes()).to_hex(), "version": version, "transaction_id": "tx-1",
            "severity": severity, "risk_score": 70, "regeneration_of": previous
        });
        let event = self.event(serde_json::from_value::<ReportGenerated>(event).unwrap());
        (event, NewReport { report_id: id, content: HashedText::new(content) })
    }

    /// The supervisor's verdict that a report passed its check.
    pub(crate) fn passed(&self, alert: &str, report: impl Serialize) -> NewEvent {
        let verdict = json!({
            "report_id": report, "investigation_id": investigation_of(alert), "validation_score": 90,
            "validation_notes": "whole", "approved_at": self.seams.now()
        });
        let mut event = self.event(serde_json::from_value::<ReportApproved>(verdict).unwrap());
        event.metadata = json!({"validation": {
            "issues": [], "feedback": "well written", "structured_feedback": {"timeline_present": true}, "model": "m"
        }})
        .to_string();
        event
    }

    /// The supervisor's verdict that a report needs review.
    pub(crate) fn doubted(&self, alert: &str, report: impl Serialize, requires_regeneration: bool) -> NewEvent {
        let verdict = json!({
            "report_id": report, "investigation_id": investigation_of(alert), "validation_score": 55,
            "issues": [{"type": "completeness", "severity": "medium", "description": "too short"}],
            "feedback": "say more", "requires_regeneration": requires_regeneration, "flagged_at": self.seams.now()
        });
        self.event(serde_json::from_value::<ReportNeedsReview>(verdict).unwrap())
    }

    pub(crate) fn decided(&self, alert: &str, report: impl Serialize, decision: &str) -> NewEvent {
        let review = json!({
            "report_id": report, "investigation_id": investigation_of(alert), "decision": decision,
            "comment": "seen", "decided_by": "ana", "decided_at": self.seams.now()
        });
        self.event(serde_json::from_value::<ReviewDecided>(review).unwrap())
    }

    pub(crate) fn review_requested(&self, alert: &str) -> NewEvent {
        self.event(SupervisorReviewRequested {
            investigation_id: investigation_of(alert),
            requested_by: "ana".into(),
            reason: None,
            requested_at: self.seams.now(),
        })
    }

    pub(crate) fn completed(&self, alert: &str, report: impl Serialize) -> NewEvent {
        let review = json!({
            "investigation_id": investigation_of(alert), "report_id": report, "passed": true, "validation_score": 90,
            "feedback": "well written", "completed_at": self.seams.now()
        });
        self.event(serde_json::from_value::<SupervisorReviewCompleted>(review).unwrap())
    }

    /// The request for a report that replaces another.
    pub(crate) fn requested(&self, alert: &str, report: impl Serialize) -> NewEvent {
        let request = json!({
            "fraud_detection_id": alert, "investigation_id": investigation_of(alert), "report_type": "compliance",
            "severity": "HIGH", "risk_score": 70, "requested_at": self.seams.now(), "regeneration_of": report,
            "feedback": "say more", "attempt": 1
        });
        self.event(serde_json::from_value::<ReportRequested>(request).unwrap())
    }

    pub(crate) fn addendum(&self, alert: &str, report: impl Serialize) -> NewEvent {
        let addendum = json!({
            "addendum_id": self.seams.event_id(), "report_id": report, "investigation_id": investigation_of(alert),
            "text": "seen by the branch", "text_sha256": sha256(b"seen by the branch").to_hex(), "added_by": "local",
            "role": "reviewer", "version": 1, "content_hash": "ab", "added_at": self.seams.now()
        });
        let addendum = self.event(serde_json::from_value::<ReportAddendumAdded>(addendum).unwrap());
        NewEvent { correlation_id: investigation_of(alert).into(), ..addendum }
    }

    pub(crate) fn assigned(&self, alert: &str, to: Option<&str>) -> NewEvent {
        self.event(InvestigationAssigned {
            investigation_id: investigation_of(alert),
            assigned_to: to.map(Into::into),
            assigned_by: "ben".into(),
            assigned_at: self.seams.now(),
        })
    }

    /// An event from which no row is derived.
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
            "log_id": log_id(id), "query": query, "response": response, "audit": {"risk_score": score}, "status": status,
            "created_at": created_at, "worker": {"provider": "simulated", "model": "m", "latency_ms": 3}
        });
        self.event(serde_json::from_value::<AuditLogCreated>(log).unwrap())
    }

    pub(crate) fn answer_requested(&self, id: &str) -> NewEvent {
        let answer =
            json!({"log_id": log_id(id), "query": "why", "route": "/process-agent", "requested_at": self.seams.now()});
        self.event(serde_json::from_value::<AnswerRequested>(answer).unwrap())
    }

    pub(crate) fn answer_recorded(&self, id: &str) -> NewEvent {
        let answer = json!({
            "log_id": log_id(id), "query": "why", "response": "because", "recorded_at": self.seams.now(),
            "worker": {"provider": "simulated", "model": "m", "latency_ms": 3}
        });
        self.event(serde_json::from_value::<AnswerRecorded>(answer).unwrap())
    }

    pub(crate) fn answer_failed(&self, id: &str) -> NewEvent {
        let answer =
            json!({"log_id": log_id(id), "end": "refused", "detail": "flagged", "failed_at": self.seams.now()});
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

    /// Opens the store, which must be refused.
    #[track_caller]
    pub(crate) fn refused(&self) -> StoreError {
        match Store::open(&self.location(), Threading::Inline, self.seams.clone()) {
            Ok(_) => panic!("it opened"),
            Err(error) => error,
        }
    }

    pub(crate) fn verify(&self) -> Verification {
        verify(&self.location(), None, &mut |_, _| {}).unwrap()
    }
}

pub(crate) fn investigation_of(alert: &str) -> InvestigationId {
    InvestigationId::of_alert(&alert.parse().unwrap())
}

/// Stores these reports in a step.
pub(crate) async fn store_reports(store: &Store, reports: Vec<(NewEvent, NewReport)>) {
    let (events, reports) = reports.into_iter().unzip();
    let progress = Progress::Lane { seq: store.size().await.unwrap(), low: 0 };
    store.step(Step { reports, ..Step::new("stand-in", progress, events) }).await.unwrap();
}

#[track_caller]
pub(crate) fn assert_says(report: &Verification, what: &str) {
    assert!(report.findings.iter().any(|finding| finding.what.contains(what)), "{what}: {:#?}", report.findings);
}

#[track_caller]
pub(crate) fn assert_good(report: &Verification) {
    assert!(report.is_good(), "{:#?}", report.findings);
}
