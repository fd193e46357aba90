//! The table of faults, and the sums that follow from it.

use proptest::prelude::*;

use super::*;
use crate::{
    Score, Section, Severity,
    evidence::{Weakness, WeaknessKind},
    payload::{Issue, IssueType, Level},
};

fn weakness(kind: WeaknessKind) -> Fault {
    Fault::EvidenceWeakness(Weakness { kind, detail: "A weakness.".to_owned(), steps: kind.steps() })
}

fn remark(issue_type: IssueType, severity: Level, section: Option<&str>) -> Fault {
    let (description, section) = ("A remark.".to_owned(), section.map(str::to_owned));
    Fault::ModelRemark(Issue { issue_type, severity, description, section })
}

/// Every fault with its issue and its points: those deducted once per report, and those deducted each time.
fn rows() -> Vec<(Fault, IssueType, Level, u8, u8)> {
    use IssueType::{Anomaly, Completeness, Consistency, MissingSection, WeakJustification};
    let section = Section::TimelineNarrative;
    let mismatch = Fault::StructuredMismatch { field: "severity".into(), stated: "LOW".into(), known: "HIGH".into() };
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
        (point(NarrativePoint::Who), Completeness, Level::Medium, 0, 5),
        (point(NarrativePoint::Why), WeakJustification, Level::Medium, 0, 5),
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
            named("missing_section executive_summary", 15, DeductionRule::MissingSection),
            named("missing_section executive_summary", 10, DeductionRule::HighIssue),
            named("no_timeline", 20, DeductionRule::Consistency),
            named("no_timeline", 10, DeductionRule::HighIssue),
            named("no_timeline", 10, DeductionRule::HighIssue),
        ]
    );
    assert_eq!(
        of(&[remark(IssueType::Anomaly, Level::Low, Some("fraud_explanation"))]),
        [named("model_remark fraud_explanation", 2, DeductionRule::LowIssue)]
    );
    assert_eq!(tally(&[]), ScoreBreakdown { score: Score::FULL, deductions: Vec::new() });
}

#[test]
fn only_faults_that_other_wording_can_fix_are_of_language() {
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
fn strength_and_severity_decide_what_the_supervisor_may_close_alone() {
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
fn names_match_their_stored_form() {
    for (written, name) in [
        (serde_json::to_value(NarrativePoint::SelfContained).unwrap(), NarrativePoint::SelfContained.as_str()),
        (serde_json::to_value(Strength::Adequate).unwrap(), Strength::Adequate.as_str()),
        (serde_json::to_value(Strength::None).unwrap(), Strength::None.as_str()),
        (
            serde_json::to_value(DeductionRule::ScoreSeverityMismatch).unwrap(),
            DeductionRule::ScoreSeverityMismatch.as_str(),
        ),
    ] {
        assert_eq!(written, name);
    }
    for point in NarrativePoint::ALL {
        assert_eq!(serde_json::to_value(point).unwrap(), point.as_str());
    }
}

proptest! {
    /// Recomputes the score in another way: the one-off points of each group, and the points of each fault.
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
