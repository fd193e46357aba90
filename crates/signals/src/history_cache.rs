//! Histories of recently active customers, in bounded memory.
//!
//! A customer who is not in the cache is not necessarily new: the caller rebuilds the history from stored transactions and inserts
//! it. Eviction is by the clock algorithm: the hand goes round and evicts the first customer who was not used since it last passed.

use std::collections::HashMap;

use countersign_domain::UserId;

use crate::History;

#[derive(Debug)]
pub struct HistoryCache {
    by_id: HashMap<UserId, usize>,
    slots: Vec<CacheSlot>,
    hand: usize,
    capacity: usize,
}

#[derive(Debug)]
struct CacheSlot {
    id: UserId,
    history: History,
    was_used: bool,
}

impl HistoryCache {
    /// Holds at most `capacity` customers, at least one. A full history takes about 2 kB, or 4 kB with many devices.
    pub fn new(capacity: usize) -> Self {
        Self { by_id: HashMap::new(), slots: Vec::new(), hand: 0, capacity: capacity.max(1) }
    }

    /// `None` if the customer is not in the cache.
    pub fn get(&mut self, id: &UserId) -> Option<&mut History> {
        let slot = self.slots.get_mut(*self.by_id.get(id)?)?;
        slot.was_used = true;
        Some(&mut slot.history)
    }

    /// Inserts or replaces the customer's history. May evict another customer's to make room.
    pub fn insert(&mut self, id: UserId, history: History) -> &mut History {
        let index = match self.by_id.get(&id) {
            Some(index) => *index,
            None => self.free_slot(&id),
        };
        if index == self.slots.len() {
            self.slots.push(CacheSlot { id: id.clone(), history: History::new(), was_used: true });
        }
        let slot = &mut self.slots[index];
        slot.history = history;
        slot.was_used = true;
        slot.id = id;
        &mut slot.history
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    fn free_slot(&mut self, id: &UserId) -> usize {
        let index = if self.slots.len() < self.capacity { self.slots.len() } else { self.evict() };
        self.by_id.insert(id.clone(), index);
        index
    }

    fn evict(&mut self) -> usize {
        loop {
            let index = self.hand % self.slots.len().max(1);
            self.hand = index + 1;
            let Some(slot) = self.slots.get_mut(index) else { return index };
            if !std::mem::take(&mut slot.was_used) {
                self.by_id.remove(&slot.id);
                return index;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: usize) -> UserId {
        format!("user-{n}").parse().unwrap()
    }

    #[test]
    fn a_customer_who_was_not_used_recently_is_evicted_first() {
        let mut users = HistoryCache::new(3);
        for n in 0..3 {
            users.insert(id(n), History::new());
        }
        // All three were used: the hand passes them once, then evicts the first.
        users.insert(id(3), History::new());
        assert!(users.get(&id(0)).is_none());
        assert!(users.get(&id(1)).is_some() && users.get(&id(3)).is_some());
        users.insert(id(4), History::new());
        assert!(users.get(&id(2)).is_none() && users.get(&id(1)).is_some());
    }

    #[test]
    fn there_are_never_more_than_the_capacity() {
        let mut users = HistoryCache::new(100);
        for n in 0..10_000 {
            users.insert(id(n * 7_919 % 1_000), History::new());
            assert!(users.len() <= 100 && users.by_id.len() == users.len());
            assert!(users.get(&id(n * 7_919 % 1_000)).is_some());
        }
    }

    #[test]
    fn inserting_again_replaces() {
        let mut users = HistoryCache::new(2);
        users.insert(id(0), History::new()).add(1, &crate::sample::tx(0, serde_json::json!({})));
        assert_eq!(users.get(&id(0)).unwrap().len(), 1);
        users.insert(id(0), History::new());
        assert_eq!((users.get(&id(0)).unwrap().len(), users.len()), (0, 1));
    }
}
