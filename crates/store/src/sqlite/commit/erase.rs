//! Erasing bodies and what was derived from them.

use countersign_domain::{EventType, NewEvent};
use rusqlite::params;

use super::Committer;
use crate::{
    derive::event_row::EventTable,
    error::{Result, StoreError},
    job::JobOutcome,
    sqlite::{cases, erasures, event_tables::statements, history, reports},
};

impl Committer {
    pub(super) fn erase(&mut self, seqs: &[u64], event: &NewEvent) -> Result<JobOutcome> {
        if let Some(seq) = seqs.iter().find(|seq| **seq >= self.frontier.size()) {
            return Err(StoreError::Conflict(format!("there is no event {seq}")));
        }
        // Triggers refuse the other types of events that may not be erased.
        let sql = "SELECT 1 FROM event_log WHERE seq = ?1 AND event_type = ?2";
        for seq in seqs {
            if self.conn.prepare_cached(sql)?.exists(params![seq, EventType::DeadLetterChanged.as_str()])? {
                return Err(StoreError::Conflict("the record of a dead letter can't be erased".into()));
            }
        }
        let kept = erasures::record(&self.conn, seqs)?;
        let event_seq = self.append(&NewEvent { metadata: kept.metadata()?, ..event.clone() }, &[])?;
        for seq in seqs {
            self.conn
                .prepare_cached("INSERT INTO erasures (seq, event_seq) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
                .execute([seq, &event_seq])?;
            self.conn.prepare_cached("DELETE FROM event_bodies WHERE seq = ?1")?.execute([seq])?;
            for forget in EventTable::ALL.into_iter().filter_map(|table| statements(table).forget) {
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
}
