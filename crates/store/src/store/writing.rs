//! Writing. Every call returns when its effect is durable.

use std::sync::Arc;

use countersign_domain::{DeadLetterId, InvestigationId, NewEvent};

use super::{Store, backend::on_backend};
use crate::{
    error::{Result, StoreError},
    job::{Ingested, Job, JobOutcome, Lane, Step, StepOutcome},
    leaf::BodyCommitment,
    operations::RegistryEntry,
};

/// Events in one turn of bulk work. A commit carries at most one turn, so that prompt work waits for milliseconds at most.
pub const BULK_TURN: usize = 256;

impl Store {
    /// Stores transactions and alerts from outside, each exactly once: their own ids decide, and the same id with different
    /// content is a conflict. Up to [`BULK_TURN`] events commit together. More are committed in turns, in their order; if a
    /// turn fails, the turns before it stay.
    pub async fn ingest(&self, events: Vec<NewEvent>) -> Result<Vec<Ingested>> {
        let lane = if events.len() > BULK_TURN { Lane::Bulk } else { Lane::Prompt };
        let mut ingested = Vec::with_capacity(events.len());
        let mut committed = events.into_iter().map(|event| (BodyCommitment::new(&event, self.seams()), event));
        loop {
            let turn: Vec<_> = committed.by_ref().take(BULK_TURN).map(|(body, event)| (event, body)).collect();
            if turn.is_empty() {
                return Ok(ingested);
            }
            match self.submit(Job::Ingest(turn), lane).await? {
                JobOutcome::Ingested(outcomes) => ingested.extend(outcomes),
                other => return Err(unexpected(&other)),
            }
        }
    }

    /// Appends events together, at consecutive positions. Returns the first position. `Conflict` if an event is not
    /// allowed, such as a decision that the state of its case forbids; then nothing is appended.
    pub async fn append(&self, events: Vec<NewEvent>) -> Result<u64> {
        match self.submit(Job::Append(events), Lane::Prompt).await? {
            JobOutcome::Appended { first_seq } => Ok(first_seq),
            other => Err(unexpected(&other)),
        }
    }

    /// Appends events together if `seen_seq` is still the newest event about the investigation. Returns `None`, and appends
    /// nothing, if it isn't. `NotFound` if there is no such investigation.
    pub async fn append_if_case(
        &self,
        investigation: InvestigationId,
        seen_seq: u64,
        events: Vec<NewEvent>,
    ) -> Result<Option<u64>> {
        match self.submit(Job::AppendIfCase { investigation, seen_seq, events }, Lane::Prompt).await? {
            JobOutcome::Appended { first_seq } => Ok(Some(first_seq)),
            JobOutcome::CaseMovedOn => Ok(None),
            other => Err(unexpected(&other)),
        }
    }

    /// Commits an agent's step: its events, its progress and its counts, in one transaction. A step whose progress was
    /// committed before changes nothing, so a step takes effect exactly once however often it is submitted.
    pub async fn step(&self, step: impl Into<Arc<Step>>) -> Result<StepOutcome> {
        match self.submit(Job::Step(step.into()), Lane::Prompt).await? {
            JobOutcome::Step(outcome) => Ok(outcome),
            other => Err(unexpected(&other)),
        }
    }

    /// Moves an agent's mark forward. It never moves back.
    pub async fn mark_low(&self, agent: &'static str, low: u64) -> Result<()> {
        self.submit_prompt(Job::MarkLow { agent, low }).await
    }

    /// Counts an attempt durably before it is made. Returns how many there have been, this one included.
    pub async fn count_attempt(&self, agent: &'static str, seq: u64) -> Result<u32> {
        match self.submit(Job::CountAttempt { agent, seq }, Lane::Prompt).await? {
            JobOutcome::Attempts(attempts) => Ok(attempts),
            other => Err(unexpected(&other)),
        }
    }

    /// Stores an agent's entry in the registry. Its counts only grow, because steps may have counted more.
    pub async fn register(&self, entry: RegistryEntry) -> Result<()> {
        self.submit_prompt(Job::Register(entry)).await
    }

    /// Requests the replay of a dead letter. `Conflict` if the letter is being replayed or has been.
    pub async fn request_replay(&self, id: DeadLetterId, requested_by: &str) -> Result<()> {
        self.submit_prompt(Job::RequestReplay { id, requested_by: requested_by.to_owned() }).await
    }

    /// Returns the agent's requested replays to the dead letters after an unclean stop: one of them may have caused it.
    pub async fn release_replays(&self, agent: &'static str) -> Result<()> {
        self.submit_prompt(Job::ReleaseReplays { agent }).await
    }

    /// Erases bodies and whatever was derived from them, for good, in one commit with the event that records it. The tree stays
    /// as it is: it never contained the bodies. `Conflict` if one of the events may not be erased; then nothing is.
    pub async fn erase(&self, seqs: Vec<u64>, reason: &str, requested_by: &str) -> Result<()> {
        let job = Job::erase(self.seams(), seqs, reason, requested_by)?;
        self.submit_prompt(job).await
    }

    pub(super) async fn submit_prompt(&self, job: Job) -> Result<()> {
        self.submit(job, Lane::Prompt).await.map(|_| ())
    }

    async fn submit(&self, job: Job, lane: Lane) -> Result<JobOutcome> {
        on_backend!(self, backend => backend.submit(job, lane).await)
    }
}

fn unexpected(outcome: &JobOutcome) -> StoreError {
    StoreError::Database(format!("the writer gave an unexpected answer: {outcome:?}"))
}
