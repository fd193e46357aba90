//! The writer's core: one connection, the tree's right edge, and jobs applied inside one transaction.
//!
//! Synchronous and single-threaded. It never leaves a job half done: each has a savepoint, and rolling one back also
//! restores the tree.

use std::{
    borrow::Cow,
    ffi::c_int,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use countersign_domain::{
    DeadLetterId, Event, EventType, Header, NewEvent, Time,
    payload::{DeadLetterChange, DeadLetterChanged, EventDeadLettered, KeyChange, KeyChanged},
};
use countersign_ledger::{Cosignature, Frontier, Hash, NodeId, SigningKey, leaf_hash, with_cosignature};
use rusqlite::{Connection, OptionalExtension, hooks::Wal, params};

use super::{
    answers, cases, checkpointer,
    erasure_record::ErasureRecord,
    history, ledger,
    newest::Newest,
    projection::{self, Row, VALIDATION_ENTRIES},
    ranks, reads, reports, schema,
};
use crate::{
    error::{Result, StoreError},
    job::{Ingested, Job, JobOutcome, NewReport, Progress, Step, StepCounts, StepOutcome},
    leaf::{BodyCommitment, header_text},
    operations::RegistryEntry,
    seams::Seams,
};

// OR FAIL: see the migration `0006_light_checks.sql`.
pub(super) const EVENT_SQL: &str = "INSERT OR FAIL INTO event_log (seq, header, leaf_hash) VALUES (?1, ?2, ?3)";
pub(super) const BODY_SQL: &str =
    "INSERT OR FAIL INTO event_bodies (seq, salt, payload, metadata) VALUES (?1, ?2, ?3, ?4)";
pub(super) const NODE_SQL: &str = "INSERT OR FAIL INTO ledger_nodes (level, idx, hash) VALUES (?1, ?2, ?3)";

pub(crate) struct Core {
    conn: Connection,
    frontier: Frontier,
    last_recorded: Time,
    /// Seals every commit.
    key: Arc<SigningKey>,
    seams: Seams,
    newest: Arc<Newest>,
    /// Bodies were erased: the write-ahead log must not keep them either.
    truncate_wal: bool,
    wal_pages: Arc<AtomicUsize>,
}

impl Core {
    pub(crate) fn new(
        conn: Connection,
        frontier: Frontier,
        last_recorded: Time,
        key: Arc<SigningKey>,
        seams: Seams,
    ) -> Self {
        let newest = Arc::new(Newest::at_open(frontier.size()));
        Self { conn, frontier, last_recorded, key, seams, newest, truncate_wal: false, wal_pages: Arc::default() }
    }

    pub(crate) fn newest(&self) -> Arc<Newest> {
        Arc::clone(&self.newest)
    }

    pub(crate) fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Applies all jobs in one transaction with one fsync. A job that fails takes nothing with it; a commit that fails
    /// fails them all.
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
                tracing::error!(%error, "a commit failed; nothing of it was kept");
                // May fail because SQLite rolled back by itself; either way nothing stays open.
                let _ = self.conn.execute_batch("ROLLBACK");
                (self.frontier, self.last_recorded) = (frontier, last_recorded);
                jobs.iter().map(|_| Err(error.clone())).collect()
            }
        }
    }

    /// Jobs hardly ever fail, and a savepoint copies every page that its job touches: they are used only after one has.
    fn try_commit(&mut self, jobs: &[Job]) -> Result<Vec<Result<JobOutcome>>> {
        let (frontier, last_recorded) = (self.frontier.clone(), self.last_recorded);
        self.run("BEGIN IMMEDIATE")?;
        let applied: Result<Vec<_>> = jobs.iter().map(|job| self.apply(job)).collect();
        let outcomes: Vec<_> = match applied {
            Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
            // SQLite may have rolled back by itself: then it is everybody's failure, with its own cause.
            Err(error) if self.conn.is_autocommit() => return Err(error),
            Err(_) => {
                self.run("ROLLBACK")?;
                (self.frontier, self.last_recorded) = (frontier.clone(), last_recorded);
                self.run("BEGIN IMMEDIATE")?;
                jobs.iter().map(|job| self.apply_alone(job)).collect::<Result<_>>()?
            }
        };
        self.count(jobs, &outcomes)?;
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
        // A full disk is everybody's: the transaction can't be trusted any further, and SQLite may have ended it.
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
                let stands_at = cases::find(&self.conn, *investigation)?.ok_or(StoreError::NotFound)?.seq;
                if stands_at != *seen_seq {
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
            Job::Checkpoint { size, note, replaces } => self.keep_checkpoint(*size, note, *replaces),
            Job::Cosign { size, cosignature } => self.cosign(*size, cosignature),
            Job::RecordCleanStop => {
                self.run("UPDATE process_state SET clean_stop = 1")?;
                Ok(JobOutcome::Done)
            }
        }
    }

    /// Stores an event from outside exactly once: the unique id of its row decides.
    fn ingest(&mut self, event: &NewEvent, body: &BodyCommitment) -> Result<Ingested> {
        if !matches!(event.event, Event::TransactionReceived(_) | Event::FraudAlertCreated(_)) {
            return Err(StoreError::Conflict("this type of event does not come from outside".into()));
        }
        let row = projection::row_of(event.event_id, &event.event, &event.metadata).ok_or(StoreError::NotFound)?;
        if self.insert_row(&row, self.frontier.size())? {
            let seq = self.insert_event(event, body)?;
            cases::follow(&self.conn, seq, &event.event)?;
            ranks::follow(&self.conn, seq, &event.event)?;
            return Ok(Ingested::Accepted { seq });
        }
        let seq: u64 = self.conn.prepare_cached(row.table.find_seq)?.query_row([&row.id], |r| r.get(0))?;
        let stored: Option<String> = self
            .conn
            .prepare_cached("SELECT payload FROM event_bodies WHERE seq = ?1")?
            .query_row([seq], |r| r.get(0))
            .optional()?;
        // An erased one can't be compared; it was taken once, and that is what counts.
        let same = stored.is_none_or(|stored| stored == event.payload);
        Ok(if same { Ingested::Duplicate { seq } } else { Ingested::Conflict { seq } })
    }

    fn append_all(&mut self, events: &[NewEvent], contents: &[NewReport]) -> Result<()> {
        reports::check_all(events, contents)?;
        for (n, event) in (1..).zip(events) {
            let seq = self.append(event, events.get(n..).unwrap_or_default())?;
            if let Event::ReportGenerated(report) = &event.event {
                reports::store_content(&self.conn, seq, report, contents)?;
            }
        }
        Ok(())
    }

    /// Appends an event with the row that is derived from it. `next` follows in the same commit.
    fn append(&mut self, event: &NewEvent, next: &[NewEvent]) -> Result<u64> {
        let mut event = Cow::Borrowed(event);
        if let Some(row) = projection::row_of(event.event_id, &event.event, &event.metadata) {
            if *row.table == VALIDATION_ENTRIES {
                let not_stored = self.try_insert_row(&row, self.frontier.size())?;
                drop(row);
                if let Some(why) = not_stored {
                    let metadata = projection::say_not_stored(&event.metadata, &why.to_string())?;
                    event.to_mut().metadata = metadata;
                }
            } else if !self.insert_row(&row, self.frontier.size())? {
                return Err(StoreError::Conflict(format!("{} has this id already", row.table.name)));
            }
        }
        let seq = self.insert_event(&event, &BodyCommitment::new(&event, &self.seams))?;
        match &event.event {
            Event::EventDeadLettered(letter) => self.keep_dead_letter(seq, letter)?,
            Event::KeyChanged(change) => self.change_key(seq, change)?,
            event => {
                answers::follow(&self.conn, seq, event, next)?;
                cases::follow(&self.conn, seq, event)?;
                ranks::follow(&self.conn, seq, event)?;
            }
        }
        Ok(seq)
    }

    /// Inserts a row that its event can do without. The inner error is why it could not be: there is no place for it, or it
    /// was refused, and then nothing was changed. After any other failure, such as of the disk, that is not known.
    fn try_insert_row(&self, row: &Row<'_>, seq: u64) -> Result<Option<StoreError>> {
        // Back at once: a statement that is in use would be made a second time.
        let prepared = self.conn.prepare_cached(row.table.insert).map(drop);
        let why = match prepared {
            Err(error) => StoreError::from(error),
            Ok(()) => match self.insert_row(row, seq) {
                Ok(_) => return Ok(None),
                Err(error @ StoreError::Conflict(_)) if !self.conn.is_autocommit() => error,
                Err(error) => return Err(error),
            },
        };
        tracing::error!(error = %why, seq, table = row.table.name, "a row could not be stored; its event is kept");
        Ok(Some(why))
    }

    fn insert_row(&self, row: &Row<'_>, seq: u64) -> Result<bool> {
        let mut insert = self.conn.prepare_cached(row.table.insert)?;
        insert.raw_bind_parameter(1, seq)?;
        for (place, value) in (2..).zip(row.values()) {
            insert.raw_bind_parameter(place, value)?;
        }
        Ok(insert.raw_execute()? == 1)
    }

    fn insert_event(&mut self, event: &NewEvent, body: &BodyCommitment) -> Result<u64> {
        let seq = self.frontier.size();
        // Clocks step back; the log does not.
        self.last_recorded = self.last_recorded.max(self.seams.now());
        let header = header_text(event, body, seq, self.last_recorded)?;
        let leaf = leaf_hash(header.as_bytes());
        self.conn.prepare_cached(EVENT_SQL)?.execute(params![seq, header, leaf.as_bytes()])?;
        self.conn.prepare_cached(BODY_SQL)?.execute(params![seq, body.salt, event.payload, event.metadata])?;
        self.grow_tree(leaf)?;
        self.newest.add(event.event.event_type(), seq);
        Ok(seq)
    }

    fn grow_tree(&mut self, leaf: Hash) -> Result<()> {
        let mut completed: Vec<(NodeId, Hash)> = Vec::new();
        self.frontier.push(leaf, |node, hash| completed.push((node, hash)));
        for (node, hash) in completed {
            self.conn.prepare_cached(NODE_SQL)?.execute(params![node.level, node.index, hash.as_bytes()])?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<StepOutcome> {
        let claimed = match step.progress {
            Progress::Lane { seq, low } => self.claim_lane(step.agent, seq, low)?,
            Progress::Batch { from, to } => self.claim_batch(step.agent, from, to)?,
            Progress::Replay { id } => {
                let sql =
                    "UPDATE dead_letters SET state = 'replayed' WHERE id = ?1 AND agent = ?2 AND state = 'replaying'";
                self.conn.prepare_cached(sql)?.execute(params![id.to_string(), step.agent])? == 1
            }
        };
        if !claimed {
            return Ok(StepOutcome::AlreadyDone);
        }
        if let (true, Progress::Batch { from, to }) = (step.indexes_history, step.progress) {
            history::index(&self.conn, from, to)?;
        }
        self.append_all(&step.events, &step.reports)?;
        if let Progress::Replay { id } = step.progress {
            let fails_again = |event: &NewEvent| matches!(&event.event, Event::EventDeadLettered(letter) if letter.dead_letter_id == id);
            if !step.events.iter().any(fails_again) {
                self.say_changed(id, DeadLetterChange::Replayed, None)?;
            }
        }
        Ok(StepOutcome::Committed)
    }

    /// What the steps of a commit add to their agents' counts: one row for each agent.
    fn count(&self, jobs: &[Job], outcomes: &[Result<JobOutcome>]) -> Result<()> {
        let mut agents: Vec<(&str, StepCounts)> = Vec::new();
        for (job, outcome) in jobs.iter().zip(outcomes) {
            let (Job::Step(step), Ok(JobOutcome::Step(StepOutcome::Committed))) = (job, outcome) else { continue };
            match agents.iter_mut().find(|(agent, _)| *agent == step.agent) {
                Some((_, counts)) => counts.add(&step.counts),
                None => agents.push((step.agent, step.counts)),
            }
        }
        for (agent, counts) in agents.into_iter().filter(|(_, counts)| *counts != StepCounts::default()) {
            let StepCounts { processed, dead_lettered, failed_so_far } = counts;
            let sql = "UPDATE agent_registry SET processed = processed + ?2, dead_lettered = dead_lettered + ?3,
                         failed = max(failed, ?4) WHERE name = ?1";
            self.conn.prepare_cached(sql)?.execute(params![agent, processed, dead_lettered, failed_so_far])?;
        }
        Ok(())
    }

    fn low(&self, agent: &str) -> Result<u64> {
        let sql = "SELECT low FROM agent_progress WHERE agent = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([agent], |r| r.get(0)).optional()?.unwrap_or(0))
    }

    fn claim_lane(&self, agent: &str, seq: u64, low: u64) -> Result<bool> {
        let stored_low = self.low(agent)?;
        if seq < stored_low {
            return Ok(false);
        }
        let claimed = self
            .conn
            .prepare_cached("INSERT INTO agent_done (agent, seq) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
            .execute(params![agent, seq])?;
        if claimed == 0 {
            return Ok(false);
        }
        self.conn
            .prepare_cached("DELETE FROM agent_attempts WHERE agent = ?1 AND seq = ?2")?
            .execute(params![agent, seq])?;
        if low > stored_low {
            self.mark_low(agent, low)?;
        }
        Ok(true)
    }

    fn claim_batch(&self, agent: &str, from: u64, to: u64) -> Result<bool> {
        if from >= to || self.low(agent)? != from {
            return Ok(false);
        }
        self.conn
            .prepare_cached("DELETE FROM agent_attempts WHERE agent = ?1 AND seq < ?2")?
            .execute(params![agent, to])?;
        self.mark_low(agent, to)?;
        Ok(true)
    }

    fn mark_low(&self, agent: &str, low: u64) -> Result<JobOutcome> {
        self.conn
            .prepare_cached(
                "INSERT INTO agent_progress (agent, low) VALUES (?1, ?2)
                 ON CONFLICT (agent) DO UPDATE SET low = max(low, excluded.low)",
            )?
            .execute(params![agent, low])?;
        self.conn
            .prepare_cached("DELETE FROM agent_done WHERE agent = ?1 AND seq < ?2")?
            .execute(params![agent, low])?;
        Ok(JobOutcome::Done)
    }

    fn count_attempt(&self, agent: &str, seq: u64) -> Result<JobOutcome> {
        let sql = "INSERT INTO agent_attempts (agent, seq, attempts) VALUES (?1, ?2, 1)
                   ON CONFLICT (agent, seq) DO UPDATE SET attempts = attempts + 1 RETURNING attempts";
        Ok(JobOutcome::Attempts(self.conn.prepare_cached(sql)?.query_row(params![agent, seq], |r| r.get(0))?))
    }

    fn register(&self, entry: &RegistryEntry) -> Result<JobOutcome> {
        self.conn
            .prepare_cached(
                // Steps may have counted what the agent's own counters don't show yet.
                "INSERT INTO agent_registry (name, state, priority, paused, started_at, heartbeat_at,
                   processed, failed, dead_lettered, lag, last_error)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                 ON CONFLICT (name) DO UPDATE SET state = excluded.state, priority = excluded.priority,
                   paused = excluded.paused, started_at = excluded.started_at, heartbeat_at = excluded.heartbeat_at,
                   processed = max(processed, excluded.processed), failed = max(failed, excluded.failed),
                   dead_lettered = max(dead_lettered, excluded.dead_lettered), lag = excluded.lag,
                   last_error = excluded.last_error",
            )?
            .execute(params![
                entry.name,
                entry.state.as_str(),
                entry.priority,
                entry.paused,
                entry.started_at.to_string(),
                entry.heartbeat_at.to_string(),
                entry.processed,
                entry.failed,
                entry.dead_lettered,
                entry.lag,
                entry.last_error,
            ])?;
        Ok(JobOutcome::Done)
    }

    fn keep_dead_letter(&self, seq: u64, letter: &EventDeadLettered) -> Result<()> {
        self.conn
            .prepare_cached(
                "INSERT OR REPLACE INTO dead_letters
                   (id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'dead')",
            )?
            .execute(params![
                letter.dead_letter_id.to_string(),
                seq,
                letter.agent,
                letter.seq,
                letter.event_id.to_string(),
                letter.event_type,
                letter.attempts,
                letter.error,
                letter.dead_lettered_at.to_string(),
            ])?;
        Ok(())
    }

    fn request_replay(&mut self, id: DeadLetterId, requested_by: &str) -> Result<JobOutcome> {
        let key = id.to_string();
        let changed = self
            .conn
            .prepare_cached("UPDATE dead_letters SET state = 'replaying' WHERE id = ?1 AND state = 'dead'")?
            .execute([&key])?;
        if changed == 1 {
            self.say_changed(id, DeadLetterChange::ReplayRequested, Some(requested_by))?;
            return Ok(JobOutcome::Done);
        }
        let sql = "SELECT state FROM dead_letters WHERE id = ?1";
        let state: String = self.conn.prepare_cached(sql)?.query_row([&key], |r| r.get(0))?;
        Err(StoreError::Conflict(format!("this dead letter is {state} already")))
    }

    fn release_replays(&mut self, agent: &str) -> Result<JobOutcome> {
        let released: Vec<String> = self
            .conn
            .prepare_cached(
                "UPDATE dead_letters SET state = 'dead' WHERE agent = ?1 AND state = 'replaying' RETURNING id",
            )?
            .query_map([agent], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for id in released {
            self.say_changed(id.parse().map_err(reads::corrupt)?, DeadLetterChange::Released, None)?;
        }
        Ok(JobOutcome::Done)
    }

    /// Records that a dead letter's state has changed, so that the state can be checked against the log.
    fn say_changed(&mut self, id: DeadLetterId, change: DeadLetterChange, requested_by: Option<&str>) -> Result<()> {
        let sql = "SELECT l.header FROM dead_letters d JOIN event_log l ON l.seq = d.seq WHERE d.id = ?1";
        let header: String = self.conn.prepare_cached(sql)?.query_row([id.to_string()], |row| row.get(0))?;
        let letter: Header<'_> = serde_json::from_str(&header)?;
        let now = self.seams.now();
        let said = DeadLetterChanged {
            dead_letter_id: id,
            change,
            requested_by: requested_by.map(str::to_owned),
            changed_at: now,
        };
        let event = NewEvent::new(self.seams.event_id(), said, now, "runtime", letter.correlation_id)?;
        self.append(&event.caused_by(letter.event_id), &[])?;
        Ok(())
    }

    fn change_key(&self, seq: u64, change: &KeyChanged) -> Result<()> {
        let changed = match change.change {
            KeyChange::Created => self
                .conn
                .prepare_cached(
                    "INSERT INTO access_keys (id, seq, name, role, secret_sha256, created_at, expires_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    change.key_id.as_str(),
                    seq,
                    change.name,
                    change.role.as_str(),
                    change.secret_sha256,
                    change.changed_at.to_string(),
                    change.expires_at.map(|at| at.to_string()),
                ])?,
            KeyChange::Revoked => self
                .conn
                .prepare_cached(
                    "UPDATE access_keys SET revoked_at = ?2, seq = ?3 WHERE id = ?1 AND revoked_at IS NULL",
                )?
                .execute(params![change.key_id.as_str(), change.changed_at.to_string(), seq])?,
        };
        if changed == 1 { Ok(()) } else { Err(StoreError::NotFound) }
    }

    fn erase(&mut self, seqs: &[u64], event: &NewEvent) -> Result<JobOutcome> {
        // Their triggers guard the other records that states are checked against.
        let sql = "SELECT 1 FROM event_log WHERE seq = ?1 AND event_type = ?2";
        for seq in seqs {
            if self.conn.prepare_cached(sql)?.exists(params![seq, EventType::DeadLetterChanged.as_str()])? {
                return Err(StoreError::Conflict("the record of a dead letter can't be erased".into()));
            }
        }
        let kept = ErasureRecord::of(&self.conn, seqs)?;
        let event_seq = self.append(&NewEvent { metadata: kept.metadata()?, ..event.clone() }, &[])?;
        for seq in seqs {
            self.conn
                .prepare_cached("INSERT INTO erasures (seq, event_seq) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
                .execute([seq, &event_seq])?;
            self.conn.prepare_cached("DELETE FROM event_bodies WHERE seq = ?1")?.execute([seq])?;
            for forget in projection::TABLES.iter().filter_map(|table| table.forget) {
                self.conn.prepare_cached(forget)?.execute([seq])?;
            }
            history::forget(&self.conn, *seq)?;
            reports::forget(&self.conn, *seq)?;
        }
        for change in &kept.kept_changes {
            cases::forget(&self.conn, change)?;
        }
        self.truncate_wal = true;
        Ok(JobOutcome::Done)
    }

    fn keep_checkpoint(&self, size: u64, note: &str, replaces: Option<u64>) -> Result<JobOutcome> {
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

    /// From now on the write-ahead log is folded in when the writer says so, not by the commit that happens to fill it. Each
    /// commit tells how many pages are in it.
    pub(crate) fn leave_wal_to_writer(&mut self) -> Result<()> {
        let told = Arc::clone(&self.wal_pages);
        // It takes the place of what folds by itself.
        let tell = move |_: &mut Wal, pages: c_int| {
            told.store(usize::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        };
        Ok(self.conn.wal_hook(Some(tell))?)
    }

    pub(crate) fn wal_pages(&self) -> usize {
        self.wal_pages.load(Ordering::Relaxed)
    }

    pub(crate) fn fold_wal(&self) {
        if let Err(error) = checkpointer::fold(&self.conn) {
            tracing::warn!(%error, "the write-ahead log could not be folded in");
        }
    }

    /// Readers may hold the log for a moment. Nobody waits for them: the next commit tries again.
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
