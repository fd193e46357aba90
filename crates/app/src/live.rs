//! The live end of the log, read once for all live clients.
//!
//! One task follows the log and sends messages about its events into a ring. A client subscribes first, then reads the
//! database up to its end, then follows the ring and skips the events that it has seen. So it misses nothing: an event that was
//! sent into the ring before the subscription was durable before it, so the read that follows finds it.
//!
//! While there are no clients, the log is not read. The task checks the log's size before it checks for clients: a client that
//! subscribes too late to be counted reads the database after that, and finds everything up to that size.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::extract::ws::Utf8Bytes;
use countersign_config::LiveConfig;
use countersign_domain::{EventType, StoredEvent};
use countersign_store::{EventQuery, Store, StoreError};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::{
    sync::{Semaphore, broadcast},
    time::{Instant, MissedTickBehavior, interval, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::masking::masked_message;

/// The maximum number of events read from the database at once.
pub(crate) const PAGE_EVENTS: usize = 256;
/// The log may grow a thousand times a second. No one needs messages that often, and each check reads the database.
const CHECK_EVERY: Duration = Duration::from_millis(10);
const CHECKPOINT_CHECK_EVERY: Duration = Duration::from_millis(250);

/// The type of a live message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LiveKind {
    Log,
    Alert,
    Report,
    Validation,
    Review,
    Investigation,
    Agent,
    Ledger,
    Cursor,
    Resync,
}

/// The events that live clients get, each with the type of its message.
const LIVE_EVENTS: [(EventType, LiveKind); 17] = [
    (EventType::FraudAlertCreated, LiveKind::Alert),
    (EventType::InvestigationCreated, LiveKind::Investigation),
    (EventType::InvestigationAssigned, LiveKind::Investigation),
    (EventType::SupervisorReviewRequested, LiveKind::Investigation),
    (EventType::SupervisorReviewCompleted, LiveKind::Investigation),
    (EventType::AnomalyFlagged, LiveKind::Investigation),
    (EventType::ReportGenerated, LiveKind::Report),
    (EventType::ReportFailed, LiveKind::Report),
    (EventType::ReportApproved, LiveKind::Validation),
    (EventType::ReportNeedsReview, LiveKind::Validation),
    (EventType::ReviewDecided, LiveKind::Review),
    (EventType::ReportAddendumAdded, LiveKind::Investigation),
    (EventType::AuditLogCreated, LiveKind::Log),
    (EventType::AgentStarted, LiveKind::Agent),
    (EventType::AgentStopped, LiveKind::Agent),
    (EventType::EventDeadLettered, LiveKind::Agent),
    (EventType::DeadLetterChanged, LiveKind::Agent),
];

/// A position in one log: how many of its events the client has passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LiveCursor {
    pub(crate) log: String,
    pub(crate) passed: u64,
}

impl fmt::Display for LiveCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.log, self.passed)
    }
}

impl LiveCursor {
    /// `None` if no server can have sent this.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (log, passed) = text.split_once('.')?;
        let is_log = (1..=64).contains(&log.len()) && log.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let is_number = !passed.is_empty() && passed.bytes().all(|b| b.is_ascii_digit());
        let passed = passed.parse::<i64>().ok().filter(|_| is_number)?;
        Some(Self { log: log.to_owned(), passed: u64::try_from(passed).ok().filter(|_| is_log)? })
    }
}

/// A message in the ring.
#[derive(Clone)]
pub(crate) enum LiveUpdate {
    /// An event at this position.
    Event { seq: u64, message: Arc<EventMessage> },
    /// A new checkpoint. Each client receives it with its own last cursor.
    Checkpoint(Arc<RawValue>),
}

/// The message about an event, in full and with customers' data masked.
pub(crate) struct EventMessage {
    full: Utf8Bytes,
    /// Created when the first client needs it. Most servers never have such a client.
    masked: OnceLock<Utf8Bytes>,
}

impl EventMessage {
    fn new(full: String) -> Self {
        Self { full: full.into(), masked: OnceLock::new() }
    }

    pub(crate) fn text(&self, is_masked: bool) -> Utf8Bytes {
        if !is_masked {
            return self.full.clone();
        }
        self.masked.get_or_init(|| masked_message(&self.full).into()).clone()
    }
}

/// A message of a live connection.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct LiveMessage<'a> {
    r#type: LiveKind,
    /// Pass it as `after` to resume after this message.
    cursor: &'a str,
    /// The type of the event, if the message is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "AUDIT_LOG_CREATED")]
    event_type: Option<&'a str>,
    /// The row as lists show it: an audit log, an alert, a report, a validation, a review or an investigation. If no list has a
    /// row for the event, its payload. For a `ledger` message, `{"size", "root", "checkpoint"}`. Null if it was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    data: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct CheckpointData<'a> {
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    checkpoint: &'a str,
}

/// Builds the row that lists show for an event, as JSON. `None` if no list has a row for it, or if the row no longer exists.
///
/// The HTTP routes own these rows, so they pass this function in.
pub(crate) type RowOfEvent = for<'a> fn(&'a Store, &'a StoredEvent) -> RowFuture<'a>;
pub(crate) type RowFuture<'a> = Pin<Box<dyn Future<Output = Result<Option<Box<RawValue>>, StoreError>> + Send + 'a>>;

/// The live end of the log. Clones share it.
#[derive(Clone)]
pub(crate) struct Hub(Arc<HubInner>);

struct HubInner {
    store: Store,
    log: String,
    row_of_event: RowOfEvent,
    ring: broadcast::Sender<LiveUpdate>,
    /// All events before this position were sent through the ring, or no client was connected when they came.
    passed: AtomicU64,
    permits: Arc<Semaphore>,
}

impl Hub {
    pub(crate) fn new(store: Store, settings: &LiveConfig, row_of_event: RowOfEvent) -> Self {
        let origin = store.verifying_key().name().to_owned();
        let log = origin.rsplit('/').next().unwrap_or_default().to_owned();
        let passed = AtomicU64::new(store.known_size());
        let permits = Arc::new(Semaphore::new(settings.clients_max));
        let (ring, _) = broadcast::channel(settings.queue_messages_max);
        Self(Arc::new(HubInner { store, log, row_of_event, ring, passed, permits }))
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<LiveUpdate> {
        self.0.ring.subscribe()
    }

    /// One permit for each connection.
    pub(crate) fn permits(&self) -> &Arc<Semaphore> {
        &self.0.permits
    }

    pub(crate) fn size(&self) -> u64 {
        self.0.store.known_size()
    }

    pub(crate) fn log(&self) -> &str {
        &self.0.log
    }

    pub(crate) fn cursor(&self, passed: u64) -> LiveCursor {
        LiveCursor { log: self.0.log.clone(), passed }
    }

    /// The position that the ring has reached. A client that reads this and then drains its receiver has seen all events before it.
    pub(crate) fn passed(&self) -> u64 {
        self.0.passed.load(Ordering::Acquire)
    }

    /// A message that is not about an event.
    pub(crate) fn message(&self, kind: LiveKind, passed: u64, data: Option<&RawValue>) -> String {
        self.render(kind, passed, None, data)
    }

    fn render(&self, kind: LiveKind, passed: u64, event_type: Option<&str>, data: Option<&RawValue>) -> String {
        let cursor = self.cursor(passed).to_string();
        // Serialising three strings and raw JSON can't fail.
        serde_json::to_string(&LiveMessage { r#type: kind, cursor: &cursor, event_type, data }).unwrap_or_default()
    }

    async fn event_message(&self, event: &StoredEvent) -> Result<Option<String>, StoreError> {
        let parsed = EventType::parse(&event.event_type);
        let live = LIVE_EVENTS.iter().find(|(event_type, _)| Some(*event_type) == parsed);
        let Some((event_type, kind)) = live else { return Ok(None) };
        let row = (self.0.row_of_event)(&self.0.store, event).await?;
        let data = row.as_deref().or(event.payload.as_deref()).unwrap_or(RawValue::NULL);
        Ok(Some(self.render(*kind, event.seq + 1, Some(event_type.as_str()), Some(data))))
    }

    /// Up to `PAGE_EVENTS` messages from a position on, and the position after them.
    pub(crate) async fn page(&self, from: u64) -> Result<MessagePage, StoreError> {
        // Take the size before the read, which is then certain to see every event up to it. The read may see later events. They
        // are durable but not announced yet, and a cursor past the announced end would look like one from another log.
        let head = self.0.store.known_size().max(from);
        let types = LIVE_EVENTS.iter().map(|(event_type, _)| *event_type).collect();
        let query = EventQuery { from_seq: from, types, correlation_id: None, limit: PAGE_EVENTS };
        let mut events = self.0.store.events(query).await?;
        events.retain(|event| event.seq < head);
        let is_last = events.len() < PAGE_EVENTS;
        let next = if is_last { head } else { events.last().map_or(head, |event| event.seq + 1) };
        let mut messages = Vec::with_capacity(events.len());
        for event in &events {
            let message = self.event_message(event).await?;
            messages.extend(message.map(|message| (event.seq, EventMessage::new(message))));
        }
        Ok(MessagePage { messages, next, is_last })
    }

    /// Follows the log until told to stop.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut head = self.0.store.head();
        let mut checks = interval(CHECKPOINT_CHECK_EVERY);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut signed = self.0.store.signed_size();
        loop {
            let has_grown = tokio::select! {
                () = stop.cancelled() => return,
                changed = head.changed() => match changed {
                    Ok(()) => true,
                    // The store has been closed, so no more events will follow.
                    Err(_) => return,
                },
                // The ring lags behind only if a read has failed.
                _ = checks.tick() => self.passed() < self.0.store.known_size(),
            };
            if has_grown {
                let started = Instant::now();
                let size = *head.borrow_and_update();
                if let Err(error) = self.tail(size).await {
                    // The next check starts from the same position.
                    tracing::warn!(%error, "live tail: could not read the log");
                }
                sleep(CHECK_EVERY.saturating_sub(started.elapsed())).await;
            }
            let newest = self.0.store.signed_size();
            if newest != signed {
                signed = newest;
                self.send_checkpoint(newest);
            }
        }
    }

    async fn tail(&self, head: u64) -> Result<(), StoreError> {
        if self.0.ring.receiver_count() == 0 {
            self.0.passed.fetch_max(head, Ordering::Release);
            return Ok(());
        }
        loop {
            let page = self.page(self.passed()).await?;
            for (seq, message) in page.messages {
                // This fails only if the last client has just gone.
                let _ = self.0.ring.send(LiveUpdate::Event { seq, message: Arc::new(message) });
            }
            self.0.passed.store(page.next, Ordering::Release);
            if page.is_last {
                return Ok(());
            }
        }
    }

    fn send_checkpoint(&self, size: u64) {
        let Some(note) = self.0.store.checkpoint().filter(|_| self.0.ring.receiver_count() > 0) else { return };
        let root = self.0.store.verifying_key().open(&note).ok().map(|checkpoint| checkpoint.root.to_hex());
        let update = CheckpointData { size, root, checkpoint: &note };
        if let Ok(data) = serde_json::value::to_raw_value(&update) {
            let _ = self.0.ring.send(LiveUpdate::Checkpoint(data.into()));
        }
    }
}

/// Messages read from the database.
pub(crate) struct MessagePage {
    pub(crate) messages: Vec<(u64, EventMessage)>,
    pub(crate) next: u64,
    /// Whether the log ended here when it was read.
    pub(crate) is_last: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let cursor = LiveCursor { log: "0123456789abcdef".into(), passed: 17 };
        assert_eq!(LiveCursor::parse(&cursor.to_string()), Some(cursor));
        for bad in ["", ".", "a", "a.", ".1", "a.-1", "a.+1", "a.1.2", "a b.1", "a.9223372036854775808", "a.x"] {
            assert_eq!(LiveCursor::parse(bad), None, "{bad}");
        }
    }
}
