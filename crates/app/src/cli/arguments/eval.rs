//! Flags of `countersign eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::LocationFlags;

#[derive(Args)]
pub(in crate::cli) struct EvalFlags {
    #[command(subcommand)]
    pub(in crate::cli) command: EvalCommand,
}

#[derive(Subcommand)]
pub(in crate::cli) enum EvalCommand {
    /// Measure the detector: precision, recall, PR-AUC and more
    #[command(
        after_help = "The file must say for each transaction whether it was fraud, in a column such as is_fraud or in one that \
        you name with --map COLUMN=label. Each transaction is scored using only earlier ones; labels are never an input.\n\
        Without a file, the demo's labelled stream is measured."
    )]
    Fraud(EvalFraudFlags),
    /// Measure the inspectors: precision, recall, F1, F2, ROC-AUC, PR-AUC and calibration
    #[command(
        after_help = "A row is {\"text\", \"label\": 0 or 1}, {\"text\", \"spans\": [{\"start\", \"end\", \"type\"}]} with \
        positions in code points, or {\"text\", \"context\", \"label\": \"grounded\" or \"ungrounded\"}. If rows have `id` and \
        `kind`, these are shown; texts never are.\n\nTo measure the configured auditor on the same rows, with one call to its \
        provider per row:\n  \
        countersign eval text rows.jsonl --model --limit 200"
    )]
    Text(EvalTextFlags),
    /// Measure how many false reports the fact check and the supervisor let through, by kind of fault
    #[command(
        after_help = "The corpus is built in and always the same: true cases from the real detector, true reports about them, \
        and the same reports with one fault each. The columns:\n  \
        refused   the fact check refused the text, before there was a report\n  \
        review    the supervisor's rules, without a model, sent the report to a person\n  \
        noted     the report passed, with points off the score for this fault\n  \
        approved  the fault went unnoticed\n\
        A true text that is refused costs the writer another attempt.\n\n\
        To see undetected faults, two examples of each kind:\n  countersign eval supervisor --show 2\n\n\
        To get the tables of docs/accuracy/supervisor.md:\n  countersign eval supervisor --format markdown"
    )]
    Supervisor(EvalSupervisorFlags),
}

#[derive(Args)]
pub(in crate::cli) struct EvalSupervisorFlags {
    /// Format of the result
    #[arg(long, value_enum, default_value = "table")]
    pub(in crate::cli) format: EvalFormat,
    /// Print up to N approved faults of each kind, and N refused true texts, with their sections
    #[arg(long, value_name = "N")]
    pub(in crate::cli) show: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EvalFormat {
    Table,
    Json,
    Markdown,
}

#[derive(Args)]
pub(in crate::cli) struct EvalTextFlags {
    /// A labelled .jsonl file, optionally gzipped
    pub(in crate::cli) file: PathBuf,
    /// What the labels mean [default: derived from the labels or the file's name]
    #[arg(long, value_enum)]
    pub(in crate::cli) kind: Option<TextKind>,
    /// Measure the configured auditor too
    #[arg(long)]
    pub(in crate::cli) model: bool,
    /// Use only the first N rows
    #[arg(long, value_name = "N")]
    pub(in crate::cli) limit: Option<usize>,
    /// Print as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TextKind {
    Pii,
    Toxicity,
    Injection,
    Grounding,
}

impl TextKind {
    pub(in crate::cli) fn as_str(self) -> &'static str {
        match self {
            Self::Pii => "pii",
            Self::Toxicity => "toxicity",
            Self::Injection => "injection",
            Self::Grounding => "grounding",
        }
    }
}

#[derive(Args)]
pub(in crate::cli) struct EvalFraudFlags {
    /// A labelled .csv or .jsonl file, optionally gzipped; - reads standard input [default: the demo's stream]
    pub(in crate::cli) file: Option<PathBuf>,
    /// Which column contains which field
    #[arg(long, value_name = "COLUMN=FIELD,…")]
    pub(in crate::cli) map: Option<String>,
    /// Seed of the demo's stream
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(in crate::cli) seed: u64,
    /// Print as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}
