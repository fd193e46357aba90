//! `countersign report`: reads reports from a data directory, even while the server is running.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use countersign_domain::ReportId;
use countersign_report::{Content, ExportFormat, export_with_addenda};
use countersign_store::{ReportEntry, ReportQuery, ReportReader};
use serde_json::json;

use super::{
    arguments::{ExportReportFlags, ListReportsFlags, LocationFlags, ReportCommand, ReportFlags, ShowReportFlags},
    config,
    failure::Failure,
    say,
};

pub(super) fn run(flags: &ReportFlags) -> Result<(), Failure> {
    match &flags.command {
        ReportCommand::List(flags) => list(flags),
        ReportCommand::Show(flags) => show(flags),
        ReportCommand::Export(flags) => write(flags),
    }
}

fn open(location: &LocationFlags) -> Result<ReportReader, Failure> {
    Ok(ReportReader::open(&config::store_location(&config::read(location, &[])?)?)?)
}

fn list(flags: &ListReportsFlags) -> Result<(), Failure> {
    let reports =
        open(&flags.location)?.reports(&ReportQuery { limit: flags.limit.into(), ..ReportQuery::default() })?;
    if flags.json {
        let items: Vec<_> = reports.iter().map(report_json).collect();
        return say(&serde_json::Value::from(items).to_string());
    }
    if reports.is_empty() {
        return say("No reports yet. They are written for alerts of medium severity and above.");
    }
    say("ID                                    SEVERITY  SCORE  TYPE        V  STATE      GENERATED")?;
    for report in &reports {
        let text = |value: Option<String>| value.unwrap_or_else(|| "erased".to_owned());
        say(&format!(
            "{:<36}  {:<8}  {:>5}  {:<10}  {}  {:<9}  {}",
            report.id.as_str(),
            text(report.severity.map(|severity| severity.in_capitals().to_owned())),
            text(report.risk_score.map(|score| score.get().to_string())),
            report.report_type.as_str(),
            report.version,
            report.state.map_or("", |state| state.as_str()),
            text(report.generated_at.map(|at| at.to_string().chars().take(19).collect())),
        ))?;
    }
    Ok(())
}

fn report_json(report: &ReportEntry) -> serde_json::Value {
    json!({
        "id": report.id, "investigation_id": report.investigation_id, "fraud_detection_id": report.fraud_detection_id,
        "transaction_id": report.transaction_id, "report_type": report.report_type,
        "severity": report.severity.map(|severity| severity.in_capitals()), "risk_score": report.risk_score,
        "version": report.version, "status": report.state, "content_hash": report.content_hash,
        "generated_at": report.generated_at,
    })
}

fn content(reports: &ReportReader, id: &str) -> Result<Content, Failure> {
    let unknown = || Failure::new(format!("there is no report {id:?}")).help("`countersign report list` shows the ids");
    let report_id: ReportId = id.parse().map_err(|_| unknown())?;
    let (json, _) = reports.report_content(&report_id)?.ok_or_else(unknown)?;
    serde_json::from_str(&json).map_err(|error| Failure::new(format!("the stored report can't be read: {error}")))
}

fn show(flags: &ShowReportFlags) -> Result<(), Failure> {
    say(content(&open(&flags.location)?, &flags.id)?.markdown_content.trim_end())
}

fn write(flags: &ExportReportFlags) -> Result<(), Failure> {
    let format: ExportFormat = flags.format.into();
    let reports = open(&flags.location)?;
    let content = content(&reports, &flags.id)?;
    let addenda = reports.addenda(&content.id)?;
    let exported = export_with_addenda(&content, format, &addenda).map_err(|error| Failure::new(error.to_string()))?;
    match flags.out.as_deref() {
        Some(path) if path != Path::new("-") => {
            fs::write(path, &exported.bytes)
                .map_err(|error| Failure::new(format!("{} can't be written: {error}", path.display())))?;
            say(&format!("Wrote {} ({} bytes)", path.display(), exported.bytes.len()))
        }
        _ => match io::stdout().lock().write_all(&exported.bytes) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(format!("stdout: {error}"))),
            _ => Ok(()),
        },
    }
}
