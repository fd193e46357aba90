//! The client side of witnesses: sends every signed checkpoint to each witness and stores the cosignatures.
//!
//! | file         | job                                                              |
//! |--------------|------------------------------------------------------------------|
//! | `client.rs`  | sends a checkpoint to one witness and interprets the response    |
//! | `status.rs`  | the state of each witness, and whether enough of them cosign     |
//! | `publish.rs` | publishes checkpoints to a URL or a file                         |
//! | `record.rs`  | records some cosignatures as `CHECKPOINT_WITNESSED` events       |
//!
//! Appends never wait for witnesses or publishing.

mod client;
mod publish;
mod record;
mod status;

use std::{sync::Arc, time::Duration};

use countersign_config::{LedgerConfig, OnMissingWitness};
use countersign_outbound::SetupError;
use countersign_store::Store;
use futures_util::future::join_all;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use self::{
    client::{CosignedCheckpoint, WitnessClient},
    publish::Publisher,
    record::EventPolicy,
};

pub(crate) use client::{COSIGNATURE_AGE_S_MAX, fetch_last};
pub(crate) use status::{PublishStatus, WitnessState, WitnessStatus, WitnessStatuses};

/// Required witnesses get this long to cosign before the server starts.
const START_WITHIN: Duration = Duration::from_secs(20);
/// The minimum time between two checkpoints sent to a witness.
const BETWEEN_SUBMISSIONS: Duration = Duration::from_secs(1);
/// Without new checkpoints, the newest is cosigned again after this time, so that we notice a witness that is down.
const RESUBMIT_AFTER: Duration = Duration::from_secs(300);
const RETRY_FIRST: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_secs(30);
/// The time for cosigning and publishing the last checkpoint during a stop.
const LAST_WITHIN: Duration = Duration::from_secs(1);

/// The witnesses of a log, and where its checkpoints are published. Clones share the state.
#[derive(Clone)]
pub(crate) struct Witnesses {
    clients: Vec<Arc<WitnessClient>>,
    publisher: Option<Arc<Publisher>>,
    pub(crate) statuses: WitnessStatuses,
}

impl Witnesses {
    pub(crate) fn new(config: &LedgerConfig) -> Result<Self, SetupError> {
        let clients = config.witnesses.iter().map(|witness| WitnessClient::new(witness).map(Arc::new));
        let clients: Vec<_> = clients.collect::<Result<_, _>>()?;
        let publisher = config.publish.as_ref().map(|to| Publisher::new(to).map(Arc::new)).transpose()?;
        Ok(Self { clients, publisher, statuses: WitnessStatuses::new(config) })
    }

    /// If the configuration requires witnesses, waits until enough of them have cosigned the current log. Returns the reason if
    /// they haven't in time.
    pub(crate) async fn require(&self, store: &Store) -> Result<(), String> {
        if self.statuses.required() == 0 || self.statuses.on_missing() == OnMissingWitness::Warn {
            return Ok(());
        }
        let asking = self.clients.iter().enumerate().map(|(at, client)| async move {
            let mut wait = RETRY_FIRST;
            while self.submit(at, client, store).await.is_none() {
                if self.statuses.is_final(at) {
                    return;
                }
                sleep(wait).await;
                wait = (wait * 2).min(RETRY_MAX);
            }
        });
        // On a time-out, the witnesses that have cosigned still count.
        let _ = timeout(START_WITHIN, join_all(asking)).await;
        self.statuses.missing().map_or(Ok(()), Err)
    }

    /// Whether there is neither a witness nor a place to publish to.
    pub(crate) fn is_idle(&self) -> bool {
        self.clients.is_empty() && self.publisher.is_none()
    }

    /// Sends every checkpoint to all witnesses, and publishes it, until told to stop.
    pub(crate) async fn run(self, store: Store, stop: CancellationToken) {
        let following = self.clients.iter().enumerate().map(|(at, client)| self.follow(at, client, &store, &stop));
        let publishing = self.publisher.iter().map(|publisher| publisher.run(&store, &self.statuses, &stop));
        tokio::join!(join_all(following), join_all(publishing));
    }

    /// During a stop, has the last checkpoint cosigned and published if that is quick. It stays the newest until the next start.
    pub(crate) async fn finish(&self, store: &Store) {
        let asking = self.clients.iter().enumerate().map(|(at, client)| self.submit(at, client, store));
        let publishing = self.publisher.iter().map(|publisher| publisher.publish_newest(store, &self.statuses));
        let _ = timeout(LAST_WITHIN, async { tokio::join!(join_all(asking), join_all(publishing)) }).await;
    }

    async fn follow(&self, at: usize, client: &WitnessClient, store: &Store, stop: &CancellationToken) {
        let mut head = store.signed_head();
        let mut wait = RETRY_FIRST;
        let mut events = EventPolicy::new(self.clients.len());
        loop {
            head.mark_unchanged();
            let pause = match stop.run_until_cancelled(self.submit(at, client, store)).await {
                None => return,
                Some(Some(cosigned)) => {
                    events.consider(store, client.name(), &cosigned).await;
                    wait = RETRY_FIRST;
                    BETWEEN_SUBMISSIONS
                }
                Some(None) => {
                    let now = wait;
                    wait = (wait * 2).min(RETRY_MAX);
                    now
                }
            };
            let is_current = wait == RETRY_FIRST;
            tokio::select! {
                () = stop.cancelled() => return,
                () = sleep(pause) => {}
            }
            // After a failure, retry now. After a success, wait for the next checkpoint.
            if is_current {
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = sleep(RESUBMIT_AFTER) => {}
                    changed = head.changed() => if changed.is_err() { return },
                }
            }
        }
    }

    /// Asks a witness to cosign the newest checkpoint. `None` if it did not.
    async fn submit(&self, at: usize, client: &WitnessClient, store: &Store) -> Option<CosignedCheckpoint> {
        let outcome = client.submit(store, self.statuses.last_size(at)).await;
        self.statuses.record(at, &outcome);
        outcome.ok()
    }
}
