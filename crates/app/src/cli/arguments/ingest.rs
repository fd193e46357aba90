//! Flags of `countersign ingest`.

use std::path::PathBuf;

use clap::Args;

use super::LocationFlags;

#[derive(Args)]
pub(in crate::cli) struct IngestFlags {
    /// A .csv, .tsv, .jsonl or .ndjson file, optionally gzipped; - reads standard input
    pub(in crate::cli) file: PathBuf,
    /// Which column contains which field, and fields with the same value in every row
    #[arg(long, value_name = "COLUMN=FIELD,…")]
    pub(in crate::cli) map: Option<String>,
    /// Store nothing; show what would be flagged
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Write the id, score and signals of every transaction to a CSV file, in input order
    #[arg(long, value_name = "OUT.csv")]
    pub(in crate::cli) scores: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}
