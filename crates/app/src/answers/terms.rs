//! The terms on which an answer is released: what it waits for, what may withhold it, and how it is withheld.

use countersign_config::{OnUnaudited, Policy};
use countersign_domain::{Audit, AuditedBy, RiskStatus, audit::Withheld};

#[derive(Debug, Clone, Copy)]
pub(crate) enum ReleaseTerms {
    /// The caller gets the answer together with its whole audit, whatever the audit says.
    WithAudit,
    /// A policy of the gateway decides.
    Policy(Policy),
}

impl ReleaseTerms {
    /// Whether personal data is masked in the answer.
    pub(super) fn masks(self) -> bool {
        matches!(self, Self::Policy(policy) if policy.masks())
    }

    /// Whether the answer is released as soon as it is recorded, before an auditor model has judged it.
    pub(super) fn releases_before_audit(self) -> bool {
        matches!(self, Self::Policy(policy) if !policy.is_enforced())
    }

    /// Why an answer with this audit must be withheld. `None` if it may be released.
    pub(super) fn refusal(self, audit: &Audit) -> Option<AnswerRefusal> {
        let Self::Policy(policy) = self else { return None };
        match (policy.is_enforced(), audit.status(), audit.auditor, policy.on_unaudited) {
            (true, RiskStatus::Flagged, ..) => Some(AnswerRefusal::Flagged),
            (true, _, AuditedBy::Failed, OnUnaudited::Block) => Some(AnswerRefusal::Unaudited),
            _ => None,
        }
    }
}

/// Why an answer is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerRefusal {
    Flagged,
    Unaudited,
    /// Personal data is in a place where it can't be masked, such as in the arguments of a tool call.
    Unmaskable,
}

impl AnswerRefusal {
    pub(super) fn withheld(self) -> Withheld {
        match self {
            Self::Flagged | Self::Unmaskable => Withheld::Flagged,
            Self::Unaudited => Withheld::Unaudited,
        }
    }

    pub(crate) fn code(self) -> &'static str {
        self.withheld().as_str()
    }

    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Flagged => "the answer was flagged by its audit and is withheld",
            Self::Unaudited => "the answer could not be audited and is withheld",
            Self::Unmaskable => "the answer was withheld because it contains personal data that can't be masked",
        }
    }
}
