//! Why a call failed, and what one attempt came to. Messages from outside are bounded and scrubbed before they get here.

use countersign_outbound::RequestError;
use rust_decimal::Decimal;
use std::fmt;
use std::time::Duration;

/// The result of a call with the record of each attempt, in both cases.
#[derive(Debug)]
pub struct CallResult<T> {
    pub result: Result<T, CallError>,
    pub attempts: Vec<Attempt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub number: u8,
    pub outcome: Outcome,
    pub status: Option<u16>,
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cost_usd: Option<Decimal>,
    pub latency_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Ok,
    Timeout,
    Connection,
    RateLimited,
    ServerError,
    /// A 4xx that is none of the others.
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
    #[error("the answer holds a key of this server and is withheld")]
    HoldsKey,
    #[error("the answer is larger than {bytes_max} bytes")]
    TooLarge { bytes_max: usize },
    #[error("the circuit is open, next try in {} ms", retry_after.as_millis())]
    CircuitOpen { retry_after: Duration },
    #[error("over the budget: {what}")]
    OverBudget { what: String },
    #[error("there is no provider {0:?}")]
    UnknownProvider(String),
    /// `raw` is kept as provenance and is in neither `Display` nor `Debug`.
    #[error("the reply is not what was asked for: {what}")]
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

impl Outcome {
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

    /// What a status alone says.
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

    /// Whether the same request can succeed later, which is also what counts against a breaker.
    pub fn heals(self) -> bool {
        matches!(self, Self::Timeout | Self::Connection | Self::RateLimited | Self::ServerError)
    }
}

impl CallError {
    /// When another call may succeed, if that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::CircuitOpen { retry_after } => Some(*retry_after),
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether the same call can succeed later without a change to it or to the settings.
    pub fn heals(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Connection(_) | Self::CircuitOpen { .. } | Self::Deadline => true,
            Self::Status { status, .. } => Outcome::of_status(*status).heals(),
            _ => false,
        }
    }

    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Timeout { .. } | Self::Deadline => Outcome::Timeout,
            Self::Connection(_) => Outcome::Connection,
            Self::Status { status, .. } => Outcome::of_status(*status),
            Self::Safety { .. } => Outcome::Safety,
            Self::Empty => Outcome::Empty,
            Self::Truncated => Outcome::Truncated,
            Self::Malformed(_) | Self::HoldsKey | Self::Unreadable { .. } => Outcome::Malformed,
            Self::TooLarge { .. } => Outcome::TooLarge,
            Self::CircuitOpen { .. } => Outcome::CircuitOpen,
            Self::OverBudget { .. } => Outcome::OverBudget,
            Self::UnknownProvider(_) => Outcome::ClientError,
        }
    }
}

impl From<RequestError> for CallError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Timeout { after_ms } => Self::Timeout { after_ms },
            RequestError::Connection(text) => Self::Connection(text),
            // Can't happen: providers are configured by the operator and may be on a private address.
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
