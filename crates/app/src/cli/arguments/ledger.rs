//! Flags of the commands about the ledger: `verify`, `witness`, `backup`, `restore`, `export` and
//! `prepare-database`.

use std::path::PathBuf;

use clap::Args;

use super::LocationFlags;

#[derive(Args)]
pub(in crate::cli) struct VerifyFlags {
    /// An export or a backup to check instead of the data directory
    #[arg(value_name = "FILE", conflicts_with = "data_dir")]
    pub(in crate::cli) bundle: Option<PathBuf>,
    /// Public key of the log: a file such as ledger.pub, or the key itself
    #[arg(long, value_name = "KEY")]
    pub(in crate::cli) key: Option<String>,
    /// A signed checkpoint saved earlier, which the log must be consistent with; - reads standard input [repeatable]
    #[arg(long = "checkpoint", value_name = "NOTE")]
    pub(in crate::cli) checkpoints: Vec<PathBuf>,
    /// A witness to ask for the last checkpoint it cosigned, or a file of published checkpoints [repeatable]
    #[arg(long = "witness", value_name = "URL|FILE")]
    pub(in crate::cli) witnesses: Vec<String>,
    /// Public key of a witness: a file or the key itself. Checks its cosignatures in the witness's answer, in files and on
    /// saved checkpoints [default for addresses: from the configuration]
    #[arg(long = "witness-key", value_name = "KEY")]
    pub(in crate::cli) witness_keys: Vec<String>,
    /// Also check the search index and its statistics, and rebuild them if they differ from the log
    #[arg(long, conflicts_with = "bundle")]
    pub(in crate::cli) search: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct WitnessFlags {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8090")]
    pub(in crate::cli) listen: String,
    /// Directory for the witness's key and the checkpoints that it cosigned
    #[arg(long, value_name = "DIR", default_value = "./countersign-witness")]
    pub(in crate::cli) data_dir: PathBuf,
    /// Add a log to cosign: its ledger.pub file, or that file's content [repeatable]
    #[arg(long = "log", value_name = "VKEY")]
    pub(in crate::cli) logs: Vec<String>,
    /// Name of the witness's key, which is created at the first start, such as witness.example/w1 [default: a random name]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) name: Option<String>,
}

#[derive(Args)]
pub(in crate::cli) struct BackupFlags {
    /// File to write; it must not exist
    pub(in crate::cli) file: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct RestoreFlags {
    /// A file written by `countersign backup`
    pub(in crate::cli) file: PathBuf,
    /// Public key of the log in the backup [default: ledger.pub in the data directory]
    #[arg(long, value_name = "KEY")]
    pub(in crate::cli) key: Option<String>,
    /// Restore the backup without verifying it against a key
    #[arg(long, conflicts_with = "key")]
    pub(in crate::cli) unverified: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct PrepareDatabaseFlags {
    /// Role that the server will connect with. It gets exactly the rights that the server needs
    #[arg(long, value_name = "ROLE")]
    pub(in crate::cli) grant_to: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct ExportFlags {
    /// File to write; it must not exist
    pub(in crate::cli) file: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}
