//! Starting, watching, pausing and stopping agents.

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicUsize},
    time::Duration,
};

use countersign_domain::DeadLetterId;
use countersign_store::{Store, StoreError};
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::{
    agent::Agent,
    attempt::Hand,
    lanes::Marks,
    status::{AgentStatus, Shared},
    worker::Worker,
};

#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How often the registry is written.
    pub heartbeat: Duration,
    /// Attempts at one event before it becomes a dead letter.
    pub attempts_max: u32,
    /// The wait after the first failure; it doubles from there.
    pub backoff: Duration,
    /// Events that one agent may have read and not finished.
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
    agents: Vec<Running>,
    stop: CancellationToken,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

struct Running {
    shared: Arc<Shared>,
    head: watch::Receiver<u64>,
    paused: watch::Sender<bool>,
    replay: Arc<Notify>,
}

impl Running {
    fn status(&self, store: &Store) -> AgentStatus {
        self.shared.status(*self.paused.borrow(), *self.head.borrow(), store.seams().now())
    }
}

impl Runtime {
    /// Starts every agent where it left off. One that was paused stays so.
    pub async fn start(store: Store, mut agents: Vec<Arc<dyn Agent>>, settings: Settings) -> Result<Self, StoreError> {
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
            let shared = Arc::new(Shared::new(agent.name(), agent.priority(), store.seams().now(), earlier));
            let (paused, is_paused) = watch::channel(earlier.is_some_and(|entry| entry.paused));
            let replay = Arc::new(Notify::new());
            // Now, not when its task first runs: what comes in meanwhile is its business.
            let skips_to = match earlier {
                None if agent.starts_at_end() => Some(store.size().await?),
                _ => None,
            };
            let head = store.head_of(agent.subscribes_to());
            let hand = Hand {
                agent,
                store: store.clone(),
                head: head.clone(),
                settings,
                shared: Arc::clone(&shared),
                marks: Mutex::new(Marks::at(0)),
                stop: stop.clone(),
            };
            let worker =
                Worker::new(Arc::new(hand), is_paused, Arc::clone(&replay), Arc::clone(&unrecovered), skips_to);
            workers.push(tokio::spawn(worker.run()));
            running.push(Running { shared, head, paused, replay });
        }
        Ok(Self(Arc::new(Inner { store, agents: running, stop, workers: Mutex::new(workers) })))
    }

    pub fn statuses(&self) -> Vec<AgentStatus> {
        self.0.agents.iter().map(|agent| agent.status(&self.0.store)).collect()
    }

    /// Lets the agent finish what it has in hand and take nothing new, across restarts too.
    pub async fn pause(&self, name: &str) -> Result<AgentStatus, RuntimeError> {
        self.set_paused(name, true).await
    }

    pub async fn resume(&self, name: &str) -> Result<AgentStatus, RuntimeError> {
        self.set_paused(name, false).await
    }

    async fn set_paused(&self, name: &str, paused: bool) -> Result<AgentStatus, RuntimeError> {
        let agent = self.0.agents.iter().find(|agent| agent.shared.name == name).ok_or(RuntimeError::UnknownAgent)?;
        agent.paused.send_replace(paused);
        let status = agent.status(&self.0.store);
        self.0.store.register(status.registry_entry()).await?;
        Ok(status)
    }

    /// Has a dead letter handled again.
    pub async fn replay(&self, id: DeadLetterId, requested_by: &str) -> Result<(), RuntimeError> {
        self.0.store.request_replay(id, requested_by).await?;
        self.0.agents.iter().for_each(|agent| agent.replay.notify_one());
        Ok(())
    }

    /// Lets agents finish what they have in hand for at most `within`, then lets go of the rest: it is unfinished, and
    /// will be handled after the next start.
    pub async fn stop(&self, within: Duration) {
        self.0.stop.cancel();
        let workers = std::mem::take(&mut *self.0.workers.lock().unwrap_or_else(PoisonError::into_inner));
        let deadline = tokio::time::Instant::now() + within;
        for mut worker in workers {
            let left = deadline.saturating_duration_since(tokio::time::Instant::now());
            if timeout(left, &mut worker).await.is_err() {
                worker.abort();
                // Until it is gone it holds the store.
                let _ = worker.await;
            }
        }
    }
}
