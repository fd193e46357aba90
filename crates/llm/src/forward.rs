//! Passes requests and responses in OpenAI's format through unchanged, including status and body.

use crate::attempt::OpenAttempt;
use crate::call::CallPlan;
use crate::error::{Attempt, AttemptOutcome, CallError, CallResult};
use crate::models::Models;
use crate::prompt::{Purpose, Usage};
use crate::provider::CallPolicy;
use crate::secrets::{KeyRemover, Secrets};
use crate::target::Target;
use crate::wire::simulated::SimulatedAnswer;
use bytes::{Bytes, BytesMut};
use countersign_outbound::{OutboundRequest, next_chunk};
use hyper::Method;
use hyper::body::Incoming;
use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::http::response::Parts;
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

const HEADERS_MAX: usize = 64;
const HEADERS_KEPT: [HeaderName; 5] = [
    CONTENT_ENCODING,
    CONTENT_TYPE,
    RETRY_AFTER,
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("request-id"),
];
const HEADER_PREFIXES_KEPT: [&str; 4] = ["openai-", "x-ratelimit-", "x-groq-", "anthropic-ratelimit-"];
/// For requests for a provider's list of models.
const LIST_CALLS: CallPolicy =
    CallPolicy { attempts_max: 3, attempt_timeout: Duration::from_secs(5), deadline: Duration::from_secs(10) };

/// A provider's response. Dropping it before `finish` counts as cancelled and closes the connection.
pub struct Forwarded {
    pub status: u16,
    /// The headers that a caller may see: nothing about the connection, no cookies, no length.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    pub body: ForwardedBody,
    retry_after: Option<Duration>,
    idle_timeout: Duration,
    deadline: Instant,
    bytes_max: usize,
    /// Removes our own keys from the response.
    key_remover: KeyRemover,
    open_attempt: OpenAttempt,
}

/// Read through [`Forwarded::bytes`] or [`Forwarded::chunk`].
pub struct ForwardedBody(BodySource);

enum BodySource {
    Ready(VecDeque<Bytes>),
    Live(Incoming),
}

impl Models {
    /// Sends `body` unchanged to the provider's OpenAI-compatible chat path. The result's `attempts` are the earlier, failed
    /// ones; [`Forwarded::finish`] returns the record of the last one.
    pub async fn forward(
        &self,
        purpose: Purpose,
        target: &Target,
        body: Bytes,
        is_stream: bool,
        calls: &CallPolicy,
    ) -> CallResult<Forwarded> {
        let Some(state) = self.provider(&target.provider) else {
            return CallResult::unknown(&target.provider);
        };
        let endpoint = &state.compatible;
        let request = OutboundRequest {
            method: Method::POST,
            uri: endpoint.uri.clone(),
            headers: endpoint.headers.clone(),
            body,
        };
        self.send_with_retries(state, &CallPlan::new(purpose, target, calls), &request, is_stream).await
    }

    /// The provider's list of models, in OpenAI's wire format if the provider has it in that format.
    pub async fn get_models(&self, provider: &str) -> CallResult<Forwarded> {
        let Some(state) = self.provider(provider) else {
            return CallResult::unknown(provider);
        };
        let endpoint = &state.models;
        let (uri, headers) = (endpoint.uri.clone(), endpoint.headers.clone());
        let request = OutboundRequest { method: Method::GET, uri, headers, body: Bytes::new() };
        // An empty model name, so that the list has a breaker of its own.
        let target = Target::new(provider, "");
        self.send_with_retries(state, &CallPlan::new(Purpose::Gateway, &target, &LIST_CALLS), &request, false).await
    }
}

impl Forwarded {
    pub(crate) fn new(
        head: &Parts,
        whole: Option<Bytes>,
        live: Option<Incoming>,
        open_attempt: OpenAttempt,
        plan: &CallPlan<'_>,
        bytes_max: usize,
        secrets: &Secrets,
    ) -> Self {
        let source = match live {
            Some(body) => BodySource::Live(body),
            None => BodySource::Ready(whole.into_iter().map(|whole| secrets.remove_from_bytes(whole)).collect()),
        };
        Self {
            status: head.status.as_u16(),
            headers: kept_headers(&head.headers, secrets),
            body: ForwardedBody(source),
            retry_after: None,
            idle_timeout: plan.calls.attempt_timeout,
            deadline: plan.deadline,
            bytes_max,
            key_remover: secrets.key_remover(),
            open_attempt,
        }
    }

    pub(crate) fn simulated(answer: SimulatedAnswer, mut open_attempt: OpenAttempt) -> Self {
        open_attempt.status = Some(answer.status);
        open_attempt.response_bytes = answer.pieces.iter().map(Bytes::len).sum();
        Self {
            status: answer.status,
            headers: vec![(CONTENT_TYPE, HeaderValue::from_static(answer.content_type))],
            body: ForwardedBody(BodySource::Ready(answer.pieces.into())),
            retry_after: None,
            idle_timeout: Duration::ZERO,
            deadline: Instant::now(),
            bytes_max: usize::MAX,
            key_remover: Secrets::default().key_remover(),
            open_attempt,
        }
    }

    /// The whole body, bounded.
    pub async fn bytes(&mut self) -> Result<Bytes, CallError> {
        let Some(first) = self.chunk().await? else { return Ok(Bytes::new()) };
        let Some(second) = self.chunk().await? else { return Ok(first) };
        let mut whole = BytesMut::from(&first[..]);
        whole.extend_from_slice(&second);
        while let Some(bytes) = self.chunk().await? {
            whole.extend_from_slice(&bytes);
        }
        Ok(whole.freeze())
    }

    /// The next piece of a stream, within the idle time-out and the deadline of the call.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, CallError> {
        let body = match &mut self.body.0 {
            BodySource::Ready(pieces) => return Ok(pieces.pop_front()),
            BodySource::Live(body) => body,
        };
        let idle_limit = Instant::now() + self.idle_timeout;
        let error = match timeout_at(idle_limit.min(self.deadline), next_chunk(body)).await {
            Ok(Ok(piece)) => {
                self.open_attempt.response_bytes += piece.as_ref().map_or(0, Bytes::len);
                if self.open_attempt.response_bytes <= self.bytes_max {
                    return Ok(self.without_keys(piece));
                }
                CallError::TooLarge { bytes_max: self.bytes_max }
            }
            Ok(Err(error)) => error.into(),
            Err(_) if idle_limit > self.deadline => CallError::Deadline,
            Err(_) => CallError::Timeout { after_ms: u64::try_from(self.idle_timeout.as_millis()).unwrap_or(u64::MAX) },
        };
        // Dropping the body closes the connection now, not when the caller is done.
        self.body = ForwardedBody(BodySource::Ready(VecDeque::new()));
        Err(error)
    }

    /// The piece without our keys; at the end, the bytes that were held back.
    fn without_keys(&mut self, piece: Option<Bytes>) -> Option<Bytes> {
        match piece {
            Some(piece) => Some(self.key_remover.push(piece)),
            None => Some(self.key_remover.rest()).filter(|rest| !rest.is_empty()),
        }
    }

    /// The outcome that the status alone indicates. The body may still turn out to be unusable.
    pub fn outcome(&self) -> AttemptOutcome {
        AttemptOutcome::of_status(self.status)
    }

    /// When the provider says that another call may succeed.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Records the outcome in the breaker, the limits and the budget. Returns the record of the last attempt.
    pub fn finish(self, outcome: AttemptOutcome, usage: Usage) -> Attempt {
        self.open_attempt.record_outcome(outcome, usage)
    }

    pub(crate) fn set_retry_after(&mut self, wait: Option<Duration>) {
        self.retry_after = wait;
    }

    pub(crate) fn whole(&self) -> &[u8] {
        match &self.body.0 {
            BodySource::Ready(pieces) => pieces.front().map_or(&[], |piece| piece),
            BodySource::Live(_) => &[],
        }
    }
}

impl fmt::Debug for Forwarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarded").field("status", &self.status).finish_non_exhaustive()
    }
}

fn kept_headers(headers: &HeaderMap, secrets: &Secrets) -> Vec<(HeaderName, HeaderValue)> {
    let is_kept = |name: &HeaderName| {
        HEADERS_KEPT.contains(name) || HEADER_PREFIXES_KEPT.iter().any(|prefix| name.as_str().starts_with(prefix))
    };
    let pairs = headers.iter().filter(|(name, value)| is_kept(name) && !secrets.are_in(value)).take(HEADERS_MAX);
    pairs.map(|(name, value)| (name.clone(), value.clone())).collect()
}
