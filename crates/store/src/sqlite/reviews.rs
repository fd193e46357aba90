//! What a reviewer needs: what is waiting and since when, who requested a report, its last verdict, and earlier decisions.

use std::collections::BTreeSet;

use countersign_domain::{InvestigationId, ReportId, Severity, StoredEvent, Time};
use rusqlite::{Connection, params_from_iter, types::Value};

use super::{
    SqliteStore, alert_lists,
    reads::{self, before, corrupt, page_limit, time},
};
use crate::{
    derive::{self, cases::EVENT_TYPES},
    error::Result,
    events::EventQuery,
    investigations::{LIST_MAX, LastVerdict, OpenReview},
};

impl SqliteStore {
    pub(crate) async fn report_authors(&self, id: &ReportId) -> Result<Vec<String>> {
        let id = id.clone();
        self.read(move |conn| authors(conn, AUTHORS_SQL, id.as_str())).await
    }

    pub(crate) async fn case_authors(&self, id: InvestigationId) -> Result<Vec<String>> {
        self.read(move |conn| authors(conn, CASE_AUTHORS_SQL, &id.to_string())).await
    }

    pub(crate) async fn last_verdicts(&self, report_ids: Vec<ReportId>) -> Result<Vec<Option<LastVerdict>>> {
        self.read(move |conn| report_ids.iter().map(|id| last_verdict(conn, id)).collect()).await
    }

    pub(crate) async fn open_reviews(&self, before_seq: Option<u64>, limit: usize) -> Result<Vec<OpenReview>> {
        self.read(move |conn| open_reviews(conn, before_seq, limit)).await
    }

    pub(crate) async fn decided_reviews(&self, before_seq: Option<u64>, limit: usize) -> Result<Vec<StoredEvent>> {
        self.read(move |conn| reads::events_of(conn, DECIDED_SQL, [before(before_seq), page_limit(limit)])).await
    }
}

/// A report may replace one of another type, whose authors are its authors too. The API records who posted an alert in the metadata
/// of its event.
macro_rules! authors_sql {
    (of: $reports:literal, in: $case:literal $(, and: $more:literal)?) => {
        concat!(
            "WITH RECURSIVE replaced(id) AS (",
            $reports,
            " UNION SELECT r.regeneration_of FROM replaced CROSS JOIN report_entries r ON r.id = replaced.id
               WHERE r.regeneration_of IS NOT NULL)
             SELECT b.payload ->> '$.requested_by' AS author FROM replaced CROSS JOIN report_entries o ON o.id = replaced.id
             CROSS JOIN report_entries e ON e.investigation_id = o.investigation_id AND e.report_type = o.report_type
               AND e.version <= o.version
             CROSS JOIN event_bodies b ON b.seq = e.seq
             WHERE author IS NOT NULL
             UNION ALL SELECT b.payload ->> '$.requested_by' AS author
             FROM replaced CROSS JOIN report_entries o ON o.id = replaced.id
             CROSS JOIN event_log l ON l.correlation_id = o.investigation_id AND l.event_type = 'REPORT_REQUESTED'
             CROSS JOIN event_bodies b ON b.seq = l.seq
             WHERE author IS NOT NULL AND b.payload ->> '$.report_type' = o.report_type
             UNION ALL SELECT b.metadata ->> '$.posted_by' AS author FROM case_states c
             CROSS JOIN event_bodies b ON b.seq = c.alert_seq
             WHERE author IS NOT NULL AND c.investigation_id = ",
            $case
            $(, $more)?
        )
    };
}

const AUTHORS_SQL: &str =
    authors_sql!(of: "SELECT ?1", in: "(SELECT investigation_id FROM report_entries WHERE id = ?1)");
const CASE_AUTHORS_SQL: &str = authors_sql!(
    of: "SELECT e.id FROM report_entries e CROSS JOIN report_states s ON s.seq = e.seq
         WHERE e.investigation_id = ?1 AND s.state = 'in_review'",
    in: "?1",
    and: " UNION ALL SELECT b.payload ->> '$.requested_by' AS author FROM event_log l
         CROSS JOIN event_bodies b ON b.seq = l.seq
         WHERE l.correlation_id = ?1 AND l.event_type = 'REPORT_REQUESTED' AND author IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM event_log a WHERE a.correlation_id = ?1 AND a.header ->> '$.causation_id' = l.event_id
             AND a.event_type IN ('REPORT_GENERATED', 'REPORT_SKIPPED', 'REPORT_FAILED'))"
);

fn authors(conn: &Connection, sql: &str, id: &str) -> Result<Vec<String>> {
    let mut statement = conn.prepare_cached(sql)?;
    let authors = statement.query_map([id], |row| row.get(0))?.collect::<rusqlite::Result<BTreeSet<_>>>()?;
    Ok(authors.into_iter().collect())
}

const DECIDED_SQL: &str = "SELECT l.header, b.payload, b.metadata FROM review_entries r
     CROSS JOIN event_log l ON l.seq = r.seq JOIN event_bodies b ON b.seq = r.seq
     WHERE r.seq < ? ORDER BY r.seq DESC LIMIT ?";

const LAST_VERDICT_SQL: &str = "SELECT v.passed, v.validation_score, v.validated_at,
       json_array_length(coalesce(b.metadata -> '$.validation.issues', b.payload -> '$.issues', '[]'))
     FROM validation_entries v JOIN event_bodies b ON b.seq = v.seq
     WHERE v.report_id = ?1 ORDER BY v.validated_at DESC, v.seq DESC LIMIT 1";

fn last_verdict(conn: &Connection, report_id: &ReportId) -> Result<Option<LastVerdict>> {
    let mut statement = conn.prepare_cached(LAST_VERDICT_SQL)?;
    let mut rows = statement.query([report_id.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(LastVerdict {
        passed: row.get(0)?,
        validation_score: countersign_domain::Score::new(row.get(1)?).map_err(corrupt)?,
        validated_at: time(row, 2)?,
        issues: row.get::<_, Option<u64>>(3)?.unwrap_or(0),
    }))
}

/// Reads reports in review through the index of their states, and cases without a report through the index of theirs, with one
/// `UNION ALL` arm per severity.
fn open_reviews_sql(before_seq: Option<u64>, limit: usize) -> (String, Vec<Value>) {
    const REPORTS: &str = "SELECT s.seq AS seq, e.investigation_id AS case_id, e.id AS report_id
         FROM report_states s CROSS JOIN report_entries e ON e.seq = s.seq
         CROSS JOIN investigations i ON i.investigation_id = e.investigation_id
         WHERE s.state = 'in_review' AND s.seq < ? AND i.user_id IS NOT NULL";
    const WITHOUT_REPORT: &str = "SELECT c.opened_seq AS seq, c.investigation_id AS case_id, NULL AS report_id
         FROM case_states c CROSS JOIN investigations i ON i.seq = c.opened_seq
         WHERE c.state = 'in_review' AND c.severity = ? AND c.opened_seq < ? AND c.report_id IS NULL
           AND i.user_id IS NOT NULL";
    let until = before(before_seq);
    let arms = [REPORTS, &[WITHOUT_REPORT; Severity::ALL.len()].join(" UNION ALL ")].join(" UNION ALL ");
    let severities = Severity::ALL.into_iter();
    let values = severities.flat_map(|severity| [Value::Text(severity.as_str().to_owned()), until.clone()]);
    let values = std::iter::once(until.clone()).chain(values).chain([page_limit(limit)]).collect();
    (format!("{arms} ORDER BY seq DESC LIMIT ?"), values)
}

fn open_reviews(conn: &Connection, before_seq: Option<u64>, limit: usize) -> Result<Vec<OpenReview>> {
    let (sql, values) = open_reviews_sql(before_seq, limit);
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut reviews = Vec::new();
    while let Some(row) = rows.next()? {
        let report_id: Option<String> = row.get(2)?;
        let report_id: Option<ReportId> = report_id.map(TryInto::try_into).transpose().map_err(corrupt)?;
        let Some(investigation) = alert_lists::investigation(conn, row.get_ref(1)?.as_str().map_err(corrupt)?)? else {
            continue;
        };
        let waiting_since = waiting_since(conn, investigation.case.investigation_id, report_id.as_ref())?;
        let waiting_since = waiting_since.unwrap_or(investigation.event.recorded_at);
        reviews.push(OpenReview { seq: row.get(0)?, investigation, report_id, waiting_since });
    }
    Ok(reviews)
}

fn waiting_since(conn: &Connection, id: InvestigationId, report_id: Option<&ReportId>) -> Result<Option<Time>> {
    let types = EVENT_TYPES.to_vec();
    let query = EventQuery { from_seq: 0, types, correlation_id: Some(id.into()), limit: LIST_MAX };
    Ok(derive::reviews::waiting_since(&reads::events(conn, &query)?, report_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::reads::tests::check_plan;

    #[test]
    fn what_a_reviewer_looks_at_is_read_through_indexes() {
        let text = || Value::Text("x".into());
        check_plan(
            AUTHORS_SQL,
            [text()],
            &[
                "report_entries_by_id (id=?)",
                "report_entries_by_investigation (investigation_id=? AND report_type=?",
                "event_log_by_correlation (correlation_id=?)",
            ],
        );
        check_plan(
            CASE_AUTHORS_SQL,
            [text()],
            &["report_entries_by_investigation (investigation_id=?)", "report_entries_by_id (id=?)"],
        );
        let (sql, values) = open_reviews_sql(Some(9), 5);
        check_plan(
            &sql,
            values,
            &[
                "report_states_by_state (state=? AND rowid<?)",
                "case_states_by_state (state=? AND severity=? AND opened_seq<?)",
            ],
        );
        check_plan(LAST_VERDICT_SQL, [text()], &["validation_entries_by_report (report_id=?)"]);
        check_plan(
            DECIDED_SQL,
            [Value::Integer(9), Value::Integer(5)],
            &["SEARCH r USING INTEGER PRIMARY KEY (rowid<?)"],
        );
    }
}
