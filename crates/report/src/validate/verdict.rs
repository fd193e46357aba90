//! The verdict: combines the rules with a model's assessment, which can only make the verdict stricter.

use std::cmp::Reverse;

use countersign_domain::{
    Score, Section, Severity, Time,
    evidence::WeighedEvidence,
    payload::{Issue, Level},
    validation::{Deduction, Fault, Strength, tally},
};
use serde::{Deserialize, Serialize};

use super::{
    AssessmentOutcome, Limits, PointFinding, REGENERATIONS_MAX, RuleFindings, ValidationInput, completeness,
    prose::clean,
};

pub(super) const FEEDBACK_CHARS_MAX: usize = 4_000;
const REASON_CHARS_MAX: usize = 300;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportVerdict {
    pub passed: bool,
    pub validation_score: Score,
    pub issues: Vec<Issue>,
    /// Feedback for the writer: one line per issue, the most severe first.
    pub feedback: String,
    pub structured_feedback: StructuredFeedback,
    /// The score is 100 minus the sum of these, and at least 0.
    pub deductions: Vec<Deduction>,
    pub requires_regeneration: bool,
    pub pass_mark: u8,
    pub limits: Limits,
    pub assessment: Participation,
    /// The hashes of the report before and after validation. If they are equal, the validator changed nothing.
    pub hash_before: String,
    pub hash_after: String,
    /// The points of the narrative, and where each one is met.
    pub narrative: Vec<PointFinding>,
    pub validated_at: Time,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct StructuredFeedback {
    /// Whether all sections are present and long enough.
    pub completeness_check: bool,
    /// Whether no fact contradicts another.
    pub consistency_check: bool,
    pub sections_present: Vec<Section>,
    pub sections_missing: Vec<Section>,
    /// The lowest of three strengths: of the evidence, of how well the text states it, and of the model's assessment.
    pub justification_strength: Strength,
    /// What counts as evidence, and its weight. Missing in verdicts from before evidence was weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<WeighedEvidence>,
    /// How well the text states the evidence. Missing if `evidence` is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_strength: Option<Strength>,
    pub timeline_present: bool,
    pub score_severity_alignment: bool,
}

/// How a model took part in the validation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Participation {
    /// No model is configured.
    None,
    /// The model gave no reply. The rules decided alone.
    Degraded {
        reason: String,
    },
    /// The model's reply was not an assessment. Its text is in `feedback` only.
    Unparseable,
    Model {
        justification_strength: Strength,
    },
}

/// `findings` is the result of the rules for the same report, `hash_after` the report's hash when it was read again.
pub fn verdict(
    input: &ValidationInput<'_>,
    limits: &Limits,
    findings: RuleFindings,
    assessment: &AssessmentOutcome,
    hash_after: String,
    now: Time,
) -> ReportVerdict {
    let by_rules = findings.strength();
    let RuleFindings { faults, narrative, evidence, stated } = findings;
    let faults = joined_faults(faults, assessment);
    let tally = tally(&faults);
    let mut structured_feedback = structured_feedback_of(input, &faults, by_rules, assessment);
    structured_feedback.evidence = Some(evidence);
    structured_feedback.stated_strength = Some(stated);
    let severity = input.alert_severity.max(input.content.severity);
    let is_supported = structured_feedback.justification_strength.suffices_without_a_person(severity);
    let has_high = faults.iter().any(|fault| fault.level() == Level::High);
    let passed = tally.score.get() >= limits.pass_mark
        && !has_high
        && is_supported
        && structured_feedback.sections_missing.is_empty()
        && structured_feedback.consistency_check;
    ReportVerdict {
        passed,
        validation_score: tally.score,
        issues: faults.iter().map(Fault::issue).collect(),
        feedback: feedback(tally.score, passed, is_supported, limits, &faults, assessment),
        structured_feedback,
        deductions: tally.deductions,
        requires_regeneration: !passed && should_regenerate(input, limits, severity, &faults),
        pass_mark: limits.pass_mark,
        limits: *limits,
        assessment: participation(assessment),
        hash_before: input.actual_hash.to_owned(),
        hash_after,
        narrative,
        validated_at: now,
    }
}

/// The faults found by the rules and by the model. A model can only add faults.
fn joined_faults(mut all: Vec<Fault>, assessment: &AssessmentOutcome) -> Vec<Fault> {
    let AssessmentOutcome::Model(model) = assessment else { return all };
    let is_weak = all.iter().any(|fault| matches!(fault, Fault::WeakJustification { .. } | Fault::WeakEvidence { .. }));
    let has_none = all.iter().any(|fault| matches!(fault, Fault::NoEvidence { .. }));
    if model.justification_strength == Strength::Weak && !is_weak && !has_none {
        all.push(Fault::WeakJustification { reasons: vec!["the supervisor's model finds it weak".to_owned()] });
    }
    if model.justification_strength == Strength::None && !has_none {
        all.push(Fault::NoEvidence { detail: "The supervisor's model finds none.".to_owned() });
    }
    all.extend(model.issues.iter().cloned().map(Fault::ModelRemark));
    all
}

fn structured_feedback_of(
    input: &ValidationInput<'_>,
    faults: &[Fault],
    by_rules: Strength,
    assessment: &AssessmentOutcome,
) -> StructuredFeedback {
    let (present, missing): (Vec<_>, Vec<_>) =
        Section::ALL.into_iter().partition(|section| completeness::is_present(input.content, *section));
    let has = |is: fn(&Fault) -> bool| faults.iter().any(is);
    let is_short = has(|fault| matches!(fault, Fault::ShortSection { .. }));
    StructuredFeedback {
        completeness_check: missing.is_empty() && !is_short,
        // Whether facts agree is computed. A model's opinion can only add issues.
        consistency_check: !has(|fault| fault.is_of_facts() && !matches!(fault, Fault::ModelRemark(_))),
        sections_present: present,
        sections_missing: missing,
        justification_strength: match assessment {
            AssessmentOutcome::Model(model) => by_rules.min(model.justification_strength),
            _ => by_rules,
        },
        evidence: None,
        stated_strength: None,
        timeline_present: !has(|fault| matches!(fault, Fault::NoTimeline)),
        score_severity_alignment: !has(|fault| matches!(fault, Fault::ScoreSeverityMismatch { .. })),
    }
}

/// Whether to request another version from a model. This is useful only if other wording can fix a fault and the limit of
/// requests is not reached. Facts that contradict each other can't be fixed by rewording, so they go to a person.
fn should_regenerate(input: &ValidationInput<'_>, limits: &Limits, severity: Severity, faults: &[Fault]) -> bool {
    input.a_model_was_asked
        && input.regenerations_so_far < REGENERATIONS_MAX
        && faults.iter().any(Fault::is_of_language)
        && !faults.iter().any(Fault::is_of_facts)
        && fails_despite_evidence(input, limits, severity, faults)
}

/// Whether the report would need review even with the best evidence. If it would not, the evidence causes the review,
/// and rewording can't avoid it.
fn fails_despite_evidence(input: &ValidationInput<'_>, limits: &Limits, severity: Severity, faults: &[Fault]) -> bool {
    let others: Vec<Fault> = faults.iter().filter(|fault| !fault.is_of_evidence()).cloned().collect();
    let is_stated_weakly = others.iter().any(|fault| matches!(fault, Fault::WeakJustification { .. }));
    tally(&others).score.get() < limits.pass_mark
        || others.iter().any(|fault| fault.level() == Level::High)
        || Section::ALL.into_iter().any(|section| !completeness::is_present(input.content, section))
        || (is_stated_weakly && !Strength::Weak.suffices_without_a_person(severity))
}

fn participation(assessment: &AssessmentOutcome) -> Participation {
    match assessment {
        AssessmentOutcome::None => Participation::None,
        AssessmentOutcome::Degraded(reason) => Participation::Degraded { reason: clean(reason, REASON_CHARS_MAX) },
        AssessmentOutcome::Unparseable(_) => Participation::Unparseable,
        AssessmentOutcome::Model(model) => {
            Participation::Model { justification_strength: model.justification_strength }
        }
    }
}

fn feedback(
    score: Score,
    passed: bool,
    is_supported: bool,
    limits: &Limits,
    faults: &[Fault],
    assessment: &AssessmentOutcome,
) -> String {
    let outcome = if passed { "passed" } else { "needs review" };
    let mut head =
        format!("The report {outcome} with {} of 100 points; {} are required.", score.get(), limits.pass_mark);
    if !is_supported {
        head.push_str(" The justification is too weak to close the case without a person, whatever the points.");
    }
    let tail = match assessment {
        AssessmentOutcome::None => String::new(),
        AssessmentOutcome::Degraded(reason) => format!(
            "The supervisor's model gave no assessment, so the rules decided alone: {}",
            clean(reason, REASON_CHARS_MAX)
        ),
        AssessmentOutcome::Unparseable(text) => {
            format!(
                "The supervisor's model did not reply with an assessment. Its reply, which was not evaluated: {text}"
            )
        }
        AssessmentOutcome::Model(model) if model.feedback.is_empty() => String::new(),
        AssessmentOutcome::Model(model) => format!("The supervisor's model: {}", model.feedback),
    };
    let mut issues: Vec<Issue> = faults.iter().map(Fault::issue).collect();
    issues.sort_by_key(|issue| Reverse(issue.severity as u8));
    let room = FEEDBACK_CHARS_MAX.saturating_sub(head.chars().count() + tail.chars().count() + 60);
    let issue_lines = issue_lines(&issues, room);
    let parts = [head, issue_lines, tail].into_iter().filter(|part| !part.is_empty());
    let text = parts.collect::<Vec<_>>().join("\n");
    text.chars().take(FEEDBACK_CHARS_MAX).collect()
}

fn issue_lines(issues: &[Issue], room: usize) -> String {
    let mut text = String::new();
    let mut chars = 0;
    for (listed, issue) in issues.iter().enumerate() {
        let section = issue.section.as_deref().unwrap_or("report");
        let line = format!("- {section} ({}): {}", issue.severity.as_str(), issue.description);
        chars += line.chars().count() + 1;
        if chars > room {
            return text + &format!("\n- and {} more", issues.len() - listed);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&line);
    }
    text
}
