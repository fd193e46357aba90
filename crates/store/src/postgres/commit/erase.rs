//! Erasing bodies and what was derived from them.

use std::{borrow::Cow, collections::HashMap};

use countersign_domain::{
    Event, EventType, NewEvent,
    investigation::{CaseRef, Change, change_of},
};

use super::{plan::Plan, writes::OwnedValue};
use crate::{
    derive::{cases::case_event, erasure::ErasureRecord, event_row::EventTable},
    error::{Result, StoreError},
    job::JobOutcome,
    postgres::{
        event_tables::rows_at,
        session::Session,
        values::{Columns, number, values},
    },
};

/// Names the events whose bodies go, and the event that says so. It comes first, because triggers ask for it.
const ERASURES_SQL: &str = "INSERT INTO countersign.erasures (seq, event_seq)
     SELECT seq, $2 FROM unnest($1::bigint[]) AS n(seq) ON CONFLICT (seq) DO NOTHING";
const FORGET_SQL: [&str; 7] = [
    "DELETE FROM countersign.event_bodies WHERE seq = ANY ($1)",
    "UPDATE countersign.alerts SET user_id = NULL, severity = NULL, score = NULL, transaction_id = NULL
     WHERE seq = ANY ($1)",
    "UPDATE countersign.investigations SET alert_id = NULL, user_id = NULL, severity = NULL, risk_score = NULL
     WHERE seq = ANY ($1)",
    "UPDATE countersign.log_entries SET idempotency = NULL WHERE seq = ANY ($1) AND idempotency IS NOT NULL",
    "UPDATE countersign.report_entries SET fraud_detection_id = NULL, transaction_id = NULL, severity = NULL,
       risk_score = NULL, content_hash = NULL, generated_at = NULL, regeneration_of = NULL
     WHERE seq = ANY ($1) AND content_hash IS NOT NULL",
    "DELETE FROM countersign.user_transactions WHERE seq = ANY ($1)",
    "DELETE FROM countersign.report_bodies WHERE seq = ANY ($1)",
];
const FORGET_ASSIGNEE_SQL: &str = "UPDATE countersign.case_states SET assigned_to = NULL
     WHERE investigation_id = $1 AND assigned_seq = $2 AND assigned_to IS NOT NULL";

impl<'a> Plan<'a> {
    /// Erases the bodies at these positions. What must be kept of them is read in the transaction that erases them.
    pub(super) async fn erase(&mut self, session: &Session, seqs: &[u64], event: &'a NewEvent) -> Result<JobOutcome> {
        if let Some(seq) = seqs.iter().find(|seq| **seq >= self.known.frontier.size()) {
            return Err(StoreError::Conflict(format!("there is no event {seq}")));
        }
        let positions: Vec<i64> = seqs.iter().copied().map(number).collect();
        let kept = record(session, seqs, &positions).await?;
        let event = NewEvent { metadata: kept.metadata()?, ..event.clone() };
        let event_seq = self.append(Cow::Owned(event), &[])?;
        let list = || OwnedValue::Integers(positions.clone());
        self.statement(ERASURES_SQL, vec![list(), OwnedValue::Integer(number(event_seq))]);
        for sql in FORGET_SQL {
            self.statement(sql, vec![list()]);
        }
        for change in &kept.kept_changes {
            if let Change::Assigned { .. } = change.change {
                let id = OwnedValue::text(change.investigation_id.to_string());
                self.statement(FORGET_ASSIGNEE_SQL, vec![id, OwnedValue::Integer(number(change.seq))]);
            }
        }
        Ok(JobOutcome::Done)
    }
}

/// Collects what the erasure of these events must keep.
async fn record(session: &Session, seqs: &[u64], positions: &[i64]) -> Result<ErasureRecord> {
    let events = case_events(session, positions).await?;
    let of_reports = investigations_of_reports(session, &events).await?;
    let mut rows = HashMap::new();
    // Erasures keep nothing of the other tables.
    let has_kept_rows = |table: &EventTable| *table == EventTable::LogEntries || table.is_repeated_by_erasures();
    for table in EventTable::ALL.into_iter().filter(has_kept_rows) {
        for (seq, values) in rows_at(session, table, positions).await? {
            rows.insert((table, seq), values);
        }
    }
    let mut record = ErasureRecord::default();
    for seq in seqs {
        for table in EventTable::ALL {
            rows.get(&(table, *seq)).map_or(Ok(()), |values| record.keep_row(table, *seq, values))?;
        }
        if let Some(event) = events.get(seq) {
            record.keep_event(*seq, event, |report| Ok(of_reports.get(report.as_str()).cloned()))?;
        }
    }
    Ok(record)
}

/// Those of the events that change cases.
async fn case_events(session: &Session, positions: &[i64]) -> Result<HashMap<u64, Event>> {
    let sql = "SELECT l.seq, l.event_type, b.payload FROM countersign.event_log l
               LEFT JOIN countersign.event_bodies b ON b.seq = l.seq AND b.seq = ANY ($1) WHERE l.seq = ANY ($1)";
    let mut events = HashMap::new();
    for row in session.rows(sql, values![positions]).await? {
        let event_type = row.text(1)?;
        // Triggers refuse the other types of events that may not be erased.
        if event_type == EventType::DeadLetterChanged.as_str() {
            return Err(StoreError::Conflict("the record of a dead letter can't be erased".into()));
        }
        let event = row.text_if_any(2)?.and_then(|payload| case_event(event_type, payload));
        let seq = row.number(0)?;
        events.extend(event.map(|event| (seq, event)));
    }
    Ok(events)
}

/// The investigations of the reports that events name instead of an investigation.
async fn investigations_of_reports(session: &Session, events: &HashMap<u64, Event>) -> Result<HashMap<String, String>> {
    let named = |event: &Event| match change_of(event) {
        Some((CaseRef::ReportOf(report), _)) => Some(report.as_str().to_owned()),
        _ => None,
    };
    let reports: Vec<String> = events.values().filter_map(named).collect();
    if reports.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "SELECT id, investigation_id FROM countersign.report_entries WHERE id = ANY ($1)";
    let rows = session.rows(sql, values![reports]).await?;
    rows.iter().map(|row| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned()))).collect()
}
