//! Transactions and their users' histories. The table `user_transactions` is filled behind the log, in the steps of one agent.

use countersign_domain::{Event, StoredEvent, TransactionId, UserId};

use super::{
    PostgresStore, reads,
    session::Session,
    values::{Columns, before, corrupt, number, page_limit, values},
};
use crate::{
    error::Result,
    investigations::{CustomerRecord, HistorySummary, TransactionQuery},
};

impl PostgresStore {
    pub(crate) async fn history(&self, user: &UserId, before_seq: u64, limit: usize) -> Result<Vec<StoredEvent>> {
        let user = user.clone();
        self.read(move |session| async move { history(&session, &user, Some(before_seq), limit).await }).await
    }

    pub(crate) async fn histories(&self, of: Vec<(UserId, u64)>, limit: usize) -> Result<Vec<Vec<StoredEvent>>> {
        self.read(move |session| async move { histories(&session, &of, limit).await }).await
    }

    pub(crate) async fn transactions(&self, query: TransactionQuery) -> Result<Vec<StoredEvent>> {
        self.read(move |session| async move {
            match &query.user_id {
                Some(user) => history(&session, user, query.before, query.limit).await,
                None => {
                    let (until, limit) = (before(query.before), page_limit(query.limit));
                    reads::events_of(&session, ALL_SQL, values![until, limit]).await
                }
            }
        })
        .await
    }

    pub(crate) async fn transaction(&self, id: &TransactionId) -> Result<Option<StoredEvent>> {
        let id = id.clone();
        self.read(move |session| async move { transaction(&session, &id).await }).await
    }
}

/// Everything that this reads must be as of one moment, so it is called in a snapshot.
pub(super) async fn customer_record(
    session: &Session,
    user: &UserId,
    named: Option<&TransactionId>,
    before_seq: u64,
    limit: usize,
) -> Result<CustomerRecord> {
    let named = match named {
        Some(id) => transaction(session, id).await?,
        None => None,
    };
    let transaction = named.filter(|stored| is_transaction_of(stored, user));
    let before_seq = transaction.as_ref().map_or(before_seq, |stored| stored.seq);
    let (history, summary) =
        tokio::try_join!(history(session, user, Some(before_seq), limit), summary(session, user, before_seq))?;
    Ok(CustomerRecord { transaction, history, summary })
}

async fn transaction(session: &Session, id: &TransactionId) -> Result<Option<StoredEvent>> {
    let sql = "SELECT l.header, b.payload, b.metadata FROM countersign.transaction_ids t
               JOIN countersign.event_log l ON l.seq = t.seq
               LEFT JOIN countersign.event_bodies b ON b.seq = t.seq WHERE t.transaction_id = $1";
    session.row_if_any(sql, values![id.as_str()]).await?.as_ref().map(reads::read_event).transpose()
}

/// Whether this is a transaction of the user that can still be read.
fn is_transaction_of(stored: &StoredEvent, user: &UserId) -> bool {
    matches!(stored.event(), Ok(Event::TransactionReceived(transaction)) if transaction.user_id == *user)
}

const OF_USERS_SQL: &str = "SELECT h.header, h.payload, h.metadata, u.place
     FROM unnest($1, $2) WITH ORDINALITY AS u(user_id, until, place)
     CROSS JOIN LATERAL (
       SELECT t.seq, l.header, b.payload, b.metadata FROM countersign.user_transactions t
       CROSS JOIN LATERAL (SELECT header FROM countersign.event_log WHERE seq = t.seq LIMIT 1) l
       CROSS JOIN LATERAL (SELECT payload, metadata FROM countersign.event_bodies WHERE seq = t.seq LIMIT 1) b
       WHERE (t.user_id, t.seq) < (u.user_id, u.until) AND t.user_id >= u.user_id
       ORDER BY t.user_id DESC, t.seq DESC LIMIT $3) h
     ORDER BY u.place, h.seq DESC";

const ALL_SQL: &str = "SELECT l.header, b.payload, b.metadata FROM countersign.event_log l
     CROSS JOIN LATERAL (SELECT payload, metadata FROM countersign.event_bodies WHERE seq = l.seq LIMIT 1) b
     WHERE (l.event_type, l.seq) < ('TRANSACTION_RECEIVED', $1) AND l.event_type >= 'TRANSACTION_RECEIVED' AND l.seq < $1
     ORDER BY l.event_type DESC, l.seq DESC LIMIT $2";

async fn history(session: &Session, user: &UserId, before_seq: Option<u64>, limit: usize) -> Result<Vec<StoredEvent>> {
    let (users, until) = (vec![user.as_str()], vec![before(before_seq)]);
    reads::events_of(session, OF_USERS_SQL, values![users, until, page_limit(limit)]).await
}

async fn histories(session: &Session, of: &[(UserId, u64)], limit: usize) -> Result<Vec<Vec<StoredEvent>>> {
    let (users, until): (Vec<_>, Vec<_>) = of.iter().map(|(user, seq)| (user.as_str(), number(*seq))).unzip();
    let mut histories = vec![Vec::new(); of.len()];
    for row in session.rows(OF_USERS_SQL, values![users, until, page_limit(limit)]).await? {
        let place = usize::try_from(row.number(3)?).map_err(corrupt)?;
        if let Some(history) = place.checked_sub(1).and_then(|index| histories.get_mut(index)) {
            history.push(reads::read_event(&row)?);
        }
    }
    Ok(histories)
}

async fn summary(session: &Session, user: &UserId, before_seq: u64) -> Result<HistorySummary> {
    let sql = "SELECT l.header, b.payload, b.metadata, s.count, s.first
               FROM (SELECT count(*) AS count, min(seq) AS first FROM countersign.user_transactions
                     WHERE user_id = $1 AND seq < $2) s
               LEFT JOIN countersign.event_log l ON l.seq = s.first
               LEFT JOIN countersign.event_bodies b ON b.seq = s.first";
    let row = session.row(sql, values![user.as_str(), number(before_seq)]).await?;
    let Some(first) = row.number_if_any(4)? else { return Ok(HistorySummary::default()) };
    if row.text_if_any(0)?.is_none() {
        return Err(corrupt(format!("event {first} is missing")));
    }
    // Erased transactions are not in the table, so this is `None` only if the body is damaged, which `verify` finds.
    let first_occurred_at = match reads::read_event(&row)?.event() {
        Ok(Event::TransactionReceived(transaction)) => Some(transaction.occurred_at),
        _ => None,
    };
    Ok(HistorySummary { count: row.number(3)?, first_occurred_at })
}
