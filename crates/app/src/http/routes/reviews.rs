//! The review queue, and reviewers' decisions. Each report is reviewed separately. Four-eyes review: a person who posted the
//! alert or requested the report can neither approve it nor close its case.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use countersign_domain::{
    Event, EventId, Invalid, InvestigationId, NewEvent, ReportId, StoredEvent, Time,
    investigation::may_decide,
    payload::{Decision, Disposition, ReviewDecided},
    revision::RevisionPlan,
};
use countersign_report::{Content, revision};
use countersign_store::{CaseState, OpenReview, ReportEntry};
use serde::{Deserialize, Serialize};

use super::{
    investigations::{self, InvestigationRow},
    reports::{self, ReportRow},
};
use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
        json::{self, Json},
        query::{Page, PageParams, Params, Segment},
    },
    keys::{Caller, KeyRing},
};

const COMMENT_CHARS_MAX: usize = 4_000;
/// The maximum number of attempts to record a decision. Other events, such as assignments, may come between the check and the
/// decision, but not this often.
const TRIES_MAX: usize = 8;

/// A reviewer's decision.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct ReviewRow {
    event_id: EventId,
    seq: u64,
    #[schema(value_type = String)]
    report_id: ReportId,
    investigation_id: Option<InvestigationId>,
    decision: Decision,
    comment: String,
    /// The id of the key, or `local`.
    decided_by: String,
    /// The name of the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by_name: Option<String>,
    decided_at: Time,
    /// Only for decisions that close the case.
    disposition: Option<Disposition>,
    /// Only for reports that were sent back: what the writer will change in response to the comment. If `will_change` is empty,
    /// no new version is written and the investigation stays in review.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<RevisionPlan>,
}

impl ReviewRow {
    /// The decision with the name of the reviewer's key. `None` if it was erased.
    pub(super) fn of(stored: &StoredEvent, keys: &KeyRing) -> Option<Self> {
        let mut row = Self::without_name(stored)?;
        row.decided_by_name = name_of(&row.decided_by, keys);
        Some(row)
    }

    pub(crate) fn without_name(stored: &StoredEvent) -> Option<Self> {
        match stored.event() {
            Ok(Event::ReviewDecided(review)) => Some(Self::at(stored.seq, stored.event_id, review)),
            _ => None,
        }
    }

    fn at(seq: u64, event_id: EventId, review: ReviewDecided) -> Self {
        Self {
            event_id,
            seq,
            report_id: review.report_id,
            investigation_id: review.investigation_id,
            decision: review.decision,
            comment: review.comment,
            decided_by: review.decided_by,
            decided_by_name: None,
            decided_at: review.decided_at,
            disposition: review.disposition,
            revision: review.revision,
        }
    }
}

/// The name of a key, by its id.
pub(super) fn name_of(who: &str, keys: &KeyRing) -> Option<String> {
    keys.name_of(&who.to_owned().try_into().ok()?)
}

/// A row of the review queue.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Waiting)]
pub(super) struct ReviewQueueRow {
    /// `null` if it was erased.
    investigation: Option<InvestigationRow>,
    /// The report to review, or the report that was reviewed.
    report: Option<ReportRow>,
    /// The number of issues in the supervisor's last verdict.
    issues_count: Option<u64>,
    /// Only for open reviews.
    waiting_since: Option<Time>,
    /// Only for decided reviews.
    review: Option<ReviewRow>,
}

/// List reviews, newest first
///
/// Lists open or decided reviews, one row for each report in review: an investigation with two such reports is listed twice. An
/// investigation in review without a report is listed once.
#[utoipa::path(get, path = "/api/reviews", tag = "Reviews", params(
    PageParams,
    ("status" = Option<String>, Query, description = "`open` (the default) or `decided`", example = "open"),
), responses((status = 200, description = "A page of the queue", body = Page<ReviewQueueRow>)))]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<Page<ReviewQueueRow>>> {
    let page = params.page()?;
    let status = params.one("status")?;
    let before = page.before()?;
    params.finish()?;
    match status.as_deref() {
        None | Some("open") => {
            let entries = app.store.open_reviews(before, page.limit + 1).await?;
            let Page { items, next } = Page::going_back(entries, page.limit, |review| review.seq);
            Ok(Json(Page { items: open_rows(&app, items).await?, next }))
        }
        Some("decided") => {
            let events = app.store.decided_reviews(before, page.limit + 1).await?;
            let Page { items, next } = Page::going_back(events, page.limit, |event| event.seq);
            Ok(Json(Page { items: decided_rows(&app, items).await?, next }))
        }
        Some(_) => Err(ApiError::bad_request("status: must be open or decided")),
    }
}

async fn open_rows(app: &App, reviews: Vec<OpenReview>) -> Result<Vec<ReviewQueueRow>> {
    let mut items = Vec::with_capacity(reviews.len());
    for review in reviews {
        // It has been erased since it was read.
        let Some(row) = investigations::row(&review.investigation) else { continue };
        let (report, issues_count) = report_with_issues(app, review.report_id.as_ref()).await?;
        let waiting_since = Some(review.waiting_since);
        items.push(ReviewQueueRow { investigation: Some(row), report, issues_count, waiting_since, review: None });
    }
    Ok(items)
}

async fn decided_rows(app: &App, events: Vec<StoredEvent>) -> Result<Vec<ReviewQueueRow>> {
    let mut items = Vec::with_capacity(events.len());
    for event in events {
        let Some(review) = ReviewRow::of(&event, &app.keys) else { continue };
        let investigation = match review.investigation_id {
            Some(id) => app.store.investigation(id).await?.as_ref().and_then(investigations::row),
            None => None,
        };
        let (report, issues_count) = report_with_issues(app, Some(&review.report_id)).await?;
        items.push(ReviewQueueRow { investigation, report, issues_count, waiting_since: None, review: Some(review) });
    }
    Ok(items)
}

/// The row of a report, and the number of issues in its last verdict.
async fn report_with_issues(app: &App, id: Option<&ReportId>) -> Result<(Option<ReportRow>, Option<u64>)> {
    let Some(id) = id else { return Ok((None, None)) };
    let Some(entry) = app.store.report(id).await? else { return Ok((None, None)) };
    let verdict = app.store.last_verdicts(vec![id.clone()]).await?.pop().flatten();
    Ok((Some(ReportRow::of(entry, verdict)), verdict.map(|verdict| verdict.issues)))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewReview {
    decision: Decision,
    /// Required unless the decision is to approve.
    #[serde(default)]
    #[schema(max_length = 4000)]
    comment: Option<String>,
    /// Only for decisions that close the case: the outcome.
    #[serde(default)]
    disposition: Option<Disposition>,
}

impl NewReview {
    fn check(self) -> Result<(Decision, String, Option<Disposition>)> {
        let comment = self.comment.unwrap_or_default();
        check_text("comment", &comment, COMMENT_CHARS_MAX)?;
        if self.decision != Decision::Approve && comment.trim().is_empty() {
            return Err(ApiError::bad_request("comment: must say why the report is sent back or the case is closed"));
        }
        if self.decision != Decision::Dispose && self.disposition.is_some() {
            return Err(ApiError::bad_request("disposition: is only allowed when closing the case"));
        }
        Ok((self.decision, comment, self.disposition))
    }
}

/// Checks a text that may have several lines: its length, and that it has no control characters except line breaks and tabs.
pub(super) fn check_text(field: &'static str, text: &str, chars_max: usize) -> Result<(), Invalid> {
    // Check the bytes first: counting the characters of a huge text would be more expensive than refusing it.
    if text.len() > chars_max * 4 || text.chars().count() > chars_max {
        return Err(Invalid::new(field, format!("is longer than {chars_max} characters")));
    }
    if text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')) {
        return Err(Invalid::new(field, "contains a control character"));
    }
    Ok(())
}

/// Review a report
///
/// `approve` and `send_back` require that this report is in review, whatever the state of other reports of its investigation.
/// `dispose` closes the investigation with all its reports, for good. If several reviewers decide at the same time, one succeeds.
///
/// Four-eyes review applies to both closing decisions, for callers with a key: a person who posted the alert, or requested
/// the report or an earlier version of it, can't `approve` the report; a person who posted the alert, or requested any report of the
/// investigation that is in review, can't `dispose` it.
///
/// The response to `send_back` says in `revision` what the writer will change. The built-in writer acts on comments that it
/// understands. If it can't act on any part of the comment, the decision is recorded, but no new version is written and the
/// investigation stays in review.
#[utoipa::path(post, path = "/api/reports/{id}/reviews", tag = "Reviews", request_body = NewReview,
    params(("id" = String, Path, format = Uuid, description = "The report's id")),
    responses(
        (status = 201, description = "The recorded decision", body = ReviewRow),
        (status = 404, description = "There is no such report", body = super::ErrorBody),
        (status = 409, description = "Four-eyes review (`approve`, `dispose`) or the report's state forbids the decision, or a newer version has replaced the report",
            body = super::ErrorBody),
        (status = 410, description = "The report has been erased; its case can only be closed", body = super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn decide(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    id: Segment,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<ReviewRow>)> {
    params.finish()?;
    let id = reports::report_id(&id)?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let (decision, comment, disposition) = json::object::<NewReview>(&body.bytes)?.check()?;
    let report = reports::find_report(&app, &id).await?;
    if report.is_erased() && decision != Decision::Dispose {
        return Err(ApiError::Gone("the content of this report has been erased"));
    }
    let revision = match decision {
        Decision::SendBack => Some(plan_revision(&app, &report, comment.clone()).await?),
        Decision::Approve | Decision::Dispose => None,
    };
    let review = ReviewDecided {
        report_id: report.id.clone(),
        investigation_id: Some(report.investigation_id),
        decision,
        comment,
        decided_by: caller.name().to_owned(),
        decided_at: app.store.seams().now(),
        disposition,
        revision,
    };
    let reviewer = Reviewer::of(&app, &caller);
    let (seq, event_id) = reviewer.record(&app, &report, &review).await?;
    let mut row = ReviewRow::at(seq, event_id, review);
    row.decided_by_name = name_of(&row.decided_by, &app.keys);
    Ok((StatusCode::CREATED, Json(row)))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewPreview {
    #[schema(min_length = 1, max_length = 4000)]
    comment: String,
}

/// Preview sending a report back
///
/// Says what the writer would change in response to a comment, and which parts of the comment it can't act on. Nothing is recorded.
#[utoipa::path(post, path = "/api/reports/{id}/reviews/preview", tag = "Reviews", request_body = ReviewPreview,
    params(("id" = String, Path, format = Uuid, description = "The report's id")),
    responses(
        (status = 200, description = "The planned changes", body = RevisionPlan),
        (status = 404, description = "There is no such report", body = super::ErrorBody),
        (status = 410, description = "The report has been erased", body = super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn preview(
    State(app): State<App>,
    params: Params,
    id: Segment,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<RevisionPlan>> {
    params.finish()?;
    let id = reports::report_id(&id)?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let ReviewPreview { comment } = json::object(&body.bytes)?;
    check_text("comment", &comment, COMMENT_CHARS_MAX)?;
    if comment.trim().is_empty() {
        return Err(ApiError::bad_request("comment: must not be empty"));
    }
    let report = reports::find_report(&app, &id).await?;
    Ok(Json(plan_revision(&app, &report, comment).await?))
}

/// What the writer of this report would change in response to a comment.
async fn plan_revision(app: &App, report: &ReportEntry, comment: String) -> Result<RevisionPlan> {
    let stored = reports::content(app, &report.id).await?;
    let model = report.severity.and_then(|severity| app.investigations.writers.of(severity)).map(ToString::to_string);
    // The plan rewrites the text for each requested change, which takes milliseconds that other requests should not wait for.
    let planning = tokio::task::spawn_blocking(move || {
        let content: Content = serde_json::from_str(&stored)?;
        Ok::<_, serde_json::Error>(match model {
            Some(model) => revision::plan_for_model(&comment, &content, &model),
            None => revision::plan(&comment, &content),
        })
    });
    let panicked = |error| ApiError::Internal { what: "a task panicked", source: Some(Arc::new(error)) };
    Ok(planning.await.map_err(panicked)??)
}

/// The people who requested a report or an earlier version, or posted its alert, without duplicates.
pub(super) async fn requesters(app: &App, report_id: &ReportId) -> Result<Vec<String>> {
    Ok(people(&app.store.report_authors(report_id).await?, app))
}

fn people(callers: &[String], app: &App) -> Vec<String> {
    callers.iter().map(|who| person(who, app)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The person who holds a key, identified by the key's name: a person may replace a key by a new one.
fn person(who: &str, app: &App) -> String {
    name_of(who, &app.keys).unwrap_or_else(|| who.to_owned())
}

/// The caller who decides.
struct Reviewer {
    who: String,
    /// Four-eyes review needs named people: without keys, all callers are the same.
    is_named: bool,
}

impl Reviewer {
    fn of(app: &App, caller: &Caller) -> Self {
        Self { who: person(caller.name(), app), is_named: matches!(caller, Caller::Key { .. }) }
    }

    /// Records the decision, provided that the case is still in the state that was checked.
    async fn record(&self, app: &App, report: &ReportEntry, review: &ReviewDecided) -> Result<(u64, EventId)> {
        let id = report.investigation_id;
        let mut seen = case_state(app, id).await?;
        for _ in 0..TRIES_MAX {
            self.check(app, &seen, report, review.decision).await?;
            let seams = app.store.seams();
            let event_id = seams.event_id();
            let event = NewEvent::new(event_id, review.clone(), review.decided_at, "api", id.into())?;
            if let Some(seq) = app.store.append_if_case(id, seen.seq, vec![event]).await? {
                return Ok((seq, event_id));
            }
            let now = case_state(app, id).await?;
            // The report's state has changed, so the reviewer must look again, even if the new state allows the same decision.
            if now.case.state_of(&report.id) != seen.case.state_of(&report.id) {
                break;
            }
            seen = now;
        }
        Err(ApiError::Conflict("the investigation has changed in the meantime; load it again".into()))
    }

    async fn check(&self, app: &App, seen: &CaseState, report: &ReportEntry, decision: Decision) -> Result<()> {
        // Read again at every attempt, because other reports may be in review now.
        let requesters = match decision {
            Decision::Dispose => people(&app.store.case_authors(seen.investigation_id).await?, app),
            Decision::Approve | Decision::SendBack => requesters(app, &report.id).await?,
        };
        may_decide(&seen.case, &report.id, decision, &self.who, &requesters, self.is_named)
            .map_err(|error| ApiError::Conflict(error.to_string().into()))
    }
}

async fn case_state(app: &App, id: InvestigationId) -> Result<CaseState> {
    app.store.case(id).await?.ok_or_else(|| ApiError::not_found("the report's investigation is not recorded"))
}
