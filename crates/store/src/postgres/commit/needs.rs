//! The ids and positions that must be looked up before jobs can be applied. They follow from the jobs alone, so one round trip reads
//! everything.

use std::borrow::Cow;

use countersign_domain::{
    DeadLetterId, Event, NewEvent,
    investigation::{CaseRef, change_of},
    payload::KeyChanged,
};

use crate::{
    derive::{
        answers::{AnswerChange, change_of as answer_change_of},
        column::ColumnValue,
        event_row::{EventTable, row_of},
        ranks::ranked_by,
    },
    job::{Job, Progress, Step},
    postgres::values::number,
};

/// Ids and positions to look up. An id may be listed twice.
#[derive(Default)]
pub(super) struct Needs<'a> {
    pub(super) transactions: Vec<Cow<'a, str>>,
    pub(super) alerts: Vec<Cow<'a, str>>,
    /// Investigations that are to be opened.
    pub(super) investigations: Vec<Cow<'a, str>>,
    pub(super) logs: Vec<Cow<'a, str>>,
    pub(super) reports: Vec<Cow<'a, str>>,
    /// Investigations whose state may change.
    pub(super) cases: Vec<Cow<'a, str>>,
    /// Severities and scores of new alerts.
    pub(super) ranks: Vec<(&'static str, i64)>,
    pub(super) agents: Vec<&'static str>,
    /// Single events that agents finish or try.
    pub(super) attempts: Vec<(&'static str, i64)>,
    pub(super) letters: Vec<String>,
    /// Agents whose requested replays are to be released.
    pub(super) letters_of: Vec<&'static str>,
    pub(super) keys: Vec<&'a str>,
    /// Sizes of checkpoints that get a cosignature.
    pub(super) checkpoints: Vec<i64>,
    /// The token of the lease that this process must still hold; 0 if it needs none.
    pub(super) lease: i64,
    /// Events whose bodies are to be erased.
    pub(super) erased: &'a [u64],
}

impl<'a> Needs<'a> {
    pub(super) fn of(jobs: &'a [Job]) -> Self {
        let mut needs = Self::default();
        for job in jobs {
            needs.add(job);
        }
        needs
    }

    fn add(&mut self, job: &'a Job) {
        match job {
            Job::Ingest(events) => events.iter().for_each(|(event, _)| self.event(event)),
            Job::Append(events) => events.iter().for_each(|event| self.event(event)),
            Job::AppendIfCase { investigation, events, .. } => {
                self.cases.push(investigation.to_string().into());
                events.iter().for_each(|event| self.event(event));
            }
            Job::Step(step) => self.step(step),
            Job::MarkLow { agent, .. } => self.agents.push(agent),
            Job::CountAttempt { agent, seq } => self.attempts.push((agent, number(*seq))),
            Job::RequestReplay { id, .. } => self.letter(*id),
            Job::ReleaseReplays { agent } => self.letters_of.push(agent),
            Job::Erase { seqs, event } => {
                self.erased = seqs;
                self.event(event);
            }
            Job::Cosign { size, .. } => self.checkpoints.push(number(*size)),
            Job::Register(_) | Job::Checkpoint { .. } | Job::RecordCleanStop => {}
        }
    }

    fn step(&mut self, step: &'a Step) {
        match step.progress {
            Progress::Lane { seq, .. } => {
                self.agents.push(step.agent);
                self.attempts.push((step.agent, number(seq)));
            }
            Progress::Batch { .. } => self.agents.push(step.agent),
            Progress::Replay { id } => self.letter(id),
        }
        step.events.iter().for_each(|event| self.event(event));
    }

    fn letter(&mut self, id: DeadLetterId) {
        self.letters.push(id.to_string());
    }

    fn event(&mut self, event: &'a NewEvent) {
        if let Some(row) = row_of(event.event_id, &event.event, &event.metadata)
            && let ColumnValue::Text(id) = row.id
        {
            match row.table {
                EventTable::TransactionIds => self.transactions.push(id),
                EventTable::Alerts => self.alerts.push(id),
                EventTable::Investigations => self.investigations.push(id),
                EventTable::LogEntries => self.logs.push(id),
                EventTable::ReportEntries => self.reports.push(id),
                // The id of a verdict is its event's, and reviews have none.
                EventTable::ValidationEntries | EventTable::ReviewEntries => {}
            }
        }
        if let Some((case_ref, _)) = change_of(&event.event) {
            match case_ref {
                CaseRef::Investigation(id) => self.cases.push(id.to_string().into()),
                CaseRef::ReportOf(report) => self.reports.push(Cow::Owned(report.as_str().to_owned())),
            }
        }
        if let Some((severity, score)) = ranked_by(&event.event) {
            self.ranks.push((severity.as_str(), score.get().into()));
        }
        if let Some(AnswerChange::Open { log_id, .. }) = answer_change_of(&event.event) {
            self.logs.push(log_id.to_string().into());
        }
        match &event.event {
            Event::KeyChanged(KeyChanged { key_id, .. }) => self.keys.push(key_id.as_str()),
            Event::EventDeadLettered(letter) => self.letter(letter.dead_letter_id),
            _ => {}
        }
    }
}
