//! Decides which task may run now; a task is the handling of one event. Pure bookkeeping: tasks with the same key run in
//! order, tasks with different keys concurrently, and the number of running tasks is bounded.
//! [`EventWindow`] tracks how far the log is finished.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    hash::Hash,
};

/// A lane is the queue of one key.
pub(crate) struct Lanes<K, T> {
    concurrency: usize,
    ready: VecDeque<(K, T)>,
    /// Tasks that wait until the running task with the same key is done.
    waiting: HashMap<K, VecDeque<T>>,
    running: HashSet<K>,
}

impl<K: Eq + Hash + Clone, T> Lanes<K, T> {
    pub(crate) fn new(concurrency: usize) -> Self {
        Self {
            concurrency: concurrency.max(1),
            ready: VecDeque::new(),
            waiting: HashMap::new(),
            running: HashSet::new(),
        }
    }

    pub(crate) fn push(&mut self, key: K, task: T) {
        self.ready.push_back((key, task));
    }

    /// The next task that may start now, if the concurrency limit allows one.
    pub(crate) fn next(&mut self) -> Option<(K, T)> {
        if self.running.len() >= self.concurrency {
            return None;
        }
        while let Some((key, task)) = self.ready.pop_front() {
            if self.running.contains(&key) {
                self.waiting.entry(key).or_default().push_back(task);
                continue;
            }
            self.running.insert(key.clone());
            return Some((key, task));
        }
        None
    }

    /// Marks the running task with this key as done. Tasks that waited for it come next, before newer ones.
    pub(crate) fn finish(&mut self, key: &K) {
        self.running.remove(key);
        if let Some(waiting) = self.waiting.remove(key) {
            for task in waiting.into_iter().rev() {
                self.ready.push_front((key.clone(), task));
            }
        }
    }
}

/// Tracks the events that were read but not finished, and so how far the log is finished without gaps.
#[derive(Debug, Default)]
pub(crate) struct EventWindow {
    unfinished: BTreeSet<u64>,
    /// Every event before this position has been read.
    read_to: u64,
}

impl EventWindow {
    pub(crate) fn at(low: u64) -> Self {
        Self { unfinished: BTreeSet::new(), read_to: low }
    }

    /// Notes that the log was read up to `read_to`, and which of the events read must still be finished.
    pub(crate) fn note_read(&mut self, unfinished: impl IntoIterator<Item = u64>, read_to: u64) {
        self.unfinished.extend(unfinished);
        self.read_to = self.read_to.max(read_to);
    }

    pub(crate) fn read_to(&self) -> u64 {
        self.read_to
    }

    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    pub(crate) fn finish(&mut self, seq: u64) {
        self.unfinished.remove(&seq);
    }

    /// The low-water mark: all events with a lower seq are finished.
    pub(crate) fn low(&self) -> u64 {
        self.unfinished.first().copied().unwrap_or(self.read_to)
    }

    /// The low-water mark once `seq` is finished too. If other events finish meanwhile, it is too low, which does no harm.
    pub(crate) fn low_after(&self, seq: u64) -> u64 {
        self.unfinished.iter().find(|unfinished| **unfinished != seq).copied().unwrap_or(self.read_to)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tasks_with_one_key_run_one_at_a_time_while_other_keys_run_concurrently() {
        let mut lanes = Lanes::new(2);
        for (key, task) in [('a', 1), ('a', 2), ('b', 3), ('c', 4)] {
            lanes.push(key, task);
        }
        assert_eq!(lanes.next(), Some(('a', 1)));
        assert_eq!(lanes.next(), Some(('b', 3)));
        assert_eq!(lanes.next(), None, "only two run at a time");
        lanes.finish(&'a');
        assert_eq!(lanes.next(), Some(('a', 2)), "a waiting task comes before a newer one");
        lanes.finish(&'b');
        assert_eq!(lanes.next(), Some(('c', 4)));
    }

    proptest! {
        #[test]
        fn order_holds_within_each_key_whatever_finishes_first(
            keys in prop::collection::vec(0_u8..5, 1..60),
            concurrency in 1_usize..6,
            picks in prop::collection::vec(any::<prop::sample::Index>(), 200),
        ) {
            let mut lanes = Lanes::new(concurrency);
            let mut incoming = keys.iter().copied().enumerate().peekable();
            let (mut running, mut done, mut picks) = (Vec::new(), Vec::new(), picks.into_iter().cycle());
            while done.len() < keys.len() {
                if let Some((task, key)) = incoming.next() {
                    lanes.push(key, task);
                }
                while let Some(started) = lanes.next() {
                    prop_assert!(running.iter().all(|(key, _)| *key != started.0));
                    running.push(started);
                }
                prop_assert!(running.len() <= concurrency);
                if !running.is_empty() {
                    let (key, task) = running.swap_remove(picks.next().unwrap().index(running.len()));
                    lanes.finish(&key);
                    done.push((key, task));
                }
            }
            for key in 0..5 {
                let order: Vec<_> = done.iter().filter(|(k, _)| *k == key).map(|(_, task)| *task).collect();
                prop_assert!(order.is_sorted(), "{order:?}");
            }
        }

        #[test]
        fn the_low_mark_never_passes_an_unfinished_event(finish in prop::collection::vec(0_u64..40, 0..80)) {
            let mut window = EventWindow::at(0);
            window.note_read((0..40).filter(|seq| seq % 3 != 0), 40);
            for seq in finish {
                let predicted = window.low_after(seq);
                window.finish(seq);
                prop_assert!(predicted <= window.low());
                prop_assert!(window.unfinished.iter().all(|unfinished| *unfinished >= window.low()));
            }
        }
    }
}
