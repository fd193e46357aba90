//! Follows the log from where it stands and hands its spans over. What finds no room is dropped: the log waits for nobody.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use countersign_domain::StoredEvent;
use countersign_store::{EventQuery, Store, StoreError};
use tokio::{sync::mpsc, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    SpanCounts,
    otlp::Span,
    spans::{TYPES, spans},
};

/// Events read from the database at once; an exchange has fewer.
const PAGE_EVENTS: usize = 256;
/// Each look is a read, and batches wait for longer than this.
const LOOKS_APART: Duration = Duration::from_millis(100);
const AFTER_FAILURE: Duration = Duration::from_secs(1);

pub(super) struct Follower {
    store: Store,
    waiting: mpsc::Sender<Span>,
    counts: Arc<SpanCounts>,
    next_seq: u64,
}

impl Follower {
    pub(super) fn new(store: Store, waiting: mpsc::Sender<Span>, counts: Arc<SpanCounts>) -> Self {
        let next_seq = store.known_size();
        Self { store, waiting, counts, next_seq }
    }

    /// Until told to stop, and then to the log's end once more.
    pub(super) async fn run(mut self, stop: &CancellationToken) {
        let mut head = self.store.head();
        loop {
            let is_stopped = stop.is_cancelled();
            let pause = match self.catch_up().await {
                Ok(()) => LOOKS_APART,
                Err(error) => {
                    tracing::warn!(%error, "the log could not be read for traces");
                    AFTER_FAILURE
                }
            };
            if is_stopped {
                return;
            }
            let next_seq = self.next_seq;
            let grown = async {
                sleep(pause).await;
                head.wait_for(|size| *size > next_seq).await.is_ok()
            };
            // `false`: the store has been closed, and nothing more will come.
            if stop.run_until_cancelled(grown).await == Some(false) {
                return;
            }
        }
    }

    async fn catch_up(&mut self) -> Result<(), StoreError> {
        loop {
            // Before the read, which then is certain to see everything up to here.
            let head = self.store.known_size();
            if self.next_seq >= head {
                return Ok(());
            }
            let types = TYPES.to_vec();
            let query = EventQuery { from_seq: self.next_seq, types, correlation_id: None, limit: PAGE_EVENTS };
            let mut events = self.store.events(query).await?;
            let is_last = events.len() < PAGE_EVENTS;
            if !is_last {
                leave_whole(&mut events);
            }
            let after_last = events.last().map_or(0, |event| event.seq + 1);
            self.next_seq = if is_last { head.max(after_last) } else { after_last };
            hand_over(spans(&events), &self.waiting, &self.counts);
        }
    }
}

fn hand_over(spans: Vec<Span>, waiting: &mpsc::Sender<Span>, counts: &SpanCounts) {
    for span in spans {
        counts.made.fetch_add(1, Ordering::Relaxed);
        if waiting.try_send(span).is_err() {
            counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Leaves the last exchange for the next page: its events may go on there, and are understood together.
fn leave_whole(events: &mut Vec<StoredEvent>) {
    let Some(last) = events.last().map(|event| event.correlation_id) else { return };
    let whole = events.iter().rposition(|event| event.correlation_id != last);
    // A page of nothing else is taken as it is.
    if let Some(index) = whole {
        events.truncate(index + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::{otlp::Place, spans::tests::called};

    #[test]
    fn spans_that_find_no_room_are_dropped_and_counted() {
        let (waiting, mut spans) = mpsc::channel(2);
        let counts = SpanCounts::default();
        let span = Span::new(&Place { trace: [1; 16], span: [1; 8], parent: None }, 1, "x", 0, 0);
        hand_over(vec![span; 5], &waiting, &counts);
        assert_eq!((counts.dropped(), counts.open()), (3, 2));
        assert!(spans.try_recv().is_ok() && spans.try_recv().is_ok() && spans.try_recv().is_err());
    }

    #[test]
    fn an_exchange_is_not_cut_at_the_end_of_a_page() {
        let check = |logs: &[u8], left: usize| {
            let mut events: Vec<_> = logs.iter().map(|log| called(*log, "worker", 1, "ok", 0)).collect();
            leave_whole(&mut events);
            assert_eq!(events.len(), left, "{logs:?}");
        };
        check(&[1, 2, 2], 1);
        check(&[1, 2, 1], 2);
        check(&[1, 1], 2);
        check(&[], 0);
    }
}
