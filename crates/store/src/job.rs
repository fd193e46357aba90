//! The writer's jobs, as data. Each job commits as a whole or not at all, and many jobs may share one transaction.

use std::sync::Arc;

use countersign_domain::{DeadLetterId, InvestigationId, NewEvent, ReportId, payload::PayloadErased};
use countersign_ledger::{Cosignature, HashedText};

use crate::{error::Result, leaf::BodyCommitment, operations::RegistryEntry, seams::Seams};

/// The outcome for a transaction or alert from outside. Each is stored exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ingested {
    /// It was stored by this call.
    Accepted { seq: u64 },
    /// The same transaction or alert was stored before. If its body has been erased, any payload counts as the same.
    Duplicate { seq: u64 },
    /// A different payload was stored before under the same id.
    Conflict { seq: u64 },
}

/// How an agent's progress moves in the commit of its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// One event of a lane, claimed by recording `(agent, seq)`. It can't be claimed if it is recorded already or is before the
    /// agent's mark. The mark then moves to `low`, if that is further; the caller knows that every event before it is finished.
    Lane { seq: u64, low: u64 },
    /// The events from `from` to before `to`, claimed by moving the agent's mark from `from` to `to`. They can't be claimed if
    /// the mark is elsewhere, before or after `from`.
    Batch { from: u64, to: u64 },
    /// A replay of a dead letter, claimed by changing the letter's state to replayed. It can't be claimed if the letter is
    /// another agent's or no replay of it is requested. An event records the change, unless the step has the same letter again.
    Replay { id: DeadLetterId },
}

/// An agent's step: its new events and its progress, in one transaction.
#[derive(Debug, Clone)]
pub struct Step {
    pub agent: &'static str,
    pub progress: Progress,
    pub events: Vec<NewEvent>,
    /// The contents of the reports whose REPORT_GENERATED are among the events: exactly one for each.
    pub reports: Vec<NewReport>,
    /// Whether the transactions of a [`Progress::Batch`] are added to their users' histories. Only one agent sets this.
    pub indexes_history: bool,
    pub counts: StepCounts,
}

/// What a step adds to its agent's counts in the registry, so that they are as durable as the agent's progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StepCounts {
    pub processed: u64,
    pub dead_lettered: u64,
    /// A running total, because most failed attempts commit nothing. The larger of two totals is the newer one.
    pub failed_so_far: u64,
}

impl StepCounts {
    pub(crate) fn add(&mut self, more: &Self) {
        self.processed += more.processed;
        self.dead_lettered += more.dead_lettered;
        self.failed_so_far = self.failed_so_far.max(more.failed_so_far);
    }
}

impl Step {
    pub fn new(agent: &'static str, progress: Progress, events: Vec<NewEvent>) -> Self {
        let counts = StepCounts::default();
        Self { agent, progress, events, reports: Vec::new(), indexes_history: false, counts }
    }
}

/// A report's content. It is stored once, apart from its event, which contains its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReport {
    pub report_id: ReportId,
    /// The JSON text of an object, up to 8 MiB. It is stored byte for byte.
    pub content: HashedText,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    Committed,
    /// Its progress can't be claimed, and nothing was changed. Usually an earlier run has committed it already.
    AlreadyDone,
}

/// How urgent a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    /// Somebody is waiting for the answer.
    Prompt,
    /// One sender's bulk work, in turns of [`crate::BULK_EVENTS_PER_COMMIT`] events.
    Bulk,
}

#[derive(Debug)]
pub(crate) enum Job {
    Ingest(Vec<(NewEvent, BodyCommitment)>),
    Append(Vec<NewEvent>),
    /// An append that is only made if the newest event about the investigation is still the one that its caller has seen.
    AppendIfCase {
        investigation: InvestigationId,
        seen_seq: u64,
        events: Vec<NewEvent>,
    },
    Step(Arc<Step>),
    /// Moves a mark past events that the agent doesn't handle, so that a restart need not read them again.
    MarkLow {
        agent: &'static str,
        low: u64,
    },
    /// Counts an attempt before it is made, in case it kills the process.
    CountAttempt {
        agent: &'static str,
        seq: u64,
    },
    Register(RegistryEntry),
    RequestReplay {
        id: DeadLetterId,
        requested_by: String,
    },
    ReleaseReplays {
        agent: &'static str,
    },
    Erase {
        seqs: Vec<u64>,
        /// The PAYLOAD_ERASED that names them.
        event: Box<NewEvent>,
    },
    Checkpoint {
        size: u64,
        note: String,
        /// The size of an earlier checkpoint whose row this one replaces.
        replaces: Option<u64>,
    },
    /// Adds a witness's cosignature to the row of the checkpoint that it is for, if that row was kept.
    Cosign {
        size: u64,
        cosignature: Cosignature,
    },
    /// Records that this process stopped in order.
    RecordCleanStop,
}

impl Job {
    /// The erasure of these bodies, with the event that records it.
    pub(crate) fn erase(seams: &Seams, seqs: Vec<u64>, reason: &str, requested_by: &str) -> Result<Self> {
        let erased_at = seams.now();
        let erased =
            PayloadErased { seqs: seqs.clone(), reason: reason.into(), requested_by: requested_by.into(), erased_at };
        let event = NewEvent::new(seams.event_id(), erased, erased_at, "erasure", seams.correlation_id())?;
        Ok(Self::Erase { seqs, event: Box::new(event) })
    }

    /// The approximate number of rows that the job writes, by which transactions are bounded.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Ingest(events) => events.len(),
            Self::Append(events) | Self::AppendIfCase { events, .. } => events.len(),
            Self::Step(step) => 1 + step.events.len() + step.reports.len(),
            Self::Erase { seqs, .. } => 1 + seqs.len(),
            _ => 1,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum JobOutcome {
    Ingested(Vec<Ingested>),
    Appended {
        first_seq: u64,
    },
    /// Nothing was appended, because the case has moved on.
    CaseMovedOn,
    Step(StepOutcome),
    Attempts(u32),
    Done,
}
