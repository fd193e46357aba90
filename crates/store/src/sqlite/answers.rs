//! The table `open_answers`: answers whose audit isn't finished.

use countersign_domain::{Event, NewEvent};
use rusqlite::{Connection, params};

use crate::{
    derive::answers::{AnswerChange, change_of, is_audited_by},
    error::Result,
};

/// Applies an event that was just appended. The log's own row is stored already; the events of `next` follow in the same commit.
pub(crate) fn apply_event(conn: &Connection, seq: u64, event: &Event, next: &[NewEvent]) -> Result<()> {
    match change_of(event) {
        Some(AnswerChange::Audited { log_id }) => {
            conn.prepare_cached("DELETE FROM open_answers WHERE log_id = ?1")?.execute([log_id.to_string()])?;
        }
        Some(AnswerChange::Open { log_id, .. }) if is_audited_by(next, log_id) => {}
        Some(AnswerChange::Open { log_id, state }) => {
            // A refused answer is audited before its failure is recorded. Events after the audit don't open it again.
            let sql = "INSERT INTO open_answers (log_id, seq, state) SELECT ?1, ?2, ?3
                       WHERE NOT EXISTS (SELECT 1 FROM log_entries WHERE id = ?1)
                       ON CONFLICT (log_id) DO UPDATE SET seq = excluded.seq, state = excluded.state";
            conn.prepare_cached(sql)?.execute(params![log_id.to_string(), seq, state.as_str()])?;
        }
        None => {}
    }
    Ok(())
}
