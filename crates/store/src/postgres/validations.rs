//! The supervisor's verdicts on reports. What they say is in their events, from which it is taken here and not in SQL.

use std::cmp::Reverse;

use countersign_domain::{Header, ReportId, Score, Time};
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
    let (with_row, without_row) =
        tokio::try_join!(stored_verdicts(session, report_id), verdicts_without_row(session, report_id))?;
    let mut verdicts = [with_row, without_row].concat();
    verdicts.sort_by_key(|verdict| Reverse((verdict.validated_at, verdict.seq)));
    verdicts.truncate(LIST_MAX);
    Ok(verdicts)
}

async fn stored_verdicts(session: &Session, report_id: &ReportId) -> Result<Vec<Validation>> {
    let sql = "SELECT b.payload, b.metadata, v.seq, v.id, v.passed, v.validation_score, v.validated_at
               FROM countersign.validation_entries v JOIN countersign.event_bodies b ON b.seq = v.seq
               WHERE v.report_id = $1 ORDER BY v.validated_at DESC, v.seq DESC LIMIT $2";
    let rows = session.rows(sql, values![report_id.as_str(), page_limit(LIST_MAX)]).await?;
    let read = |row: &Row| {
        let verdict = VerdictBody::of(row)?;
        Ok(Validation {
            id: row.parsed(3)?,
            passed: row.column::<i64>(4)? != 0,
            validation_score: score(row, 5)?,
            validated_at: row.time(6)?,
            ..verdict.validation(row.number(2)?, report_id)?
        })
    };
    rows.iter().map(read).collect()
}
