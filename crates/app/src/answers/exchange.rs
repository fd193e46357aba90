//! One exchange, a query and its answer: its identity, and the events that record it.
//!
//! Each event has the log's id as its correlation and the event before it as its cause.

use std::time::Instant;

use countersign_agents::model_called;
use countersign_domain::{
    Audit, Event, EventId, LogId, NewEvent, Time,
    payload::{AnswerEnd, AnswerFailed, AnswerRecorded, AnswerRequested, AuditLogCreated, Worker},
};
use countersign_llm::{Attempt, Purpose, Target, Usage};
use countersign_store::Seams;
use serde_json::{Map, Value};

/// Longer descriptions of a failure are cut to this length.
const DETAIL_CHARS_MAX: usize = 1_000;

pub(crate) struct Exchange {
    pub(crate) id: LogId,
    pub(crate) query: String,
    pub(crate) target: Target,
    started: Instant,
    route: &'static str,
    seams: Seams,
    last: Option<EventId>,
    events: Vec<NewEvent>,
    /// Written into the metadata of the event that ends the exchange.
    metadata: Map<String, Value>,
}

/// How an exchange ended without an answer.
pub(crate) struct ExchangeEnd {
    pub(crate) end: AnswerEnd,
    pub(crate) detail: String,
    pub(crate) partial: Option<String>,
}

impl Exchange {
    pub(crate) fn new(seams: &Seams, route: &'static str, caller: &str, query: String, target: Target) -> Self {
        let id = LogId::v7(seams.now(), seams.entropy.bytes());
        let mut metadata = Map::new();
        metadata.insert("route".into(), route.into());
        metadata.insert("caller".into(), caller.into());
        let seams = seams.clone();
        Self { id, query, target, started: Instant::now(), route, seams, last: None, events: Vec::new(), metadata }
    }

    /// A copy with the same identity and no events. It records the failure if the exchange itself panics.
    pub(crate) fn stub(&self) -> Self {
        Self {
            id: self.id,
            query: self.query.clone(),
            target: self.target.clone(),
            started: self.started,
            route: self.route,
            seams: self.seams.clone(),
            last: None,
            events: Vec::new(),
            metadata: self.metadata.clone(),
        }
    }

    pub(crate) fn now(&self) -> Time {
        self.seams.now()
    }

    /// Random bytes that delimit the text under audit in the auditor's prompt.
    pub(crate) fn marker(&self) -> [u8; 16] {
        self.seams.entropy.bytes()
    }

    pub(crate) fn route(&self) -> &'static str {
        self.route
    }

    /// Adds a field to the metadata of the exchange's last event.
    pub(crate) fn note(&mut self, name: &str, value: impl Into<Value>) {
        self.metadata.insert(name.to_owned(), value.into());
    }

    pub(crate) fn take_events(&mut self) -> Vec<NewEvent> {
        std::mem::take(&mut self.events)
    }

    pub(crate) fn worker(&self, model: Option<&str>, usage: Usage) -> Worker {
        Worker {
            provider: self.target.provider.to_string(),
            model: model.filter(|model| !model.is_empty()).unwrap_or(&self.target.model).to_owned(),
            tokens_used: usage.total(),
            latency_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Adds the request. A stream records it before its first byte is sent.
    pub(crate) fn add_request(&mut self) -> serde_json::Result<()> {
        let event = AnswerRequested {
            log_id: self.id,
            query: self.query.clone(),
            route: self.route.to_owned(),
            model: Some(self.target.to_string()),
            requested_at: self.now(),
        };
        self.push(event)
    }

    /// Adds the attempts of a call to a model.
    pub(super) fn add_calls(
        &mut self,
        purpose: Purpose,
        target: &Target,
        attempts: &[Attempt],
    ) -> serde_json::Result<()> {
        attempts.iter().try_for_each(|attempt| self.push(model_called(purpose, target, attempt)))
    }

    /// Adds an answer that is released before the model's audit, with what the inspectors found.
    pub(super) fn add_pending_answer(
        &mut self,
        response: String,
        worker: Worker,
        inspected: Audit,
    ) -> serde_json::Result<()> {
        let event = AnswerRecorded {
            log_id: self.id,
            query: self.query.clone(),
            response,
            worker,
            recorded_at: self.now(),
            audit: Some(inspected.into()),
        };
        self.push_last(event)
    }

    /// Adds the answer with its complete audit. Returns the record as the API shows it.
    pub(crate) fn add_audited_answer(
        &mut self,
        response: String,
        worker: Worker,
        audit: Audit,
    ) -> serde_json::Result<AuditLogCreated> {
        let log = AuditLogCreated {
            log_id: self.id,
            query: self.query.clone(),
            response,
            status: audit.status(),
            audit: audit.into(),
            created_at: self.now(),
            worker: Some(worker),
        };
        self.push_last(log.clone())?;
        Ok(log)
    }

    /// Adds the failure, with the part of the answer that was released.
    pub(crate) fn add_failure(&mut self, end: ExchangeEnd) -> serde_json::Result<()> {
        let event = AnswerFailed {
            log_id: self.id,
            query: Some(self.query.clone()),
            partial_response: end.partial.filter(|text| !text.is_empty()),
            end: end.end,
            detail: end.detail.chars().take(DETAIL_CHARS_MAX).collect(),
            failed_at: self.now(),
            model: Some(self.target.to_string()),
        };
        self.push_last(event)
    }

    fn push(&mut self, event: impl Into<Event>) -> serde_json::Result<()> {
        let event = NewEvent::new(self.seams.event_id(), event, self.now(), "answers", self.id.into())?;
        let event = match self.last {
            Some(cause) => event.caused_by(cause),
            None => event,
        };
        self.last = Some(event.event_id);
        self.events.push(event);
        Ok(())
    }

    fn push_last(&mut self, event: impl Into<Event>) -> serde_json::Result<()> {
        self.push(event)?;
        let metadata = serde_json::to_string(&self.metadata)?;
        if let Some(event) = self.events.last_mut() {
            event.metadata = metadata;
        }
        Ok(())
    }
}
