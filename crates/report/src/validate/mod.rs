//! The supervisor's deterministic part: the faults of a report, the points that they cost, and the verdict.
//!
//! It only reads: a report is passed by reference, and its hash goes into the verdict. Nothing that a report, a memo or
//! a model says can raise a score. The text under validation is data. It is read for what it states, and instructions
//! in it are never followed.
//!
//! | file               | job                                                              |
//! |--------------------|------------------------------------------------------------------|
//! | this one           | the input, the limits, and all the rules                         |
//! | `completeness.rs`  | sections, their lengths, fallbacks                               |
//! | `claims.rs`        | whether facts license every sentence, by any writer              |
//! | `consistency.rs`   | the report against its context, the stored alert, and its hashes |
//! | `justification.rs` | how well the text states what justifies the score                |
//! | `narrative/`       | who, what, when, where, why, how; completed or attempted         |
//! | `language.rs`      | no attachments, no bare fields, no speculation                   |
//! | `prose/`           | sentences, quotations, figures and dates of a text               |
//! | `cues.rs`          | finds all cue lists of a sentence in one pass                    |
//! | `assessment.rs`    | a model's reply, parsed strictly                                 |
//! | `verdict.rs`       | score, issues, feedback, and whether to write again              |

mod assessment;
mod claims;
mod completeness;
mod consistency;
mod cues;
mod justification;
mod language;
mod narrative;
mod prose;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
mod verdict;

use countersign_domain::{
    Score, Section, Severity,
    evidence::WeighedEvidence,
    payload::ReportType,
    validation::{Fault, Strength},
};
use countersign_ledger::Hash;
use serde::{Deserialize, Serialize};

pub use assessment::{AssessmentOutcome, ModelAssessment, parse_assessment};
pub use narrative::{Passage, PointFinding, PointPart, PointState};
pub use verdict::{Participation, ReportVerdict, StructuredFeedback, verdict};

use self::{justification::justification, narrative::narrative, prose::sentences};
use crate::{Content, LicensedTexts};

/// The maximum number of regenerations that are requested before a person must decide.
pub const REGENERATIONS_MAX: u8 = 2;

/// Configuration, recorded in each verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The lowest score that passes.
    pub pass_mark: u8,
    pub min_chars: MinChars,
}

/// Each section listed here must have more characters than this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MinChars {
    pub executive_summary: usize,
    pub fraud_explanation: usize,
    pub timeline_narrative: usize,
    pub risk_justification: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pass_mark: 70, min_chars: MinChars::default() }
    }
}

impl Default for MinChars {
    fn default() -> Self {
        Self { executive_summary: 50, fraud_explanation: 100, timeline_narrative: 50, risk_justification: 50 }
    }
}

impl MinChars {
    fn of(self, section: Section) -> Option<usize> {
        match section {
            Section::ExecutiveSummary => Some(self.executive_summary),
            Section::FraudExplanation => Some(self.fraud_explanation),
            Section::TimelineNarrative => Some(self.timeline_narrative),
            Section::RiskJustification => Some(self.risk_justification),
            Section::InvestigationNarrative => None,
        }
    }
}

/// A report to validate, with what is known about it from other sources.
#[derive(Debug, Clone, Copy)]
pub struct ValidationInput<'a> {
    pub content: &'a Content,
    /// The hash that the event announced.
    pub stored_hash: &'a str,
    /// The hash of the bytes that were read.
    pub actual_hash: &'a str,
    /// The severity of the stored alert.
    pub alert_severity: Severity,
    pub alert_score: Score,
    pub regenerations_so_far: u8,
    /// Whether a model was asked for at least one section. A section that fell back to the built-in writer counts.
    pub a_model_was_asked: bool,
    /// Texts that are already known to be licensed.
    pub licensed: &'a LicensedTexts,
}

/// What the rules found in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleFindings {
    pub faults: Vec<Fault>,
    /// The points of the narrative, and where each one is met.
    pub narrative: Vec<PointFinding>,
    /// The evidence for the alert and its weight.
    pub evidence: WeighedEvidence,
    /// How well the text states the evidence.
    pub stated: Strength,
}

impl RuleFindings {
    /// The lower of the two strengths. Evidence that is not stated justifies nothing, and neither does a statement
    /// without evidence.
    pub fn strength(&self) -> Strength {
        self.evidence.strength.min(self.stated)
    }
}

/// The faults of the evidence itself.
fn evidence_faults(evidence: &WeighedEvidence) -> impl Iterator<Item = Fault> {
    let detail = evidence.row.description().to_owned();
    let strength_fault = match (evidence.strength, evidence.base) {
        (Strength::None, _) => Some(Fault::NoEvidence { detail }),
        (Strength::Weak, Strength::Weak) => Some(Fault::WeakEvidence { detail }),
        (Strength::Weak, _) => {
            let lowered = evidence.weaknesses.iter().filter(|weakness| weakness.steps > 0);
            let kinds: Vec<_> = lowered.map(|weakness| weakness.kind.as_str().replace('_', " ")).collect();
            let detail = format!("{} It is lowered by: {}.", evidence.row.description(), kinds.join(", "));
            Some(Fault::WeakEvidence { detail })
        }
        _ => None,
    };
    strength_fault.into_iter().chain(evidence.weaknesses.iter().cloned().map(Fault::EvidenceWeakness))
}

/// Runs all deterministic checks. The same report always gets the same result.
pub fn examine(input: &ValidationInput<'_>, limits: &Limits) -> RuleFindings {
    let context = input.content.context.sha256();
    let mut findings = by_rules(input, limits, context);
    findings.faults.extend(claims::faults(input.content, input.licensed.of(context)));
    findings
}

/// All checks except whether facts license the sentences. `context` is the hash of the report's context.
fn by_rules(input: &ValidationInput<'_>, limits: &Limits, context: Hash) -> RuleFindings {
    let content = input.content;
    let sentences = sentences(content);
    let justification = justification(content, &sentences);
    let stated = justification.strength;
    let evidence = content.context.evidence();
    let narrative = narrative(content, &sentences);
    let mut faults = completeness::faults(content, limits);
    faults.extend(consistency::faults(input, context));
    faults.extend(justification.fault());
    faults.extend(evidence_faults(&evidence));
    if content.report_type != ReportType::Internal {
        faults.extend(narrative.iter().filter_map(PointFinding::fault));
    }
    RuleFindings { faults, narrative, evidence, stated }
}
