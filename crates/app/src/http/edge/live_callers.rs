//! How many live connections each caller has.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};

use super::rate::Subject;

/// Live connections of each caller.
#[derive(Clone, Default)]
pub(crate) struct LiveCallers(Arc<Mutex<HashMap<Subject, usize>>>);

/// A connection's place among those of its caller; free again when this goes.
pub(crate) struct CallersPlace {
    callers: LiveCallers,
    caller: Subject,
}

impl LiveCallers {
    pub(crate) fn take(&self, caller: Subject, places_max: usize) -> Option<CallersPlace> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(caller.clone()).or_default();
        if *count >= places_max {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(CallersPlace { callers: self.clone(), caller })
    }
}

impl Drop for CallersPlace {
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
