//! Flags of `countersign keys`.

use clap::{Args, Subcommand};

use super::LocationFlags;

#[derive(Args)]
pub(in crate::cli) struct KeysFlags {
    #[command(subcommand)]
    pub(in crate::cli) command: KeysCommand,
}

#[derive(Subcommand)]
pub(in crate::cli) enum KeysCommand {
    /// Create a key and show it, once
    Create(CreateKeyFlags),
    /// List keys, without their secrets
    List(ListKeysFlags),
    /// Revoke a key immediately and for good
    Revoke(RevokeKeyFlags),
}

#[derive(Args)]
pub(in crate::cli) struct CreateKeyFlags {
    /// Role of the key: agent, viewer, investigator, reviewer or admin
    #[arg(long)]
    pub(in crate::cli) role: String,
    /// Name of the person or program that will use the key
    #[arg(long)]
    pub(in crate::cli) name: String,
    /// When the key expires: after days, such as 90d, or at a time, such as 2027-01-31T00:00:00Z [default: never]
    #[arg(long, value_name = "WHEN")]
    pub(in crate::cli) expires: Option<String>,
    /// Print as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct ListKeysFlags {
    /// Print as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct RevokeKeyFlags {
    /// Id of the key, as shown by `countersign keys list`
    pub(in crate::cli) id: String,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}
