//! The runtime: starts, watches, pauses and stops agents, and commits what they decide.
//!
//! | file          | job                                                                           |
//! |---------------|-------------------------------------------------------------------------------|
//! | `agent.rs`    | the `Agent` trait, decisions and errors                                       |
//! | `mod.rs`      | `Runtime`: start, status, pause, replay, stop                                 |
//! | `worker/`     | one agent's loop: read the log, dispatch events, write heartbeats, recover    |
//! | `lanes.rs`    | which task may run now: in order within a key, concurrently across keys       |
//! | `handling.rs` | one event: decide, retry, commit, observe, or dead-letter                     |
//! | `status.rs`   | an agent's counters, and the status the API shows                             |
//! | `activity.rs` | what an agent did in the last hour, minute by minute                          |

mod activity;
mod agent;
mod handling;
mod lanes;
mod status;
mod worker;

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicUsize},
    time::Duration,
};

use countersign_domain::DeadLetterId;
use countersign_store::{Store, StoreError};
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

pub use activity::AgentMinute;
pub use agent::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch, OrderKey, PrepareFuture};
pub use status::AgentStatus;

use crate::observation::Observer;
use handling::AgentContext;
use lanes::EventWindow;
use status::LiveStatus;
use worker::Worker;

#[derive(Debug, Clone, Copy)]
pub struct RuntimeSettings {
    /// How often each agent writes its heartbeat to the registry.
    pub heartbeat: Duration,
    /// Failed attempts after which an event becomes a dead letter. Attempts during an outage don't count.
    pub attempts_max: u32,
    /// The wait after the first failure; it doubles with each further one.
    pub backoff: Duration,
    /// How many events one agent may have read but not finished.
    pub window_events_max: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    #[error("there is no such agent")]
    UnknownAgent,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The running agents. Clones share them.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

struct Inner {
    store: Store,
    agents: Vec<RunningAgent>,
    stop: CancellationToken,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

struct RunningAgent {
    status: Arc<LiveStatus>,
    head: watch::Receiver<u64>,
    paused: watch::Sender<bool>,
    replay: Arc<Notify>,
}

impl RunningAgent {
    fn snapshot(&self, store: &Store) -> AgentStatus {
        self.status.snapshot(*self.paused.borrow(), *self.head.borrow(), store.seams().now())
    }
}

impl Runtime {
    /// Starts every agent where it left off. An agent that was paused stays paused.
    pub async fn start(
        store: Store,
        agents: Vec<Arc<dyn Agent>>,
        settings: RuntimeSettings,
    ) -> Result<Self, StoreError> {
        Self::start_observed(store, agents, settings, None).await
    }

    /// Like [`Runtime::start`]. After each commit, the observer is called for every decision that has an observation.
    pub async fn start_observed(
        store: Store,
        mut agents: Vec<Arc<dyn Agent>>,
        settings: RuntimeSettings,
        observer: Option<Observer>,
    ) -> Result<Self, StoreError> {
        agents.sort_by_key(|agent| std::cmp::Reverse(agent.priority()));
        let registry = store.registry().await?;
        let stop = CancellationToken::new();
        let (mut running, mut workers) = (Vec::new(), Vec::new());
        let unrecovered = Arc::new(AtomicUsize::new(agents.len()));
        if agents.is_empty() {
            store.set_recovered();
        }
        for agent in agents {
            let earlier = registry.iter().find(|entry| entry.name == agent.name());
            let status = Arc::new(LiveStatus::new(agent.name(), agent.priority(), store.seams().now(), earlier));
            let (paused, is_paused) = watch::channel(earlier.is_some_and(|entry| entry.paused));
            let replay = Arc::new(Notify::new());
            // Fixed here and not when the worker first runs, so that the agent handles events appended in between.
            let starts_at = match earlier {
                None if agent.starts_at_end() => Some(store.size().await?),
                _ => None,
            };
            let head = store.head_of(agent.subscribes_to());
            let context = AgentContext {
                agent,
                store: store.clone(),
                head: head.clone(),
                settings,
                status: Arc::clone(&status),
                window: Mutex::new(EventWindow::at(0)),
                stop: stop.clone(),
                observer: observer.clone(),
            };
            let worker =
                Worker::new(Arc::new(context), is_paused, Arc::clone(&replay), Arc::clone(&unrecovered), starts_at);
            workers.push(tokio::spawn(worker.run()));
            running.push(RunningAgent { status, head, paused, replay });
        }
        Ok(Self(Arc::new(Inner { store, agents: running, stop, workers: Mutex::new(workers) })))
    }

    pub fn statuses(&self) -> Vec<AgentStatus> {
        self.0.agents.iter().map(|agent| agent.snapshot(&self.0.store)).collect()
    }

    /// Lets the agent finish the events it is handling and start no new ones. It stays paused across restarts.
    pub async fn pause(&self, name: &str) -> Result<AgentStatus, RuntimeError> {
        self.set_paused(name, true).await
    }

    pub async fn resume(&self, name: &str) -> Result<AgentStatus, RuntimeError> {
        self.set_paused(name, false).await
    }

    async fn set_paused(&self, name: &str, paused: bool) -> Result<AgentStatus, RuntimeError> {
        let agent = self.0.agents.iter().find(|agent| agent.status.name == name).ok_or(RuntimeError::UnknownAgent)?;
        agent.paused.send_replace(paused);
        let status = agent.snapshot(&self.0.store);
        self.0.store.register(status.registry_entry()).await?;
        Ok(status)
    }

    /// Requests that a dead letter's event be handled again.
    pub async fn replay(&self, id: DeadLetterId, requested_by: &str) -> Result<(), RuntimeError> {
        self.0.store.request_replay(id, requested_by).await?;
        self.0.agents.iter().for_each(|agent| agent.replay.notify_one());
        Ok(())
    }

    /// Lets agents finish the events they are handling, for at most `within`, then aborts them. Unfinished events are
    /// handled after the next start.
    pub async fn stop(&self, within: Duration) {
        self.0.stop.cancel();
        let workers = std::mem::take(&mut *self.0.workers.lock().unwrap_or_else(PoisonError::into_inner));
        let deadline = Instant::now() + within;
        for mut worker in workers {
            let left = deadline.saturating_duration_since(Instant::now());
            if timeout(left, &mut worker).await.is_err() {
                worker.abort();
                // An aborted task holds the store until it has ended.
                let _ = worker.await;
            }
        }
    }
}
