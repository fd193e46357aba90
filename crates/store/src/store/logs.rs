//! Reading audit logs: pages, search, statistics, and answers whose audit isn't finished.

use countersign_domain::{LogId, StoredEvent, Time};

use super::{Store, backend::on_backend};
use crate::{
    error::Result,
    logs::{FoundLog, LogEntry, LogPage, LogQuery, LogStats, OpenState, StatsQuery},
};

impl Store {
    /// A page of logs in the order that [`LogQuery`] describes, without those whose bodies were erased. A search for words
    /// finds every log that was committed, whether or not it is in the search index yet. If its time runs out, the page is
    /// marked as partial, and the search can be continued from there.
    pub async fn logs(&self, query: LogQuery) -> Result<LogPage> {
        if query.min_score > query.max_score.min(10) {
            return Ok(LogPage { items: Vec::new(), next: None, partial: false });
        }
        let query = LogQuery { limit: query.limit.clamp(1, LogQuery::LIMIT_MAX), ..query };
        on_backend!(self, backend => backend.logs(query).await)
    }

    /// The log or unfinished answer with this id. `None` if the id is unknown.
    pub async fn log(&self, id: LogId) -> Result<Option<FoundLog>> {
        on_backend!(self, backend => backend.log(id).await)
    }

    /// The newest log with this hash of an idempotency key, with its event's metadata. `None` if that log was created before
    /// `since`. Erased logs are left out.
    pub async fn log_by_idempotency(&self, key: &str, since: Time) -> Result<Option<(LogEntry, Option<String>)>> {
        on_backend!(self, backend => backend.log_by_idempotency(key, since).await)
    }

    /// The answers in this state, each as the newest event about it, oldest first. Erased events are left out.
    pub async fn open_answers(&self, state: OpenState, limit: usize) -> Result<Vec<StoredEvent>> {
        on_backend!(self, backend => backend.open_answers(state, limit).await)
    }

    /// Counts logs by score in one snapshot, whose size the result states. The numbers are exact, unless a search runs out of
    /// time. `Conflict` if the trend has too many points.
    pub async fn log_stats(&self, query: StatsQuery) -> Result<LogStats> {
        on_backend!(self, backend => backend.log_stats(query).await)
    }

    /// Adds one batch of logs to the search index. Returns whether there is more to do. It may be called by several callers at
    /// once. How far the index has got doesn't affect any result, only how long a search takes.
    pub async fn index_logs_step(&self) -> Result<bool> {
        on_backend!(self, backend => backend.index_logs_step().await)
    }
}
