//! Counts calls, and notifies waiting tests of every change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(crate) struct ServerCounts {
    pub(crate) received: AtomicU64,
    pub(crate) open: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) body_bytes: AtomicU64,
    /// While the server stops, a dropped call does not count as cancelled by its caller.
    pub(crate) is_stopping: AtomicBool,
    pub(crate) changed: Notify,
}

/// A call that is being answered. If it is dropped before `finish`, its caller disconnected.
#[derive(Debug)]
pub(crate) struct OpenCall {
    counts: Arc<ServerCounts>,
    is_finished: bool,
}

impl OpenCall {
    pub(crate) fn new(counts: &Arc<ServerCounts>) -> Self {
        counts.open.fetch_add(1, SeqCst);
        counts.changed.notify_waiters();
        Self { counts: Arc::clone(counts), is_finished: false }
    }

    pub(crate) fn count_bytes(&self, bytes: usize) {
        self.counts.body_bytes.fetch_add(bytes as u64, SeqCst);
    }

    pub(crate) fn finish(&mut self) {
        self.is_finished = true;
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        if !self.is_finished && !self.counts.is_stopping.load(SeqCst) {
            self.counts.cancelled.fetch_add(1, SeqCst);
        }
        self.counts.open.fetch_sub(1, SeqCst);
        self.counts.changed.notify_waiters();
    }
}
