//! Observations: the data that metrics take from committed decisions.
//!
//! An agent attaches an [`Observation`] to a decision; the runtime passes it to the [`Observer`] after the commit. So a
//! decision that is retried is counted once, and one that is never committed is not counted.

use std::sync::Arc;

use countersign_domain::{RiskStatus, Severity, payload::ReportType};
use countersign_llm::{Attempt, Purpose, Target};
use countersign_report::WrittenBy;

/// Called once for each committed decision that has an observation.
pub type Observer = Arc<dyn Fn(&Observation) + Send + Sync>;

#[derive(Debug, Clone, PartialEq)]
pub enum Observation {
    /// The detector raised an alert.
    AlertRaised {
        severity: Severity,
    },
    ReportGenerated {
        report_type: ReportType,
        /// Who wrote each section.
        sections: Vec<WrittenBy>,
        model_calls: ModelCalls,
        took_ms: u64,
    },
    ReportFailed,
    ReportSkipped,
    /// The supervisor validated a report.
    ReportValidated {
        passed: bool,
        validation_score: u8,
        /// Whether the correlation in the report still matches the store.
        correlation_agrees: bool,
        model_calls: ModelCalls,
    },
    /// The auditor audited an answer after it was released.
    AnswerAudited {
        status: RiskStatus,
        model_calls: ModelCalls,
    },
}

impl Observation {
    /// The attempts to call a model that led to the decision, with their purpose. `None` without a model.
    pub fn model_calls(&self) -> Option<(Purpose, &Target, &[Attempt])> {
        let (purpose, calls) = match self {
            Self::ReportGenerated { model_calls, .. } => (Purpose::Writer, model_calls),
            Self::ReportValidated { model_calls, .. } => (Purpose::Supervisor, model_calls),
            Self::AnswerAudited { model_calls, .. } => (Purpose::Auditor, model_calls),
            Self::AlertRaised { .. } | Self::ReportFailed | Self::ReportSkipped => return None,
        };
        Some((purpose, calls.target.as_ref()?, &calls.attempts))
    }
}

/// The attempts to call a model that led to a decision. Empty without a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelCalls {
    pub target: Option<Target>,
    pub attempts: Vec<Attempt>,
}
