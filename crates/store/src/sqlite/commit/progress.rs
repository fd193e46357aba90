//! Agents' progress: steps, marks, attempts, counts and heartbeats.

use countersign_domain::{Event, NewEvent, payload::DeadLetterChange};
use rusqlite::{OptionalExtension, params};

use super::Committer;
use crate::{
    error::Result,
    job::{Job, JobOutcome, Progress, Step, StepCounts, StepOutcome},
    operations::RegistryEntry,
    sqlite::history,
};

impl Committer {
    pub(super) fn step(&mut self, step: &Step) -> Result<StepOutcome> {
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
                self.record_change(id, DeadLetterChange::Replayed, None)?;
            }
        }
        Ok(StepOutcome::Committed)
    }

    /// Adds the counts of a commit's steps to the registry: one update for each agent.
    pub(super) fn add_step_counts(&self, jobs: &[Job], outcomes: &[Result<JobOutcome>]) -> Result<()> {
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

    pub(super) fn mark_low(&self, agent: &str, low: u64) -> Result<JobOutcome> {
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

    pub(super) fn count_attempt(&self, agent: &str, seq: u64) -> Result<JobOutcome> {
        let sql = "INSERT INTO agent_attempts (agent, seq, attempts) VALUES (?1, ?2, 1)
                   ON CONFLICT (agent, seq) DO UPDATE SET attempts = attempts + 1 RETURNING attempts";
        Ok(JobOutcome::Attempts(self.conn.prepare_cached(sql)?.query_row(params![agent, seq], |r| r.get(0))?))
    }

    pub(super) fn register(&self, entry: &RegistryEntry) -> Result<JobOutcome> {
        self.conn
            .prepare_cached(
                // Steps may have counted more than the agent's own counters show yet.
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
}
