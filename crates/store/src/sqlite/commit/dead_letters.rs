//! Dead letters and their replays. Every change of a letter's state is an event, so that the state can be checked.

use countersign_domain::{
    DeadLetterId, Header, NewEvent,
    payload::{DeadLetterChange, DeadLetterChanged, EventDeadLettered},
};
use rusqlite::params_from_iter;

use super::Committer;
use crate::{
    derive::dead_letters,
    error::{Result, StoreError},
    job::JobOutcome,
    sqlite::reads,
};

impl Committer {
    pub(super) fn store_dead_letter(&self, seq: u64, letter: &EventDeadLettered) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO dead_letters
                     (id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        self.conn.prepare_cached(sql)?.execute(params_from_iter(dead_letters::row(seq, letter)))?;
        Ok(())
    }

    pub(super) fn request_replay(&mut self, id: DeadLetterId, requested_by: &str) -> Result<JobOutcome> {
        let key = id.to_string();
        let changed = self
            .conn
            .prepare_cached("UPDATE dead_letters SET state = 'replaying' WHERE id = ?1 AND state = 'dead'")?
            .execute([&key])?;
        if changed == 1 {
            self.record_change(id, DeadLetterChange::ReplayRequested, Some(requested_by))?;
            return Ok(JobOutcome::Done);
        }
        let sql = "SELECT state FROM dead_letters WHERE id = ?1";
        let state: String = self.conn.prepare_cached(sql)?.query_row([&key], |r| r.get(0))?;
        Err(StoreError::Conflict(format!("this dead letter is {state} already")))
    }

    pub(super) fn release_replays(&mut self, agent: &str) -> Result<JobOutcome> {
        let released: Vec<String> = self
            .conn
            .prepare_cached(
                "UPDATE dead_letters SET state = 'dead' WHERE agent = ?1 AND state = 'replaying' RETURNING id",
            )?
            .query_map([agent], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for id in released {
            self.record_change(id.parse().map_err(reads::corrupt)?, DeadLetterChange::Released, None)?;
        }
        Ok(JobOutcome::Done)
    }

    /// Appends the event about a change that was just made.
    pub(super) fn record_change(
        &mut self,
        id: DeadLetterId,
        change: DeadLetterChange,
        requested_by: Option<&str>,
    ) -> Result<()> {
        let sql = "SELECT l.header FROM dead_letters d JOIN event_log l ON l.seq = d.seq WHERE d.id = ?1";
        let header: String = self.conn.prepare_cached(sql)?.query_row([id.to_string()], |row| row.get(0))?;
        let letter: Header<'_> = serde_json::from_str(&header)?;
        let now = self.seams.now();
        let changed = DeadLetterChanged {
            dead_letter_id: id,
            change,
            requested_by: requested_by.map(str::to_owned),
            changed_at: now,
        };
        let event = NewEvent::new(self.seams.event_id(), changed, now, "runtime", letter.correlation_id)?;
        self.append(&event.caused_by(letter.event_id), &[])?;
        Ok(())
    }
}
