//! Transactions and their users' histories. The table `user_transactions` is filled behind the log, in the steps of one agent:
//! maintaining an index by user while transactions come in would cost more than all their other rows.

use countersign_domain::{Event, StoredEvent, TransactionId, UserId};
use rusqlite::{Connection, OptionalExtension, params, types::Value};

use super::{
    SqliteStore,
    event_tables::TRANSACTION_IDS,
    reads::{self, before, corrupt, page_limit},
};
use crate::{
    error::Result,
    investigations::{CustomerRecord, HistorySummary, TransactionQuery},
};

impl SqliteStore {
    pub(crate) async fn history(&self, user: &UserId, before_seq: u64, limit: usize) -> Result<Vec<StoredEvent>> {
        let user = user.clone();
        self.read(move |conn| history(conn, &user, Some(before_seq), limit)).await
    }

    pub(crate) async fn histories(&self, of: Vec<(UserId, u64)>, limit: usize) -> Result<Vec<Vec<StoredEvent>>> {
        let each = move |conn: &Connection| {
            of.iter().map(|(user, before_seq)| history(conn, user, Some(*before_seq), limit)).collect()
        };
        self.read(each).await
    }

    pub(crate) async fn transactions(&self, query: TransactionQuery) -> Result<Vec<StoredEvent>> {
        self.read(move |conn| match &query.user_id {
            Some(user) => history(conn, user, query.before, query.limit),
            None => {
                let values = [before(query.before), page_limit(query.limit)];
                reads::events_of(conn, ALL_SQL, values)
            }
        })
        .await
    }

    pub(crate) async fn transaction(&self, id: &TransactionId) -> Result<Option<StoredEvent>> {
        let id = id.clone();
        self.read(move |conn| transaction(conn, &id)).await
    }
}

pub(super) fn customer_record(
    conn: &Connection,
    user: &UserId,
    named: Option<&TransactionId>,
    before_seq: u64,
    limit: usize,
) -> Result<CustomerRecord> {
    let named = named.map_or(Ok(None), |id| transaction(conn, id))?;
    let transaction = named.filter(|stored| is_transaction_of(stored, user));
    let before_seq = transaction.as_ref().map_or(before_seq, |stored| stored.seq);
    let history = history(conn, user, Some(before_seq), limit)?;
    Ok(CustomerRecord { transaction, history, summary: summary(conn, user, before_seq)? })
}

fn transaction(conn: &Connection, id: &TransactionId) -> Result<Option<StoredEvent>> {
    let seq = conn.prepare_cached(TRANSACTION_IDS.find_seq)?.query_row([id.as_str()], |row| row.get(0));
    seq.optional()?.map_or(Ok(None), |seq| reads::event_at(conn, seq))
}

/// Whether this is a transaction of the user that can still be read.
fn is_transaction_of(stored: &StoredEvent, user: &UserId) -> bool {
    matches!(stored.event(), Ok(Event::TransactionReceived(transaction)) if transaction.user_id == *user)
}

const OF_USER_SQL: &str = "SELECT l.header, b.payload, b.metadata FROM user_transactions t
     CROSS JOIN event_log l ON l.seq = t.seq JOIN event_bodies b ON b.seq = t.seq
     WHERE t.user_id = ? AND t.seq < ? ORDER BY t.seq DESC LIMIT ?";

const ALL_SQL: &str =
    "SELECT l.header, b.payload, b.metadata FROM event_log l CROSS JOIN event_bodies b ON b.seq = l.seq
     WHERE l.event_type = 'TRANSACTION_RECEIVED' AND l.seq < ? ORDER BY l.seq DESC LIMIT ?";

const COUNT_SQL: &str = "SELECT count(*), min(seq) FROM user_transactions WHERE user_id = ?1 AND seq < ?2";

fn history(conn: &Connection, user: &UserId, before_seq: Option<u64>, limit: usize) -> Result<Vec<StoredEvent>> {
    let values = [Value::Text(user.as_str().to_owned()), before(before_seq), page_limit(limit)];
    reads::events_of(conn, OF_USER_SQL, values)
}

fn summary(conn: &Connection, user: &UserId, before_seq: u64) -> Result<HistorySummary> {
    let (count, first): (u64, Option<u64>) = conn
        .prepare_cached(COUNT_SQL)?
        .query_row(params![user.as_str(), before(Some(before_seq))], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some(first) = first else { return Ok(HistorySummary::default()) };
    let event = reads::event_at(conn, first)?.ok_or_else(|| corrupt(format!("event {first} is missing")))?;
    // Erased transactions are not in the table, so this is `None` only if the body is damaged, which `verify` finds.
    let first_occurred_at = match event.event() {
        Ok(Event::TransactionReceived(transaction)) => Some(transaction.occurred_at),
        _ => None,
    };
    Ok(HistorySummary { count, first_occurred_at })
}

/// Adds the transactions from `from` to before `to` to their users' histories, except those that are there already or were
/// erased.
pub(crate) fn index(conn: &Connection, from: u64, to: u64) -> Result<()> {
    conn.prepare_cached(INDEX_SQL)?.execute([from, to])?;
    Ok(())
}

const INDEX_SQL: &str = "INSERT INTO user_transactions (seq, user_id)
     SELECT l.seq, b.payload ->> '$.user_id' FROM event_log l CROSS JOIN event_bodies b ON b.seq = l.seq
     WHERE l.event_type = 'TRANSACTION_RECEIVED' AND l.seq >= ?1 AND l.seq < ?2";

/// Removes the row of an event whose erasure is recorded.
pub(crate) fn forget(conn: &Connection, seq: u64) -> Result<()> {
    conn.prepare_cached("DELETE FROM user_transactions WHERE seq = ?1")?.execute([seq])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::reads::tests::check_plan;

    #[test]
    fn a_history_is_read_through_its_index() {
        let values = || [Value::Text("u".into()), Value::Integer(9), Value::Integer(5)];
        check_plan(OF_USER_SQL, values(), &["user_transactions_by_user (user_id=? AND rowid<?)"]);
        check_plan(COUNT_SQL, values().into_iter().take(2), &["user_transactions_by_user (user_id=? AND rowid<?)"]);
        let values = || [Value::Integer(9), Value::Integer(5)];
        check_plan(ALL_SQL, values(), &["event_log_by_type (event_type=? AND seq<?)"]);
        check_plan(&INDEX_SQL[INDEX_SQL.find("SELECT").unwrap()..], values(), &["event_log_by_type (event_type=?"]);
    }
}
