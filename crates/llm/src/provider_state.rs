//! A provider at run time: addresses and headers, built once, and the state that its calls share.

use crate::breaker::Breaker;
use crate::budget::Budget;
use crate::limits::CallRate;
use crate::models::Now;
use crate::price::{self, Price};
use crate::prompt::Usage;
use crate::provider::{Provider, ProviderKey, SettingsError, WireFormat, check_name};
use countersign_outbound::{SetupError, check_base_url};
use hyper::header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT};
use hyper::{HeaderMap, Uri};
use rust_decimal::Decimal;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Callers of the gateway choose the names of models, so the number of breakers is bounded. Further models share one breaker.
const BREAKERS_MAX: usize = 256;
/// The maximum number of models to remember as not supporting JSON Schemas.
const SCHEMALESS_MAX: usize = 64;

pub(crate) struct ProviderState {
    pub(crate) name: String,
    pub(crate) wire_format: WireFormat,
    pub(crate) base: String,
    pub(crate) key: Option<ProviderKey>,
    /// The provider's own chat path. For Gemini only its beginning: the model's name is appended for each call.
    pub(crate) native: ProviderEndpoint,
    /// The OpenAI-compatible chat path.
    pub(crate) compatible: ProviderEndpoint,
    /// The list of models.
    pub(crate) models: ProviderEndpoint,
    pub(crate) budget: Budget,
    pub(crate) permits: Option<Arc<Semaphore>>,
    pub(crate) requests: Option<CallRate>,
    pub(crate) tokens: Option<CallRate>,
    pub(crate) counts: ProviderCounts,
    pub(crate) now: Now,
    prices: Vec<Price>,
    breakers: Mutex<HashMap<Arc<str>, Arc<Breaker>>>,
    shared_breaker: Arc<Breaker>,
    schemaless: Mutex<Vec<Arc<str>>>,
}

/// A URL of the provider, with the headers of requests to it.
#[derive(Clone, Debug)]
pub(crate) struct ProviderEndpoint {
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
}

/// Counts since the start. Each attempt counts as a call.
#[derive(Debug, Default)]
pub(crate) struct ProviderCounts {
    pub(crate) in_flight: AtomicUsize,
    pub(crate) calls: AtomicU64,
    pub(crate) failures: AtomicU64,
}

impl ProviderState {
    pub(crate) fn new(provider: &Provider, prices: &[Price], now: Now) -> Result<Self, SettingsError> {
        check_name(&provider.name)?;
        let base = match provider.wire_format {
            // Never used, but it must be valid.
            WireFormat::Simulated => "http://simulated.invalid/v1",
            WireFormat::OpenAi | WireFormat::Gemini | WireFormat::Anthropic => {
                check_base_url(&provider.name, &provider.base_url)?
            }
        };
        let [native, compatible, models] = endpoints(provider, base)?;
        let limits = &provider.limits;
        Ok(Self {
            name: provider.name.clone(),
            wire_format: provider.wire_format,
            base: base.to_owned(),
            key: provider.key.clone(),
            native,
            compatible,
            models,
            budget: Budget::new(limits),
            permits: limits.concurrency_max.map(|max| Arc::new(Semaphore::new(max.clamp(1, Semaphore::MAX_PERMITS)))),
            requests: limits.requests_per_minute.map(CallRate::new),
            tokens: limits.tokens_per_minute.map(CallRate::new),
            counts: ProviderCounts::default(),
            now,
            prices: prices.iter().filter(|price| price.provider == provider.name).cloned().collect(),
            breakers: Mutex::default(),
            shared_breaker: Arc::new(Breaker::new()),
            schemaless: Mutex::default(),
        })
    }

    pub(crate) fn breaker(&self, model: &Arc<str>) -> Arc<Breaker> {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(breaker) = breakers.get(model) {
            return breaker.clone();
        }
        if breakers.len() >= BREAKERS_MAX {
            let now = Instant::now();
            breakers.retain(|_, breaker| Arc::strong_count(breaker) > 1 || !breaker.is_idle(now));
        }
        if breakers.len() >= BREAKERS_MAX {
            return self.shared_breaker.clone();
        }
        breakers.entry(model.clone()).or_insert_with(|| Arc::new(Breaker::new())).clone()
    }

    pub(crate) fn breakers(&self) -> Vec<(Arc<str>, Arc<Breaker>)> {
        let breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        breakers.iter().map(|(model, breaker)| (model.clone(), breaker.clone())).collect()
    }

    pub(crate) fn cost_usd(&self, model: &str, usage: Usage) -> Option<Decimal> {
        price::cost_usd(&self.prices, &self.name, model, usage)
    }

    pub(crate) fn supports_schemas(&self, model: &str) -> bool {
        let schemaless = self.schemaless.lock().unwrap_or_else(PoisonError::into_inner);
        !schemaless.iter().any(|name| **name == *model)
    }

    pub(crate) fn remember_schemaless(&self, model: &Arc<str>) {
        let mut schemaless = self.schemaless.lock().unwrap_or_else(PoisonError::into_inner);
        if schemaless.len() < SCHEMALESS_MAX && !schemaless.contains(model) {
            schemaless.push(model.clone());
        }
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(ProviderKey::expose)
    }
}

fn endpoints(provider: &Provider, base: &str) -> Result<[ProviderEndpoint; 3], SetupError> {
    let endpoint = |path: &str, headers: &HeaderMap| -> Result<ProviderEndpoint, SetupError> {
        let bad = |_| SetupError::BaseUrl { name: provider.name.clone(), problem: "is not a URL" };
        Ok(ProviderEndpoint { uri: format!("{base}{path}").parse().map_err(bad)?, headers: headers.clone() })
    };
    let bearer = headers(provider, AUTHORIZATION, "Bearer ")?;
    match provider.wire_format {
        WireFormat::OpenAi | WireFormat::Simulated => {
            let chat = endpoint("/chat/completions", &bearer)?;
            Ok([chat.clone(), chat, endpoint("/models", &bearer)?])
        }
        WireFormat::Gemini => {
            let native = headers(provider, HeaderName::from_static("x-goog-api-key"), "")?;
            let compatible = endpoint("/openai/chat/completions", &bearer)?;
            Ok([endpoint("/models", &native)?, compatible, endpoint("/openai/models", &bearer)?])
        }
        WireFormat::Anthropic => {
            let mut native = headers(provider, HeaderName::from_static("x-api-key"), "")?;
            native.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
            let compatible = endpoint("/chat/completions", &bearer)?;
            Ok([endpoint("/messages", &native)?, compatible, endpoint("/models", &native)?])
        }
    }
}

fn headers(provider: &Provider, name: HeaderName, scheme: &str) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers.insert(USER_AGENT, HeaderValue::from_static(countersign_outbound::USER_AGENT));
    if let Some(key) = &provider.key {
        let bad = || SetupError::Key { name: provider.name.clone() };
        if key.expose().is_empty() || !key.expose().bytes().all(|b| b.is_ascii_graphic()) {
            return Err(bad());
        }
        let mut value = HeaderValue::from_str(&format!("{scheme}{}", key.expose())).map_err(|_| bad())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}
