//! Reading audit logs: pages, search, statistics, and answers whose audit isn't finished.

use countersign_domain::{StoredEvent, Time};

use super::{Store, backend::on_backend};
use crate::{
    error::Result,
    logs::{FoundLog, LogEntry, LogPage, LogQuery, LogStats, OpenState, StatsQuery},
};

impl Store {
    /// A page of logs, newest first, without those whose bodies were erased. A search for words finds every log that was
    /// committed, whether or not it is in the search index yet.
    pub async fn logs(&self, query: LogQuery) -> Result<LogPage> {
        if query.min_score > query.max_score.min(10) {
            return Ok(LogPage { items: Vec::new(), next: None, partial: false });
        }
        let query = LogQuery { limit: query.limit.clamp(1, LogQuery::LIMIT_MAX), ..query };
        on_backend!(self, backend => backend.logs(query).await)
    }

    /// The log or unfinished answer with this id.
    pub async fn log(&self, id: &str) -> Result<Option<FoundLog>> {
        on_backend!(self, backend => backend.log(id).await)
    }

    /// The newest log with this hash of an idempotency key, with its event's metadata, unless the log is older than `since`.
    pub async fn log_by_idempotency(&self, key: &str, since: Time) -> Result<Option<(LogEntry, Option<String>)>> {
        on_backend!(self, backend => backend.log_by_idempotency(key, since).await)
    }

    /// The newest events about the answers that are in this state, oldest first, without erased ones.
    pub async fn open_answers(&self, state: OpenState, limit: usize) -> Result<Vec<StoredEvent>> {
        on_backend!(self, backend => backend.open_answers(state, limit).await)
    }

    /// Counts logs by score, exactly and in one snapshot, whose size the answer names.
    pub async fn log_stats(&self, query: StatsQuery) -> Result<LogStats> {
        on_backend!(self, backend => backend.log_stats(query).await)
    }

    /// Adds one batch of logs to the search index. Returns whether there is more to do.
    pub async fn index_logs_step(&self) -> Result<bool> {
        on_backend!(self, backend => backend.index_logs_step().await)
    }
}
