//! Checks the states of investigations and reports against the events.

use std::{collections::BTreeMap, ops::Range};

use countersign_domain::{
    Event, EventType, InvestigationId,
    investigation::{Case, CaseReport, Change, change_of},
};
use rusqlite::{
    Connection, OptionalExtension, Row,
    types::{Value, ValueRef},
};

use super::position_exists;
use crate::{
    check::Check,
    derive::cases::{COLUMNS, EVENT_TYPES, advance, row},
    error::Result,
    investigations::CaseState,
    sqlite::{
        cases::{FIND_SQL, ReportStateRow, change_to_keep, report_state_rows, resolve},
        columns::stored,
        erasures::Erasures,
        history::is_erased,
    },
};

/// Compares `case_states` and `report_states` with the events while the log is read. A case is kept only until the event that
/// its row names as the newest has been compared.
#[derive(Default)]
pub(super) struct CasesCheck {
    pending: BTreeMap<InvestigationId, CaseState>,
    erasures: Erasures,
    /// By case, the reports whose row differs from their state after the event that the case's row names as the newest. They
    /// become findings only at the end, because a later event would show that the case's row names the wrong event.
    differing: BTreeMap<InvestigationId, Vec<u64>>,
    /// Ranges of events that are missing or can't be read. How they changed cases isn't known.
    unread: Vec<Range<u64>>,
}

/// Further entries are dropped, because there are enough findings by then.
const UNREAD_MAX: usize = 10_000;
const DIFFERING_MAX: usize = 10_000;

impl CasesCheck {
    pub(super) fn check(&mut self, conn: &Connection, seq: u64, event: &Event, check: &mut Check) -> Result<()> {
        let Some((case_ref, change)) = change_of(event) else { return Ok(()) };
        match resolve(conn, case_ref)? {
            Some(id) => self.apply(conn, seq, id, &change, check),
            None => Ok(()),
        }
    }

    /// Like `check`, for an event whose body was erased: the `PAYLOAD_ERASED` event says what it changed. If it doesn't, the event
    /// counts as unread.
    pub(super) fn check_erased(
        &mut self,
        conn: &Connection,
        seq: u64,
        event_type: Option<EventType>,
        check: &mut Check,
    ) -> Result<()> {
        if event_type.is_none_or(|event_type| !EVENT_TYPES.contains(&event_type)) {
            return Ok(());
        }
        match self.erasures.change_of(conn, seq)? {
            Some(kept) => self.apply(conn, seq, kept.investigation_id, &kept.change, check),
            None => {
                self.skip(seq..seq + 1);
                Ok(())
            }
        }
    }

    /// Notes that these events are missing or can't be read. That is a finding already, and its consequences for a case must not
    /// be reported as damage to another event.
    pub(super) fn skip(&mut self, seqs: Range<u64>) {
        if !seqs.is_empty() && self.unread.len() < UNREAD_MAX {
            self.unread.push(seqs);
        }
    }

    /// A row is compared at the event that it names as the newest. No event about its case may come after that one.
    fn apply(
        &mut self,
        conn: &Connection,
        seq: u64,
        id: InvestigationId,
        change: &Change,
        check: &mut Check,
    ) -> Result<()> {
        // Decisions that the state forbids were never appended, so they change nothing here.
        let before = self.pending.remove(&id);
        let expected = advance(before.clone(), id, seq, change).unwrap_or(before);
        let stored = StoredCase::find(conn, id)?;
        match (expected, stored) {
            (_, Some(stored)) if stored.seq < Some(seq) => {
                self.differing.remove(&id);
                check.find(Some(seq), None, DIFFERS);
            }
            (Some(expected), Some(stored)) if stored.seq == Some(seq) => {
                if !stored.is(conn, &expected)? {
                    check.find(Some(seq), None, DIFFERS);
                }
                let differing = stored.differing_reports(conn, &expected.case.reports)?;
                if !differing.is_empty() && self.differing.len() < DIFFERING_MAX {
                    self.differing.insert(id, differing);
                }
            }
            // An event that can only change an existing case can't have created the row.
            (None, Some(stored)) if stored.seq == Some(seq) => check.find(Some(seq), None, UNEXPLAINED),
            // The row is missing, or a later event changes it: `compare` tells which at the end of the log.
            (Some(expected), _) => drop(self.pending.insert(id, expected)),
            (None, _) => {}
        }
        Ok(())
    }

    /// At the end of the log: reports the rows that no event explains, the cases without a row, and the reports that differ.
    /// Events from `size` on are left to the next verification.
    pub(super) fn compare(&mut self, conn: &Connection, size: u64, check: &mut Check) -> Result<()> {
        let snapshot = conn.unchecked_transaction()?;
        let mut statement = snapshot.prepare("SELECT investigation_id, seq FROM case_states")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id: Option<InvestigationId> = row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok());
            let seq = u64::try_from(row.get::<_, i64>(1)?).ok();
            if let Some(seq) = seq.filter(|seq| *seq >= size)
                && position_exists(&snapshot, seq)?
            {
                id.and_then(|id| self.pending.remove(&id));
            } else if id.is_none() || seq.map_or(Ok(None), |seq| self.investigation_of(&snapshot, seq))? != id {
                check.find(seq, None, UNEXPLAINED);
            }
        }
        for seq in self.differing.values().flatten() {
            check.find(Some(*seq), None, REPORT_DIFFERS);
        }
        let orphans = "SELECT seq FROM report_states WHERE seq NOT IN (SELECT seq FROM report_entries)";
        let mut statement = snapshot.prepare(orphans)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            check.find(u64::try_from(row.get::<_, i64>(0)?).ok(), None, REPORT_UNEXPLAINED);
        }
        for (id, expected) in &self.pending {
            let stored = StoredCase::find(&snapshot, *id)?;
            let newest = stored.as_ref().and_then(|stored| stored.seq);
            if newest.is_some_and(|newest| self.unread.iter().any(|seqs| seqs.contains(&newest))) {
                continue;
            }
            let how = if stored.is_some() { DIFFERS } else { "is missing from the table case_states" };
            check.find(Some(expected.seq), None, how);
        }
        Ok(())
    }

    /// The investigation that an erased event was about, as its erasure says.
    pub(super) fn kept_id(&mut self, conn: &Connection, seq: u64) -> Result<Option<InvestigationId>> {
        Ok(self.erasures.change_of(conn, seq)?.map(|kept| kept.investigation_id))
    }

    /// The investigation that an event is about, if that can be established.
    fn investigation_of(&mut self, conn: &Connection, seq: u64) -> Result<Option<InvestigationId>> {
        // A body that can't be read is a finding already.
        let kept = match change_to_keep(conn, seq).unwrap_or(None) {
            Some(kept) => Some(kept),
            None => self.erasures.change_of(conn, seq)?,
        };
        Ok(kept.map(|kept| kept.investigation_id))
    }
}

const UNEXPLAINED: &str = "the table case_states has a row that no event explains";
const DIFFERS: &str = "does not match its row in the table case_states";
const REPORT_DIFFERS: &str = "does not match its row in the table report_states";
const REPORT_UNEXPLAINED: &str = "the table report_states has a row that no event explains";

/// A case's row as it is stored, which may hold values of any kind if it was changed by hand.
struct StoredCase {
    seq: Option<u64>,
    values: Vec<Value>,
    /// Its reports as JSON.
    reports: String,
}

impl StoredCase {
    fn find(conn: &Connection, id: InvestigationId) -> Result<Option<Self>> {
        let read = |row: &Row<'_>| {
            let values = (0..COLUMNS.len()).map(|column| row.get(column)).collect::<Result<Vec<Value>, _>>()?;
            let seq = row.get::<_, i64>(1)?;
            Ok(Self { seq: u64::try_from(seq).ok(), values, reports: row.get(COLUMNS.len())? })
        };
        Ok(conn.prepare_cached(FIND_SQL)?.query_row([id.to_string()], read).optional()?)
    }

    fn is(&self, conn: &Connection, expected: &CaseState) -> Result<bool> {
        // The assignee may have been erased since the event was read.
        let assigned = expected.assigned_seq.filter(|_| expected.case.assigned_to.is_some());
        if !assigned.map_or(Ok(false), |seq| is_erased(conn, seq))? {
            return Ok(self.has_values_of(expected));
        }
        let case = Case { assigned_to: None, ..expected.case.clone() };
        Ok(self.has_values_of(&CaseState { case, ..expected.clone() }))
    }

    fn has_values_of(&self, expected: &CaseState) -> bool {
        self.values.iter().map(ValueRef::from).eq(row(expected).iter().map(stored))
    }

    /// The positions of reports whose row has another state, is missing, or should not exist.
    fn differing_reports(&self, conn: &Connection, expected: &[CaseReport]) -> Result<Vec<u64>> {
        let stored = report_state_rows(&self.reports)?;
        let is_expected = |ReportStateRow(_, id, state): &ReportStateRow| {
            expected.iter().any(|report| report.report_id.as_str() == id && report.state.as_str() == state)
        };
        let mut differing: Vec<u64> =
            stored.iter().filter(|report| !is_expected(report)).map(|report| report.0).collect();
        for report in
            expected.iter().filter(|report| !stored.iter().any(|stored| stored.1 == report.report_id.as_str()))
        {
            let sql = "SELECT seq FROM report_entries WHERE id = ?1";
            differing.extend(
                conn.prepare_cached(sql)?
                    .query_row([report.report_id.as_str()], |row| row.get::<_, u64>(0))
                    .optional()?,
            );
        }
        Ok(differing)
    }
}
