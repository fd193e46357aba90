//! Up to where the log may have events of each type, as far as this process knows. Most commits contain nothing for most readers,
//! who learn that here without asking the database.
//!
//! It is never behind this process's own commits. In a store where other processes write too, it would only be a hint.

use std::sync::atomic::{AtomicU64, Ordering};

use countersign_domain::EventType;

/// For each type, a position that all its events precede.
pub(crate) struct NewestByType([AtomicU64; EventType::ALL.len()]);

impl NewestByType {
    /// For events that existed at open, only the log's size is known.
    pub(crate) fn at_open(size: u64) -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(size)))
    }

    /// Called before the commit, so that no event is missed. It may count an event that is never committed.
    pub(crate) fn add(&self, event_type: EventType, seq: u64) {
        if let Some(end) = self.0.get(event_type as usize) {
            end.fetch_max(seq + 1, Ordering::Release);
        }
    }

    /// A position that all events of these types precede.
    pub(crate) fn end_of(&self, types: &[EventType]) -> u64 {
        let ends = types.iter().filter_map(|event_type| self.0.get(*event_type as usize));
        ends.map(|end| end.load(Ordering::Acquire)).max().unwrap_or(0)
    }

    /// Whether there may be events of these types from `from_seq` on. An empty list means all types.
    pub(crate) fn may_have(&self, types: &[EventType], from_seq: u64) -> bool {
        types.is_empty() || self.end_of(types) > from_seq
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_types_without_newer_events_are_ruled_out() {
        let newest = NewestByType::at_open(10);
        let (alerts, both) = ([EventType::FraudAlertCreated], [EventType::FraudAlertCreated, EventType::AgentStarted]);
        assert!(newest.may_have(&alerts, 9));
        assert!(!newest.may_have(&alerts, 10) && !newest.may_have(&both, 10));
        newest.add(EventType::AgentStarted, 12);
        assert!(!newest.may_have(&alerts, 10) && newest.may_have(&both, 12) && !newest.may_have(&both, 13));
        assert!(newest.may_have(&[], 99));
    }
}
