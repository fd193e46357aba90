//! Metrics of exchanges and model calls.

use countersign_agents::Observation;
use countersign_domain::{RiskStatus, payload::AnswerEnd};
use countersign_llm::{Attempt, Purpose, Target};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};

use super::PENDING;

/// From a millisecond, for a simulated model, to two minutes, for a model that reasons.
const CALL_BUCKETS_S: [f64; 12] = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AnswerLabels {
    route: &'static str,
    status: &'static str,
}

/// There is no label for the model: callers of the gateway choose it, and could create metrics without bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    provider: String,
    purpose: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ProviderLabels {
    provider: String,
    purpose: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TokenLabels {
    provider: String,
    direction: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabels {
    status: &'static str,
}

/// Counters of exchanges. Clones share them.
#[derive(Clone)]
pub(crate) struct AnswerMetrics {
    answers: Family<AnswerLabels, Counter>,
    calls: Family<CallLabels, Counter>,
    durations: Family<ProviderLabels, Histogram>,
    tokens: Family<TokenLabels, Counter>,
    audited: Family<StatusLabels, Counter>,
    dropped: Counter,
}

impl Default for AnswerMetrics {
    fn default() -> Self {
        Self {
            answers: Family::default(),
            calls: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(CALL_BUCKETS_S)),
            tokens: Family::default(),
            audited: Family::default(),
            dropped: Counter::default(),
        }
    }
}

impl AnswerMetrics {
    pub(crate) fn count_answer(&self, route: &'static str, status: RiskStatus) {
        self.answers.get_or_create(&AnswerLabels { route, status: status.as_str() }).inc();
    }

    /// Counts an answer that was released before its audit.
    pub(crate) fn count_pending(&self, route: &'static str) {
        self.answers.get_or_create(&AnswerLabels { route, status: PENDING }).inc();
    }

    /// Counts an audit that came after the release.
    fn count_late_audit(&self, status: RiskStatus) {
        self.audited.get_or_create(&StatusLabels { status: status.as_str() }).inc();
    }

    pub(crate) fn count_failure(&self, route: &'static str, end: AnswerEnd) {
        self.answers.get_or_create(&AnswerLabels { route, status: end.status() }).inc();
    }

    /// Counts an exchange whose end could not be recorded, although its answer may have been released in whole or in part.
    pub(crate) fn count_unrecorded(&self) {
        self.dropped.inc();
    }

    /// Counts the model calls and the late audits that an agent has committed.
    pub(crate) fn observe(&self, observation: &Observation) {
        if let Some((purpose, target, attempts)) = observation.model_calls() {
            self.count_calls(purpose, target, attempts);
        }
        if let Observation::AnswerAudited { status, .. } = observation {
            self.count_late_audit(*status);
        }
    }

    pub(crate) fn count_calls(&self, purpose: Purpose, target: &Target, attempts: &[Attempt]) {
        for attempt in attempts {
            let (provider, purpose) = (target.provider.to_string(), purpose.as_str());
            let outcome = attempt.outcome.as_str();
            self.durations
                .get_or_create(&ProviderLabels { provider: provider.clone(), purpose })
                .observe(attempt.latency_ms as f64 / 1e3);
            for (direction, tokens) in [("input", attempt.input_tokens), ("output", attempt.output_tokens)] {
                if let Some(tokens) = tokens {
                    self.tokens.get_or_create(&TokenLabels { provider: provider.clone(), direction }).inc_by(tokens);
                }
            }
            self.calls.get_or_create(&CallLabels { provider, purpose, outcome }).inc();
        }
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("countersign_answers", "Exchanges, by outcome", self.answers.clone());
        registry.register("countersign_model_calls", "Attempts at model calls, by outcome", self.calls.clone());
        registry.register(
            "countersign_model_call_duration_seconds",
            "Duration of an attempt at a model call",
            self.durations.clone(),
        );
        registry.register("countersign_model_tokens", "Tokens as counted by the providers", self.tokens.clone());
        registry.register("countersign_pending_audited", "Answers audited after their release", self.audited.clone());
        registry.register(
            "countersign_audit_dropped",
            "Answers that may have been released without a record",
            self.dropped.clone(),
        );
    }
}
