//! Trace export: sends the log's exchanges as OpenTelemetry spans to an OTLP collector.
//!
//! | file         | job                                                             |
//! |--------------|-----------------------------------------------------------------|
//! | `follow.rs`  | follows the log and queues its spans                            |
//! | `spans.rs`   | turns events into spans, named after the GenAI conventions      |
//! | `otlp.rs`    | encodes spans as OTLP/HTTP JSON                                 |
//! | `export.rs`  | sends spans in batches; drops and counts those that fail        |
//! | `headers.rs` | parses the setting with the collector's headers                 |
//!
//! It follows the log like any other reader, and nothing waits for it. If the collector is slow, down or misconfigured, only spans
//! are lost. Exchanges that ended before the start are not sent, and texts of queries and answers never are.
//!
//! We don't use the official exporter: it also takes settings from environment variables that our configuration doesn't know, and
//! hides the status that decides whether a request is retried. With our own HTTP client underneath, we would use only its encoding,
//! at the cost of 13 more crates.

mod export;
mod follow;
mod headers;
mod otlp;
mod spans;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use countersign_config::Config;
use countersign_outbound::{Endpoint, SetupError};
use countersign_store::Store;
use tokio::{sync::mpsc, time::sleep};
use tokio_util::sync::CancellationToken;

use self::{export::Exporter, otlp::Resource};

/// The path that is appended to the configured base address.
const PATH: &str = "/v1/traces";
const NAME: &str = "the OTLP collector";
/// The time limit of one request.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum number of spans that wait to be sent.
const QUEUE_MAX: usize = 8_192;
/// The time for sending the remaining spans during a stop.
const STOP_WITHIN: Duration = Duration::from_secs(1);

#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("telemetry.otlp_headers must be comma-separated name=value pairs; percent-encode special characters")]
    Headers,
    #[error(transparent)]
    Settings(#[from] SetupError),
}

/// The numbers of spans made, sent and dropped so far.
#[derive(Debug, Default)]
pub struct SpanCounts {
    made: AtomicU64,
    exported: AtomicU64,
    dropped: AtomicU64,
}

impl SpanCounts {
    /// Spans that the collector has accepted.
    pub fn exported(&self) -> u64 {
        self.exported.load(Ordering::Relaxed)
    }

    /// Spans that were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Spans that have been neither sent nor dropped yet.
    fn open(&self) -> u64 {
        self.made.load(Ordering::Relaxed).saturating_sub(self.exported() + self.dropped())
    }
}

/// The export of traces. Clones share it.
#[derive(Clone)]
pub struct Telemetry(Arc<ExportState>);

struct ExportState {
    store: Store,
    endpoint: Endpoint,
    resource: Resource,
    counts: SpanCounts,
    /// The sequence number of the next event to read.
    next_seq: AtomicU64,
}

impl Telemetry {
    /// An export that follows `store` from its current end. `None` if no endpoint is configured.
    ///
    /// # Errors
    /// If the endpoint or the headers are not usable.
    pub fn new(config: &Config, store: &Store) -> Result<Option<Self>, TelemetryError> {
        let Some(base_url) = &config.telemetry.otlp_endpoint else { return Ok(None) };
        let setting = config.telemetry.otlp_headers.as_ref().map_or("", |headers| headers.expose());
        let headers = headers::parse(setting).ok_or(TelemetryError::Headers)?;
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Ok(Some(Self(Arc::new(ExportState {
            store: store.clone(),
            endpoint: Endpoint::new(NAME, base_url, PATH, &headers, TIMEOUT)?,
            resource: Resource::new(&config.telemetry.service_name),
            counts: SpanCounts::default(),
            next_seq: AtomicU64::new(store.known_size()),
        }))))
    }

    pub fn counts(&self) -> &SpanCounts {
        &self.0.counts
    }

    /// Exports until told to stop, and then sends the remaining spans for at most a second. Exchanges that end after the stop are
    /// not exported, so stop this last.
    pub async fn run(self, stop: CancellationToken) {
        let (queue, spans) = mpsc::channel(QUEUE_MAX);
        let shared = &*self.0;
        let exporter = Exporter::new(shared, stop.clone());
        // The exporter ends when the follower is gone and the queue is empty.
        let work = async { tokio::join!(follow::run(shared, queue, &stop), exporter.run(spans)) };
        let too_late = async {
            stop.cancelled().await;
            sleep(STOP_WITHIN).await;
        };
        tokio::select! {
            _ = work => {}
            () = too_late => {}
        }
        let open = self.0.counts.open();
        if open > 0 {
            self.0.counts.dropped.fetch_add(open, Ordering::Relaxed);
            tracing::warn!(spans = open, "dropped spans that were not sent before the stop");
        }
    }
}
