//! Carries out jobs: many in one transaction, in two round trips.
//!
//! The first locks the row with the tree's head and reads what the jobs need. Whoever holds the lock is the only one that writes,
//! of all processes, so positions have no gaps and are in the order of commits, and nothing that was read can change before the
//! commit. The jobs are then applied in memory, and the second round trip writes the rows table by table and commits.
//!
//! | file          | job                                                         |
//! |---------------|-------------------------------------------------------------|
//! | `needs.rs`    | what jobs need to know                                      |
//! | `known.rs`    | reading it, under the lock                                  |
//! | `plan.rs`     | applying jobs to it: events, and the rows derived from them |
//! | `progress.rs` | applying agents' steps, marks and attempts                  |
//! | `erase.rs`    | erasing bodies                                              |
//! | `writes.rs`   | the rows that are written, table by table                   |
//! | `pipeline.rs` | sending the statements, and the COMMIT                      |

mod erase;
mod known;
mod needs;
mod pipeline;
mod plan;
mod progress;
mod writes;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use countersign_domain::EventType;
use countersign_ledger::{Hash, SigningKey};
use tokio::time::Instant;

use self::{known::LockedHead, needs::Needs, pipeline::Sent, plan::Plan, writes::Writes};
use super::{
    follower::Announcement,
    json_fields, lease, ledger,
    session::{Session, Sessions, may_pass},
    values::{Columns, number, storable, values},
};
use crate::{
    error::{Result, StoreError},
    heads::Heads,
    job::{Job, JobOutcome, Progress},
    newest::NewestByType,
    seams::Seams,
};

/// How long a batch is tried again while the database can't be reached or accepts no writes: long enough for a failover.
const RETRY_FOR: Duration = Duration::from_secs(10);
/// The same while earlier batches have failed too, so that callers soon learn that nothing can be written.
const RETRY_WHILE_FAILING: Duration = Duration::from_secs(1);
/// How long the outcome of a commit is asked for whose answer was lost. It begins when the loss is noticed, which may be late.
const RESOLVE_FOR: Duration = Duration::from_secs(30);
const WAITS: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
/// The number of positions in a partition, as in the function `add_partitions`.
const PARTITION: u64 = 33_554_432;

pub(super) struct Committer {
    sessions: Sessions,
    /// Seals every commit.
    key: Arc<SigningKey>,
    seams: Seams,
    newest: Arc<NewestByType>,
    heads: Arc<Heads>,
    /// The position at which the last partition ends.
    partitions_end: u64,
    /// The root that this process's last commit wrote. Its seal need not be checked again.
    own_root: Option<Hash>,
    failing: Arc<AtomicBool>,
    lease: lease::Token,
}

/// How an attempt to commit a batch ended.
enum Attempt {
    Committed(Vec<Result<JobOutcome>>),
    /// Every job failed for a reason of its own, so there was nothing to commit.
    AllFailed(Vec<Result<JobOutcome>>),
    /// The database refused what a job writes.
    Refused {
        error: StoreError,
        verdict: bool,
    },
    /// Nothing was changed, and the same may succeed later.
    Later(StoreError),
    /// The answer to the commit was lost. The evidence shows whether it was made.
    Unknown {
        outcomes: Vec<Result<JobOutcome>>,
        evidence: Evidence,
        error: StoreError,
    },
}

/// The traces by which a commit is recognised later.
struct Evidence {
    /// Its first event, by id and position.
    event: Option<(String, i64)>,
    transaction: String,
    size: u64,
    types: Vec<EventType>,
}

impl Committer {
    pub(super) fn new(
        sessions: Sessions,
        key: Arc<SigningKey>,
        seams: Seams,
        (newest, heads): (Arc<NewestByType>, Arc<Heads>),
        partitions_end: u64,
    ) -> Self {
        Self {
            sessions,
            key,
            seams,
            newest,
            heads,
            partitions_end,
            own_root: None,
            failing: Arc::default(),
            lease: lease::Token::default(),
        }
    }

    /// From now on every commit checks that this process still holds its lease, once it has one.
    pub(super) fn with_lease(self, lease: lease::Token) -> Self {
        Self { lease, ..self }
    }

    /// Set while nothing can be written.
    pub(super) fn failing(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.failing)
    }

    /// Carries out jobs. A job that fails doesn't affect the others.
    pub(super) async fn commit(&mut self, jobs: &[Job]) -> Vec<Result<JobOutcome>> {
        let mut outcomes = Vec::with_capacity(jobs.len());
        // An erasure has a transaction of its own, because it reads what it erases.
        let is_erasure = |job: &Job| matches!(job, Job::Erase { .. });
        for group in jobs.chunk_by(|a, b| !is_erasure(a) && !is_erasure(b)) {
            let done = self.commit_together(group).await;
            self.note_failure(&done);
            outcomes.extend(done);
        }
        outcomes
    }

    /// Notes whether nothing can be written at the moment.
    fn note_failure(&self, outcomes: &[Result<JobOutcome>]) {
        let failed = |outcome: &Result<_>| outcome.as_ref().is_err_and(StoreError::is_transient);
        self.failing.store(outcomes.iter().all(failed), Ordering::Relaxed);
    }

    async fn commit_together(&mut self, jobs: &[Job]) -> Vec<Result<JobOutcome>> {
        let is_failing = self.failing.load(Ordering::Relaxed);
        let deadline = Instant::now() + if is_failing { RETRY_WHILE_FAILING } else { RETRY_FOR };
        let (mut wait, mut verdicts_refused) = (WAITS.0, None::<String>);
        loop {
            let error = match self.attempt(jobs, verdicts_refused.as_deref()).await {
                Attempt::Committed(outcomes) | Attempt::AllFailed(outcomes) => return outcomes,
                Attempt::Refused { error, .. } if jobs.len() > 1 => {
                    tracing::debug!(%error, "a batch was refused; its jobs are committed one by one");
                    let mut outcomes = Vec::with_capacity(jobs.len());
                    for job in jobs {
                        let done = Box::pin(self.commit_together(std::slice::from_ref(job))).await;
                        self.note_failure(&done);
                        outcomes.extend(done);
                    }
                    return outcomes;
                }
                Attempt::Refused { error, verdict: true } if verdicts_refused.is_none() => {
                    tracing::error!(%error, "the row of a verdict could not be stored; its event is kept");
                    verdicts_refused = Some(error.to_string());
                    continue;
                }
                Attempt::Refused { error, .. } => return all_failed(jobs, &error),
                Attempt::Later(error) => error,
                Attempt::Unknown { outcomes, evidence, error } => match self.resolve(&evidence).await {
                    Some(true) => {
                        self.announce(evidence.size, &evidence.types);
                        return outcomes;
                    }
                    Some(false) => error,
                    None => {
                        let error = format!("the answer to a commit was lost, and it may have been made ({error})");
                        return all_failed(jobs, &StoreError::Database(error));
                    }
                },
            };
            if Instant::now() + wait > deadline {
                tracing::error!(%error, "a commit failed");
                return all_failed(jobs, &error);
            }
            tracing::warn!(%error, "a commit failed and is tried again");
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(WAITS.1);
        }
    }

    /// Carries out a job in the transaction that is open in this session, and commits the transaction. If that fails, nothing is
    /// tried again, and the transaction may still be open.
    pub(super) async fn commit_in(&mut self, session: &Session, job: &Job) -> Result<()> {
        match self.attempt_in(session, std::slice::from_ref(job), None).await {
            Attempt::Committed(outcomes) | Attempt::AllFailed(outcomes) => {
                outcomes.into_iter().try_for_each(|outcome| outcome.map(drop))
            }
            Attempt::Refused { error, .. } | Attempt::Later(error) | Attempt::Unknown { error, .. } => Err(error),
        }
    }

    async fn attempt(&mut self, jobs: &[Job], verdicts_refused: Option<&str>) -> Attempt {
        let session = match self.sessions.get().await {
            Ok(session) => session,
            Err(error) => return Attempt::Later(error),
        };
        let attempt = self.attempt_in(&session, jobs, verdicts_refused).await;
        // Otherwise the lock would be held until the next commit.
        if !matches!(attempt, Attempt::Committed(_)) {
            session.roll_back().await;
        }
        attempt
    }

    async fn attempt_in(&mut self, session: &Session, jobs: &[Job], verdicts_refused: Option<&str>) -> Attempt {
        let refused = |error: StoreError| match error {
            error if error.is_transient() => Attempt::Later(error),
            error => Attempt::Refused { error, verdict: false },
        };
        let histories = match histories(session, jobs).await {
            Ok(histories) => histories,
            Err(error) => return refused(error),
        };
        let weight: usize = jobs.iter().map(Job::weight).sum();
        if self.heads.size() + weight as u64 + 1 >= self.partitions_end {
            self.make_partitions(session, self.heads.size() + weight as u64).await;
        }
        let needs = Needs { lease: self.lease.load(Ordering::Acquire), ..Needs::of(jobs) };
        let (head, known) = match known::begin(session, &needs).await {
            Ok(begun) => begun,
            Err(error) => return refused(error),
        };
        if let Err(error) = self.check_head(&head) {
            return refused(error);
        }
        let seams = self.seams.clone();
        let writes = Writes::default();
        let mut plan = Plan { known, writes, seams: &seams, lease: needs.lease, history: &histories, verdicts_refused };
        let outcomes = match jobs {
            [Job::Erase { seqs, event }] => vec![plan.erase(session, seqs, event).await],
            jobs => plan.apply_all(jobs),
        };
        if outcomes.iter().all(Result::is_err) {
            return match &outcomes[..] {
                [Err(error)] if error.is_transient() => Attempt::Later(error.clone()),
                _ => Attempt::AllFailed(outcomes),
            };
        }
        let (size, types) = (plan.known.frontier.size(), std::mem::take(&mut plan.writes.events.types));
        let announcement = Announcement { first: head.head.frontier.size(), size, types };
        let text = announcement.to_text();
        let types = announcement.types;
        match plan.writes.commit(session, &plan.known.frontier, &self.key, &text).await {
            Sent::Committed => {
                self.own_root = Some(plan.known.frontier.root());
                self.announce(size, &types);
                self.make_partitions(session, size).await;
                Attempt::Committed(outcomes)
            }
            Sent::RolledBack { error, .. } if may_pass(&error) => Attempt::Later(error.into()),
            Sent::RolledBack { error, verdict } => Attempt::Refused { error: error.into(), verdict },
            Sent::Unknown(error) => {
                let events = &plan.writes.events;
                let event = events.ids.first().cloned().zip(events.seqs.first().copied());
                let evidence = Evidence { event, transaction: head.transaction, size, types };
                Attempt::Unknown { outcomes, evidence, error: error.into() }
            }
        }
    }

    /// The log must still be this key's: somebody may have put another one into the database.
    fn check_head(&self, locked: &LockedHead) -> Result<()> {
        let key = self.key.verifying_key();
        if locked.head.origin != key.name() || locked.head.frontier.root() != locked.head.root {
            return Err(StoreError::Tampered("the stored tree is not the one of this log".into()));
        }
        if self.own_root != Some(locked.head.root) && !locked.head.is_sealed_by(&key) {
            return Err(StoreError::Tampered("the stored tree is not sealed by the log's key".into()));
        }
        Ok(())
    }

    fn announce(&self, size: u64, types: &[EventType]) {
        let first = size.saturating_sub(types.len() as u64);
        if first > self.heads.size() {
            // Other processes have committed in between, and nobody has said yet what.
            EventType::ALL.iter().for_each(|event_type| self.newest.add(*event_type, first - 1));
        }
        for (seq, event_type) in (first..).zip(types) {
            self.newest.add(*event_type, seq);
        }
        self.heads.announce(size);
    }

    /// Makes partitions ahead, long before they are needed.
    async fn make_partitions(&mut self, session: &Session, size: u64) {
        if size + PARTITION / 2 < self.partitions_end {
            return;
        }
        match add_partitions(session, size + PARTITION).await {
            Ok(end) => self.partitions_end = end,
            Err(error) => {
                let room = self.partitions_end.saturating_sub(size);
                tracing::error!(%error, "no partitions could be made; there is room for {room} more events");
            }
        }
    }

    /// Whether a commit was made whose answer was lost. `None` if that can't be found out in time.
    async fn resolve(&self, evidence: &Evidence) -> Option<bool> {
        let (mut wait, deadline) = (WAITS.0, Instant::now() + RESOLVE_FOR);
        loop {
            match self.was_made(evidence).await {
                Ok(was_made) => return Some(was_made),
                Err(error) if Instant::now() + wait > deadline => {
                    tracing::error!(%error, "the outcome of a commit could not be found out");
                    return None;
                }
                Err(_) => {
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(WAITS.1);
                }
            }
        }
    }

    async fn was_made(&self, evidence: &Evidence) -> Result<bool> {
        let session = self.sessions.get().await?;
        let ask = async {
            // Waits for the transaction in question, which may still hold the lock.
            ledger::begin_with_lock(&session).await?;
            match &evidence.event {
                Some((id, seq)) => {
                    let sql = "SELECT 1 FROM countersign.event_ids WHERE event_id = $1::text::uuid AND seq = $2";
                    session.exists(sql, values![id.as_str(), *seq]).await
                }
                None => {
                    let sql = "SELECT coalesce(pg_xact_status($1::text::xid8), 'unknown')";
                    let row = session.row(sql, values![evidence.transaction.as_str()]).await?;
                    match row.text(0)? {
                        "committed" => Ok(true),
                        "aborted" => Ok(false),
                        other => Err(StoreError::Database(format!("the transaction is {other}"))),
                    }
                }
            }
        };
        let was_made = ask.await;
        session.roll_back().await;
        was_made
    }
}

fn all_failed(jobs: &[Job], error: &StoreError) -> Vec<Result<JobOutcome>> {
    jobs.iter().map(|_| Err(error.clone())).collect()
}

/// Makes all partitions before a position. Returns where they end.
pub(super) async fn add_partitions(session: &Session, until: u64) -> Result<u64> {
    session.row("SELECT countersign.add_partitions($1)", values![number(until)]).await?.number(0)
}

/// The transactions that the jobs' batches add to histories, with their users. They are read before the lock is taken, because
/// there may be many, and events don't change; whether they were erased is looked up when they are written.
async fn histories(session: &Session, jobs: &[Job]) -> Result<Vec<(u64, String)>> {
    let sql = "SELECT l.seq, b.payload FROM countersign.event_log l JOIN countersign.event_bodies b ON b.seq = l.seq
               WHERE l.event_type = 'TRANSACTION_RECEIVED' AND l.seq >= $1 AND l.seq < $2 AND b.seq >= $1 AND b.seq < $2";
    let mut found = Vec::new();
    for job in jobs {
        let Job::Step(step) = job else { continue };
        let (true, Progress::Batch { from, to }) = (step.indexes_history, step.progress) else { continue };
        for row in session.rows(sql, values![number(from), number(to)]).await? {
            let user = json_fields::text(row.text(1)?, &["user_id"])?.unwrap_or_default();
            found.push((row.number(0)?, storable(&user).into_owned()));
        }
    }
    Ok(found)
}
