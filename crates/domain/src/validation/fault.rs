//! The faults of a report, and the issue that each one is reported as.

use std::fmt;

use super::{DeductionRule, NarrativePoint};
use crate::{
    Score, Section, Severity,
    evidence::Weakness,
    payload::{Issue, IssueType, Level},
};

/// One fault of a report. The code that finds it bounds the length of its texts.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    MissingSection(Section),
    /// `chars` is not more than `minimum`.
    ShortSection {
        section: Section,
        chars: usize,
        minimum: usize,
    },
    /// The report says `stated` where the record says `known`.
    StructuredMismatch {
        field: String,
        stated: String,
        known: String,
    },
    NoTimeline,
    HashDiffers(Hashed),
    ScoreSeverityMismatch {
        score: Score,
        severity: Severity,
    },
    /// The text does not state enough evidence.
    WeakJustification {
        reasons: Vec<String>,
    },
    /// No measurement supports the alert.
    NoEvidence {
        detail: String,
    },
    /// The measurements are weak, however well the text states them.
    WeakEvidence {
        detail: String,
    },
    EvidenceWeakness(Weakness),
    WordRange {
        section: Section,
        words: usize,
        range: (usize, usize),
    },
    NarrativePoint {
        point: NarrativePoint,
        /// What is missing or wrong.
        detail: String,
        /// The section with the offending text, if the fault is in a text.
        section: Option<Section>,
    },
    FallbackUsed {
        section: Section,
    },
    /// A section makes claims that no fact supports.
    Unlicensed {
        section: Section,
        /// The number of unsupported words, relations and figures.
        claims: usize,
        /// What is wrong with the first of them.
        first: String,
    },
    ModelRemark(Issue),
}

/// The part of a report that a hash covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashed {
    Content,
    Context,
}

impl Fault {
    pub fn issue(&self) -> Issue {
        if let Self::ModelRemark(issue) = self {
            return issue.clone();
        }
        let (issue_type, severity) = self.kind();
        let section = self.section().map(|section| section.as_str().to_owned());
        Issue { issue_type, severity, description: self.to_string(), section }
    }

    /// The rules that apply: one for the kind of fault, if it has one, and one for the issue's severity.
    pub fn costs(&self) -> Vec<DeductionRule> {
        let for_kind = match self {
            Self::MissingSection(_) => Some(DeductionRule::MissingSection),
            Self::StructuredMismatch { .. } | Self::NoTimeline | Self::HashDiffers(_) | Self::Unlicensed { .. } => {
                Some(DeductionRule::Consistency)
            }
            Self::ScoreSeverityMismatch { .. } => Some(DeductionRule::ScoreSeverityMismatch),
            Self::WeakJustification { .. } | Self::NoEvidence { .. } | Self::WeakEvidence { .. } => {
                Some(DeductionRule::WeakJustification)
            }
            _ => None,
        };
        for_kind.into_iter().chain([DeductionRule::of_level(self.level())]).collect()
    }

    pub fn level(&self) -> Level {
        match self {
            Self::ModelRemark(issue) => issue.severity,
            _ => self.kind().1,
        }
    }

    /// Whether facts contradict each other, which no other wording can fix.
    pub fn is_of_facts(&self) -> bool {
        match self {
            Self::ModelRemark(issue) => issue.issue_type == IssueType::Consistency,
            // The facts agree; the wording is at fault.
            Self::Unlicensed { .. } => false,
            _ => self.kind().0 == IssueType::Consistency,
        }
    }

    /// Whether evidence is missing, which neither other wording nor other facts on record can fix.
    pub const fn is_of_evidence(&self) -> bool {
        matches!(self, Self::NoEvidence { .. } | Self::WeakEvidence { .. } | Self::EvidenceWeakness(_))
    }

    /// Whether other wording can fix it. A model's remark that names no section is left to a person.
    pub fn is_of_language(&self) -> bool {
        match self {
            _ if self.is_of_evidence() => false,
            Self::ModelRemark(issue) => {
                !self.is_of_facts() && (issue.section.is_some() || issue.issue_type != IssueType::Anomaly)
            }
            _ => !self.is_of_facts(),
        }
    }

    /// The name that deductions show.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::MissingSection(_) => "missing_section",
            Self::ShortSection { .. } => "short_section",
            Self::StructuredMismatch { .. } => "structured_mismatch",
            Self::NoTimeline => "no_timeline",
            Self::HashDiffers(_) => "hash_differs",
            Self::ScoreSeverityMismatch { .. } => "score_severity_mismatch",
            Self::WeakJustification { .. } => "weak_justification",
            Self::NoEvidence { .. } => "no_evidence",
            Self::WeakEvidence { .. } => "weak_evidence",
            Self::EvidenceWeakness(_) => "evidence_weakness",
            Self::WordRange { .. } => "word_range",
            Self::NarrativePoint { .. } => "narrative_point",
            Self::FallbackUsed { .. } => "fallback_used",
            Self::Unlicensed { .. } => "unlicensed",
            Self::ModelRemark(_) => "model_remark",
        }
    }

    pub(super) fn subject(&self) -> Option<&str> {
        match self {
            Self::StructuredMismatch { field, .. } => Some(field),
            Self::HashDiffers(Hashed::Content) => Some("content"),
            Self::HashDiffers(Hashed::Context) => Some("context"),
            Self::NarrativePoint { point, .. } => Some(point.as_str()),
            Self::WeakJustification { .. } => None,
            Self::EvidenceWeakness(weakness) => Some(weakness.kind.as_str()),
            Self::ModelRemark(issue) => issue.section.as_deref(),
            _ => self.section().map(Section::as_str),
        }
    }

    fn section(&self) -> Option<Section> {
        match self {
            Self::MissingSection(section)
            | Self::ShortSection { section, .. }
            | Self::WordRange { section, .. }
            | Self::FallbackUsed { section }
            | Self::Unlicensed { section, .. } => Some(*section),
            Self::WeakJustification { .. } => Some(Section::RiskJustification),
            Self::NarrativePoint { section, .. } => Some(section.unwrap_or(Section::InvestigationNarrative)),
            _ => None,
        }
    }

    fn kind(&self) -> (IssueType, Level) {
        match self {
            Self::MissingSection(_) => (IssueType::MissingSection, Level::High),
            Self::StructuredMismatch { .. }
            | Self::NoTimeline
            | Self::HashDiffers(_)
            | Self::ScoreSeverityMismatch { .. }
            | Self::Unlicensed { .. } => (IssueType::Consistency, Level::High),
            Self::WeakJustification { .. } | Self::WeakEvidence { .. } => (IssueType::WeakJustification, Level::Medium),
            Self::NoEvidence { .. } => (IssueType::WeakJustification, Level::High),
            Self::EvidenceWeakness(weakness) => (IssueType::WeakJustification, weakness.kind.level()),
            Self::NarrativePoint { point, .. } => (point.issue_type(), Level::Medium),
            Self::ShortSection { .. } | Self::WordRange { .. } | Self::FallbackUsed { .. } => {
                (IssueType::Completeness, Level::Medium)
            }
            Self::ModelRemark(issue) => (issue.issue_type, issue.severity),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingSection(section) => write!(f, "The section {} is missing.", section.heading()),
            Self::ShortSection { section, chars, minimum } => {
                write!(f, "{} has {chars} characters; more than {minimum} are required.", section.heading())
            }
            Self::StructuredMismatch { field, stated, known } => {
                write!(f, "`{field}` is {stated} in the report and {known} on record.")
            }
            Self::NoTimeline => f.write_str("The structured data contains no timeline events."),
            Self::HashDiffers(Hashed::Content) => {
                f.write_str("The stored content is not the content that was announced: their hashes differ.")
            }
            Self::HashDiffers(Hashed::Context) => {
                f.write_str("The stored context does not have the hash that the report gives for it.")
            }
            Self::ScoreSeverityMismatch { score, severity } => write!(
                f,
                "A risk score of {} means {}, but the severity is {}.",
                score.get(),
                Severity::of(*score).in_capitals(),
                severity.in_capitals()
            ),
            Self::WeakJustification { reasons } if reasons.is_empty() => {
                f.write_str("The risk score is not justified well enough.")
            }
            Self::WeakJustification { reasons } => {
                write!(f, "The risk score is not justified well enough: {}.", reasons.join("; "))
            }
            Self::NoEvidence { detail } => write!(f, "The alert has no evidence. {detail}"),
            Self::WeakEvidence { detail } => write!(f, "The evidence is weak. {detail}"),
            Self::EvidenceWeakness(weakness) => f.write_str(&weakness.detail),
            Self::WordRange { section, words, range: (least, most) } => {
                write!(f, "{} has {words} words; from {least} to {most} are required.", section.heading())
            }
            Self::NarrativePoint { point, detail, .. } => {
                write!(f, "The narrative falls short on \"{}\": {detail}.", point.as_str())
            }
            Self::Unlicensed { section, claims, first } => {
                let more = if *claims > 1 { format!(" ({} in all)", claims) } else { String::new() };
                write!(f, "{} makes claims that no fact supports{more}. {first}", section.heading())
            }
            Self::FallbackUsed { section } => {
                write!(
                    f,
                    "{} was written by the built-in writer, because the model's text could not be used.",
                    section.heading()
                )
            }
            Self::ModelRemark(issue) => f.write_str(&issue.description),
        }
    }
}
