//! The table of all settings. To add one, add a row here, a field in `Config` (`lib.rs`), and the line in `assemble.rs`
//! that fills it.

use crate::list_fields::{self, ListField};

use ValueKind::{Address, Bytes, Choice, Count, Flag, List, Model, Origins, Path, Publish, Secret, Text, Url};

#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) key: &'static str,
    pub(crate) variable: Option<&'static str>,
    pub(crate) kind: ValueKind,
    /// As text, parsed like any other value.
    pub(crate) default: Option<&'static str>,
    /// The default in the hosted profile, if it differs.
    pub(crate) hosted_default: Option<&'static str>,
    pub(crate) description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Address,
    Path,
    Choice(&'static [&'static str]),
    Origins,
    Text,
    Secret,
    Bytes {
        min: u64,
        max: u64,
    },
    Count {
        min: u64,
        max: u64,
    },
    /// At least zero.
    Decimal {
        max: u64,
    },
    Flag,
    /// `simulated`, `builtin`, `provider` or `provider/model`.
    Model,
    /// A model's name, or a prefix followed by `*`.
    Pattern,
    /// Lower-case letters, digits and dashes.
    Name,
    /// No spaces.
    Word,
    Url,
    /// A URL to post to. Unlike in [`ValueKind::Url`], a trailing slash is kept.
    PostUrl,
    /// A witness's public key.
    WitnessKey,
    /// A URL to post to, or a file.
    Publish,
    /// Names of events separated by commas, or `*`.
    Events,
    /// The name of a variable that holds a secret.
    SecretVariable,
    /// Entries with several fields each. Only the file can set them.
    List(&'static [ListField]),
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const HOUR_MS: u64 = 3_600_000;
const TIMEOUT: ValueKind = Count { min: 100, max: HOUR_MS };

/// The minimum length of a section.
const CHARS: ValueKind = Count { min: 0, max: 10_000 };

pub(crate) const MODES: &[&str] = &["observe", "enforce"];
pub(crate) const ON_MISSING: &[&str] = &["warn", "refuse"];
pub(crate) const ON_UNAUDITED: &[&str] = &["allow", "block"];

pub(crate) const SETTINGS: &[Setting] = &[
    setting("listen", Address, "127.0.0.1:8080", "Address and port that the server listens on").from("COUNTERSIGN_LISTEN"),
    setting("data_dir", Path, "./countersign-data", "Directory of the database and the keys")
        .from("COUNTERSIGN_DATA_DIR"),
    setting(
        "profile",
        Choice(&["embedded", "hosted"]),
        "embedded",
        "embedded: SQLite and no key on loopback; hosted: Postgres, models of providers, keys for everybody",
    )
    .from("COUNTERSIGN_PROFILE"),
    setting("frontend_url", Origins, "http://localhost:3000", "Browser origins allowed besides the server's own")
        .from("FRONTEND_URL"),
    setting("worker", Model, "simulated", "Model that answers: simulated, provider or provider/model")
        .from("COUNTERSIGN_WORKER")
        .hosted("groq"),
    setting("auditor", Model, "builtin", "Model that audits in addition to the built-in inspectors: builtin, provider or provider/model")
        .from("COUNTERSIGN_AUDITOR")
        .hosted("gemini"),
    setting(
        "writer",
        Model,
        "builtin",
        "Model that writes reports: builtin, provider, provider/model, or simulated (makes mistakes on purpose, for demos)",
    )
    .from("COUNTERSIGN_WRITER")
    .hosted("gemini"),
    setting("supervisor", Model, "builtin", "Model that judges reports in addition to the built-in report check: builtin, provider or provider/model")
        .from("COUNTERSIGN_SUPERVISOR")
        .hosted("gemini"),
    without_default("database_url", Secret, "Postgres database instead of SQLite in the data directory: postgres://user:password@host/name")
        .from("DATABASE_URL"),
    without_default("nats_url", Secret, "NATS JetStream instead of in-process (not part of this version)")
        .from("NATS_URL"),
    setting("log.format", Choice(&["json", "pretty"]), "pretty", "Format of log lines: for programs or for people")
        .from("COUNTERSIGN_LOG_FORMAT"),
    setting("log.filter", Text, "info", "Which log lines to write, in the syntax of RUST_LOG").from("RUST_LOG"),
    setting("limits.query_bytes_max", Bytes { min: KIB, max: 64 * MIB }, "1 MiB", "Maximum size of a query or of a text to audit"),
    setting("limits.transactions_bytes_max", Bytes { min: KIB, max: GIB }, "16 MiB", "Maximum size of a request with transactions"),
    setting(
        "limits.transactions_per_post_max",
        Count { min: 1, max: 1_000_000 },
        "10000",
        "Maximum number of transactions in one request",
    ),
    setting("limits.gateway_bytes_max", Bytes { min: KIB, max: GIB }, "8 MiB", "Maximum size of a request to the gateway"),
    setting(
        "limits.body_bytes_in_flight_max",
        Bytes { min: MIB, max: 64 * GIB },
        "256 MiB",
        "Maximum size of all request bodies in memory",
    ),
    setting("limits.requests_in_flight_max", Count { min: 1, max: 1_000_000 }, "1024", "Maximum number of concurrent requests"),
    setting("limits.connections_max", Count { min: 1, max: 1_000_000 }, "4096", "Maximum number of open connections"),
    setting("limits.request_timeout_ms", Count { min: 100, max: HOUR_MS }, "30000", "Time limit for one request"),
    without_default(
        "limits.requests_per_minute",
        Count { min: 0, max: 1_000_000 },
        "Requests per minute for each key and address; 0 is no limit. Default: 6000 if keys are required, otherwise no limit",
    ),
    setting("limits.search_ms_max", Count { min: 10, max: 10_000 }, "200", "Time limit for one search"),
    setting("agents.heartbeat_s", Count { min: 1, max: 3600 }, "30", "Seconds between an agent's heartbeats"),
    setting("agents.attempts_max", Count { min: 1, max: 100 }, "5", "Failed attempts after which an event becomes a dead letter"),
    setting("agents.backoff_ms", Count { min: 10, max: HOUR_MS }, "1000", "Wait before the second attempt; it doubles with each further one"),
    setting("agents.window_events_max", Count { min: 1, max: 65_536 }, "256", "Maximum number of events that one agent has read but not finished"),
    setting("live.clients_max", Count { min: 1, max: 100_000 }, "4096", "Maximum number of live clients"),
    setting(
        "live.clients_per_caller_max",
        Count { min: 1, max: 100_000 },
        "1024",
        "Maximum number of live clients per key or address",
    ),
    setting(
        "live.queue_messages_max",
        Count { min: 16, max: 1_000_000 },
        "1024",
        "Recent messages kept in memory for all live clients; a client that falls further behind reads from the database",
    ),
    setting(
        "live.replay_events_max",
        Count { min: 1, max: 10_000_000 },
        "10000",
        "Maximum number of past events sent to a live client; one further behind is told to resync",
    ),
    without_default("providers.groq_api_key", Secret, "API key for Groq").from("GROQ_API_KEY"),
    without_default("providers.gemini_api_key", Secret, "API key for Gemini").from("GEMINI_API_KEY"),
    without_default("providers.openai_api_key", Secret, "API key for OpenAI").from("OPENAI_API_KEY"),
    without_default("providers.anthropic_api_key", Secret, "API key for Anthropic").from("ANTHROPIC_API_KEY"),
    setting("providers.groq_base_url", Url, "https://api.groq.com/openai/v1", "Base URL of Groq")
        .from("GROQ_BASE_URL"),
    setting(
        "providers.gemini_base_url",
        Url,
        "https://generativelanguage.googleapis.com/v1beta",
        "Base URL of Gemini",
    )
    .from("GEMINI_BASE_URL"),
    setting("providers.openai_base_url", Url, "https://api.openai.com/v1", "Base URL of OpenAI")
        .from("OPENAI_BASE_URL"),
    setting("providers.anthropic_base_url", Url, "https://api.anthropic.com/v1", "Base URL of Anthropic")
        .from("ANTHROPIC_BASE_URL"),
    setting("providers.ollama_base_url", Url, "http://localhost:11434/v1", "Base URL of Ollama")
        .from("OLLAMA_BASE_URL"),
    setting(
        "providers.answer_bytes_max",
        Bytes { min: KIB, max: GIB },
        "16 MiB",
        "Maximum size of an answer from a provider",
    ),
    setting("providers.probe_keys", Flag, "true", "Whether to check at start that providers accept their keys")
        .from("COUNTERSIGN_PROBE_KEYS"),
    without_default(
        "providers.compatible",
        List(list_fields::COMPATIBLE),
        "Other providers with an OpenAI-compatible API",
    ),
    without_default(
        "providers.prices",
        List(list_fields::PRICES),
        "US dollars per million tokens, by provider and model",
    ),
    without_default("providers.limits", List(list_fields::LIMITS), "Limits on calls, tokens and money, by provider"),
    setting("calls.attempts_max", Count { min: 1, max: 4 }, "3", "Maximum number of attempts for one call to a model"),
    setting("calls.worker_timeout_ms", TIMEOUT, "30000", "Time limit for one attempt to get an answer"),
    setting("calls.auditor_timeout_ms", TIMEOUT, "20000", "Time limit for one attempt to get an audit"),
    setting("calls.writer_timeout_ms", TIMEOUT, "30000", "Time limit for one attempt to get a section of a report"),
    setting("calls.supervisor_timeout_ms", TIMEOUT, "20000", "Time limit for one attempt to have a report judged"),
    setting("calls.deadline_ms", TIMEOUT, "120000", "Time limit for all attempts of one call"),
    setting("calls.gateway_timeout_ms", TIMEOUT, "120000", "Time limit until the first byte, and between pieces of a stream"),
    setting("calls.gateway_deadline_ms", TIMEOUT, "600000", "Time limit for one answer through the gateway"),
    setting(
        "gateway.policy",
        Choice(MODES),
        "observe",
        "observe: audit after release; enforce: hold the answer until it is audited",
    ),
    setting("gateway.on_unaudited", Choice(ON_UNAUDITED), "allow", "What to do with an answer whose audit failed"),
    setting("gateway.mask_pii", Flag, "false", "Whether to mask personal data in enforced answers"),
    without_default(
        "gateway.policies",
        List(list_fields::POLICIES),
        "Policies for certain models or keys; the first match applies",
    ),
    without_default(
        "detector.rules_file",
        Path,
        "File with detection rules that replace the built-in ones; reloaded when it changes",
    ),
    setting(
        "detector.users_max",
        Count { min: 1_024, max: 10_000_000 },
        "100000",
        "Number of customers whose history is kept in memory",
    ),
    without_default("reports.writer_medium", Model, "Model that writes reports of medium severity instead of `writer`"),
    without_default("reports.writer_high", Model, "Model that writes reports of high severity instead of `writer`"),
    without_default("reports.writer_critical", Model, "Model that writes reports of critical severity instead of `writer`"),
    setting("reports.pass_mark", Count { min: 0, max: 100 }, "70", "Lowest validation score with which a report can pass its check"),
    setting("reports.executive_summary_chars_min", CHARS, "50", "Number of characters that the section must exceed"),
    setting("reports.fraud_explanation_chars_min", CHARS, "100", "Number of characters that the section must exceed"),
    setting("reports.timeline_narrative_chars_min", CHARS, "50", "Number of characters that the section must exceed"),
    setting("reports.risk_justification_chars_min", CHARS, "50", "Number of characters that the section must exceed"),
    without_default("supabase.url", Url, "Supabase project whose logs table mirrors the audit logs").from("SUPABASE_URL"),
    without_default("supabase.key", Secret, "Key for the Supabase project").from("SUPABASE_KEY"),
    without_default(
        "webhooks.targets",
        List(list_fields::WEBHOOKS),
        "Systems to notify of events, by signed POST requests",
    ),
    without_default("ledger.witnesses", List(list_fields::WITNESSES), "Witnesses that cosign every checkpoint"),
    setting("ledger.witnesses_required", Count { min: 0, max: 16 }, "0", "Number of witnesses that must cosign"),
    setting(
        "ledger.on_missing_witness",
        Choice(ON_MISSING),
        "warn",
        "If fewer cosign: warn, or refuse to start and to accept new work",
    ),
    without_default("ledger.publish", Publish, "URL or file that receives every signed checkpoint"),
    without_default("telemetry.otlp_endpoint", Url, "OTLP endpoint for traces").from("OTEL_EXPORTER_OTLP_ENDPOINT"),
    without_default("telemetry.otlp_headers", Secret, "Headers sent with traces, such as a token")
        .from("OTEL_EXPORTER_OTLP_HEADERS"),
    setting("telemetry.service_name", Text, "countersign", "Name of this service in traces").from("OTEL_SERVICE_NAME"),
];

/// The settings that the hosted profile requires, in the order in which they are reported.
pub(crate) const HOSTED_NEEDS: &[&str] =
    &["providers.groq_api_key", "providers.gemini_api_key", "database_url", "frontend_url"];

/// Settings of features that don't exist yet. They are refused, because ignoring them would look like using them.
const NOT_IN_THIS_VERSION: &[(&str, &str, &str)] =
    &[("nats_url", "NATS delivery is not part of this version", "unset it to use in-process delivery")];

/// The error and the advice for a setting of a feature that doesn't exist yet.
pub(crate) fn not_in_this_version(key: &str) -> Option<(&'static str, &'static str)> {
    NOT_IN_THIS_VERSION.iter().find(|(absent, ..)| *absent == key).map(|(_, wrong, help)| (*wrong, *help))
}

pub(crate) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// Whether `name` is a section of the file, such as `limits`.
pub(crate) fn is_section(name: &str) -> bool {
    sections().any(|section| section == name)
}

pub(crate) fn sections() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().filter_map(|setting| setting.key.split_once('.')).map(|(section, _)| section)
}

impl Setting {
    const fn from(mut self, variable: &'static str) -> Self {
        self.variable = Some(variable);
        self
    }

    const fn hosted(mut self, default: &'static str) -> Self {
        self.hosted_default = Some(default);
        self
    }
}

const fn setting(key: &'static str, kind: ValueKind, default: &'static str, description: &'static str) -> Setting {
    Setting { key, variable: None, kind, default: Some(default), hosted_default: None, description }
}

const fn without_default(key: &'static str, kind: ValueKind, description: &'static str) -> Setting {
    Setting { key, variable: None, kind, default: None, hosted_default: None, description }
}
