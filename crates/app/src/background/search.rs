//! Keeps the search index up to date with the log.

use std::time::Duration;

use countersign_store::Store;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// The pause between batches, so that indexing doesn't take the CPU from requests.
const BETWEEN_STEPS: Duration = Duration::from_millis(20);
/// The wait after an append, because a few large batches cost less than many small ones. Until then, searches miss the new rows.
const INDEX_AFTER: Duration = Duration::from_secs(1);
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Indexes until told to stop.
pub(crate) async fn index(store: Store, stop: CancellationToken) {
    let mut head = store.head();
    loop {
        match stop.run_until_cancelled(store.index_logs_step()).await {
            None => return,
            // There is more to index.
            Some(Ok(true)) => {
                sleep(BETWEEN_STEPS).await;
                continue;
            }
            Some(Ok(false)) => {}
            Some(Err(error)) => {
                tracing::warn!(%error, "could not update the search index; trying again");
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = sleep(RETRY_AFTER) => continue,
                }
            }
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
