//! The evidence behind a report: the source of each figure, and the supervisor's verdicts.

use axum::extract::State;
use countersign_domain::{EventId, ReportId, Score, Section, Time, validation::Deduction};
use countersign_report::{
    TracedFact, TracedSentence,
    validate::{Limits, Participation, StructuredFeedback},
};
use countersign_store::{Store, StoreError, Validation};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::{content, find_report, report_id};
use crate::http::edge::{
    App,
    error::Result,
    json::Json,
    query::{Page, PageParams, Params, Segment},
};

#[derive(Serialize, utoipa::ToSchema)]
pub(in crate::http) struct Facts {
    /// Every figure with its source, in the order of the texts.
    items: Vec<FigureSource>,
    /// Every sentence with the facts that support it, in the order of the texts.
    sentences: Vec<LicensedSentence>,
    /// SHA-256 of the context's JSON, in hex.
    context_sha256: String,
}

/// A figure in a text, and its source.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Fact)]
struct FigureSource {
    section: Section,
    #[serde(flatten)]
    traced: TracedFact,
    /// The value at the path in the stored context.
    #[schema(value_type = Value)]
    value: Value,
}

/// A sentence of a text, and the facts that support it.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Sentence)]
struct LicensedSentence {
    section: Section,
    /// In code points from the start of the section; `end` is exclusive.
    start: usize,
    end: usize,
    facts: Vec<Licence>,
}

/// A fact that supports a sentence.
#[derive(Serialize, utoipa::ToSchema)]
struct Licence {
    /// JSON pointer into the context.
    path: String,
    /// The value at the path in the stored context; null if the sentence states that there is none.
    #[schema(value_type = Value)]
    value: Value,
}

/// The parts of a stored report that contain facts.
#[derive(Deserialize)]
struct StoredReport {
    sections: Vec<StoredSection>,
    context: Value,
    context_sha256: String,
}

#[derive(Deserialize)]
struct StoredSection {
    section: Section,
    facts: Vec<TracedFact>,
    #[serde(default)]
    sentences: Vec<TracedSentence>,
}

/// Show the evidence for a report
///
/// Returns the source of each figure, and the facts that support each sentence.
#[utoipa::path(get, path = "/api/reports/{id}/facts", tag = "Reports",
    params(("id" = String, Path, format = Uuid, description = "The report's id")),
    responses(
        (status = 200, description = "Every figure with its fact, and every sentence with its facts", body = Facts),
        (status = 404, description = "There is no such report", body = super::super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::super::ErrorBody),
    ),
)]
pub(in crate::http) async fn facts(State(app): State<App>, params: Params, id: Segment) -> Result<Json<Facts>> {
    params.finish()?;
    let entry = find_report(&app, &report_id(&id)?).await?;
    let StoredReport { sections, context, context_sha256 } = serde_json::from_str(&content(&app, &entry.id).await?)?;
    let value = |path: &str| context.pointer(path).cloned().unwrap_or_default();
    let mut facts = Facts { items: Vec::new(), sentences: Vec::new(), context_sha256 };
    for StoredSection { section, facts: figures, sentences } in sections {
        facts.items.extend(figures.into_iter().map(|traced| FigureSource {
            section,
            value: value(&traced.path),
            traced,
        }));
        facts.sentences.extend(sentences.into_iter().map(|TracedSentence { start, end, facts }| {
            let facts = facts.into_iter().map(|path| Licence { value: value(&path), path }).collect();
            LicensedSentence { section, start, end, facts }
        }));
    }
    Ok(Json(facts))
}

/// A verdict of the supervisor.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Verdict)]
pub(in crate::http) struct ShownVerdict<'a> {
    id: EventId,
    #[schema(value_type = String)]
    report_id: &'a ReportId,
    passed: bool,
    validation_score: Score,
    /// Each issue has `type`, `severity`, `description` and `section`.
    #[schema(value_type = Vec<Object>)]
    issues: &'a RawValue,
    feedback: &'a str,
    /// Null in older verdicts.
    #[schema(value_type = Option<StructuredFeedback>)]
    structured_feedback: Option<&'a RawValue>,
    validated_at: Time,
    seq: u64,
    #[serde(flatten)]
    more: VerdictDetails<'a>,
}

/// Further fields of the verdict's event.
#[derive(Serialize, Deserialize, Default, utoipa::ToSchema)]
struct VerdictDetails<'a> {
    /// What was deducted from 100 points.
    #[serde(borrow, default)]
    #[schema(value_type = Option<Vec<Deduction>>)]
    deductions: Option<&'a RawValue>,
    #[serde(borrow, default)]
    #[schema(value_type = Option<u8>)]
    pass_mark: Option<&'a RawValue>,
    #[serde(default)]
    requires_regeneration: Option<bool>,
    #[serde(borrow, default)]
    #[schema(value_type = Option<Limits>)]
    limits: Option<&'a RawValue>,
    /// How a model took part in the check.
    #[serde(borrow, default)]
    #[schema(value_type = Option<Participation>)]
    assessment: Option<&'a RawValue>,
    /// SHA-256 of the report before and after the check, in hex. Equal hashes show that the supervisor did not edit it.
    #[serde(borrow, default)]
    #[schema(value_type = Option<String>)]
    hash_before: Option<&'a RawValue>,
    #[serde(borrow, default)]
    #[schema(value_type = Option<String>)]
    hash_after: Option<&'a RawValue>,
    /// The points that the narrative must make, and where it makes each.
    #[serde(borrow, default)]
    #[schema(value_type = Option<Vec<Object>>)]
    narrative: Option<&'a RawValue>,
    /// The model that judged the report, its prompt and its reply.
    #[serde(borrow, default)]
    #[schema(value_type = Option<Object>)]
    judge: Option<&'a RawValue>,
    /// Whether the correlated alerts found at the check are those found when the report was written.
    #[serde(borrow, default)]
    #[schema(value_type = Option<bool>)]
    correlation_agrees: Option<&'a RawValue>,
}

fn verdict_json(validation: &Validation) -> serde_json::Result<Box<RawValue>> {
    // Verdicts in an older format are shown with the fields that they have.
    let more = validation.verdict.as_deref().and_then(|verdict| serde_json::from_str(verdict.get()).ok());
    let mut more: VerdictDetails<'_> = more.unwrap_or_default();
    more.requires_regeneration = more.requires_regeneration.or(validation.requires_regeneration);
    let structured_feedback = Some(&*validation.structured_feedback).filter(|feedback| feedback.get() != "{}");
    serde_json::value::to_raw_value(&ShownVerdict {
        id: validation.id,
        report_id: &validation.report_id,
        passed: validation.passed,
        validation_score: validation.validation_score,
        issues: &validation.issues,
        feedback: &validation.feedback,
        structured_feedback,
        validated_at: validation.validated_at,
        seq: validation.seq,
        more,
    })
}

/// The verdict at this position in the log.
pub(crate) async fn verdict_at(
    store: &Store,
    report_id: &ReportId,
    seq: u64,
) -> Result<Option<Box<RawValue>>, StoreError> {
    let verdicts = store.validations(report_id).await?;
    Ok(verdicts.iter().find(|verdict| verdict.seq == seq).map(verdict_json).transpose()?)
}

/// List the supervisor's verdicts on a report, newest first
#[utoipa::path(get, path = "/api/reports/{id}/validations", tag = "Reports",
    params(("id" = String, Path, format = Uuid, description = "The report's id"), PageParams),
    responses(
        (status = 200, description = "A page of verdicts", body = Page<ShownVerdict>),
        (status = 404, description = "There is no such report", body = super::super::ErrorBody),
    ),
)]
pub(in crate::http) async fn validations(
    State(app): State<App>,
    mut params: Params,
    id: Segment,
) -> Result<Json<Page<Box<RawValue>>>> {
    let page = params.page()?;
    params.finish()?;
    let entry = find_report(&app, &report_id(&id)?).await?;
    let verdicts = app.store.validations(&entry.id).await?;
    let verdicts = Page::within(verdicts, &page, |verdict| verdict.id.to_string())?;
    Ok(Json(verdicts.convert(|verdict| Ok(Some(verdict_json(&verdict)?)))?))
}
