//! Puts a text through the product's own checks: first the reporter's fact check, then the supervisor's rules, without a supervisor
//! model.

use countersign_domain::{AlertId, ReportId, Section, Time, TransactionId, report::count_words};
use countersign_factcheck as factcheck;
use countersign_report::{
    Assembly, Content, Context, LicensedTexts, SectionRecord, WrittenBy, assemble, check_model_section,
    validate::{AssessmentOutcome, Limits, ReportVerdict, ValidationInput, examine, verdict},
    writer,
};
use serde::Serialize;

use crate::case::CorpusCase;

/// The outcome for a report with a fault: a lie in its prose, or a broken rule of its structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultOutcome {
    /// The fact check refused the text. The writer would be asked again.
    Refused,
    /// The supervisor asked for a review or for another version.
    Review,
    /// The report passed, but its verdict names the fault and deducts points for it. Only a fault of structure can have this
    /// outcome (`structure.rs`).
    Noted,
    /// The report passed and its verdict does not mention the fault.
    Approved,
}

/// The outcome for a case's report in which this text, as a model's, replaces one section. The built-in writer wrote the rest.
pub fn outcome_of_text(case: &CorpusCase, section: Section, text: &str) -> FaultOutcome {
    if is_refused(case, text) {
        return FaultOutcome::Refused;
    }
    // A report that can't be assembled is never approved.
    let Some(content) = report(case, Some((section, text))) else { return FaultOutcome::Review };
    if verdict_on(&content, &StoredRecord::of(&content)).is_some_and(|verdict| verdict.passed) {
        FaultOutcome::Approved
    } else {
        FaultOutcome::Review
    }
}

/// Whether the fact check refuses this text as a model's.
pub fn is_refused(case: &CorpusCase, text: &str) -> bool {
    !check_model_section(text, &case.facts, &case.own).refused.is_empty()
}

/// Why the fact check refuses a text.
pub fn objections(case: &CorpusCase, text: &str) -> Vec<String> {
    let refused = check_model_section(text, &case.facts, &case.own).refused;
    refused.iter().map(factcheck::Refused::describe).collect()
}

/// The report of a case. `replacement` replaces one section by a model's text.
pub(crate) fn report(case: &CorpusCase, replacement: Option<(Section, &str)>) -> Option<Content> {
    let context = &case.context;
    let sections = Section::ALL.into_iter().zip(&case.texts).map(|(section, builtin_text)| {
        let model_text = replacement.filter(|(replaced, _)| *replaced == section).map(|(_, text)| text);
        let text = model_text.unwrap_or(builtin_text).to_owned();
        let written_by = if model_text.is_some() { WrittenBy::Model } else { WrittenBy::Builtin };
        let record = record(section, &text, written_by);
        (text, record)
    });
    assembled(context, sections.collect())
}

pub(crate) fn record(section: Section, text: &str, written_by: WrittenBy) -> SectionRecord {
    SectionRecord {
        section,
        words: count_words(text),
        written_by,
        model: (written_by == WrittenBy::Model).then(|| "corpus/writer".to_owned()),
        template: writer::WRITER_VERSION.to_owned(),
        template_sha256: None,
        attempts: 1,
        refused: Vec::new(),
        facts: Vec::new(),
        sentences: Vec::new(),
    }
}

pub(crate) fn assembled(context: &Context, sections: Vec<(String, SectionRecord)>) -> Option<Content> {
    let alert: AlertId = context.case.alert_id.parse().ok()?;
    let transaction_id: Option<TransactionId> =
        context.transaction.as_ref().and_then(|transaction| transaction.transaction_id.parse().ok());
    Some(assemble(Assembly {
        revision: None,
        id: ReportId::of_version(&alert, context.case.report_type, 1),
        version: 1,
        regeneration_of: None,
        transaction_id,
        fraud_detection_id: alert,
        generated_at: context.case.alert_created_at,
        context: context.clone(),
        sections,
    }))
}

/// The store's record of a report. For a true report, it agrees with the report's content.
pub(crate) struct StoredRecord {
    pub(crate) stored_hash: String,
    pub(crate) actual_hash: String,
    pub(crate) alert_severity: countersign_domain::Severity,
    pub(crate) alert_score: countersign_domain::Score,
}

impl StoredRecord {
    pub(crate) fn of(content: &Content) -> Self {
        let hash = content.sealed().map(|sealed| sealed.hash().to_hex()).unwrap_or_default();
        Self {
            stored_hash: hash.clone(),
            actual_hash: hash,
            alert_severity: content.severity,
            alert_score: content.risk_score,
        }
    }
}

/// The verdict of the rules, without a model.
pub(crate) fn verdict_on(content: &Content, record: &StoredRecord) -> Option<ReportVerdict> {
    let limits = Limits::default();
    let input = ValidationInput {
        content,
        stored_hash: &record.stored_hash,
        actual_hash: &record.actual_hash,
        alert_severity: record.alert_severity,
        alert_score: record.alert_score,
        regenerations_so_far: 0,
        // Only decides whether another version would be requested, which makes no difference to an outcome.
        a_model_was_asked: true,
        licensed: &LicensedTexts::default(),
    };
    let findings = examine(&input, &limits);
    let now = Time::from_micros(content.generated_at.micros()).ok()?;
    Some(verdict(&input, &limits, findings, &AssessmentOutcome::None, record.actual_hash.clone(), now))
}
