//! The regulatory statement of compliance and full reports: the regulatory impact, who decides on a filing, and the audit trail.

use countersign_domain::payload::Level;

use super::{case::CaseInWords, outside, phrasing::one_of, pool::SentencePool, say};

/// The minimum and maximum number of words.
pub(super) const WORDS: (usize, usize) = (60, 160);

pub(super) fn sentences(case: &CaseInWords) -> SentencePool {
    let mut pool = SentencePool::default();
    impact(case, &mut pool);
    trail(case, &mut pool);
    pool
}

fn impact(case: &CaseInWords, pool: &mut SentencePool) {
    let (severity, score) = (case.severity(), case.score());
    match case.context.case.regulatory_impact {
        Level::Low => {
            pool.must(format!("This case was recorded with a low regulatory impact, at {severity} severity and a risk score of {score}."));
            pool.must("At this impact the report documents the case for internal oversight and states its facts without recommending a filing.".to_owned());
        }
        Level::Medium => {
            pool.must(format!("This case was recorded with a medium regulatory impact, at {severity} severity and a risk score of {score}."));
            pool.must("At this impact a compliance officer is asked to assess whether the institution's reporting duties apply.".to_owned());
        }
        Level::High => {
            pool.must(format!("This case was recorded with a high regulatory impact, at {severity} severity and a risk score of {score}."));
            pool.must("At this impact a compliance officer is asked to give the question of a filing priority and to observe the deadlines that apply.".to_owned());
        }
    }
    pool.must(one_of!(case.phrasing;
        "The decision to file, and with whom, is a person's; neither this report nor the software makes it.",
        "Whether to file is decided by a person; this report supplies facts for that decision and does not take it.",
    ));
}

fn trail(case: &CaseInWords, pool: &mut SentencePool) {
    let (alert, investigation) = (case.alert(), case.investigation());
    let created = say::moment(case.context.case.alert_created_at);
    pool.must(format!("The audit trail runs from {alert}, created on {created}, to {investigation}."));
    pool.must(match case.context.case.rules_hash.as_deref().and_then(outside::id) {
        Some(hash) => format!("The rules in force are identified by the hash {hash}."),
        None => "The record did not state a hash of the rules in force.".to_owned(),
    });
    let transaction = case.transaction().and_then(|transaction| outside::id(&transaction.transaction_id));
    pool.should(transaction.map(|id| format!("The transaction under review is on record as {id}.")));
    pool.should(
        "The facts were fixed before the text was written, and each figure in the text traces to one of them."
            .to_owned(),
    );
    pool.may("Identifiers of the customer, the device and the network address are redacted in this report.".to_owned());
    pool.reserve(
        "Alert, report and review are events of one append-only log, whose integrity a third party is able to verify."
            .to_owned(),
    );
}
