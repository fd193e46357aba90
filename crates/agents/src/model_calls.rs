//! The record of calls to models: one `MODEL_CALLED` event per attempt.

use countersign_domain::payload::ModelCalled;
use countersign_llm::{Attempt, Purpose, Target};

use crate::runtime::AgentDecision;

/// The events for the attempts of one call. Empty without a model.
pub(crate) fn model_calls(purpose: Purpose, target: Option<&Target>, attempts: &[Attempt]) -> Vec<AgentDecision> {
    let Some(target) = target else { return Vec::new() };
    attempts.iter().map(|attempt| model_called(purpose, target, attempt).into()).collect()
}

pub fn model_called(purpose: Purpose, target: &Target, attempt: &Attempt) -> ModelCalled {
    ModelCalled {
        purpose: purpose.as_str().to_owned(),
        provider: target.provider.to_string(),
        model: target.model.to_string(),
        attempt: attempt.number,
        outcome: attempt.outcome.as_str().to_owned(),
        input_tokens: attempt.input_tokens,
        output_tokens: attempt.output_tokens,
        cost_usd: attempt.cost_usd.map(|cost| cost.normalize().to_string()),
        latency_ms: attempt.latency_ms,
    }
}
