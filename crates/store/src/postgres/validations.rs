//! The supervisor's verdicts on reports. What they say is in their events, from which it is taken here and not in SQL.

use std::cmp::Reverse;

use countersign_domain::{EventId, EventType, Header, ReportId, Score, Time};
use serde_json::value::RawValue;
use tokio_postgres::Row;

use super::{
    PostgresStore, json_fields,
    reads::score,
    session::Session,
    values::{Columns, corrupt, page_limit, values},
};
use crate::{
    error::Result,
    investigations::{LIST_MAX, LastVerdict, Validation},
};

impl PostgresStore {
    pub(crate) async fn validations(&self, report_id: &ReportId) -> Result<Vec<Validation>> {
        let id = report_id.clone();
        self.read(move |session| async move { validations(&session, &id).await }).await
    }

    pub(crate) async fn last_verdicts(&self, report_ids: Vec<ReportId>) -> Result<Vec<Option<LastVerdict>>> {
        self.read(move |session| async move { last_verdicts(&session, &report_ids).await }).await
    }
}

async fn validations(session: &Session, report_id: &ReportId) -> Result<Vec<Validation>> {
    let (mut verdicts, without_row) =
        tokio::try_join!(stored_verdicts(session, report_id), verdicts_without_row(session, report_id))?;
    verdicts.extend(without_row);
    verdicts.sort_by_key(|verdict| Reverse((verdict.validated_at, verdict.seq)));
    verdicts.truncate(LIST_MAX);
    Ok(verdicts)
}

const STORED_SQL: &str = "SELECT b.payload, b.metadata, v.seq, v.id, v.passed, v.validation_score, v.validated_at
     FROM countersign.validation_entries v JOIN countersign.event_bodies b ON b.seq = v.seq
     WHERE v.report_id = $1 ORDER BY v.validated_at DESC, v.seq DESC LIMIT $2";

async fn stored_verdicts(session: &Session, report_id: &ReportId) -> Result<Vec<Validation>> {
    let read = |row: &Row| {
        let verdict = StoredVerdict {
            seq: row.number(2)?,
            id: row.parsed(3)?,
            passed: row.column::<i64>(4)? != 0,
            validation_score: score(row, 5)?,
            validated_at: row.time(6)?,
        };
        validation(verdict, report_id, row.text(0)?, row.text(1)?)
    };
    session.rows(STORED_SQL, values![report_id.as_str(), page_limit(LIST_MAX)]).await?.iter().map(read).collect()
}

/// All verdicts about the report's investigation whose row could not be stored.
const WITHOUT_ROW_SQL: &str = "SELECT b.payload, b.metadata, l.header FROM countersign.event_log l
     JOIN countersign.event_bodies b ON b.seq = l.seq
     WHERE l.correlation_id = (
         SELECT g.correlation_id FROM countersign.report_entries e JOIN countersign.event_log g ON g.seq = e.seq
         WHERE e.id = $1)
       AND l.event_type || '' IN ('REPORT_APPROVED', 'REPORT_NEEDS_REVIEW')
       AND NOT EXISTS (SELECT 1 FROM countersign.validation_entries v WHERE v.seq = l.seq)
     ORDER BY l.seq DESC";

async fn verdicts_without_row(session: &Session, report_id: &ReportId) -> Result<Vec<Validation>> {
    let mut verdicts = Vec::new();
    for row in session.rows(WITHOUT_ROW_SQL, values![report_id.as_str()]).await? {
        let (payload, metadata) = (row.text(0)?, row.text(1)?);
        if json_fields::text(payload, &["report_id"])?.as_deref() == Some(report_id.as_str()) {
            let verdict = StoredVerdict::of_event(&serde_json::from_str(row.text(2)?)?, payload)?;
            verdicts.push(validation(verdict, report_id, payload, metadata)?);
        }
    }
    verdicts.truncate(LIST_MAX);
    Ok(verdicts)
}

/// The columns of a verdict's row.
struct StoredVerdict {
    seq: u64,
    id: EventId,
    passed: bool,
    validation_score: Score,
    validated_at: Time,
}

impl StoredVerdict {
    /// The row that the event of a verdict would have.
    fn of_event(header: &Header<'_>, payload: &str) -> Result<Self> {
        let text = |name| json_fields::text(payload, &[name]);
        let validation_score: u8 = text("validation_score")?.unwrap_or_default().parse().map_err(corrupt)?;
        let validated_at = text("approved_at")?.map_or_else(|| text("flagged_at"), |at| Ok(Some(at)))?;
        Ok(Self {
            seq: header.seq,
            id: header.event_id,
            passed: header.event_type == EventType::ReportApproved.as_str(),
            validation_score: Score::new(validation_score).map_err(corrupt)?,
            validated_at: validated_at.unwrap_or_default().parse().map_err(corrupt)?,
        })
    }
}

/// Fields that an older event has in another form count as missing.
fn validation(verdict: StoredVerdict, report_id: &ReportId, payload: &str, metadata: &str) -> Result<Validation> {
    let noted = |name| json_fields::field(metadata, &["validation", name]);
    let raw = |json: Option<&str>, opens: char, otherwise: &str| {
        let json = json.filter(|json| json.starts_with(opens)).unwrap_or(otherwise);
        RawValue::from_string(json.to_owned())
    };
    let whole = json_fields::field(metadata, &["validation"])?.filter(|json| json.starts_with('{'));
    let StoredVerdict { seq, id, passed, validation_score, validated_at } = verdict;
    Ok(Validation {
        seq,
        id,
        report_id: report_id.clone(),
        passed,
        validation_score,
        validated_at,
        verdict: whole.map(|json| RawValue::from_string(json.to_owned())).transpose()?,
        issues: raw(issues(payload, metadata)?, '[', "[]")?,
        feedback: feedback(payload, metadata)?,
        structured_feedback: raw(noted("structured_feedback")?, '{', "{}")?,
        requires_regeneration: json_fields::field(payload, &["requires_regeneration"])?.map(|json| json == "true"),
    })
}

/// The issues as JSON. The metadata of older events doesn't have them.
fn issues<'a>(payload: &'a str, metadata: &'a str) -> Result<Option<&'a str>> {
    match json_fields::field(metadata, &["validation", "issues"])? {
        Some(issues) => Ok(Some(issues)),
        None => json_fields::field(payload, &["issues"]),
    }
}

fn feedback(payload: &str, metadata: &str) -> Result<String> {
    let places =
        [(metadata, &["validation", "feedback"][..]), (payload, &["feedback"]), (payload, &["validation_notes"])];
    for (json, path) in places {
        if let Some(feedback) = json_fields::text(json, path)? {
            return Ok(feedback);
        }
    }
    Ok(String::new())
}

const LAST_SQL: &str = "SELECT v.payload, v.metadata, v.passed, v.validation_score, v.validated_at, r.place
     FROM unnest($1) WITH ORDINALITY AS r(id, place)
     CROSS JOIN LATERAL (
       SELECT v.passed, v.validation_score, v.validated_at, b.payload, b.metadata
       FROM countersign.validation_entries v
       CROSS JOIN LATERAL (SELECT payload, metadata FROM countersign.event_bodies WHERE seq = v.seq LIMIT 1) b
       WHERE v.report_id = r.id ORDER BY v.validated_at DESC, v.seq DESC LIMIT 1) v";

async fn last_verdicts(session: &Session, report_ids: &[ReportId]) -> Result<Vec<Option<LastVerdict>>> {
    let ids: Vec<&str> = report_ids.iter().map(ReportId::as_str).collect();
    let mut verdicts = vec![None; ids.len()];
    for row in session.rows(LAST_SQL, values![ids]).await? {
        let place = usize::try_from(row.number(5)?).map_err(corrupt)?;
        if let Some(verdict) = place.checked_sub(1).and_then(|index| verdicts.get_mut(index)) {
            *verdict = Some(LastVerdict {
                passed: row.column::<i64>(2)? != 0,
                validation_score: score(&row, 3)?,
                validated_at: row.time(4)?,
                issues: count(issues(row.text(0)?, row.text(1)?)?)?,
            });
        }
    }
    Ok(verdicts)
}

/// The length of a list. Anything else counts as empty.
fn count(json: Option<&str>) -> Result<u64> {
    let Some(list) = json.filter(|json| json.starts_with('[')) else { return Ok(0) };
    let list: Vec<&RawValue> = serde_json::from_str(list)?;
    u64::try_from(list.len()).map_err(corrupt)
}
