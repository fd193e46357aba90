//! What a narrative for a regulator must answer and avoid.

use serde::{Deserialize, Serialize};

use crate::payload::IssueType;

/// A requirement on a narrative for a regulator: a question that it must answer, or a rule of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NarrativePoint {
    Who,
    What,
    When,
    Where,
    Why,
    How,
    /// Whether the transaction was completed or only attempted.
    Completion,
    /// It refers to no attachment.
    SelfContained,
    /// It has sentences rather than a list of fields.
    Narrated,
    /// It does not speculate.
    Factual,
}

impl NarrativePoint {
    pub const ALL: [Self; 10] = [
        Self::Who,
        Self::What,
        Self::When,
        Self::Where,
        Self::Why,
        Self::How,
        Self::Completion,
        Self::SelfContained,
        Self::Narrated,
        Self::Factual,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Who => "who",
            Self::What => "what",
            Self::When => "when",
            Self::Where => "where",
            Self::Why => "why",
            Self::How => "how",
            Self::Completion => "completion",
            Self::SelfContained => "self_contained",
            Self::Narrated => "narrated",
            Self::Factual => "factual",
        }
    }

    /// Why, how and whether it is factual concern the justification; the other points concern completeness.
    pub(super) const fn issue_type(self) -> IssueType {
        match self {
            Self::Why | Self::How | Self::Factual => IssueType::WeakJustification,
            _ => IssueType::Completeness,
        }
    }
}
