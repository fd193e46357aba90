//! A report as it is stored. Everything that shows, exports or validates a report reads this.

use countersign_domain::{
    AlertId, InvestigationId, ReportId, Score, Section, Severity, Time, TransactionId, json,
    payload::{Level, ReportType},
    revision::Revision,
    severity::capitals,
};
use countersign_ledger::HashedText;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Context;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Content {
    pub id: ReportId,
    pub version: u32,
    /// The version that this one replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regeneration_of: Option<ReportId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<TransactionId>,
    /// The alert, under the name that it has in the `reports` table.
    pub fraud_detection_id: AlertId,
    pub investigation_id: InvestigationId,
    pub report_type: ReportType,
    #[serde(with = "capitals")]
    pub severity: Severity,
    pub risk_score: Score,
    pub regulatory_impact: Level,
    pub executive_summary: String,
    pub fraud_explanation: String,
    pub timeline_narrative: String,
    pub risk_justification: String,
    pub investigation_narrative: String,
    pub recommended_next_steps: Vec<String>,
    /// Only in compliance and full reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regulatory_statement: Option<String>,
    /// Only in full reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extended_analysis: Option<String>,
    pub markdown_content: String,
    /// The report as data, for programs: severity, score, signals, timeline (`structured.rs`).
    pub structured_data: Value,
    pub generated_at: Time,
    /// What reviewers asked the built-in writer for, in this version and those before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// How each prose section came to be.
    pub sections: Vec<SectionRecord>,
    pub context: Context,
    /// SHA-256 of the context's JSON, in hex.
    pub context_sha256: String,
}

/// How a prose section came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SectionRecord {
    pub section: Section,
    pub words: usize,
    pub written_by: WrittenBy,
    /// `provider/model`, if a model wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The version of the prompt's or the writer's template.
    pub template: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_sha256: Option<String>,
    /// The number of texts requested: the first, and each rewritten one.
    pub attempts: u32,
    /// Why a model's texts were rejected, in order. Never contains the text itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    pub facts: Vec<TracedFact>,
    /// What licenses each sentence. Empty in reports from before sentences were checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<TracedSentence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WrittenBy {
    /// The built-in writer, because no model is configured.
    Builtin,
    Model,
    /// A model, whose text the built-in writer filled up to its length.
    #[serde(rename = "model and builtin")]
    ModelAndBuiltin,
    /// The built-in writer, because the configured model failed or its text did not pass the fact check.
    Fallback,
}

impl WrittenBy {
    /// Whether a model may have written any of the words.
    pub fn is_by_model(self) -> bool {
        matches!(self, Self::Model | Self::ModelAndBuiltin)
    }

    /// Who wrote a text that was fitted to its word range: the model alone if the text was only cut at its end, and otherwise
    /// the built-in writer too.
    pub fn fitted(by_model: &str, fitted: &str) -> Self {
        let normalised = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (by_model, fitted) = (normalised(by_model), normalised(fitted));
        match by_model.starts_with(fitted.trim_end_matches('.')) {
            true => Self::Model,
            false => Self::ModelAndBuiltin,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Model => "model",
            Self::ModelAndBuiltin => "model and builtin",
            Self::Fallback => "fallback",
        }
    }
}

/// A sentence of a section, and the facts that license what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TracedSentence {
    /// Code points from the section's start; `end` is exclusive.
    pub start: usize,
    pub end: usize,
    /// JSON pointers into the context.
    pub facts: Vec<String>,
}

/// A figure or a name in a section, and the fact it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TracedFact {
    /// Code points from the section's start; `end` is exclusive.
    pub start: usize,
    pub end: usize,
    /// The figure or name as it is written.
    pub text: String,
    /// JSON pointer into the context.
    pub path: String,
}

impl Content {
    pub fn section(&self, section: Section) -> &str {
        match section {
            Section::ExecutiveSummary => &self.executive_summary,
            Section::FraudExplanation => &self.fraud_explanation,
            Section::TimelineNarrative => &self.timeline_narrative,
            Section::RiskJustification => &self.risk_justification,
            Section::InvestigationNarrative => &self.investigation_narrative,
        }
    }

    /// Whether a model wrote any part of a section, or the section has no record.
    pub fn is_by_model(&self, section: Section) -> bool {
        let record = self.sections.iter().find(|record| record.section == section);
        record.is_none_or(|record| record.written_by.is_by_model())
    }

    /// The bytes that are stored and hashed, and their SHA-256 in hex.
    pub fn sealed(&self) -> serde_json::Result<HashedText> {
        // A capacity hint: the Markdown contains every text and the structured data, and the other fields repeat them.
        json::to_string(self, self.markdown_content.len() * 3).map(HashedText::new)
    }
}

#[cfg(test)]
mod tests {
    use super::WrittenBy;

    #[test]
    fn a_text_that_was_lengthened_has_two_writers() {
        let model = "The customer paid twice.  The amounts differ.";
        for (fitted, expected) in [
            ("The customer paid twice. The amounts differ.", WrittenBy::Model),
            ("The customer paid twice.", WrittenBy::Model),
            ("The customer paid twice. The amounts differ. The score is 82.", WrittenBy::ModelAndBuiltin),
            ("The score is 82.", WrittenBy::ModelAndBuiltin),
        ] {
            assert_eq!(WrittenBy::fitted(model, fitted), expected, "{fitted}");
        }
        assert_eq!(WrittenBy::fitted("No full stop", "No full stop."), WrittenBy::Model);
    }

    #[test]
    fn a_writer_is_stored_under_the_name_that_is_shown() {
        for by in [WrittenBy::Builtin, WrittenBy::Model, WrittenBy::ModelAndBuiltin, WrittenBy::Fallback] {
            let stored = serde_json::to_string(&by).unwrap();
            assert_eq!(stored, format!("\"{}\"", by.as_str()));
            assert_eq!(serde_json::from_str::<WrittenBy>(&stored).unwrap(), by);
        }
    }
}
