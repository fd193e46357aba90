//! Flags of `countersign report`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::LocationFlags;

#[derive(Args)]
pub(in crate::cli) struct ReportFlags {
    #[command(subcommand)]
    pub(in crate::cli) command: ReportCommand,
}

#[derive(Subcommand)]
pub(in crate::cli) enum ReportCommand {
    /// List current reports, newest first
    List(ListReportsFlags),
    /// Print a report as Markdown
    Show(ShowReportFlags),
    /// Write a report to a file
    Export(ExportReportFlags),
}

#[derive(Args)]
pub(in crate::cli) struct ListReportsFlags {
    /// Maximum number of reports
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(in crate::cli) limit: u16,
    /// Print as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct ShowReportFlags {
    /// Id of the report, as shown by `countersign report list`
    pub(in crate::cli) id: String,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Args)]
pub(in crate::cli) struct ExportReportFlags {
    /// Id of the report, as shown by `countersign report list`
    pub(in crate::cli) id: String,
    /// Format of the file
    #[arg(long, value_enum)]
    pub(in crate::cli) format: ReportFormat,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) location: LocationFlags,
}

#[derive(Clone, Copy, ValueEnum)]
pub(in crate::cli) enum ReportFormat {
    Md,
    Json,
    Html,
}

impl From<ReportFormat> for countersign_report::ExportFormat {
    fn from(format: ReportFormat) -> Self {
        match format {
            ReportFormat::Md => Self::Md,
            ReportFormat::Json => Self::Json,
            ReportFormat::Html => Self::Html,
        }
    }
}
