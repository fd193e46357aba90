//! Writes the tables `case_states` and `report_states` as events are appended, and reads them.

use countersign_domain::{
    Event, InvestigationId, ReportId,
    investigation::{Case, CaseReport, Change, change_of},
};
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::reads::corrupt;
use crate::{
    derive::{
        cases::{COLUMNS, ReportStateChange, advance, investigation_of, report_changes, row as case_row},
        column::ColumnValue,
        erasure::KeptChange,
    },
    error::Result,
    investigations::CaseState,
    verify::records::ReportStateRow,
};

/// The columns of a case, for statements that have the table `case_states` as `c`. The last column has its reports with their
/// states, as JSON in any order: they are read in the same statement, so that the case and its reports are as of the same moment.
macro_rules! case_columns {
    () => {
        "c.investigation_id, c.seq, c.state, c.alert_state, c.severity, c.assigned_to, c.report_id, c.alert_seq,
         c.opened_seq, c.report_seq, c.assigned_seq,
         (SELECT json_group_array(json_array(e.seq, e.id, s.state))
          FROM report_entries e CROSS JOIN report_states s ON s.seq = e.seq
          WHERE e.investigation_id = c.investigation_id)"
    };
}
pub(crate) use case_columns;

pub(super) const FIND_SQL: &str =
    concat!("SELECT ", case_columns!(), " FROM case_states c WHERE c.investigation_id = ?1");

/// Applies an appended event to the case that it is about. `Conflict` if the event is a decision that the case's state forbids.
pub(crate) fn apply_event(conn: &Connection, seq: u64, event: &Event) -> Result<()> {
    let Some((case_ref, change)) = change_of(event) else { return Ok(()) };
    let of_report = |report: &ReportId| investigation_of_report(conn, report);
    let Some(id) = investigation_of(case_ref, of_report)? else { return Ok(()) };
    let before = find(conn, id)?;
    let Some(after) = advance(before.clone(), id, seq, &change)? else { return Ok(()) };
    match &before {
        None => drop(conn.prepare_cached(INSERT_SQL)?.execute(params_from_iter(case_row(&after)))?),
        Some(before) => update(conn, &case_row(before), &case_row(&after))?,
    }
    let reports_before = before.as_ref().map_or(&[][..], |before| &before.case.reports);
    for change in report_changes(reports_before, &after.case.reports) {
        match change {
            ReportStateChange::Begins { state } => {
                conn.prepare_cached(INSERT_REPORT_SQL)?.execute(params![seq, state])?;
            }
            ReportStateChange::Moves { report_id, state } => {
                conn.prepare_cached(MOVE_REPORT_SQL)?.execute(params![report_id.as_str(), state])?;
            }
            ReportStateChange::Ends { report_id } => {
                conn.prepare_cached(DROP_REPORT_SQL)?.execute([report_id.as_str()])?;
            }
        }
    }
    Ok(())
}

pub(super) const INSERT_REPORT_SQL: &str = "INSERT OR FAIL INTO report_states (seq, state) VALUES (?1, ?2)";
pub(super) const MOVE_REPORT_SQL: &str =
    "UPDATE report_states SET state = ?2 WHERE seq = (SELECT seq FROM report_entries WHERE id = ?1)";
pub(super) const DROP_REPORT_SQL: &str =
    "DELETE FROM report_states WHERE seq = (SELECT seq FROM report_entries WHERE id = ?1)";

pub(super) const INSERT_SQL: &str =
    "INSERT OR FAIL INTO case_states (investigation_id, seq, state, alert_state, severity, assigned_to,
       report_id, alert_seq, opened_seq, report_seq, assigned_seq)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

/// Sets only the columns that have changed: setting a column rewrites its indexes even if the value stays the same.
fn update(conn: &Connection, before: &[ColumnValue<'_>], after: &[ColumnValue<'_>]) -> Result<()> {
    let changed = || (1..).zip(COLUMNS).zip(before.iter().zip(after)).filter(|(_, (before, after))| before != after);
    let set: Vec<_> = changed().map(|((place, name), _)| format!("{name} = ?{place}")).collect();
    let sql = format!("UPDATE case_states SET {} WHERE investigation_id = ?{}", set.join(", "), COLUMNS.len() + 1);
    let mut statement = conn.prepare_cached(&sql)?;
    for ((place, _), (_, value)) in changed() {
        statement.raw_bind_parameter(place, value)?;
    }
    statement.raw_bind_parameter(COLUMNS.len() + 1, after.first())?;
    statement.raw_execute()?;
    Ok(())
}

/// The investigation that is stored with a report.
pub(super) fn investigation_of_report(conn: &Connection, report: &ReportId) -> Result<Option<String>> {
    let sql = "SELECT investigation_id FROM report_entries WHERE id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([report.as_str()], |row| row.get(0)).optional()?)
}

pub(crate) fn find(conn: &Connection, id: InvestigationId) -> Result<Option<CaseState>> {
    let mut statement = conn.prepare_cached(FIND_SQL)?;
    let mut rows = statement.query([id.to_string()])?;
    rows.next()?.map(|row| read(row, 0)).transpose()
}

/// Reads a case whose columns begin at `at`.
pub(crate) fn read(row: &Row<'_>, at: usize) -> Result<CaseState> {
    let text = |column: usize| row.get_ref(at + column)?.as_str().map_err(corrupt);
    let severity: Option<String> = row.get(at + 4)?;
    let report_id: Option<String> = row.get(at + 6)?;
    let case = Case {
        state: text(2)?.parse().map_err(corrupt)?,
        severity: severity.map(|severity| severity.parse().map_err(corrupt)).transpose()?,
        assigned_to: row.get(at + 5)?,
        report_id: report_id.map(TryInto::try_into).transpose().map_err(corrupt)?,
        reports: read_reports(text(11)?)?,
    };
    if text(3)? != case.alert_state().as_str() {
        return Err(corrupt("an investigation and its alert have inconsistent states"));
    }
    Ok(CaseState {
        investigation_id: text(0)?.parse().map_err(corrupt)?,
        seq: row.get(at + 1)?,
        case,
        alert_seq: row.get(at + 7)?,
        opened_seq: row.get(at + 8)?,
        report_seq: row.get(at + 9)?,
        assigned_seq: row.get(at + 10)?,
    })
}

fn read_reports(json: &str) -> Result<Vec<CaseReport>> {
    let read = |report: ReportStateRow| {
        let ReportStateRow { report_id, state, .. } = report;
        Ok(CaseReport { report_id: report_id.try_into().map_err(corrupt)?, state: state.parse().map_err(corrupt)? })
    };
    report_state_rows(json)?.into_iter().map(read).collect()
}

/// Reads the last of the columns of a case. Oldest first.
pub(super) fn report_state_rows(json: &str) -> Result<Vec<ReportStateRow>> {
    let mut reports: Vec<(i64, String, String)> = serde_json::from_str(json).map_err(corrupt)?;
    reports.sort_by_key(|report| report.0);
    Ok(reports.into_iter().map(|(seq, report_id, state)| ReportStateRow { seq, report_id, state }).collect())
}

/// Forgets an assignee after the erasure of the event that named them.
pub(crate) fn forget(conn: &Connection, kept: &KeptChange) -> Result<()> {
    if let Change::Assigned { .. } = kept.change {
        let sql = "UPDATE case_states SET assigned_to = NULL
                   WHERE investigation_id = ?1 AND assigned_seq = ?2 AND assigned_to IS NOT NULL";
        conn.prepare_cached(sql)?.execute(params![kept.investigation_id.to_string(), kept.seq])?;
    }
    Ok(())
}
