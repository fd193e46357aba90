//! Applies jobs, many in one transaction, on one connection, and keeps the tree's right edge in step.
//!
//! Synchronous and single-threaded. A job commits as a whole or not at all; undoing one also undoes its leaves in the tree.
//!
//! | file              | job                                                   |
//! |-------------------|-------------------------------------------------------|
//! | `append.rs`       | events, and the rows derived from them                |
//! | `progress.rs`     | agents' steps, marks, attempts, counts and heartbeats |
//! | `dead_letters.rs` | dead letters and their replays                        |
//! | `erase.rs`        | erasing bodies                                        |

mod append;
mod dead_letters;
mod erase;
mod progress;

use std::{
    ffi::c_int,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use countersign_domain::Time;
use countersign_ledger::{Cosignature, Frontier, SigningKey, with_cosignature};
use rusqlite::{Connection, OptionalExtension, hooks::Wal, params};

use super::{cases, checkpointer, ledger, schema};
use crate::{
    error::{Result, StoreError},
    job::{Job, JobOutcome},
    newest::NewestByType,
    seams::Seams,
};

#[cfg(test)]
pub(super) use append::{BODY_SQL, EVENT_SQL, NODE_SQL};

pub(crate) struct Committer {
    conn: Connection,
    frontier: Frontier,
    last_recorded: Time,
    /// Seals every commit.
    key: Arc<SigningKey>,
    seams: Seams,
    newest: Arc<NewestByType>,
    /// Whether bodies were erased, which the write-ahead log must not keep either.
    truncate_wal: bool,
    wal_pages: Arc<AtomicUsize>,
}

impl Committer {
    pub(crate) fn new(
        conn: Connection,
        frontier: Frontier,
        last_recorded: Time,
        key: Arc<SigningKey>,
        seams: Seams,
    ) -> Self {
        let newest = Arc::new(NewestByType::at_open(frontier.size()));
        Self { conn, frontier, last_recorded, key, seams, newest, truncate_wal: false, wal_pages: Arc::default() }
    }

    pub(crate) fn newest(&self) -> Arc<NewestByType> {
        Arc::clone(&self.newest)
    }

    pub(crate) fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Applies all jobs in one transaction with one fsync. A job that fails doesn't affect the others; if the commit fails, all
    /// of them fail.
    pub(crate) fn commit(&mut self, jobs: &[Job]) -> Vec<Result<JobOutcome>> {
        let (frontier, last_recorded) = (self.frontier.clone(), self.last_recorded);
        match self.try_commit(jobs) {
            Ok(outcomes) => {
                if self.truncate_wal {
                    self.truncate_wal();
                }
                outcomes
            }
            Err(error) => {
                tracing::error!(%error, "a commit failed and was rolled back");
                // Fails if SQLite has rolled back by itself. Either way no transaction stays open.
                let _ = self.conn.execute_batch("ROLLBACK");
                (self.frontier, self.last_recorded) = (frontier, last_recorded);
                jobs.iter().map(|_| Err(error.clone())).collect()
            }
        }
    }

    /// Jobs hardly ever fail, and a savepoint copies every page that its job changes. So they are used only after a job has
    /// failed, when all jobs are run again.
    fn try_commit(&mut self, jobs: &[Job]) -> Result<Vec<Result<JobOutcome>>> {
        let (frontier, last_recorded) = (self.frontier.clone(), self.last_recorded);
        self.run("BEGIN IMMEDIATE")?;
        let applied: Result<Vec<_>> = jobs.iter().map(|job| self.apply(job)).collect();
        let outcomes: Vec<_> = match applied {
            Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
            // SQLite has rolled back by itself, so all jobs fail with this cause.
            Err(error) if self.conn.is_autocommit() => return Err(error),
            Err(_) => {
                self.run("ROLLBACK")?;
                (self.frontier, self.last_recorded) = (frontier.clone(), last_recorded);
                self.run("BEGIN IMMEDIATE")?;
                jobs.iter().map(|job| self.apply_alone(job)).collect::<Result<_>>()?
            }
        };
        self.add_step_counts(jobs, &outcomes)?;
        if self.frontier.size() != frontier.size() {
            ledger::write_head(&self.conn, &self.frontier, &self.key)?;
        }
        self.run("COMMIT")?;
        Ok(outcomes)
    }

    fn run(&self, sql: &str) -> Result<()> {
        self.conn.prepare_cached(sql)?.execute([])?;
        Ok(())
    }

    /// The outer error is the transaction's, the inner one the job's own.
    fn apply_alone(&mut self, job: &Job) -> Result<Result<JobOutcome>> {
        let (frontier, last_recorded) = (self.frontier.clone(), self.last_recorded);
        self.run("SAVEPOINT job")?;
        let outcome = self.apply(job);
        // A full disk fails all jobs: the transaction can't be trusted any more, and SQLite may have ended it.
        if let Err(StoreError::DiskFull) = outcome {
            return Err(StoreError::DiskFull);
        }
        if outcome.is_err() {
            self.run("ROLLBACK TO job")?;
            (self.frontier, self.last_recorded) = (frontier, last_recorded);
        }
        self.run("RELEASE job")?;
        Ok(outcome)
    }

    fn apply(&mut self, job: &Job) -> Result<JobOutcome> {
        match job {
            Job::Ingest(events) => {
                let ingested = events.iter().map(|(event, body)| self.ingest(event, body));
                ingested.collect::<Result<_>>().map(JobOutcome::Ingested)
            }
            Job::Append(events) => {
                let first_seq = self.frontier.size();
                self.append_all(events, &[])?;
                Ok(JobOutcome::Appended { first_seq })
            }
            Job::AppendIfCase { investigation, seen_seq, events } => {
                let newest = cases::find(&self.conn, *investigation)?.ok_or(StoreError::NotFound)?.seq;
                if newest != *seen_seq {
                    return Ok(JobOutcome::CaseMovedOn);
                }
                let first_seq = self.frontier.size();
                self.append_all(events, &[])?;
                Ok(JobOutcome::Appended { first_seq })
            }
            Job::Step(step) => self.step(step).map(JobOutcome::Step),
            Job::MarkLow { agent, low } => self.mark_low(agent, *low),
            Job::CountAttempt { agent, seq } => self.count_attempt(agent, *seq),
            Job::Register(entry) => self.register(entry),
            Job::RequestReplay { id, requested_by } => self.request_replay(*id, requested_by),
            Job::ReleaseReplays { agent } => self.release_replays(agent),
            Job::Erase { seqs, event } => self.erase(seqs, event),
            Job::Checkpoint { size, note, replaces } => self.store_checkpoint(*size, note, *replaces),
            Job::Cosign { size, cosignature } => self.cosign(*size, cosignature),
            Job::RecordCleanStop => {
                self.run("UPDATE process_state SET clean_stop = 1")?;
                Ok(JobOutcome::Done)
            }
        }
    }

    fn store_checkpoint(&self, size: u64, note: &str, replaces: Option<u64>) -> Result<JobOutcome> {
        if let Some(replaced) = replaces {
            self.conn.prepare_cached("DELETE FROM checkpoints WHERE size = ?1")?.execute([replaced])?;
        }
        self.conn
            .prepare_cached("INSERT OR REPLACE INTO checkpoints (size, note) VALUES (?1, ?2)")?
            .execute(params![size, note])?;
        Ok(JobOutcome::Done)
    }

    fn cosign(&self, size: u64, cosignature: &Cosignature) -> Result<JobOutcome> {
        let note: Option<String> = self
            .conn
            .prepare_cached("SELECT note FROM checkpoints WHERE size = ?1")?
            .query_row([size], |row| row.get(0))
            .optional()?;
        if let Some(note) = note {
            self.conn
                .prepare_cached("UPDATE checkpoints SET note = ?2 WHERE size = ?1")?
                .execute(params![size, with_cosignature(&note, cosignature)?])?;
        }
        Ok(JobOutcome::Done)
    }

    /// From now on the writer decides when the write-ahead log is checkpointed, instead of the commit that happens to fill it.
    /// Every commit notes how many pages the log has.
    pub(crate) fn leave_wal_to_writer(&mut self) -> Result<()> {
        let wal_pages = Arc::clone(&self.wal_pages);
        // Replaces SQLite's automatic checkpointing, which uses the same hook.
        let note_pages = move |_: &mut Wal, pages: c_int| {
            wal_pages.store(usize::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        };
        Ok(self.conn.wal_hook(Some(note_pages))?)
    }

    pub(crate) fn wal_pages(&self) -> usize {
        self.wal_pages.load(Ordering::Relaxed)
    }

    pub(crate) fn checkpoint_wal(&self) {
        if let Err(error) = checkpointer::checkpoint(&self.conn) {
            tracing::warn!(%error, "the write-ahead log could not be checkpointed");
        }
    }

    /// Readers may be using the log for a moment. Rather than wait for them, the next commit tries again.
    fn truncate_wal(&mut self) {
        let truncate = || -> rusqlite::Result<bool> {
            self.conn.busy_timeout(Duration::ZERO)?;
            let is_held = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
            self.conn.busy_timeout(schema::BUSY_TIMEOUT)?;
            Ok(!is_held?)
        };
        match truncate() {
            Ok(done) => self.truncate_wal = !done,
            Err(error) => tracing::warn!(%error, "the write-ahead log could not be truncated after an erasure"),
        }
    }
}
