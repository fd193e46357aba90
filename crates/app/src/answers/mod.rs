//! Audited answers: a worker answers, the auditor judges, the record is durable, and only then is anything released.
//!
//! | file             | job                                                           |
//! |------------------|---------------------------------------------------------------|
//! | `ask.rs`         | one question to the worker, from query to verdict             |
//! | `exchange.rs`    | one exchange's identity and the events that record it         |
//! | `verdict.rs`     | an answer judged under a policy: released, masked or refused  |
//! | `idempotency.rs` | the same key twice is one exchange                            |
//! | `recover.rs`     | exchanges that an unclean stop cut off                        |
//! | `spent.rs`       | what today's calls have cost so far                           |

mod ask;
mod exchange;
mod idempotency;
mod recover;
mod spent;
mod verdict;

use std::{future::Future, sync::Arc};

use countersign_agents::Auditor;
use countersign_llm::{Calls, Models, Target};
use countersign_store::{Store, StoreError};
use tokio::sync::oneshot;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use ask::{AskError, Asked};
pub(crate) use exchange::{End, Exchange};
pub(crate) use idempotency::{Idempotency, InFlight};
pub(crate) use recover::recover;
pub(crate) use spent::count_spent;
pub(crate) use verdict::{Judged, Refusal, Ruling, is_masked};

use crate::{config::Gateway, metrics::AnswerMetrics};

/// What answering takes. Clones share it.
#[derive(Clone)]
pub(crate) struct Answers(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) models: Models,
    pub(crate) worker: Target,
    pub(crate) auditor: Auditor,
    pub(crate) policies: Gateway,
    pub(crate) worker_calls: Calls,
    pub(crate) gateway_calls: Calls,
    /// Of one answer, as far as it is kept.
    pub(crate) answer_bytes_max: usize,
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
    pub(crate) policies: Gateway,
    pub(crate) worker_calls: Calls,
    pub(crate) gateway_calls: Calls,
    pub(crate) answer_bytes_max: usize,
}

impl std::ops::Deref for Answers {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Answers {
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { store, models, worker, auditor, policies, worker_calls, gateway_calls, answer_bytes_max } = parts;
        Self(Arc::new(Shared {
            store,
            models,
            worker,
            auditor,
            policies,
            worker_calls,
            gateway_calls,
            answer_bytes_max,
            metrics: AnswerMetrics::default(),
            in_flight: InFlight::default(),
            tasks: TaskTracker::new(),
            abandon: CancellationToken::new(),
        }))
    }

    /// Runs an exchange to its end, whatever becomes of the caller. `None` if it broke off by a mistake of ours.
    pub(crate) async fn run<T: Send + 'static>(&self, exchange: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (done, result) = oneshot::channel();
        self.tasks.spawn(async move {
            // Nobody may be waiting any more.
            let _ = done.send(exchange.await);
        });
        result.await.ok()
    }

    pub(crate) fn spawn(&self, exchange: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(exchange);
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

    /// Writes an exchange's events; everything that is released waits for this.
    pub(crate) async fn record(&self, exchange: &mut Exchange) -> Result<(), StoreError> {
        let events = exchange.take_events();
        if events.is_empty() {
            return Ok(());
        }
        self.store.append(events).await.map(|_| ())
    }
}
