//! Audit logs: the list with its filters, one log, and what they add up to.

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

/// Points of a trend in one answer.
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
    /// Its place in the event log: what an inclusion proof is asked for with.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
}

/// The parts of a stored payload that are shown, as they stand there.
#[derive(Deserialize)]
struct Stored<'a> {
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
pub(crate) fn shown(payload: &RawValue, place: Option<(u64, String)>) -> serde_json::Result<Box<RawValue>> {
    let stored: Stored<'_> = serde_json::from_str(payload.get())?;
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

fn shown_entry(entry: &LogEntry) -> Result<Box<RawValue>> {
    Ok(shown(&entry.payload, Some((entry.seq, entry.event_id.to_string())))?)
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct LogList {
    #[schema(value_type = Vec<Log>)]
    items: Vec<Box<RawValue>>,
    /// Pass it as `after` to go on; `null` at the current end.
    next: Option<String>,
    /// The search ran out of time: there may be more, from `next` on.
    partial: bool,
}

/// List audit logs, newest first
///
/// All filters can be combined. `q` finds logs whose query and response hold all its words; a search that runs out of its
/// time says so with `partial`, and goes on from `next`.
#[utoipa::path(get, path = "/api/logs", tag = "Answers", params(
    PageParams,
    ("status" = Option<RiskStatus>, Query, description = "Only logs of this status"),
    ("min_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("max_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("q" = Option<String>, Query, description = "Words that query or response hold, all of them"),
    ("from" = Option<Time>, Query, description = "Created at this time or later"),
    ("to" = Option<Time>, Query, description = "Created before this time"),
), responses((status = 200, description = "A page of logs", body = LogList)))]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<LogList>> {
    let page = params.page()?;
    let scores = scores(&mut params)?;
    let (from, to) = span(&mut params)?;
    let text = params.one("q")?;
    let before = page.after::<Place>()?.map(|place| place.0);
    params.finish()?;
    let Some((min_score, max_score)) = scores else {
        return Ok(Json(LogList { items: Vec::new(), next: None, partial: false }));
    };
    let time_budget = app.config.limits.search_budget;
    let query = LogQuery { min_score, max_score, from, to, before, text, limit: page.limit, time_budget };
    let found = app.store.logs(query).await?;
    let items = found.items.iter().map(shown_entry).collect::<Result<_>>()?;
    let next = found.next.map(|cursor| encode(&format!("{}.{}", cursor.created_at.micros(), cursor.seq)));
    Ok(Json(LogList { items, next, partial: found.partial }))
}

/// A status is a range of scores; `None` if nothing can be in all that was asked for.
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

fn span(params: &mut Params) -> Result<(Option<Time>, Option<Time>)> {
    let what = "an RFC 3339 time such as 2026-03-01T09:30:00Z";
    Ok((params.parsed("from", what)?, params.parsed("to", what)?))
}

/// What a cursor of this list holds.
struct Place(LogCursor);

impl std::str::FromStr for Place {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let (micros, seq) = text.split_once('.').ok_or(())?;
        let created_at = Time::from_micros(micros.parse().map_err(|_| ())?).map_err(|_| ())?;
        let seq = seq.parse::<i64>().ok().and_then(|seq| u64::try_from(seq).ok()).ok_or(())?;
        Ok(Self(LogCursor { created_at, seq }))
    }
}

/// `Pending` until the audit is there; the others where there is no answer. Neither is the status of a finished audit, so
/// the status tells which of the two a log is.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "written as text; this says in the API's document what the text may be")]
pub(super) enum OpenStatus {
    Pending,
    Failed,
    Refused,
    Cancelled,
    Interrupted,
}

/// An answer whose audit is not finished, or that failed.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct OpenLog {
    id: String,
    #[schema(value_type = OpenStatus)]
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    /// What the caller got, as far as it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    created_at: Time,
}

/// What there can be under a log's id: the log, or an answer without a finished audit, which has no `audit`.
#[derive(utoipa::ToSchema)]
#[schema(as = AnyLog)]
#[serde(untagged)]
#[expect(dead_code, reason = "both are written as they come; this says so in the API's document")]
pub(super) enum AnyLog {
    Audited(Log<'static>),
    Open(OpenLog),
}

/// One audit log
///
/// While its audit is still to come, its `status` is `Pending`; an answer that never came to be says how it ended.
#[utoipa::path(get, path = "/api/logs/{id}", tag = "Answers",
    params(("id" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The log, or what there is of it so far", body = AnyLog),
        (status = 404, description = "There is none of this id", body = super::ErrorBody),
        (status = 410, description = "Its content has been erased", body = super::ErrorBody),
    ),
)]
pub(super) async fn one(State(app): State<App>, params: Params, Segment(id): Segment) -> Result<Response> {
    params.finish()?;
    let id: LogId = id.parse().map_err(|_| ApiError::bad_request("id: is not a UUID"))?;
    match app.store.log(&id.to_string()).await? {
        Some(FoundLog::Audited(entry)) => Ok(Json(shown_entry(&entry)?).into_response()),
        Some(FoundLog::Open { event, .. }) => Ok(Json(open(id, &event)).into_response()),
        Some(FoundLog::Erased) => Err(ApiError::Gone("the content of this log has been erased")),
        None => Err(ApiError::not_found("there is no log of this id")),
    }
}

fn open(id: LogId, event: &StoredEvent) -> OpenLog {
    let mut log = OpenLog {
        id: id.to_string(),
        status: PENDING,
        query: None,
        response: None,
        detail: None,
        created_at: event.occurred_at,
    };
    match event.event() {
        Ok(Event::AnswerRequested(asked)) => log.query = Some(asked.query),
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
        // Erased: that it was there is all that is left.
        _ => {}
    }
    log
}

/// What logs add up to.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Stats {
    total: u64,
    by_status: ByStatus,
    /// How many logs there are of each score, from 0 to 10.
    by_score: [u64; 11],
    /// The mean of all risk scores that are counted; 0 without any.
    average_risk: f64,
    /// Oldest first, without the times at which there was nothing. Empty unless a bucket is asked for.
    trend: Vec<TrendPoint>,
    /// How far the log was read: logs whose `seq` is lower are counted, those from it on are not. Whoever follows the log
    /// live adds the latter.
    as_of: u64,
    /// The search ran out of time: only the newest are counted.
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

/// What audit logs add up to
///
/// Counts by status and score, the average risk, and with `bucket` how they went over time, of all logs that the filters
/// let through; they are those of the list. Without `q` all figures are exact, and erased logs count. With `q` they are
/// exact unless `partial` says that the time ran out: then the newest logs alone are counted. A search does not find erased
/// logs.
#[utoipa::path(get, path = "/api/logs/stats", tag = "Answers", params(
    ("status" = Option<RiskStatus>, Query, description = "Only logs of this status"),
    ("min_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("max_score" = Option<u8>, Query, minimum = 0, maximum = 10),
    ("q" = Option<String>, Query, description = "Words that query or response hold, all of them"),
    ("from" = Option<Time>, Query, description = "Created at this time or later"),
    ("to" = Option<Time>, Query, description = "Created before this time"),
    ("bucket" = Option<String>, Query, description = "`minute`, `hour` or `day`: asks for the trend"),
), responses((status = 200, description = "The sums", body = Stats)))]
pub(super) async fn stats(State(app): State<App>, mut params: Params) -> Result<Json<Stats>> {
    let scores = scores(&mut params)?;
    let (from, to) = span(&mut params)?;
    let text = params.one("q")?;
    let bucket = params.one("bucket")?.map(|name| bucket(&name)).transpose()?;
    params.finish()?;
    // Nothing lies in an empty range either, but it has a position in the log.
    let (min_score, max_score) = scores.unwrap_or((1, 0));
    let time_budget = app.config.limits.search_budget;
    let query = StatsQuery { min_score, max_score, from, to, text, bucket, time_budget };
    let stats = app.store.log_stats(query).await?;
    if stats.trend.len() > TREND_POINTS_MAX {
        let detail =
            format!("bucket: gives more than {TREND_POINTS_MAX} points; ask for a wider one or a shorter time");
        return Err(ApiError::bad_request(detail));
    }
    Ok(Json(stats.into()))
}

fn bucket(name: &str) -> Result<Bucket> {
    match name {
        "minute" => Ok(Bucket::Minute),
        "hour" => Ok(Bucket::Hour),
        "day" => Ok(Bucket::Day),
        _ => Err(ApiError::bad_request("bucket: is not minute, hour or day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_the_mean() {
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
