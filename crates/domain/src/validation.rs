//! What a report can be blamed for, and what each fault costs. The score is a sum that anybody can check by hand.
//!
//! | fault                                                        | issue                                       | points           |
//! |--------------------------------------------------------------|---------------------------------------------|------------------|
//! | one of the four required sections missing                    | `missing_section`, high                     | 15 and 10        |
//! | section too short                                            | `completeness`, medium                      | 5                |
//! | structured data differs, no timeline events, a hash differs  | `consistency`, high                         | 20 once, 10 each |
//! | a sentence that no fact licenses                             | `consistency`, high                         | 20 once, 10 each |
//! | score and severity disagree                                  | `consistency`, high                         | 15 and 10        |
//! | justification or evidence weak                               | `weak_justification`, medium                | 15 and 5         |
//! | no evidence                                                  | `weak_justification`, high                  | 15 and 10        |
//! | a weakness of the evidence ([`crate::evidence`])             | `weak_justification`, medium or low         | 5 or 2           |
//! | word range missed, narrative point missing, fallback used    | `completeness`/`weak_justification`, medium | 5                |
//! | remark of a model                                            | its own                                     | 10, 5 or 2       |

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    Score, Section, Severity,
    evidence::Weakness,
    payload::{Issue, IssueType, Level},
};

/// One thing that is wrong with a report. Text in here is bounded by whoever found it.
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
    /// The text does not state enough of the evidence.
    WeakJustification {
        reasons: Vec<String>,
    },
    /// Nothing was measured that supports the alert.
    NoEvidence {
        detail: String,
    },
    /// What was measured is weak, however well the text states it.
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
        point: Point,
        /// What of it is missing or wrong.
        detail: String,
        /// Where it stands, where something stands that should not.
        section: Option<Section>,
    },
    FallbackUsed {
        section: Section,
    },
    /// A section says what no fact licenses.
    Unlicensed {
        section: Section,
        /// How many words, relations or figures.
        claims: usize,
        /// What is wrong with the first of them.
        first: String,
    },
    ModelRemark(Issue),
}

/// What a hash was taken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashed {
    Content,
    Context,
}

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
    const fn issue_type(self) -> IssueType {
        match self {
            Self::Why | Self::How | Self::Factual => IssueType::WeakJustification,
            _ => IssueType::Completeness,
        }
    }
}

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

/// A line of the score's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    MissingSection,
    Consistency,
    ScoreSeverityMismatch,
    WeakJustification,
    HighIssue,
    MediumIssue,
    LowIssue,
}

impl Rule {
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

    /// Taken off once for a report, however often it applies.
    const fn is_once(self) -> bool {
        matches!(self, Self::Consistency | Self::ScoreSeverityMismatch | Self::WeakJustification)
    }

    const fn of_level(level: Level) -> Self {
        match level {
            Level::High => Self::HighIssue,
            Level::Medium => Self::MediumIssue,
            Level::Low => Self::LowIssue,
        }
    }
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

    /// The lines of the list that apply: one for the fault itself where it has one, and one for the issue's severity.
    pub fn costs(&self) -> Vec<Rule> {
        let own = match self {
            Self::MissingSection(_) => Some(Rule::MissingSection),
            Self::StructuredMismatch { .. } | Self::NoTimeline | Self::HashDiffers(_) | Self::Unlicensed { .. } => {
                Some(Rule::Consistency)
            }
            Self::ScoreSeverityMismatch { .. } => Some(Rule::ScoreSeverityMismatch),
            Self::WeakJustification { .. } | Self::NoEvidence { .. } | Self::WeakEvidence { .. } => {
                Some(Rule::WeakJustification)
            }
            _ => None,
        };
        own.into_iter().chain([Rule::of_level(self.level())]).collect()
    }

    pub fn level(&self) -> Level {
        match self {
            Self::ModelRemark(issue) => issue.severity,
            _ => self.kind().1,
        }
    }

    /// Facts that contradict each other: no other wording makes them agree.
    pub fn is_of_facts(&self) -> bool {
        match self {
            Self::ModelRemark(issue) => issue.issue_type == IssueType::Consistency,
            // The facts agree; it is the words that don't.
            Self::Unlicensed { .. } => false,
            _ => self.kind().0 == IssueType::Consistency,
        }
    }

    /// What the record lacks: neither other words nor another record of the same facts would help.
    pub const fn is_of_evidence(&self) -> bool {
        matches!(self, Self::NoEvidence { .. } | Self::WeakEvidence { .. } | Self::EvidenceWeakness(_))
    }

    /// What other words can heal. A model's remark on no section in particular is for a person to judge.
    pub fn is_of_language(&self) -> bool {
        match self {
            _ if self.is_of_evidence() => false,
            Self::ModelRemark(issue) => {
                !self.is_of_facts() && (issue.section.is_some() || issue.issue_type != IssueType::Anomaly)
            }
            _ => !self.is_of_facts(),
        }
    }

    /// Names the fault in a deduction.
    fn name(&self) -> &'static str {
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

    fn subject(&self) -> Option<&str> {
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
            Self::NoTimeline => f.write_str("The structured data hold no timeline events."),
            Self::HashDiffers(Hashed::Content) => {
                f.write_str("The stored content is not the content that was announced: their hashes differ.")
            }
            Self::HashDiffers(Hashed::Context) => {
                f.write_str("The stored context does not have the hash that the report gives for it.")
            }
            Self::ScoreSeverityMismatch { score, severity } => write!(
                f,
                "A risk score of {} belongs to {}, and the severity is {}.",
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
                write!(f, "{} says what no fact licenses{more}. {first}", section.heading())
            }
            Self::FallbackUsed { section } => {
                write!(
                    f,
                    "{} was written by the built-in writer, because the model's text could not be had.",
                    section.heading()
                )
            }
            Self::ModelRemark(issue) => f.write_str(&issue.description),
        }
    }
}

/// Points taken off, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Deduction {
    /// The fault and what it concerns: `missing_section executive_summary`.
    pub reason: String,
    pub points: u8,
    pub rule: Rule,
}

/// A score with its sum: 100 less all deductions, and never below 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    pub score: Score,
    pub deductions: Vec<Deduction>,
}

pub fn tally(faults: &[Fault]) -> Tally {
    let mut deductions: Vec<Deduction> = Vec::new();
    let mut spent: Vec<Rule> = Vec::new();
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
    Tally { score, deductions }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evidence::WeaknessKind;

    fn weakness(kind: WeaknessKind) -> Fault {
        Fault::EvidenceWeakness(Weakness { kind, detail: "A weakness.".to_owned(), steps: kind.steps() })
    }

    fn remark(issue_type: IssueType, severity: Level, section: Option<&str>) -> Fault {
        let (description, section) = ("A remark.".to_owned(), section.map(str::to_owned));
        Fault::ModelRemark(Issue { issue_type, severity, description, section })
    }

    /// One of each, with its issue and the points of the table: those that count once, and those that count each time.
    fn rows() -> Vec<(Fault, IssueType, Level, u8, u8)> {
        use IssueType::{Anomaly, Completeness, Consistency, MissingSection, WeakJustification};
        let section = Section::TimelineNarrative;
        let mismatch =
            Fault::StructuredMismatch { field: "severity".into(), stated: "LOW".into(), known: "HIGH".into() };
        let score = Score::new(75).unwrap();
        let point = |point| Fault::NarrativePoint { point, detail: "missing".into(), section: None };
        vec![
            (Fault::MissingSection(section), MissingSection, Level::High, 0, 25),
            (Fault::ShortSection { section, chars: 50, minimum: 50 }, Completeness, Level::Medium, 0, 5),
            (mismatch, Consistency, Level::High, 20, 10),
            (Fault::NoTimeline, Consistency, Level::High, 20, 10),
            (Fault::HashDiffers(Hashed::Content), Consistency, Level::High, 20, 10),
            (Fault::HashDiffers(Hashed::Context), Consistency, Level::High, 20, 10),
            (Fault::ScoreSeverityMismatch { score, severity: Severity::Low }, Consistency, Level::High, 15, 10),
            (Fault::WeakJustification { reasons: Vec::new() }, WeakJustification, Level::Medium, 15, 5),
            (Fault::WeakEvidence { detail: "x".into() }, WeakJustification, Level::Medium, 15, 5),
            (Fault::NoEvidence { detail: "x".into() }, WeakJustification, Level::High, 15, 10),
            (weakness(WeaknessKind::ThinBaseline), WeakJustification, Level::Medium, 0, 5),
            (weakness(WeaknessKind::Uncorroborated), WeakJustification, Level::Low, 0, 2),
            (Fault::WordRange { section, words: 149, range: (150, 200) }, Completeness, Level::Medium, 0, 5),
            (point(Point::Who), Completeness, Level::Medium, 0, 5),
            (point(Point::Why), WeakJustification, Level::Medium, 0, 5),
            (Fault::FallbackUsed { section }, Completeness, Level::Medium, 0, 5),
            (remark(Anomaly, Level::High, None), Anomaly, Level::High, 0, 10),
            (remark(MissingSection, Level::Medium, None), MissingSection, Level::Medium, 0, 5),
            (remark(Consistency, Level::Low, None), Consistency, Level::Low, 0, 2),
            (Fault::Unlicensed { section, claims: 1, first: "x".into() }, Consistency, Level::High, 20, 10),
        ]
    }

    #[test]
    fn each_fault_has_the_issue_and_the_cost_of_the_table() {
        for (fault, issue_type, level, once, each) in rows() {
            let issue = fault.issue();
            assert_eq!((issue.issue_type, issue.severity), (issue_type, level), "{fault:?}");
            assert_eq!(tally(std::slice::from_ref(&fault)).score.get(), 100 - once - each, "{fault:?}");
            assert_eq!(tally(&[fault.clone(), fault.clone()]).score.get(), 100 - once - 2 * each, "{fault:?}");
            assert!(!issue.description.is_empty());
        }
    }

    #[test]
    fn a_deduction_names_its_fault_and_its_rule() {
        let of = |faults: &[Fault]| tally(faults).deductions;
        let named = |reason: &str, points, rule| Deduction { reason: reason.to_owned(), points, rule };
        assert_eq!(
            of(&[Fault::MissingSection(Section::ExecutiveSummary), Fault::NoTimeline, Fault::NoTimeline]),
            [
                named("missing_section executive_summary", 15, Rule::MissingSection),
                named("missing_section executive_summary", 10, Rule::HighIssue),
                named("no_timeline", 20, Rule::Consistency),
                named("no_timeline", 10, Rule::HighIssue),
                named("no_timeline", 10, Rule::HighIssue),
            ]
        );
        assert_eq!(
            of(&[remark(IssueType::Anomaly, Level::Low, Some("fraud_explanation"))]),
            [named("model_remark fraud_explanation", 2, Rule::LowIssue)]
        );
        assert_eq!(tally(&[]), Tally { score: Score::FULL, deductions: Vec::new() });
    }

    #[test]
    fn only_what_other_words_can_heal_is_of_language() {
        for (fault, _, _, _, _) in rows() {
            let of_facts = matches!(
                fault,
                Fault::StructuredMismatch { .. }
                    | Fault::NoTimeline
                    | Fault::HashDiffers(_)
                    | Fault::ScoreSeverityMismatch { .. }
            );
            let of_language = !of_facts && !fault.is_of_evidence();
            if !matches!(fault, Fault::ModelRemark(_)) {
                assert_eq!((fault.is_of_facts(), fault.is_of_language()), (of_facts, of_language), "{fault:?}");
            }
        }
        let kinds = |fault: Fault| (fault.is_of_facts(), fault.is_of_language());
        assert_eq!(kinds(remark(IssueType::Consistency, Level::Low, Some("timeline_narrative"))), (true, false));
        assert_eq!(kinds(remark(IssueType::Anomaly, Level::High, None)), (false, false));
        assert_eq!(kinds(remark(IssueType::Anomaly, Level::High, Some("timeline_narrative"))), (false, true));
        assert_eq!(kinds(remark(IssueType::WeakJustification, Level::Low, None)), (false, true));
    }

    #[test]
    fn what_the_supervisor_may_close_alone_depends_on_strength_and_severity() {
        use Severity::{Critical, High, Low, Medium};
        for severity in [Low, Medium, High, Critical] {
            assert!(!Strength::None.suffices_without_a_person(severity), "{severity:?}");
            assert!(Strength::Adequate.suffices_without_a_person(severity), "{severity:?}");
            assert!(Strength::Strong.suffices_without_a_person(severity), "{severity:?}");
            let is_grave = matches!(severity, High | Critical);
            assert_eq!(Strength::Weak.suffices_without_a_person(severity), !is_grave, "{severity:?}");
        }
    }

    #[test]
    fn names_are_those_that_are_stored() {
        for (written, name) in [
            (serde_json::to_value(Point::SelfContained).unwrap(), Point::SelfContained.as_str()),
            (serde_json::to_value(Strength::Adequate).unwrap(), Strength::Adequate.as_str()),
            (serde_json::to_value(Strength::None).unwrap(), Strength::None.as_str()),
            (serde_json::to_value(Rule::ScoreSeverityMismatch).unwrap(), Rule::ScoreSeverityMismatch.as_str()),
        ] {
            assert_eq!(written, name);
        }
        for point in Point::ALL {
            assert_eq!(serde_json::to_value(point).unwrap(), point.as_str());
        }
    }

    proptest! {
        /// The table again, added up in another way: each group's one-off, and each fault's own.
        #[test]
        fn the_score_is_100_less_what_the_table_says(picked in prop::collection::vec(0..20_usize, 0..12)) {
            let rows = rows();
            let faults: Vec<Fault> = picked.iter().map(|at| rows[*at].0.clone()).collect();
            let is_in = |range: &std::ops::RangeInclusive<usize>, at: usize| range.contains(&at) || at == 19 && *range.start() == 2;
            let has = |range: std::ops::RangeInclusive<usize>| picked.iter().any(|at| is_in(&range, *at));
            let once = [(2..=5, 20), (6..=6, 15), (7..=9, 15)].into_iter().filter(|(group, _)| has(group.clone()));
            let once: i32 = once.map(|(_, points)| points).sum();
            let each: i32 = picked.iter().map(|at| i32::from(rows[*at].4)).sum();
            let tally = tally(&faults);
            prop_assert_eq!(i32::from(tally.score.get()), (100 - once - each).max(0));
            let deducted: i32 = tally.deductions.iter().map(|deduction| i32::from(deduction.points)).sum();
            prop_assert_eq!(deducted, once + each);
        }

        #[test]
        fn one_more_fault_never_raises_the_score(picked in prop::collection::vec(0..20_usize, 1..12)) {
            let faults: Vec<Fault> = picked.iter().map(|at| rows()[*at].0.clone()).collect();
            prop_assert!(tally(&faults).score <= tally(&faults[1..]).score);
        }
    }
}
