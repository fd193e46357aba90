//! What a narrative for a regulator must answer and avoid.

use serde::{Deserialize, Serialize};

use crate::payload::IssueType;

/// What a narrative that goes to a regulator must answer, and what it must not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    Who,
    What,
    When,
    Where,
    Why,
    How,
    /// Whether it went through or was only tried.
    Completion,
    /// No "see attached".
    SelfContained,
    /// Sentences, not a restating of fields.
    Narrated,
    /// No speculation.
    Factual,
}

impl Point {
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

    /// Points that explain are about justification; the rest are about completeness.
    pub(super) const fn issue_type(self) -> IssueType {
        match self {
            Self::Why | Self::How | Self::Factual => IssueType::WeakJustification,
            _ => IssueType::Completeness,
        }
    }
}
