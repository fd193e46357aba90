//! Cosignatures as events of the log itself.
//!
//! Every such event makes a new checkpoint, which is cosigned again. An event for each cosignature would therefore make the log
//! grow for ever. So one is recorded when the server starts, and later at most every ten minutes, if the log has grown by
//! more than these events.

use std::time::Duration;

use countersign_domain::{NewEvent, Time, payload::CheckpointWitnessed};
use countersign_store::{Store, StoreError};
use tokio::time::Instant;

use super::client::Cosigned;

const RECORD_EVERY: Duration = Duration::from_secs(600);

/// Decides when a witness's cosignature is recorded as an event.
pub(super) struct Record {
    last: Option<Recorded>,
    /// Each witness may have added one event of this type since then.
    witnesses: u64,
}

struct Recorded {
    at: Instant,
    size: u64,
}

impl Record {
    pub(super) fn new(witnesses: usize) -> Self {
        Self { last: None, witnesses: witnesses as u64 }
    }

    /// Appends an event about this cosignature if one is due. A failure is logged: the cosignature itself is stored already.
    pub(super) async fn consider(&mut self, store: &Store, witness: &str, cosigned: &Cosigned) {
        if !self.is_due(cosigned.size) {
            return;
        }
        self.last = Some(Recorded { at: Instant::now(), size: cosigned.size });
        if let Err(error) = append(store, witness, cosigned).await {
            tracing::warn!(%error, witness, "a cosignature could not be recorded as an event");
        }
    }

    fn is_due(&self, size: u64) -> bool {
        self.last.as_ref().is_none_or(|last| last.at.elapsed() >= RECORD_EVERY && size > last.size + self.witnesses)
    }
}

async fn append(store: &Store, witness: &str, cosigned: &Cosigned) -> Result<(), StoreError> {
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
    async fn a_cosignature_is_recorded_at_the_start_and_then_only_of_a_log_that_grew_by_itself() {
        let mut record = Record::new(2);
        assert!(record.is_due(0));
        record.last = Some(Recorded { at: Instant::now(), size: 10 });
        assert!(!record.is_due(1_000), "too soon");
        tokio::time::advance(RECORD_EVERY).await;
        assert!(!record.is_due(12), "grown by the events of two witnesses");
        assert!(record.is_due(13));
    }
}
