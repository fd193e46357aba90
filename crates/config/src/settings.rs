//! The table of everything that can be set. A new setting is a row here and a field in `Config`.

use crate::list_fields::{self, ListField};

use Kind::{Address, Bytes, Choice, Count, Flag, List, Model, Origins, Path, Publish, Secret, Text, Url};

#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) key: &'static str,
    pub(crate) variable: Option<&'static str>,
    pub(crate) kind: Kind,
    /// As text, read the same way as any other value.
    pub(crate) default: Option<&'static str>,
    /// Takes the default's place in the hosted profile.
    pub(crate) hosted_default: Option<&'static str>,
    pub(crate) description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
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
    /// Not below zero.
    Decimal {
        max: u64,
    },
    Flag,
    /// `simulated`, `builtin`, `provider` or `provider/model`.
    Model,
    /// A model's name, or how it starts with a `*` behind.
    Pattern,
    /// Small letters, digits and dashes.
    Name,
    /// No spaces.
    Word,
    Url,
    /// An address to post to, kept as it is written.
    Target,
    /// A witness's public key.
    WitnessKey,
    /// An address to post to, or a file.
    Publish,
    /// Names of events with commas between, or `*`.
    Events,
    /// The name of a variable that holds a secret.
    SecretVariable,
    /// Entries of several fields each, in the file only.
    List(&'static [ListField]),
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const HOUR_MS: u64 = 3_600_000;
const TIMEOUT: Kind = Count { min: 100, max: HOUR_MS };

/// A section's least length.
const CHARS: Kind = Count { min: 0, max: 10_000 };

pub(crate) const MODES: &[&str] = &["observe", "enforce"];
pub(crate) const ON_MISSING: &[&str] = &["warn", "refuse"];
pub(crate) const ON_UNAUDITED: &[&str] = &["allow", "block"];

pub(crate) const SETTINGS: &[Setting] = &[
    setting("listen", Address, "127.0.0.1:8080", "Address and port the server answers on").from("COUNTERSIGN_LISTEN"),
    setting("data_dir", Path, "./countersign-data", "Directory of the database and the keys")
        .from("COUNTERSIGN_DATA_DIR"),
    setting(
        "profile",
        Choice(&["embedded", "hosted"]),
        "embedded",
        "embedded: one machine, no key on loopback; hosted: keys",
    )
    .from("COUNTERSIGN_PROFILE"),
    setting("frontend_url", Origins, "http://localhost:3000", "Browser origins allowed besides the server's own")
        .from("FRONTEND_URL"),
    setting("worker", Model, "simulated", "Who answers: simulated, provider or provider/model")
        .from("COUNTERSIGN_WORKER")
        .hosted("groq"),
    setting("auditor", Model, "builtin", "Who audits besides the rules: builtin, provider or provider/model")
        .from("COUNTERSIGN_AUDITOR")
        .hosted("gemini"),
    setting(
        "writer",
        Model,
        "builtin",
        "Who writes reports: builtin, provider, provider/model, or simulated (errs on purpose, for demos)",
    )
    .from("COUNTERSIGN_WRITER")
    .hosted("gemini"),
    setting("supervisor", Model, "builtin", "Who judges reports: builtin, provider or provider/model")
        .from("COUNTERSIGN_SUPERVISOR")
        .hosted("gemini"),
    without_default("database_url", Secret, "Postgres instead of SQLite (not part of this version)")
        .from("DATABASE_URL"),
    without_default("nats_url", Secret, "NATS JetStream instead of in-process (not part of this version)")
        .from("NATS_URL"),
    setting("log.format", Choice(&["json", "pretty"]), "pretty", "Log lines for programs or for people")
        .from("COUNTERSIGN_LOG_FORMAT"),
    setting("log.filter", Text, "info", "Which log lines are written, as in RUST_LOG").from("RUST_LOG"),
    setting("limits.query_bytes_max", Bytes { min: KIB, max: 64 * MIB }, "1 MiB", "Largest query or text to audit"),
    setting("limits.transactions_bytes_max", Bytes { min: KIB, max: GIB }, "16 MiB", "Largest post of transactions"),
    setting(
        "limits.transactions_per_post_max",
        Count { min: 1, max: 1_000_000 },
        "10000",
        "Most transactions in one post",
    ),
    setting("limits.gateway_bytes_max", Bytes { min: KIB, max: GIB }, "8 MiB", "Largest request to the gateway"),
    setting(
        "limits.body_bytes_in_flight_max",
        Bytes { min: MIB, max: 64 * GIB },
        "256 MiB",
        "All request bodies in memory",
    ),
    setting("limits.requests_in_flight_max", Count { min: 1, max: 1_000_000 }, "1024", "Requests answered at one time"),
    setting("limits.connections_max", Count { min: 1, max: 1_000_000 }, "4096", "Connections open at one time"),
    setting("limits.request_timeout_ms", Count { min: 100, max: HOUR_MS }, "30000", "Longest time for one request"),
    without_default(
        "limits.requests_per_minute",
        Count { min: 0, max: 1_000_000 },
        "Per key and address; 0 is no limit. Unless set: 6000 where keys are required, no limit elsewhere",
    ),
    setting("limits.search_ms_max", Count { min: 10, max: 10_000 }, "200", "Longest time for one search"),
    setting("agents.heartbeat_s", Count { min: 1, max: 3600 }, "30", "Seconds between an agent's signs of life"),
    setting("agents.attempts_max", Count { min: 1, max: 100 }, "5", "Attempts before an event becomes a dead letter"),
    setting("agents.backoff_ms", Count { min: 10, max: HOUR_MS }, "1000", "Wait before the second attempt"),
    setting("agents.window_events_max", Count { min: 1, max: 65_536 }, "256", "Events one agent works on at one time"),
    setting("live.clients_max", Count { min: 1, max: 100_000 }, "4096", "Live clients connected at one time"),
    setting(
        "live.clients_per_caller_max",
        Count { min: 1, max: 100_000 },
        "1024",
        "Live clients of one key or address",
    ),
    setting(
        "live.queue_messages_max",
        Count { min: 16, max: 1_000_000 },
        "1024",
        "Messages kept for a slow live client",
    ),
    setting(
        "live.replay_events_max",
        Count { min: 1, max: 10_000_000 },
        "10000",
        "Most events sent again to a live client",
    ),
    without_default("providers.groq_api_key", Secret, "Key for Groq").from("GROQ_API_KEY"),
    without_default("providers.gemini_api_key", Secret, "Key for Gemini").from("GEMINI_API_KEY"),
    without_default("providers.openai_api_key", Secret, "Key for OpenAI").from("OPENAI_API_KEY"),
    without_default("providers.anthropic_api_key", Secret, "Key for Anthropic").from("ANTHROPIC_API_KEY"),
    setting("providers.groq_base_url", Url, "https://api.groq.com/openai/v1", "Where Groq answers")
        .from("GROQ_BASE_URL"),
    setting(
        "providers.gemini_base_url",
        Url,
        "https://generativelanguage.googleapis.com/v1beta",
        "Where Gemini answers",
    )
    .from("GEMINI_BASE_URL"),
    setting("providers.openai_base_url", Url, "https://api.openai.com/v1", "Where OpenAI answers")
        .from("OPENAI_BASE_URL"),
    setting("providers.anthropic_base_url", Url, "https://api.anthropic.com/v1", "Where Anthropic answers")
        .from("ANTHROPIC_BASE_URL"),
    setting("providers.ollama_base_url", Url, "http://localhost:11434/v1", "Where Ollama answers")
        .from("OLLAMA_BASE_URL"),
    setting(
        "providers.answer_bytes_max",
        Bytes { min: KIB, max: GIB },
        "16 MiB",
        "Largest answer read from a provider",
    ),
    setting("providers.probe_keys", Flag, "true", "Whether providers are asked at start if they accept their keys")
        .from("COUNTERSIGN_PROBE_KEYS"),
    without_default(
        "providers.compatible",
        List(list_fields::COMPATIBLE),
        "Other providers that speak OpenAI's format",
    ),
    without_default(
        "providers.prices",
        List(list_fields::PRICES),
        "US dollars for a million tokens, by provider and model",
    ),
    without_default("providers.limits", List(list_fields::LIMITS), "Calls, tokens and money allowed, by provider"),
    setting("calls.attempts_max", Count { min: 1, max: 4 }, "3", "Attempts of one call to a model"),
    setting("calls.worker_timeout_ms", TIMEOUT, "30000", "Longest attempt to get an answer"),
    setting("calls.auditor_timeout_ms", TIMEOUT, "20000", "Longest attempt to get an audit"),
    setting("calls.writer_timeout_ms", TIMEOUT, "30000", "Longest attempt to get a report's section"),
    setting("calls.supervisor_timeout_ms", TIMEOUT, "20000", "Longest attempt to get a report's judgement"),
    setting("calls.deadline_ms", TIMEOUT, "120000", "Longest time for all attempts of one call"),
    setting("calls.gateway_timeout_ms", TIMEOUT, "120000", "Until the first byte, and between pieces of a stream"),
    setting("calls.gateway_deadline_ms", TIMEOUT, "600000", "Longest time for one answer through the gateway"),
    setting(
        "gateway.policy",
        Choice(MODES),
        "observe",
        "observe: audit afterwards; enforce: hold the answer until then",
    ),
    setting("gateway.on_unaudited", Choice(ON_UNAUDITED), "allow", "What happens to an answer whose audit failed"),
    setting("gateway.mask_pii", Flag, "false", "Whether enforce masks personal data in answers"),
    without_default(
        "gateway.policies",
        List(list_fields::POLICIES),
        "Other policies by model or key; the first match wins",
    ),
    without_default(
        "detector.rules_file",
        Path,
        "File of detection rules in place of the built-in ones; reloaded when it changes",
    ),
    setting(
        "detector.users_max",
        Count { min: 1_024, max: 10_000_000 },
        "100000",
        "Customers whose history is in memory",
    ),
    without_default("reports.writer_medium", Model, "Who writes about medium severity instead of `writer`"),
    without_default("reports.writer_high", Model, "Who writes about high severity instead of `writer`"),
    without_default("reports.writer_critical", Model, "Who writes about critical severity instead of `writer`"),
    setting("reports.pass_mark", Count { min: 0, max: 100 }, "70", "Lowest validation score that is approved"),
    setting("reports.executive_summary_chars_min", CHARS, "50", "Fewest characters of this section"),
    setting("reports.fraud_explanation_chars_min", CHARS, "100", "Fewest characters of this section"),
    setting("reports.timeline_narrative_chars_min", CHARS, "50", "Fewest characters of this section"),
    setting("reports.risk_justification_chars_min", CHARS, "50", "Fewest characters of this section"),
    without_default("supabase.url", Url, "Project whose logs table mirrors the audit logs").from("SUPABASE_URL"),
    without_default("supabase.key", Secret, "Key for that project").from("SUPABASE_KEY"),
    without_default(
        "webhooks.targets",
        List(list_fields::WEBHOOKS),
        "Systems that are told of events, by signed posts",
    ),
    without_default("ledger.witnesses", List(list_fields::WITNESSES), "Witnesses that cosign every checkpoint"),
    setting("ledger.witnesses_required", Count { min: 0, max: 16 }, "0", "How many witnesses must cosign; 0 is none"),
    setting(
        "ledger.on_missing_witness",
        Choice(ON_MISSING),
        "warn",
        "Where fewer cosign: warn, or refuse to start and to take new work",
    ),
    without_default("ledger.publish", Publish, "Web address or file that gets every signed checkpoint"),
    without_default("telemetry.otlp_endpoint", Url, "Where traces are sent").from("OTEL_EXPORTER_OTLP_ENDPOINT"),
    without_default("telemetry.otlp_headers", Secret, "Headers sent with them, such as a token")
        .from("OTEL_EXPORTER_OTLP_HEADERS"),
    setting("telemetry.service_name", Text, "countersign", "Name of this service in traces").from("OTEL_SERVICE_NAME"),
];

/// What the hosted profile cannot do without, in the order people are told.
pub(crate) const HOSTED_NEEDS: &[&str] =
    &["providers.groq_api_key", "providers.gemini_api_key", "database_url", "frontend_url"];

/// Settings of parts that are not built yet: refused, because ignoring one would look like using it.
const NOT_IN_THIS_VERSION: &[(&str, &str, &str)] = &[
    ("database_url", "Postgres storage is not part of this version", "unset it to use SQLite in the data directory"),
    ("nats_url", "NATS delivery is not part of this version", "unset it to use in-process delivery"),
];

/// What is missing, and what to do, when `key` belongs to a part that is not built yet.
pub(crate) fn not_in_this_version(key: &str) -> Option<(&'static str, &'static str)> {
    NOT_IN_THIS_VERSION.iter().find(|(absent, ..)| *absent == key).map(|(_, wrong, help)| (*wrong, *help))
}

pub(crate) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// Whether `name` heads a table in the file, such as `limits`.
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

const fn setting(key: &'static str, kind: Kind, default: &'static str, description: &'static str) -> Setting {
    Setting { key, variable: None, kind, default: Some(default), hosted_default: None, description }
}

const fn without_default(key: &'static str, kind: Kind, description: &'static str) -> Setting {
    Setting { key, variable: None, kind, default: None, hosted_default: None, description }
}
