//! The loop that makes a call's attempts, with the waits between them and one deadline for all. It doesn't depend on the wire
//! format, except that a simulated provider is answered here instead of being sent a request.

use crate::attempt::{AttemptInfo, OpenAttempt};
use crate::breaker::PROBE_WAIT;
use crate::error::{Attempt, CallError, CallResult};
use crate::forward::Forwarded;
use crate::models::Models;
use crate::prompt::{Purpose, Usage};
use crate::provider::{CallPolicy, WireFormat};
use crate::provider_state::ProviderState;
use crate::retry::{self, FailedAttempt, Next, RetryBudget};
use crate::target::Target;
use crate::wire::simulated;
use countersign_outbound::{OutboundRequest, read_body};
use hyper::HeaderMap;
use hyper::header::CONTENT_ENCODING;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// An upper bound on time-outs: longer than any call, but short enough to be added to any clock value.
const TIMEOUT_MAX: Duration = Duration::from_secs(86_400);

/// The plan of a call: purpose, model, deadline, and the number of attempts that were made before.
#[derive(Clone)]
pub(crate) struct CallPlan<'a> {
    pub(crate) purpose: Purpose,
    pub(crate) target: &'a Target,
    pub(crate) calls: CallPolicy,
    pub(crate) deadline: Instant,
    pub(crate) attempts_before: u8,
}

/// The result of one attempt.
pub(crate) enum AttemptResult<T> {
    Done(T),
    /// A response with a transient error, returned if there is no further attempt.
    Retryable {
        value: T,
        retry_after: Option<Duration>,
    },
    Failed {
        error: CallError,
        attempt: Attempt,
    },
}

impl<'a> CallPlan<'a> {
    pub(crate) fn new(purpose: Purpose, target: &'a Target, calls: &CallPolicy) -> Self {
        let calls = CallPolicy { attempt_timeout: calls.attempt_timeout.min(TIMEOUT_MAX), ..*calls };
        let deadline = Instant::now() + calls.deadline.min(TIMEOUT_MAX);
        Self { purpose, target, calls, deadline, attempts_before: 0 }
    }
}

impl Models {
    /// Sends a request with retries. On success, the result's `attempts` are the earlier, failed ones.
    pub(crate) async fn send_with_retries(
        &self,
        state: &Arc<ProviderState>,
        plan: &CallPlan<'_>,
        request: &OutboundRequest,
        is_stream: bool,
    ) -> CallResult<Forwarded> {
        let attempt = |number| self.attempt(state, plan, request, is_stream, number);
        let give_up = |forwarded: Forwarded| {
            let outcome = forwarded.outcome();
            forwarded.finish(outcome, Usage::default())
        };
        run(plan, &self.0.retries, &*self.0.seams.jitter, attempt, give_up).await
    }

    async fn attempt(
        &self,
        state: &Arc<ProviderState>,
        plan: &CallPlan<'_>,
        request: &OutboundRequest,
        is_stream: bool,
        number: u8,
    ) -> AttemptResult<Forwarded> {
        let info = AttemptInfo {
            purpose: plan.purpose,
            target: plan.target.clone(),
            number: plan.attempts_before.saturating_add(number),
            request_bytes: request.body.len(),
            journal: self.1.clone(),
        };
        let open_attempt = match OpenAttempt::open(state, info, plan.deadline).await {
            Ok(open_attempt) => open_attempt,
            Err((error, attempt)) => return AttemptResult::Failed { error, attempt },
        };
        if state.wire_format == WireFormat::Simulated {
            let answer = simulated::answer(request, is_stream, (self.0.seams.now)());
            return AttemptResult::Done(Forwarded::simulated(answer, open_attempt));
        }
        self.fetch(plan, request, is_stream, open_attempt).await
    }

    async fn fetch(
        &self,
        plan: &CallPlan<'_>,
        request: &OutboundRequest,
        is_stream: bool,
        mut open_attempt: OpenAttempt,
    ) -> AttemptResult<Forwarded> {
        let bytes_max = self.0.answer_bytes_max;
        let attempt_limit = Instant::now() + plan.calls.attempt_timeout;
        let response = async {
            let (head, body) = self.0.http.send(request).await?.into_parts();
            open_attempt.status = Some(head.status.as_u16());
            if head.status.is_success() && is_encoded(&head.headers) {
                return Err(CallError::Malformed(
                    "the answer is compressed, although compression was not requested".into(),
                ));
            }
            if is_stream && head.status.is_success() {
                return Ok((head, None, Some(body)));
            }
            let whole = read_body(body, bytes_max).await?;
            open_attempt.response_bytes = whole.len();
            Ok((head, Some(whole), None))
        };
        let error = match timeout_at(attempt_limit.min(plan.deadline), response).await {
            Ok(Ok((head, whole, live))) => {
                let now = || (self.0.seams.now)();
                let mut forwarded = Forwarded::new(&head, whole, live, open_attempt, plan, bytes_max, &self.0.secrets);
                if !forwarded.outcome().is_transient() {
                    return AttemptResult::Done(forwarded);
                }
                let retry_after = retry::requested_wait(&head.headers, forwarded.whole(), now());
                forwarded.set_retry_after(retry_after);
                return AttemptResult::Retryable { value: forwarded, retry_after };
            }
            Ok(Err(error)) => error,
            Err(_) if attempt_limit > plan.deadline => CallError::Deadline,
            Err(_) => CallError::Timeout { after_ms: millis(plan.calls.attempt_timeout) },
        };
        let attempt = open_attempt.record_outcome(error.outcome(), Usage::default());
        AttemptResult::Failed { error, attempt }
    }
}

/// Makes attempts until one succeeds or fails permanently, or until there are no attempts or no time left.
pub(crate) async fn run<T, F: Future<Output = AttemptResult<T>>>(
    plan: &CallPlan<'_>,
    retries: &RetryBudget,
    jitter: &(dyn Fn() -> f64 + Send + Sync),
    mut attempt: impl FnMut(u8) -> F,
    give_up: impl Fn(T) -> Attempt,
) -> CallResult<T> {
    let mut attempts = Vec::new();
    retries.count_call(Instant::now());
    let mut number = 1;
    loop {
        let result = attempt(number).await;
        let (is_transient, retry_after) = match &result {
            AttemptResult::Done(_) => (false, None),
            AttemptResult::Retryable { retry_after, .. } => (true, *retry_after),
            AttemptResult::Failed { error, .. } => (is_transient(error, number), None),
        };
        let now = Instant::now();
        let remaining = plan.deadline.saturating_duration_since(now);
        let failed = FailedAttempt { number, is_transient, retry_after };
        let next = match is_transient {
            true => retry::next(failed, plan.calls.attempts_max, remaining, jitter(), || retries.has_room(now)),
            false => Next::Stop,
        };
        match (next, result) {
            (_, AttemptResult::Done(value)) | (Next::Stop, AttemptResult::Retryable { value, .. }) => {
                return CallResult { result: Ok(value), attempts };
            }
            (Next::Stop, AttemptResult::Failed { error, attempt }) => {
                attempts.push(attempt);
                return CallResult::failed(error, attempts);
            }
            (Next::Wait(wait), result) => {
                attempts.push(match result {
                    AttemptResult::Failed { attempt, .. } => attempt,
                    AttemptResult::Done(value) | AttemptResult::Retryable { value, .. } => give_up(value),
                });
                sleep(wait).await;
            }
        }
        retries.count_retry(Instant::now());
        number += 1;
    }
}

/// Whether another attempt may succeed. If the circuit is open at the first attempt, the call fails fast, unless a probe is
/// running, because the circuit may then close during the wait for a first retry. If the circuit opens later, the call waits.
fn is_transient(error: &CallError, number: u8) -> bool {
    match error {
        CallError::CircuitOpen { retry_after } => number > 1 || *retry_after <= PROBE_WAIT,
        CallError::Deadline => false,
        error => error.is_transient(),
    }
}

/// Whether the body is compressed. We don't decompress it, and could not inspect it.
fn is_encoded(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_ENCODING).is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
