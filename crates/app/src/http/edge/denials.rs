//! Records refused requests as `ACCESS_DENIED` events: the first at once, then at most every ten seconds, with a count for each
//! caller, reason, method and route. A flood of refusals must not become a flood of events, so beyond a number of such
//! combinations, further ones are counted only by reason.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use countersign_domain::{NewEvent, payload::AccessDenied};
use countersign_store::{Store, StoreError};
use tokio::{sync::Notify, time::sleep};
use tokio_util::sync::CancellationToken;

const RECORD_EVERY: Duration = Duration::from_secs(10);
/// Beyond this number of combinations of caller, reason, method and route, refusals are counted only by reason.
const COMBINATIONS_MAX: usize = 64;
/// The method and the route of refusals that are counted only by reason.
const ANY: &str = "*";

#[derive(Default)]
pub(crate) struct Denials {
    /// The newest refusal of each combination, with the number of refusals that have not been recorded yet.
    waiting: Mutex<Vec<AccessDenied>>,
    wake: Notify,
}

impl Denials {
    pub(crate) fn add(&self, denied: AccessDenied) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        count(&mut waiting, denied);
        drop(waiting);
        self.wake.notify_one();
    }

    /// Records refusals until told to stop, and then those that are left.
    pub(crate) async fn run(&self, store: &Store, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.wake.notified() => {}
            }
            self.write(store).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(RECORD_EVERY) => {}
            }
        }
        self.write(store).await;
    }

    async fn write(&self, store: &Store) {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if waiting.is_empty() {
            return;
        }
        if let Err(error) = append(store, waiting.clone()).await {
            tracing::warn!(%error, "could not record refused requests; they are recorded with the next ones");
            let mut newer = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.into_iter().for_each(|denied| count(&mut newer, denied));
        }
    }
}

/// Adds a refusal to those of the same caller, reason, method and route.
fn count(waiting: &mut Vec<AccessDenied>, denied: AccessDenied) {
    let is_same = |other: &AccessDenied, denied: &AccessDenied| {
        (other.reason, &other.method, &other.route, &other.key_id, &other.address)
            == (denied.reason, &denied.method, &denied.route, &denied.key_id, &denied.address)
    };
    let reason_only = |denied: AccessDenied| AccessDenied {
        method: ANY.into(),
        route: ANY.into(),
        key_id: None,
        address: None,
        ..denied
    };
    let is_known = waiting.iter().any(|other| is_same(other, &denied));
    let denied = if is_known || waiting.len() < COMBINATIONS_MAX { denied } else { reason_only(denied) };
    match waiting.iter_mut().find(|other| is_same(other, &denied)) {
        Some(same) => {
            same.count += denied.count;
            same.denied_at = denied.denied_at;
        }
        None => waiting.push(denied),
    }
}

async fn append(store: &Store, denied: Vec<AccessDenied>) -> Result<(), StoreError> {
    let seams = store.seams();
    let event = |denied: AccessDenied| {
        let at = denied.denied_at;
        NewEvent::new(seams.event_id(), denied, at, "guard", seams.correlation_id())
    };
    let events = denied.into_iter().map(event).collect::<Result<_, _>>()?;
    store.append(events).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use countersign_domain::{KeyId, payload::Denial};

    use super::*;

    fn denied(key_id: &str, route: &str) -> AccessDenied {
        AccessDenied {
            reason: Denial::Role,
            method: "GET".into(),
            route: route.into(),
            key_id: Some(KeyId::try_from(key_id.repeat(KeyId::CHARS)).unwrap()),
            address: None,
            count: 1,
            denied_at: "2026-03-01T09:30:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn each_caller_is_counted_separately() {
        let mut waiting = Vec::new();
        for key in ["a", "a", "b", "a"] {
            count(&mut waiting, denied(key, "/api/keys"));
        }
        count(&mut waiting, denied("b", "/api/config"));
        let counts: Vec<_> = waiting
            .iter()
            .map(|denied| (&denied.key_id.as_ref().unwrap().as_str()[..1], denied.route.as_str(), denied.count))
            .collect();
        assert_eq!(counts, [("a", "/api/keys", 3), ("b", "/api/keys", 1), ("b", "/api/config", 1)]);
    }

    #[test]
    fn a_flood_of_combinations_is_counted_and_bounded() {
        let mut waiting = Vec::new();
        for n in 0..10_000 {
            count(&mut waiting, denied("a", &format!("/{n}")));
        }
        assert_eq!(waiting.len(), COMBINATIONS_MAX + 1);
        assert_eq!(waiting.iter().map(|denied| denied.count).sum::<u64>(), 10_000);
        let many = waiting.last().unwrap();
        assert_eq!((many.route.as_str(), &many.key_id), (ANY, &None));
    }
}
