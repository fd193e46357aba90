//! Statements for single questions.

use countersign_domain::InvestigationId;
use tokio_postgres::Row;

use crate::{
    derive::{cases::COLUMNS, column::ColumnValue, event_row::EventTable},
    error::Result,
    postgres::{
        session::Session,
        values::{Columns, number, values},
    },
    verify::records::{CaseRow, RankRow, ReportRow, ReportStateRow, TypedPayload},
};

const REPORTS_SQL: &str = "SELECT id, seq, investigation_id, severity IS NOT NULL AND risk_score IS NOT NULL
     FROM countersign.report_entries WHERE id = ANY ($1)";

/// Reports by their ids.
pub(super) async fn reports(session: &Session, ids: &[String]) -> Result<Vec<(String, ReportRow)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let read = |row: &Row| {
        let report = ReportRow { seq: row.column(1)?, investigation_id: row.column(2)?, is_rated: row.column(3)? };
        Ok((row.column(0)?, report))
    };
    session.rows(REPORTS_SQL, values![ids.to_vec()]).await?.iter().map(read).collect()
}

const CASES_SQL: &str =
    "SELECT c.investigation_id, c.seq, c.state, c.alert_state, c.severity, c.assigned_to, c.report_id,
       c.alert_seq, c.opened_seq, c.report_seq, c.assigned_seq, r.seqs, r.ids, r.states
     FROM countersign.case_states c
     LEFT JOIN LATERAL (
       SELECT array_agg(e.seq ORDER BY e.seq) AS seqs, array_agg(e.id ORDER BY e.seq) AS ids,
         array_agg(s.state ORDER BY e.seq) AS states
       FROM countersign.report_entries e JOIN countersign.report_states s ON s.seq = e.seq
       WHERE e.investigation_id = c.investigation_id) r ON true
     WHERE c.investigation_id = ANY ($1 || ARRAY(
       SELECT o.investigation_id FROM countersign.report_entries o WHERE o.id = ANY ($2)))";

/// The cases with these ids, and those that these reports belong to.
pub(super) async fn cases(
    session: &Session,
    ids: &[String],
    reports: &[String],
) -> Result<Vec<(InvestigationId, CaseRow)>> {
    if ids.is_empty() && reports.is_empty() {
        return Ok(Vec::new());
    }
    let rows = session.rows(CASES_SQL, values![ids.to_vec(), reports.to_vec()]).await?;
    rows.iter().map(|row| Ok((row.parsed(0)?, case_row(row)?))).collect()
}

fn case_row(row: &Row) -> Result<CaseRow> {
    const AT: usize = COLUMNS.len();
    let values = columns(row)?.into_iter().take(AT).map(ColumnValue::into_owned).collect();
    let seqs: Vec<i64> = row.column::<Option<_>>(AT)?.unwrap_or_default();
    let ids: Vec<String> = row.column::<Option<_>>(AT + 1)?.unwrap_or_default();
    let states: Vec<String> = row.column::<Option<_>>(AT + 2)?.unwrap_or_default();
    let reports = seqs.into_iter().zip(ids).zip(states);
    let reports = reports.map(|((seq, report_id), state)| ReportStateRow { seq, report_id, state }).collect();
    Ok(CaseRow { seq: row.column(1)?, values, reports })
}

/// The values of a row's columns. Columns of the program's tables are texts or numbers.
pub(super) fn columns(row: &Row) -> Result<Vec<ColumnValue<'_>>> {
    use tokio_postgres::types::Type;
    let value = |(at, column): (usize, &tokio_postgres::Column)| {
        Ok(match *column.type_() {
            Type::TEXT => ColumnValue::or_null(row.text_if_any(at)?.map(ColumnValue::text)),
            Type::INT8 => ColumnValue::or_null(row.column::<Option<i64>>(at)?.map(ColumnValue::Integer)),
            _ => ColumnValue::Unexpected,
        })
    };
    row.columns().iter().enumerate().map(value).collect()
}

/// The position of the row with this id.
pub(super) async fn position_in(session: &Session, table: EventTable, id: &str) -> Result<Option<i64>> {
    let sql = match table {
        EventTable::TransactionIds => "SELECT seq FROM countersign.transaction_ids WHERE transaction_id = $1",
        EventTable::Alerts => "SELECT seq FROM countersign.alerts WHERE alert_id = $1",
        EventTable::Investigations => "SELECT seq FROM countersign.investigations WHERE investigation_id = $1",
        EventTable::LogEntries => "SELECT seq FROM countersign.log_ids WHERE id = $1",
        EventTable::ReportEntries => "SELECT seq FROM countersign.report_entries WHERE id = $1",
        EventTable::ValidationEntries => "SELECT seq FROM countersign.validation_entries WHERE id = $1",
        EventTable::ReviewEntries => "SELECT seq FROM countersign.review_entries WHERE report_id = $1",
    };
    session.row_if_any(sql, values![id]).await?.map(|row| row.column(0)).transpose()
}

pub(super) async fn payload(session: &Session, seq: u64) -> Result<Option<TypedPayload>> {
    let sql = "SELECT l.event_type, b.payload FROM countersign.event_log l
               JOIN countersign.event_bodies b ON b.seq = l.seq WHERE l.seq = $1 AND b.seq = $1";
    let row = session.row_if_any(sql, values![number(seq)]).await?;
    row.map(|row| Ok(TypedPayload { event_type: row.column(0)?, payload: row.column(1)? })).transpose()
}

/// The rank at a position and the one before it.
const LAST_TWO_SQL: &str = "SELECT seq, nth FROM countersign.alert_ranks
     WHERE severity = $1 AND score = $2 AND seq <= $3 ORDER BY severity DESC, score DESC, seq DESC LIMIT 2";

pub(super) async fn rank(session: &Session, severity: &str, score: i64, seq: u64) -> Result<Option<RankRow>> {
    let rows = session.rows(LAST_TWO_SQL, values![severity, score, number(seq)]).await?;
    let mut rows = rows.iter();
    let Some(row) = rows.next() else { return Ok(None) };
    if row.column::<i64>(0)? != number(seq) {
        return Ok(None);
    }
    let previous = rows.next().map_or(Ok(0), |row| row.column(1))?;
    Ok(Some(RankRow { nth: row.column(1)?, previous }))
}
