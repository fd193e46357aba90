//! Audit logs: listing them with filters, showing one, and statistics.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use countersign_domain::{Audit, Event, LogId, RiskStatus, StoredEvent, Time, payload::Worker};
use countersign_store::{Bucket, FoundLog, LogCursor, LogEntry, LogQuery, LogStats, StatsQuery};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    answers::PENDING,
    http::edge::{
        App,
        error::{ApiError, Result},
        json::Json,
        query::{PageParams, Params, Segment, encode},
    },
};

/// The maximum number of points of a trend in one response.
const TREND_POINTS_MAX: usize = 10_000;

/// An audited answer.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Log<'a> {
    #[schema(format = Uuid)]
    id: &'a str,
    created_at: &'a str,
    #[schema(value_type = String)]
    query: &'a RawValue,
    #[schema(value_type = String)]
    response: &'a RawValue,
    #[schema(value_type = Audit)]
    audit: &'a RawValue,
    #[schema(value_type = RiskStatus)]
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Worker>)]
    worker: Option<&'a RawValue>,
    /// Its position in the event log. `/api/ledger/inclusion` takes it as `index`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
}

/// The parts of a stored payload that are shown, as JSON text.
#[derive(Deserialize)]
struct StoredLog<'a> {
    log_id: &'a str,
    created_at: &'a str,
    #[serde(borrow)]
    query: &'a RawValue,
    #[serde(borrow)]
    response: &'a RawValue,
    #[serde(borrow)]
    audit: &'a RawValue,
    status: &'a str,
    #[serde(borrow, default)]
    worker: Option<&'a RawValue>,
}

/// A log as the API shows it, from the payload of its event.
pub(crate) fn row(payload: &RawValue, place: Option<(u64, String)>) -> serde_json::Result<Box<RawValue>> {
    let stored: StoredLog<'_> = serde_json::from_str(payload.get())?;
    let (seq, event_id) = place.unzip();
    let log = Log {
        id: stored.log_id,
        created_at: stored.created_at,
        query: stored.query,
        response: stored.response,
        audit: stored.audit,
        status: stored.status,
        worker: stored.worker,
        seq,
        event_id,
    };
    serde_json::value::to_raw_value(&log)
}

fn entry_row(entry: &LogEntry) -> Result<Box<RawValue>> {
    Ok(row(&entry.payload, Some((entry.seq, entry.event_id.to_string())))?)
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct LogList {
    #[schema(value_type = Vec<Log>)]
    items: Vec<Box<RawValue>>,
    /// Pass it as `after` to get the next page; `null` on the last page.
    next: Option<String>,
    /// Whether the search ran out of time. There may be more logs; `next` continues the search.
    partial: bool,
}

/// List audit logs, newest first
///
/// All filters can be combined. `q` finds logs whose query and response contain all of its words. A search that runs out of
/// time sets `partial`, and `next` continues it.
#[utoipa::path(get, path = "/api/logs", tag = "Answers", params(
    PageParams,
    ("status" = Option<RiskStatus>, Query, description = "Only logs with this status"),
    ("min_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("max_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("q" = Option<String>, Query, description = "Words that must all occur in the query or the response"),
    ("from" = Option<Time>, Query, description = "Created at this time or later"),
    ("to" = Option<Time>, Query, description = "Created before this time"),
), responses((status = 200, description = "A page of logs", body = LogList)))]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<LogList>> {
    let page = params.page()?;
    let scores = scores(&mut params)?;
    let (from, to) = time_range(&mut params)?;
    let text = params.one("q")?;
    let before = page.after::<ListCursor>()?.map(|cursor| cursor.0);
    params.finish()?;
    let Some((min_score, max_score)) = scores else {
        return Ok(Json(LogList { items: Vec::new(), next: None, partial: false }));
    };
    let time_budget = app.config.limits.search_budget;
    let query = LogQuery { min_score, max_score, from, to, before, text, limit: page.limit, time_budget };
    let found = app.store.logs(query).await?;
    let items = found.items.iter().map(entry_row).collect::<Result<_>>()?;
    let next = found.next.map(|cursor| encode(&format!("{}.{}", cursor.created_at.micros(), cursor.seq)));
    Ok(Json(LogList { items, next, partial: found.partial }))
}

/// The range of scores that the filters allow, including the filter by status. `None` if the range is empty.
fn scores(params: &mut Params) -> Result<Option<(u8, u8)>> {
    let mut score = |name| {
        let score = params.parsed::<u8>(name, "a score from 0 to 10")?;
        match score {
            Some(11..) => Err(ApiError::bad_request(format!("{name}: must be from 0 to 10"))),
            score => Ok(score),
        }
    };
    let (mut min, mut max) = (score("min_score")?.unwrap_or(0), score("max_score")?.unwrap_or(10));
    if let Some(status) = params.parsed::<RiskStatus>("status", "Safe, Warning or Flagged")? {
        min = min.max(*status.scores().start());
        max = max.min(*status.scores().end());
    }
    Ok((min <= max).then_some((min, max)))
}

fn time_range(params: &mut Params) -> Result<(Option<Time>, Option<Time>)> {
    let what = "an RFC 3339 time such as 2026-03-01T09:30:00Z";
    Ok((params.parsed("from", what)?, params.parsed("to", what)?))
}

/// The content of a cursor of this list.
struct ListCursor(LogCursor);

impl std::str::FromStr for ListCursor {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let (micros, seq) = text.split_once('.').ok_or(())?;
        let created_at = Time::from_micros(micros.parse().map_err(|_| ())?).map_err(|_| ())?;
        let seq = seq.parse::<i64>().ok().and_then(|seq| u64::try_from(seq).ok()).ok_or(())?;
        Ok(Self(LogCursor { created_at, seq }))
    }
}

/// `Pending` until the audit is finished; the other values mean that the exchange ended without an audited answer. Finished audits
/// have other statuses, so the status tells the two kinds of log apart.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "read by the OpenAPI document only")]
pub(super) enum OpenStatus {
    Pending,
    Failed,
    Refused,
    Cancelled,
    Interrupted,
}

/// An exchange whose audit is not finished, or that ended without an answer.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct OpenLog {
    id: String,
    #[schema(value_type = OpenStatus)]
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    /// The part of the answer that was released, as far as it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    created_at: Time,
}

/// An audit log, or an exchange without a finished audit, which has no `audit`.
#[derive(utoipa::ToSchema)]
#[schema(as = AnyLog)]
#[serde(untagged)]
#[expect(dead_code, reason = "read by the OpenAPI document only")]
pub(super) enum AnyLog {
    Audited(Log<'static>),
    Open(OpenLog),
}

/// Show an audit log
///
/// Until the audit is finished, `status` is `Pending`. If there was no answer, `status` and `detail` say why.
#[utoipa::path(get, path = "/api/logs/{id}", tag = "Answers",
    params(("id" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The log, or what is known of it so far", body = AnyLog),
        (status = 404, description = "There is no such log", body = super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::ErrorBody),
    ),
)]
pub(super) async fn one(State(app): State<App>, params: Params, Segment(id): Segment) -> Result<Response> {
    params.finish()?;
    let id: LogId = id.parse().map_err(|_| ApiError::bad_request("id: is not a UUID"))?;
    match app.store.log(id).await? {
        Some(FoundLog::Audited(entry)) => Ok(Json(entry_row(&entry)?).into_response()),
        Some(FoundLog::Open { event, .. }) => Ok(Json(open_log(id, &event)).into_response()),
        Some(FoundLog::Erased) => Err(ApiError::Gone("the content of this log has been erased")),
        None => Err(ApiError::not_found("there is no log with this id")),
    }
}

fn open_log(id: LogId, event: &StoredEvent) -> OpenLog {
    let mut log = OpenLog {
        id: id.to_string(),
        status: PENDING,
        query: None,
        response: None,
        detail: None,
        created_at: event.occurred_at,
    };
    match event.event() {
        Ok(Event::AnswerRequested(request)) => log.query = Some(request.query),
        Ok(Event::AnswerRecorded(answer)) => {
            log.query = Some(answer.query);
            log.response = Some(answer.response);
        }
        Ok(Event::AnswerFailed(failed)) => {
            log.query = failed.query;
            log.response = failed.partial_response;
            log.detail = Some(failed.detail);
            log.status = failed.end.status();
        }
        // The event was erased: only its id and time are left.
        _ => {}
    }
    log
}

/// Statistics of audit logs.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Stats {
    total: u64,
    by_status: ByStatus,
    /// The number of logs with each score, from 0 to 10.
    by_score: [u64; 11],
    /// The mean risk score of the counted logs; 0 if there are no logs.
    average_risk: f64,
    /// Oldest first; times without logs are left out. Empty unless `bucket` is given.
    trend: Vec<TrendPoint>,
    /// The position up to which the event log was read: logs with a lower `seq` are counted. A client that follows the event
    /// log live adds the others itself.
    as_of: u64,
    /// Whether the search ran out of time, so that only the newest logs are counted.
    partial: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "PascalCase")]
struct ByStatus {
    safe: u64,
    warning: u64,
    flagged: u64,
}

#[derive(Serialize, utoipa::ToSchema)]
struct TrendPoint {
    start: Time,
    total: u64,
    by_status: ByStatus,
    average_risk: f64,
}

impl ByStatus {
    fn of(scores: &[u64; 11]) -> Self {
        let of = |status: RiskStatus| status.scores().map(|score| scores[usize::from(score)]).sum();
        Self { safe: of(RiskStatus::Safe), warning: of(RiskStatus::Warning), flagged: of(RiskStatus::Flagged) }
    }
}

fn mean(scores: &[u64; 11]) -> f64 {
    let total: u64 = scores.iter().sum();
    let sum: u128 = (0_u128..).zip(scores).map(|(score, count)| score * u128::from(*count)).sum();
    if total == 0 { 0.0 } else { sum as f64 / total as f64 }
}

impl From<LogStats> for Stats {
    fn from(stats: LogStats) -> Self {
        let point = |point: &countersign_store::TrendPoint| TrendPoint {
            start: point.start,
            total: point.scores.iter().sum(),
            by_status: ByStatus::of(&point.scores),
            average_risk: mean(&point.scores),
        };
        Self {
            total: stats.scores.iter().sum(),
            by_status: ByStatus::of(&stats.scores),
            by_score: stats.scores,
            average_risk: mean(&stats.scores),
            trend: stats.trend.iter().map(point).collect(),
            as_of: stats.as_of,
            partial: stats.partial,
        }
    }
}

/// Get statistics of audit logs
///
/// Returns counts by status and by score, the average risk and, with `bucket`, their trend over time. The filters are those of
/// the list. Without `q`, all figures are exact and erased logs are counted. With `q`, erased logs are not counted, and the
/// figures are exact unless `partial` is set: then only the newest logs are counted.
#[utoipa::path(get, path = "/api/logs/stats", tag = "Answers", params(
    ("status" = Option<RiskStatus>, Query, description = "Only logs with this status"),
    ("min_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("max_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("q" = Option<String>, Query, description = "Words that must all occur in the query or the response"),
    ("from" = Option<Time>, Query, description = "Created at this time or later"),
    ("to" = Option<Time>, Query, description = "Created before this time"),
    ("bucket" = Option<String>, Query, description = "`minute`, `hour` or `day`: also return the trend, with one point for each"),
), responses((status = 200, description = "The statistics", body = Stats)))]
pub(super) async fn stats(State(app): State<App>, mut params: Params) -> Result<Json<Stats>> {
    let scores = scores(&mut params)?;
    let (from, to) = time_range(&mut params)?;
    let text = params.one("q")?;
    let bucket = params.one("bucket")?.map(|name| bucket(&name)).transpose()?;
    params.finish()?;
    // An empty range matches nothing, but the response still needs a position in the log.
    let (min_score, max_score) = scores.unwrap_or((1, 0));
    let time_budget = app.config.limits.search_budget;
    let query = StatsQuery { min_score, max_score, from, to, text, bucket, time_budget };
    let stats = app.store.log_stats(query).await?;
    if stats.trend.len() > TREND_POINTS_MAX {
        let detail =
            format!("bucket: gives more than {TREND_POINTS_MAX} points; use a wider bucket or a shorter time range");
        return Err(ApiError::bad_request(detail));
    }
    Ok(Json(stats.into()))
}

fn bucket(name: &str) -> Result<Bucket> {
    match name {
        "minute" => Ok(Bucket::Minute),
        "hour" => Ok(Bucket::Hour),
        "day" => Ok(Bucket::Day),
        _ => Err(ApiError::bad_request("bucket: must be minute, hour or day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_averaged_and_counted_by_status() {
        let mut scores = [0; 11];
        assert_eq!(mean(&scores), 0.0);
        scores[10] = 1;
        scores[0] = 2;
        scores[5] = 1;
        assert_eq!(mean(&scores), 3.75);
        let by = ByStatus::of(&scores);
        assert_eq!((by.safe, by.warning, by.flagged), (2, 1, 1));
    }
}
