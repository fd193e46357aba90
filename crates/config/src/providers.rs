//! Providers of models: their base URLs, keys, prices and limits.

use rust_decimal::Decimal;

use crate::layers::ResolvedSettings;
use crate::list_entries::ListEntry;
use crate::secret::Secret;

#[derive(Clone, Debug)]
pub struct ProvidersConfig {
    pub groq_api_key: Option<Secret>,
    pub gemini_api_key: Option<Secret>,
    pub openai_api_key: Option<Secret>,
    pub anthropic_api_key: Option<Secret>,
    /// Base URLs include the version's path and have no trailing slash.
    pub groq_base_url: String,
    pub gemini_base_url: String,
    pub openai_base_url: String,
    pub anthropic_base_url: String,
    pub ollama_base_url: String,
    pub compatible: Vec<CompatibleProvider>,
    pub prices: Vec<ModelPrice>,
    pub limits: Vec<ProviderLimits>,
    /// The maximum size of an answer.
    pub answer_bytes_max: usize,
    /// Whether to check at start that each provider accepts its key.
    pub probe_keys: bool,
}

/// A provider with an OpenAI-compatible API.
#[derive(Clone, Debug)]
pub struct CompatibleProvider {
    pub name: String,
    pub base_url: String,
    pub api_key: Option<Secret>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelPrice {
    pub provider: String,
    pub model: String,
    /// US dollars per million tokens.
    pub input_usd_per_mtok: Decimal,
    pub output_usd_per_mtok: Decimal,
}

/// `None` means no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderLimits {
    pub provider: String,
    pub concurrency_max: Option<u64>,
    pub requests_per_minute: Option<u64>,
    pub tokens_per_minute: Option<u64>,
    pub tokens_per_day: Option<u64>,
    pub usd_per_day: Option<Decimal>,
}

/// A provider with built-in settings.
pub(crate) struct KnownProvider {
    pub(crate) name: &'static str,
    default_model: &'static str,
    /// The setting of its key, if it needs one.
    pub(crate) key: Option<&'static str>,
}

pub(crate) const KNOWN: &[KnownProvider] = &[
    KnownProvider { name: "groq", default_model: "llama-3.3-70b-versatile", key: Some("providers.groq_api_key") },
    KnownProvider { name: "gemini", default_model: "gemini-2.5-flash", key: Some("providers.gemini_api_key") },
    KnownProvider { name: "openai", default_model: "gpt-4.1-mini", key: Some("providers.openai_api_key") },
    KnownProvider { name: "anthropic", default_model: "claude-sonnet-4-5", key: Some("providers.anthropic_api_key") },
    KnownProvider { name: "ollama", default_model: "llama3.2", key: None },
];

pub(crate) fn known(name: &str) -> Option<&'static KnownProvider> {
    KNOWN.iter().find(|known| known.name == name)
}

pub(crate) fn default_model(provider: &str) -> Option<&'static str> {
    known(provider).map(|known| known.default_model)
}

impl ProvidersConfig {
    pub(crate) fn from_values(values: &ResolvedSettings) -> Self {
        Self {
            groq_api_key: values.secret("providers.groq_api_key"),
            gemini_api_key: values.secret("providers.gemini_api_key"),
            openai_api_key: values.secret("providers.openai_api_key"),
            anthropic_api_key: values.secret("providers.anthropic_api_key"),
            groq_base_url: values.text("providers.groq_base_url"),
            gemini_base_url: values.text("providers.gemini_base_url"),
            openai_base_url: values.text("providers.openai_base_url"),
            anthropic_base_url: values.text("providers.anthropic_base_url"),
            ollama_base_url: values.text("providers.ollama_base_url"),
            compatible: values.entries("providers.compatible").iter().map(compatible).collect(),
            prices: values.entries("providers.prices").iter().map(price).collect(),
            limits: values.entries("providers.limits").iter().map(limits).collect(),
            answer_bytes_max: values.size("providers.answer_bytes_max"),
            probe_keys: values.flag("providers.probe_keys"),
        }
    }
}

fn compatible(entry: &ListEntry) -> CompatibleProvider {
    let api_key = entry.secret("api_key").or_else(|| entry.secret("api_key_env")).cloned();
    CompatibleProvider { name: text_or_empty(entry, "name"), base_url: text_or_empty(entry, "base_url"), api_key }
}

fn price(entry: &ListEntry) -> ModelPrice {
    ModelPrice {
        provider: text_or_empty(entry, "provider"),
        model: text_or_empty(entry, "model"),
        input_usd_per_mtok: entry.decimal("input_usd_per_mtok").unwrap_or_default(),
        output_usd_per_mtok: entry.decimal("output_usd_per_mtok").unwrap_or_default(),
    }
}

fn limits(entry: &ListEntry) -> ProviderLimits {
    ProviderLimits {
        provider: text_or_empty(entry, "provider"),
        concurrency_max: entry.number("concurrency_max"),
        requests_per_minute: entry.number("requests_per_minute"),
        tokens_per_minute: entry.number("tokens_per_minute"),
        tokens_per_day: entry.number("tokens_per_day"),
        usd_per_day: entry.decimal("usd_per_day"),
    }
}

fn text_or_empty(entry: &ListEntry, field: &str) -> String {
    entry.text(field).unwrap_or_default().to_owned()
}
