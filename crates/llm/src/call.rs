//! The loop that every call goes through: attempts, waits and one deadline over all. It knows no wire shape.

use crate::breaker::PROBE_WAIT;
use crate::error::{Attempt, CallError, Called};
use crate::flight::{Errand, Flight};
use crate::forward::Forwarded;
use crate::http::{self, Ask};
use crate::models::Models;
use crate::prompt::{Purpose, Usage};
use crate::provider::{Calls, Shape};
use crate::retry::{self, Failed, Next, RetryBudget};
use crate::target::Target;
use crate::wire::simulated;
use crate::wired::Wired;
use hyper::HeaderMap;
use hyper::header::CONTENT_ENCODING;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// Far enough for any call, near enough to be added to any clock.
const NEVER: Duration = Duration::from_secs(86_400);

/// A call's frame: who calls whom, how long, and how many attempts came before.
#[derive(Clone)]
pub(crate) struct Course<'a> {
    pub(crate) purpose: Purpose,
    pub(crate) target: &'a Target,
    pub(crate) calls: Calls,
    pub(crate) deadline: Instant,
    pub(crate) made_before: u8,
}

/// What one attempt came to.
pub(crate) enum Tried<T> {
    Done(T),
    /// A response that says "later": kept, in case nobody tries again.
    Unwell {
        value: T,
        retry_after: Option<Duration>,
    },
    Failed {
        error: CallError,
        attempt: Attempt,
    },
}

impl<'a> Course<'a> {
    pub(crate) fn new(purpose: Purpose, target: &'a Target, calls: &Calls) -> Self {
        let calls = Calls { attempt_timeout: calls.attempt_timeout.min(NEVER), ..*calls };
        let deadline = Instant::now() + calls.deadline.min(NEVER);
        Self { purpose, target, calls, deadline, made_before: 0 }
    }
}

impl Models {
    pub(crate) async fn exchange(
        &self,
        wired: &Arc<Wired>,
        course: &Course<'_>,
        ask: &Ask,
        is_stream: bool,
    ) -> Called<Forwarded> {
        let attempt = |number| self.attempt(wired, course, ask, is_stream, number);
        let give_up = |forwarded: Forwarded| {
            let outcome = forwarded.outcome();
            forwarded.finish(outcome, Usage::default())
        };
        run(course, &self.0.retries, &*self.0.seams.dice, attempt, give_up).await
    }

    async fn attempt(
        &self,
        wired: &Arc<Wired>,
        course: &Course<'_>,
        ask: &Ask,
        is_stream: bool,
        number: u8,
    ) -> Tried<Forwarded> {
        let errand = Errand {
            purpose: course.purpose,
            target: course.target.clone(),
            number: course.made_before.saturating_add(number),
            request_bytes: ask.body.len(),
            journal: self.1.clone(),
        };
        let flight = match Flight::open(wired, errand, course.deadline).await {
            Ok(flight) => flight,
            Err((error, attempt)) => return Tried::Failed { error, attempt },
        };
        if wired.shape == Shape::Simulated {
            let answer = simulated::answer(ask, is_stream, (self.0.seams.now)());
            return Tried::Done(Forwarded::simulated(answer, flight));
        }
        self.fetch(course, ask, is_stream, flight).await
    }

    async fn fetch(&self, course: &Course<'_>, ask: &Ask, is_stream: bool, mut flight: Flight) -> Tried<Forwarded> {
        let bytes_max = self.0.answer_bytes_max;
        let own_limit = Instant::now() + course.calls.attempt_timeout;
        let exchange = async {
            let (head, body) = self.0.http.send(ask).await?.into_parts();
            flight.status = Some(head.status.as_u16());
            if head.status.is_success() && is_encoded(&head.headers) {
                return Err(CallError::Malformed("the answer is compressed, which was not asked for".into()));
            }
            if is_stream && head.status.is_success() {
                return Ok((head, None, Some(body)));
            }
            let whole = http::read(body, bytes_max).await?;
            flight.response_bytes = whole.len();
            Ok((head, Some(whole), None))
        };
        let error = match timeout_at(own_limit.min(course.deadline), exchange).await {
            Ok(Ok((head, whole, live))) => {
                let now = || (self.0.seams.now)();
                let mut forwarded = Forwarded::new(&head, whole, live, flight, course, bytes_max, &self.0.secrets);
                if !forwarded.outcome().heals() {
                    return Tried::Done(forwarded);
                }
                let retry_after = retry::asked_wait(&head.headers, forwarded.whole(), now());
                forwarded.set_retry_after(retry_after);
                return Tried::Unwell { value: forwarded, retry_after };
            }
            Ok(Err(error)) => error,
            Err(_) if own_limit > course.deadline => CallError::Deadline,
            Err(_) => CallError::Timeout { after_ms: millis(course.calls.attempt_timeout) },
        };
        let attempt = flight.settle(error.outcome(), Usage::default());
        Tried::Failed { error, attempt }
    }
}

/// Tries until it is done, can't heal, or there is no attempt or time left.
pub(crate) async fn run<T, F: Future<Output = Tried<T>>>(
    course: &Course<'_>,
    retries: &RetryBudget,
    dice: &(dyn Fn() -> f64 + Send + Sync),
    mut attempt: impl FnMut(u8) -> F,
    give_up: impl Fn(T) -> Attempt,
) -> Called<T> {
    let mut attempts = Vec::new();
    retries.count_call(Instant::now());
    let mut number = 1;
    loop {
        let tried = attempt(number).await;
        let (heals, retry_after) = match &tried {
            Tried::Done(_) => (false, None),
            Tried::Unwell { retry_after, .. } => (true, *retry_after),
            Tried::Failed { error, .. } => (heals(error, number), None),
        };
        let now = Instant::now();
        let remaining = course.deadline.saturating_duration_since(now);
        let failed = Failed { number, heals, retry_after };
        let next = match heals {
            true => retry::next(failed, course.calls.attempts_max, remaining, dice(), || retries.has_room(now)),
            false => Next::Stop,
        };
        match (next, tried) {
            (_, Tried::Done(value)) | (Next::Stop, Tried::Unwell { value, .. }) => {
                return Called { result: Ok(value), attempts };
            }
            (Next::Stop, Tried::Failed { error, attempt }) => {
                attempts.push(attempt);
                return Called::failed(error, attempts);
            }
            (Next::Wait(wait), tried) => {
                attempts.push(match tried {
                    Tried::Failed { attempt, .. } => attempt,
                    Tried::Done(value) | Tried::Unwell { value, .. } => give_up(value),
                });
                sleep(wait).await;
            }
        }
        retries.count_retry(Instant::now());
        number += 1;
    }
}

/// A circuit that is open at the first attempt fails fast, unless it may close while a first retry would be waited for, as
/// when somebody tries right now whether the model is well again. One that opens between own retries is waited out.
fn heals(error: &CallError, number: u8) -> bool {
    match error {
        CallError::CircuitOpen { retry_after } => number > 1 || *retry_after <= PROBE_WAIT,
        CallError::Deadline => false,
        error => error.heals(),
    }
}

/// Nobody here unpacks it, and what is not read can't be judged.
fn is_encoded(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_ENCODING).is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
