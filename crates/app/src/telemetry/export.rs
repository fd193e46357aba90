//! Sends spans in batches. A batch that can't be sent is tried once more and then dropped; drops are counted, and told
//! at most once a minute. Of what the collector says, only the status and how much it rejects is read.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use countersign_outbound::Endpoint;
use serde::Deserialize;
use serde_json::Value;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, timeout_at},
};
use tokio_util::sync::CancellationToken;

use super::{
    SpanCounts,
    otlp::{Resource, Span},
};

const BATCH_SPANS_MAX: usize = 512;
const BATCH_AFTER: Duration = Duration::from_secs(1);
const RETRY_AFTER: Duration = Duration::from_secs(1);
const WARNINGS_APART: Duration = Duration::from_secs(60);

pub(super) struct Exporter {
    endpoint: Endpoint,
    resource: Resource,
    counts: Arc<SpanCounts>,
    stop: CancellationToken,
    /// When drops were last told, and how many there were.
    warned: Option<(Instant, u64)>,
}

/// Why a batch was not taken.
struct Refused {
    why: String,
    can_heal: bool,
}

impl Exporter {
    pub(super) fn new(
        endpoint: Endpoint,
        resource: Resource,
        counts: Arc<SpanCounts>,
        stop: CancellationToken,
    ) -> Self {
        Self { endpoint, resource, counts, stop, warned: None }
    }

    /// Until no more spans can come.
    pub(super) async fn run(mut self, mut spans: mpsc::Receiver<Span>) {
        let mut batch = Vec::with_capacity(BATCH_SPANS_MAX);
        while fill(&mut batch, &mut spans).await {
            let problem = self.send(&batch).await;
            batch.clear();
            self.warn(problem.as_deref().unwrap_or("spans came faster than they could be sent"));
        }
    }

    /// What went wrong, if anything did.
    async fn send(&self, batch: &[Span]) -> Option<String> {
        let sent = match self.resource.request(batch) {
            Ok(body) => self.post(body).await,
            Err(error) => Err(error.to_string()),
        };
        let spans = batch.len() as u64;
        let (rejected, problem) = match sent {
            Ok(0) => (0, None),
            Ok(rejected) => (rejected.min(spans), Some("the collector rejected some of the spans".to_owned())),
            Err(problem) => (spans, Some(problem)),
        };
        self.counts.exported.fetch_add(spans - rejected, Ordering::Relaxed);
        self.counts.dropped.fetch_add(rejected, Ordering::Relaxed);
        problem
    }

    /// How many spans the collector rejected.
    async fn post(&self, body: Vec<u8>) -> Result<u64, String> {
        match self.attempt(body.clone()).await {
            Err(Refused { can_heal: true, .. }) => {}
            result => return result.map_err(|refused| refused.why),
        }
        // Whoever stops has no time to wait.
        self.stop.run_until_cancelled(sleep(RETRY_AFTER)).await;
        self.attempt(body).await.map_err(|refused| refused.why)
    }

    async fn attempt(&self, body: Vec<u8>) -> Result<u64, Refused> {
        match self.endpoint.post_json(body).await {
            Ok((200..300, answer)) => Ok(rejected_spans(&answer)),
            Ok((status, _)) => Err(Refused { why: format!("status {status}"), can_heal: can_heal(status) }),
            Err(error) => Err(Refused { why: error.to_string(), can_heal: true }),
        }
    }

    fn warn(&mut self, why: &str) {
        let dropped = self.counts.dropped();
        let told = self.warned.map_or(0, |(_, told)| told);
        let is_due = self.warned.is_none_or(|(at, _)| at.elapsed() >= WARNINGS_APART);
        if dropped > told && is_due {
            tracing::warn!(spans = dropped - told, why, "spans were dropped on their way to the collector");
            self.warned = Some((Instant::now(), dropped));
        }
    }
}

/// Waits for a span, then a moment for more. `false` if none will come.
async fn fill(batch: &mut Vec<Span>, spans: &mut mpsc::Receiver<Span>) -> bool {
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

/// The statuses after which the protocol lets a request be sent again.
fn can_heal(status: u16) -> bool {
    matches!(status, 429 | 502 | 503 | 504)
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Answer {
    partial_success: PartialSuccess,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct PartialSuccess {
    /// A number, or text that is one.
    rejected_spans: Value,
}

fn rejected_spans(answer: &[u8]) -> u64 {
    let answer: Answer = serde_json::from_slice(answer).unwrap_or_default();
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
    fn a_collector_that_takes_only_some_says_how_many_it_does_not() {
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
