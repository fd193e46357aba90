//! Audited answers: a worker answers, the auditor judges, the record is durable, and only then is anything released.
//!
//! | file             | job                                                           |
//! |------------------|---------------------------------------------------------------|
//! | `ask.rs`         | one question to the worker, from query to verdict             |
//! | `exchange.rs`    | one exchange's identity and the events that record it         |
//! | `verdict.rs`     | an answer judged under a policy: released, masked or refused  |
//! | `aside.rs`       | long texts inspected where nobody else waits for it           |
//! | `idempotency.rs` | the same key twice is one exchange                            |
//! | `recover.rs`     | exchanges that an unclean stop cut off                        |
//! | `spent.rs`       | what today's calls have cost so far                           |

mod aside;
mod ask;
mod exchange;
mod idempotency;
mod recover;
mod spent;
mod verdict;

use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use countersign_agents::Auditor;
use countersign_config::GatewayConfig;
use countersign_domain::payload::AnswerEnd;
use countersign_llm::{CallPolicy, Models, Target};
use countersign_store::{Store, StoreError};
use futures_util::FutureExt;
use tokio::sync::oneshot;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use ask::{AskError, Asked, ROUTE};
pub(crate) use exchange::{End, Exchange};
pub(crate) use idempotency::{Idempotency, InFlight};
pub(crate) use recover::recover;
pub(crate) use spent::count_spent;
pub(crate) use verdict::{Judged, PENDING, Refusal, Released, Ruling, is_masked};

use crate::metrics::AnswerMetrics;

const RECORD_AGAIN_AFTER: Duration = Duration::from_millis(50);
const RECORD_WITHIN: Duration = Duration::from_secs(60);
const RECORD_AGAIN_MAX: Duration = Duration::from_secs(2);

/// What answering takes. Clones share it.
#[derive(Clone)]
pub(crate) struct Answers(Arc<Shared>);

pub(crate) struct Shared {
    parts: Parts,
    pub(crate) metrics: AnswerMetrics,
    pub(crate) in_flight: InFlight,
    /// Exchanges under way. Each is a task of its own: whoever asked may go away, the record is still written.
    tasks: TaskTracker,
    /// Break off now, and say so in the record.
    abandon: CancellationToken,
}

/// What [`Answers`] is made of.
pub(crate) struct Parts {
    pub(crate) store: Store,
    pub(crate) models: Models,
    pub(crate) worker: Target,
    pub(crate) auditor: Auditor,
    pub(crate) policies: GatewayConfig,
    pub(crate) worker_calls: CallPolicy,
    pub(crate) gateway_calls: CallPolicy,
    /// Of one answer, as far as it is kept.
    pub(crate) answer_bytes_max: usize,
}

impl std::ops::Deref for Shared {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl std::ops::Deref for Answers {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Answers {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(Shared {
            parts,
            metrics: AnswerMetrics::default(),
            in_flight: InFlight::default(),
            tasks: TaskTracker::new(),
            abandon: CancellationToken::new(),
        }))
    }

    /// Runs an exchange to its end, whatever becomes of the caller. `None` if it panicked, which is then on record.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        stub: Exchange,
        exchange: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (done, result) = oneshot::channel();
        self.spawn(stub, async move {
            // Nobody may be waiting any more.
            let _ = done.send(exchange.await);
        });
        result.await.ok()
    }

    /// The same without anybody waiting. `stub` stands in for the exchange if it panics.
    pub(crate) fn spawn(&self, mut stub: Exchange, exchange: impl Future<Output = ()> + Send + 'static) {
        let answers = self.clone();
        self.tasks.spawn(async move {
            if AssertUnwindSafe(exchange).catch_unwind().await.is_ok() {
                return;
            }
            tracing::error!(log_id = %stub.id, "an exchange panicked");
            let (end, detail) = (AnswerEnd::Failed, "a mistake of the server's own ended it".to_owned());
            let recorded = match stub.failed(End { end, detail, partial: None }) {
                Ok(()) => answers.record_surely(&mut stub).await.is_ok(),
                Err(_) => false,
            };
            if !recorded {
                answers.metrics.dropped();
            }
        });
    }

    /// Resolves when exchanges must come to an end.
    pub(crate) async fn abandoned(&self) {
        self.abandon.cancelled().await;
    }

    pub(crate) fn abandon(&self) {
        self.abandon.cancel();
    }

    /// Resolves when no exchange is under way and none will be.
    pub(crate) async fn finished(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// The same for what may have left in part already: tried for as long as the store may come back.
    pub(crate) async fn record_surely(&self, exchange: &mut Exchange) -> Result<(), StoreError> {
        let events = exchange.take_events();
        let mut wait = RECORD_AGAIN_AFTER;
        let give_up = tokio::time::Instant::now() + RECORD_WITHIN;
        loop {
            match self.store.append(events.clone()).await {
                Err(error) if error.is_transient() && tokio::time::Instant::now() < give_up => {
                    tracing::error!(log_id = %exchange.id, %error, "an answer could not be recorded; trying again");
                    tokio::select! {
                        () = tokio::time::sleep(wait) => wait = (wait * 2).min(RECORD_AGAIN_MAX),
                        () = self.abandoned() => return Err(error),
                    }
                }
                result => return result.map(|_| ()),
            }
        }
    }

    /// Writes an exchange's events; everything that is released waits for this.
    pub(crate) async fn record(&self, exchange: &mut Exchange) -> Result<(), StoreError> {
        let events = exchange.take_events();
        if events.is_empty() {
            return Ok(());
        }
        self.store.append(events).await.map(|_| ())
    }
}
