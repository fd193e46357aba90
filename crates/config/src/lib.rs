//! Configuration: loaded once at startup, typed, and fully validated before anything else runs.
//!
//! Flags override environment variables, which override the file, which overrides the defaults. Every value present is
//! checked, even one that a higher layer overrides: a broken line should not surface only on the day its override is
//! removed. All problems are reported together, and no message quotes a secret.
//!
//! This crate reads neither the process's environment nor its arguments; the caller passes them in as [`Inputs`].
//!
//! | file              | job                                                                          |
//! |-------------------|------------------------------------------------------------------------------|
//! | `settings.rs`     | the table of all settings: key, variable, kind, default, description         |
//! | `list_fields.rs`  | the fields of list settings, such as `[[gateway.policies]]`                  |
//! | `layers.rs`       | flag, variable, file or default: finds each setting's value and its source   |
//! | `file.rs`         | the TOML file: known keys only, each problem with its line                   |
//! | `list_entries.rs` | entries of list settings                                                     |
//! | `value.rs`        | text to typed values: what each kind of setting accepts                      |
//! | `url.rs`, `names.rs` | values of those kinds: web addresses; names of models, providers, variables |
//! | `assemble.rs`     | resolved values to [`Config`]                                                |
//! | `consistency.rs`  | checks that involve more than one setting                                    |
//! | `suggest.rs`      | "did you mean": the known name closest to a misspelt one                     |
//! | `problem.rs`      | what is wrong, where, and how to fix it                                      |
//! | `effective.rs`    | the values in force, for `countersign config` and the API                    |
//! | `secret.rs`       | text that must not be printed                                                |
//! | `gateway.rs`, `ledger.rs`, `models.rs`, `providers.rs`, `webhooks.rs` | the larger sections, one file each |

mod assemble;
mod consistency;
mod effective;
mod file;
mod gateway;
mod layers;
mod ledger;
mod list_entries;
mod list_fields;
mod models;
mod names;
mod problem;
mod providers;
mod secret;
mod settings;
mod suggest;
#[cfg(test)]
mod tests;
mod url;
mod value;
mod webhooks;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use effective::{EffectiveSetting, SettingSource, render_table};
pub use gateway::{GatewayConfig, OnUnaudited, Policy, PolicyMode, PolicyRule};
pub use ledger::{LedgerConfig, OnMissingWitness, PublishTarget, WitnessConfig};
pub use models::{ModelChoice, ModelsConfig};
pub use problem::{ConfigErrors, Problem, ProblemPlace};
pub use providers::{CompatibleProvider, ModelPrice, ProviderLimits, ProvidersConfig};
pub use secret::Secret;
pub use webhooks::WebhookConfig;

/// The file that is read if none is named and it exists.
pub const DEFAULT_FILE: &str = "countersign.toml";

/// The variable that names another file. It is not a setting, because a file can't say where it is.
pub const FILE_VARIABLE: &str = "COUNTERSIGN_CONFIG";

#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    pub profile: Profile,
    /// Browser origins besides the server's own, in lower case and without default ports.
    pub frontend_origins: Vec<String>,
    pub database_url: Option<Secret>,
    pub nats_url: Option<Secret>,
    pub log: LogConfig,
    pub limits: LimitsConfig,
    pub agents: AgentsConfig,
    pub live: LiveConfig,
    /// The models that answer, audit, write and supervise.
    pub models: ModelsConfig,
    pub providers: ProvidersConfig,
    pub calls: CallsConfig,
    pub gateway: GatewayConfig,
    pub detector: DetectorConfig,
    pub reports: ReportsConfig,
    pub supabase: Option<SupabaseConfig>,
    /// The systems that are notified of events.
    pub webhooks: Vec<WebhookConfig>,
    pub ledger: LedgerConfig,
    pub telemetry: TelemetryConfig,
    /// Computed while loading, when the source of each value is known. Secrets are masked.
    effective: Vec<EffectiveSetting>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    Embedded,
    Hosted,
}

#[derive(Clone, Debug)]
pub struct DetectorConfig {
    /// `None` means the built-in rules.
    pub rules_file: Option<PathBuf>,
    pub users_max: usize,
}

/// The requirements that a report must meet to pass validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportsConfig {
    /// The lowest validation score that passes.
    pub pass_mark: u8,
    pub executive_summary_chars_min: usize,
    pub fraud_explanation_chars_min: usize,
    pub timeline_narrative_chars_min: usize,
    pub risk_justification_chars_min: usize,
}

#[derive(Clone, Debug)]
pub struct LogConfig {
    pub format: LogFormat,
    pub filter: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Json,
    Pretty,
}

#[derive(Clone, Debug)]
pub struct LimitsConfig {
    pub query_bytes_max: usize,
    pub transactions_bytes_max: usize,
    pub transactions_per_post_max: usize,
    pub gateway_bytes_max: usize,
    pub body_bytes_in_flight_max: usize,
    pub requests_in_flight_max: usize,
    pub connections_max: usize,
    pub request_timeout: Duration,
    /// The limit per key and address as configured; 0 means no limit. [`Config::requests_per_minute`] applies the default.
    pub requests_per_minute: Option<u64>,
    /// The time limit for one search.
    pub search_budget: Duration,
}

#[derive(Clone, Debug)]
pub struct AgentsConfig {
    pub heartbeat: Duration,
    pub attempts_max: u64,
    pub backoff: Duration,
    pub window_events_max: usize,
}

#[derive(Clone, Debug)]
pub struct LiveConfig {
    pub clients_max: usize,
    /// Per key, or per address for callers without a key.
    pub clients_per_caller_max: usize,
    pub queue_messages_max: usize,
    pub replay_events_max: usize,
}

/// How long calls to models may take, and how often they are tried.
#[derive(Clone, Debug)]
pub struct CallsConfig {
    pub attempts_max: u8,
    pub worker_timeout: Duration,
    pub auditor_timeout: Duration,
    pub writer_timeout: Duration,
    pub supervisor_timeout: Duration,
    /// The limit for all attempts of one call. The time-outs apply to each attempt.
    pub deadline: Duration,
    /// Until the first byte, and between two pieces of a stream.
    pub gateway_timeout: Duration,
    pub gateway_deadline: Duration,
}

/// The project whose `logs` table mirrors the audit logs.
#[derive(Clone, Debug)]
pub struct SupabaseConfig {
    pub url: String,
    pub key: Secret,
}

#[derive(Clone, Debug)]
pub struct TelemetryConfig {
    pub otlp_endpoint: Option<String>,
    /// `name=value` pairs separated by commas, as in the variable. They may contain a token.
    pub otlp_headers: Option<Secret>,
    pub service_name: String,
}

/// The inputs that the configuration is computed from.
pub struct Inputs<'a> {
    /// The values set on the command line, by file key. The last of two equal keys applies.
    pub flags: &'a [(&'static str, String)],
    /// Returns a variable's value. An empty variable counts as not set.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The names of all variables, to notice misspelt ones and values that are not UTF-8.
    pub variable_names: &'a [String],
    /// The file named by a flag. Without one, `COUNTERSIGN_CONFIG` is used, and then `countersign.toml` is tried.
    pub file: Option<&'a Path>,
    /// Defaults that a command overrides, by file key. For example, `demo` has a data directory of its own.
    pub defaults: &'a [(&'static str, &'static str)],
}

#[derive(Debug)]
pub struct Loaded {
    pub config: Config,
    /// Variables that look like ours but are unknown. They have no effect.
    pub warnings: Vec<Problem>,
}

/// Reads and checks the configuration.
///
/// # Errors
/// Returns all problems at once.
pub fn load(inputs: &Inputs) -> Result<Loaded, ConfigErrors> {
    load_with_default(inputs, Path::new(DEFAULT_FILE))
}

fn load_with_default(inputs: &Inputs, default_file: &Path) -> Result<Loaded, ConfigErrors> {
    let (mut values, warnings) = layers::resolve(inputs, default_file);
    let config = assemble::config(&mut values);
    values.problems.is_empty().then_some(Loaded { config, warnings }).ok_or(ConfigErrors(values.problems))
}

impl Config {
    /// All settings with their values and sources, in the order of the table. Secrets are masked.
    pub fn effective(&self) -> Vec<EffectiveSetting> {
        self.effective.clone()
    }

    /// The number of requests that one caller may make per minute. `None` means no limit, the default if no keys are required.
    pub fn requests_per_minute(&self) -> Option<u64> {
        const WITH_KEYS: u64 = 6_000;
        let default = self.needs_keys().then_some(WITH_KEYS);
        self.limits.requests_per_minute.or(default).filter(|per_minute| *per_minute > 0)
    }

    /// Whether requests need a key. They do if other machines can send them.
    pub fn needs_keys(&self) -> bool {
        self.profile == Profile::Hosted || !self.listen.ip().is_loopback()
    }
}
