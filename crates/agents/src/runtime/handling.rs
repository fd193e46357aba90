//! Handles one event from claim to commit: decides, retries if that may help, and otherwise dead-letters the event.

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use countersign_domain::{DeadLetterId, Event, NewEvent, StoredEvent, json, payload::EventDeadLettered};
use countersign_store::{NewReport, Progress, Step, StepCounts, StepOutcome, Store, StoreError};
use futures_util::FutureExt;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    RuntimeSettings,
    agent::{Agent, AgentDecision, AgentError},
    lanes::EventWindow,
    status::LiveStatus,
};
use crate::observation::{Observation, Observer};

/// The maximum wait between two attempts, before jitter.
const BACKOFF_MAX: Duration = Duration::from_secs(60);
/// The maximum length of an error that is stored with a dead letter.
const ERROR_CHARS_MAX: usize = 2_000;
/// The initial capacity for an event's metadata as JSON. The largest common metadata is a supervisor's verdict.
const METADATA_BYTES_USUAL: usize = 8 * 1024;

/// Everything that handling an event needs. One agent's events share it.
pub(crate) struct AgentContext {
    pub(crate) agent: Arc<dyn Agent>,
    pub(crate) store: Store,
    /// The log's size as of the last commit with an event type that this agent subscribes to.
    pub(crate) head: watch::Receiver<u64>,
    pub(crate) settings: RuntimeSettings,
    pub(crate) status: Arc<LiveStatus>,
    pub(crate) window: Mutex<EventWindow>,
    pub(crate) stop: CancellationToken,
    pub(crate) observer: Option<Observer>,
}

/// What a step commits besides its progress, and the observations to report after the commit.
#[derive(Debug, Default)]
pub(crate) struct StepOutput {
    pub(crate) events: Vec<NewEvent>,
    pub(crate) reports: Vec<NewReport>,
    pub(crate) observations: Vec<Observation>,
}

impl StepOutput {
    pub(crate) fn append(&mut self, more: Self) {
        self.events.extend(more.events);
        self.reports.extend(more.reports);
        self.observations.extend(more.observations);
    }
}

/// An event to handle, and how the agent claims it.
#[derive(Debug, Clone)]
pub(crate) struct EventTask {
    pub(crate) event: Arc<StoredEvent>,
    pub(crate) claim: EventClaim,
}

/// How an event is claimed, which decides how its commit moves the agent's progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventClaim {
    /// The event gets its own row in `agent_done`.
    Lane,
    /// The step moves the agent's mark from `from` to just after this event. The events between are of types that the agent
    /// doesn't subscribe to, or already done.
    Batch {
        from: u64,
    },
    Replay {
        id: DeadLetterId,
        attempts_before: u32,
    },
}

/// The runtime was stopped before an event was done. Nothing was committed; the event is handled after the next start.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

impl AgentContext {
    pub(crate) fn window(&self) -> std::sync::MutexGuard<'_, EventWindow> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles one event until it is committed or dead-lettered, unless the runtime stops.
    pub(crate) async fn handle(&self, task: &EventTask) -> Result<(), Stopped> {
        let first = self.decide(&task.event).await;
        self.commit_or_retry(task, first).await
    }

    /// Continues after a first attempt: commits, retries or dead-letters.
    pub(crate) async fn commit_or_retry(
        &self,
        task: &EventTask,
        mut decided: Result<Vec<AgentDecision>, AgentError>,
    ) -> Result<(), Stopped> {
        // Outages count as attempts, but not as failures. `attempts_max` limits failures; a dead letter stores attempts.
        let (mut attempts, mut failures) = (1, 0);
        let (output, is_dead) = loop {
            let error = match decided {
                Ok(decisions) => break (self.prepare_output(&task.event, decisions), false),
                Err(error) => error,
            };
            self.report_failure(task, attempts, &error);
            let gives_up = match error {
                AgentError::Permanent(_) => true,
                AgentError::Outage(_) => false,
                AgentError::Transient(_) => {
                    failures += 1;
                    failures >= self.settings.attempts_max
                }
            };
            if gives_up {
                break (self.dead_letter_output(task, attempts, &error.to_string()), true);
            }
            self.wait_before_retry(attempts).await?;
            decided = self.decide(&task.event).await;
            attempts = attempts.saturating_add(1);
        };
        self.commit(task, output, is_dead, attempts).await
    }

    /// Counts and logs a failed attempt.
    pub(crate) fn report_failure(&self, task: &EventTask, attempts: u32, error: &AgentError) {
        self.status.record_failure(&error.to_string());
        tracing::warn!(agent = self.agent.name(), seq = task.event.seq, attempts, %error, "agent failed to handle an event");
    }

    /// Lets the agent decide. A panic counts as a transient failure.
    pub(crate) async fn decide(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        let _deciding = CountGuard::new(&self.status.in_flight);
        let decided = AssertUnwindSafe(async { self.agent.decide(event).await }).catch_unwind().await;
        decided.unwrap_or_else(|panic| {
            let message = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            Err(AgentError::Transient(format!("panicked: {message}")))
        })
    }

    /// Turns decisions into events with a producer, a cause and a correlation id.
    pub(crate) fn prepare_output(
        &self,
        cause: &StoredEvent,
        decisions: Vec<AgentDecision>,
    ) -> Result<StepOutput, AgentError> {
        let mut output = StepOutput::default();
        for mut decision in decisions {
            let observation = decision.observation.take();
            let (event, report) = self
                .new_event(cause, decision)
                .map_err(|error| AgentError::Permanent(format!("an event can't be serialised: {error}")))?;
            output.events.push(event);
            output.reports.extend(report);
            output.observations.extend(observation);
        }
        Ok(output)
    }

    fn new_event(
        &self,
        cause: &StoredEvent,
        decision: AgentDecision,
    ) -> serde_json::Result<(NewEvent, Option<NewReport>)> {
        let seams = self.store.seams();
        let AgentDecision { event, metadata, content, correlation, .. } = decision;
        let report = match (&event, content) {
            (Event::ReportGenerated(report), Some(content)) => {
                Some(NewReport { report_id: report.report_id.clone(), content })
            }
            _ => None,
        };
        let correlation = correlation.unwrap_or(cause.correlation_id);
        let mut event = NewEvent::new(seams.event_id(), event, seams.now(), self.agent.name(), correlation)?
            .caused_by(cause.event_id);
        if !metadata.is_empty() {
            event.metadata = json::to_string(&metadata, METADATA_BYTES_USUAL)?;
        }
        Ok((event, report))
    }

    /// Builds a step. It adds `processed` and `dead_lettered` to the agent's counts.
    pub(crate) fn step(&self, progress: Progress, output: StepOutput, processed: u64, dead_lettered: u64) -> Step {
        let failed_so_far = self.status.failed.load(Ordering::Relaxed);
        Step {
            counts: StepCounts { processed, dead_lettered, failed_so_far },
            agent: self.agent.name(),
            progress,
            events: output.events,
            reports: output.reports,
            indexes_history: self.agent.indexes_history(),
        }
    }

    /// Passes observations to the observer. Call it only after their commit.
    pub(crate) fn observe(&self, committed: &[Observation]) {
        if let Some(observer) = &self.observer {
            committed.iter().for_each(|observation| observer(observation));
        }
    }

    fn dead_letter_output(&self, task: &EventTask, attempts: u32, error: &str) -> Result<StepOutput, AgentError> {
        let seams = self.store.seams();
        let (id, before) = match task.claim {
            EventClaim::Replay { id, attempts_before } => (id, attempts_before),
            EventClaim::Lane | EventClaim::Batch { .. } => (seams.dead_letter_id(), 0),
        };
        let letter = EventDeadLettered {
            dead_letter_id: id,
            agent: self.agent.name().to_owned(),
            event_id: task.event.event_id,
            event_type: task.event.event_type.clone(),
            seq: task.event.seq,
            attempts: before.saturating_add(attempts),
            error: error.chars().take(ERROR_CHARS_MAX).collect(),
            dead_lettered_at: seams.now(),
        };
        self.prepare_output(&task.event, vec![letter.into()])
    }

    /// Dead-letters an event without another attempt, because it repeatedly crashed the process.
    pub(crate) async fn commit_dead_letter(&self, task: &EventTask, attempts: u32, error: &str) -> Result<(), Stopped> {
        self.commit(task, self.dead_letter_output(task, attempts, error), true, attempts).await
    }

    /// Commits a step. A batch is claimed from where the stored mark is, if that differs from what its step says: a call that
    /// moves the mark past events of other types may fail, and may have been committed although it failed. `AlreadyDone` means
    /// that an earlier try was committed.
    pub(crate) async fn commit_step(&self, step: &mut Arc<Step>) -> Result<StepOutcome, StoreError> {
        loop {
            let outcome = self.store.step(Arc::clone(step)).await?;
            let (StepOutcome::AlreadyDone, Progress::Batch { to, .. }) = (&outcome, step.progress) else {
                return Ok(outcome);
            };
            let (low, _) = self.store.progress(self.agent.name()).await?;
            if low >= to {
                return Ok(outcome);
            }
            Arc::make_mut(step).progress = Progress::Batch { from: low, to };
        }
    }

    async fn commit(
        &self,
        task: &EventTask,
        output: Result<StepOutput, AgentError>,
        mut is_dead: bool,
        attempts: u32,
    ) -> Result<(), Stopped> {
        let _emitting = CountGuard::new(&self.status.emitting);
        let seq = task.event.seq;
        let progress = match task.claim {
            EventClaim::Lane => Progress::Lane { seq, low: self.window().low_after(seq) },
            EventClaim::Batch { from } => Progress::Batch { from, to: seq + 1 },
            EventClaim::Replay { id, .. } => Progress::Replay { id },
        };
        let step_of = |output: Result<StepOutput, AgentError>, is_dead: bool| {
            let mut output = output?;
            let observations = std::mem::take(&mut output.observations);
            Ok((Arc::new(self.step(progress, output, u64::from(!is_dead), u64::from(is_dead))), observations))
        };
        let mut step = step_of(output, is_dead);
        let mut tries = 0;
        loop {
            let outcome = match &mut step {
                Ok((step, _)) => self.commit_step(step).await,
                // A decision that could not be prepared is treated like one that the store refuses.
                Err(error) => Err(StoreError::Conflict(AgentError::to_string(error))),
            };
            match outcome {
                Ok(StepOutcome::AlreadyDone) => return Ok(()),
                Ok(StepOutcome::Committed) => {
                    let count = if is_dead { &self.status.dead_lettered } else { &self.status.processed };
                    count.fetch_add(1, Ordering::Relaxed);
                    if let Ok((_, observations)) = &step {
                        self.observe(observations);
                    }
                    return Ok(());
                }
                Err(StoreError::Closed) => return Err(Stopped),
                // The decision can never be stored: dead-letter the event and drop the decision.
                Err(error) if !error.is_transient() && !is_dead => {
                    self.status.record_failure(&error.to_string());
                    let why = format!("the decision could not be stored: {error}");
                    step = step_of(self.dead_letter_output(task, attempts, &why), true);
                    is_dead = true;
                }
                // Keep the decision and retry until the store works again.
                Err(error) => {
                    tries += 1;
                    tracing::error!(agent = self.agent.name(), seq, %error, "a commit failed; retrying");
                    self.status.record_failure(&error.to_string());
                    self.wait_before_retry(tries).await?;
                }
            }
        }
    }

    /// Waits with exponential back-off and 20 % jitter, so that many events don't retry at the same moment.
    async fn wait_before_retry(&self, attempts: u32) -> Result<(), Stopped> {
        let doubled = self.settings.backoff.saturating_mul(1 << attempts.saturating_sub(1).min(16)).min(BACKOFF_MAX);
        let [random] = self.store.seams().entropy.bytes::<1>();
        let wait = doubled.mul_f64(0.8 + 0.4 * f64::from(random) / 255.0);
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            () = self.stop.cancelled() => Err(Stopped),
        }
    }
}

/// Increments a counter, and decrements it when dropped.
pub(crate) struct CountGuard<'a>(&'a AtomicU64);

impl<'a> CountGuard<'a> {
    pub(crate) fn new(count: &'a AtomicU64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for CountGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
