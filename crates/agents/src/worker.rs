//! One agent's loop: read the log, dispatch, beat; from start to stop.

use std::{
    collections::{BTreeSet, HashSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use countersign_domain::{
    DeadLetterId, DeadLetterState, Event, NewEvent, StoredEvent,
    payload::{AgentStarted, AgentStopped},
};
use countersign_store::{DeadLetterQuery, EventQuery, Progress, StepOutcome, StoreError};
use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
    time::{Duration, Interval, MissedTickBehavior, interval_at},
};

use crate::{
    agent::{AgentError, OrderKey, Work},
    attempt::{Claim, Hand, Outgoing, Released, Task},
    lanes::{Lanes, Marks},
};

/// Between two tries at something that every agent needs, such as reading the log.
const STORE_RETRY: Duration = Duration::from_millis(500);
/// Dead letters that are picked up for replay at once.
const REPLAYS_MAX: usize = 100;

pub(crate) struct Worker {
    hand: Arc<Hand>,
    paused: watch::Receiver<bool>,
    replay_asked: Arc<Notify>,
    /// Agents that have not dealt yet with what an unclean stop left them.
    unrecovered: Arc<AtomicUsize>,
    /// Where an agent that has never run begins, if not at the log's start.
    skips_to: Option<u64>,
    /// Finished out of order by an earlier run.
    done: BTreeSet<u64>,
    replaying: HashSet<DeadLetterId>,
    look_for_replays: bool,
}

impl Worker {
    pub(crate) fn new(
        hand: Arc<Hand>,
        paused: watch::Receiver<bool>,
        replay_asked: Arc<Notify>,
        unrecovered: Arc<AtomicUsize>,
        skips_to: Option<u64>,
    ) -> Self {
        let (done, replaying) = (BTreeSet::new(), HashSet::new());
        Self { hand, paused, replay_asked, unrecovered, skips_to, done, replaying, look_for_replays: true }
    }

    pub(crate) async fn run(mut self) {
        if self.live().await.is_err() {
            tracing::debug!(agent = self.name(), "stopped before its work was done; the rest waits for the next start");
        }
        self.announce(|agent, at| AgentStopped { agent, reason: "shutdown".into(), stopped_at: at }.into()).await;
        self.beat().await;
    }

    async fn live(&mut self) -> Result<(), Released> {
        self.skip().await?;
        self.announce(|agent, at| {
            AgentStarted { agent, version: env!("CARGO_PKG_VERSION").into(), started_at: at }.into()
        })
        .await;
        self.beat().await;
        self.load_progress().await?;
        if !self.hand.store.had_clean_stop() {
            self.release_replays().await?;
            self.wait_while_paused().await?;
            self.recover().await?;
        }
        if self.unrecovered.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.hand.store.set_recovered();
        }
        self.hand.shared.initialising.store(false, Ordering::Relaxed);
        match self.hand.agent.work() {
            Work::Lanes { concurrency } => self.run_lanes(concurrency).await,
            Work::Batches { events_max } => self.run_batches(events_max.max(1)).await,
        }
    }

    fn name(&self) -> &'static str {
        self.hand.agent.name()
    }

    async fn announce(&self, make: impl FnOnce(String, countersign_domain::Time) -> Event) {
        let seams = self.hand.store.seams();
        let event = make(self.name().to_owned(), seams.now());
        let event = NewEvent::new(seams.event_id(), event, seams.now(), self.name(), seams.correlation_id());
        let appended = match event {
            Ok(event) => self.hand.store.append(vec![event]).await,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = appended {
            tracing::warn!(agent = self.name(), %error, "its start or stop could not be recorded");
        }
    }

    /// Writes the registry.
    async fn beat(&self) {
        let hand = &self.hand;
        let now = hand.store.seams().now();
        hand.shared.beat(now);
        let status = hand.shared.status(*self.paused.borrow(), *hand.head.borrow(), now);
        if let Err(error) = hand.store.register(status.registry_entry()).await {
            tracing::warn!(agent = self.name(), %error, "its heartbeat could not be written");
        }
    }

    fn heartbeat(&self) -> Interval {
        let period = self.hand.settings.heartbeat;
        let mut heartbeat = interval_at(tokio::time::Instant::now() + period, period);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat
    }

    async fn load_progress(&mut self) -> Result<(), Released> {
        let (low, done) = loop {
            match self.hand.store.progress(self.name()).await {
                Ok(progress) => break progress,
                Err(error) => self.store_failed(&error).await?,
            }
        };
        *self.hand.marks() = Marks::at(low);
        self.done = done.into_iter().collect();
        Ok(())
    }

    /// Before it is registered: once it is, it has begun, and nothing is skipped again.
    async fn skip(&self) -> Result<(), Released> {
        let Some(to) = self.skips_to else { return Ok(()) };
        while let Err(error) = self.hand.store.mark_low(self.name(), to).await {
            self.store_failed(&error).await?;
        }
        Ok(())
    }

    async fn store_failed(&self, error: &StoreError) -> Result<(), Released> {
        if matches!(error, StoreError::Closed) {
            return Err(Released);
        }
        tracing::error!(agent = self.name(), %error, "the store does not answer; trying again");
        self.hand.shared.fail(&error.to_string());
        tokio::select! {
            () = tokio::time::sleep(STORE_RETRY) => Ok(()),
            () = self.hand.stop.cancelled() => Err(Released),
        }
    }

    async fn wait_while_paused(&mut self) -> Result<(), Released> {
        let stop = self.hand.stop.clone();
        tokio::select! {
            changed = self.paused.wait_for(|paused| !paused) => changed.map(|_| ()).map_err(|_| Released),
            () = stop.cancelled() => Err(Released),
        }
    }

    /// The next unread events that concern this agent, at most `limit`.
    async fn read(&mut self, limit: usize) -> Result<Vec<Arc<StoredEvent>>, Released> {
        let hand = Arc::clone(&self.hand);
        hand.shared.reading.store(true, Ordering::Relaxed);
        let types = hand.agent.subscribes_to().to_vec();
        let events = loop {
            // Before the read: what comes in meanwhile must not be taken for read.
            let size = hand.store.known_size();
            let from_seq = hand.marks().read_to();
            let query = EventQuery { from_seq, types: types.clone(), correlation_id: None, limit };
            match hand.store.events(query).await {
                Ok(events) => {
                    // A commit can be read before it is announced: such an event has been read too.
                    let last = events.last().map_or(0, |last| last.seq + 1);
                    let read_to = if events.len() >= limit { last } else { last.max(size) };
                    let new: Vec<_> =
                        events.into_iter().filter(|event| !self.done.remove(&event.seq)).map(Arc::new).collect();
                    hand.marks().read(new.iter().map(|event| event.seq), read_to);
                    break new;
                }
                Err(error) => self.store_failed(&error).await?,
            }
        };
        hand.shared.reading.store(false, Ordering::Relaxed);
        self.publish();
        Ok(events)
    }

    fn publish(&self) {
        let marks = self.hand.marks();
        self.hand.shared.unfinished.store(marks.unfinished() as u64, Ordering::Relaxed);
        self.hand.shared.read_to.store(marks.read_to(), Ordering::Relaxed);
    }

    fn finish(&self, seq: u64) {
        self.hand.marks().finish(seq);
        self.publish();
    }

    /// After an unclean stop replays are asked for anew: one of them may be what ended the process.
    async fn release_replays(&self) -> Result<(), Released> {
        while let Err(error) = self.hand.store.release_replays(self.name()).await {
            self.store_failed(&error).await?;
        }
        Ok(())
    }

    /// After an unclean stop, what may have been in hand runs alone, each attempt counted before it is made: an event
    /// that ends the process must end as a dead letter, not end the process for ever.
    async fn recover(&mut self) -> Result<(), Released> {
        let mut from = self.hand.marks().low();
        let events = self.read(self.hand.settings.window_events_max).await?;
        for event in events {
            if self.hand.stop.is_cancelled() {
                return Err(Released);
            }
            let seq = event.seq;
            let claim = match self.hand.agent.work() {
                Work::Lanes { .. } => Claim::Lane,
                Work::Batches { .. } => Claim::Batch { from },
            };
            let task = Task { event, claim };
            let attempts = loop {
                match self.hand.store.count_attempt(self.name(), seq).await {
                    Ok(attempts) => break attempts,
                    Err(error) => self.store_failed(&error).await?,
                }
            };
            if attempts > self.hand.settings.attempts_max {
                let error = format!("the process ended {} times while this event was in hand", attempts - 1);
                self.hand.bury(&task, attempts - 1, &error).await?;
            } else {
                let decided = self.hand.decide(&task.event).await;
                if let Err(error @ AgentError::Outage(_)) = &decided {
                    // It came back, so it is not what ended the process. Waiting here would leave the rest marked as
                    // suspect over every restart until the outage is over.
                    self.hand.failed(&task, 1, error);
                    return self.load_progress().await;
                }
                self.hand.conclude(&task, decided).await?;
            }
            from = seq + 1;
            self.finish(seq);
        }
        Ok(())
    }

    /// Dead letters that somebody asked to have handled again.
    async fn replays(&mut self) -> Vec<Task> {
        if !std::mem::take(&mut self.look_for_replays) {
            return Vec::new();
        }
        let query = DeadLetterQuery {
            before: None,
            agent: Some(self.name().to_owned()),
            state: Some(DeadLetterState::Replaying),
            limit: REPLAYS_MAX,
        };
        let mut tasks = Vec::new();
        for letter in self.hand.store.dead_letters(query).await.unwrap_or_default() {
            if self.replaying.contains(&letter.id) {
                continue;
            }
            match self.hand.store.event(letter.event_id).await {
                Ok(event) => {
                    self.replaying.insert(letter.id);
                    let claim = Claim::Replay { id: letter.id, attempts_before: letter.attempts };
                    tasks.push(Task { event: Arc::new(event), claim });
                }
                Err(error) => tracing::error!(agent = self.name(), %error, "a dead letter's event can't be read"),
            }
        }
        tasks
    }

    async fn run_lanes(&mut self, concurrency: usize) -> Result<(), Released> {
        let mut lanes: Lanes<OrderKey, Task> = Lanes::new(concurrency);
        let mut running: JoinSet<(OrderKey, Task, Result<(), Released>)> = JoinSet::new();
        let mut head = self.hand.head.clone();
        let mut heartbeat = self.heartbeat();
        let stop = self.hand.stop.clone();
        let replay_asked = Arc::clone(&self.replay_asked);
        while !stop.is_cancelled() {
            let paused = *self.paused.borrow_and_update();
            if !paused {
                for task in self.replays().await {
                    lanes.push(self.hand.agent.order_key(&task.event), task);
                }
                while self.room() > 0 && *head.borrow_and_update() > self.hand.marks().read_to() {
                    self.read_into(&mut lanes).await?;
                }
                while let Some((key, task)) = lanes.next() {
                    let hand = Arc::clone(&self.hand);
                    running.spawn(async move {
                        let handled = hand.handle(&task).await;
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
                        self.ended(&task);
                    }
                    Ok((_, _, Err(Released))) => {}
                    Err(error) => tracing::error!(agent = self.name(), %error, "the runtime itself failed at an event"),
                },
                changed = head.changed(), if can_read => changed.map_err(|_| Released)?,
                changed = self.paused.changed() => changed.map_err(|_| Released)?,
                () = replay_asked.notified() => self.look_for_replays = true,
                _ = heartbeat.tick() => {
                    // A request may have been stored and its wake-up lost.
                    self.look_for_replays = true;
                    // So may the log's; and nobody wakes this agent for what concerns others, which it passes here.
                    if can_read {
                        self.read_into(&mut lanes).await?;
                    }
                    let low = self.hand.marks().low();
                    self.mark(low).await;
                    self.beat().await;
                }
            }
        }
        // In hand still: they finish, or are let go when the time for stopping is over.
        while let Some(ended) = running.join_next().await {
            if let Ok((_, task, Ok(()))) = ended {
                self.ended(&task);
            }
        }
        let low = self.hand.marks().low();
        self.mark(low).await;
        Ok(())
    }

    async fn read_into(&mut self, lanes: &mut Lanes<OrderKey, Task>) -> Result<(), Released> {
        for event in self.read(self.room()).await? {
            lanes.push(self.hand.agent.order_key(&event), Task { event, claim: Claim::Lane });
        }
        Ok(())
    }

    fn room(&self) -> usize {
        self.hand.settings.window_events_max.saturating_sub(self.hand.marks().unfinished())
    }

    fn ended(&mut self, task: &Task) {
        match task.claim {
            Claim::Replay { id, .. } => drop(self.replaying.remove(&id)),
            Claim::Lane | Claim::Batch { .. } => self.finish(task.event.seq),
        }
    }

    /// Moves the stored mark over what concerns nobody. It may fail: then it moves with the next commit.
    async fn mark(&self, low: u64) -> bool {
        let marked = self.hand.store.mark_low(self.name(), low).await;
        if let Err(error) = &marked {
            tracing::warn!(agent = self.name(), %error, "its mark could not be moved");
        }
        marked.is_ok()
    }

    async fn run_batches(&mut self, events_max: usize) -> Result<(), Released> {
        let mut head = self.hand.head.clone();
        let mut heartbeat = self.heartbeat();
        let stop = self.hand.stop.clone();
        let replay_asked = Arc::clone(&self.replay_asked);
        // What the store has as this agent's mark. A batch is refused unless it starts there.
        let mut low = self.stored_low().await?;
        while !stop.is_cancelled() {
            let paused = *self.paused.borrow_and_update();
            let mut worked = false;
            if !paused {
                for task in self.replays().await {
                    self.hand.handle(&task).await?;
                    self.ended(&task);
                }
                if *head.borrow_and_update() > self.hand.marks().read_to() {
                    (worked, low) = self.read_batch(events_max, low).await?;
                }
            }
            if worked {
                // There may be more; only what must not wait is looked at in between.
                if futures_util::FutureExt::now_or_never(heartbeat.tick()).is_some() {
                    self.look_for_replays = true;
                    self.beat().await;
                }
                continue;
            }
            tokio::select! {
                () = stop.cancelled() => {}
                changed = head.changed(), if !paused => changed.map_err(|_| Released)?,
                changed = self.paused.changed() => changed.map_err(|_| Released)?,
                () = replay_asked.notified() => self.look_for_replays = true,
                _ = heartbeat.tick() => {
                    // A request may have been stored and its wake-up lost.
                    self.look_for_replays = true;
                    // So may the log's; and nobody wakes this agent for what concerns others, which it passes here.
                    if !paused {
                        low = self.read_batch(events_max, low).await?.1;
                    }
                    let passed = self.hand.marks().low();
                    if self.mark(passed).await {
                        low = passed;
                    }
                    self.beat().await;
                }
            }
        }
        Ok(())
    }

    async fn stored_low(&self) -> Result<u64, Released> {
        loop {
            match self.hand.store.progress(self.name()).await {
                Ok((low, _)) => return Ok(low),
                Err(error) => self.store_failed(&error).await?,
            }
        }
    }

    /// Reads and handles the next batch, if there is one. Returns whether there was, and the mark.
    async fn read_batch(&mut self, events_max: usize, low: u64) -> Result<(bool, u64), Released> {
        let events = self.read(events_max).await?;
        if events.is_empty() {
            return Ok((false, low));
        }
        Ok((true, self.handle_batch(&events, low).await?))
    }

    /// Handles events in order with one commit; one that fails is handled alone, with its retries. Returns the mark.
    async fn handle_batch(&mut self, events: &[Arc<StoredEvent>], mut low: u64) -> Result<u64, Released> {
        self.hand.agent.prepare(events).await;
        let (mut outputs, mut handled) = (Outgoing::default(), 0);
        for event in events {
            let decided = self.hand.decide(event).await.and_then(|decided| self.hand.outgoing(event, decided));
            match decided {
                Ok(decided) => {
                    outputs.append(decided);
                    handled += 1;
                }
                Err(_) => {
                    low = self.commit_batch(events, low, event.seq, std::mem::take(&mut outputs), handled).await?;
                    handled = 0;
                    self.hand.handle(&Task { event: Arc::clone(event), claim: Claim::Batch { from: low } }).await?;
                    low = event.seq + 1;
                }
            }
        }
        let end = events.last().map_or(low, |event| event.seq + 1);
        low = self.commit_batch(events, low, end, outputs, handled).await?;
        events.iter().for_each(|event| self.finish(event.seq));
        Ok(low)
    }

    async fn commit_batch(
        &self,
        events: &[Arc<StoredEvent>],
        mut from: u64,
        to: u64,
        outputs: Outgoing,
        handled: u64,
    ) -> Result<u64, Released> {
        if handled == 0 {
            return Ok(from);
        }
        let _emitting = crate::attempt::Counted::new(&self.hand.shared.emitting);
        let mut step = Arc::new(self.hand.step(Progress::Batch { from, to }, outputs, handled, 0));
        loop {
            match self.hand.store.step(Arc::clone(&step)).await {
                Ok(StepOutcome::Committed) => {
                    self.hand.shared.processed.fetch_add(handled, Ordering::Relaxed);
                    return Ok(to);
                }
                // The stored mark stands elsewhere: behind, if it could not be moved over what concerns nobody.
                Ok(StepOutcome::AlreadyDone) => match self.stored_low().await? {
                    low if low < from => {
                        from = low;
                        Arc::make_mut(&mut step).progress = Progress::Batch { from, to };
                    }
                    low => return Ok(low),
                },
                Err(error) if error.is_transient() => self.store_failed(&error).await?,
                Err(StoreError::Closed) => return Err(Released),
                // One of them can't be stored: alone, each is kept or becomes a dead letter by itself.
                Err(_) => {
                    let mut low = from;
                    for event in events.iter().filter(|event| (from..to).contains(&event.seq)) {
                        self.hand.handle(&Task { event: Arc::clone(event), claim: Claim::Batch { from: low } }).await?;
                        low = event.seq + 1;
                    }
                    return Ok(low);
                }
            }
        }
    }
}
