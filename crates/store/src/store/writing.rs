//! Writing: events from outside, agents' steps, replays of dead letters, and erasures. The promises that hold for every write are
//! in `store.rs`.

use std::sync::Arc;

use countersign_domain::{DeadLetterId, InvestigationId, NewEvent};

use super::{Store, backend::on_backend};
use crate::{
    error::{Result, StoreError},
    job::{Ingested, Job, JobOutcome, Priority, Step, StepOutcome},
    leaf::BodyCommitment,
    operations::RegistryEntry,
};

/// The number of events in one turn of bulk work. A commit contains at most one turn, so that other work waits for milliseconds
/// at most.
pub const BULK_EVENTS_PER_COMMIT: usize = 256;

impl Store {
    /// Stores transactions and alerts from outside, each exactly once, and returns an outcome for each, in the same order.
    /// Their own ids decide: an event whose id is taken changes nothing, whether its payload is the same or not.
    /// `Conflict` if there are events of other types.
    ///
    /// Up to [`BULK_EVENTS_PER_COMMIT`] events commit together. More are committed in turns, in their order. If a turn fails, the
    /// turns before it stay, and if the caller stops waiting, no further turn begins. The whole call may then be repeated.
    pub async fn ingest(&self, events: Vec<NewEvent>) -> Result<Vec<Ingested>> {
        let priority = if events.len() > BULK_EVENTS_PER_COMMIT { Priority::Bulk } else { Priority::Prompt };
        let mut ingested = Vec::with_capacity(events.len());
        let mut with_commitments = events.into_iter().map(|event| (BodyCommitment::new(&event, self.seams()), event));
        loop {
            let turn: Vec<_> =
                with_commitments.by_ref().take(BULK_EVENTS_PER_COMMIT).map(|(body, event)| (event, body)).collect();
            if turn.is_empty() {
                return Ok(ingested);
            }
            match self.submit(Job::Ingest(turn), priority).await? {
                JobOutcome::Ingested(outcomes) => ingested.extend(outcomes),
                other => return Err(unexpected(&other)),
            }
        }
    }

    /// Appends events together, at consecutive positions. Returns the first position. `Conflict` if an event is not allowed:
    /// its id or the id of what it creates is taken, its case's state forbids the decision, or it needs a report's content,
    /// which only [`Store::step`] accepts. `NotFound` if it revokes an access key that doesn't exist or is already revoked.
    /// Appending the same events again is a `Conflict`, because their ids are taken.
    pub async fn append(&self, events: Vec<NewEvent>) -> Result<u64> {
        match self.submit(Job::Append(events), Priority::Prompt).await? {
            JobOutcome::Appended { first_seq } => Ok(first_seq),
            other => Err(unexpected(&other)),
        }
    }

    /// Like [`Store::append`], but only if the investigation's [`CaseState::seq`](crate::CaseState) is still `seen_seq`, which
    /// is checked in the same commit. Returns `None`, and appends nothing, if it isn't. `NotFound` if there is no such case.
    pub async fn append_if_case(
        &self,
        investigation: InvestigationId,
        seen_seq: u64,
        events: Vec<NewEvent>,
    ) -> Result<Option<u64>> {
        match self.submit(Job::AppendIfCase { investigation, seen_seq, events }, Priority::Prompt).await? {
            JobOutcome::Appended { first_seq } => Ok(Some(first_seq)),
            JobOutcome::CaseMovedOn => Ok(None),
            other => Err(unexpected(&other)),
        }
    }

    /// Commits an agent's step in one transaction: its events at consecutive positions, the contents of its reports, its
    /// progress, its counts (if the agent has an entry in the registry), and the removal of the attempts that were counted for
    /// the events it finishes. A step whose progress can't be claimed, as [`Progress`](crate::Progress) says, changes nothing.
    /// So a step takes effect at most once however often and by however many processes it is submitted. `Conflict` as in
    /// [`Store::append`], or if a report comes without its content; then the progress stays as it was.
    pub async fn step(&self, step: impl Into<Arc<Step>>) -> Result<StepOutcome> {
        match self.submit(Job::Step(step.into()), Priority::Prompt).await? {
            JobOutcome::Step(outcome) => Ok(outcome),
            other => Err(unexpected(&other)),
        }
    }

    /// Moves an agent's mark to `low`, so that every event before it counts as finished. A mark never moves back.
    pub async fn mark_low(&self, agent: &'static str, low: u64) -> Result<()> {
        self.submit_prompt(Job::MarkLow { agent, low }).await
    }

    /// Counts an attempt durably before it is made. Returns how many there have been, this one included, since the agent last
    /// finished the event.
    pub async fn count_attempt(&self, agent: &'static str, seq: u64) -> Result<u32> {
        match self.submit(Job::CountAttempt { agent, seq }, Priority::Prompt).await? {
            JobOutcome::Attempts(attempts) => Ok(attempts),
            other => Err(unexpected(&other)),
        }
    }

    /// Stores an agent's entry in the registry in place of its earlier one. Of each count the larger one is kept, because steps
    /// may have counted more than the entry says.
    pub async fn register(&self, entry: RegistryEntry) -> Result<()> {
        self.submit_prompt(Job::Register(entry)).await
    }

    /// Requests the replay of a dead letter, and appends the event that records it. `Conflict` if the letter is being replayed
    /// or has been, `NotFound` if there is no such letter.
    pub async fn request_replay(&self, id: DeadLetterId, requested_by: &str) -> Result<()> {
        self.submit_prompt(Job::RequestReplay { id, requested_by: requested_by.to_owned() }).await
    }

    /// Cancels the agent's requested replays after an unclean stop, because one of them may have caused it: the letters are
    /// dead again, and an event records that for each. Does nothing if no replay is requested.
    pub async fn release_replays(&self, agent: &'static str) -> Result<()> {
        self.submit_prompt(Job::ReleaseReplays { agent }).await
    }

    /// Erases the bodies of these events, and what was derived from them and may be personal, in one commit with the event that
    /// records it. No later read returns them; when their last bytes are overwritten on disk depends on the backend. The tree
    /// stays as it is, because it never contained the bodies. An event whose body was erased before may be named again.
    /// `Conflict` if one of the events doesn't exist or may not be erased; then nothing is.
    pub async fn erase(&self, seqs: Vec<u64>, reason: &str, requested_by: &str) -> Result<()> {
        let job = Job::erase(self.seams(), seqs, reason, requested_by)?;
        self.submit_prompt(job).await
    }

    pub(super) async fn submit_prompt(&self, job: Job) -> Result<()> {
        self.submit(job, Priority::Prompt).await.map(|_| ())
    }

    async fn submit(&self, job: Job, priority: Priority) -> Result<JobOutcome> {
        on_backend!(self, backend => backend.submit(job, priority).await)
    }
}

fn unexpected(outcome: &JobOutcome) -> StoreError {
    StoreError::Database(format!("the writer gave an unexpected answer: {outcome:?}"))
}
