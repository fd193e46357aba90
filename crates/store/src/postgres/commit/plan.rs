//! Applies jobs to what is known of the database, and gathers what has to be written. Pure: no statement is sent here.
//!
//! A job is applied as a whole or not at all.

use std::borrow::Cow;

use countersign_domain::{
    DeadLetterId, DeadLetterState, Event, NewEvent,
    investigation::{CaseRef, change_of},
    payload::{DeadLetterChange, DeadLetterChanged, EventDeadLettered, KeyChange, KeyChanged},
};
use countersign_ledger::{leaf_hash, with_cosignature};

use super::{
    known::{Known, KnownLetter},
    writes::{LetterWrite, OwnedValue, RowColumns, Statement, Writes},
};
use crate::{
    derive::{
        access_keys,
        answers::{AnswerChange, change_of as answer_change_of, is_audited_by},
        cases::{ReportStateChange, advance, report_changes},
        column::ColumnValue,
        dead_letters,
        event_row::{self, EventTable},
        ranks::ranked_by,
        reports::{check_content, check_contents, content_of},
    },
    error::{Result, StoreError},
    job::{Ingested, Job, JobOutcome, NewReport},
    leaf::{BodyCommitment, header_text},
    operations::RegistryEntry,
    postgres::{
        event_tables::table_of,
        values::{corrupt, number, storable, text_of},
    },
    seams::Seams,
};

/// A commit that is being planned.
pub(super) struct Plan<'a> {
    pub(super) known: Known,
    pub(super) writes: Writes<'a>,
    pub(super) seams: &'a Seams,
    /// The token of this process's lease.
    pub(super) lease: i64,
    /// Transactions and their users, read in advance, for the steps that index histories.
    pub(super) history: &'a [(u64, String)],
    /// Why the rows of verdicts can't be stored, if an earlier attempt has shown that.
    pub(super) verdicts_refused: Option<&'a str>,
}

impl<'a> Plan<'a> {
    /// Applies jobs in order. Jobs hardly ever fail, so only if one did, everything is applied again, this time with a copy to
    /// go back to before each job.
    pub(super) fn apply_all(&mut self, jobs: &'a [Job]) -> Vec<Result<JobOutcome>> {
        let (known, writes) = (self.known.clone(), self.writes.clone());
        let applied: Result<Vec<_>> = jobs.iter().map(|job| self.apply(job)).collect();
        if let Ok(outcomes) = applied {
            let outcomes: Vec<_> = outcomes.into_iter().map(Ok).collect();
            self.add_step_counts(jobs, &outcomes);
            return outcomes;
        }
        (self.known, self.writes) = (known, writes);
        let outcomes: Vec<_> = jobs.iter().map(|job| self.apply_or_undo(job)).collect();
        self.add_step_counts(jobs, &outcomes);
        outcomes
    }

    fn apply_or_undo(&mut self, job: &'a Job) -> Result<JobOutcome> {
        let (known, writes) = (self.known.clone(), self.writes.clone());
        let outcome = self.apply(job);
        if outcome.is_err() {
            (self.known, self.writes) = (known, writes);
        }
        outcome
    }

    fn apply(&mut self, job: &'a Job) -> Result<JobOutcome> {
        match job {
            Job::Ingest(events) => {
                let ingested = events.iter().map(|(event, body)| self.ingest(event, body));
                ingested.collect::<Result<_>>().map(JobOutcome::Ingested)
            }
            Job::Append(events) => self.append_all(events, &[]),
            Job::AppendIfCase { investigation, seen_seq, events } => {
                let case = self.known.cases.get(investigation).ok_or(StoreError::NotFound)?;
                if case.seq != *seen_seq {
                    return Ok(JobOutcome::CaseMovedOn);
                }
                self.append_all(events, &[])
            }
            Job::Step(step) => self.step(step).map(JobOutcome::Step),
            Job::MarkLow { agent, low } => {
                self.mark_low(agent, *low);
                Ok(JobOutcome::Done)
            }
            Job::CountAttempt { agent, seq } => self.count_attempt(agent, *seq),
            Job::Register(entry) => {
                self.writes.statements.push(register(entry));
                Ok(JobOutcome::Done)
            }
            Job::RequestReplay { id, requested_by } => self.request_replay(*id, requested_by),
            Job::ReleaseReplays { agent } => self.release_replays(agent),
            Job::Checkpoint { size, note, replaces } => {
                self.store_checkpoint(*size, note, *replaces);
                Ok(JobOutcome::Done)
            }
            Job::Cosign { size, cosignature } => {
                let size = number(*size);
                if let Some(note) = self.known.notes.get_mut(&size) {
                    *note = with_cosignature(note, cosignature)?;
                    let note = OwnedValue::text(note);
                    let sql = "UPDATE countersign.checkpoints SET note = $2 WHERE size = $1";
                    self.statement(sql, vec![OwnedValue::Integer(size), note]);
                }
                Ok(JobOutcome::Done)
            }
            // An erasure reads what it keeps in the same transaction: see `erase.rs`.
            Job::Erase { .. } => Err(StoreError::Database("an erasure was planned together with other jobs".into())),
            Job::RecordCleanStop => {
                self.statement(CLEAN_STOP_SQL, vec![OwnedValue::Integer(self.lease)]);
                Ok(JobOutcome::Done)
            }
        }
    }

    pub(super) fn statement(&mut self, sql: &'static str, values: Vec<OwnedValue>) {
        self.writes.statements.push(Statement { sql, values });
    }

    fn store_checkpoint(&mut self, size: u64, note: &str, replaces: Option<u64>) {
        if let Some(replaced) = replaces {
            let sql = "DELETE FROM countersign.checkpoints WHERE size = $1";
            self.statement(sql, vec![OwnedValue::Integer(number(replaced))]);
        }
        let sql = "INSERT INTO countersign.checkpoints (size, note) VALUES ($1, $2)
                   ON CONFLICT (size) DO UPDATE SET note = excluded.note";
        self.statement(sql, vec![OwnedValue::Integer(number(size)), OwnedValue::text(note)]);
        self.known.notes.insert(number(size), note.to_owned());
    }

    /// Stores an event from outside exactly once, as the unique id of its row ensures.
    fn ingest(&mut self, event: &'a NewEvent, body: &BodyCommitment) -> Result<Ingested> {
        if !matches!(event.event, Event::TransactionReceived(_) | Event::FraudAlertCreated(_)) {
            return Err(StoreError::Conflict(
                "events of this type can't be ingested; only transactions and alerts can".into(),
            ));
        }
        let row = event_row::row_of(event.event_id, &event.event, &event.metadata).ok_or(StoreError::NotFound)?;
        let key = (row.table, id_of(&row.id));
        if let Some(seq) = self.known.rows.get(&key).copied() {
            // An erased event has no body to compare with, so any payload counts as the same.
            let same = match self.known.payloads.get(&seq) {
                Some(stored) => stored.as_ref().is_none_or(|stored| *stored == event.payload),
                None => self.planned_payload(seq) == Some(&event.payload),
            };
            return Ok(if same { Ingested::Duplicate { seq } } else { Ingested::Conflict { seq } });
        }
        let seq = self.append_with(Cow::Borrowed(event), body, &[])?;
        Ok(Ingested::Accepted { seq })
    }

    /// The payload of an event that this commit adds.
    fn planned_payload(&self, seq: u64) -> Option<&str> {
        let events = &self.writes.events;
        let first = events.seqs.first()?;
        let at = usize::try_from(number(seq).checked_sub(*first)?).ok()?;
        events.payloads.get(at).map(AsRef::as_ref)
    }

    pub(super) fn append_all(&mut self, events: &'a [NewEvent], contents: &'a [NewReport]) -> Result<JobOutcome> {
        let first_seq = self.known.frontier.size();
        check_contents(events, contents)?;
        for (n, event) in (1..).zip(events) {
            let seq = self.append(Cow::Borrowed(event), events.get(n..).unwrap_or_default())?;
            if let Event::ReportGenerated(report) = &event.event {
                let content = content_of(report, contents)?;
                check_content(content)?;
                self.writes.report_seqs.push(number(seq));
                self.writes.report_contents.push(Cow::Borrowed(content));
            }
        }
        Ok(JobOutcome::Appended { first_seq })
    }

    /// Appends an event with the rows that are derived from it. The events of `next` follow in the same commit.
    pub(super) fn append(&mut self, mut event: Cow<'a, NewEvent>, next: &[NewEvent]) -> Result<u64> {
        if let Some(why) = self.verdicts_refused
            && matches!(event.event, Event::ReportApproved(_) | Event::ReportNeedsReview(_))
        {
            let metadata = event_row::with_reason_not_stored(&event.metadata, why)?;
            event.to_mut().metadata = metadata;
        }
        let body = BodyCommitment::new(&event, self.seams);
        self.append_with(event, &body, next)
    }

    fn append_with(&mut self, event: Cow<'a, NewEvent>, body: &BodyCommitment, next: &[NewEvent]) -> Result<u64> {
        let seq = self.known.frontier.size();
        if let Some(row) = event_row::row_of(event.event_id, &event.event, &event.metadata) {
            let is_unique = !matches!(row.table, EventTable::ReviewEntries | EventTable::ValidationEntries);
            let key = (row.table, id_of(&row.id));
            if is_unique && self.known.rows.insert(key, seq).is_some() {
                return Err(StoreError::Conflict(format!("this id already exists in the table {}", row.table.name())));
            }
            let values = row.values().map(|value| value.clone().into_owned()).collect();
            let table = table_of(row.table)?;
            let rows = self.writes.rows.entry(table.name);
            let rows = rows.or_insert_with(|| RowColumns { table, seqs: Vec::new(), values: Vec::new() });
            rows.seqs.push(number(seq));
            rows.values.push(values);
        }
        self.add_leaf(&event, body, seq)?;
        match &event.event {
            Event::EventDeadLettered(letter) => self.add_letter(seq, &event, letter),
            Event::KeyChanged(change) => self.change_key(seq, change)?,
            changed => {
                self.apply_to_answer(seq, changed, next);
                self.apply_to_case(seq, changed)?;
                self.add_rank(seq, changed);
            }
        }
        let events = &mut self.writes.events;
        match event {
            Cow::Borrowed(event) => {
                events.payloads.push(Cow::Borrowed(&event.payload));
                events.metadata.push(Cow::Borrowed(&event.metadata));
            }
            Cow::Owned(event) => {
                events.payloads.push(Cow::Owned(event.payload));
                events.metadata.push(Cow::Owned(event.metadata));
            }
        }
        Ok(seq)
    }

    fn add_leaf(&mut self, event: &NewEvent, body: &BodyCommitment, seq: u64) -> Result<()> {
        // The clock may step back, and differs between machines; recorded times must not go back.
        self.known.last_recorded = self.known.last_recorded.max(self.seams.now());
        let header = header_text(event, body, seq, self.known.last_recorded)?;
        let leaf = leaf_hash(header.as_bytes());
        let (events, nodes) = (&mut self.writes.events, &mut self.writes.nodes);
        self.known.frontier.push(leaf, |node, hash| {
            nodes.levels.push(node.level.into());
            nodes.indexes.push(number(node.index));
            nodes.hashes.push(hash.as_bytes().to_vec());
        });
        events.types.push(event.event.event_type());
        events.seqs.push(number(seq));
        events.ids.push(event.event_id.to_string());
        events.headers.push(header);
        events.leaves.push(leaf.as_bytes().to_vec());
        events.salts.push(body.salt.to_vec());
        Ok(())
    }

    fn add_rank(&mut self, seq: u64, event: &Event) {
        if let Some((severity, score)) = ranked_by(event) {
            let (severity, score) = (severity.as_str(), i64::from(score.get()));
            let last = self.known.ranks.entry((severity, score)).or_insert(0);
            *last += 1;
            self.writes.ranks.push((number(seq), severity, score, *last));
        }
    }

    fn apply_to_answer(&mut self, seq: u64, event: &Event, next: &[NewEvent]) {
        match answer_change_of(event) {
            Some(AnswerChange::Audited { log_id }) => drop(self.writes.answers.insert(log_id.to_string(), None)),
            Some(AnswerChange::Open { log_id, .. }) if is_audited_by(next, log_id) => {}
            // A refused answer is audited before its failure is recorded. Events after the audit don't open it again.
            Some(AnswerChange::Open { log_id, state }) => {
                let id = log_id.to_string();
                if !self.known.rows.contains_key(&(EventTable::LogEntries, id.clone())) {
                    self.writes.answers.insert(id, Some((number(seq), state)));
                }
            }
            None => {}
        }
    }

    fn apply_to_case(&mut self, seq: u64, event: &Event) -> Result<()> {
        let Some((case_ref, change)) = change_of(event) else { return Ok(()) };
        if let Event::ReportGenerated(report) = event {
            self.known.report_cases.insert(report.report_id.as_str().to_owned(), report.investigation_id);
        }
        let id = match case_ref {
            CaseRef::Investigation(id) => Some(id),
            CaseRef::ReportOf(report) => self.known.report_cases.get(report.as_str()).copied(),
        };
        let Some(id) = id else { return Ok(()) };
        let before = self.known.cases.get(&id).cloned();
        let Some(after) = advance(before.clone(), id, seq, &change)? else { return Ok(()) };
        let reports_before = before.as_ref().map_or(&[][..], |before| &before.case.reports);
        for change in report_changes(reports_before, &after.case.reports) {
            let states = &mut self.writes.report_states;
            match change {
                ReportStateChange::Begins { state } => {
                    let Event::ReportGenerated(report) = event else { continue };
                    let made = states.entry(report.report_id.as_str().to_owned()).or_default();
                    (made.made_at, made.state) = (Some(number(seq)), Some(state));
                }
                ReportStateChange::Moves { report_id, state } => {
                    states.entry(report_id.as_str().to_owned()).or_default().state = Some(state);
                }
                ReportStateChange::Ends { report_id } => {
                    states.entry(report_id.as_str().to_owned()).or_default().state = None;
                }
            }
        }
        let is_new = before.is_none();
        let write = self.writes.cases.entry(id).or_insert_with(|| (is_new, after.clone()));
        write.1 = after.clone();
        self.known.cases.insert(id, after);
        Ok(())
    }

    fn add_letter(&mut self, seq: u64, event: &NewEvent, letter: &EventDeadLettered) {
        let id = letter.dead_letter_id.to_string();
        let row = dead_letters::row(seq, letter).map(ColumnValue::into_owned);
        self.writes.letters.insert(id.clone(), LetterWrite::Row(Box::new(row)));
        let known = KnownLetter {
            agent: letter.agent.clone(),
            state: DeadLetterState::Dead,
            event_id: event.event_id,
            correlation_id: event.correlation_id,
        };
        self.known.letters.insert(id, known);
    }

    fn set_letter_state(&mut self, id: &str, state: DeadLetterState) {
        if let Some(letter) = self.known.letters.get_mut(id) {
            letter.state = state;
        }
        let state = state.as_str();
        match self.writes.letters.get_mut(id) {
            Some(LetterWrite::Row(row)) => {
                let [.., stored] = row.as_mut();
                *stored = ColumnValue::text(state);
            }
            _ => drop(self.writes.letters.insert(id.to_owned(), LetterWrite::State(state))),
        }
    }

    /// Changes the state of a letter, and appends the event that records it.
    pub(super) fn change_letter(
        &mut self,
        id: DeadLetterId,
        change: DeadLetterChange,
        requested_by: Option<&str>,
    ) -> Result<()> {
        let key = id.to_string();
        self.set_letter_state(&key, DeadLetterState::after(change));
        let letter = self.known.letters.get(&key).ok_or(StoreError::NotFound)?;
        let now = self.seams.now();
        let changed = DeadLetterChanged {
            dead_letter_id: id,
            change,
            requested_by: requested_by.map(str::to_owned),
            changed_at: now,
        };
        let event = NewEvent::new(self.seams.event_id(), changed, now, "runtime", letter.correlation_id)?;
        let event = event.caused_by(letter.event_id);
        self.append(Cow::Owned(event), &[]).map(drop)
    }

    /// Takes a letter whose replay was requested. Returns whether there is such a letter of this agent.
    pub(super) fn claim_replay(&mut self, id: DeadLetterId, agent: &str) -> bool {
        let key = id.to_string();
        let is_requested = |letter: &KnownLetter| letter.agent == agent && letter.state == DeadLetterState::Replaying;
        let is_claimed = self.known.letters.get(&key).is_some_and(is_requested);
        if is_claimed {
            self.set_letter_state(&key, DeadLetterState::Replayed);
        }
        is_claimed
    }

    fn request_replay(&mut self, id: DeadLetterId, requested_by: &str) -> Result<JobOutcome> {
        let letter = self.known.letters.get(&id.to_string()).ok_or(StoreError::NotFound)?;
        if letter.state != DeadLetterState::Dead {
            return Err(StoreError::Conflict(format!("this dead letter is {} already", letter.state)));
        }
        self.change_letter(id, DeadLetterChange::ReplayRequested, Some(requested_by))?;
        Ok(JobOutcome::Done)
    }

    fn release_replays(&mut self, agent: &str) -> Result<JobOutcome> {
        let is_requested = |letter: &KnownLetter| letter.agent == agent && letter.state == DeadLetterState::Replaying;
        let letters = self.known.letters.iter().filter(|(_, letter)| is_requested(letter));
        let mut ids: Vec<DeadLetterId> = letters.map(|(id, _)| id.parse().map_err(corrupt)).collect::<Result<_>>()?;
        ids.sort_unstable();
        for id in ids {
            self.change_letter(id, DeadLetterChange::Released, None)?;
        }
        Ok(JobOutcome::Done)
    }

    fn change_key(&mut self, seq: u64, change: &KeyChanged) -> Result<()> {
        let id = change.key_id.as_str();
        match (change.change, self.known.keys.get(id)) {
            (KeyChange::Created, None) => {
                let sql = "INSERT INTO countersign.access_keys
                             (id, seq, name, role, secret_sha256, created_at, expires_at, revoked_at)
                           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
                self.statement(sql, access_keys::created(seq, change).iter().map(Into::into).collect());
                self.known.keys.insert(id.to_owned(), false);
                Ok(())
            }
            (KeyChange::Created, Some(_)) => Err(StoreError::Conflict("this access key exists already".into())),
            (KeyChange::Revoked, Some(false)) => {
                let sql = "UPDATE countersign.access_keys SET revoked_at = $2, seq = $3 WHERE id = $1";
                let at = OwnedValue::text(change.changed_at.to_string());
                self.statement(sql, vec![OwnedValue::text(id), at, OwnedValue::Integer(number(seq))]);
                self.known.keys.insert(id.to_owned(), true);
                Ok(())
            }
            (KeyChange::Revoked, _) => Err(StoreError::NotFound),
        }
    }
}

/// A command that stops in order says nothing about the server that is running.
const CLEAN_STOP_SQL: &str = "UPDATE countersign.process_state SET clean_stop = 1 WHERE NOT EXISTS (
       SELECT 1 FROM countersign.leases
       WHERE name = 'server' AND token <> $1 AND renewed_at > now() - interval '5 seconds')";

fn id_of(value: &ColumnValue<'_>) -> String {
    text_of(value).unwrap_or_default().into_owned()
}

/// Steps may have counted more than the agent's own counters show yet.
const REGISTER_SQL: &str = "INSERT INTO countersign.agent_registry AS r (name, state, priority, paused, started_at,
       heartbeat_at, processed, failed, dead_lettered, lag, last_error)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (name) DO UPDATE SET state = excluded.state, priority = excluded.priority, paused = excluded.paused,
       started_at = excluded.started_at, heartbeat_at = excluded.heartbeat_at,
       processed = greatest(r.processed, excluded.processed), failed = greatest(r.failed, excluded.failed),
       dead_lettered = greatest(r.dead_lettered, excluded.dead_lettered), lag = excluded.lag,
       last_error = excluded.last_error";

fn register(entry: &RegistryEntry) -> Statement {
    let count = |count: u64| OwnedValue::Integer(number(count));
    let values = vec![
        OwnedValue::text(&entry.name),
        OwnedValue::text(entry.state.as_str()),
        OwnedValue::Integer(entry.priority),
        OwnedValue::Integer(entry.paused.into()),
        OwnedValue::text(entry.started_at.to_string()),
        OwnedValue::text(entry.heartbeat_at.to_string()),
        count(entry.processed),
        count(entry.failed),
        count(entry.dead_lettered),
        count(entry.lag),
        OwnedValue::TextOrNull(entry.last_error.as_deref().map(|error| storable(error).into_owned())),
    ];
    Statement { sql: REGISTER_SQL, values }
}
