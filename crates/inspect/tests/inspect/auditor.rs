//! Instructions to the auditor must be found, and texts that merely discuss auditing must not be.

use countersign_domain::RiskStatus;
use countersign_inspect::{Kind, audit_answer, risk_score};

use crate::auditor_texts::{BENIGN, attempts};
use crate::auditor_wordings::{HARDER, LOOK_ALIKES, WORDINGS};

#[test]
fn at_most_two_in_a_hundred_attempts_to_steer_the_auditor_are_judged_safe() {
    let attempts = attempts();
    assert!(attempts.len() >= 500, "{}", attempts.len());
    let safe: Vec<&str> = attempts
        .iter()
        .filter(|(_, text)| risk_score(&audit_answer(text).findings).status() == RiskStatus::Safe)
        .map(|(description, _)| description.as_str())
        .collect();
    assert!(safe.len() * 50 <= attempts.len(), "{} of {}: {safe:#?}", safe.len(), attempts.len());
}

#[test]
fn at_most_three_in_twenty_of_all_wordings_are_judged_safe() {
    let wordings: Vec<&str> = WORDINGS.iter().chain(&HARDER).copied().collect();
    let is_safe = |text: &&&str| risk_score(&audit_answer(text).findings).status() == RiskStatus::Safe;
    let safe: Vec<&&str> = wordings.iter().filter(is_safe).collect();
    assert!(safe.len() * 20 <= wordings.len() * 3, "{} of {}: {safe:#?}", safe.len(), wordings.len());
}

#[test]
fn at_most_one_in_twenty_harmless_texts_about_auditing_is_flagged() {
    let texts: Vec<&str> = BENIGN.iter().chain(&LOOK_ALIKES).copied().collect();
    let flagged: Vec<(&str, Vec<(&str, String)>)> = texts
        .iter()
        .map(|text| {
            let findings = audit_answer(text).findings;
            let injections = findings.into_iter().filter(|f| f.kind == Kind::Injection && f.counts());
            (*text, injections.map(|f| (f.r#type, f.explanation)).collect::<Vec<_>>())
        })
        .filter(|(_, found)| !found.is_empty())
        .collect();
    assert!(flagged.len() * 20 <= texts.len(), "{} of {}: {flagged:#?}", flagged.len(), texts.len());
}
