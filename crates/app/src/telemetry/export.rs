//! Sends spans in batches. A batch that can't be sent is retried once and then dropped. Drops are counted, and logged at most
//! once a minute. Only the status and the number of rejected spans are read from the collector's response.

use std::{sync::atomic::Ordering, time::Duration};

use serde::Deserialize;
use serde_json::Value;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, timeout_at},
};
use tokio_util::sync::CancellationToken;

use super::{ExportState, otlp::Span};

const BATCH_SPANS_MAX: usize = 512;
const BATCH_AFTER: Duration = Duration::from_secs(1);
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// The minimum time between two log lines about dropped spans.
const WARNING_INTERVAL_MIN: Duration = Duration::from_secs(60);

pub(super) struct Exporter<'a> {
    shared: &'a ExportState,
    stop: CancellationToken,
    /// When drops were last logged, and how many there had been.
    warned: Option<(Instant, u64)>,
}

/// Why a batch was not accepted.
struct BatchRefused {
    why: String,
    is_transient: bool,
}

impl<'a> Exporter<'a> {
    pub(super) fn new(shared: &'a ExportState, stop: CancellationToken) -> Self {
        Self { shared, stop, warned: None }
    }

    /// Runs until the queue is closed and empty.
    pub(super) async fn run(mut self, mut spans: mpsc::Receiver<Span>) {
        let mut batch = Vec::with_capacity(BATCH_SPANS_MAX);
        while fill_batch(&mut batch, &mut spans).await {
            let problem = self.send(&batch).await;
            batch.clear();
            self.warn(problem.as_deref().unwrap_or("the queue was full"));
        }
    }

    /// Sends a batch. Returns what went wrong, if anything did.
    async fn send(&self, batch: &[Span]) -> Option<String> {
        let sent = match self.shared.resource.request(batch) {
            Ok(body) => self.post(body).await,
            Err(error) => Err(error.to_string()),
        };
        let spans = batch.len() as u64;
        let (rejected, problem) = match sent {
            Ok(0) => (0, None),
            Ok(rejected) => (rejected.min(spans), Some("the collector rejected some of the spans".to_owned())),
            Err(problem) => (spans, Some(problem)),
        };
        self.shared.counts.exported.fetch_add(spans - rejected, Ordering::Relaxed);
        self.shared.counts.dropped.fetch_add(rejected, Ordering::Relaxed);
        problem
    }

    /// Returns how many spans the collector rejected.
    async fn post(&self, body: Vec<u8>) -> Result<u64, String> {
        match self.attempt(body.clone()).await {
            Err(BatchRefused { is_transient: true, .. }) => {}
            result => return result.map_err(|refused| refused.why),
        }
        // Don't wait while stopping.
        self.stop.run_until_cancelled(sleep(RETRY_AFTER)).await;
        self.attempt(body).await.map_err(|refused| refused.why)
    }

    async fn attempt(&self, body: Vec<u8>) -> Result<u64, BatchRefused> {
        match self.shared.endpoint.post_json(body).await {
            Ok((200..300, answer)) => Ok(rejected_spans(&answer)),
            Ok((status, _)) => {
                Err(BatchRefused { why: format!("status {status}"), is_transient: is_transient(status) })
            }
            Err(error) => Err(BatchRefused { why: error.to_string(), is_transient: true }),
        }
    }

    fn warn(&mut self, why: &str) {
        let dropped = self.shared.counts.dropped();
        let logged = self.warned.map_or(0, |(_, logged)| logged);
        let is_due = self.warned.is_none_or(|(at, _)| at.elapsed() >= WARNING_INTERVAL_MIN);
        if dropped > logged && is_due {
            tracing::warn!(spans = dropped - logged, why, "dropped spans instead of sending them to the collector");
            self.warned = Some((Instant::now(), dropped));
        }
    }
}

/// Waits for a span, and then a moment for more. `false` if the queue is closed.
async fn fill_batch(batch: &mut Vec<Span>, spans: &mut mpsc::Receiver<Span>) -> bool {
    if spans.recv_many(batch, BATCH_SPANS_MAX).await == 0 {
        return false;
    }
    let full_or_due = Instant::now() + BATCH_AFTER;
    while batch.len() < BATCH_SPANS_MAX {
        match timeout_at(full_or_due, spans.recv_many(batch, BATCH_SPANS_MAX - batch.len())).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    true
}

/// Statuses after which the protocol allows a retry.
fn is_transient(status: u16) -> bool {
    matches!(status, 429 | 502 | 503 | 504)
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct ExportResponse {
    partial_success: PartialSuccess,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct PartialSuccess {
    /// A number, or a number as text.
    rejected_spans: Value,
}

fn rejected_spans(answer: &[u8]) -> u64 {
    let answer: ExportResponse = serde_json::from_slice(answer).unwrap_or_default();
    match answer.partial_success.rejected_spans {
        Value::Number(number) => number.as_u64().unwrap_or(0),
        Value::String(text) => text.parse().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_success_says_how_many_spans_were_rejected() {
        for (answer, rejected) in [
            ("", 0),
            ("{}", 0),
            ("<html>", 0),
            (r#"{"partialSuccess": {}}"#, 0),
            (r#"{"partialSuccess": null}"#, 0),
            (r#"{"partialSuccess": {"rejectedSpans": "3", "errorMessage": "no"}}"#, 3),
            (r#"{"partialSuccess": {"rejectedSpans": 4}}"#, 4),
            (r#"{"partialSuccess": {"rejectedSpans": -4}}"#, 0),
        ] {
            assert_eq!(rejected_spans(answer.as_bytes()), rejected, "{answer}");
        }
    }
}
