//! What a report is made of: its sections, their lengths, and what a word is.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{AlertId, payload::ReportType};

/// Reports are derived from their alert, type and version, so that a step that is run again makes the same one.
const REPORT_NAMESPACE: Uuid = Uuid::from_u128(0x0c9d_6a11_52f8_4e0b_8f0e_31c6_bb1d_7a42);

/// The id of a version of a report.
pub fn report_id(alert: &AlertId, report_type: ReportType, version: u32) -> String {
    let name = format!("{}\n{}\n{version}", alert.as_str(), report_type.as_str());
    Uuid::new_v5(&REPORT_NAMESPACE, name.as_bytes()).to_string()
}

/// The sections that are written as prose, and by a model where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    ExecutiveSummary,
    FraudExplanation,
    TimelineNarrative,
    RiskJustification,
    InvestigationNarrative,
}

impl Section {
    pub const ALL: [Self; 5] = [
        Self::ExecutiveSummary,
        Self::FraudExplanation,
        Self::TimelineNarrative,
        Self::RiskJustification,
        Self::InvestigationNarrative,
    ];

    /// Those without which a report is incomplete.
    pub const REQUIRED: [Self; 4] =
        [Self::ExecutiveSummary, Self::FraudExplanation, Self::TimelineNarrative, Self::RiskJustification];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExecutiveSummary => "executive_summary",
            Self::FraudExplanation => "fraud_explanation",
            Self::TimelineNarrative => "timeline_narrative",
            Self::RiskJustification => "risk_justification",
            Self::InvestigationNarrative => "investigation_narrative",
        }
    }

    pub const fn heading(self) -> &'static str {
        match self {
            Self::ExecutiveSummary => "Executive Summary",
            Self::FraudExplanation => "Fraud Explanation",
            Self::TimelineNarrative => "Timeline of Events",
            Self::RiskJustification => "Risk Justification",
            Self::InvestigationNarrative => "Investigation Narrative",
        }
    }

    /// Fewest and most words, both allowed.
    pub const fn words(self) -> (usize, usize) {
        match self {
            Self::ExecutiveSummary => (100, 150),
            Self::FraudExplanation => (200, 250),
            Self::TimelineNarrative | Self::RiskJustification => (150, 200),
            Self::InvestigationNarrative => (180, 220),
        }
    }
}

/// Words of a text: runs without white space that hold a letter or a digit.
pub fn count_words(text: &str) -> usize {
    if text.is_ascii() {
        let mut bytes = text.bytes();
        let mut words = 0;
        while bytes.any(|byte| byte.is_ascii_alphanumeric()) {
            words += 1;
            // Whatever else stands in a word that counts.
            let _ = bytes.any(|byte| matches!(byte, b'\t'..=b'\r' | b' '));
        }
        return words;
    }
    text.split_whitespace().filter(|run| run.chars().any(char::is_alphanumeric)).count()
}

/// How a section starts when the configured model stayed down.
pub const FALLBACK: &str = "[FALLBACK] AI generation unavailable. Report generated using deterministic data only. Please \
                            review structured data section for details.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_the_id_that_alert_type_and_version_give_it() {
        let alert = "fraud-123".parse().unwrap();
        let id = report_id(&alert, ReportType::Full, 1);
        assert_eq!(id, report_id(&alert, ReportType::Full, 1));
        let others = [
            report_id(&alert, ReportType::Full, 2),
            report_id(&alert, ReportType::Internal, 1),
            report_id(&"fraud-124".parse().unwrap(), ReportType::Full, 1),
        ];
        assert!(!others.contains(&id));
        // Stored ledgers depend on this value.
        assert_eq!(id, "a76f16d3-9b0f-52b8-844d-ae2e08c0c749");
    }

    #[test]
    fn words_hold_a_letter_or_a_digit() {
        for (text, words) in
            [("", 0), ("  \n ", 0), ("one", 1), ("USD 1,250.00 - paid", 3), ("— • …", 0), ("a\u{a0}b é", 3)]
        {
            assert_eq!(count_words(text), words, "{text:?}");
        }
    }

    #[test]
    fn the_fallback_sentence_is_the_seeds() {
        assert_eq!(count_words(FALLBACK), 17);
        assert!(FALLBACK.starts_with("[FALLBACK] AI generation unavailable. Report generated using"));
    }
}
