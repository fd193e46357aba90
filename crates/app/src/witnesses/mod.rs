//! The log's witnesses: every signed checkpoint is sent to each of them, and what they answer is kept.
//!
//! | file         | job                                                              |
//! |--------------|------------------------------------------------------------------|
//! | `client.rs`  | one witness: sending a checkpoint, and what the answer means     |
//! | `status.rs`  | how each of them stands, and whether enough of them cosign       |
//! | `publish.rs` | checkpoints for a web address or a file                          |
//! | `record.rs`  | `CHECKPOINT_WITNESSED` events, now and then                      |
//!
//! Nothing here holds up an append.

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
    client::{Client, Cosigned},
    publish::Publisher,
    record::Record,
};

pub(crate) use client::{COSIGNATURE_AGE_S_MAX, fetch_last};
pub(crate) use status::{PublishStatus, Standing, Statuses, WitnessStatus};

/// Required witnesses get this long to cosign before the server starts.
const START_WITHIN: Duration = Duration::from_secs(20);
/// Sooner than this after a checkpoint was cosigned no other is sent.
const BETWEEN: Duration = Duration::from_secs(1);
/// Without new checkpoints the newest is cosigned again after so long: a witness that went away is noticed.
const AGAIN_AFTER: Duration = Duration::from_secs(300);
const RETRY_FIRST: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_secs(30);
/// At the end of a stop, for the last checkpoint.
const LAST_WITHIN: Duration = Duration::from_secs(1);

/// The witnesses of a log, and where its checkpoints are published. Clones share the statuses.
#[derive(Clone)]
pub(crate) struct Witnesses {
    clients: Vec<Arc<Client>>,
    publisher: Option<Arc<Publisher>>,
    pub(crate) statuses: Statuses,
}

impl Witnesses {
    pub(crate) fn new(config: &LedgerConfig) -> Result<Self, SetupError> {
        let clients = config.witnesses.iter().map(|witness| Client::new(witness).map(Arc::new));
        let clients: Vec<_> = clients.collect::<Result<_, _>>()?;
        let publisher = config.publish.as_ref().map(|to| Publisher::new(to).map(Arc::new)).transpose()?;
        Ok(Self { clients, publisher, statuses: Statuses::new(config) })
    }

    /// Where a missing witness is a refusal: waits until as many as required have cosigned the log as it stands. The reason,
    /// if they don't.
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
        // Those that have cosigned count, even if others have not answered by then.
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

    /// Has the last checkpoint before a stop cosigned and published, if that goes quickly: it has to last until the next
    /// start.
    pub(crate) async fn finish(&self, store: &Store) {
        let asking = self.clients.iter().enumerate().map(|(at, client)| self.submit(at, client, store));
        let publishing = self.publisher.iter().map(|publisher| publisher.publish_newest(store, &self.statuses));
        let _ = timeout(LAST_WITHIN, async { tokio::join!(join_all(asking), join_all(publishing)) }).await;
    }

    async fn follow(&self, at: usize, client: &Client, store: &Store, stop: &CancellationToken) {
        let mut head = store.signed_head();
        let mut wait = RETRY_FIRST;
        let mut record = Record::new(self.clients.len());
        loop {
            head.mark_unchanged();
            let pause = match stop.run_until_cancelled(self.submit(at, client, store)).await {
                None => return,
                Some(Some(cosigned)) => {
                    record.consider(store, client.name(), &cosigned).await;
                    wait = RETRY_FIRST;
                    BETWEEN
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
            // After a failure the pause was the wait; after a success the next checkpoint is waited for.
            if is_current {
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = sleep(AGAIN_AFTER) => {}
                    changed = head.changed() => if changed.is_err() { return },
                }
            }
        }
    }

    /// Asks a witness to cosign the newest checkpoint; `None` if it did not.
    async fn submit(&self, at: usize, client: &Client, store: &Store) -> Option<Cosigned> {
        let outcome = client.submit(store, self.statuses.last_size(at)).await;
        self.statuses.record(at, &outcome);
        outcome.ok()
    }
}
