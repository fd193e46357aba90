//! Checks regularly whether the store can be read.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use countersign_store::{EventQuery, Store, StoreError};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// The time between two checks.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// A store that takes longer than this to read one row counts as slow.
const READ_LIMIT: Duration = Duration::from_secs(2);

/// The result of the last check. Probes read it, so that they never wait for a store that is busy or failing.
#[derive(Default)]
pub(crate) struct StoreWatch(Mutex<StoreCheck>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum StoreCheck {
    #[default]
    Works,
    Slow,
    Fails(String),
}

impl StoreWatch {
    /// Reads one row every second until told to stop.
    pub(crate) async fn run(&self, store: &Store, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            let newest = EventQuery { from_seq: store.known_size().saturating_sub(1), limit: 1, ..Default::default() };
            let check = match timeout(READ_LIMIT, store.events(newest)).await {
                Ok(Ok(_)) => StoreCheck::Works,
                Ok(Err(StoreError::Busy)) | Err(_) => StoreCheck::Slow,
                Ok(Err(error)) => StoreCheck::Fails(error.to_string()),
            };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = check;
            stop.run_until_cancelled(sleep(CHECK_EVERY)).await;
        }
    }

    pub(crate) fn last(&self) -> StoreCheck {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
