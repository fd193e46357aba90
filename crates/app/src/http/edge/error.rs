//! The API's errors: one shape for all, and the only place that chooses a status.
//!
//! Causes are logged but never returned: a database's message may contain another caller's data.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    borrow::Cow,
    sync::Arc,
};

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use countersign_agents::RuntimeError;
use countersign_domain::Invalid;
use countersign_llm::{CallError, Target};
use countersign_store::StoreError;
use serde::{Deserialize, Serialize};

pub(crate) type Result<T, E = ApiError> = std::result::Result<T, E>;

/// Why a request was refused or has failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("{0}")]
    BadRequest(Cow<'static, str>),
    #[error("{0}")]
    Unauthorized(&'static str),
    #[error("{0}")]
    Forbidden(Cow<'static, str>),
    #[error("{0}")]
    NotFound(Cow<'static, str>),
    #[error("this path only supports {allow}")]
    MethodNotAllowed { allow: Cow<'static, str> },
    #[error("{0}")]
    Conflict(Cow<'static, str>),
    /// The work is already in progress; the caller should retry a little later.
    #[error("{0}")]
    InProgress(&'static str),
    #[error("{0}")]
    Gone(&'static str),
    #[error("{0}")]
    Unprocessable(&'static str),
    /// The worker gave no answer, even after retries.
    #[error("the worker {target} failed: {error}")]
    Worker { target: Target, error: CallError },
    /// A provider called by the gateway gave no answer, even after retries.
    #[error("the provider gave no answer: {0}")]
    Upstream(CallError),
    /// The answer could not be recorded. Nothing is released without a record.
    #[error("the answer could not be recorded and is withheld")]
    NotRecorded(#[source] StoreError),
    #[error("{0}")]
    TooLarge(String),
    #[error("Rate limit of {per_minute} requests per minute exceeded. Retry in {retry_after_s} s.")]
    RateLimited { per_minute: u64, retry_after_s: u64 },
    #[error("too many failed sign-in attempts; try again in {retry_after_s} s")]
    TooManySignIns { retry_after_s: u64 },
    #[error("too many wrong keys from this address; try again in {retry_after_s} s")]
    TooManyWrongKeys { retry_after_s: u64 },
    #[error("{0}")]
    Overloaded(&'static str),
    /// The readiness probe's reasons why traffic should go elsewhere.
    #[error("not ready: {0}")]
    NotReady(String),
    #[error("the request took longer than {0} ms; it may still be completed")]
    TimedOut(u128),
    #[error("the request's handler panicked: {0}")]
    Panicked(String),
    #[error("the store failed")]
    Store(#[source] StoreError),
    /// The health probe's summary of any problem with the store.
    #[error("the store can't be read or written")]
    Unavailable(#[source] StoreError),
    #[error("{what}")]
    Internal { what: &'static str, source: Option<Arc<dyn std::error::Error + Send + Sync>> },
}

/// The body of an error response on every route that is not under `/v1`.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub(crate) struct ErrorBody {
    /// A short title, the same for each kind of error.
    #[schema(example = "Bad request")]
    pub(crate) error: Cow<'static, str>,
    /// What is wrong, and where.
    #[schema(example = "amount.currency: is not an ISO 4217 currency (line 1, column 82)")]
    pub(crate) detail: Cow<'static, str>,
    /// The HTTP status.
    #[schema(example = 400)]
    pub(crate) status_code: u16,
}

/// The category of an error, for its log line. Stored in the response's extensions.
#[derive(Clone, Copy)]
pub(crate) struct Category(&'static str);

impl Category {
    /// The category of a response, which may have been built without an [`ApiError`].
    pub(crate) fn of(response: &Response) -> &'static str {
        match response.extensions().get::<Self>() {
            Some(category) => category.0,
            None if response.status().is_client_error() => "refused",
            None => "internal",
        }
    }
}

/// What is logged about a request that the server failed to answer. Stored in the response's extensions.
#[derive(Clone)]
pub(crate) struct FailureDetails(Arc<FailureInner>);

struct FailureInner {
    chain: String,
    backtrace: Backtrace,
}

impl FailureDetails {
    /// The error and its causes, outermost first.
    pub(crate) fn chain(&self) -> &str {
        &self.0.chain
    }

    /// `None` for refusals because of overload: their cause is clear, and there are many at once.
    pub(crate) fn backtrace_text(&self) -> Option<String> {
        (self.0.backtrace.status() == BacktraceStatus::Captured).then(|| self.0.backtrace.to_string())
    }
}

/// Tells OpenAI's clients not to retry a call that has already been retried here.
pub(crate) const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
const GENERIC: &str = "the server failed; its log has the details under this request's x-request-id";
/// The retry time, if no better one is known.
const RETRY_AFTER_S: u64 = 1;

impl ApiError {
    pub(crate) fn bad_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::BadRequest(detail.into())
    }

    pub(crate) fn not_found(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::NotFound(detail.into())
    }

    /// The status, chosen here and nowhere else.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) | Self::Store(StoreError::NotFound) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) | Self::Store(StoreError::Conflict(_)) => StatusCode::CONFLICT,
            Self::InProgress(_) => StatusCode::CONFLICT,
            Self::Gone(_) => StatusCode::GONE,
            Self::Unprocessable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Worker { .. } | Self::NotRecorded(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Upstream(error) => upstream_status(error),
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::RateLimited { .. } | Self::TooManySignIns { .. } | Self::TooManyWrongKeys { .. } => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::Overloaded(_)
            | Self::NotReady(_)
            | Self::TimedOut(_)
            | Self::Unavailable(_)
            | Self::Store(StoreError::Busy | StoreError::DiskFull | StoreError::Closed) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Panicked(_) | Self::Store(_) | Self::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(crate) fn body(&self) -> ErrorBody {
        let status = self.status();
        let error = match self {
            Self::Worker { .. } => "Worker agent failed to respond",
            Self::NotRecorded(_) => "Answer not recorded",
            _ => title(status),
        };
        ErrorBody { error: error.into(), detail: self.detail(), status_code: status.as_u16() }
    }

    /// The response with the given body instead of the error shape.
    pub(crate) fn with_body(self, body: Vec<u8>) -> Response {
        let (parts, _) = self.into_response().into_parts();
        Response::from_parts(parts, Body::from(body))
    }

    fn detail(&self) -> Cow<'static, str> {
        match self {
            Self::Store(StoreError::NotFound) => "there is nothing with this id".into(),
            Self::Store(StoreError::Conflict(_)) => "this conflicts with stored data".into(),
            Self::Store(error @ (StoreError::Busy | StoreError::DiskFull)) => error.to_string().into(),
            Self::Store(StoreError::Closed) => "the server is stopping".into(),
            Self::Panicked(_) | Self::Store(_) | Self::Internal { .. } => GENERIC.into(),
            Self::Worker { target, error } => format!("{target}: {error}").into(),
            Self::Upstream(error) => error.to_string().into(),
            Self::BadRequest(detail) | Self::Forbidden(detail) | Self::NotFound(detail) | Self::Conflict(detail) => {
                detail.clone()
            }
            other => other.to_string().into(),
        }
    }

    fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after_s, .. }
            | Self::TooManySignIns { retry_after_s }
            | Self::TooManyWrongKeys { retry_after_s } => Some(*retry_after_s),
            Self::InProgress(_) => Some(RETRY_AFTER_S),
            Self::Upstream(error) => error.retry_after().map(|wait| wait.as_secs().max(1)),
            _ => (self.status() == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_AFTER_S),
        }
    }

    /// The category in the log, which tells refusals apart without their details.
    fn category(&self) -> &'static str {
        match self {
            Self::Store(StoreError::NotFound) | Self::NotFound(_) => "not_found",
            Self::Store(StoreError::Conflict(_)) | Self::Conflict(_) => "conflict",
            Self::InProgress(_) => "in_progress",
            Self::BadRequest(_) | Self::Unprocessable(_) => "validation",
            Self::Unauthorized(_) => "authentication",
            Self::Forbidden(_) => "authorization",
            Self::MethodNotAllowed { .. } => "method",
            Self::Gone(_) => "gone",
            Self::TooLarge(_) => "size",
            Self::RateLimited { .. } | Self::TooManySignIns { .. } | Self::TooManyWrongKeys { .. } => "rate_limit",
            Self::Store(_) | Self::Unavailable(_) | Self::NotRecorded(_) => "store",
            Self::Worker { .. } => "worker",
            Self::Upstream(_) => "provider",
            Self::Panicked(_) => "panic",
            Self::TimedOut(_) => "timeout",
            Self::Overloaded(_) | Self::NotReady(_) => "overload",
            Self::Internal { .. } => "internal",
        }
    }

    fn failure(&self) -> FailureDetails {
        let mut chain = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            chain.push_str(": ");
            chain.push_str(&cause.to_string());
            source = cause.source();
        }
        let backtrace = match self {
            Self::Overloaded(_) | Self::NotReady(_) => Backtrace::disabled(),
            _ => Backtrace::force_capture(),
        };
        FailureDetails(Arc::new(FailureInner { chain, backtrace }))
    }
}

fn upstream_status(error: &CallError) -> StatusCode {
    match error {
        CallError::Timeout { .. } | CallError::Deadline => StatusCode::GATEWAY_TIMEOUT,
        CallError::CircuitOpen { .. } => StatusCode::SERVICE_UNAVAILABLE,
        CallError::OverBudget { .. } => StatusCode::TOO_MANY_REQUESTS,
        CallError::UnknownProvider(_) => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_GATEWAY,
    }
}

/// Converts an error into OpenAI's shape, for the routes that OpenAI's clients call.
pub(crate) fn in_openai_shape(response: Response) -> Response {
    let Some(KeptErrorBody(body)) = response.extensions().get::<KeptErrorBody>() else { return response };
    let (error_type, code) = match body.status_code {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        403 => ("permission_error", Some("forbidden")),
        404 => ("invalid_request_error", Some("not_found")),
        429 => ("rate_limit_error", Some("rate_limit_exceeded")),
        400..=499 => ("invalid_request_error", None),
        502 | 504 => ("upstream_error", None),
        _ => ("server_error", None),
    };
    let error = serde_json::json!({"error": {
        "message": body.detail, "type": error_type, "code": code, "param": null,
    }});
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(error.to_string()))
}

/// The error's content, kept in the response's extensions to be converted into another shape.
#[derive(Clone)]
struct KeptErrorBody(Arc<ErrorBody>);

fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "Bad request",
        StatusCode::UNAUTHORIZED => "Unauthorized",
        StatusCode::FORBIDDEN => "Forbidden",
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::METHOD_NOT_ALLOWED => "Method not allowed",
        StatusCode::CONFLICT => "Conflict",
        StatusCode::GONE => "Gone",
        StatusCode::PAYLOAD_TOO_LARGE => "Payload too large",
        StatusCode::UNPROCESSABLE_ENTITY => "Unprocessable content",
        StatusCode::TOO_MANY_REQUESTS => "Too many requests",
        StatusCode::BAD_GATEWAY => "Bad gateway",
        StatusCode::SERVICE_UNAVAILABLE => "Service unavailable",
        StatusCode::GATEWAY_TIMEOUT => "Gateway timeout",
        _ => "Internal server error",
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        // Serialising two strings and a number can't fail.
        let body = self.body();
        let mut response = Response::new(Body::from(serde_json::to_vec(&body).unwrap_or_default()));
        response.extensions_mut().insert(KeptErrorBody(Arc::new(body)));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry_after_s() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        match &self {
            Self::Unauthorized(_) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            // The call has already been retried here. Further retries by the caller would only multiply the load.
            Self::Upstream(error) if error.retry_after().is_none() => {
                headers.insert(SHOULD_RETRY, HeaderValue::from_static("false"));
            }
            Self::MethodNotAllowed { allow } => {
                if let Ok(allow) = HeaderValue::from_str(allow) {
                    headers.insert(header::ALLOW, allow);
                }
            }
            _ => {}
        }
        response.extensions_mut().insert(Category(self.category()));
        if status.is_server_error() {
            response.extensions_mut().insert(self.failure());
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<RuntimeError> for ApiError {
    fn from(error: RuntimeError) -> Self {
        match error {
            RuntimeError::UnknownAgent => Self::not_found("there is no agent with this name"),
            RuntimeError::Store(error) => Self::Store(error),
        }
    }
}

impl From<Invalid> for ApiError {
    fn from(invalid: Invalid) -> Self {
        Self::BadRequest(invalid.to_string().into())
    }
}

/// One of our own values could not be written as JSON.
impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal { what: "a response could not be written as JSON", source: Some(Arc::new(error)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(error: ApiError, status: u16, retry: bool) {
        let body = error.body();
        assert_eq!(body.status_code, status, "{error:?}");
        let response = error.into_response();
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(response.headers().contains_key(header::RETRY_AFTER), retry);
        assert_eq!(response.extensions().get::<FailureDetails>().is_some(), status >= 500);
    }

    #[test]
    fn each_store_error_has_one_status() {
        check(StoreError::NotFound.into(), 404, false);
        check(StoreError::Conflict("seq 3".into()).into(), 409, false);
        check(StoreError::Busy.into(), 503, true);
        check(StoreError::DiskFull.into(), 503, true);
        check(StoreError::Closed.into(), 503, true);
        check(StoreError::Database("no such table".into()).into(), 500, false);
        check(StoreError::Corrupt("row 7".into()).into(), 500, false);
        check(StoreError::Tampered("root".into()).into(), 500, false);
    }

    #[test]
    fn the_cause_is_only_logged() {
        let error = ApiError::from(StoreError::Database("UNIQUE failed: 4111 1111 1111 1111".into()));
        assert!(!error.body().detail.contains("4111"));
        let response = error.into_response();
        assert_eq!(Category::of(&response), "store");
        let failure = response.extensions().get::<FailureDetails>().unwrap();
        assert_eq!(failure.chain(), "the store failed: database: UNIQUE failed: 4111 1111 1111 1111");
    }
}
