//! Runs one agent, from start to stop: reads the log, dispatches events, writes heartbeats.
//!
//! | file            | job                                                              |
//! |-----------------|------------------------------------------------------------------|
//! | `mod.rs`        | start and stop, reading the log, heartbeats                      |
//! | `in_lanes.rs`   | the loop of agents that handle events concurrently               |
//! | `in_batches.rs` | the loop of agents that handle many events per commit            |
//! | `recovery.rs`   | recovery after an unclean stop, and replays of dead letters      |

mod in_batches;
mod in_lanes;
mod recovery;

use std::{
    collections::{BTreeSet, HashSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use countersign_domain::{
    DeadLetterId, Event, NewEvent, StoredEvent, Time,
    payload::{AgentStarted, AgentStopped},
};
use countersign_store::{EventQuery, StoreError};
use tokio::{
    sync::{Notify, watch},
    time::{Duration, Instant, Interval, MissedTickBehavior, interval_at},
};

use super::{
    agent::Dispatch,
    handling::{AgentContext, EventClaim, EventTask, Stopped},
    lanes::EventWindow,
};

/// The wait before a failed store operation is tried again.
const STORE_RETRY: Duration = Duration::from_millis(500);

pub(crate) struct Worker {
    context: Arc<AgentContext>,
    paused: watch::Receiver<bool>,
    replay_requested: Arc<Notify>,
    /// How many agents still have to recover from an unclean stop.
    unrecovered: Arc<AtomicUsize>,
    /// Where an agent that has never run starts, if not at the beginning of the log.
    starts_at: Option<u64>,
    /// Events above the low-water mark that an earlier run finished.
    done: BTreeSet<u64>,
    /// Dead letters whose replay is queued or running.
    replaying: HashSet<DeadLetterId>,
    /// Whether the next round looks for replays that were requested.
    look_for_replays: bool,
}

impl Worker {
    pub(crate) fn new(
        context: Arc<AgentContext>,
        paused: watch::Receiver<bool>,
        replay_requested: Arc<Notify>,
        unrecovered: Arc<AtomicUsize>,
        starts_at: Option<u64>,
    ) -> Self {
        let (done, replaying) = (BTreeSet::new(), HashSet::new());
        Self { context, paused, replay_requested, unrecovered, starts_at, done, replaying, look_for_replays: true }
    }

    pub(crate) async fn run(mut self) {
        if self.run_until_stopped().await.is_err() {
            tracing::debug!(
                agent = self.name(),
                "stopped with events unfinished; they are handled after the next start"
            );
        }
        self.record_own_event(|agent, at| AgentStopped { agent, reason: "shutdown".into(), stopped_at: at }.into())
            .await;
        self.record_heartbeat().await;
    }

    async fn run_until_stopped(&mut self) -> Result<(), Stopped> {
        self.skip_history().await?;
        self.record_own_event(|agent, at| {
            AgentStarted { agent, version: env!("CARGO_PKG_VERSION").into(), started_at: at }.into()
        })
        .await;
        self.record_heartbeat().await;
        self.load_progress().await?;
        if self.has_unfinished_work().await? {
            self.release_replays().await?;
            self.wait_while_paused().await?;
            self.recover().await?;
        }
        if self.unrecovered.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.context.store.set_recovered();
        }
        self.context.status.initialising.store(false, Ordering::Relaxed);
        match self.context.agent.dispatch() {
            Dispatch::Lanes { concurrency } => self.run_lanes(concurrency).await,
            Dispatch::Batches { events_max } => self.run_batches(events_max.max(1)).await,
        }
    }

    fn name(&self) -> &'static str {
        self.context.agent.name()
    }

    async fn record_own_event(&self, make: impl FnOnce(String, Time) -> Event) {
        let seams = self.context.store.seams();
        let event = make(self.name().to_owned(), seams.now());
        let event = NewEvent::new(seams.event_id(), event, seams.now(), self.name(), seams.correlation_id());
        let appended = match event {
            Ok(event) => self.context.store.append(vec![event]).await,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = appended {
            tracing::warn!(agent = self.name(), %error, "the agent's start or stop could not be recorded");
        }
    }

    /// Writes the agent's entry in the registry.
    async fn record_heartbeat(&self) {
        let context = &self.context;
        let now = context.store.seams().now();
        context.status.set_heartbeat(now);
        let status = context.status.snapshot(*self.paused.borrow(), *context.head.borrow(), now);
        if let Err(error) = context.store.register(status.registry_entry()).await {
            tracing::warn!(agent = self.name(), %error, "the agent's heartbeat could not be written");
        }
    }

    fn heartbeat(&self) -> Interval {
        let period = self.context.settings.heartbeat;
        let mut heartbeat = interval_at(Instant::now() + period, period);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat
    }

    async fn load_progress(&mut self) -> Result<(), Stopped> {
        let (low, done) = loop {
            match self.context.store.progress(self.name()).await {
                Ok(progress) => break progress,
                Err(error) => self.wait_for_store(&error).await?,
            }
        };
        *self.context.window() = EventWindow::at(low);
        self.done = done.into_iter().collect();
        Ok(())
    }

    /// Moves a new agent to its starting point. Runs before the agent is registered: a registered agent has started, and
    /// never skips anything again.
    async fn skip_history(&self) -> Result<(), Stopped> {
        let Some(to) = self.starts_at else { return Ok(()) };
        while let Err(error) = self.context.store.mark_low(self.name(), to).await {
            self.wait_for_store(&error).await?;
        }
        Ok(())
    }

    /// Reports a failure of the store, and waits before it is tried again.
    async fn wait_for_store(&self, error: &StoreError) -> Result<(), Stopped> {
        if matches!(error, StoreError::Closed) {
            return Err(Stopped);
        }
        tracing::error!(agent = self.name(), %error, "the store failed; retrying");
        self.context.status.record_failure(&error.to_string());
        tokio::select! {
            () = tokio::time::sleep(STORE_RETRY) => Ok(()),
            () = self.context.stop.cancelled() => Err(Stopped),
        }
    }

    async fn wait_while_paused(&mut self) -> Result<(), Stopped> {
        let stop = self.context.stop.clone();
        tokio::select! {
            changed = self.paused.wait_for(|paused| !paused) => changed.map(|_| ()).map_err(|_| Stopped),
            () = stop.cancelled() => Err(Stopped),
        }
    }

    /// The next unread events of the types that this agent subscribes to, at most `limit`.
    async fn read(&mut self, limit: usize) -> Result<Vec<Arc<StoredEvent>>, Stopped> {
        let context = Arc::clone(&self.context);
        context.status.reading.store(true, Ordering::Relaxed);
        let types = context.agent.subscribes_to().to_vec();
        let events = loop {
            // Take the size before the read: events appended in between must not count as read.
            let size = context.store.known_size();
            let from_seq = context.window().read_to();
            let query = EventQuery { from_seq, types: types.clone(), correlation_id: None, limit };
            match context.store.events(query).await {
                Ok(events) => {
                    // A commit is visible before it is announced, so the last event may be beyond `size`.
                    let last = events.last().map_or(0, |last| last.seq + 1);
                    let read_to = if events.len() >= limit { last } else { last.max(size) };
                    let new: Vec<_> =
                        events.into_iter().filter(|event| !self.done.remove(&event.seq)).map(Arc::new).collect();
                    context.window().note_read(new.iter().map(|event| event.seq), read_to);
                    break new;
                }
                Err(error) => self.wait_for_store(&error).await?,
            }
        };
        context.status.reading.store(false, Ordering::Relaxed);
        self.publish_progress();
        Ok(events)
    }

    fn publish_progress(&self) {
        let window = self.context.window();
        self.context.status.unfinished.store(window.unfinished() as u64, Ordering::Relaxed);
        self.context.status.read_to.store(window.read_to(), Ordering::Relaxed);
    }

    fn finish(&self, seq: u64) {
        self.context.window().finish(seq);
        self.publish_progress();
    }

    fn finish_task(&mut self, task: &EventTask) {
        match task.claim {
            EventClaim::Replay { id, .. } => drop(self.replaying.remove(&id)),
            EventClaim::Lane | EventClaim::Batch { .. } => self.finish(task.event.seq),
        }
    }

    /// Moves the stored low-water mark past events of types we don't subscribe to. If that fails, returns false; the next
    /// commit moves the mark.
    async fn mark_low(&self, low: u64) -> bool {
        let marked = self.context.store.mark_low(self.name(), low).await;
        if let Err(error) = &marked {
            tracing::warn!(agent = self.name(), %error, "the agent's low-water mark could not be moved");
        }
        marked.is_ok()
    }
}
