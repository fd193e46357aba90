//! Answers without a finished audit: the table `open_answers`, derived from events as they are appended, and the same
//! derivation again to check it.

use std::collections::BTreeMap;

use countersign_domain::{Event, EventType, LogId, NewEvent};
use rusqlite::{Connection, OptionalExtension, params};

use super::verify::position_exists;
use crate::{check::Check, error::Result, logs::OpenState};

/// How far to look for the audit of an answer in its own commit.
const LOOK_AHEAD: usize = 8;

/// Follows an event that was just appended. The log's own row is there already; `next` follows in the same commit.
pub(crate) fn follow(conn: &Connection, seq: u64, event: &Event, next: &[NewEvent]) -> Result<()> {
    if let Event::AuditLogCreated(log) = event {
        conn.prepare_cached("DELETE FROM open_answers WHERE log_id = ?1")?.execute([log.log_id.to_string()])?;
    } else if let Some((log_id, state)) = opened_by(event) {
        // The usual way of an answer is not to be open for a moment, and its row would only come and go.
        let is_audit = |next: &NewEvent| matches!(&next.event, Event::AuditLogCreated(log) if log.log_id == log_id);
        if next.iter().take(LOOK_AHEAD).any(is_audit) {
            return Ok(());
        }
        // A refused answer has its audit first; what follows does not open it again.
        conn.prepare_cached(
            "INSERT INTO open_answers (log_id, seq, state) SELECT ?1, ?2, ?3
             WHERE NOT EXISTS (SELECT 1 FROM log_entries WHERE id = ?1)
             ON CONFLICT (log_id) DO UPDATE SET seq = excluded.seq, state = excluded.state",
        )?
        .execute(params![log_id.to_string(), seq, state.as_str()])?;
    }
    Ok(())
}

fn opened_by(event: &Event) -> Option<(LogId, OpenState)> {
    match event {
        Event::AnswerRequested(answer) => Some((answer.log_id, OpenState::Requested)),
        Event::AnswerRecorded(answer) => Some((answer.log_id, OpenState::Recorded)),
        Event::AnswerFailed(answer) => Some((answer.log_id, OpenState::Failed)),
        _ => None,
    }
}

fn state_of(event_type: EventType) -> Option<OpenState> {
    match event_type {
        EventType::AnswerRequested => Some(OpenState::Requested),
        EventType::AnswerRecorded => Some(OpenState::Recorded),
        EventType::AnswerFailed => Some(OpenState::Failed),
        _ => None,
    }
}

/// What the table should hold. In memory there is no more than is open at one time.
#[derive(Default)]
pub(crate) struct OpenAnswers {
    open: BTreeMap<String, (u64, OpenState)>,
    /// Events whose answer nobody can name any more.
    forgotten: BTreeMap<u64, OpenState>,
}

impl OpenAnswers {
    pub(crate) fn expect(&mut self, conn: &Connection, seq: u64, event: &Event) -> Result<()> {
        if let Event::AuditLogCreated(log) = event {
            self.open.remove(&log.log_id.to_string());
        } else if let Some((log_id, state)) = opened_by(event)
            && audited_at(conn, &log_id.to_string())?.is_none_or(|audited| audited > seq)
        {
            self.open.insert(log_id.to_string(), (seq, state));
        }
        Ok(())
    }

    /// `expect` for an event whose body was erased.
    pub(crate) fn expect_forgotten(
        &mut self,
        conn: &Connection,
        seq: u64,
        event_type: Option<EventType>,
    ) -> Result<()> {
        if let Some(state) = event_type.and_then(state_of) {
            self.forgotten.insert(seq, state);
        } else if event_type == Some(EventType::AuditLogCreated) {
            let sql = "SELECT id FROM log_entries WHERE seq = ?1";
            let id: Option<String> = conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?;
            id.and_then(|id| self.open.remove(&id));
        }
        Ok(())
    }

    /// These have been audited: the erasure of their logs says so.
    pub(crate) fn close(&mut self, log_ids: &[String]) {
        for id in log_ids {
            self.open.remove(id);
        }
    }

    /// Compares the table both ways, in one snapshot. Events from `size` on are the next verification's.
    pub(crate) fn compare(mut self, conn: &Connection, size: u64, check: &mut Check) -> Result<()> {
        let snapshot = conn.unchecked_transaction()?;
        let mut statement = snapshot.prepare("SELECT log_id, seq, state FROM open_answers")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let log_id: String = row.get(0)?;
            let seq = u64::try_from(row.get::<_, i64>(1)?).ok();
            let state = OpenState::parse(&row.get::<_, String>(2)?);
            let expected = self.open.remove(&log_id);
            if let Some(seq) = seq.filter(|seq| *seq >= size)
                && position_exists(&snapshot, seq)?
            {
                continue;
            }
            let stored = seq.zip(state);
            let is_forgotten = stored.is_some_and(|(seq, state)| self.forgotten.get(&seq) == Some(&state));
            match expected {
                Some((seq, _)) if is_forgotten && stored.is_some_and(|stored| stored.0 > seq) => {}
                None if is_forgotten => {}
                Some(_) if expected == stored => {}
                Some((seq, _)) => check.find(Some(seq), None, "reads differently in the table open_answers"),
                None => check.find(seq, None, "the table open_answers has a row that no event made"),
            }
        }
        for (log_id, (seq, _)) in &self.open {
            if audited_at(&snapshot, log_id)?.is_none_or(|audited| audited < size) {
                check.find(Some(*seq), None, "is missing from the table open_answers");
            }
        }
        Ok(())
    }
}

/// Where the audit of an answer stands in the log.
fn audited_at(conn: &Connection, log_id: &str) -> Result<Option<u64>> {
    let sql = "SELECT seq FROM log_entries WHERE id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([log_id], |row| row.get(0)).optional()?)
}
