//! Limits the number of live connections per caller.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};

use super::rate::CountedCaller;

/// Live connections of each caller.
#[derive(Clone, Default)]
pub(crate) struct LiveCallers(Arc<Mutex<HashMap<CountedCaller, usize>>>);

/// Counts one live connection of a caller until it is dropped.
pub(crate) struct LiveCallerPermit {
    callers: LiveCallers,
    caller: CountedCaller,
}

impl LiveCallers {
    /// `None` if the caller has reached the limit.
    pub(crate) fn take(&self, caller: CountedCaller, connections_max: usize) -> Option<LiveCallerPermit> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(caller.clone()).or_default();
        if *count >= connections_max {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(LiveCallerPermit { callers: self.clone(), caller })
    }
}

impl Drop for LiveCallerPermit {
    fn drop(&mut self) {
        let mut counts = self.callers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut count) = counts.entry(self.caller.clone()) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}
