//! How well a score is justified.

use serde::{Deserialize, Serialize};

use crate::Severity;

/// How well a score is justified: by the evidence on record, and by what the report states of it.
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

    /// Whether a case may be closed on the supervisor's word alone. Without evidence never; with weak evidence not for
    /// high or critical severity. The sum of points has no say in this.
    pub const fn suffices_without_a_person(self, severity: Severity) -> bool {
        match self {
            Self::None => false,
            Self::Weak => !matches!(severity, Severity::High | Severity::Critical),
            Self::Adequate | Self::Strong => true,
        }
    }

    /// So many steps down, but not to none: that is for what has no evidence.
    pub(crate) const fn lowered(self, steps: u8) -> Self {
        match (self, steps) {
            (_, 0) | (Self::None | Self::Weak, _) => self,
            (Self::Strong, 1) => Self::Adequate,
            (Self::Adequate | Self::Strong, _) => Self::Weak,
        }
    }
}
