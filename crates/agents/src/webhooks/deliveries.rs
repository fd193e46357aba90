//! Remembers, for an event that could not be delivered to every target, which targets have received it, so that a retry only goes
//! to the others. The record is in memory and bounded. Targets may get a forgotten event again, with the same id.

use std::collections::BTreeMap;

use countersign_domain::EventId;

const EVENTS_MAX: usize = 4_096;

/// The targets that have received an event, by its id. Ids sort by age.
#[derive(Debug, Default)]
pub(super) struct Deliveries(BTreeMap<EventId, Vec<usize>>);

impl Deliveries {
    pub(super) fn has(&self, event: EventId, target: usize) -> bool {
        self.0.get(&event).is_some_and(|targets| targets.contains(&target))
    }

    pub(super) fn remember(&mut self, event: EventId, targets: impl IntoIterator<Item = usize>) {
        self.0.entry(event).or_default().extend(targets);
        while self.0.len() > EVENTS_MAX {
            self.0.pop_first();
        }
    }

    pub(super) fn forget(&mut self, event: EventId) {
        self.0.remove(&event);
    }
}

#[cfg(test)]
mod tests {
    use countersign_domain::Time;

    use super::*;

    fn event(millis: usize) -> EventId {
        EventId::v7(Time::from_micros(millis as i64 * 1_000).unwrap(), [7; 10])
    }

    #[test]
    fn deliveries_of_an_event_are_known_until_it_is_forgotten() {
        let mut deliveries = Deliveries::default();
        deliveries.remember(event(1), [0]);
        deliveries.remember(event(1), [2]);
        assert_eq!([0, 1, 2].map(|target| deliveries.has(event(1), target)), [true, false, true]);
        assert!(!deliveries.has(event(2), 0));
        deliveries.forget(event(1));
        assert!(!deliveries.has(event(1), 0));
    }

    #[test]
    fn beyond_the_bound_the_oldest_events_are_forgotten() {
        let mut deliveries = Deliveries::default();
        (0..EVENTS_MAX + 10).for_each(|n| deliveries.remember(event(n), [0]));
        assert_eq!(deliveries.0.len(), EVENTS_MAX);
        assert!(!deliveries.has(event(9), 0) && deliveries.has(event(10), 0));
    }
}
