//! Agents' steps, marks, attempts and counts.

use countersign_domain::{Event, NewEvent, payload::DeadLetterChange};

use super::{plan::Plan, writes::OwnedValue};
use crate::{
    error::Result,
    job::{Job, JobOutcome, Progress, Step, StepCounts, StepOutcome},
    postgres::values::number,
};

impl<'a> Plan<'a> {
    pub(super) fn step(&mut self, step: &'a Step) -> Result<StepOutcome> {
        let claimed = match step.progress {
            Progress::Lane { seq, low } => self.claim_lane(step.agent, seq, low),
            Progress::Batch { from, to } => self.claim_batch(step.agent, from, to),
            Progress::Replay { id } => self.claim_replay(id, step.agent),
        };
        if !claimed {
            return Ok(StepOutcome::AlreadyDone);
        }
        if let (true, Progress::Batch { from, to }) = (step.indexes_history, step.progress) {
            let passed = self.history.iter().filter(|(seq, _)| (from..to).contains(seq));
            self.writes.history.extend(passed.map(|(seq, user)| (number(*seq), user.clone())));
        }
        self.append_all(&step.events, &step.reports)?;
        if let Progress::Replay { id } = step.progress {
            let fails_again = |event: &NewEvent| matches!(&event.event, Event::EventDeadLettered(letter) if letter.dead_letter_id == id);
            if !step.events.iter().any(fails_again) {
                self.change_letter(id, DeadLetterChange::Replayed, None)?;
            }
        }
        Ok(StepOutcome::Committed)
    }

    /// Adds the counts of a commit's steps to the registry: one update for each agent.
    pub(super) fn add_step_counts(&mut self, jobs: &[Job], outcomes: &[Result<JobOutcome>]) {
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
            let sql = "UPDATE countersign.agent_registry SET processed = processed + $2,
                         dead_lettered = dead_lettered + $3, failed = greatest(failed, $4) WHERE name = $1";
            let counts = [processed, dead_lettered, failed_so_far].map(|count| OwnedValue::Integer(number(count)));
            self.statement(sql, std::iter::once(OwnedValue::text(agent)).chain(counts).collect());
        }
    }

    fn low(&self, agent: &'static str) -> u64 {
        self.known.lows.get(agent).copied().unwrap_or(0)
    }

    fn claim_lane(&mut self, agent: &'static str, seq: u64, low: u64) -> bool {
        let key = (agent, number(seq));
        if seq < self.low(agent) || !self.known.done.insert(key) {
            return false;
        }
        self.writes.done.insert(key);
        self.known.attempts.remove(&key);
        self.writes.attempts.insert(key, None);
        if low > self.low(agent) {
            self.mark_low(agent, low);
        }
        true
    }

    fn claim_batch(&mut self, agent: &'static str, from: u64, to: u64) -> bool {
        if from >= to || self.low(agent) != from {
            return false;
        }
        let until = number(to);
        self.known.attempts.retain(|(of, seq), _| *of != agent || *seq >= until);
        self.writes.attempts.retain(|(of, seq), _| *of != agent || *seq >= until);
        let before = self.writes.attempts_before.entry(agent).or_insert(until);
        *before = until.max(*before);
        self.mark_low(agent, to);
        true
    }

    pub(super) fn mark_low(&mut self, agent: &'static str, low: u64) {
        let known = self.known.lows.entry(agent).or_insert(0);
        // A mark of 0 is stored too, if the agent has none yet.
        *known = low.max(*known);
        let known = number(*known);
        self.writes.lows.insert(agent, known);
    }

    pub(super) fn count_attempt(&mut self, agent: &'static str, seq: u64) -> Result<JobOutcome> {
        let key = (agent, number(seq));
        let count = self.known.attempts.entry(key).or_insert(0);
        *count += 1;
        let count = *count;
        self.writes.attempts.insert(key, Some(count));
        Ok(JobOutcome::Attempts(u32::try_from(count).unwrap_or(u32::MAX)))
    }
}
