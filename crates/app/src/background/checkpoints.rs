//! Signs a checkpoint soon after the log has grown.

use std::time::Duration;

use countersign_store::Store;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// A checkpoint is due within a second of an append. Half a second leaves room for the signing itself.
const SIGN_AFTER: Duration = Duration::from_millis(500);

/// Signs until told to stop. The last checkpoint is signed by `Engine::sign_last_checkpoint`, when nothing more is appended.
pub(crate) async fn sign(store: Store, stop: CancellationToken) {
    let mut head = store.head();
    while !stop.is_cancelled() {
        if let Err(error) = store.sign_checkpoint().await {
            tracing::error!(%error, "could not sign a checkpoint");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(SIGN_AFTER) => {}
        }
        tokio::select! {
            () = stop.cancelled() => return,
            changed = head.wait_for(|size| *size != store.signed_size()) => if changed.is_err() { return },
        }
    }
}
