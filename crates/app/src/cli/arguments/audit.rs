//! Flags of `countersign audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
pub(in crate::cli) struct AuditFlags {
    /// A text file, a folder of texts or a .jsonl file; - reads standard input [default: -]
    pub(in crate::cli) path: Option<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = AuditFormat::Table)]
    pub(in crate::cli) format: AuditFormat,
    /// Write the text with personal data replaced by masks such as [EMAIL]
    #[arg(long)]
    pub(in crate::cli) redact: bool,
    /// Source that must support the text; unsupported sentences are reported. A row's own context takes precedence
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) context: Option<PathBuf>,
    /// Exit with 1 if a text has this status or a worse one [default: flagged; with --format jsonl: never]
    #[arg(long, value_enum, value_name = "STATUS")]
    pub(in crate::cli) fail_on: Option<FailOn>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum AuditFormat {
    /// For people
    Table,
    /// One object, or an array of objects for a folder
    Json,
    /// One line per text
    Jsonl,
}

#[derive(Clone, Copy, ValueEnum)]
pub(in crate::cli) enum FailOn {
    /// Risk 7 or more
    Flagged,
    /// Risk 4 or more
    Warning,
    /// Findings don't change the exit status
    Never,
}
