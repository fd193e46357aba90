//! Records cosignatures as events of the log.
//!
//! Every such event leads to a new checkpoint, which is cosigned again. An event for each cosignature would therefore make the log
//! grow forever. So a cosignature is recorded when the server starts, and later at most every ten minutes if the log has
//! grown by more than these events.

use std::time::Duration;

use countersign_domain::{NewEvent, Time, payload::CheckpointWitnessed};
use countersign_store::{Store, StoreError};
use tokio::time::Instant;

use super::client::CosignedCheckpoint;

const RECORD_EVERY: Duration = Duration::from_secs(600);

/// Decides when a witness's cosignature is recorded as an event.
pub(super) struct EventPolicy {
    last: Option<LastEvent>,
    /// The number of witnesses. Each of them may have caused one of these events since the last one.
    witnesses: u64,
}

struct LastEvent {
    at: Instant,
    size: u64,
}

impl EventPolicy {
    pub(super) fn new(witnesses: usize) -> Self {
        Self { last: None, witnesses: witnesses as u64 }
    }

    /// Appends an event about this cosignature if one is due. A failure is only logged, because the cosignature itself is stored.
    pub(super) async fn consider(&mut self, store: &Store, witness: &str, cosigned: &CosignedCheckpoint) {
        if !self.is_due(cosigned.size) {
            return;
        }
        self.last = Some(LastEvent { at: Instant::now(), size: cosigned.size });
        if let Err(error) = append(store, witness, cosigned).await {
            tracing::warn!(%error, witness, "could not record a cosignature as an event");
        }
    }

    fn is_due(&self, size: u64) -> bool {
        self.last.as_ref().is_none_or(|last| last.at.elapsed() >= RECORD_EVERY && size > last.size + self.witnesses)
    }
}

async fn append(store: &Store, witness: &str, cosigned: &CosignedCheckpoint) -> Result<(), StoreError> {
    let seams = store.seams();
    let now = seams.now();
    let witnessed = CheckpointWitnessed {
        witness: witness.to_owned(),
        size: cosigned.size,
        cosignature: cosigned.cosignature.line.trim_end().to_owned(),
        cosigned_at: cosigned.at().map_or(now, Time::from_timestamp),
    };
    let event = NewEvent::new(seams.event_id(), witnessed, now, "witnesses", seams.correlation_id())?;
    store.append(vec![event]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_cosignature_is_recorded_at_the_start_and_later_only_if_other_events_were_added() {
        let mut policy = EventPolicy::new(2);
        assert!(policy.is_due(0));
        policy.last = Some(LastEvent { at: Instant::now(), size: 10 });
        assert!(!policy.is_due(1_000), "too soon");
        tokio::time::advance(RECORD_EVERY).await;
        assert!(!policy.is_due(12), "grown by the events of two witnesses");
        assert!(policy.is_due(13));
    }
}
