//! The interface of an agent: the events it subscribes to, the order it needs, and its decisions.

use std::{future::Future, pin::Pin, sync::Arc};

use countersign_domain::{CorrelationId, Event, EventType, StoredEvent};
use countersign_ledger::HashedText;
use countersign_store::StoreError;
use serde_json::{Map, Value};

use crate::observation::Observation;

/// The future that [`Agent::decide`] returns.
pub type DecideFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<AgentDecision>, AgentError>> + Send + 'a>>;

/// The future that [`Agent::prepare`] returns.
pub type PrepareFuture<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// An event that an agent decided to append, with what belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentDecision {
    pub event: Event,
    /// Stored with the payload.
    pub metadata: Map<String, Value>,
    /// The content of the report that the event announces: JSON text, stored in the same commit.
    pub content: Option<HashedText>,
    /// The correlation id, if it differs from that of the event's cause.
    pub correlation: Option<CorrelationId>,
    /// Passed to the observer once the decision is committed.
    pub observation: Option<Observation>,
}

impl AgentDecision {
    pub(crate) fn observed_as(self, observation: Observation) -> Self {
        Self { observation: Some(observation), ..self }
    }
}

impl<E: Into<Event>> From<E> for AgentDecision {
    fn from(event: E) -> Self {
        Self { event: event.into(), metadata: Map::new(), content: None, correlation: None, observation: None }
    }
}

pub trait Agent: Send + Sync + 'static {
    fn name(&self) -> &'static str;

    fn subscribes_to(&self) -> &[EventType];

    /// Agents with a higher priority are started first.
    fn priority(&self) -> i64 {
        5
    }

    fn dispatch(&self) -> Dispatch;

    /// Whether its commits also index transactions by user. True for one agent only.
    fn indexes_history(&self) -> bool {
        false
    }

    /// Whether its first run starts at the end of the log, ignoring earlier events.
    fn starts_at_end(&self) -> bool {
        false
    }

    /// Called with each batch before it is decided on. The agent may read ahead here, but decides nothing.
    fn prepare<'a>(&'a self, _events: &'a [Arc<StoredEvent>]) -> PrepareFuture<'a> {
        Box::pin(std::future::ready(()))
    }

    /// Events with the same key are handled one after another, in log order.
    fn order_key(&self, event: &StoredEvent) -> OrderKey {
        OrderKey::Correlation(event.correlation_id)
    }

    /// Decides what follows from `event`. It may be called again for the same event after a failure or a crash, so it
    /// must have no effects of its own. The runtime gives the new events their ids, cause and correlation, and commits
    /// them exactly once.
    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a>;
}

/// How events are dispatched to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    /// Concurrently, each event in its own commit: for agents that wait for something, such as a model or the network.
    Lanes { concurrency: usize },
    /// One after another, many events per commit: for agents that only compute.
    Batches { events_max: usize },
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OrderKey {
    Correlation(CorrelationId),
    Text(String),
}

/// Why an agent could not decide. The text is stored with the dead letter, so it must contain no secret and no message
/// body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// May succeed later: retried with increasing back-off, then dead-lettered.
    #[error("{0}")]
    Transient(String),
    /// Something that every event needs is down. Retried until it is back; never dead-lettered.
    #[error("{0}")]
    Outage(String),
    /// Will never succeed: the event becomes a dead letter at once.
    #[error("{0}")]
    Permanent(String),
}

impl From<StoreError> for AgentError {
    fn from(error: StoreError) -> Self {
        if error.is_transient() { Self::Transient(error.to_string()) } else { Self::Permanent(error.to_string()) }
    }
}
