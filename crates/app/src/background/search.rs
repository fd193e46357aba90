//! Keeps the search index up to date with the log.

use std::time::Duration;

use countersign_store::Store;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// Other work needs the processor too, and nobody waits for the index.
const BETWEEN_STEPS: Duration = Duration::from_millis(20);
/// Large batches cost less, and a search may miss the last second.
const INDEX_AFTER: Duration = Duration::from_secs(1);

/// Indexes until told to stop.
pub(crate) async fn index(store: Store, stop: CancellationToken) {
    let mut head = store.head();
    loop {
        match stop.run_until_cancelled(store.index_logs_step()).await {
            None => return,
            Some(Ok(true)) => {
                sleep(BETWEEN_STEPS).await;
                continue;
            }
            Some(Ok(false)) => {}
            Some(Err(error)) => tracing::warn!(%error, "could not update the search index"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            changed = head.changed() => if changed.is_err() { return },
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(INDEX_AFTER) => {}
        }
    }
}
