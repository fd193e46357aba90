//! Checks the states of investigations and reports against the events.

use std::{collections::BTreeMap, ops::Range};

use countersign_domain::{
    Event, EventType, InvestigationId, ReportId,
    investigation::{Case, CaseReport, Change, change_of},
};

use super::{
    erasures::{Erasures, change_at},
    records::{CaseRow, ReportStateRow, StoredRecords, is_stored_as},
};
use crate::{
    check::Check,
    derive::cases::{EVENT_TYPES, advance, investigation_of, row},
    error::Result,
    investigations::CaseState,
};

/// Compares `case_states` and `report_states` with the events while the log is read. A case is kept only until the event that
/// its row names as the newest has been compared.
#[derive(Default)]
pub(super) struct CasesCheck {
    pending: BTreeMap<InvestigationId, CaseState>,
    erasures: Erasures,
    /// By case, the reports whose row differs from their state after the event that the case's row names as the newest. They
    /// become findings only at the end, because a later event would show that the case's row names the wrong event.
    differing: BTreeMap<InvestigationId, Vec<Option<u64>>>,
    /// Ranges of events that are missing or can't be read. How they changed cases isn't known.
    unread: Vec<Range<u64>>,
}

/// Further entries are dropped, because there are enough findings by then.
const UNREAD_MAX: usize = 10_000;
const DIFFERING_MAX: usize = 10_000;

impl CasesCheck {
    pub(super) fn check(
        &mut self,
        records: &dyn StoredRecords,
        seq: u64,
        event: &Event,
        check: &mut Check,
    ) -> Result<()> {
        let Some((case_ref, change)) = change_of(event) else { return Ok(()) };
        let of_report = |report: &ReportId| Ok(records.report(report)?.map(|report| report.investigation_id));
        match investigation_of(case_ref, of_report)? {
            Some(id) => self.apply(records, seq, id, &change, check),
            None => Ok(()),
        }
    }

    /// Like `check`, for an event whose body was erased: the `PAYLOAD_ERASED` event says what it changed. If it doesn't, the event
    /// counts as unread.
    pub(super) fn check_erased(
        &mut self,
        records: &dyn StoredRecords,
        seq: u64,
        event_type: Option<EventType>,
        check: &mut Check,
    ) -> Result<()> {
        if event_type.is_none_or(|event_type| !EVENT_TYPES.contains(&event_type)) {
            return Ok(());
        }
        match self.erasures.change_of(records, seq)? {
            Some(kept) => self.apply(records, seq, kept.investigation_id, &kept.change, check),
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
        records: &dyn StoredRecords,
        seq: u64,
        id: InvestigationId,
        change: &Change,
        check: &mut Check,
    ) -> Result<()> {
        // Decisions that the state forbids were never appended, so they change nothing here.
        let before = self.pending.remove(&id);
        let expected = advance(before.clone(), id, seq, change).unwrap_or(before);
        let stored = records.case(id)?;
        let newest = stored.as_ref().and_then(newest_seq);
        match (expected, stored) {
            (_, Some(_)) if newest < Some(seq) => {
                self.differing.remove(&id);
                check.find(Some(seq), None, DIFFERS);
            }
            (Some(expected), Some(stored)) if newest == Some(seq) => {
                if !is_row_of(records, &stored, &expected)? {
                    check.find(Some(seq), None, DIFFERS);
                }
                let differing = differing_reports(records, &stored.reports, &expected.case.reports)?;
                if !differing.is_empty() && self.differing.len() < DIFFERING_MAX {
                    self.differing.insert(id, differing);
                }
            }
            // An event that can only change an existing case can't have created the row.
            (None, Some(_)) if newest == Some(seq) => check.find(Some(seq), None, UNEXPLAINED),
            // The row is missing, or a later event changes it: `compare` tells which at the end of the log.
            (Some(expected), _) => drop(self.pending.insert(id, expected)),
            (None, _) => {}
        }
        Ok(())
    }

    /// At the end of the log: reports the rows that no event explains, the cases without a row, and the reports that differ.
    /// Events from `size` on are left to the next verification.
    pub(super) fn compare(&mut self, records: &dyn StoredRecords, size: u64, check: &mut Check) -> Result<()> {
        records.in_snapshot(&mut || {
            records.cases(&mut |id, seq| {
                let seq = u64::try_from(seq).ok();
                if let Some(seq) = seq.filter(|seq| *seq >= size)
                    && records.position_exists(seq)?
                {
                    id.and_then(|id| self.pending.remove(&id));
                } else if id.is_none() || seq.map_or(Ok(None), |seq| self.investigation_at(records, seq))? != id {
                    check.find(seq, None, UNEXPLAINED);
                }
                Ok(())
            })?;
            for seq in self.differing.values().flatten() {
                check.find(*seq, None, REPORT_DIFFERS);
            }
            records.report_states_without_report(&mut |seq| {
                check.find(u64::try_from(seq).ok(), None, REPORT_UNEXPLAINED);
                Ok(())
            })?;
            self.find_pending(records, check)
        })
    }

    /// Reports the cases whose row is missing, or names an event that isn't about the case.
    fn find_pending(&self, records: &dyn StoredRecords, check: &mut Check) -> Result<()> {
        for (id, expected) in &self.pending {
            let stored = records.case(*id)?;
            let newest = stored.as_ref().and_then(newest_seq);
            if newest.is_some_and(|newest| self.unread.iter().any(|seqs| seqs.contains(&newest))) {
                continue;
            }
            let how = if stored.is_some() { DIFFERS } else { "is missing from the table case_states" };
            check.find(Some(expected.seq), None, how);
        }
        Ok(())
    }

    /// The investigation that an erased event was about, as its erasure says.
    pub(super) fn kept_id(&mut self, records: &dyn StoredRecords, seq: u64) -> Result<Option<InvestigationId>> {
        Ok(self.erasures.change_of(records, seq)?.map(|kept| kept.investigation_id))
    }

    /// The investigation that an event is about, if that can be established.
    fn investigation_at(&mut self, records: &dyn StoredRecords, seq: u64) -> Result<Option<InvestigationId>> {
        // A body that can't be read is a finding already.
        let kept = match change_at(records, seq).unwrap_or(None) {
            Some(kept) => Some(kept),
            None => self.erasures.change_of(records, seq)?,
        };
        Ok(kept.map(|kept| kept.investigation_id))
    }
}

const UNEXPLAINED: &str = "the table case_states has a row that no event explains";
const DIFFERS: &str = "does not match its row in the table case_states";
const REPORT_DIFFERS: &str = "does not match its row in the table report_states";
const REPORT_UNEXPLAINED: &str = "the table report_states has a row that no event explains";

/// The position of the newest event about a case, as its row says.
fn newest_seq(stored: &CaseRow) -> Option<u64> {
    u64::try_from(stored.seq).ok()
}

fn is_row_of(records: &dyn StoredRecords, stored: &CaseRow, expected: &CaseState) -> Result<bool> {
    // The assignee may have been erased since the event was read.
    let assigned = expected.assigned_seq.filter(|_| expected.case.assigned_to.is_some());
    if assigned.map_or(Ok(None), |seq| records.erased_by(seq))?.is_none() {
        return Ok(is_stored_as(&stored.values, &row(expected)));
    }
    let case = Case { assigned_to: None, ..expected.case.clone() };
    Ok(is_stored_as(&stored.values, &row(&CaseState { case, ..expected.clone() })))
}

/// The positions of reports whose row has another state, is missing, or should not exist. `None` for a position that no event
/// can have.
fn differing_reports(
    records: &dyn StoredRecords,
    stored: &[ReportStateRow],
    expected: &[CaseReport],
) -> Result<Vec<Option<u64>>> {
    let is_expected = |stored: &ReportStateRow| {
        expected
            .iter()
            .any(|report| report.report_id.as_str() == stored.report_id && report.state.as_str() == stored.state)
    };
    let mut differing: Vec<_> =
        stored.iter().filter(|report| !is_expected(report)).map(|report| u64::try_from(report.seq).ok()).collect();
    let has_row = |id: &ReportId| stored.iter().any(|stored| stored.report_id == id.as_str());
    for report in expected.iter().filter(|report| !has_row(&report.report_id)) {
        differing.extend(records.report(&report.report_id)?.map(|report| u64::try_from(report.seq).ok()));
    }
    Ok(differing)
}
