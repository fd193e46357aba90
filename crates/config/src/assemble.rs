//! Builds the typed configuration from resolved values.
//!
//! Invalid values are replaced by placeholders here. Their problems are recorded, so the result is discarded.

use std::{path::PathBuf, time::Duration};

use crate::layers::ResolvedSettings;
use crate::{
    AgentsConfig, CallsConfig, Config, DetectorConfig, GatewayConfig, LimitsConfig, LiveConfig, LogConfig, LogFormat,
    ModelsConfig, Profile, ProvidersConfig, ReportsConfig, SupabaseConfig, TelemetryConfig, consistency, ledger,
    webhooks,
};

pub(crate) fn config(values: &mut ResolvedSettings) -> Config {
    let config = Config {
        listen: values.address("listen"),
        data_dir: values.path("data_dir"),
        profile: if values.text("profile") == "hosted" { Profile::Hosted } else { Profile::Embedded },
        frontend_origins: values.origins("frontend_url"),
        database_url: values.secret("database_url"),
        nats_url: values.secret("nats_url"),
        log: LogConfig {
            format: if values.text("log.format") == "json" { LogFormat::Json } else { LogFormat::Pretty },
            filter: values.text("log.filter"),
        },
        limits: limits(values),
        agents: AgentsConfig {
            heartbeat: Duration::from_secs(values.number("agents.heartbeat_s")),
            attempts_max: values.number("agents.attempts_max"),
            backoff: values.milliseconds("agents.backoff_ms"),
            window_events_max: values.size("agents.window_events_max"),
        },
        live: LiveConfig {
            clients_max: values.size("live.clients_max"),
            clients_per_caller_max: values.size("live.clients_per_caller_max"),
            queue_messages_max: values.size("live.queue_messages_max"),
            replay_events_max: values.size("live.replay_events_max"),
        },
        models: ModelsConfig::from_values(values),
        providers: ProvidersConfig::from_values(values),
        calls: calls(values),
        gateway: GatewayConfig::from_values(values),
        detector: DetectorConfig {
            rules_file: Some(values.path("detector.rules_file")).filter(|path| path != &PathBuf::new()),
            users_max: values.size("detector.users_max"),
        },
        reports: reports(values),
        supabase: supabase(values),
        webhooks: webhooks::from_values(values),
        ledger: ledger::from_values(values),
        telemetry: TelemetryConfig {
            otlp_endpoint: values.text_if_set("telemetry.otlp_endpoint"),
            otlp_headers: values.secret("telemetry.otlp_headers"),
            service_name: values.text("telemetry.service_name"),
        },
        effective: values.effective(),
    };
    consistency::check(values, &config);
    config
}

fn limits(values: &ResolvedSettings) -> LimitsConfig {
    LimitsConfig {
        query_bytes_max: values.size("limits.query_bytes_max"),
        transactions_bytes_max: values.size("limits.transactions_bytes_max"),
        transactions_per_post_max: values.size("limits.transactions_per_post_max"),
        gateway_bytes_max: values.size("limits.gateway_bytes_max"),
        body_bytes_in_flight_max: values.size("limits.body_bytes_in_flight_max"),
        requests_in_flight_max: values.size("limits.requests_in_flight_max"),
        connections_max: values.size("limits.connections_max"),
        request_timeout: values.milliseconds("limits.request_timeout_ms"),
        requests_per_minute: values.number_if_set("limits.requests_per_minute"),
        search_budget: values.milliseconds("limits.search_ms_max"),
    }
}

fn calls(values: &ResolvedSettings) -> CallsConfig {
    CallsConfig {
        attempts_max: u8::try_from(values.number("calls.attempts_max")).unwrap_or(u8::MAX),
        worker_timeout: values.milliseconds("calls.worker_timeout_ms"),
        auditor_timeout: values.milliseconds("calls.auditor_timeout_ms"),
        writer_timeout: values.milliseconds("calls.writer_timeout_ms"),
        supervisor_timeout: values.milliseconds("calls.supervisor_timeout_ms"),
        deadline: values.milliseconds("calls.deadline_ms"),
        gateway_timeout: values.milliseconds("calls.gateway_timeout_ms"),
        gateway_deadline: values.milliseconds("calls.gateway_deadline_ms"),
    }
}

fn reports(values: &ResolvedSettings) -> ReportsConfig {
    ReportsConfig {
        pass_mark: u8::try_from(values.number("reports.pass_mark")).unwrap_or(u8::MAX),
        executive_summary_chars_min: values.size("reports.executive_summary_chars_min"),
        fraud_explanation_chars_min: values.size("reports.fraud_explanation_chars_min"),
        timeline_narrative_chars_min: values.size("reports.timeline_narrative_chars_min"),
        risk_justification_chars_min: values.size("reports.risk_justification_chars_min"),
    }
}

fn supabase(values: &ResolvedSettings) -> Option<SupabaseConfig> {
    values.text_if_set("supabase.url").zip(values.secret("supabase.key")).map(|(url, key)| SupabaseConfig { url, key })
}
