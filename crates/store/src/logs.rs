//! What can be asked about audit logs ("answers"), and what comes back.
//!
//! Payloads are handed on as the JSON text that was stored: nobody here reads them into types that would drop fields.

use std::time::Duration;

use countersign_domain::{EventId, StoredEvent, Time};
use serde_json::value::RawValue;

/// A place in a list: what follows is older. It belongs to the query that gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogCursor {
    pub created_at: Time,
    pub seq: u64,
}

/// Which logs, newest first: by time of creation and, where that is equal, by position. With a text they come by
/// position alone, which is the order they were written in.
#[derive(Debug, Clone)]
pub struct LogQuery {
    pub min_score: u8,
    pub max_score: u8,
    /// Created at this time or later.
    pub from: Option<Time>,
    /// Created before this time.
    pub to: Option<Time>,
    pub before: Option<LogCursor>,
    /// All its words must stand in the query or the response. Nothing but punctuation asks for nothing.
    pub text: Option<String>,
    /// From 1 to [`LogQuery::LIMIT_MAX`].
    pub limit: usize,
    /// When it is used up, the page ends where the search has come to.
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

/// A log as it is stored.
#[derive(Debug, Clone)]
pub struct LogEntry {
    pub seq: u64,
    pub event_id: EventId,
    /// The payload of its AUDIT_LOG_CREATED.
    pub payload: Box<RawValue>,
}

#[derive(Debug, Clone)]
pub struct LogPage {
    pub items: Vec<LogEntry>,
    /// Where the list goes on; `None` at its end.
    pub next: Option<LogCursor>,
    /// The time ran out before the page was full: there may be more, from `next` on.
    pub partial: bool,
}

/// How far an answer without a finished audit has come.
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

/// What there is under the id of a log.
#[derive(Debug, Clone)]
pub enum FoundLog {
    Audited(LogEntry),
    /// Not audited (yet), with the newest event about it.
    Open {
        state: OpenState,
        event: StoredEvent,
    },
    /// It was there, and its body was erased.
    Erased,
}

/// Which logs to count.
#[derive(Debug, Clone)]
pub struct StatsQuery {
    pub min_score: u8,
    pub max_score: u8,
    pub from: Option<Time>,
    /// Exclusive.
    pub to: Option<Time>,
    /// As in a [`LogQuery`]. Without words nothing is searched for.
    pub text: Option<String>,
    /// With one, there is a trend.
    pub bucket: Option<Bucket>,
    /// For a search alone: when it is used up, only the newest have been counted.
    pub time_budget: Duration,
}

impl Default for StatsQuery {
    fn default() -> Self {
        let LogQuery { min_score, max_score, from, to, text, time_budget, .. } = LogQuery::default();
        Self { min_score, max_score, from, to, text, bucket: None, time_budget }
    }
}

impl StatsQuery {
    /// The list of what is counted.
    pub(crate) fn listed(&self) -> LogQuery {
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

/// The width of a point of the trend; it begins at full minutes, hours and days of UTC.
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

/// How many logs there are of each score. Exact, unless a search ran out of time. Erased logs count, except in a search,
/// which can't find them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogStats {
    pub scores: [u64; 11],
    /// Oldest first, without the points at which there is nothing.
    pub trend: Vec<TrendPoint>,
    /// Events that had been written when this was counted: logs at lower positions are in it, others are not.
    pub as_of: u64,
    /// The time ran out before all was searched: what is counted are the newest.
    pub partial: bool,
}

impl LogStats {
    /// A longer trend is refused: a wider bucket or a shorter time is wanted.
    pub const TREND_POINTS_MAX: usize = 50_000;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrendPoint {
    pub start: Time,
    pub scores: [u64; 11],
}
