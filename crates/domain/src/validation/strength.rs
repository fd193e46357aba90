//! How well a score is justified.

use serde::{Deserialize, Serialize};

use crate::Severity;

/// How well a score is justified by the evidence on record and by the report's account of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// No evidence at all.
    None,
    Weak,
    Adequate,
    Strong,
}

impl Strength {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Weak => "weak",
            Self::Adequate => "adequate",
            Self::Strong => "strong",
        }
    }

    /// Whether the supervisor may close a case without a person: never without evidence, and with weak evidence only below
    /// high severity. The validation score does not matter here.
    pub const fn suffices_without_a_person(self, severity: Severity) -> bool {
        match self {
            Self::None => false,
            Self::Weak => !matches!(severity, Severity::High | Severity::Critical),
            Self::Adequate | Self::Strong => true,
        }
    }

    /// The strength this many steps lower, but never `None`, which means that there is no evidence at all.
    pub(crate) const fn lowered(self, steps: u8) -> Self {
        match (self, steps) {
            (_, 0) | (Self::None | Self::Weak, _) => self,
            (Self::Strong, 1) => Self::Adequate,
            (Self::Adequate | Self::Strong, _) => Self::Weak,
        }
    }
}
