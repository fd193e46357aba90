//! The auditor: judges answers, at once where somebody waits for the verdict, and from the log where nobody does.

mod audit;
mod judge;
mod spotlight;

use std::sync::Arc;

use countersign_domain::{Event, EventType, StoredEvent, event::UnreadableEvent, payload::AuditLogCreated};
use countersign_llm::Purpose;
use countersign_store::Seams;

pub use audit::{Audit, AuditFinding, AuditedBy, Judge, Verdict};
pub use judge::{Audited, Auditor};

use crate::{
    model_calls::model_calls,
    observation::{ModelCalls, Observation},
    runtime::{Agent, AgentError, DecideFuture, Decision, Dispatch},
};

/// Audits that run at one time; the provider's own limits come on top.
const CONCURRENCY: usize = 32;

/// Audits answers that were released after their record and before their audit.
pub struct AuditorAgent {
    auditor: Auditor,
    seams: Seams,
}

impl AuditorAgent {
    pub fn new(auditor: Auditor, seams: Seams) -> Arc<Self> {
        Arc::new(Self { auditor, seams })
    }

    async fn audit(&self, event: &StoredEvent) -> Result<Vec<Decision>, AgentError> {
        let answer = match event.event() {
            Ok(Event::AnswerRecorded(answer)) => answer,
            // Nothing is left to audit.
            Ok(_) | Err(UnreadableEvent::Erased { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(AgentError::Permanent(error.to_string())),
        };
        let marker = self.seams.entropy.bytes();
        let audited = self.auditor.audit_all(&answer.query, &answer.response, self.seams.now(), marker).await;
        let map = audited.audit.to_map().map_err(|error| AgentError::Permanent(error.to_string()))?;
        let mut events = model_calls(Purpose::Auditor, self.auditor.judge(), &audited.attempts);
        let log = AuditLogCreated {
            log_id: answer.log_id,
            query: answer.query,
            response: answer.response,
            audit: map,
            status: audited.audit.status(),
            created_at: self.seams.now(),
            worker: Some(answer.worker),
        };
        let status = audited.audit.status();
        let model_calls = ModelCalls { target: self.auditor.judge().cloned(), attempts: audited.attempts };
        events.push(Decision::from(log).observed_as(Observation::AnswerAudited { status, model_calls }));
        Ok(events)
    }
}

impl Agent for AuditorAgent {
    fn name(&self) -> &'static str {
        "auditor"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::AnswerRecorded]
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Lanes { concurrency: CONCURRENCY }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(self.audit(event))
    }
}
