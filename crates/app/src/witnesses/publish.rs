//! Publishes signed checkpoints to a URL or an append-only file, for installations without a witness.
//!
//! If checkpoints can't be published as fast as they are signed, only the newest is published: it covers the same events.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use countersign_config::PublishTarget;
use countersign_outbound::{Endpoint, SetupError};
use countersign_store::Store;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{RETRY_FIRST, RETRY_MAX, WitnessStatuses};

const TIMEOUT: Duration = Duration::from_secs(10);

pub(super) enum Publisher {
    Webhook(Box<Endpoint>),
    File(PathBuf),
}

impl Publisher {
    pub(super) fn new(publish: &PublishTarget) -> Result<Self, SetupError> {
        match publish {
            PublishTarget::File(path) => Ok(Self::File(path.clone())),
            PublishTarget::Webhook(url) => {
                let path = if url.ends_with('/') { "/" } else { "" };
                let headers = &[("content-type", "text/plain; charset=utf-8")];
                let endpoint = Endpoint::new("ledger.publish", url, path, headers, TIMEOUT)?;
                Ok(Self::Webhook(Box::new(endpoint)))
            }
        }
    }

    pub(super) async fn run(&self, store: &Store, statuses: &WitnessStatuses, stop: &CancellationToken) {
        let mut head = store.signed_head();
        let mut wait = RETRY_FIRST;
        loop {
            head.mark_unchanged();
            if self.publish_newest(store, statuses).await {
                wait = RETRY_FIRST;
                tokio::select! {
                    () = stop.cancelled() => return,
                    changed = head.changed() => if changed.is_err() { return },
                }
            } else {
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = sleep(wait) => wait = (wait * 2).min(RETRY_MAX),
                }
            }
        }
    }

    /// Publishes the newest checkpoint unless it has been published. Returns whether it is published now.
    pub(super) async fn publish_newest(&self, store: &Store, statuses: &WitnessStatuses) -> bool {
        let size = store.signed_size();
        let Some(note) = store.checkpoint().filter(|_| statuses.published_size() != Some(size)) else { return true };
        let outcome = self.publish(&note).await;
        let is_published = outcome.is_ok();
        statuses.record_publish(outcome.map(|()| size));
        is_published
    }

    async fn publish(&self, note: &str) -> Result<(), String> {
        match self {
            Self::Webhook(endpoint) => match endpoint.post_for_status(note.to_owned(), &[]).await {
                Ok(200..=299) => Ok(()),
                Ok(status) => Err(format!("it answers with status {status}")),
                Err(error) => Err(error.to_string()),
            },
            Self::File(path) => {
                let (path, note) = (path.clone(), note.to_owned());
                let written = tokio::task::spawn_blocking(move || append(&path, &note)).await;
                written.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
            }
        }
    }
}

/// Appends a note, with empty lines around it. The file is opened for each note, so that it can be rotated at any time.
fn append(path: &Path, note: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    // Use one write, so that a crash leaves at most one incomplete note. The newline before the note ends an incomplete one.
    file.write_all(format!("\n{note}\n").as_bytes())?;
    file.sync_data()
}
