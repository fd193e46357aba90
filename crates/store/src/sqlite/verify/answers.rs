//! Checks the table `open_answers` against the events.

use rusqlite::{Connection, OptionalExtension};

use super::position_exists;
use crate::{check::Check, derive::answers::ExpectedAnswers, error::Result, logs::OpenState};

/// Compares the table both ways, in one snapshot. Events from `size` on are left to the next verification.
pub(super) fn compare(mut answers: ExpectedAnswers, conn: &Connection, size: u64, check: &mut Check) -> Result<()> {
    let snapshot = conn.unchecked_transaction()?;
    let mut statement = snapshot.prepare("SELECT log_id, seq, state FROM open_answers")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let log_id: String = row.get(0)?;
        let seq = u64::try_from(row.get::<_, i64>(1)?).ok();
        let state = OpenState::parse(&row.get::<_, String>(2)?);
        let expected = answers.open.remove(&log_id);
        if let Some(seq) = seq.filter(|seq| *seq >= size)
            && position_exists(&snapshot, seq)?
        {
            continue;
        }
        let stored = seq.zip(state);
        let may_be_erased = stored.is_some_and(|(seq, state)| answers.may_be_erased(seq, state));
        match expected {
            Some((seq, _)) if may_be_erased && stored.is_some_and(|stored| stored.0 > seq) => {}
            None if may_be_erased => {}
            Some(_) if expected == stored => {}
            Some((seq, _)) => check.find(Some(seq), None, "does not match its row in the table open_answers"),
            None => check.find(seq, None, "the table open_answers has a row that no event explains"),
        }
    }
    for (log_id, (seq, _)) in &answers.open {
        if audited_at(&snapshot, log_id)?.is_none_or(|audited| audited < size) {
            check.find(Some(*seq), None, "is missing from the table open_answers");
        }
    }
    Ok(())
}

/// The position of an answer's audit.
pub(super) fn audited_at(conn: &Connection, log_id: &str) -> Result<Option<u64>> {
    let sql = "SELECT seq FROM log_entries WHERE id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([log_id], |row| row.get(0)).optional()?)
}

/// The id of the log whose event is at this position.
pub(super) fn log_id_at(conn: &Connection, seq: u64) -> Result<Option<String>> {
    let sql = "SELECT id FROM log_entries WHERE seq = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?)
}
