//! The report as Markdown. The three types of reports have different sections:
//!
//! | section                                             | internal | compliance | full |
//! |-----------------------------------------------------|----------|------------|------|
//! | summary, anomaly, severity, timeline, narrative, explanation, justification, next steps, structured data | yes | yes | yes |
//! | header with ids and versions, regulatory statement, audit trail | | yes | yes |
//! | extended analysis, complete context                 |          |            | yes  |
//!
//! Everything that is not a literal in this file is escaped, so no merchant's name can become a heading.

use std::fmt::Write as _;

use countersign_domain::{ReportId, Section, SignalName, Time, payload::ReportType};
use serde_json::Value;

use crate::{
    AlertSource, Context, SectionRecord, SignalFacts, SignalOutcome, WrittenBy,
    escape::{escape_into, escape_markdown, json_block, prose},
    figures,
};

/// The texts of a report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportTexts {
    pub executive_summary: String,
    pub fraud_explanation: String,
    pub timeline_narrative: String,
    pub risk_justification: String,
    pub investigation_narrative: String,
    pub recommended_next_steps: Vec<String>,
    /// Shown in compliance and full reports.
    pub regulatory_statement: Option<String>,
    /// Shown in full reports.
    pub extended_analysis: Option<String>,
}

/// Metadata of a report.
#[derive(Debug, Clone, Copy)]
pub struct ReportMeta<'a> {
    pub report_id: &'a ReportId,
    pub version: u32,
    pub regeneration_of: Option<&'a ReportId>,
    pub generated_at: Time,
    pub context_sha256: &'a str,
    pub sections: &'a [SectionRecord],
}

/// Writes the document. `structured` is the context's structured data.
pub fn markdown(context: &Context, parts: &ReportTexts, meta: &ReportMeta<'_>, structured: &Value) -> String {
    let report_type = context.case.report_type;
    let is_compliance = report_type != ReportType::Internal;
    let is_full = report_type == ReportType::Full;
    let mut page = MarkdownPage::default();
    page.title(context, meta);
    if is_compliance {
        page.header(context, meta);
    }
    page.section(Section::ExecutiveSummary.heading(), &prose(&parts.executive_summary));
    page.section("Detected Anomaly", &anomalies(context));
    page.section("Severity Classification", &severity(context));
    page.section(Section::TimelineNarrative.heading(), &timeline(context, &parts.timeline_narrative));
    page.section(Section::InvestigationNarrative.heading(), &prose(&parts.investigation_narrative));
    page.section(Section::FraudExplanation.heading(), &prose(&parts.fraud_explanation));
    page.section(Section::RiskJustification.heading(), &prose(&parts.risk_justification));
    if let Some(statement) = parts.regulatory_statement.as_deref().filter(|_| is_compliance) {
        page.section("Regulatory Statement", &prose(statement));
    }
    if let Some(analysis) = parts.extended_analysis.as_deref().filter(|_| is_full) {
        page.section("Extended Analysis", &prose(analysis));
    }
    page.section("Recommended Next Steps", &next_steps(&parts.recommended_next_steps));
    if is_compliance {
        page.section("Audit Trail", &audit_trail(context, meta));
    }
    if is_full {
        page.section("Complete Context", &json_block(context));
    }
    page.section("Structured Data", &json_block(structured));
    page.text
}

#[derive(Default)]
struct MarkdownPage {
    text: String,
}

impl MarkdownPage {
    fn title(&mut self, context: &Context, meta: &ReportMeta<'_>) {
        let case = &context.case;
        let (kind, severity, score) = (case.report_type.as_str(), case.severity.in_capitals(), case.risk_score.get());
        self.line("# Investigation Report\n");
        self.line(&format!(
            "**{severity}**, risk score {score} out of 100. Type: {kind}. Version {}, generated on {}.\n",
            meta.version,
            figures::prose_time(meta.generated_at)
        ));
    }

    fn header(&mut self, context: &Context, meta: &ReportMeta<'_>) {
        let case = &context.case;
        let mut rows = vec![
            ("Report", meta.report_id.to_string()),
            ("Alert", case.alert_id.clone()),
            ("Investigation", case.investigation_id.clone()),
            ("Subject", format!("{} ({})", context.subject.user_id, context.subject.relationship)),
            ("Regulatory impact", case.regulatory_impact.as_str().to_owned()),
            ("Templates", templates(meta.sections)),
        ];
        if let Some(transaction) = &context.transaction {
            rows.insert(3, ("Transaction", transaction.transaction_id.clone()));
        }
        if let Some(earlier) = meta.regeneration_of {
            rows.insert(1, ("Replaces report", earlier.to_string()));
        }
        self.line(&table(["Field", "Value"], rows.into_iter().map(|(field, value)| [field.to_owned(), value])));
    }

    fn section(&mut self, heading: &str, body: &str) {
        self.line(&format!("## {heading}\n"));
        self.line(body.trim_end());
        self.text.push('\n');
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), " --- |".repeat(N));
    for row in rows {
        for cell in row {
            text.push_str("| ");
            escape_into(&mut text, &cell);
            text.push(' ');
        }
        text.push_str("|\n");
    }
    text
}

fn templates(sections: &[SectionRecord]) -> String {
    let mut versions: Vec<_> = sections.iter().map(|section| section.template.as_str()).collect();
    versions.sort_unstable();
    versions.dedup();
    if versions.is_empty() { "none".to_owned() } else { versions.join(", ") }
}

/// `amount_deviation` as `Amount Deviation`.
pub(crate) fn label(name: &str) -> String {
    let words = name.split(['_', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}

fn anomalies(context: &Context) -> String {
    let mut lines = String::new();
    for name in SignalName::ALL {
        if !context.signals.iter().any(|signal| signal.known() == Some(name)) {
            let _ = writeln!(lines, "- **{}**: the alert brought no such signal.", label(name.as_str()));
        }
    }
    let mut items: String = context.signals.iter().map(anomaly).collect();
    items.push_str(&lines);
    items
}

fn anomaly(signal: &SignalFacts) -> String {
    let name = escape_markdown(&label(&signal.name));
    let mut item = format!("- **{name}**: {}", outcome(signal.outcome));
    if let Some(measured) = measured(signal) {
        let _ = write!(item, "; {}", escape_markdown(&measured));
    }
    if let Some(points) = signal.contribution {
        let _ = write!(item, "; contributed {points} points");
    }
    item.push('.');
    if let Some(explanation) = &signal.explanation {
        let _ = write!(item, " {}", prose(explanation));
    }
    item.push('\n');
    for flag in &signal.flags {
        let (name, message) = (escape_markdown(&flag.name), prose(&flag.message));
        let _ = writeln!(item, "  - {name} ({} points): {message}", flag.weight);
    }
    item
}

pub(crate) fn outcome(outcome: SignalOutcome) -> &'static str {
    match outcome {
        SignalOutcome::Fired => "fired",
        SignalOutcome::Clear => "within bounds",
        SignalOutcome::InsufficientHistory => "insufficient history",
        SignalOutcome::NotApplicable => "not applicable",
        SignalOutcome::Reported => "reported",
    }
}

/// Value and threshold with their unit.
pub(crate) fn measured(signal: &SignalFacts) -> Option<String> {
    let unit = signal.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let value = signal.value.map(|value| format!("value {}{unit}", figures::number(value)));
    let threshold = signal.threshold.map(|threshold| format!("threshold {}{unit}", figures::number(threshold)));
    let both: Vec<_> = [value, threshold].into_iter().flatten().collect();
    (!both.is_empty()).then(|| both.join(", "))
}

fn severity(context: &Context) -> String {
    let (case, score) = (&context.case, &context.score);
    let mut text = format!(
        "- Severity: {}\n- Risk Score: {}\n- Band of {}: {} to {}\n",
        case.severity.in_capitals(),
        case.risk_score.get(),
        case.severity.in_capitals(),
        score.band_from,
        score.band_to
    );
    if let Some(sum) = composition(context) {
        let _ = writeln!(text, "- Composition: {}", escape_markdown(&sum));
    }
    if !score.agrees_with_severity {
        text.push_str("- The score lies outside the band of the severity; both stand as the alert stated them.\n");
    }
    text
}

/// `Amount Deviation 41 + Velocity Anomaly 34 = 75`.
pub(crate) fn composition(context: &Context) -> Option<String> {
    let score = &context.score;
    let terms: Vec<_> =
        score.contributions.iter().map(|part| format!("{} {}", label(&part.signal), part.points)).collect();
    if terms.is_empty() {
        return None;
    }
    let cap = if score.is_capped { format!(", capped at {}", score.maximum) } else { String::new() };
    Some(format!("{} = {}{cap}", terms.join(" + "), score.sum))
}

fn timeline(context: &Context, narrative: &str) -> String {
    let mut text = format!("{}\n\n", prose(narrative));
    if context.timeline_omitted > 0 {
        let _ = writeln!(text, "- {}.", omitted(context.timeline_omitted));
    }
    for event in &context.timeline {
        let _ = writeln!(text, "- {}: {}", figures::prose_time(event.timestamp), escape_markdown(&event.event));
    }
    text
}

pub(crate) fn omitted(count: u64) -> String {
    format!("Earlier events not listed here: {count}")
}

fn next_steps(steps: &[String]) -> String {
    let mut text = String::new();
    for (at, step) in steps.iter().enumerate() {
        let _ = writeln!(text, "{}. {}", at + 1, prose(step));
    }
    text
}

fn audit_trail(context: &Context, meta: &ReportMeta<'_>) -> String {
    let trail = trail(context, meta.context_sha256);
    let rows = trail.into_iter().map(|(item, value)| [item.to_owned(), value]);
    let records = meta.sections.iter().map(|record| {
        [
            record.section.heading().to_owned(),
            written_by(record),
            record.template.clone(),
            record.attempts.to_string(),
            record.words.to_string(),
            record.facts.len().to_string(),
        ]
    });
    format!(
        "{}\n{}",
        table(["Item", "Value"], rows),
        table(["Section", "Written by", "Template", "Attempts", "Words", "Traced facts"], records)
    )
}

/// The ids, hashes and counts that link this report to the records it is based on.
pub(crate) fn trail(context: &Context, context_sha256: &str) -> Vec<(&'static str, String)> {
    let (case, correlation) = (&context.case, &context.correlation);
    let by = correlation.prior_alerts_by_severity;
    vec![
        ("Alert id", case.alert_id.clone()),
        ("Investigation id", case.investigation_id.clone()),
        ("Alert created", figures::prose_time(case.alert_created_at)),
        (
            "Alert source",
            match case.source {
                AlertSource::Detector => "detector".to_owned(),
                AlertSource::External => "external".to_owned(),
            },
        ),
        (
            "Prior alerts of the subject",
            format!(
                "{} (low {}, medium {}, high {}, critical {})",
                correlation.prior_alerts, by.low, by.medium, by.high, by.critical
            ),
        ),
        (
            "Similar alerts",
            format!(
                "{} of the same severity, within {} points",
                correlation.similar_alerts, correlation.similar_within_points
            ),
        ),
        ("Rules SHA-256", case.rules_hash.clone().unwrap_or_else(|| "not stated by the alert".to_owned())),
        ("Metadata fields withheld", context.metadata_withheld.to_string()),
        ("Context SHA-256", context_sha256.to_owned()),
    ]
}

pub(crate) fn written_by(record: &SectionRecord) -> String {
    let writer = match record.written_by {
        WrittenBy::Builtin => "built-in writer",
        WrittenBy::Model => "model",
        WrittenBy::ModelAndBuiltin => "built-in writer and model",
        WrittenBy::Fallback => "built-in writer, in place of a model",
    };
    record.model.as_ref().map_or_else(|| writer.to_owned(), |model| format!("{writer} {model}"))
}
