//! The validation score: rules with their points, and the sum over all faults.

use serde::{Deserialize, Serialize};

use super::Fault;
use crate::{Score, payload::Level};

/// A rule by which points are deducted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Rule)]
pub enum DeductionRule {
    MissingSection,
    Consistency,
    ScoreSeverityMismatch,
    WeakJustification,
    HighIssue,
    MediumIssue,
    LowIssue,
}

impl DeductionRule {
    pub const fn points(self) -> u8 {
        match self {
            Self::Consistency => 20,
            Self::MissingSection | Self::ScoreSeverityMismatch | Self::WeakJustification => 15,
            Self::HighIssue => 10,
            Self::MediumIssue => 5,
            Self::LowIssue => 2,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingSection => "missing_section",
            Self::Consistency => "consistency",
            Self::ScoreSeverityMismatch => "score_severity_mismatch",
            Self::WeakJustification => "weak_justification",
            Self::HighIssue => "high_issue",
            Self::MediumIssue => "medium_issue",
            Self::LowIssue => "low_issue",
        }
    }

    /// Whether it is deducted only once per report.
    const fn is_once(self) -> bool {
        matches!(self, Self::Consistency | Self::ScoreSeverityMismatch | Self::WeakJustification)
    }

    pub(super) const fn of_level(level: Level) -> Self {
        match level {
            Level::High => Self::HighIssue,
            Level::Medium => Self::MediumIssue,
            Level::Low => Self::LowIssue,
        }
    }
}

/// Points that were deducted, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Deduction {
    /// The fault and its subject, such as `missing_section executive_summary`.
    pub reason: String,
    pub points: u8,
    pub rule: DeductionRule,
}

/// A score and the deductions that it results from: 100 less all of them, but at least 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreBreakdown {
    pub score: Score,
    pub deductions: Vec<Deduction>,
}

pub fn tally(faults: &[Fault]) -> ScoreBreakdown {
    let mut deductions: Vec<Deduction> = Vec::new();
    let mut spent: Vec<DeductionRule> = Vec::new();
    for fault in faults {
        for rule in fault.costs() {
            if rule.is_once() {
                if spent.contains(&rule) {
                    continue;
                }
                spent.push(rule);
            }
            let reason = match fault.subject() {
                Some(subject) => format!("{} {subject}", fault.name()),
                None => fault.name().to_owned(),
            };
            deductions.push(Deduction { reason, points: rule.points(), rule });
        }
    }
    let score = deductions.iter().fold(Score::FULL, |left, deduction| left.less(deduction.points));
    ScoreBreakdown { score, deductions }
}
