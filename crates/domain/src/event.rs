//! Events: everything that happens, named in the past tense. Types and fields are only ever added.
//!
//! An event is stored in two parts. The ledger hashes the *header*, which holds only our own ids, names and times, so it never
//! has to be erased. The *body* (payload and metadata) may hold personal data and can be erased; the header commits to it by a
//! salted hash. Events of types that this build doesn't know are passed on as raw JSON, never refused.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Alert, CorrelationId, EventId, Time, Transaction, payload::*};

macro_rules! events {
    ($($name:ident($payload:ty) = $wire:literal version $version:literal),* $(,)?) => {
        /// The types of events that this build knows, by their wire names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventType { $($name),* }

        impl EventType {
            pub const ALL: &[Self] = &[$(Self::$name),*];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $wire),* }
            }

            pub fn parse(wire: &str) -> Option<Self> {
                match wire { $($wire => Some(Self::$name),)* _ => None }
            }

            /// The version that this build writes into headers. All are 1 so far, so nothing converts payloads yet.
            pub const fn schema_version(self) -> u16 {
                match self { $(Self::$name => $version),* }
            }
        }

        /// One event's type with its payload.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Event { $($name($payload)),* }

        impl Event {
            pub fn event_type(&self) -> EventType {
                match self { $(Self::$name(_) => EventType::$name),* }
            }

            /// The payload as JSON text.
            pub fn payload_json(&self) -> serde_json::Result<String> {
                match self { $(Self::$name(payload) => serde_json::to_string(payload)),* }
            }

            /// Reads a payload. Fields that this build doesn't know are ignored here and kept in the stored text.
            pub fn from_payload(event_type: EventType, payload: &str) -> serde_json::Result<Self> {
                match event_type { $(EventType::$name => serde_json::from_str(payload).map(Self::$name)),* }
            }
        }

        $(impl From<$payload> for Event {
            fn from(payload: $payload) -> Self {
                Self::$name(payload)
            }
        })*
    };
}

events! {
    TransactionReceived(Transaction) = "TRANSACTION_RECEIVED" version 1,
    FraudAlertCreated(Alert) = "FRAUD_ALERT_CREATED" version 1,
    InvestigationCreated(InvestigationCreated) = "INVESTIGATION_CREATED" version 1,
    InvestigationAssigned(InvestigationAssigned) = "INVESTIGATION_ASSIGNED" version 1,
    ReportRequested(ReportRequested) = "REPORT_REQUESTED" version 1,
    ReportGenerated(ReportGenerated) = "REPORT_GENERATED" version 1,
    ReportFailed(ReportFailed) = "REPORT_FAILED" version 1,
    ReportSkipped(ReportSkipped) = "REPORT_SKIPPED" version 1,
    ReportApproved(ReportApproved) = "REPORT_APPROVED" version 1,
    ReportNeedsReview(ReportNeedsReview) = "REPORT_NEEDS_REVIEW" version 1,
    SupervisorReviewRequested(SupervisorReviewRequested) = "SUPERVISOR_REVIEW_REQUESTED" version 1,
    SupervisorReviewCompleted(SupervisorReviewCompleted) = "SUPERVISOR_REVIEW_COMPLETED" version 1,
    AnomalyFlagged(AnomalyFlagged) = "ANOMALY_FLAGGED" version 1,
    ReviewDecided(ReviewDecided) = "REVIEW_DECIDED" version 1,
    ReportAddendumAdded(ReportAddendumAdded) = "REPORT_ADDENDUM_ADDED" version 1,
    AnswerRequested(AnswerRequested) = "ANSWER_REQUESTED" version 1,
    AnswerRecorded(AnswerRecorded) = "ANSWER_RECORDED" version 1,
    AnswerFailed(AnswerFailed) = "ANSWER_FAILED" version 1,
    AuditLogCreated(AuditLogCreated) = "AUDIT_LOG_CREATED" version 1,
    ModelCalled(ModelCalled) = "MODEL_CALLED" version 1,
    AgentStarted(AgentStarted) = "AGENT_STARTED" version 1,
    AgentStopped(AgentStopped) = "AGENT_STOPPED" version 1,
    EventDeadLettered(EventDeadLettered) = "EVENT_DEAD_LETTERED" version 1,
    DeadLetterChanged(DeadLetterChanged) = "DEAD_LETTER_CHANGED" version 1,
    AccessDenied(AccessDenied) = "ACCESS_DENIED" version 1,
    KeyChanged(KeyChanged) = "KEY_CHANGED" version 1,
    PayloadErased(PayloadErased) = "PAYLOAD_ERASED" version 1,
    RulesLoaded(RulesLoaded) = "RULES_LOADED" version 1,
    CheckpointWitnessed(CheckpointWitnessed) = "CHECKPOINT_WITNESSED" version 1,
}

/// The part of an event that the ledger hashes. The stored header is exactly these fields as JSON, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header<'a> {
    pub seq: u64,
    pub event_id: EventId,
    #[serde(borrow)]
    pub event_type: Cow<'a, str>,
    pub occurred_at: Time,
    pub recorded_at: Time,
    #[serde(borrow)]
    pub producer: Cow<'a, str>,
    pub correlation_id: CorrelationId,
    pub causation_id: Option<EventId>,
    pub schema_version: u16,
    /// Hex of SHA-256 over salt, payload and metadata.
    #[serde(borrow)]
    pub commitment: Cow<'a, str>,
}

/// An event that has happened but has no position in the log yet.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub event_id: EventId,
    pub event: Event,
    pub occurred_at: Time,
    pub producer: Cow<'static, str>,
    pub correlation_id: CorrelationId,
    pub causation_id: Option<EventId>,
    /// The event's payload as JSON text, serialised once, before the store's transaction begins.
    pub payload: String,
    /// JSON text of an object.
    pub metadata: String,
}

impl NewEvent {
    pub const NO_METADATA: &'static str = "{}";

    pub fn new(
        event_id: EventId,
        event: impl Into<Event>,
        occurred_at: Time,
        producer: impl Into<Cow<'static, str>>,
        correlation_id: CorrelationId,
    ) -> serde_json::Result<Self> {
        let event = event.into();
        Ok(Self {
            event_id,
            occurred_at,
            producer: producer.into(),
            correlation_id,
            causation_id: None,
            payload: event.payload_json()?,
            event,
            metadata: Self::NO_METADATA.to_owned(),
        })
    }

    pub fn caused_by(mut self, cause: EventId) -> Self {
        self.causation_id = Some(cause);
        self
    }
}

/// An event in the log.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct StoredEvent {
    /// Position in the log, from 0, without gaps.
    pub seq: u64,
    pub event_id: EventId,
    /// The wire name. It may be of a type that this build doesn't know.
    #[schema(example = "TRANSACTION_RECEIVED")]
    pub event_type: String,
    pub occurred_at: Time,
    pub recorded_at: Time,
    pub producer: String,
    pub correlation_id: CorrelationId,
    pub causation_id: Option<EventId>,
    pub schema_version: u16,
    /// `null` if it was erased.
    #[schema(value_type = Option<Object>)]
    pub payload: Option<Box<RawValue>>,
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Box<RawValue>>,
}

/// Why a stored event can't be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableEvent {
    #[error("event {seq} has the type {event_type}, which this version does not know")]
    UnknownType { seq: u64, event_type: String },
    #[error("the payload of event {seq} has been erased")]
    Erased { seq: u64 },
    #[error("the payload of event {seq} can't be read")]
    Payload { seq: u64, source: serde_json::Error },
}

impl StoredEvent {
    pub fn from_parts(header: Header<'_>, payload: Option<Box<RawValue>>, metadata: Option<Box<RawValue>>) -> Self {
        Self {
            seq: header.seq,
            event_id: header.event_id,
            event_type: header.event_type.into_owned(),
            occurred_at: header.occurred_at,
            recorded_at: header.recorded_at,
            producer: header.producer.into_owned(),
            correlation_id: header.correlation_id,
            causation_id: header.causation_id,
            schema_version: header.schema_version,
            payload,
            metadata,
        }
    }

    /// The typed event. Unknown fields, such as those of a later version, are ignored.
    pub fn event(&self) -> Result<Event, UnreadableEvent> {
        let seq = self.seq;
        let event_type = EventType::parse(&self.event_type)
            .ok_or_else(|| UnreadableEvent::UnknownType { seq, event_type: self.event_type.clone() })?;
        let payload = self.payload.as_ref().ok_or(UnreadableEvent::Erased { seq })?;
        Event::from_payload(event_type, payload.get()).map_err(|source| UnreadableEvent::Payload { seq, source })
    }
}
