//! The table of everything that can be set. A new setting is a row here and a field in `Config`.

use Kind::{Address, Bytes, Choice, Count, Origins, Path, Secret, Text};

#[derive(Debug)]
pub(super) struct Setting {
    pub(super) key: &'static str,
    pub(super) variable: Option<&'static str>,
    pub(super) kind: Kind,
    /// As text, read the same way as any other value.
    pub(super) default: Option<&'static str>,
    pub(super) description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Address,
    Path,
    Choice(&'static [&'static str]),
    Origins,
    Text,
    Secret,
    Bytes { min: u64, max: u64 },
    Count { min: u64, max: u64 },
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const HOUR_MS: u64 = 3_600_000;

pub(super) const SETTINGS: &[Setting] = &[
    row("listen", Address, "127.0.0.1:8080", "Address and port the server answers on").from("COUNTERSIGN_LISTEN"),
    row("data_dir", Path, "./countersign-data", "Directory of the database and the keys").from("COUNTERSIGN_DATA_DIR"),
    row(
        "profile",
        Choice(&["embedded", "hosted"]),
        "embedded",
        "embedded: one machine, no key on loopback; hosted: keys",
    )
    .from("COUNTERSIGN_PROFILE"),
    row("frontend_url", Origins, "http://localhost:3000", "Browser origins allowed besides the server's own")
        .from("FRONTEND_URL"),
    unset("database_url", Secret, "Postgres instead of SQLite (not part of this version)").from("DATABASE_URL"),
    unset("nats_url", Secret, "NATS JetStream instead of in-process (not part of this version)").from("NATS_URL"),
    row("log.format", Choice(&["json", "pretty"]), "pretty", "Log lines for programs or for people")
        .from("COUNTERSIGN_LOG_FORMAT"),
    row("log.filter", Text, "info", "Which log lines are written, as in RUST_LOG").from("RUST_LOG"),
    row("limits.query_bytes_max", Bytes { min: KIB, max: 64 * MIB }, "1 MiB", "Largest query or text to audit"),
    row("limits.transactions_bytes_max", Bytes { min: KIB, max: GIB }, "16 MiB", "Largest post of transactions"),
    row("limits.transactions_per_post_max", Count { min: 1, max: 1_000_000 }, "10000", "Most transactions in one post"),
    row(
        "limits.body_bytes_in_flight_max",
        Bytes { min: MIB, max: 64 * GIB },
        "256 MiB",
        "All request bodies in memory",
    ),
    row("limits.requests_in_flight_max", Count { min: 1, max: 1_000_000 }, "1024", "Requests answered at one time"),
    row("limits.connections_max", Count { min: 1, max: 1_000_000 }, "4096", "Connections open at one time"),
    row("limits.request_timeout_ms", Count { min: 100, max: HOUR_MS }, "30000", "Longest time for one request"),
    row("limits.requests_per_minute", Count { min: 0, max: 1_000_000 }, "0", "Per key and address; 0 is no limit"),
    row("agents.heartbeat_s", Count { min: 1, max: 3600 }, "30", "Seconds between an agent's signs of life"),
    row("agents.attempts_max", Count { min: 1, max: 100 }, "5", "Attempts before an event becomes a dead letter"),
    row("agents.backoff_ms", Count { min: 10, max: HOUR_MS }, "1000", "Wait before the second attempt"),
    row("agents.window_events_max", Count { min: 1, max: 65_536 }, "256", "Events one agent works on at one time"),
    row("live.queue_messages_max", Count { min: 16, max: 1_000_000 }, "1024", "Messages kept for a slow live client"),
    row(
        "live.replay_events_max",
        Count { min: 1, max: 10_000_000 },
        "10000",
        "Most events sent again to a live client",
    ),
    unset("providers.groq_api_key", Secret, "Key for Groq").from("GROQ_API_KEY"),
    unset("providers.gemini_api_key", Secret, "Key for Gemini").from("GEMINI_API_KEY"),
    unset("providers.openai_api_key", Secret, "Key for OpenAI").from("OPENAI_API_KEY"),
    unset("providers.anthropic_api_key", Secret, "Key for Anthropic").from("ANTHROPIC_API_KEY"),
];

/// What the hosted profile cannot do without, in the order people are told.
pub(super) const HOSTED_NEEDS: &[&str] =
    &["providers.groq_api_key", "providers.gemini_api_key", "database_url", "frontend_url"];

/// Settings of parts that are not built yet: refused, because ignoring one would look like using it.
const NOT_IN_THIS_VERSION: &[(&str, &str, &str)] = &[
    ("database_url", "Postgres storage is not part of this version", "unset it to use SQLite in the data directory"),
    ("nats_url", "NATS delivery is not part of this version", "unset it to use in-process delivery"),
];

/// What is missing, and what to do, when `key` belongs to a part that is not built yet.
pub(super) fn not_in_this_version(key: &str) -> Option<(&'static str, &'static str)> {
    NOT_IN_THIS_VERSION.iter().find(|(absent, ..)| *absent == key).map(|(_, wrong, help)| (*wrong, *help))
}

pub(super) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// Whether `name` heads a table in the file, such as `limits`.
pub(super) fn is_section(name: &str) -> bool {
    sections().any(|section| section == name)
}

pub(super) fn sections() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().filter_map(|setting| setting.key.split_once('.')).map(|(section, _)| section)
}

impl Setting {
    const fn from(mut self, variable: &'static str) -> Self {
        self.variable = Some(variable);
        self
    }
}

const fn row(key: &'static str, kind: Kind, default: &'static str, description: &'static str) -> Setting {
    Setting { key, variable: None, kind, default: Some(default), description }
}

const fn unset(key: &'static str, kind: Kind, description: &'static str) -> Setting {
    Setting { key, variable: None, kind, default: None, description }
}
