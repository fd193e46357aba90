//! What is counted as it happens, and what is read when somebody asks.

use std::{fmt, time::Duration};

use countersign_agents::{AgentStatus, Observation, Runtime};
use countersign_domain::{
    RiskStatus, Time,
    payload::{AnswerEnd, Denial},
};
use countersign_llm::{Attempt, Purpose, Target};
use countersign_store::Store;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text::encode},
    metrics::{
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
        info::Info,
    },
    registry::Registry,
};

use crate::{answers::PENDING, investigations::InvestigationMetrics};

pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// From a fast answer out of memory to one that waited for a disk in trouble.
const BUCKETS_S: [f64; 13] = [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// From a local model's first word to one that thinks for minutes.
const CALL_BUCKETS_S: [f64; 12] = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabels {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AgentLabels {
    agent: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AnswerLabels {
    route: &'static str,
    status: &'static str,
}

/// Not by model: whoever calls the gateway chooses that, and could make the metrics grow.
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

/// What is counted where answers are made.
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
    pub(crate) fn answered(&self, route: &'static str, status: RiskStatus) {
        self.answers.get_or_create(&AnswerLabels { route, status: status.as_str() }).inc();
    }

    /// Released, and judged later.
    pub(crate) fn pending(&self, route: &'static str) {
        self.answers.get_or_create(&AnswerLabels { route, status: PENDING }).inc();
    }

    /// Judged after its release.
    fn audited(&self, status: RiskStatus) {
        self.audited.get_or_create(&StatusLabels { status: status.as_str() }).inc();
    }

    pub(crate) fn failed(&self, route: &'static str, end: AnswerEnd) {
        self.answers.get_or_create(&AnswerLabels { route, status: end.status() }).inc();
    }

    /// Released, at least in part, and not on record.
    pub(crate) fn dropped(&self) {
        self.dropped.inc();
    }

    /// Counts what an agent committed.
    pub(crate) fn observe(&self, observation: &Observation) {
        if let Some((purpose, target, attempts)) = observation.model_calls() {
            self.calls(purpose, target, attempts);
        }
        if let Observation::AnswerAudited { status, .. } = observation {
            self.audited(*status);
        }
    }

    pub(crate) fn calls(&self, purpose: Purpose, target: &Target, attempts: &[Attempt]) {
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

    fn register(&self, registry: &mut Registry) {
        registry.register("countersign_answers", "Exchanges by how they ended", self.answers.clone());
        registry.register("countersign_model_calls", "Attempts at models by outcome", self.calls.clone());
        registry.register(
            "countersign_model_call_duration_seconds",
            "Time of one attempt at a model",
            self.durations.clone(),
        );
        registry.register("countersign_model_tokens", "Tokens that providers counted", self.tokens.clone());
        registry.register("countersign_pending_audited", "Answers judged after their release", self.audited.clone());
        registry.register("countersign_audit_dropped", "Answers released without their record", self.dropped.clone());
    }
}

pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram>,
    denied: Family<ReasonLabels, Counter>,
    pub(crate) in_flight: Gauge,
    pub(crate) live_clients: Gauge,
}

impl Metrics {
    pub(crate) fn new(
        store: &Store,
        runtime: &Runtime,
        answers: &AnswerMetrics,
        investigations: &InvestigationMetrics,
    ) -> Self {
        let metrics = Self {
            registry: Registry::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(BUCKETS_S)),
            denied: Family::default(),
            in_flight: Gauge::default(),
            live_clients: Gauge::default(),
        };
        let mut registry = Registry::default();
        registry.register("countersign_http_requests", "Requests answered", metrics.requests.clone());
        registry.register(
            "countersign_http_request_duration_seconds",
            "Time from a request's headers to its answer",
            metrics.durations.clone(),
        );
        registry.register("countersign_http_requests_in_flight", "Requests being answered", metrics.in_flight.clone());
        registry.register("countersign_access_denied", "Requests refused for who or whence", metrics.denied.clone());
        registry.register("countersign_live_clients", "Open live connections", metrics.live_clients.clone());
        answers.register(&mut registry);
        investigations.register(&mut registry);
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("countersign_build", "What is running", build);
        let started_at = store.seams().now();
        registry.register_collector(Box::new(Readings { store: store.clone(), runtime: runtime.clone(), started_at }));
        Self { registry, ..metrics }
    }

    pub(crate) fn answered(&self, method: &'static str, route: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&RequestLabels { method, route, status }).inc();
        self.durations.get_or_create(&RouteLabels { route }).observe(took.as_secs_f64());
    }

    pub(crate) fn denied(&self, reason: Denial) {
        self.denied.get_or_create(&ReasonLabels { reason: word(reason) }).inc();
    }

    pub(crate) fn render(&self) -> Result<String, fmt::Error> {
        let mut text = String::with_capacity(8 * 1024);
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// The same words as in `ACCESS_DENIED` events.
pub(crate) fn word(reason: Denial) -> &'static str {
    match reason {
        Denial::NoKey => "no_key",
        Denial::WrongKey => "wrong_key",
        Denial::ExpiredKey => "expired_key",
        Denial::RevokedKey => "revoked_key",
        Denial::Role => "role",
        Denial::Origin => "origin",
        Denial::Host => "host",
        Denial::Csrf => "csrf",
    }
}

/// What the store, the agents and the operating system say when they are asked.
struct Readings {
    store: Store,
    runtime: Runtime,
    started_at: Time,
}

impl fmt::Debug for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Readings")
    }
}

impl Collector for Readings {
    fn encode(&self, mut to: DescriptorEncoder<'_>) -> fmt::Result {
        gauge(&mut to, "countersign_events", "Events in the log", self.store.known_size() as f64)?;
        let signed = self.store.signed_size() as f64;
        gauge(&mut to, "countersign_ledger_signed_events", "Events under the newest checkpoint", signed)?;
        let waiting = self.store.waiting() as f64;
        gauge(&mut to, "countersign_writer_waiting_jobs", "Jobs that wait for the writer", waiting)?;
        let agents = self.runtime.statuses();
        let count = |read: fn(&AgentStatus) -> u64| read;
        agent_counter(&mut to, "countersign_agent_processed", "Events handled", &agents, count(|a| a.processed))?;
        agent_counter(&mut to, "countersign_agent_failed", "Failed attempts", &agents, count(|a| a.failed))?;
        agent_counter(&mut to, "countersign_agent_dead_lettered", "Events given up", &agents, |a| a.dead_lettered)?;
        agent_gauge(&mut to, "countersign_agent_lag", "Events not passed yet", &agents, |a| a.lag as f64)?;
        agent_gauge(
            &mut to,
            "countersign_agent_heartbeat_timestamp_seconds",
            "When it last gave a sign of life",
            &agents,
            |a| seconds(a.heartbeat_at),
        )?;
        let started = seconds(self.started_at);
        gauge(&mut to, "process_start_time_seconds", "When the process started", started)?;
        match resident_bytes() {
            Some(bytes) => gauge(&mut to, "process_resident_memory_bytes", "Memory in use", bytes as f64),
            None => Ok(()),
        }
    }
}

fn gauge(to: &mut DescriptorEncoder<'_>, name: &str, help: &str, value: f64) -> fmt::Result {
    let gauge = ConstGauge::new(value);
    gauge.encode(to.encode_descriptor(name, help, None, gauge.metric_type())?)
}

fn agent_gauge(
    to: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    agents: &[AgentStatus],
    read: fn(&AgentStatus) -> f64,
) -> fmt::Result {
    let mut family = to.encode_descriptor(name, help, None, ConstGauge::new(0_f64).metric_type())?;
    agents.iter().try_for_each(|agent| {
        let labels = AgentLabels { agent: agent.name.clone() };
        ConstGauge::new(read(agent)).encode(family.encode_family(&labels)?)
    })
}

fn agent_counter(
    to: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    agents: &[AgentStatus],
    read: fn(&AgentStatus) -> u64,
) -> fmt::Result {
    let mut family = to.encode_descriptor(name, help, None, ConstCounter::new(0_u64).metric_type())?;
    agents.iter().try_for_each(|agent| {
        let labels = AgentLabels { agent: agent.name.clone() };
        ConstCounter::new(read(agent)).encode(family.encode_family(&labels)?)
    })
}

fn seconds(at: Time) -> f64 {
    at.micros() as f64 / 1e6
}

/// As Linux tells it; other systems have no file for it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}
