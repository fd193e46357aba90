//! Watches whether the store can be read.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use countersign_store::{EventQuery, Store, StoreError};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How often the store is looked at.
const LOOKS_APART: Duration = Duration::from_secs(1);
/// A store that takes longer for one row is slow.
const READ_LIMIT: Duration = Duration::from_secs(2);

/// How the last look at the store went. Probes read this, so that none waits for a store that is busy or in trouble.
#[derive(Default)]
pub(crate) struct StoreWatch(Mutex<Reading>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Reading {
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
            let reading = match timeout(READ_LIMIT, store.events(newest)).await {
                Ok(Ok(_)) => Reading::Works,
                Ok(Err(StoreError::Busy)) | Err(_) => Reading::Slow,
                Ok(Err(error)) => Reading::Fails(error.to_string()),
            };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = reading;
            stop.run_until_cancelled(sleep(LOOKS_APART)).await;
        }
    }

    pub(crate) fn last(&self) -> Reading {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
