//! The report as a single HTML page for a compliance officer's file: no scripts, no external resources, readable on screens, phones
//! and paper, in light and dark mode.
//!
//! | file          | job                                                      |
//! |---------------|----------------------------------------------------------|
//! | this one      | the page, section by section                             |
//! | `facts.rs`    | prose with its traced figures marked, and their table    |
//! | `licences.rs` | the table of sentences and the facts that license them   |
//! | `style.css`   | the style sheet, embedded into the page                  |
//!
//! Ids come from the redacted context, not from the record. Every text goes through `escape::html`; only this folder writes tags.

mod facts;
mod licences;

use std::fmt::Write as _;

use countersign_domain::{
    Section, Severity,
    payload::{ReportAddendumAdded, ReportType},
};
use serde_json::Value;

use crate::{
    Content, Context, SignalFacts, SignalOutcome, TimelineEventKind, TransactionStatus, addenda, document,
    escape::html as escaped, figures,
};
use facts::{appendix, traced};
use licences::licences;

const STYLE: &str = include_str!("style.css");

pub fn html(content: &Content) -> String {
    html_with(content, &[])
}

/// The page with the addenda to the report.
pub(crate) fn html_with(content: &Content, added: &[ReportAddendumAdded]) -> String {
    let context = &content.context;
    let facts = serde_json::to_value(context).unwrap_or_default();
    let is_compliance = content.report_type != ReportType::Internal;
    let is_full = content.report_type == ReportType::Full;
    let mut page = HtmlPage { content, facts: &facts, html: String::with_capacity(64 * 1024) };
    page.head();
    page.verdict();
    page.prose(Section::ExecutiveSummary);
    page.section("Detected Anomaly", &signals(context));
    page.timeline();
    page.prose(Section::InvestigationNarrative);
    page.prose(Section::FraudExplanation);
    page.prose(Section::RiskJustification);
    if let Some(statement) = content.regulatory_statement.as_deref().filter(|_| is_compliance) {
        page.section("Regulatory Statement", &paragraph(statement));
    }
    if let Some(analysis) = content.extended_analysis.as_deref().filter(|_| is_full) {
        page.section("Extended Analysis", &paragraph(analysis));
    }
    page.section("Recommended Next Steps", &next_steps(&content.recommended_next_steps));
    if is_compliance {
        page.section("Audit Trail", &audit_trail(content));
        page.section("Traced Facts", &appendix(content, &facts));
        let licences = licences(content, &facts);
        if !licences.is_empty() {
            page.section("Facts Behind Each Sentence", &licences);
        }
    }
    if is_full {
        page.section("Complete Context", &json(&facts));
    }
    page.section("Structured Data", &json(&content.structured_data));
    if !added.is_empty() {
        page.html.push_str(&addenda::html(added));
    }
    page.foot();
    page.html
}

struct HtmlPage<'a> {
    content: &'a Content,
    facts: &'a Value,
    html: String,
}

impl HtmlPage<'_> {
    fn head(&mut self) {
        let content = self.content;
        let title = format!(
            "{} {} · investigation report {}",
            content.severity.in_capitals(),
            content.risk_score.get(),
            content.id
        );
        let _ = write!(
            self.html,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main class=\"{}\">\n",
            escaped(&title),
            content.severity.as_str()
        );
    }

    /// Severity and score first, then how they came about, then the key facts.
    fn verdict(&mut self) {
        let (content, context) = (self.content, &self.content.context);
        let severity = content.severity.in_capitals();
        let _ = write!(
            self.html,
            "<header>\n<p class=\"kind\"><strong>Investigation report</strong> · {} · version {} · {}</p>\n\
             <div class=\"verdict\">\n<h1><span aria-hidden=\"true\">{}</span>{severity}</h1>\n<p class=\"score\"><b>{}</b> out of 100</p>\n",
            content.report_type.as_str(),
            content.version,
            figures::prose_time(content.generated_at),
            sign(content.severity),
            content.risk_score.get()
        );
        let score = &context.score;
        let band = format!("{severity} is {} to {}.", score.band_from, score.band_to);
        let sum = document::composition(context).map(|sum| format!("{}. ", escaped(&sum))).unwrap_or_default();
        let _ = write!(
            self.html,
            "<div class=\"scale\" aria-hidden=\"true\"><i style=\"--points:{}\"></i></div>\n<p class=\"sum\">{sum}\
             <span>{band}</span></p>\n</div>\n",
            content.risk_score.get()
        );
        if !score.agrees_with_severity {
            self.html.push_str(
                "<p class=\"note\">The score lies outside the band of the severity. Both stand as the alert stated them.</p>\n",
            );
        }
        self.html.push_str("<dl>\n");
        for (term, value) in key_facts(content) {
            let _ = writeln!(self.html, "<div><dt>{term}</dt><dd>{}</dd></div>", escaped(&value));
        }
        self.html.push_str("</dl>\n</header>\n");
    }

    fn prose(&mut self, section: Section) {
        let body = traced(self.content, section, self.facts);
        self.section(section.heading(), &body);
    }

    fn timeline(&mut self) {
        let context = &self.content.context;
        let mut body = traced(self.content, Section::TimelineNarrative, self.facts);
        if context.timeline_omitted > 0 {
            let _ = writeln!(body, "<p>{}.</p>", document::omitted(context.timeline_omitted));
        }
        body.push_str("<ol class=\"timeline\">\n");
        for event in &context.timeline {
            let class = match event.happening {
                TimelineEventKind::Transaction
                | TimelineEventKind::AlertCreated
                | TimelineEventKind::InvestigationOpened => " class=\"own\"",
                TimelineEventKind::AccountOpened
                | TimelineEventKind::PriorTransaction
                | TimelineEventKind::PriorAlert => "",
            };
            let _ = writeln!(
                body,
                "<li{class}><time datetime=\"{}\">{}</time><span>{}</span></li>",
                event.timestamp,
                figures::table_time(event.timestamp),
                escaped(&event.event)
            );
        }
        body.push_str("</ol>\n");
        self.section(Section::TimelineNarrative.heading(), &body);
    }

    fn section(&mut self, heading: &str, body: &str) {
        let _ = write!(self.html, "<section>\n<h2>{heading}</h2>\n{body}</section>\n");
    }

    fn foot(&mut self) {
        let content = self.content;
        let _ = write!(
            self.html,
            "<footer>\n<p>Underlined figures name the fact in the record that they were traced to.</p>\n\
             <p>Report <span class=\"mono\">{}</span></p>\n<p>Context SHA-256 <span class=\"mono\">{}</span></p>\n\
             </footer>\n</main>\n</body>\n</html>\n",
            escaped(content.id.as_str()),
            escaped(&content.context_sha256)
        );
    }
}

/// A symbol in addition to the word and the colour, so that the severity is recognisable in greyscale too.
fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "○",
        Severity::Medium => "◐",
        Severity::High => "●",
        Severity::Critical => "▲",
    }
}

fn key_facts(content: &Content) -> Vec<(&'static str, String)> {
    let context = &content.context;
    let subject = &context.subject;
    let mut facts = vec![("Subject", format!("{} ({})", subject.user_id, subject.relationship))];
    if let Some(transaction) = &context.transaction {
        let status = match transaction.status {
            TransactionStatus::Completed => "completed",
            TransactionStatus::Attempted => "attempted",
            TransactionStatus::NotStated => "not stated",
        };
        facts.push(("Amount", figures::money(&transaction.amount)));
        facts.push(("Happened", figures::prose_time(transaction.occurred_at)));
        let place = transaction.location.as_ref().map(|place| match &place.city {
            Some(city) => format!("{city}, {}", place.country_name),
            None => place.country_name.clone(),
        });
        facts.push(("Where", place.unwrap_or_else(|| "not stated".to_owned())));
        facts.push(("Status", status.to_owned()));
        facts.push(("Transaction", transaction.transaction_id.clone()));
    } else {
        facts.push(("Transaction", "not on record".to_owned()));
    }
    facts.push(("Alert", context.case.alert_id.clone()));
    facts.push(("Investigation", context.case.investigation_id.clone()));
    facts.push(("Regulatory impact", content.regulatory_impact.as_str().to_owned()));
    facts
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(&text.replace('`', "")))
}

fn signals(context: &Context) -> String {
    if context.signals.is_empty() {
        return "<p>The alert brought no signals.</p>\n".to_owned();
    }
    let mut rows = String::new();
    for signal in &context.signals {
        rows.push_str(&signal_row(signal));
    }
    format!(
        "<table class=\"signals\">\n<thead><tr><th>Signal</th><th>Outcome</th><th class=\"n\">Value</th>\
         <th class=\"n\">Threshold</th><th class=\"n\">Points</th></tr></thead>\n{rows}</table>\n"
    )
}

/// A row of figures, and below it the sentences.
fn signal_row(signal: &SignalFacts) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), figures::number);
    let points = signal.contribution.map_or_else(
        || "–".to_owned(),
        |points| format!("<span class=\"bar\"><i style=\"--points:{}\"></i></span><b>{points}</b>", points.min(100)),
    );
    let is_quiet = matches!(
        signal.outcome,
        SignalOutcome::Clear | SignalOutcome::InsufficientHistory | SignalOutcome::NotApplicable
    );
    format!(
        "<tbody{}>\n<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{points}</td></tr>\n\
         <tr><td colspan=\"5\">{}</td></tr>\n</tbody>\n",
        if is_quiet { " class=\"quiet\"" } else { "" },
        escaped(&document::label(&signal.name)),
        document::outcome(signal.outcome),
        number(signal.value),
        number(signal.threshold),
        sentences(signal)
    )
}

fn sentences(signal: &SignalFacts) -> String {
    let unit = signal.unit.as_ref().filter(|_| signal.value.is_some()).map(|unit| format!("Measured in {unit}."));
    let flags = signal.flags.iter().map(|flag| format!("{} ({}): {}", flag.name, flag.weight, flag.message));
    let lines = signal.explanation.iter().cloned().chain(unit).chain(flags);
    lines.map(|line| format!("<small>{}</small>", escaped(&line))).collect()
}

fn next_steps(steps: &[String]) -> String {
    let mut items = String::new();
    for step in steps {
        let _ = writeln!(items, "<li>{}</li>", escaped(&step.replace('`', "")));
    }
    format!("<ol class=\"steps\">\n{items}</ol>\n")
}

fn audit_trail(content: &Content) -> String {
    let mut rows = String::new();
    for (item, value) in document::trail(&content.context, &content.context_sha256) {
        let _ = writeln!(rows, "<tr><th scope=\"row\">{item}</th><td class=\"mono\">{}</td></tr>", escaped(&value));
    }
    let mut sections = String::new();
    for record in &content.sections {
        let _ = writeln!(
            sections,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            record.section.heading(),
            escaped(&document::written_by(record)),
            escaped(&record.template),
            record.attempts,
            record.words,
            record.facts.len()
        );
    }
    format!(
        "<table>\n<tbody>\n{rows}</tbody>\n</table>\n<h3>How each section came to be</h3>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th>Section</th><th>Written by</th><th>Template</th><th class=\"n\">Attempts</th><th class=\"n\">Words</th>\
         <th class=\"n\">Facts</th></tr></thead>\n<tbody>\n{sections}</tbody>\n</table></div>\n"
    )
}

fn json(value: &Value) -> String {
    format!("<pre>{}</pre>\n", escaped(&serde_json::to_string_pretty(value).unwrap_or_default()))
}
