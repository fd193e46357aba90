//! Audited answers: a worker model answers, the answer is audited, its record is made durable, and only then is the answer (of
//! a stream: its end) released.
//!
//! | file                    | job                                                                     |
//! |-------------------------|-------------------------------------------------------------------------|
//! | `ask.rs`                | one query to the worker, from the request to the audited answer         |
//! | `exchange.rs`           | one exchange's identity and the events that record it                   |
//! | `inspected.rs`          | an answer that the inspectors have read, masked if the terms ask for it |
//! | `conclude.rs`           | the end of every answer: audited, judged by its terms, recorded         |
//! | `terms.rs`              | the release terms, and why an answer is withheld                        |
//! | `error.rs`              | why an exchange has no answer                                           |
//! | `inspection_threads.rs` | the inspection of long texts on other threads                           |
//! | `idempotency.rs`        | one exchange for each idempotency key                                   |
//! | `metrics.rs`            | metrics of exchanges and model calls                                    |
//! | `recover.rs`            | exchanges that an unclean stop cut off                                  |
//! | `spending.rs`           | what today's model calls have cost so far                               |

mod ask;
mod conclude;
mod error;
mod exchange;
mod idempotency;
mod inspected;
mod inspection_threads;
mod metrics;
mod recover;
mod spending;
mod terms;

use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use countersign_agents::Auditor;
use countersign_config::GatewayConfig;
use countersign_domain::payload::AnswerEnd;
use countersign_llm::{CallPolicy, Models, Target};
use countersign_store::{Store, StoreError};
use futures_util::FutureExt;
use tokio::sync::oneshot;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use ask::{AuditedAnswer, ROUTE};
pub(crate) use conclude::{Answer, AnswerOutcome, Delivery, PENDING};
pub(crate) use error::AnswerError;
pub(crate) use exchange::{Exchange, ExchangeEnd};
pub(crate) use idempotency::{Idempotency, KeysInFlight};
pub(crate) use inspected::InspectedAnswer;
pub(crate) use metrics::AnswerMetrics;
pub(crate) use recover::recover;
pub(crate) use spending::restore_spending;
pub(crate) use terms::{AnswerRefusal, ReleaseTerms};

/// The wait before the first retry of writing a record; each further wait is twice as long.
const RECORD_RETRY_MIN: Duration = Duration::from_millis(50);
const RECORD_RETRY_MAX: Duration = Duration::from_secs(2);
const RECORD_DEADLINE: Duration = Duration::from_secs(60);

/// The state shared by all exchanges. Clones share it too.
#[derive(Clone)]
pub(crate) struct Answers(Arc<AnswersInner>);

pub(crate) struct AnswersInner {
    parts: AnswersParts,
    pub(crate) metrics: AnswerMetrics,
    pub(crate) in_flight: KeysInFlight,
    /// Exchanges under way. Each is a task of its own, so that its record is written even if the caller disconnects.
    tasks: TaskTracker,
    /// Cancelled when running exchanges must stop and record that they were interrupted.
    interrupt: CancellationToken,
}

/// What [`Answers`] is made of.
pub(crate) struct AnswersParts {
    pub(crate) store: Store,
    pub(crate) models: Models,
    pub(crate) worker: Target,
    pub(crate) auditor: Auditor,
    pub(crate) policies: GatewayConfig,
    pub(crate) worker_calls: CallPolicy,
    pub(crate) gateway_calls: CallPolicy,
    /// The largest answer that is accepted.
    pub(crate) answer_bytes_max: usize,
}

impl std::ops::Deref for AnswersInner {
    type Target = AnswersParts;
    fn deref(&self) -> &AnswersParts {
        &self.parts
    }
}

impl std::ops::Deref for Answers {
    type Target = AnswersInner;
    fn deref(&self) -> &AnswersInner {
        &self.0
    }
}

impl Answers {
    pub(crate) fn new(parts: AnswersParts) -> Self {
        Self(Arc::new(AnswersInner {
            parts,
            metrics: AnswerMetrics::default(),
            in_flight: KeysInFlight::default(),
            tasks: TaskTracker::new(),
            interrupt: CancellationToken::new(),
        }))
    }

    /// Runs an exchange to its end, even if the caller disconnects. `None` if it panicked; the panic is recorded as a failure.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        stub: Exchange,
        exchange: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (done, result) = oneshot::channel();
        self.spawn(stub, async move {
            // The caller may have disconnected.
            let _ = done.send(exchange.await);
        });
        result.await.ok()
    }

    /// The same without waiting for the result. `stub` records the failure if the exchange panics.
    pub(crate) fn spawn(&self, mut stub: Exchange, exchange: impl Future<Output = ()> + Send + 'static) {
        let answers = self.clone();
        self.tasks.spawn(async move {
            if AssertUnwindSafe(exchange).catch_unwind().await.is_ok() {
                return;
            }
            tracing::error!(log_id = %stub.id, "an exchange panicked");
            let (end, detail) = (AnswerEnd::Failed, "an internal error ended the exchange".to_owned());
            let recorded = match stub.add_failure(ExchangeEnd { end, detail, partial: None }) {
                Ok(()) => answers.record_with_retries(&mut stub).await.is_ok(),
                Err(_) => false,
            };
            if !recorded {
                answers.metrics.count_unrecorded();
            }
        });
    }

    /// Resolves when running exchanges must stop.
    pub(crate) async fn interrupted(&self) {
        self.interrupt.cancelled().await;
    }

    /// Stops the running exchanges, which record that they were interrupted.
    pub(crate) fn interrupt(&self) {
        self.interrupt.cancel();
    }

    /// Resolves when no exchange is under way and no further one can start.
    pub(crate) async fn finished(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Writes an exchange's events. Whatever has not been released yet waits for this.
    pub(crate) async fn record(&self, exchange: &mut Exchange) -> Result<(), StoreError> {
        let events = exchange.take_events();
        if events.is_empty() {
            return Ok(());
        }
        self.store.append(events).await.map(|_| ())
    }

    /// The same for an answer that may already have been sent in part. Retries for a minute while the store is unavailable.
    pub(crate) async fn record_with_retries(&self, exchange: &mut Exchange) -> Result<(), StoreError> {
        let events = exchange.take_events();
        let mut wait = RECORD_RETRY_MIN;
        let give_up = tokio::time::Instant::now() + RECORD_DEADLINE;
        loop {
            match self.store.append(events.clone()).await {
                Err(error) if error.is_transient() && tokio::time::Instant::now() < give_up => {
                    tracing::error!(log_id = %exchange.id, %error, "an answer could not be recorded; trying again");
                    tokio::select! {
                        () = tokio::time::sleep(wait) => wait = (wait * 2).min(RECORD_RETRY_MAX),
                        () = self.interrupted() => return Err(error),
                    }
                }
                result => return result.map(|_| ()),
            }
        }
    }
}
