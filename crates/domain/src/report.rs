//! The sections of a report, their lengths, and how words are counted.

use serde::{Deserialize, Serialize};

/// The prose sections. A model writes them if one is configured.
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

    /// The sections that every report must have.
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

    /// The minimum and maximum number of words, inclusive.
    pub const fn word_range(self) -> (usize, usize) {
        match self {
            Self::ExecutiveSummary => (100, 150),
            Self::FraudExplanation => (200, 250),
            Self::TimelineNarrative | Self::RiskJustification => (150, 200),
            Self::InvestigationNarrative => (180, 220),
        }
    }
}

/// Counts words: runs of non-space characters with at least one letter or digit.
pub fn count_words(text: &str) -> usize {
    if text.is_ascii() {
        let mut bytes = text.bytes();
        let mut words = 0;
        while bytes.any(|byte| byte.is_ascii_alphanumeric()) {
            words += 1;
            // Skip the rest of the word.
            let _ = bytes.any(|byte| matches!(byte, b'\t'..=b'\r' | b' '));
        }
        return words;
    }
    text.split_whitespace().filter(|run| run.chars().any(char::is_alphanumeric)).count()
}

/// The beginning of a section that the configured model could not write.
pub const FALLBACK: &str = "[FALLBACK] AI generation unavailable. Report generated using deterministic data only. Please \
                            review structured data section for details.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_with_a_letter_or_a_digit_are_counted() {
        for (text, words) in
            [("", 0), ("  \n ", 0), ("one", 1), ("USD 1,250.00 - paid", 3), ("— • …", 0), ("a\u{a0}b é", 3)]
        {
            assert_eq!(count_words(text), words, "{text:?}");
        }
    }

    #[test]
    fn the_fallback_notice_is_as_documented() {
        assert_eq!(count_words(FALLBACK), 17);
        assert!(FALLBACK.starts_with("[FALLBACK] AI generation unavailable. Report generated using"));
    }
}
