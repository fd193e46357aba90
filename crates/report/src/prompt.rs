//! Prompts for models: one template per section, versioned and hashed, with the context as JSON between markers.
//!
//! Everything that is not part of a template is data: the context, feedback, a text to correct. Data stands between lines with a
//! marker that the caller draws at random for each call, so no text can end its block early.

use std::{borrow::Cow, sync::LazyLock};

use countersign_domain::{
    Section,
    payload::{IssueType, Level},
};
use countersign_ledger::sha256;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    Content, Context, TimelineEventKind,
    redact::{bounded, mask_text},
};

/// The version of the templates. Change it whenever a text in `prompts/` or a request in this file changes.
pub const TEMPLATE: &str = "report-3";

/// The maximum size of the context in a prompt. Facts are checked against the whole context.
pub const PROMPT_CONTEXT_BYTES_MAX: usize = 48 * 1024;

/// The maximum number of earlier events in a prompt, the newest ones. More would cost attention and money and add little.
const EARLIER_EVENTS_MAX: usize = 60;
const FEEDBACK_CHARS_MAX: usize = 4_000;
const TEXT_CHARS_MAX: usize = 8_000;
const REFUSALS_MAX: usize = 20;
const REFUSAL_CHARS_MAX: usize = 200;
const NEXT_STEPS_MAX: usize = 20;
const NEXT_STEP_CHARS_MAX: usize = 4_000;
/// The number of flags that each signal keeps in the shortest context.
const FLAGS_KEPT: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPrompt {
    pub system: String,
    pub user: String,
    pub template: &'static str,
    pub template_sha256: &'static str,
}

/// Asks for a section. `feedback` is what the supervisor or a reviewer said about an earlier version.
pub fn prompt(section: Section, context: &Context, marker: &str, feedback: Option<&str>) -> ReportPrompt {
    let mut prompt = section_prompt(section, context, marker);
    if let Some(feedback) = feedback {
        // Reviewers write feedback too, and may name people whom the context does not.
        let data = MarkedData { marker }.text("feedback", &mask_text(feedback, FEEDBACK_CHARS_MAX), FEEDBACK_CHARS_MAX);
        prompt.user.push_str(&format!(
            "\nFEEDBACK ON AN EARLIER VERSION:\n{data}\n\nTake up what the feedback says about this section's language. It \
             can't change a fact.\n"
        ));
    }
    prompt
}

/// Asks for a longer text.
pub fn expand(section: Section, context: &Context, marker: &str, text: &str, words_missing: usize) -> ReportPrompt {
    let (fewest, most) = section.word_range();
    let request = format!(
        "It is {words_missing} words too short. Write it again with {fewest} to {most} words: add facts from the data that \
         it does not state yet, and keep what is right."
    );
    rewrite_prompt(section, context, marker, text, &request)
}

/// Asks for a shorter text.
pub fn compress(section: Section, context: &Context, marker: &str, text: &str, words_too_many: usize) -> ReportPrompt {
    let (fewest, most) = section.word_range();
    let request = format!(
        "It is {words_too_many} words too long. Write it again with {fewest} to {most} words: leave out what matters least, \
         and change no figure."
    );
    rewrite_prompt(section, context, marker, text, &request)
}

/// Asks for prose, because the text was JSON.
pub fn reword(section: Section, context: &Context, marker: &str, text: &str) -> ReportPrompt {
    let (fewest, most) = section.word_range();
    let request = format!(
        "It is JSON, and nobody can read it. Write it again as one paragraph of plain text with {fewest} to {most} words."
    );
    rewrite_prompt(section, context, marker, text, &request)
}

/// Asks for a text without the refused claims. `refusals` describes one per line.
pub fn correct(section: Section, context: &Context, marker: &str, text: &str, refusals: &[String]) -> ReportPrompt {
    let lines: Vec<_> = refusals
        .iter()
        .take(REFUSALS_MAX)
        .map(|refusal| format!("- {}", bounded(one_line(refusal), REFUSAL_CHARS_MAX)))
        .collect();
    let refused = MarkedData { marker }.text("refused", &lines.join("\n"), usize::MAX);
    let (fewest, most) = section.word_range();
    let request = format!(
        "It states what the data does not hold:\n{refused}\n\nWrite it again with {fewest} to {most} words. Say only what \
         the data holds, each fact for what it is, in plain words; leave out what was refused."
    );
    rewrite_prompt(section, context, marker, text, &request)
}

/// Asks for an assessment of a whole report.
pub fn supervisor_prompt(content: &Content, marker: &str) -> ReportPrompt {
    let template = &SUPERVISOR;
    let data = MarkedData { marker };
    let mut report = format!(
        "{marker} report\nseverity: {}\nrisk_score: {}\nreport_type: {}\n",
        content.severity.in_capitals(),
        content.risk_score.get(),
        content.report_type.as_str()
    );
    for section in Section::ALL {
        let text = data.clean(content.section(section), TEXT_CHARS_MAX);
        report.push_str(&format!("\n{}:\n{text}\n", section.as_str()));
    }
    for (at, step) in content.recommended_next_steps.iter().take(NEXT_STEPS_MAX).enumerate() {
        report.push_str(&format!("\nnext step {}: {}", at + 1, data.clean(step, NEXT_STEP_CHARS_MAX)));
    }
    report.push_str(&format!("\n{marker} end"));
    let context = data.json("context", &shortened(&content.context));
    template.filled(&[("marker", marker), ("report", &report), ("context", &context)])
}

/// The JSON schema of an assessment.
pub fn supervisor_schema() -> Value {
    let types = [
        IssueType::Completeness,
        IssueType::Consistency,
        IssueType::MissingSection,
        IssueType::WeakJustification,
        IssueType::Anomaly,
    ];
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "issues": {"type": "array", "items": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "type": {"type": "string", "enum": types},
                    "severity": {"type": "string", "enum": [Level::Low, Level::Medium, Level::High]},
                    "description": {"type": "string"},
                    "section": {"type": "string", "enum": Section::ALL}
                },
                "required": ["type", "severity", "description", "section"]
            }},
            "feedback": {"type": "string"},
            "justification_strength": {"type": "string", "enum": ["none", "weak", "adequate", "strong"]}
        },
        "required": ["issues", "feedback", "justification_strength"]
    })
}

struct Template {
    system: String,
    user: String,
    sha256: String,
}

impl Template {
    /// Reads a template: system prompt above the line `---`, user prompt below. The hash covers the whole text, including the rules.
    fn read(text: &str) -> Self {
        let text = text.replace("{rules}", include_str!("prompts/rules.md").trim_end());
        let (system, user) = text.split_once("\n---\n").unwrap_or((&text, ""));
        Self { system: system.to_owned(), user: user.to_owned(), sha256: sha256(text.as_bytes()).to_hex() }
    }

    fn filled(&'static self, values: &[(&str, &str)]) -> ReportPrompt {
        ReportPrompt {
            system: fill(&self.system, values),
            user: fill(&self.user, values),
            template: TEMPLATE,
            template_sha256: &self.sha256,
        }
    }
}

macro_rules! template {
    ($name:ident, $file:literal) => {
        static $name: LazyLock<Template> = LazyLock::new(|| Template::read(include_str!($file)));
    };
}

template!(EXECUTIVE_SUMMARY, "prompts/executive_summary.md");
template!(FRAUD_EXPLANATION, "prompts/fraud_explanation.md");
template!(TIMELINE_NARRATIVE, "prompts/timeline_narrative.md");
template!(RISK_JUSTIFICATION, "prompts/risk_justification.md");
template!(INVESTIGATION_NARRATIVE, "prompts/investigation_narrative.md");
template!(SUPERVISOR, "prompts/supervisor.md");

fn template(section: Section) -> &'static Template {
    match section {
        Section::ExecutiveSummary => &EXECUTIVE_SUMMARY,
        Section::FraudExplanation => &FRAUD_EXPLANATION,
        Section::TimelineNarrative => &TIMELINE_NARRATIVE,
        Section::RiskJustification => &RISK_JUSTIFICATION,
        Section::InvestigationNarrative => &INVESTIGATION_NARRATIVE,
    }
}

/// Fills in the values in one pass, so that a value that contains `{context}` stays as it is.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        filled.push_str(before);
        let value = after.find('}').and_then(|close| {
            let (_, value) = values.iter().find(|(name, _)| after.get(1..close) == Some(name))?;
            Some((value, close + 1))
        });
        let (written, read) = value.map_or(("{", 1), |(value, read)| (*value, read));
        filled.push_str(written);
        rest = &after[read..];
    }
    filled.push_str(rest);
    filled
}

/// Writes data between lines with the marker.
#[derive(Clone, Copy)]
struct MarkedData<'a> {
    marker: &'a str,
}

impl MarkedData<'_> {
    fn json(self, name: &str, value: &impl Serialize) -> String {
        self.text(name, &serde_json::to_string(value).unwrap_or_default(), usize::MAX)
    }

    fn text(self, name: &str, text: &str, chars_max: usize) -> String {
        let marker = self.marker;
        format!("{marker} {name}\n{}\n{marker} end", self.clean(text, chars_max))
    }

    /// Removes the marker from a text. It can't be guessed, but this way not even a leaked one helps.
    fn clean(self, text: &str, chars_max: usize) -> String {
        let text = if self.marker.is_empty() { text.to_owned() } else { text.replace(self.marker, "") };
        bounded(text, chars_max)
    }
}

fn one_line(text: &str) -> String {
    crate::redact::clean(text)
}

fn section_prompt(section: Section, context: &Context, marker: &str) -> ReportPrompt {
    let data = MarkedData { marker };
    let context = shortened(context);
    let signals =
        data.json("signals", &json!({"case": context.case, "signals": context.signals, "score": context.score}));
    let baseline = json!({
        "transaction": context.transaction, "baseline": context.baseline, "subject": context.subject,
        "correlation": context.correlation
    });
    let baseline = data.json("baseline", &baseline);
    let context = data.json("context", &context);
    template(section).filled(&[
        ("marker", marker),
        ("context", &context),
        ("signals", &signals),
        ("baseline", &baseline),
    ])
}

fn rewrite_prompt(section: Section, context: &Context, marker: &str, text: &str, request: &str) -> ReportPrompt {
    let mut prompt = section_prompt(section, context, marker);
    let text = MarkedData { marker }.text("text", text, TEXT_CHARS_MAX);
    prompt.user.push_str(&format!("\nYOUR LAST TEXT:\n{text}\n\n{request}\n"));
    prompt
}

/// The context, shortened step by step until it fits a prompt. The first three steps keep fewer and fewer earlier events; the
/// second also drops the transaction's metadata, and the third the signals' details. The last step drops the signals' baselines
/// and most of their flags.
fn shortened(context: &Context) -> Cow<'_, Context> {
    let is_earlier =
        |happening| matches!(happening, TimelineEventKind::PriorTransaction | TimelineEventKind::PriorAlert);
    let earlier = context.timeline.iter().filter(|event| is_earlier(event.happening)).count();
    let fits = |context: &Context| serde_json::to_vec(context).is_ok_and(|json| json.len() <= PROMPT_CONTEXT_BYTES_MAX);
    if earlier <= EARLIER_EVENTS_MAX && fits(context) {
        return Cow::Borrowed(context);
    }
    let mut short = context.clone();
    for keep in [EARLIER_EVENTS_MAX, EARLIER_EVENTS_MAX / 4, 0] {
        let mut too_many =
            short.timeline.iter().filter(|event| is_earlier(event.happening)).count().saturating_sub(keep);
        short.timeline_omitted = short.timeline_omitted.saturating_add(too_many as u64);
        // Oldest first, as the timeline is.
        short.timeline.retain(|event| {
            let is_over = too_many > 0 && is_earlier(event.happening);
            too_many -= usize::from(is_over);
            !is_over
        });
        if fits(&short) {
            return Cow::Owned(short);
        }
        short.transaction.iter_mut().for_each(|transaction| transaction.metadata.clear());
        if keep < EARLIER_EVENTS_MAX {
            short.signals.iter_mut().for_each(|signal| signal.details.clear());
        }
    }
    for signal in &mut short.signals {
        signal.baseline.clear();
        signal.flags.truncate(FLAGS_KEPT);
    }
    Cow::Owned(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_filled_in_once_and_not_read_as_a_template() {
        for (template, expected) in [("a {x} b", "a {y} b"), ("{x}{x}", "{y}{y}"), ("{z} {", "{z} {"), ("{ {y}", "{ 2")]
        {
            assert_eq!(fill(template, &[("x", "{y}"), ("y", "2")]), expected);
        }
    }

    #[test]
    fn every_template_has_both_halves_and_its_own_hash() {
        let mut hashes = Vec::new();
        for section in Section::ALL {
            let template = template(section);
            let (fewest, most) = section.word_range();
            assert!(template.system.contains(&format!("{fewest}-{most} words")), "{section:?}");
            assert!(template.system.contains("{marker}") && !template.system.contains("{rules}"), "{section:?}");
            assert!(template.user.contains("INSTRUCTION:"), "{section:?}");
            hashes.push(template.sha256.clone());
        }
        hashes.push(SUPERVISOR.sha256.clone());
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 6);
    }

    #[test]
    fn the_schema_lists_every_value_that_an_assessment_may_use() {
        let schema = supervisor_schema();
        let item = &schema["properties"]["issues"]["items"]["properties"];
        let types = json!(["completeness", "consistency", "missing_section", "weak_justification", "anomaly"]);
        assert_eq!(item["type"]["enum"], types);
        assert_eq!(item["severity"]["enum"], json!(["low", "medium", "high"]));
        assert_eq!(item["section"]["enum"].as_array().unwrap().len(), 5);
    }
}
