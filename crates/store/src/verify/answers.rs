//! Checks the table `open_answers` against the events.

use super::records::{StoredRecords, find_row};
use crate::{
    check::Check,
    derive::{answers::ExpectedAnswers, event_row::EventTable},
    error::{Result, StoreError},
    logs::OpenState,
};

/// Compares the table both ways, in one snapshot. Events from `size` on are left to the next verification.
pub(super) fn compare(
    mut answers: ExpectedAnswers,
    records: &dyn StoredRecords,
    size: u64,
    check: &mut Check,
) -> Result<()> {
    records.in_snapshot(&mut || {
        records.open_answers(&mut |log_id, seq, state| {
            let seq = u64::try_from(seq).ok();
            let expected = answers.open.remove(log_id);
            if let Some(seq) = seq.filter(|seq| *seq >= size)
                && records.position_exists(seq)?
            {
                return Ok(());
            }
            let stored = seq.zip(OpenState::parse(state));
            let may_be_erased = stored.is_some_and(|(seq, state)| answers.may_be_erased(seq, state));
            match expected {
                Some((seq, _)) if may_be_erased && stored.is_some_and(|stored| stored.0 > seq) => {}
                None if may_be_erased => {}
                Some(_) if expected == stored => {}
                Some((seq, _)) => check.find(Some(seq), None, "does not match its row in the table open_answers"),
                None => check.find(seq, None, "the table open_answers has a row that no event explains"),
            }
            Ok(())
        })?;
        for (log_id, (seq, _)) in &answers.open {
            if audited_at(records, log_id)?.is_none_or(|audited| audited < size) {
                check.find(Some(*seq), None, "is missing from the table open_answers");
            }
        }
        Ok(())
    })
}

/// The position of an answer's audit.
pub(super) fn audited_at(records: &dyn StoredRecords, log_id: &str) -> Result<Option<u64>> {
    let seq = records.position_in(EventTable::LogEntries, log_id)?;
    let position = |seq| u64::try_from(seq).map_err(|_| StoreError::Corrupt(format!("a log has the position {seq}")));
    seq.map(position).transpose()
}

/// The id of the log whose event is at this position.
pub(super) fn log_id_at(records: &dyn StoredRecords, seq: u64) -> Result<Option<String>> {
    let id = find_row(records, EventTable::LogEntries, seq, |values| values.first()?.as_text().map(str::to_owned))?;
    Ok(id.flatten())
}
