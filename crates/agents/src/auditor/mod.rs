//! The auditor judges answers: directly where a caller waits for the audit, and as an agent of the log where no caller does.
//!
//! | file           | job                                                                       |
//! |----------------|---------------------------------------------------------------------------|
//! | `builtin.rs`   | the audit by the built-in inspectors                                      |
//! | `judge.rs`     | asking an auditor model for its verdict, and checking the reply           |
//! | `spotlight.rs` | marking the text under audit, so that the model doesn't obey it           |
//! | `prompt.md`    | the auditor model's prompt                                                |

mod builtin;
mod judge;
mod spotlight;

use std::sync::Arc;

use countersign_domain::{Event, EventType, StoredEvent, event::UnreadableEvent, payload::AuditLogCreated};
use countersign_llm::Purpose;
use countersign_store::Seams;

pub use builtin::{audit_finding, audit_of_findings, builtin_audit};
pub use judge::{AuditWithCalls, Auditor};

use crate::{
    model_calls::model_calls,
    observation::{ModelCalls, Observation},
    runtime::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch},
};

/// How many audits run at the same time. The provider's own limits apply as well.
const CONCURRENCY: usize = 32;

/// Audits recorded answers whose callers did not wait for an audit.
pub struct AuditorAgent {
    auditor: Auditor,
    seams: Seams,
}

impl AuditorAgent {
    pub fn new(auditor: Auditor, seams: Seams) -> Arc<Self> {
        Arc::new(Self { auditor, seams })
    }

    async fn audit(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        let answer = match event.event() {
            Ok(Event::AnswerRecorded(answer)) => answer,
            // The answer was erased, so nothing is left to audit.
            Ok(_) | Err(UnreadableEvent::Erased { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(AgentError::Permanent(error.to_string())),
        };
        let marker = self.seams.entropy.bytes();
        let audited = self.auditor.audit_all(&answer.query, &answer.response, self.seams.now(), marker).await;
        let mut events = model_calls(Purpose::Auditor, self.auditor.judge(), &audited.attempts);
        let status = audited.audit.status();
        let log = AuditLogCreated {
            log_id: answer.log_id,
            query: answer.query,
            response: answer.response,
            audit: audited.audit.into(),
            status,
            created_at: self.seams.now(),
            worker: Some(answer.worker),
        };
        let model_calls = ModelCalls { target: self.auditor.judge().cloned(), attempts: audited.attempts };
        events.push(AgentDecision::from(log).observed_as(Observation::AnswerAudited { status, model_calls }));
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
