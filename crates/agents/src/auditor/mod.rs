//! The auditor: judges answers, at once where somebody waits for the verdict, and from the log where nobody does.

mod audit;
mod judge;
mod spotlight;

use std::sync::Arc;

use countersign_domain::{
    Event, EventType, StoredEvent,
    event::UnreadableEvent,
    payload::{AuditLogCreated, ModelCalled},
};
use countersign_llm::{Attempt, Purpose, Target};
use countersign_store::Seams;

pub use audit::{Audit, AuditFinding, AuditedBy, Judge, Verdict};
pub use judge::{Audited, Auditor};

use crate::agent::{Agent, AgentError, Deciding, Decision, Work};

/// Audits that run at one time; the provider's own limits come on top.
const CONCURRENCY: usize = 32;

/// Told of every audit, for whoever counts them.
pub type Seen = Arc<dyn Fn(&Audited) + Send + Sync>;

/// Audits answers that were released after their record and before their audit.
pub struct AuditorAgent {
    auditor: Auditor,
    seams: Seams,
    seen: Seen,
}

impl AuditorAgent {
    pub fn new(auditor: Auditor, seams: Seams, seen: Seen) -> Arc<Self> {
        Arc::new(Self { auditor, seams, seen })
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
        (self.seen)(&audited);
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
        events.push(log.into());
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

    fn work(&self) -> Work {
        Work::Lanes { concurrency: CONCURRENCY }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> Deciding<'a> {
        Box::pin(self.audit(event))
    }
}

/// The record of calls to a model, one event each.
pub(crate) fn model_calls(purpose: Purpose, target: Option<&Target>, attempts: &[Attempt]) -> Vec<Decision> {
    let Some(target) = target else { return Vec::new() };
    attempts.iter().map(|attempt| model_called(purpose, target, attempt).into()).collect()
}

pub fn model_called(purpose: Purpose, target: &Target, attempt: &Attempt) -> ModelCalled {
    ModelCalled {
        purpose: purpose.as_str().to_owned(),
        provider: target.provider.to_string(),
        model: target.model.to_string(),
        attempt: attempt.number,
        outcome: attempt.outcome.as_str().to_owned(),
        input_tokens: attempt.input_tokens,
        output_tokens: attempt.output_tokens,
        cost_usd: attempt.cost_usd.map(|cost| cost.normalize().to_string()),
        latency_ms: attempt.latency_ms,
    }
}
