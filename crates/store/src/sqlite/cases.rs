//! Where each investigation stands, and each of its reports: the tables `case_states` and `report_states`, moved on as
//! events are appended by the domain's state machine, and the same machine again to check them.

use std::{collections::BTreeMap, ops::Range};

use countersign_domain::{
    Event, EventType, InvestigationId, ReportId,
    investigation::{Case, CaseReport, Change, Subject, change_of},
};
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter, types::Value};

use super::{
    erasure_record::{Erasures, KeptChange},
    history::is_erased,
    reads::corrupt,
    verify::position_exists,
};
use crate::{
    check::Check,
    error::{Result, StoreError},
    investigations::CaseState,
};

/// The events that move cases.
pub(crate) const TYPES: [EventType; 8] = [
    EventType::FraudAlertCreated,
    EventType::InvestigationCreated,
    EventType::InvestigationAssigned,
    EventType::ReportGenerated,
    EventType::ReportApproved,
    EventType::ReportNeedsReview,
    EventType::SupervisorReviewRequested,
    EventType::ReviewDecided,
];

/// The columns of a case, for statements that have the table `case_states` as `c`. The last has its reports with their
/// states, as JSON in any order: read in the same statement, so that case and reports are of the same moment.
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

const FIND_SQL: &str = concat!("SELECT ", case_columns!(), " FROM case_states c WHERE c.investigation_id = ?1");

/// Follows an event that was just appended. A person's decision that the case's state forbids is refused.
pub(crate) fn follow(conn: &Connection, seq: u64, event: &Event) -> Result<()> {
    let Some((subject, change)) = change_of(event) else { return Ok(()) };
    match resolve(conn, subject)? {
        Some(id) => move_on(conn, seq, id, &change),
        None => Ok(()),
    }
}

fn move_on(conn: &Connection, seq: u64, id: InvestigationId, change: &Change) -> Result<()> {
    let found = find(conn, id)?;
    let before = found.as_ref().map(|row| (values(row), row.case.reports.clone()));
    let Some(row) = advance(found, id, seq, change)? else { return Ok(()) };
    let after = values(&row);
    let reports_before = match before {
        None => {
            conn.prepare_cached(INSERT_SQL)?.execute(params_from_iter(after))?;
            Vec::new()
        }
        Some((before, reports)) => {
            update(conn, &before, &after)?;
            reports
        }
    };
    move_reports(conn, seq, &reports_before, &row.case.reports)
}

pub(super) const INSERT_REPORT_SQL: &str = "INSERT OR FAIL INTO report_states (seq, state) VALUES (?1, ?2)";
pub(super) const MOVE_REPORT_SQL: &str =
    "UPDATE report_states SET state = ?2 WHERE seq = (SELECT seq FROM report_entries WHERE id = ?1)";
pub(super) const DROP_REPORT_SQL: &str =
    "DELETE FROM report_states WHERE seq = (SELECT seq FROM report_entries WHERE id = ?1)";

/// `seq` is the event's, and so the new report's if there is one.
fn move_reports(conn: &Connection, seq: u64, before: &[CaseReport], after: &[CaseReport]) -> Result<()> {
    let find = |reports: &[CaseReport], id: &ReportId| reports.iter().find(|report| report.report_id == *id).cloned();
    for report in after {
        let state = report.state.as_str();
        match find(before, &report.report_id) {
            None => drop(conn.prepare_cached(INSERT_REPORT_SQL)?.execute(params![seq, state])?),
            Some(earlier) if earlier.state != report.state => {
                conn.prepare_cached(MOVE_REPORT_SQL)?.execute(params![report.report_id.as_str(), state])?;
            }
            Some(_) => {}
        }
    }
    for report in before.iter().filter(|report| find(after, &report.report_id).is_none()) {
        conn.prepare_cached(DROP_REPORT_SQL)?.execute([report.report_id.as_str()])?;
    }
    Ok(())
}

pub(super) const INSERT_SQL: &str =
    "INSERT OR FAIL INTO case_states (investigation_id, seq, state, alert_state, severity, assigned_to,
       report_id, alert_seq, opened_seq, report_seq, assigned_seq)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

const NAMES: [&str; 11] = [
    "investigation_id",
    "seq",
    "state",
    "alert_state",
    "severity",
    "assigned_to",
    "report_id",
    "alert_seq",
    "opened_seq",
    "report_seq",
    "assigned_seq",
];

/// A row of the table, in the order of its columns.
fn values(row: &CaseState) -> [Value; NAMES.len()] {
    let text = |text: Option<&str>| text.map_or(Value::Null, |text| Value::Text(text.to_owned()));
    let place = |seq: Option<u64>| seq.map_or(Value::Null, |seq| Value::Integer(i64::try_from(seq).unwrap_or(-1)));
    let case = &row.case;
    [
        Value::Text(row.investigation_id.to_string()),
        place(Some(row.seq)),
        text(Some(case.state.as_str())),
        text(Some(case.alert_state().as_str())),
        text(case.severity.map(|severity| severity.as_str())),
        text(case.assigned_to.as_deref()),
        text(case.report_id.as_ref().map(ReportId::as_str)),
        place(row.alert_seq),
        place(row.opened_seq),
        place(row.report_seq),
        place(row.assigned_seq),
    ]
}

/// Sets what has changed and nothing else: an index is written anew if a column of it is set, also to the value it had.
fn update(conn: &Connection, before: &[Value], after: &[Value]) -> Result<()> {
    let changed = || (1..).zip(NAMES).zip(before.iter().zip(after)).filter(|(_, (before, after))| before != after);
    let set: Vec<_> = changed().map(|((place, name), _)| format!("{name} = ?{place}")).collect();
    let sql = format!("UPDATE case_states SET {} WHERE investigation_id = ?{}", set.join(", "), NAMES.len() + 1);
    let mut statement = conn.prepare_cached(&sql)?;
    for ((place, _), (_, value)) in changed() {
        statement.raw_bind_parameter(place, value)?;
    }
    statement.raw_bind_parameter(NAMES.len() + 1, after.first())?;
    statement.raw_execute()?;
    Ok(())
}

/// The row after an event, or `None` where there is still none.
fn advance(found: Option<CaseState>, id: InvestigationId, seq: u64, change: &Change) -> Result<Option<CaseState>> {
    let mut row = match found {
        Some(row) => row,
        None if change.begins() => CaseState {
            investigation_id: id,
            seq,
            case: Case::default(),
            alert_seq: None,
            opened_seq: None,
            report_seq: None,
            assigned_seq: None,
        },
        None => return Ok(None),
    };
    row.case = row.case.after(change).map_err(|error| StoreError::Conflict(error.to_string()))?;
    row.seq = seq;
    match change {
        Change::Alerted { .. } => row.alert_seq = Some(seq),
        Change::Opened { .. } => row.opened_seq = Some(seq),
        Change::Reported { report_id, .. } if row.case.state_of(report_id).is_some() => row.report_seq = Some(seq),
        Change::Assigned { .. } => row.assigned_seq = Some(seq),
        _ => {}
    }
    Ok(Some(row))
}

fn resolve(conn: &Connection, subject: Subject<'_>) -> Result<Option<InvestigationId>> {
    match subject {
        Subject::Investigation(id) => Ok(Some(id)),
        Subject::ReportOf(report) => {
            let sql = "SELECT investigation_id FROM report_entries WHERE id = ?1";
            let id: Option<String> =
                conn.prepare_cached(sql)?.query_row([report.as_str()], |row| row.get(0)).optional()?;
            id.map(|id| id.parse().map_err(corrupt)).transpose()
        }
    }
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
        return Err(corrupt("an investigation and its alert have states that don't go together"));
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
    let read = |report: StoredReport| {
        let StoredReport(_, report_id, state) = report;
        Ok(CaseReport { report_id: report_id.try_into().map_err(corrupt)?, state: state.parse().map_err(corrupt)? })
    };
    stored_reports(json)?.into_iter().map(read).collect()
}

/// The position of a report, its id and its state, as they are stored.
#[derive(serde::Deserialize, PartialEq)]
struct StoredReport(u64, String, String);

/// Oldest first.
fn stored_reports(json: &str) -> Result<Vec<StoredReport>> {
    let mut reports: Vec<StoredReport> = serde_json::from_str(json).map_err(corrupt)?;
    reports.sort_by_key(|report| report.0);
    Ok(reports)
}

/// What an event that is about to be erased means to a case: its body will not say it any more.
pub(crate) fn kept(conn: &Connection, seq: u64) -> Result<Option<KeptChange>> {
    let sql = "SELECT l.event_type, b.payload FROM event_log l JOIN event_bodies b ON b.seq = l.seq WHERE l.seq = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found: Option<(String, String)> = conn.prepare_cached(sql)?.query_row([seq], read).optional()?;
    let moving = found.and_then(|(name, payload)| Some((moves(&name)?, payload)));
    let Some((event_type, payload)) = moving else { return Ok(None) };
    // One that can't be read has moved nothing, and may go too.
    let Ok(event) = Event::from_payload(event_type, &payload) else { return Ok(None) };
    let Some((subject, change)) = change_of(&event) else { return Ok(None) };
    let id = resolve(conn, subject)?;
    Ok(id.map(|investigation_id| KeptChange { seq, investigation_id, change: change.without_names() }))
}

fn moves(event_type: &str) -> Option<EventType> {
    EventType::parse(event_type).filter(|event_type| TYPES.contains(event_type))
}

/// After the erasure of the event that named somebody.
pub(crate) fn forget(conn: &Connection, kept: &KeptChange) -> Result<()> {
    if let Change::Assigned { .. } = kept.change {
        let sql = "UPDATE case_states SET assigned_to = NULL
                   WHERE investigation_id = ?1 AND assigned_seq = ?2 AND assigned_to IS NOT NULL";
        conn.prepare_cached(sql)?.execute(params![kept.investigation_id.to_string(), kept.seq])?;
    }
    Ok(())
}

/// Works all cases out from their events, for a log from before they or their reports' states were stored as they are now.
/// What erased events meant is taken from their erasures.
pub(crate) fn catch_up(conn: &Connection) -> Result<()> {
    let names = TYPES.map(|event_type| format!("'{}'", event_type.as_str())).join(", ");
    let mut statement = conn.prepare(&format!(
        "SELECT l.seq, l.event_type, b.payload FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq
         WHERE l.event_type IN ({names}) ORDER BY l.seq"
    ))?;
    let mut rows = statement.query([])?;
    let mut erasures = Erasures::default();
    while let Some(row) = rows.next()? {
        let seq = row.get(0)?;
        let event_type = moves(row.get_ref(1)?.as_str().map_err(corrupt)?);
        match (event_type, row.get_ref(2)?.as_str_or_null().map_err(corrupt)?) {
            (Some(event_type), Some(payload)) => follow(conn, seq, &Event::from_payload(event_type, payload)?)?,
            (Some(_), None) => {
                if let Some(kept) = erasures.change_of(conn, seq)? {
                    move_on(conn, seq, kept.investigation_id, &kept.change)?;
                }
            }
            (None, _) => {}
        }
    }
    Ok(())
}

/// What the table should hold. In memory there are only cases that go on after the event that the check has come to.
#[derive(Default)]
pub(crate) struct Cases {
    moving: BTreeMap<InvestigationId, CaseState>,
    erasures: Erasures,
    /// Reports whose row differs from what the case's newest event left, as far as the row of the case can be believed
    /// about which event that is.
    differing: BTreeMap<InvestigationId, Vec<u64>>,
    /// Stretches of events that are missing or can't be read: what they did to cases can't be told.
    unread: Vec<Range<u64>>,
}

/// More stretches are not remembered: by then there are findings enough.
const UNREAD_MAX: usize = 10_000;
const DIFFERING_MAX: usize = 10_000;

impl Cases {
    pub(crate) fn expect(&mut self, conn: &Connection, seq: u64, event: &Event, check: &mut Check) -> Result<()> {
        let Some((subject, change)) = change_of(event) else { return Ok(()) };
        match resolve(conn, subject)? {
            Some(id) => self.apply(conn, seq, id, &change, check),
            None => Ok(()),
        }
    }

    /// `expect` for an event whose body was erased: what it meant stands in the erasure's own event. Before there were
    /// cases nothing was kept, and nothing was made of such an event.
    pub(crate) fn expect_forgotten(
        &mut self,
        conn: &Connection,
        seq: u64,
        event_type: Option<EventType>,
        check: &mut Check,
    ) -> Result<()> {
        if event_type.is_none_or(|event_type| !TYPES.contains(&event_type)) {
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

    /// Says that these events are missing or can't be read. That has been found already, and what follows from it for
    /// a case must not name another event instead.
    pub(crate) fn skip(&mut self, seqs: Range<u64>) {
        if !seqs.is_empty() && self.unread.len() < UNREAD_MAX {
            self.unread.push(seqs);
        }
    }

    /// A row is compared at the event that it names as the newest; no event about its case may come after that one.
    fn apply(
        &mut self,
        conn: &Connection,
        seq: u64,
        id: InvestigationId,
        change: &Change,
        check: &mut Check,
    ) -> Result<()> {
        // What the state forbids was never appended, and so changes nothing here.
        let before = self.moving.remove(&id);
        let expected = advance(before.clone(), id, seq, change).unwrap_or(before);
        let stored = Stored::find(conn, id)?;
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
            // An event that moves only what is there already can't have made it.
            (None, Some(stored)) if stored.seq == Some(seq) => check.find(Some(seq), None, UNMADE),
            // Missing, or not there yet: at the end it will be known.
            (Some(expected), _) => drop(self.moving.insert(id, expected)),
            (None, _) => {}
        }
        Ok(())
    }

    /// The rows that no event has made, and the events that made no row. Events from `size` on are the next
    /// verification's.
    pub(crate) fn compare(&mut self, conn: &Connection, size: u64, check: &mut Check) -> Result<()> {
        let snapshot = conn.unchecked_transaction()?;
        let mut statement = snapshot.prepare("SELECT investigation_id, seq FROM case_states")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id: Option<InvestigationId> = row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok());
            let seq = u64::try_from(row.get::<_, i64>(1)?).ok();
            if let Some(seq) = seq.filter(|seq| *seq >= size)
                && position_exists(&snapshot, seq)?
            {
                id.and_then(|id| self.moving.remove(&id));
            } else if id.is_none() || seq.map_or(Ok(None), |seq| self.subject_of(&snapshot, seq))? != id {
                check.find(seq, None, UNMADE);
            }
        }
        for seq in self.differing.values().flatten() {
            check.find(Some(*seq), None, REPORT_DIFFERS);
        }
        let orphans = "SELECT seq FROM report_states WHERE seq NOT IN (SELECT seq FROM report_entries)";
        let mut statement = snapshot.prepare(orphans)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            check.find(u64::try_from(row.get::<_, i64>(0)?).ok(), None, REPORT_UNMADE);
        }
        for (id, expected) in &self.moving {
            let stored = Stored::find(&snapshot, *id)?;
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
    pub(crate) fn kept_id(&mut self, conn: &Connection, seq: u64) -> Result<Option<InvestigationId>> {
        Ok(self.erasures.change_of(conn, seq)?.map(|kept| kept.investigation_id))
    }

    /// The investigation that an event is about.
    fn subject_of(&mut self, conn: &Connection, seq: u64) -> Result<Option<InvestigationId>> {
        // A body that can't be read has been found already.
        let kept = match kept(conn, seq).unwrap_or(None) {
            Some(kept) => Some(kept),
            None => self.erasures.change_of(conn, seq)?,
        };
        Ok(kept.map(|kept| kept.investigation_id))
    }
}

const UNMADE: &str = "the table case_states has a row that no event made";
const DIFFERS: &str = "reads differently in the table case_states";
const REPORT_DIFFERS: &str = "reads differently in the table report_states";
const REPORT_UNMADE: &str = "the table report_states has a row that no event made";

/// A row as it is, whatever somebody may have written into it.
struct Stored {
    seq: Option<u64>,
    values: Vec<Value>,
    /// As JSON.
    reports: String,
}

impl Stored {
    fn find(conn: &Connection, id: InvestigationId) -> Result<Option<Self>> {
        let read = |row: &Row<'_>| {
            let values = (0..NAMES.len()).map(|column| row.get(column)).collect::<Result<Vec<Value>, _>>()?;
            let seq = row.get::<_, i64>(1)?;
            Ok(Self { seq: u64::try_from(seq).ok(), values, reports: row.get(NAMES.len())? })
        };
        Ok(conn.prepare_cached(FIND_SQL)?.query_row([id.to_string()], read).optional()?)
    }

    fn is(&self, conn: &Connection, expected: &CaseState) -> Result<bool> {
        // Whom it was given to may have been erased since the event was read.
        let named = expected.assigned_seq.filter(|_| expected.case.assigned_to.is_some());
        let is_forgotten = named.map_or(Ok(false), |seq| is_erased(conn, seq))?;
        if !is_forgotten {
            return Ok(self.values == values(expected));
        }
        let case = Case { assigned_to: None, ..expected.case.clone() };
        Ok(self.values == values(&CaseState { case, ..expected.clone() }))
    }

    /// The positions of reports that stand elsewhere than expected, that should not have a state, or that should.
    fn differing_reports(&self, conn: &Connection, expected: &[CaseReport]) -> Result<Vec<u64>> {
        let stored = stored_reports(&self.reports)?;
        let is_expected = |StoredReport(_, id, state): &StoredReport| {
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
