//! Follows the log and queues its spans. Spans that don't fit into the queue are dropped, so that nothing waits for the collector.

use std::{sync::atomic::Ordering, time::Duration};

use countersign_domain::StoredEvent;
use countersign_store::{EventQuery, StoreError};
use tokio::{sync::mpsc, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    ExportState, SpanCounts,
    otlp::Span,
    spans::{TYPES, spans},
};

/// The maximum number of events read from the database at once. An exchange has fewer.
const PAGE_EVENTS: usize = 256;
/// Each check reads the database, and batches wait longer than this anyway.
const CHECK_EVERY: Duration = Duration::from_millis(100);
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Runs until told to stop, and then reads to the end of the log once more.
pub(super) async fn run(shared: &ExportState, queue: mpsc::Sender<Span>, stop: &CancellationToken) {
    let mut head = shared.store.head();
    loop {
        let is_stopped = stop.is_cancelled();
        let pause = match catch_up(shared, &queue).await {
            Ok(()) => CHECK_EVERY,
            Err(error) => {
                tracing::warn!(%error, "trace export: could not read the log");
                RETRY_AFTER
            }
        };
        if is_stopped {
            return;
        }
        let next_seq = shared.next_seq.load(Ordering::Relaxed);
        let grown = async {
            sleep(pause).await;
            head.wait_for(|size| *size > next_seq).await.is_ok()
        };
        // `false` means that the store has been closed, so no more events will follow.
        if stop.run_until_cancelled(grown).await == Some(false) {
            return;
        }
    }
}

async fn catch_up(shared: &ExportState, queue: &mpsc::Sender<Span>) -> Result<(), StoreError> {
    loop {
        // Take the size before the read, which is then certain to see every event up to it.
        let head = shared.store.known_size();
        let next_seq = shared.next_seq.load(Ordering::Relaxed);
        if next_seq >= head {
            return Ok(());
        }
        let types = TYPES.to_vec();
        let query = EventQuery { from_seq: next_seq, types, correlation_id: None, limit: PAGE_EVENTS };
        let mut events = shared.store.events(query).await?;
        let is_last = events.len() < PAGE_EVENTS;
        if !is_last {
            keep_whole_exchanges(&mut events);
        }
        let after_last = events.last().map_or(0, |event| event.seq + 1);
        shared.next_seq.store(if is_last { head.max(after_last) } else { after_last }, Ordering::Relaxed);
        enqueue(spans(&events), queue, &shared.counts);
    }
}

fn enqueue(spans: Vec<Span>, queue: &mpsc::Sender<Span>, counts: &SpanCounts) {
    for span in spans {
        counts.made.fetch_add(1, Ordering::Relaxed);
        if queue.try_send(span).is_err() {
            counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Leaves the last exchange for the next page. Its events may continue there, and they must be converted together.
fn keep_whole_exchanges(events: &mut Vec<StoredEvent>) {
    let Some(last) = events.last().map(|event| event.correlation_id) else { return };
    let whole = events.iter().rposition(|event| event.correlation_id != last);
    // A page with only one exchange is not shortened.
    if let Some(index) = whole {
        events.truncate(index + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::{otlp::SpanIds, spans::tests::called};

    #[test]
    fn spans_that_do_not_fit_are_dropped_and_counted() {
        let (queue, mut spans) = mpsc::channel(2);
        let counts = SpanCounts::default();
        let span = Span::new(&SpanIds { trace: [1; 16], span: [1; 8], parent: None }, 1, "x", 0, 0);
        enqueue(vec![span; 5], &queue, &counts);
        assert_eq!((counts.dropped(), counts.open()), (3, 2));
        assert!(spans.try_recv().is_ok() && spans.try_recv().is_ok() && spans.try_recv().is_err());
    }

    #[test]
    fn an_exchange_is_not_split_at_the_end_of_a_page() {
        let check = |logs: &[u8], left: usize| {
            let mut events: Vec<_> = logs.iter().map(|log| called(*log, "worker", 1, "ok", 0)).collect();
            keep_whole_exchanges(&mut events);
            assert_eq!(events.len(), left, "{logs:?}");
        };
        check(&[1, 2, 2], 1);
        check(&[1, 2, 1], 2);
        check(&[1, 1], 2);
        check(&[], 0);
    }
}
