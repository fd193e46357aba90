//! One event from claim to commit: decide, try again where it can heal, and at last keep it as a dead letter.

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use countersign_domain::{DeadLetterId, Event, NewEvent, StoredEvent, json, payload::EventDeadLettered};
use countersign_store::{Counts, NewReport, Progress, Step, StepOutcome, Store, StoreError};
use futures_util::FutureExt;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    agent::{Agent, AgentError, Decision},
    lanes::Marks,
    runtime::Settings,
    status::Shared,
};

/// No wait between attempts is longer.
const BACKOFF_MAX: Duration = Duration::from_secs(60);
/// Of an error, with the dead letter.
const ERROR_CHARS_MAX: usize = 2_000;
/// The usual size of a verdict as JSON.
const METADATA_BYTES_USUAL: usize = 8 * 1024;

/// What a running event needs; shared by all of one agent's.
pub(crate) struct Hand {
    pub(crate) agent: Arc<dyn Agent>,
    pub(crate) store: Store,
    /// How far the log reached when something last came that concerns this agent.
    pub(crate) head: watch::Receiver<u64>,
    pub(crate) settings: Settings,
    pub(crate) shared: Arc<Shared>,
    pub(crate) marks: Mutex<Marks>,
    pub(crate) stop: CancellationToken,
}

/// What a step commits besides its progress.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    pub(crate) events: Vec<NewEvent>,
    pub(crate) reports: Vec<NewReport>,
}

impl Outgoing {
    pub(crate) fn append(&mut self, more: Self) {
        self.events.extend(more.events);
        self.reports.extend(more.reports);
    }
}

/// An event to handle, and how its handling is claimed.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) event: Arc<StoredEvent>,
    pub(crate) claim: Claim,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    Lane,
    /// The mark stands at `from`; everything before the event concerns nobody.
    Batch {
        from: u64,
    },
    Replay {
        id: DeadLetterId,
        attempts_before: u32,
    },
}

/// Told to stop before it was done: nothing was committed, and the event stays unfinished.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Released;

impl Hand {
    pub(crate) fn marks(&self) -> std::sync::MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles one event for good, unless told to stop.
    pub(crate) async fn handle(&self, task: &Task) -> Result<(), Released> {
        let first = self.decide(&task.event).await;
        self.conclude(task, first).await
    }

    /// What follows from a first attempt: a commit, further attempts, a dead letter.
    pub(crate) async fn conclude(
        &self,
        task: &Task,
        mut decided: Result<Vec<Decision>, AgentError>,
    ) -> Result<(), Released> {
        let (mut attempts, mut failures) = (1, 0);
        let (events, dead) = loop {
            let error = match decided {
                Ok(events) => break (self.outgoing(&task.event, events), false),
                Err(error) => error,
            };
            self.failed(task, attempts, &error);
            let gives_up = match error {
                AgentError::Permanent(_) => true,
                AgentError::Outage(_) => false,
                AgentError::Transient(_) => {
                    failures += 1;
                    failures >= self.settings.attempts_max
                }
            };
            if gives_up {
                break (self.dead_letter(task, attempts, &error.to_string()), true);
            }
            self.pause_before_retry(attempts).await?;
            decided = self.decide(&task.event).await;
            attempts = attempts.saturating_add(1);
        };
        self.commit(task, events, dead, attempts).await
    }

    pub(crate) fn failed(&self, task: &Task, attempts: u32, error: &AgentError) {
        self.shared.fail(&error.to_string());
        tracing::warn!(agent = self.agent.name(), seq = task.event.seq, attempts, %error, "an event could not be handled");
    }

    /// Asks the agent; a panic is a failure like any other.
    pub(crate) async fn decide(&self, event: &StoredEvent) -> Result<Vec<Decision>, AgentError> {
        let _deciding = Counted::new(&self.shared.in_flight);
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

    /// Gives decided events their place: who made them, what caused them, what they belong to.
    pub(crate) fn outgoing(&self, cause: &StoredEvent, decided: Vec<Decision>) -> Result<Outgoing, AgentError> {
        let mut outgoing = Outgoing::default();
        for decision in decided {
            let (event, report) = self
                .place(cause, decision)
                .map_err(|error| AgentError::Permanent(format!("an event can't be written: {error}")))?;
            outgoing.events.push(event);
            outgoing.reports.extend(report);
        }
        Ok(outgoing)
    }

    fn place(&self, cause: &StoredEvent, decision: Decision) -> serde_json::Result<(NewEvent, Option<NewReport>)> {
        let seams = self.store.seams();
        let Decision { event, metadata, content, correlation } = decision;
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

    /// `processed` and `dead_lettered` are what this step adds to the agent's counts.
    pub(crate) fn step(&self, progress: Progress, outgoing: Outgoing, processed: u64, dead_lettered: u64) -> Step {
        let failed_so_far = self.shared.failed.load(Ordering::Relaxed);
        Step {
            counts: Counts { processed, dead_lettered, failed_so_far },
            agent: self.agent.name(),
            progress,
            events: outgoing.events,
            reports: outgoing.reports,
            indexes_history: self.agent.indexes_history(),
        }
    }

    fn dead_letter(&self, task: &Task, attempts: u32, error: &str) -> Result<Outgoing, AgentError> {
        let seams = self.store.seams();
        let (id, before) = match task.claim {
            Claim::Replay { id, attempts_before } => (id, attempts_before),
            Claim::Lane | Claim::Batch { .. } => (seams.dead_letter_id(), 0),
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
        self.outgoing(&task.event, vec![letter.into()])
    }

    /// For an event that ended the process again and again.
    pub(crate) async fn bury(&self, task: &Task, attempts: u32, error: &str) -> Result<(), Released> {
        self.commit(task, self.dead_letter(task, attempts, error), true, attempts).await
    }

    async fn commit(
        &self,
        task: &Task,
        events: Result<Outgoing, AgentError>,
        mut dead: bool,
        attempts: u32,
    ) -> Result<(), Released> {
        let _emitting = Counted::new(&self.shared.emitting);
        let seq = task.event.seq;
        let progress = match task.claim {
            Claim::Lane => Progress::Lane { seq, low: self.marks().low_without(seq) },
            Claim::Batch { from } => Progress::Batch { from, to: seq + 1 },
            Claim::Replay { id, .. } => Progress::Replay { id },
        };
        let step_of = |events: Result<Outgoing, AgentError>, dead: bool| {
            Ok(Arc::new(self.step(progress, events?, u64::from(!dead), u64::from(dead))))
        };
        let mut step = step_of(events, dead);
        let mut tries = 0;
        loop {
            let outcome = match &step {
                Ok(step) => self.store.step(Arc::clone(step)).await,
                Err(error) => Err(StoreError::Conflict(AgentError::to_string(error))),
            };
            match outcome {
                Ok(outcome) => {
                    self.count(outcome, dead);
                    return Ok(());
                }
                Err(StoreError::Closed) => return Err(Released),
                // What was decided can't be stored, now or ever: keep the event, drop the decision.
                Err(error) if !error.is_transient() && !dead => {
                    self.shared.fail(&error.to_string());
                    let why = format!("what followed could not be stored: {error}");
                    step = step_of(self.dead_letter(task, attempts, &why), true);
                    dead = true;
                }
                // The decision stands; only the disk has to come back.
                Err(error) => {
                    tries += 1;
                    tracing::error!(agent = self.agent.name(), seq, %error, "a step could not be committed; trying again");
                    self.shared.fail(&error.to_string());
                    self.pause_before_retry(tries).await?;
                }
            }
        }
    }

    fn count(&self, outcome: StepOutcome, dead: bool) {
        match (outcome, dead) {
            (StepOutcome::AlreadyDone, _) => {}
            (StepOutcome::Committed, true) => drop(self.shared.dead_lettered.fetch_add(1, Ordering::Relaxed)),
            (StepOutcome::Committed, false) => drop(self.shared.processed.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// Twice as long each time, give or take a fifth, so that many don't come back at once.
    async fn pause_before_retry(&self, attempts: u32) -> Result<(), Released> {
        let doubled = self.settings.backoff.saturating_mul(1 << attempts.saturating_sub(1).min(16)).min(BACKOFF_MAX);
        let [dice] = self.store.seams().entropy.bytes::<1>();
        let wait = doubled.mul_f64(0.8 + 0.4 * f64::from(dice) / 255.0);
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            () = self.stop.cancelled() => Err(Released),
        }
    }
}

/// Counts up now and down when it goes.
pub(crate) struct Counted<'a>(&'a AtomicU64);

impl<'a> Counted<'a> {
    pub(crate) fn new(count: &'a AtomicU64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
