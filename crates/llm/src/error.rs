//! Errors of calls, and outcomes of attempts. Messages from outside are bounded and scrubbed before they get here.

use countersign_outbound::RequestError;
use rust_decimal::Decimal;
use std::fmt;
use std::time::Duration;

/// The result of a call, with the record of each attempt whether it succeeded or failed.
#[derive(Debug)]
pub struct CallResult<T> {
    pub result: Result<T, CallError>,
    pub attempts: Vec<Attempt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub number: u8,
    pub outcome: AttemptOutcome,
    pub status: Option<u16>,
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cost_usd: Option<Decimal>,
    pub latency_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttemptOutcome {
    Ok,
    Timeout,
    Connection,
    RateLimited,
    ServerError,
    /// Any other 4xx.
    ClientError,
    /// 401 or 403.
    Refused,
    Safety,
    Empty,
    /// The token limit was reached before there was usable JSON.
    Truncated,
    Malformed,
    TooLarge,
    CircuitOpen,
    OverBudget,
    Cancelled,
}

#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    #[error("no answer within {after_ms} ms")]
    Timeout { after_ms: u64 },
    #[error("connection failed: {0}")]
    Connection(String),
    #[error("status {status}: {message}")]
    Status { status: u16, message: String, retry_after: Option<Duration> },
    #[error("the provider withheld the answer: {reason}")]
    Safety { reason: String },
    #[error("the answer is empty")]
    Empty,
    #[error("the answer was cut off at its token limit")]
    Truncated,
    #[error("the answer can't be read: {0}")]
    Malformed(String),
    #[error("the answer contains one of this server's provider keys and is withheld")]
    HoldsProviderKey,
    #[error("the answer is larger than {bytes_max} bytes")]
    TooLarge { bytes_max: usize },
    #[error("the circuit breaker is open; next attempt in {} ms", retry_after.as_millis())]
    CircuitOpen { retry_after: Duration },
    #[error("the daily budget is exhausted: {what}")]
    OverBudget { what: String },
    #[error("there is no provider {0:?}")]
    UnknownProvider(String),
    /// `raw` is kept as provenance, and appears in neither `Display` nor `Debug`.
    #[error("the reply does not match the requested format: {what}")]
    Unreadable { what: String, raw: String },
    #[error("the deadline of the call has passed")]
    Deadline,
}

impl<T> CallResult<T> {
    pub(crate) fn unknown(provider: &str) -> Self {
        Self::failed(CallError::UnknownProvider(provider.chars().take(64).collect()), Vec::new())
    }

    pub(crate) fn failed(error: CallError, attempts: Vec<Attempt>) -> Self {
        Self { result: Err(error), attempts }
    }

    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> CallResult<U> {
        CallResult { result: self.result.map(change), attempts: self.attempts }
    }
}

impl AttemptOutcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Timeout => "timeout",
            Self::Connection => "connection",
            Self::RateLimited => "rate_limited",
            Self::ServerError => "server_error",
            Self::ClientError => "client_error",
            Self::Refused => "refused",
            Self::Safety => "safety",
            Self::Empty => "empty",
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::TooLarge => "too_large",
            Self::CircuitOpen => "circuit_open",
            Self::OverBudget => "over_budget",
            Self::Cancelled => "cancelled",
        }
    }

    /// The outcome that the status alone indicates.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Ok,
            408 => Self::Timeout,
            429 => Self::RateLimited,
            401 | 403 => Self::Refused,
            500.. => Self::ServerError,
            _ => Self::ClientError,
        }
    }

    /// Whether the same request may succeed later. These outcomes count as failures for the breaker.
    pub fn is_transient(self) -> bool {
        matches!(self, Self::Timeout | Self::Connection | Self::RateLimited | Self::ServerError)
    }
}

impl CallError {
    /// The wait until another call may succeed, if known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::CircuitOpen { retry_after } => Some(*retry_after),
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether the same call may succeed later, without changes to it or to the settings.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Connection(_) | Self::CircuitOpen { .. } | Self::Deadline => true,
            Self::Status { status, .. } => AttemptOutcome::of_status(*status).is_transient(),
            _ => false,
        }
    }

    pub fn outcome(&self) -> AttemptOutcome {
        match self {
            Self::Timeout { .. } | Self::Deadline => AttemptOutcome::Timeout,
            Self::Connection(_) => AttemptOutcome::Connection,
            Self::Status { status, .. } => AttemptOutcome::of_status(*status),
            Self::Safety { .. } => AttemptOutcome::Safety,
            Self::Empty => AttemptOutcome::Empty,
            Self::Truncated => AttemptOutcome::Truncated,
            Self::Malformed(_) | Self::HoldsProviderKey | Self::Unreadable { .. } => AttemptOutcome::Malformed,
            Self::TooLarge { .. } => AttemptOutcome::TooLarge,
            Self::CircuitOpen { .. } => AttemptOutcome::CircuitOpen,
            Self::OverBudget { .. } => AttemptOutcome::OverBudget,
            Self::UnknownProvider(_) => AttemptOutcome::ClientError,
        }
    }
}

impl From<RequestError> for CallError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Timeout { after_ms } => Self::Timeout { after_ms },
            RequestError::Connection(text) => Self::Connection(text),
            // Can't happen: providers may be at private addresses, because the operator configures them.
            RequestError::PrivateAddress => Self::Connection(error.to_string()),
            RequestError::TooLarge { bytes_max } => Self::TooLarge { bytes_max },
        }
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CallError({self})")
    }
}
