//! What a reviewer looks at: who asked for a report, what was said about it last, since when its case waits, and what
//! others have decided.

use countersign_domain::{
    InvestigationId, State, StoredEvent, Time,
    investigation::{Case, change_of},
};
use rusqlite::{Connection, params};

use super::{
    Store, cases,
    reads::{self, EventQuery, before, corrupt, page_limit, time},
};
use crate::{
    error::Result,
    investigations::{LIST_MAX, LastVerdict},
};

impl Store {
    /// Those who asked for this report or for an earlier version of it.
    pub async fn report_authors(&self, id: &str) -> Result<Vec<String>> {
        let id = id.to_owned();
        self.read(move |conn| {
            let mut statement = conn.prepare_cached(AUTHORS_SQL)?;
            let authors = statement.query_map([id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(authors)
        })
        .await
    }

    /// The newest verdict on each report, in the order in which they are asked for.
    pub async fn last_verdicts(&self, report_ids: Vec<String>) -> Result<Vec<Option<LastVerdict>>> {
        self.read(move |conn| report_ids.iter().map(|id| last_verdict(conn, id)).collect()).await
    }

    /// Since when each of these investigations waits for a person, in the order in which they are asked for. `None` for
    /// one that does not wait.
    pub async fn waiting_since(&self, ids: Vec<InvestigationId>) -> Result<Vec<Option<Time>>> {
        self.read(move |conn| ids.iter().map(|id| waiting_since(conn, *id)).collect()).await
    }

    /// A page of decisions, newest first. Erased ones are left out.
    pub async fn decided_reviews(&self, before_seq: Option<u64>, limit: usize) -> Result<Vec<StoredEvent>> {
        self.read(move |conn| reads::events_of(conn, DECIDED_SQL, [before(before_seq), page_limit(limit)])).await
    }
}

/// A report may replace one of another type, and whoever asked for that one asked for this one too.
const AUTHORS_SQL: &str = "WITH RECURSIVE replaced(id) AS (
       SELECT ?1 UNION SELECT r.regeneration_of FROM replaced CROSS JOIN report_entries r ON r.id = replaced.id
       WHERE r.regeneration_of IS NOT NULL)
     SELECT DISTINCT b.payload ->> '$.requested_by' AS author FROM replaced CROSS JOIN report_entries o ON o.id = replaced.id
     CROSS JOIN report_entries e ON e.investigation_id = o.investigation_id AND e.report_type = o.report_type
       AND e.version <= o.version
     CROSS JOIN event_bodies b ON b.seq = e.seq
     WHERE author IS NOT NULL ORDER BY author";

const DECIDED_SQL: &str = "SELECT l.header, b.payload, b.metadata FROM review_entries r
     CROSS JOIN event_log l ON l.seq = r.seq JOIN event_bodies b ON b.seq = r.seq
     WHERE r.seq < ? ORDER BY r.seq DESC LIMIT ?";

const LAST_VERDICT_SQL: &str = "SELECT v.passed, v.validation_score, v.validated_at,
       json_array_length(coalesce(b.metadata -> '$.validation.issues', b.payload -> '$.issues', '[]'))
     FROM validation_entries v JOIN event_bodies b ON b.seq = v.seq
     WHERE v.report_id = ?1 ORDER BY v.validated_at DESC, v.seq DESC LIMIT 1";

fn last_verdict(conn: &Connection, report_id: &str) -> Result<Option<LastVerdict>> {
    let mut statement = conn.prepare_cached(LAST_VERDICT_SQL)?;
    let mut rows = statement.query(params![report_id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(LastVerdict {
        passed: row.get(0)?,
        validation_score: countersign_domain::Score::new(row.get(1)?).map_err(corrupt)?,
        validated_at: time(row, 2)?,
        issues: row.get::<_, Option<u64>>(3)?.unwrap_or(0),
    }))
}

/// Goes through the case again: which of its events made it wait stands nowhere else.
fn waiting_since(conn: &Connection, id: InvestigationId) -> Result<Option<Time>> {
    if cases::find(conn, id)?.is_none_or(|state| state.case.state != State::InReview) {
        return Ok(None);
    }
    let types = cases::TYPES.iter().map(|event_type| event_type.as_str().to_owned()).collect();
    let query = EventQuery { from_seq: 0, types, correlation_id: Some(id.into()), limit: LIST_MAX };
    let (mut case, mut since, mut last) = (Case::default(), None, None);
    for stored in reads::events(conn, &query)? {
        last = Some(stored.recorded_at);
        let Ok(event) = stored.event() else { continue };
        let Some((_, change)) = change_of(&event) else { continue };
        // What the state forbids was never appended.
        let Ok(next) = case.clone().after(&change) else { continue };
        since = match next.state {
            State::InReview => since.or(last),
            _ => None,
        };
        case = next;
    }
    // Where an erasure took what made it wait, the newest event about it is the best that is known.
    Ok(since.or(last))
}

#[cfg(test)]
mod tests {
    use rusqlite::types::Value;

    use super::*;
    use crate::sqlite::reads::tests::check_plan;

    #[test]
    fn what_a_reviewer_looks_at_is_read_through_indexes() {
        let text = || Value::Text("x".into());
        check_plan(
            AUTHORS_SQL,
            [text()],
            &["report_entries_by_id (id=?)", "report_entries_by_investigation (investigation_id=? AND report_type=?"],
        );
        check_plan(LAST_VERDICT_SQL, [text()], &["validation_entries_by_report (report_id=?)"]);
        check_plan(
            DECIDED_SQL,
            [Value::Integer(9), Value::Integer(5)],
            &["SEARCH r USING INTEGER PRIMARY KEY (rowid<?)"],
        );
    }
}
