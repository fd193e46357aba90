//! Tells readers in this process that the log has grown: all of them, or those that wait for certain types of events.
//!
//! Announcements are hints. They come after the commit.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use countersign_domain::EventType;
use tokio::sync::watch;

use crate::newest::NewestByType;

/// The writer's side: announces the log's new size.
pub(crate) struct Heads {
    all: watch::Sender<u64>,
    watchers: Arc<TypeWatchers>,
}

/// Readers that wait for certain types of events.
pub(crate) struct TypeWatchers {
    newest: Arc<NewestByType>,
    /// `None` once no more sizes are announced.
    list: Mutex<Option<Vec<TypeWatcher>>>,
}

struct TypeWatcher {
    types: Vec<EventType>,
    head: watch::Sender<u64>,
}

impl Heads {
    pub(crate) fn new(size: u64, newest: Arc<NewestByType>) -> (Self, watch::Receiver<u64>, Arc<TypeWatchers>) {
        let (all, head) = watch::channel(size);
        let watchers = Arc::new(TypeWatchers { newest, list: Mutex::new(Some(Vec::new())) });
        (Self { all, watchers: Arc::clone(&watchers) }, head, watchers)
    }

    /// The size that was announced last.
    pub(crate) fn size(&self) -> u64 {
        *self.all.borrow()
    }

    /// Called after a commit. Holds the lock, so that no watcher is added between the two announcements.
    pub(crate) fn announce(&self, size: u64) {
        let list = self.watchers.lock();
        // Commits of other processes may be heard of late.
        if *self.all.borrow() >= size {
            return;
        }
        for watcher in list.iter().flatten() {
            if self.watchers.newest.end_of(&watcher.types) > *watcher.head.borrow() {
                watcher.head.send_replace(size);
            }
        }
        self.all.send_replace(size);
    }
}

/// Ends every wait, because this process adds nothing more to the log.
impl Drop for Heads {
    fn drop(&mut self) {
        *self.watchers.lock() = None;
    }
}

impl TypeWatchers {
    fn lock(&self) -> MutexGuard<'_, Option<Vec<TypeWatcher>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A receiver that begins with the log's present size and gets the new size after commits that add events of these types.
    /// An empty list means all types. Once no more sizes are announced, waiting for a change fails.
    pub(crate) fn head_of(&self, types: &[EventType], all: &watch::Receiver<u64>) -> watch::Receiver<u64> {
        let mut list = self.lock();
        let (head, receiver) = watch::channel(*all.borrow());
        if let Some(list) = list.as_mut() {
            list.retain(|watcher| !watcher.head.is_closed());
            let types = if types.is_empty() { EventType::ALL } else { types };
            list.push(TypeWatcher { types: types.to_vec(), head });
        }
        receiver
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_hears_only_of_commits_with_events_of_its_types() {
        let newest = Arc::new(NewestByType::at_open(10));
        let (heads, all, watchers) = Heads::new(10, Arc::clone(&newest));
        let alerts = watchers.head_of(&[EventType::FraudAlertCreated], &all);
        let starts = watchers.head_of(&[EventType::AgentStarted, EventType::AgentStopped], &all);
        let seen = || [*all.borrow(), *alerts.borrow(), *starts.borrow()];
        newest.add(EventType::AgentStopped, 10);
        heads.announce(11);
        assert_eq!(seen(), [11, 10, 11]);
        newest.add(EventType::FraudAlertCreated, 11);
        newest.add(EventType::TransactionReceived, 12);
        heads.announce(13);
        assert_eq!(seen(), [13, 13, 11]);
        // A later watcher begins at the present size.
        let late = watchers.head_of(&[EventType::AgentStarted], &all);
        assert_eq!(*late.borrow(), 13);
        newest.add(EventType::AgentStarted, 13);
        heads.announce(14);
        assert_eq!((*late.borrow(), seen()), (14, [14, 13, 14]));
        drop(heads);
        assert!([all, alerts, starts, late].iter().all(|head| head.has_changed().is_err()));
    }
}
