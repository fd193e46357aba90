//! What an agent is: what it listens to, in which order, and what it decides.

use std::{future::Future, pin::Pin, sync::Arc};

use countersign_domain::{CorrelationId, Event, EventType, StoredEvent};
use countersign_ledger::HashedText;
use countersign_store::StoreError;
use serde_json::{Map, Value};

/// Decisions on their way: what follows from the event that was given.
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Result<Vec<Decision>, AgentError>> + Send + 'a>>;

/// Something that an agent does before a batch, such as reading what it will need.
pub type Preparing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// An event that an agent decided on, and what goes with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub event: Event,
    /// Beside the payload.
    pub metadata: Map<String, Value>,
    /// Of the report that the event announces: JSON text, stored in the same commit.
    pub content: Option<HashedText>,
    /// What it belongs to, where that is not what its cause belongs to.
    pub correlation: Option<CorrelationId>,
}

impl<E: Into<Event>> From<E> for Decision {
    fn from(event: E) -> Self {
        Self { event: event.into(), metadata: Map::new(), content: None, correlation: None }
    }
}

pub trait Agent: Send + Sync + 'static {
    fn name(&self) -> &'static str;

    fn subscribes_to(&self) -> &[EventType];

    /// Orders agents that compete for the same threads.
    fn priority(&self) -> i64 {
        5
    }

    fn work(&self) -> Work;

    /// Whether its commits also index transactions by user. One agent's do.
    fn indexes_history(&self) -> bool {
        false
    }

    /// Whether it starts for the first time at the end of the log, and what happened before is none of its business.
    fn starts_at_end(&self) -> bool {
        false
    }

    /// Told which events come next, in batches. It may read ahead; it decides nothing.
    fn prepare<'a>(&'a self, _events: &'a [Arc<StoredEvent>]) -> Preparing<'a> {
        Box::pin(std::future::ready(()))
    }

    /// Events with the same key are handled one after the other, in the order of the log.
    fn order_key(&self, event: &StoredEvent) -> OrderKey {
        OrderKey::Correlation(event.correlation_id)
    }

    /// What follows from `event`. May be asked again about the same event after a failure or a crash, so it changes
    /// nothing itself; the runtime gives the new events their ids, cause and correlation, and commits them once.
    fn decide<'a>(&'a self, event: &'a StoredEvent) -> Deciding<'a>;
}

/// How events are handed to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Side by side in lanes, each event in a commit of its own: for agents that wait for others, such as models.
    Lanes { concurrency: usize },
    /// One after the other, many to a commit: for agents that only compute.
    Batches { events_max: usize },
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OrderKey {
    Correlation(CorrelationId),
    Text(String),
}

/// Why an agent could not decide. The text is kept with the dead letter, so it must hold no secret and no body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// May heal: is tried again, later and later.
    #[error("{0}")]
    Transient(String),
    /// Heals, and is no event's doing: what all of them need is away. Is tried again for as long as it takes.
    #[error("{0}")]
    Outage(String),
    /// Stays as it is: the event becomes a dead letter at once.
    #[error("{0}")]
    Permanent(String),
}

impl From<StoreError> for AgentError {
    fn from(error: StoreError) -> Self {
        if error.is_transient() { Self::Transient(error.to_string()) } else { Self::Permanent(error.to_string()) }
    }
}
