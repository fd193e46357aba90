//! An agent's live counters, and the status that the API and the registry show.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use countersign_domain::{AgentState, Time};
use countersign_store::RegistryEntry;
use serde::Serialize;

use super::activity::{Activity, AgentMinute};

#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct AgentStatus {
    pub name: String,
    pub state: AgentState,
    /// Agents with a higher priority are started first.
    pub priority: i64,
    pub paused: bool,
    pub started_at: Time,
    pub heartbeat_at: Time,
    pub processed: u64,
    /// Failed attempts to handle events, and failures of the store.
    pub failed: u64,
    pub dead_lettered: u64,
    /// Events that the agent still has to read or to finish, up to the newest one of a type it subscribes to.
    pub lag: u64,
    /// Events that the agent is deciding on now. Those that are being committed or wait for a retry are not counted.
    pub in_flight: u64,
    pub last_error: Option<String>,
    /// Events finished per minute, averaged over the last five minutes.
    pub rate_per_minute: f64,
    /// The last hour, minute by minute, oldest first; shorter if the process is younger. The last entry is the current minute.
    pub history: Vec<AgentMinute>,
}

impl AgentStatus {
    pub(crate) fn registry_entry(&self) -> RegistryEntry {
        RegistryEntry {
            name: self.name.clone(),
            state: self.state,
            priority: self.priority,
            paused: self.paused,
            started_at: self.started_at,
            heartbeat_at: self.heartbeat_at,
            processed: self.processed,
            failed: self.failed,
            dead_lettered: self.dead_lettered,
            lag: self.lag,
            last_error: self.last_error.clone(),
        }
    }
}

/// The counters of a running agent. Kept in memory; each heartbeat writes them to the registry.
pub(crate) struct LiveStatus {
    pub(crate) name: &'static str,
    pub(crate) priority: i64,
    pub(crate) started_at: Time,
    pub(crate) initialising: AtomicBool,
    pub(crate) reading: AtomicBool,
    pub(crate) in_flight: AtomicU64,
    /// Commits in progress. While there are any, the agent's state is [`AgentState::Emit`].
    pub(crate) emitting: AtomicU64,
    pub(crate) processed: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) dead_lettered: AtomicU64,
    pub(crate) unfinished: AtomicU64,
    pub(crate) read_to: AtomicU64,
    pub(crate) heartbeat_at: Mutex<Time>,
    pub(crate) last_error: Mutex<Option<String>>,
    activity: Mutex<Activity>,
}

impl LiveStatus {
    /// Continues the counts of an earlier run.
    pub(crate) fn new(name: &'static str, priority: i64, now: Time, earlier: Option<&RegistryEntry>) -> Self {
        let (processed, failed) = earlier.map_or((0, 0), |entry| (entry.processed, entry.failed));
        Self {
            name,
            priority,
            started_at: now,
            initialising: AtomicBool::new(true),
            reading: AtomicBool::new(false),
            in_flight: AtomicU64::new(0),
            emitting: AtomicU64::new(0),
            processed: AtomicU64::new(processed),
            failed: AtomicU64::new(failed),
            dead_lettered: AtomicU64::new(earlier.map_or(0, |entry| entry.dead_lettered)),
            unfinished: AtomicU64::new(0),
            read_to: AtomicU64::new(0),
            heartbeat_at: Mutex::new(now),
            last_error: Mutex::new(earlier.and_then(|entry| entry.last_error.clone())),
            activity: Mutex::new(Activity::new(now, processed, failed)),
        }
    }

    /// Counts a failure and keeps its error as the last one.
    pub(crate) fn record_failure(&self, error: &str) {
        self.failed.fetch_add(1, Ordering::Relaxed);
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.chars().take(500).collect());
    }

    pub(crate) fn set_heartbeat(&self, now: Time) {
        *self.heartbeat_at.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    fn state(&self) -> AgentState {
        let is_positive = |counter: &AtomicU64| counter.load(Ordering::Relaxed) > 0;
        match () {
            () if self.initialising.load(Ordering::Relaxed) => AgentState::Init,
            () if is_positive(&self.emitting) => AgentState::Emit,
            () if is_positive(&self.in_flight) => AgentState::Analyze,
            () if self.reading.load(Ordering::Relaxed) => AgentState::Listen,
            () => AgentState::Idle,
        }
    }

    pub(crate) fn snapshot(&self, paused: bool, head: u64, now: Time) -> AgentStatus {
        let unread = head.saturating_sub(self.read_to.load(Ordering::Relaxed));
        let lag = unread + self.unfinished.load(Ordering::Relaxed);
        let mut activity = self.activity.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock, so that of two concurrent snapshots the later one never sees smaller counters.
        let (processed, failed) = (self.processed.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed));
        activity.sample(now, processed, failed, lag);
        AgentStatus {
            name: self.name.to_owned(),
            state: self.state(),
            priority: self.priority,
            paused,
            started_at: self.started_at,
            heartbeat_at: *self.heartbeat_at.lock().unwrap_or_else(PoisonError::into_inner),
            processed,
            failed,
            dead_lettered: self.dead_lettered.load(Ordering::Relaxed),
            lag,
            in_flight: self.in_flight.load(Ordering::Relaxed),
            last_error: self.last_error.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            rate_per_minute: activity.rate_per_minute(now),
            history: activity.minutes(),
        }
    }
}
