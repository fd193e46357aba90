//! Reports: listing current versions, showing one report, and listing its versions. No route changes a report.
//!
//! | file          | job                                                            |
//! |---------------|----------------------------------------------------------------|
//! | `request.rs`  | requesting a report                                            |
//! | `addenda.rs`  | addenda, which reviewers write                                 |
//! | `evidence.rs` | the source of each figure, and the supervisor's verdicts       |
//! | `export.rs`   | a report as a file                                             |

pub(super) mod addenda;
pub(crate) mod evidence;
pub(super) mod export;
pub(super) mod request;

use axum::extract::State as AxumState;
use countersign_domain::{
    AlertId, EventId, InvestigationId, ReportId, Score, Section, Severity, State, Time, TransactionId, UserId,
    payload::{Level, ReportType},
    severity::capitals,
};
use countersign_report::{TracedFact, TracedSentence, WrittenBy, mask_reference};
use countersign_store::{LastVerdict, ReportEntry, ReportQuery, Store, StoreError};
use serde::Serialize;
use serde_json::value::RawValue;

use super::reviews;
use crate::http::edge::{
    App,
    error::{ApiError, Result},
    json::{self, Json},
    query::{Page, PageParams, Params, Segment},
};

/// A version of a report in a list, without its texts. Fields other than ids that are `null` have been erased.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct ReportRow {
    #[schema(value_type = String)]
    id: ReportId,
    transaction_id: Option<TransactionId>,
    fraud_detection_id: Option<AlertId>,
    investigation_id: InvestigationId,
    report_type: ReportType,
    #[serde(with = "capitals::optional")]
    #[schema(value_type = Option<String>, example = "HIGH")]
    severity: Option<Severity>,
    risk_score: Option<Score>,
    generated_at: Option<Time>,
    #[serde(flatten)]
    standing: ReportStanding,
}

/// What the server knows about a report, besides its content.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct ReportStanding {
    version: u32,
    /// The version that this one replaces.
    #[schema(value_type = Option<String>)]
    regeneration_of: Option<ReportId>,
    /// Whether this is the latest version.
    is_current: bool,
    /// SHA-256 of the stored content, in hex, as recorded in its event.
    content_hash: Option<String>,
    /// The state of this report, independent of other reports of its investigation; `null` if a newer version replaced it.
    status: Option<State>,
    /// Whether the report passed the supervisor's last check; `null` if there is no verdict.
    passed: Option<bool>,
    validation_score: Option<Score>,
    /// The position of its event in the log.
    seq: u64,
}

impl ReportStanding {
    fn of(entry: &ReportEntry, verdict: Option<LastVerdict>) -> Self {
        Self {
            version: entry.version,
            regeneration_of: entry.regeneration_of.clone(),
            is_current: entry.is_current,
            content_hash: entry.content_hash.clone(),
            status: entry.state,
            passed: verdict.map(|verdict| verdict.passed),
            validation_score: verdict.map(|verdict| verdict.validation_score),
            seq: entry.seq,
        }
    }
}

impl ReportRow {
    pub(super) fn of(entry: ReportEntry, verdict: Option<LastVerdict>) -> Self {
        Self {
            standing: ReportStanding::of(&entry, verdict),
            id: entry.id,
            // Masked as in the stored report, because ids could identify a person.
            transaction_id: entry.transaction_id.and_then(|id| mask_reference(id.as_str()).parse().ok()),
            fraud_detection_id: entry.fraud_detection_id.and_then(|id| mask_reference(id.as_str()).parse().ok()),
            investigation_id: entry.investigation_id,
            report_type: entry.report_type,
            severity: entry.severity,
            risk_score: entry.risk_score,
            generated_at: entry.generated_at,
        }
    }
}

/// The rows of reports, in the given order.
pub(crate) async fn report_rows(store: &Store, entries: Vec<ReportEntry>) -> Result<Vec<ReportRow>, StoreError> {
    let verdicts = store.last_verdicts(entries.iter().map(|entry| entry.id.clone()).collect()).await?;
    Ok(entries.into_iter().zip(verdicts).map(|(entry, verdict)| ReportRow::of(entry, verdict)).collect())
}

/// A complete report.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Report)]
pub(super) struct WholeReport {
    #[serde(flatten)]
    row: ReportRow,
    regulatory_impact: Level,
    executive_summary: String,
    fraud_explanation: String,
    timeline_narrative: String,
    risk_justification: String,
    investigation_narrative: String,
    recommended_next_steps: Vec<String>,
    /// Only in compliance and full reports.
    regulatory_statement: Option<String>,
    /// Only in full reports.
    extended_analysis: Option<String>,
    markdown_content: String,
    /// `severity`, `risk_score`, `signals`, `timeline_events` and further fields.
    #[schema(value_type = Object)]
    structured_data: Box<RawValue>,
    /// How each section was written.
    sections: Vec<WrittenSection>,
    /// All data that the report may use, redacted. The paths of facts point into it.
    #[schema(value_type = Object)]
    context: Box<RawValue>,
    context_sha256: String,
    /// The people who requested this report or an earlier version of it, or who posted its alert. While it is in review, they can
    /// neither approve it nor close its investigation.
    requesters: Vec<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct WrittenSection {
    section: Section,
    words: usize,
    written_by: WrittenBy,
    /// `provider/model`, if a model wrote it.
    model: Option<String>,
    template: String,
    template_sha256: Option<String>,
    attempts: u32,
    /// Why a model's text was refused.
    refused: Option<Vec<String>>,
    facts: Vec<TracedFact>,
    /// Each sentence with the facts that support it. Reports written before sentences were checked have none.
    sentences: Option<Vec<TracedSentence>>,
}

/// List reports, newest first
///
/// Lists the current version of each report.
#[utoipa::path(get, path = "/api/reports", tag = "Reports", params(
    PageParams,
    ("severity" = Option<Severity>, Query, description = "Only reports of this severity"),
    ("report_type" = Option<ReportType>, Query, description = "Only reports of this type"),
    ("user_id" = Option<UserId>, Query, description = "Only reports about this customer"),
    ("status" = Option<State>, Query, description = "Only reports in this state"),
), responses((status = 200, description = "A page of reports without their texts", body = Page<ReportRow>)))]
pub(super) async fn list(AxumState(app): AxumState<App>, mut params: Params) -> Result<Json<Page<ReportRow>>> {
    let page = params.page()?;
    let query = ReportQuery {
        severity: params.checked("severity")?,
        report_type: params.one("report_type")?.map(|name| report_type(&name)).transpose()?,
        user_id: params.checked("user_id")?,
        status: params.checked("status")?,
        before: page.before()?,
        limit: page.limit + 1,
    };
    params.finish()?;
    let Page { items, next } = Page::going_back(app.store.reports(query).await?, page.limit, |entry| entry.seq);
    Ok(Json(Page { items: report_rows(&app.store, items).await?, next }))
}

fn report_type(name: &str) -> Result<ReportType> {
    let found = ReportType::ALL.into_iter().find(|known| known.as_str() == name);
    found.ok_or_else(|| ApiError::bad_request("report_type: must be internal, compliance or full"))
}

/// Show a report
///
/// Returns the report exactly as it is stored, with its hash, its position in the log and its state.
#[utoipa::path(get, path = "/api/reports/{id}", tag = "Reports",
    params(("id" = String, Path, format = Uuid, description = "The id of any version")),
    responses(
        (status = 200, description = "The report", body = WholeReport),
        (status = 404, description = "There is no such report", body = super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::ErrorBody),
    ),
)]
pub(super) async fn one(AxumState(app): AxumState<App>, params: Params, id: Segment) -> Result<Json<Box<RawValue>>> {
    params.finish()?;
    let entry = find_report(&app, &report_id(&id)?).await?;
    Ok(Json(report_json(&app, &entry).await?))
}

/// Reports' ids are UUIDs, like events' ids, and are compared as text.
pub(super) fn report_id(id: &Segment) -> Result<ReportId> {
    Ok(id.uuid::<EventId>()?.to_string().parse()?)
}

pub(super) async fn find_report(app: &App, id: &ReportId) -> Result<ReportEntry> {
    app.store.report(id).await?.ok_or_else(|| ApiError::not_found("there is no report with this id"))
}

/// A report's stored text.
pub(super) async fn content(app: &App, id: &ReportId) -> Result<String> {
    let content = app.store.report_content(id).await?;
    content.map(|(text, _)| text).ok_or(ApiError::Gone("the content of this report has been erased"))
}

/// The stored fields and the server's own, without duplicates: the version and the id of the version that it replaces are in both.
async fn report_json(app: &App, entry: &ReportEntry) -> Result<Box<RawValue>> {
    #[derive(Serialize)]
    struct AddedFields {
        is_current: bool,
        content_hash: Option<String>,
        status: Option<State>,
        passed: Option<bool>,
        validation_score: Option<Score>,
        seq: u64,
        requesters: Vec<String>,
    }
    let verdict = app.store.last_verdicts(vec![entry.id.clone()]).await?.pop().flatten();
    let ReportStanding { is_current, content_hash, status, passed, validation_score, seq, .. } =
        ReportStanding::of(entry, verdict);
    let requesters = reviews::requesters(app, &entry.id).await?;
    let more = AddedFields { is_current, content_hash, status, passed, validation_score, seq, requesters };
    Ok(json::joined(&content(app, &entry.id).await?, &more)?)
}

/// List the versions of a report, newest first
#[utoipa::path(get, path = "/api/reports/{id}/versions", tag = "Reports",
    params(("id" = String, Path, format = Uuid, description = "The id of any version"), PageParams),
    responses(
        (status = 200, description = "A page of versions, including erased ones", body = Page<ReportRow>),
        (status = 404, description = "There is no such report", body = super::ErrorBody),
    ),
)]
pub(super) async fn versions(
    AxumState(app): AxumState<App>,
    mut params: Params,
    id: Segment,
) -> Result<Json<Page<ReportRow>>> {
    let page = params.page()?;
    params.finish()?;
    let entries = app.store.report_versions(&find_report(&app, &report_id(&id)?).await?.id).await?;
    let Page { items, next } = Page::within(entries, &page, |entry| entry.id.to_string())?;
    Ok(Json(Page { items: report_rows(&app.store, items).await?, next }))
}
