//! Refusals as events: one at once, then at most one every ten seconds that says how many there were.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use countersign_domain::{NewEvent, payload::AccessDenied};
use countersign_store::{Store, StoreError};
use tokio::{sync::Notify, time::sleep};
use tokio_util::sync::CancellationToken;

const APART: Duration = Duration::from_secs(10);

#[derive(Default)]
pub(crate) struct Denials {
    /// The newest, with the count of all that have not been written yet.
    waiting: Mutex<Option<AccessDenied>>,
    wake: Notify,
}

impl Denials {
    pub(crate) fn add(&self, denied: AccessDenied) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = waiting.as_ref().map_or(0, |denied| denied.count);
        *waiting = Some(AccessDenied { count: earlier + denied.count, ..denied });
        drop(waiting);
        self.wake.notify_one();
    }

    /// Writes them down until told to stop, and then what is left.
    pub(crate) async fn run(&self, store: &Store, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.wake.notified() => {}
            }
            self.write(store).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(APART) => {}
            }
        }
        self.write(store).await;
    }

    async fn write(&self, store: &Store) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(denied) = waiting else { return };
        if let Err(error) = append(store, denied).await {
            tracing::warn!(%error, "a refusal could not be written down");
        }
    }
}

async fn append(store: &Store, denied: AccessDenied) -> Result<(), StoreError> {
    let seams = store.seams();
    let at = denied.denied_at;
    let event = NewEvent::new(seams.event_id(), denied, at, "guard", seams.correlation_id())?;
    store.append(vec![event]).await.map(|_| ())
}
