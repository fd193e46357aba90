//! Queries for events, and events with exactly the bytes that were hashed.

use countersign_domain::{CorrelationId, EventType};

/// Selects events, oldest first.
#[derive(Debug, Clone, Default)]
pub struct EventQuery {
    /// The first position that may be returned.
    pub from_seq: u64,
    /// An empty list means all types.
    pub types: Vec<EventType>,
    pub correlation_id: Option<CorrelationId>,
    pub limit: usize,
}

/// An event with the bytes that were hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedEvent {
    /// The leaf's bytes.
    pub header: String,
    /// `None` if it was erased.
    pub body: Option<SealedBody>,
}

/// The header's commitment is the hash of these three, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedBody {
    pub salt: Vec<u8>,
    pub payload: String,
    pub metadata: String,
}
