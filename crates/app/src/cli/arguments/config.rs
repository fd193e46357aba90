//! Flags of `countersign config`.

use clap::{Args, Subcommand};

use super::LocationFlags;

#[derive(Args)]
pub(in crate::cli) struct ConfigFlags {
    #[command(subcommand)]
    pub(in crate::cli) command: Option<ConfigCommand>,
    /// Print as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Subcommand)]
pub(in crate::cli) enum ConfigCommand {
    /// Check the configuration and report all problems at once
    Check(CheckConfigFlags),
}

#[derive(Args)]
pub(in crate::cli) struct CheckConfigFlags {
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}
