//! One attempt under way: what it holds, and how it is settled in the breaker, the limits, the budget and the log.
//! An attempt that is dropped is settled as cancelled; none is lost.

use crate::breaker::{Admission, Breaker, Verdict};
use crate::error::{Attempt, CallError, Outcome};
use crate::prompt::{Purpose, Usage};
use crate::target::Target;
use crate::wired::Wired;
use rust_decimal::Decimal;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

/// Attempts as they are settled, for whoever drops a call and must still say what it did.
#[derive(Clone, Debug, Default)]
pub struct Journal(Arc<Mutex<Vec<Attempt>>>);

impl Journal {
    /// What has been settled since the last time.
    pub fn take(&self) -> Vec<Attempt> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, attempt: &Attempt) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(attempt.clone());
    }
}

/// Who asks for what, in which attempt.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    pub(crate) purpose: Purpose,
    pub(crate) target: Target,
    pub(crate) number: u8,
    pub(crate) request_bytes: usize,
    pub(crate) journal: Option<Journal>,
}

pub(crate) struct Flight {
    wired: Arc<Wired>,
    breaker: Arc<Breaker>,
    admission: Admission,
    _permit: Option<OwnedSemaphorePermit>,
    errand: Errand,
    started: Instant,
    tokens_taken: u64,
    is_settled: bool,
    pub(crate) status: Option<u16>,
    pub(crate) response_bytes: usize,
}

impl Flight {
    /// Waits for room within the deadline. A refusal is a settled attempt of its own.
    pub(crate) async fn open(
        wired: &Arc<Wired>,
        errand: Errand,
        deadline: Instant,
    ) -> Result<Self, (CallError, Attempt)> {
        let asked = Instant::now();
        match Self::admitted(wired, &errand, deadline).await {
            Ok((breaker, admission, permit, tokens_taken)) => {
                wired.tally.in_flight.fetch_add(1, Relaxed);
                wired.tally.calls.fetch_add(1, Relaxed);
                Ok(Self {
                    wired: wired.clone(),
                    breaker,
                    admission,
                    _permit: permit,
                    errand,
                    started: Instant::now(),
                    tokens_taken,
                    is_settled: false,
                    status: None,
                    response_bytes: 0,
                })
            }
            Err(error) => {
                let attempt = attempt(&errand, error.outcome(), None, Usage::default(), None, asked);
                errand.settled(&attempt, 0);
                Err((error, attempt))
            }
        }
    }

    async fn admitted(
        wired: &Arc<Wired>,
        errand: &Errand,
        deadline: Instant,
    ) -> Result<(Arc<Breaker>, Admission, Option<OwnedSemaphorePermit>, u64), CallError> {
        if let Some(what) = wired.budget.exceeded((wired.now)()) {
            return Err(CallError::OverBudget { what: format!("{what} of {}", wired.name) });
        }
        let breaker = wired.breaker(&errand.target.model);
        if let Some(retry_after) = breaker.closed_for(Instant::now()) {
            return Err(CallError::CircuitOpen { retry_after });
        }
        let permit = match &wired.permits {
            None => None,
            Some(permits) => {
                let permit = timeout_at(deadline, permits.clone().acquire_owned()).await;
                Some(permit.ok().and_then(Result::ok).ok_or(CallError::Deadline)?)
            }
        };
        if let Some(rate) = &wired.requests {
            rate.take(1, deadline).await.map_err(|_| CallError::Deadline)?;
        }
        let mut tokens_taken = 0;
        if let Some(rate) = &wired.tokens {
            // About four bytes a token; what the answer adds is counted when it is known.
            tokens_taken = (errand.request_bytes as u64 / 4).max(1);
            rate.take(tokens_taken, deadline).await.map_err(|_| CallError::Deadline)?;
        }
        let admission = breaker.admit(Instant::now()).map_err(|retry_after| CallError::CircuitOpen { retry_after })?;
        Ok((breaker, admission, permit, tokens_taken))
    }

    pub(crate) fn settle(mut self, outcome: Outcome, usage: Usage) -> Attempt {
        self.close(outcome, usage)
    }

    fn close(&mut self, outcome: Outcome, usage: Usage) -> Attempt {
        self.is_settled = true;
        let wired = &self.wired;
        let is_failure = outcome.heals() || self.status.is_some_and(|status| Outcome::of_status(status).heals());
        let verdict = match outcome {
            Outcome::Cancelled if !is_failure => Verdict::Unknown,
            _ if is_failure => Verdict::Failure,
            _ => Verdict::Success,
        };
        self.breaker.record(self.admission, verdict, Instant::now());
        wired.tally.in_flight.fetch_sub(1, Relaxed);
        if !matches!(outcome, Outcome::Ok | Outcome::Cancelled) {
            wired.tally.failures.fetch_add(1, Relaxed);
        }
        let cost_usd = wired.cost_usd(&self.errand.target.model, usage);
        if let Some(tokens) = usage.total() {
            wired.budget.add(tokens, cost_usd.unwrap_or(Decimal::ZERO), (wired.now)());
            if let Some(rate) = &wired.tokens {
                rate.add(tokens.saturating_sub(self.tokens_taken));
            }
        }
        let attempt = attempt(&self.errand, outcome, self.status, usage, cost_usd, self.started);
        self.errand.settled(&attempt, self.response_bytes);
        attempt
    }
}

impl Errand {
    fn settled(&self, attempt: &Attempt, response_bytes: usize) {
        log(self, attempt, response_bytes);
        if let Some(journal) = &self.journal {
            journal.note(attempt);
        }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if !self.is_settled {
            self.close(Outcome::Cancelled, Usage::default());
        }
    }
}

fn attempt(
    errand: &Errand,
    outcome: Outcome,
    status: Option<u16>,
    usage: Usage,
    cost_usd: Option<Decimal>,
    since: Instant,
) -> Attempt {
    Attempt {
        number: errand.number,
        outcome,
        status,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cost_usd,
        latency_ms: u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// Sizes and names only: bodies, keys and URLs never reach a log.
fn log(errand: &Errand, attempt: &Attempt, response_bytes: usize) {
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                target: "countersign_llm",
                purpose = errand.purpose.as_str(),
                provider = &*errand.target.provider,
                model = shown(&errand.target.model),
                attempt = attempt.number,
                outcome = attempt.outcome.as_str(),
                status = attempt.status,
                latency_ms = attempt.latency_ms,
                input_tokens = attempt.input_tokens,
                output_tokens = attempt.output_tokens,
                request_bytes = errand.request_bytes,
                response_bytes,
                "model called"
            )
        };
    }
    if attempt.outcome == Outcome::Ok { line!(info) } else { line!(warn) }
}

/// A model's name can come from outside, so its length is bounded here too.
fn shown(model: &str) -> &str {
    &model[..model.floor_char_boundary(200)]
}
