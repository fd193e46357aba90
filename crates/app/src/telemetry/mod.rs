//! Traces for whoever wants them elsewhere: the log's exchanges as OpenTelemetry spans, sent to an OTLP collector.
//!
//! | file         | job                                                          |
//! |--------------|--------------------------------------------------------------|
//! | `follow.rs`  | reads the log from now on and hands its spans over           |
//! | `spans.rs`   | from events to spans, with the GenAI conventions' names      |
//! | `otlp.rs`    | spans as OTLP/HTTP writes them in JSON                       |
//! | `export.rs`  | sends them in batches, drops what can't be sent, counts both |
//! | `headers.rs` | the setting that holds the collector's headers               |
//!
//! It follows the log like any other reader, so nobody ever waits for it: a collector that is slow, away or wrong costs
//! spans and nothing else. What was said before it started is not sent. No text of a query or an answer is sent.
//!
//! The official exporter is left out on purpose: it reads the environment beside our configuration and hides the status
//! that decides whether to try again. With our own client under it, only its encoding would be used, for 13 crates.

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
use tokio::{sync::mpsc, task::JoinHandle, time::sleep};
use tokio_util::sync::CancellationToken;

use self::{export::Exporter, follow::Follower, otlp::Resource};

/// What follows the setting's base address.
const PATH: &str = "/v1/traces";
const NAME: &str = "the OTLP collector";
/// Of one request.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Spans that wait to be sent.
const WAITING_MAX: usize = 8_192;
/// To send what is left when told to stop.
const STOP_WITHIN: Duration = Duration::from_secs(1);

#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("telemetry.otlp_headers must be name=value pairs with commas between, percent-encoded where needed")]
    Headers,
    #[error(transparent)]
    Settings(#[from] SetupError),
}

/// What has become of the spans so far.
#[derive(Debug, Default)]
pub struct SpanCounts {
    made: AtomicU64,
    exported: AtomicU64,
    dropped: AtomicU64,
}

impl SpanCounts {
    /// Those that a collector has taken.
    pub fn exported(&self) -> u64 {
        self.exported.load(Ordering::Relaxed)
    }

    /// Those that were given up.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Neither sent nor given up yet.
    fn open(&self) -> u64 {
        self.made.load(Ordering::Relaxed).saturating_sub(self.exported() + self.dropped())
    }
}

/// The running export of traces.
pub struct Telemetry {
    counts: Arc<SpanCounts>,
    task: JoinHandle<()>,
}

impl Telemetry {
    /// Follows `store` from its present end until `stop`. `None`, and nothing runs, without an endpoint.
    ///
    /// Exchanges that end after `stop` are not seen, so it is best cancelled when the last of them has ended.
    ///
    /// # Errors
    /// When the endpoint or the headers can't be used.
    pub fn start(config: &Config, store: &Store, stop: CancellationToken) -> Result<Option<Self>, TelemetryError> {
        let Some(base_url) = &config.telemetry.otlp_endpoint else { return Ok(None) };
        let setting = config.telemetry.otlp_headers.as_ref().map_or("", |headers| headers.expose());
        let headers = headers::parse(setting).ok_or(TelemetryError::Headers)?;
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let endpoint = Endpoint::new(NAME, base_url, PATH, &headers, TIMEOUT)?;
        let counts = Arc::new(SpanCounts::default());
        let (waiting, spans) = mpsc::channel(WAITING_MAX);
        let resource = Resource::new(&config.telemetry.service_name);
        let exporter = Exporter::new(endpoint, resource, Arc::clone(&counts), stop.clone());
        let follower = Follower::new(store.clone(), waiting, Arc::clone(&counts));
        let task = tokio::spawn(run(follower, exporter, spans, stop, Arc::clone(&counts)));
        Ok(Some(Self { counts, task }))
    }

    pub fn counts(&self) -> &Arc<SpanCounts> {
        &self.counts
    }

    /// Waits for the end, which comes within two seconds of being told to stop.
    pub async fn stopped(self) {
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the export of traces broke off");
        }
    }
}

async fn run(
    follower: Follower,
    exporter: Exporter,
    spans: mpsc::Receiver<otlp::Span>,
    stop: CancellationToken,
    counts: Arc<SpanCounts>,
) {
    // The exporter ends when the follower has gone and nothing waits any more.
    let work = async { tokio::join!(follower.run(&stop), exporter.run(spans)) };
    let too_late = async {
        stop.cancelled().await;
        sleep(STOP_WITHIN).await;
    };
    tokio::select! {
        _ = work => {}
        () = too_late => {}
    }
    let open = counts.open();
    if open > 0 {
        counts.dropped.fetch_add(open, Ordering::Relaxed);
        tracing::warn!(spans = open, "spans were not sent before the stop");
    }
}
