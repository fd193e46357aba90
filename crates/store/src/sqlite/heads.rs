//! Who is told that the log has grown: those who follow all of it, and of the others those whom it concerns.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use countersign_domain::EventType;
use tokio::sync::watch;

use super::newest::Newest;

/// The writer's end.
pub(crate) struct Heads {
    all: watch::Sender<u64>,
    followers: Arc<Followers>,
}

/// Those who follow some types of events.
pub(crate) struct Followers {
    newest: Arc<Newest>,
    each: Mutex<Vec<Follower>>,
}

struct Follower {
    types: Vec<EventType>,
    head: watch::Sender<u64>,
}

impl Heads {
    pub(crate) fn at(size: u64, newest: Arc<Newest>) -> (Self, watch::Receiver<u64>, Arc<Followers>) {
        let (all, head) = watch::channel(size);
        let followers = Arc::new(Followers { newest, each: Mutex::default() });
        (Self { all, followers: Arc::clone(&followers) }, head, followers)
    }

    /// After a commit. With the lock held: nobody begins to follow between the two.
    pub(crate) fn show(&self, size: u64) {
        if *self.all.borrow() == size {
            return;
        }
        let each = self.followers.lock();
        for follower in &*each {
            if self.followers.newest.end_of(&follower.types) > *follower.head.borrow() {
                follower.head.send_replace(size);
            }
        }
        self.all.send_replace(size);
    }
}

/// Whoever waits for a log that will not grow any more is told so.
impl Drop for Heads {
    fn drop(&mut self) {
        self.followers.lock().clear();
    }
}

impl Followers {
    fn lock(&self) -> MutexGuard<'_, Vec<Follower>> {
        self.each.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes with commits that add events of these types, and says how long the log was then. No types means all.
    pub(crate) fn head_of(&self, types: &[EventType], all: &watch::Receiver<u64>) -> watch::Receiver<u64> {
        let mut each = self.lock();
        each.retain(|follower| !follower.head.is_closed());
        let (head, shown) = watch::channel(*all.borrow());
        let types = if types.is_empty() { EventType::ALL } else { types };
        each.push(Follower { types: types.to_vec(), head });
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_are_told_whom_a_commit_concerns() {
        let newest = Arc::new(Newest::at_open(10));
        let (heads, all, followers) = Heads::at(10, Arc::clone(&newest));
        let alerts = followers.head_of(&[EventType::FraudAlertCreated], &all);
        let starts = followers.head_of(&[EventType::AgentStarted, EventType::AgentStopped], &all);
        let seen = || [*all.borrow(), *alerts.borrow(), *starts.borrow()];
        newest.add(EventType::AgentStopped, 10);
        heads.show(11);
        assert_eq!(seen(), [11, 10, 11]);
        newest.add(EventType::FraudAlertCreated, 11);
        newest.add(EventType::TransactionReceived, 12);
        heads.show(13);
        assert_eq!(seen(), [13, 13, 11]);
        // One that comes later begins with all that is there, and is told of what follows.
        let late = followers.head_of(&[EventType::AgentStarted], &all);
        assert_eq!(*late.borrow(), 13);
        newest.add(EventType::AgentStarted, 13);
        heads.show(14);
        assert_eq!((*late.borrow(), seen()), (14, [14, 13, 14]));
        drop(heads);
        assert!([all, alerts, starts, late].iter().all(|head| head.has_changed().is_err()));
    }
}
