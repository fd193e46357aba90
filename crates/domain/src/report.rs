//! What a report is made of: its sections, their lengths, and what a word is.

use serde::{Deserialize, Serialize};

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
