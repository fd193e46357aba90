//! The loop of agents that handle events concurrently, each event in its own commit.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::Worker;
use crate::runtime::{
    agent::OrderKey,
    handling::{EventClaim, EventTask, Stopped},
    lanes::Lanes,
};

impl Worker {
    pub(super) async fn run_lanes(&mut self, concurrency: usize) -> Result<(), Stopped> {
        let mut lanes: Lanes<OrderKey, EventTask> = Lanes::new(concurrency);
        let mut running: JoinSet<(OrderKey, EventTask, Result<(), Stopped>)> = JoinSet::new();
        let mut head = self.context.head.clone();
        let mut heartbeat = self.heartbeat();
        let stop = self.context.stop.clone();
        let replay_requested = Arc::clone(&self.replay_requested);
        while !stop.is_cancelled() {
            let paused = *self.paused.borrow_and_update();
            if !paused {
                for task in self.replays().await {
                    lanes.push(self.context.agent.order_key(&task.event), task);
                }
                while self.room() > 0 && *head.borrow_and_update() > self.context.window().read_to() {
                    self.read_into(&mut lanes).await?;
                }
                while let Some((key, task)) = lanes.next() {
                    let context = Arc::clone(&self.context);
                    running.spawn(async move {
                        let handled = context.handle(&task).await;
                        (key, task, handled)
                    });
                }
            }
            let can_read = !paused && self.room() > 0;
            tokio::select! {
                () = stop.cancelled() => {}
                Some(ended) = running.join_next(), if !running.is_empty() => match ended {
                    Ok((key, task, Ok(()))) => {
                        lanes.finish(&key);
                        self.finish_task(&task);
                    }
                    Ok((_, _, Err(Stopped))) => {}
                    Err(error) => tracing::error!(agent = self.name(), %error, "the task that handled an event panicked"),
                },
                changed = head.changed(), if can_read => changed.map_err(|_| Stopped)?,
                changed = self.paused.changed() => changed.map_err(|_| Stopped)?,
                () = replay_requested.notified() => self.look_for_replays = true,
                _ = heartbeat.tick() => {
                    // A replay may have been requested and its notification lost.
                    self.look_for_replays = true;
                    // A notification of new events may be lost too. Reading also skips events of types we don't subscribe
                    // to, which don't wake us.
                    if can_read {
                        self.read_into(&mut lanes).await?;
                    }
                    let low = self.context.window().low();
                    self.mark_low(low).await;
                    self.record_heartbeat().await;
                }
            }
        }
        // Let running events finish. When the time for stopping is over, this task is aborted.
        while let Some(ended) = running.join_next().await {
            if let Ok((_, task, Ok(()))) = ended {
                self.finish_task(&task);
            }
        }
        let low = self.context.window().low();
        self.mark_low(low).await;
        Ok(())
    }

    async fn read_into(&mut self, lanes: &mut Lanes<OrderKey, EventTask>) -> Result<(), Stopped> {
        for event in self.read(self.room()).await? {
            lanes.push(self.context.agent.order_key(&event), EventTask { event, claim: EventClaim::Lane });
        }
        Ok(())
    }

    /// How many more events may be read before others must be finished.
    fn room(&self) -> usize {
        self.context.settings.window_events_max.saturating_sub(self.context.window().unfinished())
    }
}
