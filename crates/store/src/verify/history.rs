//! Checks the table `user_transactions` against the events. It should have everything up to the mark of the agent that fills it.

use countersign_domain::{EventId, EventType, Transaction, effects::HISTORY_AGENT};

use super::records::StoredRecords;
use crate::{check::Check, derive::column::is_stored_text, error::Result};

#[derive(Default)]
pub(super) struct HistoryCheck {
    /// The agent's mark.
    end: u64,
}

impl HistoryCheck {
    pub(super) fn until(end: u64) -> Self {
        Self { end }
    }

    pub(super) fn check(
        &self,
        records: &dyn StoredRecords,
        seq: u64,
        id: EventId,
        transaction: &Transaction,
        check: &mut Check,
    ) -> Result<()> {
        match records.history_user(seq)? {
            Some(user) if !is_stored_text(&user, transaction.user_id.as_str()) => {
                check.find(Some(seq), Some(id), "does not match its row in the table user_transactions");
            }
            Some(_) if seq >= self.end && !has_passed(records, seq)? => {
                check.find(
                    Some(seq),
                    Some(id),
                    "is in the table user_transactions, although the detector has not handled it yet",
                );
            }
            Some(_) => {}
            // It may have been erased since the event was read.
            None if seq < self.end && records.erased_by(seq)?.is_none() => {
                check.find(Some(seq), Some(id), "is missing from the table user_transactions");
            }
            None => {}
        }
        Ok(())
    }

    /// Like `check`, for an event whose body was erased.
    pub(super) fn check_erased(
        &self,
        records: &dyn StoredRecords,
        seq: u64,
        event_type: Option<EventType>,
        check: &mut Check,
    ) -> Result<()> {
        if event_type == Some(EventType::TransactionReceived) && records.history_user(seq)?.is_some() {
            check.find(Some(seq), None, "has no body, but its data is still in the table user_transactions");
        }
        Ok(())
    }
}

/// Whether the agent has passed this event by now.
fn has_passed(records: &dyn StoredRecords, seq: u64) -> Result<bool> {
    Ok(records.mark_of(HISTORY_AGENT)?.is_some_and(|low| u64::try_from(low).is_ok_and(|low| low > seq)))
}
