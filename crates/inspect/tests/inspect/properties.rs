//! Properties that the findings of any text have.

use countersign_inspect::{Finding, Kind, audit, detected, inspect, inspect_injection, mask_pii, risk_score};
use proptest::prelude::*;

use crate::texts::mixture;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_are_sorted_in_range_and_disjoint_within_a_kind(text in mixture(12)) {
        let length = text.chars().count();
        let findings = inspect(&text);
        for finding in &findings {
            prop_assert!(finding.start < finding.end && finding.end <= length);
            prop_assert!((0.0..=1.0).contains(&finding.score));
        }
        prop_assert!(findings.windows(2).all(|pair| pair[0].start <= pair[1].start));
        for kind in [Kind::Pii, Kind::Toxicity, Kind::Injection] {
            let one: Vec<_> = findings.iter().filter(|finding| finding.kind == kind).collect();
            prop_assert!(one.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }

    #[test]
    fn flag_score_risk_and_findings_of_personal_data_agree(text in mixture(12)) {
        let audited = audit(&text, None);
        let mut findings = audited.findings;
        findings.retain(|finding| finding.kind == Kind::Pii);
        let is_found = findings.iter().any(|finding| !finding.mention);
        prop_assert!(findings.iter().all(|finding| finding.score >= 0.5), "a finding scores below the decision threshold");
        prop_assert_eq!(detected(&findings, Kind::Pii), is_found);
        prop_assert_eq!(audited.scores.pii >= 0.5, is_found);
        prop_assert_eq!(audited.scores.pii > 0.0, is_found);
        prop_assert_eq!(risk_score(&findings).get() >= 4, is_found);
        prop_assert!(is_found || risk_score(&findings).get() == 0);
    }

    #[test]
    fn an_explanation_never_contains_the_matched_text(text in mixture(12)) {
        let letters: Vec<char> = text.chars().collect();
        for finding in inspect(&text) {
            let matched: String = letters[finding.start..finding.end].iter().collect();
            let is_quoted = finding.explanation.to_lowercase().contains(&matched.to_lowercase());
            prop_assert!(matched.chars().count() <= 5 || !is_quoted, "{}", finding.detector);
        }
    }

    #[test]
    fn any_string_can_be_inspected(text in any::<String>()) {
        let findings = inspect(&text);
        risk_score(&findings);
        mask_pii(&text, &findings);
    }

    #[test]
    fn the_injection_inspector_gives_the_same_findings_alone_and_among_all(text in mixture(12)) {
        let mut among_all = audit(&text, None).findings;
        among_all.retain(|finding| finding.kind == Kind::Injection);
        let places = |findings: &[Finding]| findings.iter().map(|f| (f.r#type, f.start, f.end)).collect::<Vec<_>>();
        prop_assert_eq!(places(&inspect_injection(&text)), places(&among_all));
    }

    #[test]
    fn mask_spans_cover_the_masks(text in mixture(12)) {
        let findings = inspect(&text);
        let masked = mask_pii(&text, &findings);
        let letters: Vec<char> = masked.text.chars().collect();
        for &(index, start, end) in &masked.spans {
            let mask: String = letters[start..end].iter().collect();
            prop_assert_eq!(mask, format!("[{}]", findings[index].r#type));
        }
        let is_masked = findings.iter().any(|finding| finding.kind == Kind::Pii && finding.score >= 0.5);
        prop_assert_eq!(is_masked, !masked.spans.is_empty());
        prop_assert!(is_masked || !detected(&findings, Kind::Pii));
    }
}
