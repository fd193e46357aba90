//! The loop of agents that handle events one after another, many per commit. Events that fail are handled alone.

use std::sync::{Arc, atomic::Ordering};

use countersign_domain::StoredEvent;
use countersign_store::{Progress, StepOutcome, StoreError};
use futures_util::FutureExt;

use super::Worker;
use crate::runtime::handling::{CountGuard, EventClaim, EventTask, StepOutput, Stopped};

impl Worker {
    pub(super) async fn run_batches(&mut self, events_max: usize) -> Result<(), Stopped> {
        let mut head = self.context.head.clone();
        let mut heartbeat = self.heartbeat();
        let stop = self.context.stop.clone();
        let replay_requested = Arc::clone(&self.replay_requested);
        // The low-water mark as stored. The store answers `AlreadyDone` to a batch that starts elsewhere.
        let mut low = self.stored_low().await?;
        while !stop.is_cancelled() {
            let paused = *self.paused.borrow_and_update();
            let mut handled_any = false;
            if !paused {
                for task in self.replays().await {
                    self.context.handle(&task).await?;
                    self.finish_task(&task);
                }
                if *head.borrow_and_update() > self.context.window().read_to() {
                    (handled_any, low) = self.read_batch(events_max, low).await?;
                }
            }
            if handled_any {
                // There may be more to read, so don't wait; but don't skip a due heartbeat either.
                if heartbeat.tick().now_or_never().is_some() {
                    self.look_for_replays = true;
                    self.record_heartbeat().await;
                }
                continue;
            }
            tokio::select! {
                () = stop.cancelled() => {}
                changed = head.changed(), if !paused => changed.map_err(|_| Stopped)?,
                changed = self.paused.changed() => changed.map_err(|_| Stopped)?,
                () = replay_requested.notified() => self.look_for_replays = true,
                _ = heartbeat.tick() => {
                    // A replay may have been requested and its notification lost.
                    self.look_for_replays = true;
                    // A notification of new events may be lost too. Reading also skips events of types we don't subscribe
                    // to, which don't wake us.
                    if !paused {
                        low = self.read_batch(events_max, low).await?.1;
                    }
                    let passed = self.context.window().low();
                    if self.mark_low(passed).await {
                        low = passed;
                    }
                    self.record_heartbeat().await;
                }
            }
        }
        Ok(())
    }

    async fn stored_low(&self) -> Result<u64, Stopped> {
        loop {
            match self.context.store.progress(self.name()).await {
                Ok((low, _)) => return Ok(low),
                Err(error) => self.wait_for_store(&error).await?,
            }
        }
    }

    /// Reads and handles the next batch. Returns whether it had any events, and the new low-water mark.
    async fn read_batch(&mut self, events_max: usize, low: u64) -> Result<(bool, u64), Stopped> {
        let events = self.read(events_max).await?;
        if events.is_empty() {
            return Ok((false, low));
        }
        Ok((true, self.handle_batch(&events, low).await?))
    }

    /// Handles events in order, in one commit if none fails. When one fails, commits those before it, and then handles it
    /// alone, with its retries. Returns the new low-water mark.
    async fn handle_batch(&mut self, events: &[Arc<StoredEvent>], mut low: u64) -> Result<u64, Stopped> {
        self.context.agent.prepare(events).await;
        let (mut output, mut handled) = (StepOutput::default(), 0);
        for event in events {
            let decided =
                self.context.decide(event).await.and_then(|decided| self.context.prepare_output(event, decided));
            match decided {
                Ok(decided) => {
                    output.append(decided);
                    handled += 1;
                }
                Err(_) => {
                    low = self.commit_batch(events, low, event.seq, std::mem::take(&mut output), handled).await?;
                    handled = 0;
                    self.context
                        .handle(&EventTask { event: Arc::clone(event), claim: EventClaim::Batch { from: low } })
                        .await?;
                    low = event.seq + 1;
                }
            }
        }
        let end = events.last().map_or(low, |event| event.seq + 1);
        low = self.commit_batch(events, low, end, output, handled).await?;
        events.iter().for_each(|event| self.finish(event.seq));
        Ok(low)
    }

    async fn commit_batch(
        &self,
        events: &[Arc<StoredEvent>],
        from: u64,
        to: u64,
        mut output: StepOutput,
        handled: u64,
    ) -> Result<u64, Stopped> {
        if handled == 0 {
            return Ok(from);
        }
        let _emitting = CountGuard::new(&self.context.status.emitting);
        let observations = std::mem::take(&mut output.observations);
        let mut step = Arc::new(self.context.step(Progress::Batch { from, to }, output, handled, 0));
        loop {
            match self.context.commit_step(&mut step).await {
                Ok(StepOutcome::Committed) => {
                    self.context.status.processed.fetch_add(handled, Ordering::Relaxed);
                    self.context.observe(&observations);
                    return Ok(to);
                }
                Ok(StepOutcome::AlreadyDone) => return Ok(to),
                Err(error) if error.is_transient() => self.wait_for_store(&error).await?,
                Err(StoreError::Closed) => return Err(Stopped),
                // A decision of this batch can't be stored. Handle each event alone, so that only that one is dead-lettered.
                Err(_) => {
                    let mut low = from;
                    for event in events.iter().filter(|event| (from..to).contains(&event.seq)) {
                        let task = EventTask { event: Arc::clone(event), claim: EventClaim::Batch { from: low } };
                        self.context.handle(&task).await?;
                        low = event.seq + 1;
                    }
                    return Ok(low);
                }
            }
        }
    }
}
