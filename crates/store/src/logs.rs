//! Queries about audit logs ("answers") and their results.
//!
//! Payloads are returned as the JSON text that was stored, and not as types that would drop unknown fields.

use std::time::{Duration, Instant};

use countersign_domain::{EventId, StoredEvent, Time};
use serde_json::value::RawValue;

/// A position in a list of logs, after which older logs follow. It is valid only for the query that returned it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogCursor {
    pub created_at: Time,
    pub seq: u64,
}

/// Selects logs, newest first: by time of creation and, where that is equal, by position. With a text they are ordered by
/// position alone, which is the order in which they were written.
#[derive(Debug, Clone)]
pub struct LogQuery {
    pub min_score: u8,
    pub max_score: u8,
    /// Created at this time or later.
    pub from: Option<Time>,
    /// Created before this time.
    pub to: Option<Time>,
    pub before: Option<LogCursor>,
    /// All its words must occur in the query or the response, in any case and with or without accents. Of a long text, at most
    /// 16 words from the first 1,024 bytes count. A text without words selects everything.
    pub text: Option<String>,
    /// From 1 to [`LogQuery::LIMIT_MAX`].
    pub limit: usize,
    /// When it is used up, the page ends where the search has got to.
    pub time_budget: Duration,
}

impl LogQuery {
    pub const LIMIT_MAX: usize = 1_000;
}

impl Default for LogQuery {
    fn default() -> Self {
        Self {
            min_score: 0,
            max_score: 10,
            from: None,
            to: None,
            before: None,
            text: None,
            limit: 50,
            time_budget: Duration::from_millis(250),
        }
    }
}

/// When a search has to stop. `None` means never: the budget is too long for the clock.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn after(budget: Duration) -> Self {
        Self(Instant::now().checked_add(budget))
    }

    pub(crate) fn has_passed(self) -> bool {
        self.0.is_some_and(|at| Instant::now() >= at)
    }
}

/// An audit log as it is stored.
#[derive(Debug, Clone)]
pub struct LogEntry {
    pub seq: u64,
    pub event_id: EventId,
    /// The payload of its AUDIT_LOG_CREATED.
    pub payload: Box<RawValue>,
}

/// A page of audit logs.
#[derive(Debug, Clone)]
pub struct LogPage {
    pub items: Vec<LogEntry>,
    /// Where the next page begins; `None` at the end of the list.
    pub next: Option<LogCursor>,
    /// The time ran out before the page was full. There may be more logs after `next`.
    pub partial: bool,
}

/// The state of an answer whose audit isn't finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenState {
    Requested,
    Recorded,
    Failed,
}

impl OpenState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Recorded => "recorded",
            Self::Failed => "failed",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Requested, Self::Recorded, Self::Failed].into_iter().find(|state| state.as_str() == text)
    }
}

/// What is stored under the id of an audit log.
#[derive(Debug, Clone)]
pub enum FoundLog {
    Audited(LogEntry),
    /// It isn't audited yet, or never will be. `event` is the newest event about it.
    Open {
        state: OpenState,
        event: StoredEvent,
    },
    /// It was stored, and its body was erased.
    Erased,
}

/// Selects the logs to count.
#[derive(Debug, Clone)]
pub struct StatsQuery {
    pub min_score: u8,
    pub max_score: u8,
    pub from: Option<Time>,
    /// Exclusive.
    pub to: Option<Time>,
    /// As in a [`LogQuery`].
    pub text: Option<String>,
    /// The width of the points of the trend; without it there is no trend.
    pub bucket: Option<Bucket>,
    /// Applies to searches only. When it is used up, only the newest logs have been counted.
    pub time_budget: Duration,
}

impl Default for StatsQuery {
    fn default() -> Self {
        let LogQuery { min_score, max_score, from, to, text, time_budget, .. } = LogQuery::default();
        Self { min_score, max_score, from, to, text, bucket: None, time_budget }
    }
}

impl StatsQuery {
    /// The query for the logs that are counted.
    pub(crate) fn log_query(&self) -> LogQuery {
        LogQuery {
            min_score: self.min_score,
            max_score: self.max_score,
            from: self.from,
            to: self.to,
            text: self.text.clone(),
            time_budget: self.time_budget,
            ..LogQuery::default()
        }
    }
}

/// The length of time that one point of the trend in [`LogStats`] covers. Points begin at full minutes, hours and days of UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bucket {
    Minute,
    Hour,
    Day,
}

impl Bucket {
    pub(crate) fn micros(self) -> i64 {
        match self {
            Self::Minute => 60_000_000,
            Self::Hour => 3_600_000_000,
            Self::Day => 86_400_000_000,
        }
    }
}

/// The number of logs with each score. Exact unless a search ran out of time. Erased logs are counted, except by searches, which
/// can't find them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogStats {
    pub scores: [u64; 11],
    /// Oldest first, without empty points.
    pub trend: Vec<TrendPoint>,
    /// The size of the log when this was counted: exactly the logs before this position are included.
    pub as_of: u64,
    /// The time ran out, and only the newest logs are counted.
    pub partial: bool,
}

impl LogStats {
    /// A longer trend is refused; the caller should ask for wider buckets or a shorter time.
    pub const TREND_POINTS_MAX: usize = 50_000;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrendPoint {
    pub start: Time,
    pub scores: [u64; 11],
}
