//! Who can be asked for an answer: where, with which key, at what price and within which limits.

use rust_decimal::Decimal;

use super::layers::Resolved;
use super::rows::Row;
use super::secret::Secret;

#[derive(Clone, Debug)]
pub struct Providers {
    pub groq_api_key: Option<Secret>,
    pub gemini_api_key: Option<Secret>,
    pub openai_api_key: Option<Secret>,
    pub anthropic_api_key: Option<Secret>,
    /// Base addresses include the version's path and have no last slash.
    pub groq_base_url: String,
    pub gemini_base_url: String,
    pub openai_base_url: String,
    pub anthropic_base_url: String,
    pub ollama_base_url: String,
    pub compatible: Vec<Compatible>,
    pub prices: Vec<Price>,
    pub limits: Vec<ProviderLimits>,
    /// The largest answer that is read.
    pub answer_bytes_max: usize,
    /// Whether each provider is asked at start if it accepts its key.
    pub probe_keys: bool,
}

/// A provider that speaks OpenAI's wire format, under a name of its own.
#[derive(Clone, Debug)]
pub struct Compatible {
    pub name: String,
    pub base_url: String,
    pub api_key: Option<Secret>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    pub provider: String,
    pub model: String,
    /// US dollars for a million tokens.
    pub input_usd_per_mtok: Decimal,
    pub output_usd_per_mtok: Decimal,
}

/// `None` is no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderLimits {
    pub provider: String,
    pub concurrency_max: Option<u64>,
    pub requests_per_minute: Option<u64>,
    pub tokens_per_minute: Option<u64>,
    pub tokens_per_day: Option<u64>,
    pub usd_per_day: Option<Decimal>,
}

/// A provider that the program knows by itself.
pub(super) struct Known {
    pub(super) name: &'static str,
    default_model: &'static str,
    /// The setting without which it cannot be asked.
    pub(super) key: Option<&'static str>,
}

pub(super) const KNOWN: &[Known] = &[
    Known { name: "groq", default_model: "llama-3.3-70b-versatile", key: Some("providers.groq_api_key") },
    Known { name: "gemini", default_model: "gemini-2.5-flash", key: Some("providers.gemini_api_key") },
    Known { name: "openai", default_model: "gpt-4.1-mini", key: Some("providers.openai_api_key") },
    Known { name: "anthropic", default_model: "claude-sonnet-4-5", key: Some("providers.anthropic_api_key") },
    Known { name: "ollama", default_model: "llama3.2", key: None },
];

pub(super) fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

pub(super) fn default_model(provider: &str) -> Option<&'static str> {
    known(provider).map(|known| known.default_model)
}

impl Providers {
    pub(super) fn from_values(values: &Resolved) -> Self {
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
            compatible: values.rows("providers.compatible").iter().map(compatible).collect(),
            prices: values.rows("providers.prices").iter().map(price).collect(),
            limits: values.rows("providers.limits").iter().map(limits).collect(),
            answer_bytes_max: values.size("providers.answer_bytes_max"),
            probe_keys: values.flag("providers.probe_keys"),
        }
    }
}

fn compatible(row: &Row) -> Compatible {
    let api_key = row.secret("api_key").or_else(|| row.secret("api_key_env")).cloned();
    Compatible { name: word(row, "name"), base_url: word(row, "base_url"), api_key }
}

fn price(row: &Row) -> Price {
    Price {
        provider: word(row, "provider"),
        model: word(row, "model"),
        input_usd_per_mtok: row.decimal("input_usd_per_mtok").unwrap_or_default(),
        output_usd_per_mtok: row.decimal("output_usd_per_mtok").unwrap_or_default(),
    }
}

fn limits(row: &Row) -> ProviderLimits {
    ProviderLimits {
        provider: word(row, "provider"),
        concurrency_max: row.number("concurrency_max"),
        requests_per_minute: row.number("requests_per_minute"),
        tokens_per_minute: row.number("tokens_per_minute"),
        tokens_per_day: row.number("tokens_per_day"),
        usd_per_day: row.decimal("usd_per_day"),
    }
}

fn word(row: &Row, field: &str) -> String {
    row.text(field).unwrap_or_default().to_owned()
}
