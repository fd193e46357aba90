//! Flags of `countersign serve` and `countersign demo`.

use clap::{Args, ValueEnum};

use super::LocationFlags;

#[derive(Args)]
pub(in crate::cli) struct ServeFlags {
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
    /// Address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(in crate::cli) listen: Option<String>,
    /// embedded, or hosted, which requires Postgres and providers' keys [default: embedded]
    #[arg(long, value_name = "PROFILE")]
    pub(in crate::cli) profile: Option<String>,
    /// Format of log lines [default: pretty]
    #[arg(long, value_enum)]
    pub(in crate::cli) log_format: Option<LogFormat>,
    /// Don't check at start whether providers accept the configured keys
    #[arg(long)]
    pub(in crate::cli) no_probe: bool,
}

#[derive(Args)]
pub(in crate::cli) struct DemoFlags {
    #[command(flatten)]
    pub(in crate::cli) serve: ServeFlags,
    /// Seed of the generator; the same seed produces the same customers and cases of fraud
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(in crate::cli) seed: u64,
    /// Approximate number of transactions per second
    #[arg(long, default_value_t = 2.0, value_name = "TX_PER_S")]
    pub(in crate::cli) rate: f64,
}

#[derive(Clone, Copy, ValueEnum)]
pub(in crate::cli) enum LogFormat {
    Json,
    Pretty,
}

impl LogFormat {
    pub(in crate::cli) fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Pretty => "pretty",
        }
    }
}
