//! Reads the tables `case_states` and `report_states`.

use countersign_domain::{
    InvestigationId,
    investigation::{Case, CaseReport},
};
use tokio_postgres::Row;

use super::{
    session::Session,
    values::{Columns, corrupt, values},
};
use crate::{error::Result, investigations::CaseState};

/// The columns of a case, for statements that have the table `case_states` as `c` and its reports as `r`.
macro_rules! case_columns {
    () => {
        "c.investigation_id, c.seq, c.state, c.alert_state, c.severity, c.assigned_to, c.report_id, c.alert_seq,
         c.opened_seq, c.report_seq, c.assigned_seq, r.ids, r.states"
    };
}
pub(super) use case_columns;

/// Joins the reports of a case with their states, oldest first. They are read in the same statement, so that the case and its
/// reports are as of the same moment.
macro_rules! case_reports {
    () => {
        " LEFT JOIN LATERAL (
           SELECT array_agg(e.id ORDER BY e.seq) AS ids, array_agg(s.state ORDER BY e.seq) AS states
           FROM countersign.report_entries e JOIN countersign.report_states s ON s.seq = e.seq
           WHERE e.investigation_id = c.investigation_id) r ON true"
    };
}
pub(super) use case_reports;

const FIND_SQL: &str = concat!(
    "SELECT ",
    case_columns!(),
    " FROM countersign.case_states c",
    case_reports!(),
    " WHERE c.investigation_id = ANY ($1)"
);

const OF_REPORTS_SQL: &str = concat!(
    "SELECT ",
    case_columns!(),
    " FROM countersign.case_states c",
    case_reports!(),
    " WHERE c.investigation_id = ANY ($1 || ARRAY(
        SELECT o.investigation_id FROM countersign.report_entries o WHERE o.id = ANY ($2)))"
);

pub(super) async fn find(session: &Session, id: InvestigationId) -> Result<Option<CaseState>> {
    Ok(find_all(session, &[id]).await?.pop())
}

/// The cases with these ids, in any order. Ids without a case are left out.
pub(super) async fn find_all(session: &Session, ids: &[InvestigationId]) -> Result<Vec<CaseState>> {
    let ids: Vec<String> = ids.iter().map(InvestigationId::to_string).collect();
    session.rows(FIND_SQL, values![ids]).await?.iter().map(|row| read(row, 0)).collect()
}

/// The cases with these ids, and those that these reports belong to.
pub(super) async fn of_ids_and_reports(session: &Session, ids: &[&str], reports: &[&str]) -> Result<Vec<CaseState>> {
    let (ids, reports) = (ids.to_vec(), reports.to_vec());
    session.rows(OF_REPORTS_SQL, values![ids, reports]).await?.iter().map(|row| read(row, 0)).collect()
}

/// Reads a case whose columns begin at `at`.
pub(super) fn read(row: &Row, at: usize) -> Result<CaseState> {
    let case = Case {
        state: row.parsed(at + 2)?,
        severity: row.parsed_if_any(at + 4)?,
        assigned_to: row.column(at + 5)?,
        report_id: row.parsed_if_any(at + 6)?,
        reports: read_reports(row, at + 11)?,
    };
    if row.text(at + 3)? != case.alert_state().as_str() {
        return Err(corrupt("an investigation and its alert have inconsistent states"));
    }
    Ok(CaseState {
        investigation_id: row.parsed(at)?,
        seq: row.number(at + 1)?,
        case,
        alert_seq: row.number_if_any(at + 7)?,
        opened_seq: row.number_if_any(at + 8)?,
        report_seq: row.number_if_any(at + 9)?,
        assigned_seq: row.number_if_any(at + 10)?,
    })
}

/// Reads a case's reports from a list of their ids and a list of their states. Both are null if there are none.
fn read_reports(row: &Row, at: usize) -> Result<Vec<CaseReport>> {
    let list = |at| Ok::<_, crate::error::StoreError>(row.column::<Option<Vec<&str>>>(at)?.unwrap_or_default());
    let read = |(id, state): (&str, &str)| {
        Ok(CaseReport { report_id: id.parse().map_err(corrupt)?, state: state.parse().map_err(corrupt)? })
    };
    list(at)?.into_iter().zip(list(at + 1)?).map(read).collect()
}
