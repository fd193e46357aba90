//! Work for the writer, as data: each job commits whole or not at all, and many share one fsync.

use std::sync::Arc;

use countersign_domain::{
    AgentState, DeadLetterId, DeadLetterState, EventId, InvestigationId, KeyId, NewEvent, ReportId, Role, Time,
    payload::PayloadErased,
};
use countersign_ledger::{Cosignature, HashedText, body_commitment};

use crate::{error::Result, seams::Seams};

/// What became of a transaction or alert from outside, each of which is taken exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Stored now.
    Accepted { seq: u64 },
    /// The same was stored before.
    Duplicate { seq: u64 },
    /// Something else was stored before under the same id.
    Conflict { seq: u64 },
}

/// How an agent's progress moves in the commit of its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// One event of a lane: `(agent, seq)` is the effect key. `low` is the finished prefix as far as the caller knows.
    Lane { seq: u64, low: u64 },
    /// The events from `from` to before `to`, in order. Refused unless the mark stands at `from`.
    Batch { from: u64, to: u64 },
    /// A dead letter, run again: claimed by the change of its own state.
    Replay { id: DeadLetterId },
}

/// An agent's step: its new events and its progress, in one transaction.
#[derive(Debug, Clone)]
pub struct Step {
    pub agent: &'static str,
    pub progress: Progress,
    pub events: Vec<NewEvent>,
    /// The contents of the reports whose REPORT_GENERATED are among the events: one for each, and no other.
    pub reports: Vec<NewReport>,
    /// Whether the transactions of a [`Progress::Batch`] are put into their users' histories. One agent does.
    pub indexes_history: bool,
    pub counts: Counts,
}

/// What a step adds to its agent's counts in the registry, so that they are as durable as its progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub processed: u64,
    pub dead_lettered: u64,
    /// Failed attempts so far, of all steps together: most of them belong to no step.
    pub failed_so_far: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, more: &Self) {
        self.processed += more.processed;
        self.dead_lettered += more.dead_lettered;
        self.failed_so_far = self.failed_so_far.max(more.failed_so_far);
    }
}

impl Step {
    pub fn new(agent: &'static str, progress: Progress, events: Vec<NewEvent>) -> Self {
        let counts = Counts::default();
        Self { agent, progress, events, reports: Vec::new(), indexes_history: false, counts }
    }
}

/// A report's content, stored once and beside its event, which has its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReport {
    pub report_id: ReportId,
    /// JSON text of an object, up to 8 MiB. It is stored exactly as it is.
    pub content: HashedText,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    Committed,
    /// An earlier run had committed it already: nothing was done again.
    AlreadyDone,
}

/// An agent as the registry shows it. Written with heartbeats; its counts also with every step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryEntry {
    pub name: String,
    pub state: AgentState,
    pub priority: i64,
    pub paused: bool,
    pub started_at: Time,
    pub heartbeat_at: Time,
    pub processed: u64,
    pub failed: u64,
    pub dead_lettered: u64,
    pub lag: u64,
    pub last_error: Option<String>,
}

/// A key as it is stored: the secret only as its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessKey {
    pub id: KeyId,
    pub name: String,
    pub role: Role,
    pub secret_sha256: String,
    pub created_at: Time,
    pub expires_at: Option<Time>,
    pub revoked_at: Option<Time>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub id: DeadLetterId,
    pub agent: String,
    pub event_seq: u64,
    pub event_id: EventId,
    pub event_type: String,
    pub attempts: u32,
    pub error: String,
    pub dead_lettered_at: Time,
    pub state: DeadLetterState,
}

/// A body's commitment and the salt it was made with. It does not depend on the event's place, so callers on the busiest
/// way make it on their own threads.
#[derive(Debug)]
pub(crate) struct Seal {
    pub(crate) salt: [u8; 32],
    pub(crate) commitment: String,
}

impl Seal {
    pub(crate) fn of(event: &NewEvent, seams: &Seams) -> Self {
        let salt = seams.entropy.bytes();
        let commitment = body_commitment(&salt, event.payload.as_bytes(), event.metadata.as_bytes());
        Self { salt, commitment: commitment.to_hex() }
    }
}

#[derive(Debug)]
pub(crate) enum Job {
    Take(Vec<(NewEvent, Seal)>),
    Append(Vec<NewEvent>),
    /// An append that holds only while no event about the investigation comes after the one that its caller has seen.
    AppendIfCase {
        investigation: InvestigationId,
        seen_seq: u64,
        events: Vec<NewEvent>,
    },
    Step(Arc<Step>),
    /// Moves a mark over events that concern nobody, so that a restart need not look at them again.
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
        event: Box<NewEvent>,
    },
    Checkpoint {
        size: u64,
        note: String,
        replaces: Option<u64>,
    },
    /// Adds a witness's cosignature to the row of the checkpoint that it is for, if that row was kept.
    Cosign {
        size: u64,
        cosignature: Cosignature,
    },
    CleanStop(bool),
}

impl Job {
    /// The erasure of these bodies, with the event that says so.
    pub(crate) fn erase(seams: &Seams, seqs: Vec<u64>, reason: &str, requested_by: &str) -> Result<Self> {
        let erased_at = seams.now();
        let said =
            PayloadErased { seqs: seqs.clone(), reason: reason.into(), requested_by: requested_by.into(), erased_at };
        let event = NewEvent::new(seams.event_id(), said, erased_at, "erasure", seams.correlation_id())?;
        Ok(Self::Erase { seqs, event: Box::new(event) })
    }

    /// Rows that it will write, roughly: what bounds a commit.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Take(items) => items.len(),
            Self::Append(events) | Self::AppendIfCase { events, .. } => events.len(),
            Self::Step(step) => 1 + step.events.len() + step.reports.len(),
            Self::Erase { seqs, .. } => 1 + seqs.len(),
            _ => 1,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    Taken(Vec<Taken>),
    Appended {
        first_seq: u64,
    },
    /// Nothing was appended: the case has moved on.
    Moved,
    Step(StepOutcome),
    Attempts(u32),
    Done,
}
