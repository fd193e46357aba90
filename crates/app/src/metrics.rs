//! Metrics: counters that are updated as things happen, and values that are read at each scrape.

use std::{fmt, time::Duration};

use countersign_agents::{AgentStatus, Runtime};
use countersign_domain::{Time, payload::Denial};
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

use crate::{answers::AnswerMetrics, investigations::InvestigationMetrics};

pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// From a response that needs no disk to one that waited for a failing disk.
const BUCKETS_S: [f64; 13] = [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

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
        registry.register("countersign_http_requests", "HTTP requests answered", metrics.requests.clone());
        registry.register(
            "countersign_http_request_duration_seconds",
            "Time from a request's headers to its response",
            metrics.durations.clone(),
        );
        registry.register("countersign_http_requests_in_flight", "HTTP requests in flight", metrics.in_flight.clone());
        registry.register(
            "countersign_access_denied",
            "Requests refused because of the caller, the origin or the host",
            metrics.denied.clone(),
        );
        registry.register("countersign_live_clients", "Live clients connected", metrics.live_clients.clone());
        answers.register(&mut registry);
        investigations.register(&mut registry);
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("countersign_build", "The version that is running", build);
        let started_at = store.seams().now();
        let scraped = ScrapedValues { store: store.clone(), runtime: runtime.clone(), started_at };
        registry.register_collector(Box::new(scraped));
        Self { registry, ..metrics }
    }

    pub(crate) fn count_request(&self, method: &'static str, route: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&RequestLabels { method, route, status }).inc();
        self.durations.get_or_create(&RouteLabels { route }).observe(took.as_secs_f64());
    }

    pub(crate) fn count_denial(&self, reason: Denial) {
        self.denied.get_or_create(&ReasonLabels { reason: denial_label(reason) }).inc();
    }

    pub(crate) fn render(&self) -> Result<String, fmt::Error> {
        let mut text = String::with_capacity(8 * 1024);
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// The same names as in `ACCESS_DENIED` events.
pub(crate) fn denial_label(reason: Denial) -> &'static str {
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

/// Values that are read from the store, the agents and the operating system at each scrape.
struct ScrapedValues {
    store: Store,
    runtime: Runtime,
    started_at: Time,
}

impl fmt::Debug for ScrapedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScrapedValues")
    }
}

impl Collector for ScrapedValues {
    fn encode(&self, mut to: DescriptorEncoder<'_>) -> fmt::Result {
        gauge(&mut to, "countersign_events", "Events in the log", self.store.known_size() as f64)?;
        let signed = self.store.signed_size() as f64;
        gauge(&mut to, "countersign_ledger_signed_events", "Events covered by the newest checkpoint", signed)?;
        let waiting = self.store.waiting() as f64;
        gauge(&mut to, "countersign_writer_waiting_jobs", "Jobs waiting for the writer", waiting)?;
        let agents = self.runtime.statuses();
        let count = |read: fn(&AgentStatus) -> u64| read;
        agent_counter(&mut to, "countersign_agent_processed", "Events processed", &agents, count(|a| a.processed))?;
        agent_counter(&mut to, "countersign_agent_failed", "Failed attempts", &agents, count(|a| a.failed))?;
        agent_counter(&mut to, "countersign_agent_dead_lettered", "Events moved to the dead letters", &agents, |a| {
            a.dead_lettered
        })?;
        agent_gauge(&mut to, "countersign_agent_lag", "Events not processed yet", &agents, |a| a.lag as f64)?;
        agent_gauge(
            &mut to,
            "countersign_agent_heartbeat_timestamp_seconds",
            "Time of the last heartbeat",
            &agents,
            |a| seconds(a.heartbeat_at),
        )?;
        let started = seconds(self.started_at);
        gauge(&mut to, "process_start_time_seconds", "Start time of the process", started)?;
        match resident_bytes() {
            Some(bytes) => {
                gauge(&mut to, "process_resident_memory_bytes", "Resident memory of the process", bytes as f64)
            }
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

/// From `/proc`, which only Linux has.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}
