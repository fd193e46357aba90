//! The end of the log as live clients see it: read once, shared by all.
//!
//! One task follows the log and sends what concerns live clients into a ring. A client subscribes first, then reads the
//! database up to its end, then follows the ring and skips what it has seen. That misses nothing: an event that was in
//! the ring before the subscription was durable before it, so the read that comes after finds it.
//!
//! While nobody listens, the log is not read. Its length is looked at before the listeners are: whoever subscribes too
//! late to be noticed reads the database later than that, and finds everything up to there.

use std::{
    fmt,
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

use crate::{
    http::routes::{logs, news},
    masking::masked_message,
};

/// Events read from the database at once.
pub(crate) const PAGE_EVENTS: usize = 256;
/// The log may grow a thousand times a second; nobody watches that fast, and each look is a read.
const LOOKS_APART: Duration = Duration::from_millis(10);
const CHECKPOINT_LOOKS_APART: Duration = Duration::from_millis(250);

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LiveKind)]
pub(crate) enum Kind {
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

/// What live clients are told about, and under which name.
const TOLD: [(EventType, Kind); 17] = [
    (EventType::FraudAlertCreated, Kind::Alert),
    (EventType::InvestigationCreated, Kind::Investigation),
    (EventType::InvestigationAssigned, Kind::Investigation),
    (EventType::SupervisorReviewRequested, Kind::Investigation),
    (EventType::SupervisorReviewCompleted, Kind::Investigation),
    (EventType::AnomalyFlagged, Kind::Investigation),
    (EventType::ReportGenerated, Kind::Report),
    (EventType::ReportFailed, Kind::Report),
    (EventType::ReportApproved, Kind::Validation),
    (EventType::ReportNeedsReview, Kind::Validation),
    (EventType::ReviewDecided, Kind::Review),
    (EventType::ReportAddendumAdded, Kind::Investigation),
    (EventType::AuditLogCreated, Kind::Log),
    (EventType::AgentStarted, Kind::Agent),
    (EventType::AgentStopped, Kind::Agent),
    (EventType::EventDeadLettered, Kind::Agent),
    (EventType::DeadLetterChanged, Kind::Agent),
];

/// A place in one log: how many of its events have been passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) log: String,
    pub(crate) passed: u64,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.log, self.passed)
    }
}

impl Cursor {
    /// `None` if nobody can have been given this.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (log, passed) = text.split_once('.')?;
        let is_log = (1..=64).contains(&log.len()) && log.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let is_number = !passed.is_empty() && passed.bytes().all(|b| b.is_ascii_digit());
        let passed = passed.parse::<i64>().ok().filter(|_| is_number)?;
        Some(Self { log: log.to_owned(), passed: u64::try_from(passed).ok().filter(|_| is_log)? })
    }
}

/// What goes through the ring.
#[derive(Clone)]
pub(crate) enum News {
    /// An event at this position.
    Event { seq: u64, message: Arc<EventMessage> },
    /// A new checkpoint. Each client gets it with its own last cursor.
    Checkpoint(Arc<RawValue>),
}

/// The message about an event, for clients who may read customers' data and for those who may not.
pub(crate) struct EventMessage {
    full: Utf8Bytes,
    /// Made when the first client asks for it: most servers have none that does.
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

/// One message.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LiveMessage)]
pub(crate) struct Message<'a> {
    r#type: Kind,
    /// Where to go on from after this message.
    cursor: &'a str,
    /// Of messages about an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "AUDIT_LOG_CREATED")]
    event_type: Option<&'a str>,
    /// The row that lists show: a log, an alert, a report, a validation, a review or an investigation; the event's payload
    /// where no list has a row; `{"size", "root", "checkpoint"}` of a `ledger` message. Null if it was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    data: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct CheckpointNews<'a> {
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    checkpoint: &'a str,
}

/// The log's end, for whoever wants to follow it.
#[derive(Clone)]
pub(crate) struct Hub(Arc<Inner>);

struct Inner {
    store: Store,
    log: String,
    ring: broadcast::Sender<News>,
    /// Everything before this has been through the ring, or was there before anybody listened.
    passed: AtomicU64,
    places: Arc<Semaphore>,
}

impl Hub {
    pub(crate) fn new(store: Store, settings: &LiveConfig) -> Self {
        let origin = store.verifying_key().name().to_owned();
        let log = origin.rsplit('/').next().unwrap_or_default().to_owned();
        let passed = AtomicU64::new(store.known_size());
        let places = Arc::new(Semaphore::new(settings.clients_max));
        let (ring, _) = broadcast::channel(settings.queue_messages_max);
        Self(Arc::new(Inner { store, log, ring, passed, places }))
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<News> {
        self.0.ring.subscribe()
    }

    /// One permit for each connection.
    pub(crate) fn places(&self) -> &Arc<Semaphore> {
        &self.0.places
    }

    pub(crate) fn size(&self) -> u64 {
        self.0.store.known_size()
    }

    pub(crate) fn log(&self) -> &str {
        &self.0.log
    }

    pub(crate) fn cursor(&self, passed: u64) -> Cursor {
        Cursor { log: self.0.log.clone(), passed }
    }

    /// How far the ring has come. Whoever reads this and then empties its receiver has seen everything before it.
    pub(crate) fn passed(&self) -> u64 {
        self.0.passed.load(Ordering::Acquire)
    }

    /// A message without an event.
    pub(crate) fn message(&self, kind: Kind, passed: u64, data: Option<&RawValue>) -> String {
        self.written(kind, passed, None, data)
    }

    fn written(&self, kind: Kind, passed: u64, event_type: Option<&str>, data: Option<&RawValue>) -> String {
        let cursor = self.cursor(passed).to_string();
        // Three texts and JSON that is JSON already can't fail to be written.
        serde_json::to_string(&Message { r#type: kind, cursor: &cursor, event_type, data }).unwrap_or_default()
    }

    async fn event_message(&self, event: &StoredEvent) -> Result<Option<String>, StoreError> {
        let told = EventType::parse(&event.event_type);
        let Some((told, kind)) = TOLD.iter().find(|(event_type, _)| Some(*event_type) == told) else { return Ok(None) };
        let data = match told {
            EventType::AuditLogCreated => {
                let place = Some((event.seq, event.event_id.to_string()));
                event.payload.as_deref().and_then(|payload| logs::shown(payload, place).ok())
            }
            _ => news::row(&self.0.store, event).await?,
        };
        let data = data.as_deref().or(event.payload.as_deref()).unwrap_or(RawValue::NULL);
        Ok(Some(self.written(*kind, event.seq + 1, Some(told.as_str()), Some(data))))
    }

    /// The messages from a position on, in pages: up to `PAGE_EVENTS` of them, and the position after them.
    pub(crate) async fn page(&self, from: u64) -> Result<Page, StoreError> {
        // Before the read: everything up to here is certain to be seen by it. What the read sees beyond is durable too but
        // not announced yet, and a cursor past the announced end would look like one of another log.
        let head = self.0.store.known_size().max(from);
        let types = TOLD.iter().map(|(event_type, _)| *event_type).collect();
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
        Ok(Page { messages, next, is_last })
    }

    /// Follows the log until told to stop.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let mut head = self.0.store.head();
        let mut looks = interval(CHECKPOINT_LOOKS_APART);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut signed = self.0.store.signed_size();
        loop {
            let has_grown = tokio::select! {
                () = stop.cancelled() => return,
                changed = head.changed() => match changed {
                    Ok(()) => true,
                    // The store has been closed: nothing more will come.
                    Err(_) => return,
                },
                // Behind only after a read that failed.
                _ = looks.tick() => self.passed() < self.0.store.known_size(),
            };
            if has_grown {
                let started = Instant::now();
                let size = *head.borrow_and_update();
                if let Err(error) = self.tail(size).await {
                    // Tried again from the same place with the next look.
                    tracing::warn!(%error, "the live tail could not read the log");
                }
                sleep(LOOKS_APART.saturating_sub(started.elapsed())).await;
            }
            let newest = self.0.store.signed_size();
            if newest != signed {
                signed = newest;
                self.tell_checkpoint(newest);
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
                // Fails only when the last listener has just gone.
                let _ = self.0.ring.send(News::Event { seq, message: Arc::new(message) });
            }
            self.0.passed.store(page.next, Ordering::Release);
            if page.is_last {
                return Ok(());
            }
        }
    }

    fn tell_checkpoint(&self, size: u64) {
        let Some(note) = self.0.store.checkpoint().filter(|_| self.0.ring.receiver_count() > 0) else { return };
        let root = self.0.store.verifying_key().open(&note).ok().map(|checkpoint| checkpoint.root.to_hex());
        let news = CheckpointNews { size, root, checkpoint: &note };
        if let Ok(data) = serde_json::value::to_raw_value(&news) {
            let _ = self.0.ring.send(News::Checkpoint(data.into()));
        }
    }
}

pub(crate) struct Page {
    pub(crate) messages: Vec<(u64, EventMessage)>,
    pub(crate) next: u64,
    /// Nothing more was there when it was read.
    pub(crate) is_last: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let cursor = Cursor { log: "0123456789abcdef".into(), passed: 17 };
        assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        for bad in ["", ".", "a", "a.", ".1", "a.-1", "a.+1", "a.1.2", "a b.1", "a.9223372036854775808", "a.x"] {
            assert_eq!(Cursor::parse(bad), None, "{bad}");
        }
    }
}
