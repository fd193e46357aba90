//! When to retry: pure decisions about failed attempts, and the shared budget of extra retries. Nothing here waits.

use hyper::HeaderMap;
use hyper::header::RETRY_AFTER;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// The number of attempts that every call may make regardless of the budget.
const UNBUDGETED_ATTEMPTS: u8 = 3;
const BUDGET_WINDOW: Duration = Duration::from_secs(10);
/// The number of retries in a window that are allowed however few calls there are.
const BUDGET_FLOOR: u64 = 10;

/// A failed attempt. The first has number 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailedAttempt {
    pub(crate) number: u8,
    pub(crate) is_transient: bool,
    pub(crate) retry_after: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Wait(Duration),
    Stop,
}

/// Whether and when to retry. `jitter` is a random number in 0..1. `has_extra` is only called for attempts beyond the first
/// three.
pub(crate) fn next(
    failed: FailedAttempt,
    attempts_max: u8,
    remaining: Duration,
    jitter: f64,
    has_extra: impl FnOnce() -> bool,
) -> Next {
    if !failed.is_transient || failed.number >= attempts_max {
        return Next::Stop;
    }
    let wait = backoff(failed.number, jitter).max(failed.retry_after.unwrap_or(Duration::ZERO));
    if wait >= remaining || (failed.number >= UNBUDGETED_ATTEMPTS && !has_extra()) {
        return Next::Stop;
    }
    Next::Wait(wait)
}

/// 1 s, 2 s, 4 s and so on, with 20 % jitter.
fn backoff(failed: u8, jitter: f64) -> Duration {
    let base = Duration::from_secs(1 << failed.saturating_sub(1).min(5));
    base.mul_f64(0.8 + 0.4 * jitter.clamp(0.0, 1.0))
}

/// Refuses extra attempts once the retries of the last ten seconds reach a fifth of the calls plus ten.
#[derive(Debug, Default)]
pub(crate) struct RetryBudget(Mutex<VecDeque<Second>>);

#[derive(Debug)]
struct Second {
    from: Instant,
    calls: u64,
    retries: u64,
}

impl RetryBudget {
    pub(crate) fn count_call(&self, now: Instant) {
        self.count(now, 1, 0);
    }

    pub(crate) fn count_retry(&self, now: Instant) {
        self.count(now, 0, 1);
    }

    pub(crate) fn has_room(&self, now: Instant) -> bool {
        let mut seconds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        expire(&mut seconds, now);
        let (calls, retries) = seconds.iter().fold((0, 0), |(c, r), second| (c + second.calls, r + second.retries));
        retries < BUDGET_FLOOR + calls / 5
    }

    fn count(&self, now: Instant, calls: u64, retries: u64) {
        let mut seconds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match seconds.back_mut().filter(|second| now.duration_since(second.from) < Duration::from_secs(1)) {
            Some(second) => (second.calls, second.retries) = (second.calls + calls, second.retries + retries),
            None => {
                expire(&mut seconds, now);
                seconds.push_back(Second { from: now, calls, retries });
            }
        }
    }
}

fn expire(seconds: &mut VecDeque<Second>, now: Instant) {
    while seconds.front().is_some_and(|second| now.duration_since(second.from) >= BUDGET_WINDOW) {
        seconds.pop_front();
    }
}

/// The wait that the provider asks for, by `retry-after-ms`, `Retry-After` in seconds or as a date, or Gemini's `RetryInfo`.
pub(crate) fn requested_wait(headers: &HeaderMap, body: &[u8], now: SystemTime) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value: &hyper::header::HeaderValue| value.to_str().ok());
    let millis = text("retry-after-ms").and_then(|text| seconds(text).map(|wait| wait / 1_000));
    let header = || text(RETRY_AFTER.as_str()).and_then(|text| seconds(text).or_else(|| until_date(text, now)));
    millis.or_else(header).or_else(|| retry_info(body))
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    // A thousand years are as good as never, and keep the arithmetic in range.
    (0.0..31_536_000_000.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn until_date(text: &str, now: SystemTime) -> Option<Duration> {
    let at = httpdate::parse_http_date(text.trim()).ok()?;
    Some(at.duration_since(now).unwrap_or(Duration::ZERO))
}

fn retry_info(body: &[u8]) -> Option<Duration> {
    #[derive(Deserialize)]
    struct Body {
        error: Details,
    }
    #[derive(Deserialize)]
    struct Details {
        #[serde(default)]
        details: Vec<Detail>,
    }
    #[derive(Deserialize)]
    struct Detail {
        #[serde(rename = "retryDelay")]
        retry_delay: Option<String>,
    }
    // Gemini's OpenAI-compatible path wraps errors in an array. Try that first, because serde accepts an array as a struct.
    let body = match serde_json::from_slice::<[Body; 1]>(body) {
        Ok([body]) => body,
        Err(_) => serde_json::from_slice::<Body>(body).ok()?,
    };
    body.error.details.iter().find_map(|detail| seconds(detail.retry_delay.as_deref()?.strip_suffix('s')?))
}

#[cfg(test)]
mod tests;
