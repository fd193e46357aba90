//! The state of providers, and whether they accept their keys.

use crate::breaker::BreakerState;
use crate::models::Models;
use crate::provider::WireFormat;
use crate::provider_state::ProviderState;
use bytes::Bytes;
use countersign_outbound::{OutboundRequest, read_body};
use hyper::Method;
use rust_decimal::Decimal;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::time::{Instant, timeout};

const PROBE_TIMEOUT: Duration = Duration::from_secs(5);
const PROBE_BYTES_MAX: usize = 4 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderHealth {
    pub name: String,
    pub wire_format: WireFormat,
    /// Whether it has a key, or needs none because it is simulated or on plain HTTP.
    pub configured: bool,
    /// The breakers of its models, sorted by name.
    pub breakers: Vec<(Arc<str>, BreakerState)>,
    pub in_flight: usize,
    pub calls: u64,
    pub failures: u64,
    pub tokens_today: u64,
    pub cost_today_usd: Decimal,
    /// The daily budgets, if set.
    pub tokens_per_day: Option<u64>,
    pub usd_per_day: Option<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    Ok,
    /// The provider does not accept the key: 401, 403, or a 400 of Gemini that says so.
    Refused(u16),
    Unreachable(String),
}

impl Models {
    pub fn health(&self) -> Vec<ProviderHealth> {
        self.0.providers.iter().map(|state| self.health_of(state)).collect()
    }

    /// Makes one cheap authenticated request.
    pub async fn probe(&self, provider: &str) -> Probe {
        let Some(state) = self.provider(provider) else { return Probe::Unreachable("no such provider".into()) };
        let endpoint = match state.wire_format {
            WireFormat::Simulated => return Probe::Ok,
            WireFormat::Gemini => &state.native,
            WireFormat::OpenAi | WireFormat::Anthropic => &state.models,
        };
        let (uri, headers) = (endpoint.uri.clone(), endpoint.headers.clone());
        let request = OutboundRequest { method: Method::GET, uri, headers, body: Bytes::new() };
        match timeout(PROBE_TIMEOUT, self.probe_with(&request)).await {
            Ok(probe) => probe,
            Err(_) => Probe::Unreachable(format!("no answer within {} s", PROBE_TIMEOUT.as_secs())),
        }
    }

    async fn probe_with(&self, request: &OutboundRequest) -> Probe {
        let (head, body) = match self.0.http.send(request).await {
            Ok(response) => response.into_parts(),
            Err(error) => return Probe::Unreachable(error.to_string()),
        };
        match head.status.as_u16() {
            200..=299 => Probe::Ok,
            status @ (401 | 403) => Probe::Refused(status),
            400 => match read_body(body, PROBE_BYTES_MAX).await {
                Ok(body) if is_bad_key(&body) => Probe::Refused(400),
                _ => Probe::Unreachable("status 400".into()),
            },
            status => Probe::Unreachable(format!("status {status}")),
        }
    }

    fn health_of(&self, state: &ProviderState) -> ProviderHealth {
        let (now, today) = (Instant::now(), state.budget.today((self.0.seams.now)()));
        let mut breakers: Vec<_> =
            state.breakers().into_iter().map(|(model, breaker)| (model, breaker.state(now))).collect();
        breakers.sort_by(|a, b| a.0.cmp(&b.0));
        ProviderHealth {
            name: state.name.clone(),
            wire_format: state.wire_format,
            configured: state.key.is_some() || state.base.starts_with("http://"),
            breakers,
            in_flight: state.counts.in_flight.load(Relaxed),
            calls: state.counts.calls.load(Relaxed),
            failures: state.counts.failures.load(Relaxed),
            tokens_today: today.tokens,
            tokens_per_day: state.budget.tokens_max,
            usd_per_day: state.budget.usd_max,
            cost_today_usd: today.usd,
        }
    }
}

fn is_bad_key(body: &[u8]) -> bool {
    const MARK: &[u8] = b"API_KEY_INVALID";
    body.windows(MARK.len()).any(|window| window == MARK)
}
