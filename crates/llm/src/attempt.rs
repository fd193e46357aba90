//! One attempt: its admission, and the record of its outcome in the breaker, the limits, the budget and the log. An attempt
//! that is dropped is recorded as cancelled, so no attempt is missing.

use crate::breaker::{Breaker, CallEnding, CircuitAdmission};
use crate::error::{Attempt, AttemptOutcome, CallError};
use crate::prompt::{Purpose, Usage};
use crate::provider_state::ProviderState;
use crate::target::Target;
use rust_decimal::Decimal;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

/// Collects attempts as they end, so that a caller that drops a call can still record them.
#[derive(Clone, Debug, Default)]
pub struct Journal(Arc<Mutex<Vec<Attempt>>>);

impl Journal {
    /// The attempts that have ended since the last call.
    pub fn take(&self) -> Vec<Attempt> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, attempt: &Attempt) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(attempt.clone());
    }
}

/// The caller, the model and the number of an attempt.
#[derive(Clone, Debug)]
pub(crate) struct AttemptInfo {
    pub(crate) purpose: Purpose,
    pub(crate) target: Target,
    pub(crate) number: u8,
    pub(crate) request_bytes: usize,
    pub(crate) journal: Option<Journal>,
}

/// An attempt that was admitted and has no recorded outcome yet.
pub(crate) struct OpenAttempt {
    state: Arc<ProviderState>,
    breaker: Arc<Breaker>,
    admission: CircuitAdmission,
    _permit: Option<OwnedSemaphorePermit>,
    info: AttemptInfo,
    started: Instant,
    tokens_taken: u64,
    is_recorded: bool,
    pub(crate) status: Option<u16>,
    pub(crate) response_bytes: usize,
}

impl OpenAttempt {
    /// Waits until the limits allow the attempt, at most until the deadline. A refusal is recorded as an attempt too.
    pub(crate) async fn open(
        state: &Arc<ProviderState>,
        info: AttemptInfo,
        deadline: Instant,
    ) -> Result<Self, (CallError, Attempt)> {
        let requested_at = Instant::now();
        match Self::admit(state, &info, deadline).await {
            Ok((breaker, admission, permit, tokens_taken)) => {
                state.counts.in_flight.fetch_add(1, Relaxed);
                state.counts.calls.fetch_add(1, Relaxed);
                Ok(Self {
                    state: state.clone(),
                    breaker,
                    admission,
                    _permit: permit,
                    info,
                    started: Instant::now(),
                    tokens_taken,
                    is_recorded: false,
                    status: None,
                    response_bytes: 0,
                })
            }
            Err(error) => {
                let attempt = attempt(&info, error.outcome(), None, Usage::default(), None, requested_at);
                info.report(&attempt, 0);
                Err((error, attempt))
            }
        }
    }

    async fn admit(
        state: &Arc<ProviderState>,
        info: &AttemptInfo,
        deadline: Instant,
    ) -> Result<(Arc<Breaker>, CircuitAdmission, Option<OwnedSemaphorePermit>, u64), CallError> {
        if let Some(what) = state.budget.exceeded((state.now)()) {
            return Err(CallError::OverBudget { what: format!("{what} of {}", state.name) });
        }
        let breaker = state.breaker(&info.target.model);
        if let Some(retry_after) = breaker.open_for(Instant::now()) {
            return Err(CallError::CircuitOpen { retry_after });
        }
        let permit = match &state.permits {
            None => None,
            Some(permits) => {
                let permit = timeout_at(deadline, permits.clone().acquire_owned()).await;
                Some(permit.ok().and_then(Result::ok).ok_or(CallError::Deadline)?)
            }
        };
        if let Some(rate) = &state.requests {
            rate.take(1, deadline).await.map_err(|_| CallError::Deadline)?;
        }
        let mut tokens_taken = 0;
        if let Some(rate) = &state.tokens {
            // Estimate four bytes per token. The answer's tokens are added when they are known.
            tokens_taken = (info.request_bytes as u64 / 4).max(1);
            rate.take(tokens_taken, deadline).await.map_err(|_| CallError::Deadline)?;
        }
        let admission = breaker.admit(Instant::now()).map_err(|retry_after| CallError::CircuitOpen { retry_after })?;
        Ok((breaker, admission, permit, tokens_taken))
    }

    /// Records the outcome of the attempt and ends it.
    pub(crate) fn record_outcome(mut self, outcome: AttemptOutcome, usage: Usage) -> Attempt {
        self.close(outcome, usage)
    }

    fn close(&mut self, outcome: AttemptOutcome, usage: Usage) -> Attempt {
        self.is_recorded = true;
        let state = &self.state;
        let is_failure = outcome.is_transient()
            || self.status.is_some_and(|status| AttemptOutcome::of_status(status).is_transient());
        let ending = match outcome {
            AttemptOutcome::Cancelled if !is_failure => CallEnding::Unknown,
            _ if is_failure => CallEnding::Failure,
            _ => CallEnding::Success,
        };
        self.breaker.record(self.admission, ending, Instant::now());
        state.counts.in_flight.fetch_sub(1, Relaxed);
        if !matches!(outcome, AttemptOutcome::Ok | AttemptOutcome::Cancelled) {
            state.counts.failures.fetch_add(1, Relaxed);
        }
        let cost_usd = state.cost_usd(&self.info.target.model, usage);
        if let Some(tokens) = usage.total() {
            state.budget.add(tokens, cost_usd.unwrap_or(Decimal::ZERO), (state.now)());
            if let Some(rate) = &state.tokens {
                rate.add(tokens.saturating_sub(self.tokens_taken));
            }
        }
        let attempt = attempt(&self.info, outcome, self.status, usage, cost_usd, self.started);
        self.info.report(&attempt, self.response_bytes);
        attempt
    }
}

impl AttemptInfo {
    /// Logs the attempt and adds it to the journal.
    fn report(&self, attempt: &Attempt, response_bytes: usize) {
        log(self, attempt, response_bytes);
        if let Some(journal) = &self.journal {
            journal.add(attempt);
        }
    }
}

impl Drop for OpenAttempt {
    fn drop(&mut self) {
        if !self.is_recorded {
            self.close(AttemptOutcome::Cancelled, Usage::default());
        }
    }
}

fn attempt(
    info: &AttemptInfo,
    outcome: AttemptOutcome,
    status: Option<u16>,
    usage: Usage,
    cost_usd: Option<Decimal>,
    since: Instant,
) -> Attempt {
    Attempt {
        number: info.number,
        outcome,
        status,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cost_usd,
        latency_ms: u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// Logs sizes and names only, never bodies, keys or URLs.
fn log(info: &AttemptInfo, attempt: &Attempt, response_bytes: usize) {
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                target: "countersign_llm",
                purpose = info.purpose.as_str(),
                provider = &*info.target.provider,
                model = bounded_name(&info.target.model),
                attempt = attempt.number,
                outcome = attempt.outcome.as_str(),
                status = attempt.status,
                latency_ms = attempt.latency_ms,
                input_tokens = attempt.input_tokens,
                output_tokens = attempt.output_tokens,
                request_bytes = info.request_bytes,
                response_bytes,
                "model called"
            )
        };
    }
    if attempt.outcome == AttemptOutcome::Ok { line!(info) } else { line!(warn) }
}

/// Bounds the length of a model's name, which may come from outside.
fn bounded_name(model: &str) -> &str {
    &model[..model.floor_char_boundary(200)]
}
