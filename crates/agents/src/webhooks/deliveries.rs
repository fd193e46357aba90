//! Remembers who has got an event that somebody else has not, so that only the latter is asked again. It lives as long
//! as the process and is bounded: what it forgets is delivered twice, under the same id.

use std::collections::BTreeMap;

use countersign_domain::EventId;

const EVENTS_MAX: usize = 4_096;

/// Targets by the events that they have got. Ids of events sort by age.
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
    fn who_has_got_an_event_is_known_until_it_is_forgotten() {
        let mut deliveries = Deliveries::default();
        deliveries.remember(event(1), [0]);
        deliveries.remember(event(1), [2]);
        assert_eq!([0, 1, 2].map(|target| deliveries.has(event(1), target)), [true, false, true]);
        assert!(!deliveries.has(event(2), 0));
        deliveries.forget(event(1));
        assert!(!deliveries.has(event(1), 0));
    }

    #[test]
    fn the_oldest_go_first_and_no_more_than_the_bound_are_kept() {
        let mut deliveries = Deliveries::default();
        (0..EVENTS_MAX + 10).for_each(|n| deliveries.remember(event(n), [0]));
        assert_eq!(deliveries.0.len(), EVENTS_MAX);
        assert!(!deliveries.has(event(9), 0) && deliveries.has(event(10), 0));
    }
}
