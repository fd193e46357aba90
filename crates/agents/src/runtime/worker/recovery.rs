//! Recovery after an unclean stop, and replays of dead letters.

use std::sync::Arc;

use countersign_domain::DeadLetterState;
use countersign_store::DeadLetterQuery;

use super::Worker;
use crate::runtime::{
    agent::{AgentError, Dispatch},
    handling::{EventClaim, EventTask, Stopped},
};

/// The maximum number of dead letters that are looked up for replay at a time.
const REPLAYS_MAX: usize = 100;

impl Worker {
    /// Whether an unclean stop left events in progress that nobody has handled since.
    pub(super) async fn has_unfinished_work(&self) -> Result<bool, Stopped> {
        loop {
            match self.context.store.has_unfinished_work().await {
                Ok(unfinished) => return Ok(unfinished),
                Err(error) => self.wait_for_store(&error).await?,
            }
        }
    }

    /// Returns interrupted replays to the dead letters, where they must be requested again: one of them may have crashed
    /// the process.
    pub(super) async fn release_replays(&self) -> Result<(), Stopped> {
        while let Err(error) = self.context.store.release_replays(self.name()).await {
            self.wait_for_store(&error).await?;
        }
        Ok(())
    }

    /// Handles the events that may have been in progress at an unclean stop, one at a time. Each attempt is counted before
    /// it is made, so that an event that kills the process becomes a dead letter instead of killing it at every start.
    pub(super) async fn recover(&mut self) -> Result<(), Stopped> {
        let mut mark = self.context.window().low();
        let events = self.read(self.context.settings.window_events_max).await?;
        for event in events {
            if self.context.stop.is_cancelled() {
                return Err(Stopped);
            }
            let seq = event.seq;
            let claim = match self.context.agent.dispatch() {
                Dispatch::Lanes { .. } => EventClaim::Lane,
                Dispatch::Batches { .. } => EventClaim::Batch { from: mark },
            };
            let task = EventTask { event, claim };
            let attempts = self.count_attempt(seq).await?;
            if attempts > self.context.settings.attempts_max {
                let error = format!("the process ended {} times while this event was being handled", attempts - 1);
                self.context.commit_dead_letter(&task, attempts - 1, &error).await?;
            } else {
                let decided = self.context.decide(&task.event).await;
                if let Err(error @ AgentError::Outage(_)) = &decided {
                    // The agent returned, so this event did not end the process. End the recovery here: while it waited for
                    // the outage to pass, the store would stay marked as unclean, so every restart would recover again and
                    // count another attempt. The normal loop reads the unfinished events again, and waits.
                    self.context.report_failure(&task, 1, error);
                    return self.load_progress().await;
                }
                self.context.commit_or_retry(&task, decided).await?;
            }
            mark = seq + 1;
            self.finish(seq);
        }
        Ok(())
    }

    /// Counts an attempt before it is made. Returns how many there have been, this one included.
    async fn count_attempt(&self, seq: u64) -> Result<u32, Stopped> {
        loop {
            match self.context.store.count_attempt(self.name(), seq).await {
                Ok(attempts) => return Ok(attempts),
                Err(error) => self.wait_for_store(&error).await?,
            }
        }
    }

    /// The dead letters whose replay was requested and has not started yet.
    pub(super) async fn replays(&mut self) -> Vec<EventTask> {
        if !std::mem::take(&mut self.look_for_replays) {
            return Vec::new();
        }
        let query = DeadLetterQuery {
            before: None,
            agent: Some(self.name().to_owned()),
            state: Some(DeadLetterState::Replaying),
            limit: REPLAYS_MAX,
        };
        let letters = match self.context.store.dead_letters(query).await {
            Ok(letters) => letters,
            Err(error) => {
                tracing::error!(agent = self.name(), %error, "requested replays can't be read; trying again with the next heartbeat");
                return Vec::new();
            }
        };
        let mut tasks = Vec::new();
        for letter in letters {
            if self.replaying.contains(&letter.id) {
                continue;
            }
            match self.context.store.event(letter.event_id).await {
                Ok(event) => {
                    self.replaying.insert(letter.id);
                    let claim = EventClaim::Replay { id: letter.id, attempts_before: letter.attempts };
                    tasks.push(EventTask { event: Arc::new(event), claim });
                }
                Err(error) => tracing::error!(agent = self.name(), %error, "the event of a dead letter can't be read"),
            }
        }
        tasks
    }
}
