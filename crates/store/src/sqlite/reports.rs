//! Reports: their contents (stored with their events and never changed), versions, verdicts and reviews.

use countersign_domain::{AlertId, InvestigationId, ReportId, Severity, StoredEvent, payload::ReportType};
use countersign_ledger::HashedText;
use rusqlite::{Connection, Row, params, params_from_iter, types::Value};
use serde_json::value::RawValue;

use super::{
    SqliteStore,
    reads::{self, before, corrupt, page_limit, time, time_if_any},
};
use crate::{
    error::Result,
    investigations::{LIST_MAX, ReportEntry, ReportQuery, Validation},
};

impl SqliteStore {
    pub(crate) async fn report(&self, id: &ReportId) -> Result<Option<ReportEntry>> {
        let id = id.clone();
        self.read(move |conn| find(conn, &id)).await
    }

    pub(crate) async fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        let id = id.clone();
        self.read(move |conn| content(conn, &id)).await
    }

    pub(crate) async fn reports(&self, query: ReportQuery) -> Result<Vec<ReportEntry>> {
        self.read(move |conn| page(conn, &query)).await
    }

    pub(crate) async fn report_versions(&self, id: &ReportId) -> Result<Vec<ReportEntry>> {
        let id = id.clone();
        self.read(move |conn| versions(conn, &id)).await
    }

    pub(crate) async fn current_report(&self, alert: &AlertId, report_type: ReportType) -> Result<Option<ReportEntry>> {
        let alert = alert.clone();
        self.read(move |conn| current(conn, &alert, report_type)).await
    }

    pub(crate) async fn reports_of(&self, investigation: InvestigationId) -> Result<Vec<ReportEntry>> {
        let id = investigation.to_string();
        self.read(move |conn| {
            let which = format!("e.investigation_id = ? AND {NOT_REPLACED}");
            let mut entries = select(conn, &which, [Value::Text(id)])?;
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.seq));
            Ok(entries)
        })
        .await
    }

    pub(crate) async fn validations(&self, report_id: &ReportId) -> Result<Vec<Validation>> {
        let id = report_id.clone();
        self.read(move |conn| validations(conn, &id)).await
    }

    pub(crate) async fn reviews_of(&self, investigation: InvestigationId) -> Result<Vec<StoredEvent>> {
        let id = investigation.to_string();
        self.read(move |conn| {
            reads::events_of(conn, REVIEWS_SQL, [Value::Text(id.clone()), Value::Text(id), page_limit(LIST_MAX)])
        })
        .await
    }
}

// Writing.

pub(super) const BODY_SQL: &str = "INSERT OR FAIL INTO report_bodies (seq, content) VALUES (?1, ?2)";

/// Stores the content of a report whose event was just appended.
pub(crate) fn store_content(conn: &Connection, seq: u64, content: &str) -> Result<()> {
    conn.prepare_cached(BODY_SQL)?.execute(params![seq, content])?;
    Ok(())
}

/// Removes the content of an event whose erasure is recorded.
pub(crate) fn forget(conn: &Connection, seq: u64) -> Result<()> {
    conn.prepare_cached("DELETE FROM report_bodies WHERE seq = ?1")?.execute([seq])?;
    Ok(())
}

// Reading.

const COLUMNS: &str = "SELECT e.seq, e.id, e.investigation_id, e.report_type, e.version, e.fraud_detection_id,
       e.transaction_id, e.severity, e.risk_score, e.content_hash, e.generated_at, e.regeneration_of, s.state,
       EXISTS (SELECT 1 FROM report_entries n WHERE n.investigation_id = e.investigation_id
               AND n.report_type = e.report_type AND n.version > e.version)
     FROM report_entries e LEFT JOIN report_states s ON s.seq = e.seq";

const VERSIONS: &str = "(e.investigation_id, e.report_type) =
     (SELECT o.investigation_id, o.report_type FROM report_entries o WHERE o.id = ?)";

const NOT_REPLACED: &str = "NOT EXISTS (SELECT 1 FROM report_entries n WHERE n.investigation_id = e.investigation_id
     AND n.report_type = e.report_type AND n.version > e.version)";

pub(super) fn content(conn: &Connection, id: &ReportId) -> Result<Option<(String, String)>> {
    with_content(conn, id, |text, hash| Ok((text.to_owned(), hash.to_owned())))
}

/// Reads a report's text and the hash in its event. `None` if there is no such report or it was erased.
pub(super) fn with_content<T>(
    conn: &Connection,
    id: &ReportId,
    read: impl FnOnce(&str, &str) -> Result<T>,
) -> Result<Option<T>> {
    let read = |row: &Row<'_>| {
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(corrupt);
        read(text(0)?, text(1)?)
    };
    with_stored(conn, id, read)
}

/// A report's text with the hash and the alert that its event names.
pub(super) struct StoredContent {
    pub(super) content: HashedText,
    pub(super) content_hash: String,
    pub(super) alert_id: AlertId,
}

/// `None` if there is no such report, if it was erased, or if it isn't about an alert.
pub(super) fn stored(conn: &Connection, id: &ReportId) -> Result<Option<StoredContent>> {
    let read = |row: &Row<'_>| {
        let Some(alert_id) = row.get::<_, Option<String>>(2)? else { return Ok(None) };
        Ok(Some(StoredContent {
            content: HashedText::new(row.get(0)?),
            content_hash: row.get(1)?,
            alert_id: alert_id.parse().map_err(corrupt)?,
        }))
    };
    with_stored(conn, id, read).map(Option::flatten)
}

/// Reads a row with a report's text, the hash in its event, and its alert. `None` if there is no such report or it was erased.
fn with_stored<T>(conn: &Connection, id: &ReportId, read: impl FnOnce(&Row<'_>) -> Result<T>) -> Result<Option<T>> {
    let sql = "SELECT b.content, e.content_hash, e.fraud_detection_id
               FROM report_entries e JOIN report_bodies b ON b.seq = e.seq WHERE e.id = ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query([id.as_str()])?;
    rows.next()?.map(read).transpose()
}

pub(super) fn current(conn: &Connection, alert: &AlertId, report_type: ReportType) -> Result<Option<ReportEntry>> {
    let id = InvestigationId::of_alert(alert).to_string();
    let values = [Value::Text(id), Value::Text(report_type.as_str().into())];
    let versions = select(conn, "e.investigation_id = ? AND e.report_type = ?", values)?;
    Ok(versions.into_iter().next())
}

pub(super) fn page(conn: &Connection, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
    let (sql, values) = page_sql(query);
    entries(conn, &sql, values)
}

pub(super) fn find(conn: &Connection, id: &ReportId) -> Result<Option<ReportEntry>> {
    Ok(select(conn, "e.id = ?", [Value::Text(id.clone().into())])?.pop())
}

pub(super) fn versions(conn: &Connection, id: &ReportId) -> Result<Vec<ReportEntry>> {
    select(conn, VERSIONS, [Value::Text(id.clone().into())])
}

/// Reads the reports that match a condition. They are sorted, so it must select few, such as all versions of one report.
fn select<const N: usize>(conn: &Connection, which: &str, values: [Value; N]) -> Result<Vec<ReportEntry>> {
    let sql = format!("{COLUMNS} WHERE {which} ORDER BY e.version DESC LIMIT {LIST_MAX}");
    entries(conn, &sql, values)
}

fn entries(conn: &Connection, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Vec<ReportEntry>> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(entry(row)?);
    }
    Ok(entries)
}

fn entry(row: &Row<'_>) -> Result<ReportEntry> {
    let text = |column: usize| row.get::<_, Option<String>>(column);
    let report_type = text(3)?.and_then(|name| ReportType::ALL.into_iter().find(|known| known.as_str() == name));
    Ok(ReportEntry {
        seq: row.get(0)?,
        id: row.get::<_, String>(1)?.try_into().map_err(corrupt)?,
        investigation_id: row.get_ref(2)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
        report_type: report_type.ok_or_else(|| corrupt("a report has an unknown type"))?,
        version: row.get(4)?,
        fraud_detection_id: text(5)?.map(TryInto::try_into).transpose().map_err(corrupt)?,
        transaction_id: text(6)?.map(TryInto::try_into).transpose().map_err(corrupt)?,
        severity: text(7)?.map(|severity| severity.parse()).transpose().map_err(corrupt)?,
        risk_score: row.get::<_, Option<u8>>(8)?.map(countersign_domain::Score::new).transpose().map_err(corrupt)?,
        content_hash: row.get(9)?,
        generated_at: time_if_any(row, 10)?,
        regeneration_of: text(11)?.map(TryInto::try_into).transpose().map_err(corrupt)?,
        state: text(12)?.map(|state| state.parse()).transpose().map_err(corrupt)?,
        is_current: !row.get::<_, bool>(13)?,
    })
}

/// A page, read in the order of an index: that of states, that of severities and types (with one `UNION ALL` arm for each pair),
/// or the primary key. One user's reports are few, so they are sorted.
fn page_sql(query: &ReportQuery) -> (String, Vec<Value>) {
    let text = |text: &str| Value::Text(text.to_owned());
    let until = before(query.before);
    let severity = query.severity.map(|severity| ("AND e.severity = ?", text(severity.in_capitals())));
    let report_type = query.report_type.map(|report_type| ("AND e.report_type = ?", text(report_type.as_str())));
    let state = query.status.map(|state| {
        let is_in_state = "AND EXISTS (SELECT 1 FROM report_states s WHERE s.seq = e.seq AND s.state = ?)";
        (is_in_state, text(state.as_str()))
    });
    let (keys, mut values) = if let Some(user) = &query.user_id {
        let (more, values): (Vec<_>, Vec<_>) = [severity, report_type, state].into_iter().flatten().unzip();
        let sql = format!(
            "SELECT e.seq AS seq FROM alerts a CROSS JOIN report_entries e ON e.fraud_detection_id = a.alert_id
             WHERE a.user_id = ? AND e.seq < ? {} AND {NOT_REPLACED}",
            more.join(" ")
        );
        (sql, [vec![text(user.as_str()), until], values].concat())
    } else if let Some(state) = query.status {
        let (more, values): (Vec<_>, Vec<_>) = [severity, report_type].into_iter().flatten().unzip();
        let sql = format!(
            "SELECT s.seq AS seq FROM report_states s CROSS JOIN report_entries e ON e.seq = s.seq
             WHERE s.state = ? AND s.seq < ? AND e.content_hash IS NOT NULL {} AND {NOT_REPLACED}",
            more.join(" ")
        );
        (sql, [vec![text(state.as_str()), until], values].concat())
    } else if query.severity.is_none() && query.report_type.is_none() {
        let sql = format!(
            "SELECT e.seq FROM report_entries e WHERE e.seq < ? AND +e.content_hash IS NOT NULL AND {NOT_REPLACED}"
        );
        (sql, vec![until])
    } else {
        let arm = format!(
            "SELECT e.seq FROM report_entries e WHERE e.severity = ? AND e.report_type = ? AND e.seq < ? AND {NOT_REPLACED}"
        );
        let severities = Severity::ALL.into_iter().filter(|severity| severity.is_investigated());
        let wanted = severities.filter(|severity| query.severity.is_none_or(|wanted| wanted == *severity));
        let types =
            || ReportType::ALL.into_iter().filter(|known| query.report_type.is_none_or(|wanted| wanted == *known));
        let pairs: Vec<_> = wanted.flat_map(|severity| types().map(move |known| (severity, known))).collect();
        if pairs.is_empty() {
            return ("SELECT 0 WHERE false".into(), Vec::new());
        }
        let values = pairs
            .iter()
            .flat_map(|(severity, known)| [text(severity.in_capitals()), text(known.as_str()), until.clone()])
            .collect();
        (vec![arm; pairs.len()].join(" UNION ALL "), values)
    };
    values.push(page_limit(query.limit));
    (
        format!("{COLUMNS} WHERE e.seq IN (SELECT seq FROM ({keys} ORDER BY seq DESC LIMIT ?)) ORDER BY e.seq DESC"),
        values,
    )
}

const VALIDATIONS_SQL: &str = "SELECT v.seq, v.id, v.report_id, v.passed, v.validation_score, v.validated_at,
       b.metadata -> '$.validation', v.issues, v.feedback, v.structured_feedback, b.payload -> '$.requires_regeneration'
     FROM report_validations v JOIN event_bodies b ON b.seq = v.seq
     WHERE v.report_id = ? ORDER BY v.validated_at DESC, v.seq DESC LIMIT ?";

/// Verdicts whose row could not be stored. Their events contain everything.
const VALIDATIONS_WITHOUT_ROW_SQL: &str = "SELECT l.seq, l.event_id, b.payload ->> '$.report_id',
       l.event_type = 'REPORT_APPROVED', b.payload ->> '$.validation_score',
       coalesce(b.payload ->> '$.approved_at', b.payload ->> '$.flagged_at'), b.metadata -> '$.validation',
       coalesce(b.metadata -> '$.validation.issues', b.payload -> '$.issues', '[]'),
       coalesce(b.metadata ->> '$.validation.feedback', b.payload ->> '$.feedback', b.payload ->> '$.validation_notes', ''),
       coalesce(b.metadata -> '$.validation.structured_feedback', '{}'), b.payload -> '$.requires_regeneration'
     FROM event_log l JOIN event_bodies b ON b.seq = l.seq
     WHERE l.correlation_id =
         (SELECT g.correlation_id FROM report_entries e CROSS JOIN event_log g ON g.seq = e.seq WHERE e.id = ?1)
       AND l.event_type IN ('REPORT_APPROVED', 'REPORT_NEEDS_REVIEW') AND b.payload ->> '$.report_id' = ?1
       AND NOT EXISTS (SELECT 1 FROM validation_entries v WHERE v.seq = l.seq)
     ORDER BY l.seq DESC LIMIT ?2";

fn validations(conn: &Connection, report_id: &ReportId) -> Result<Vec<Validation>> {
    let mut verdicts = Vec::new();
    for sql in [VALIDATIONS_SQL, VALIDATIONS_WITHOUT_ROW_SQL] {
        let mut statement = conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![report_id.as_str(), page_limit(LIST_MAX)])?;
        while let Some(row) = rows.next()? {
            verdicts.push(validation(row)?);
        }
    }
    verdicts.sort_by_key(|verdict| std::cmp::Reverse((verdict.validated_at, verdict.seq)));
    verdicts.truncate(LIST_MAX);
    Ok(verdicts)
}

/// Fields that an older event has in another form count as missing.
fn validation(row: &Row<'_>) -> Result<Validation> {
    let json = |at: usize, opens: char, otherwise: &str| -> Result<Box<RawValue>> {
        let text: String = row.get(at)?;
        let text = if text.starts_with(opens) { text } else { otherwise.to_owned() };
        Ok(RawValue::from_string(text)?)
    };
    let verdict = row.get::<_, Option<String>>(6)?.filter(|text| text.starts_with('{'));
    Ok(Validation {
        seq: row.get(0)?,
        id: row.get_ref(1)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
        report_id: row.get::<_, String>(2)?.try_into().map_err(corrupt)?,
        passed: row.get(3)?,
        validation_score: countersign_domain::Score::new(row.get(4)?).map_err(corrupt)?,
        validated_at: time(row, 5)?,
        verdict: verdict.map(RawValue::from_string).transpose()?,
        issues: json(7, '[', "[]")?,
        feedback: row.get(8)?,
        structured_feedback: json(9, '{', "{}")?,
        requires_regeneration: row.get::<_, Option<String>>(10)?.map(|text| text == "true"),
    })
}

/// Some decisions name their investigation, others only its report.
const REVIEWS_SQL: &str = "SELECT l.header, b.payload, b.metadata FROM event_log l
     LEFT JOIN event_bodies b ON b.seq = l.seq
     WHERE l.seq IN (
       SELECT seq FROM review_entries WHERE investigation_id = ?
       UNION ALL SELECT r.seq FROM report_entries e CROSS JOIN review_entries r ON r.report_id = e.id
       WHERE e.investigation_id = ? AND r.investigation_id IS NULL)
     ORDER BY l.seq DESC LIMIT ?";

#[cfg(test)]
mod tests {
    use countersign_domain::State;

    use super::*;
    use crate::sqlite::reads::tests::check_plan;

    #[test]
    fn a_page_of_reports_is_read_through_an_index() {
        let (severity, report_type) = (Some(Severity::High), Some(ReportType::Full));
        for (query, index) in [
            (ReportQuery::default(), "INTEGER PRIMARY KEY (rowid<?)"),
            (
                ReportQuery { severity, ..Default::default() },
                "report_entries_by_severity (severity=? AND report_type=? AND rowid<?)",
            ),
            (
                ReportQuery { report_type, ..Default::default() },
                "report_entries_by_severity (severity=? AND report_type=? AND rowid<?)",
            ),
            (
                ReportQuery { status: Some(State::InReview), severity, ..Default::default() },
                "report_states_by_state (state=? AND rowid<?)",
            ),
        ] {
            let (sql, values) = page_sql(&query);
            check_plan(&sql, values, &[index]);
        }
    }

    #[test]
    fn the_rows_of_one_report_are_read_through_indexes() {
        let text = || Value::Text("x".into());
        check_plan(
            REVIEWS_SQL,
            [text(), text(), page_limit(1)],
            &["review_entries_by_investigation (investigation_id=?)"],
        );
        check_plan(VALIDATIONS_SQL, [text(), page_limit(1)], &["validation_entries_by_report (report_id=?)"]);
        check_plan(
            VALIDATIONS_WITHOUT_ROW_SQL,
            [text(), page_limit(1)],
            &["event_log_by_correlation (correlation_id=?)", "v USING INTEGER PRIMARY KEY (rowid=?)"],
        );
        check_plan(
            &format!("{COLUMNS} WHERE {VERSIONS} ORDER BY e.version DESC"),
            [text()],
            &["report_entries_by_investigation (investigation_id=? AND report_type=?)"],
        );
        let view = "SELECT * FROM reports WHERE fraud_detection_id = ?";
        check_plan(view, [text()], &["report_entries_by_alert (fraud_detection_id=?)"]);
        let view = "SELECT * FROM report_validations WHERE report_id = ? ORDER BY validated_at DESC LIMIT 1";
        check_plan(view, [text()], &["validation_entries_by_report (report_id=?)"]);
    }
}
