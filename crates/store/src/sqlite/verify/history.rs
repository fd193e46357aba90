//! Checks the table `user_transactions` against the events. It should have everything up to the mark of the agent that fills it.

use countersign_domain::{EventId, EventType, Transaction, effects::HISTORY_AGENT};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{check::Check, error::Result, sqlite::history::is_erased};

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
        conn: &Connection,
        seq: u64,
        id: EventId,
        transaction: &Transaction,
        check: &mut Check,
    ) -> Result<()> {
        match user_at(conn, seq)? {
            Some(user) if user != transaction.user_id.as_str() => {
                check.find(Some(seq), Some(id), "does not match its row in the table user_transactions");
            }
            Some(_) if seq >= self.end && !has_passed(conn, seq)? => {
                check.find(
                    Some(seq),
                    Some(id),
                    "is in the table user_transactions, although the detector has not handled it yet",
                );
            }
            Some(_) => {}
            // It may have been erased since the event was read.
            None if seq < self.end && !is_erased(conn, seq)? => {
                check.find(Some(seq), Some(id), "is missing from the table user_transactions");
            }
            None => {}
        }
        Ok(())
    }

    /// Like `check`, for an event whose body was erased.
    pub(super) fn check_erased(
        &self,
        conn: &Connection,
        seq: u64,
        event_type: Option<EventType>,
        check: &mut Check,
    ) -> Result<()> {
        if event_type == Some(EventType::TransactionReceived) && user_at(conn, seq)?.is_some() {
            check.find(Some(seq), None, "has no body, but its data is still in the table user_transactions");
        }
        Ok(())
    }
}

/// Whether the agent has passed this event by now.
fn has_passed(conn: &Connection, seq: u64) -> Result<bool> {
    let sql = "SELECT 1 FROM agent_progress WHERE agent = ?1 AND low > ?2";
    Ok(conn.prepare_cached(sql)?.exists(params![HISTORY_AGENT, seq])?)
}

fn user_at(conn: &Connection, seq: u64) -> Result<Option<String>> {
    let sql = "SELECT user_id FROM user_transactions WHERE seq = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?)
}
