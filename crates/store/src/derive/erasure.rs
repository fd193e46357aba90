//! What an erasure's own event keeps of the erased events. Their bodies are gone, so without this anybody could change what is
//! still counted or shown of them.
//!
//! Nothing in it is personal, because an erasure can't be erased.

use std::collections::BTreeMap;

use countersign_domain::{
    Event, InvestigationId, NewEvent, ReportId, Score, Severity,
    investigation::{Change, change_of},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{cases::investigation_of, column::ColumnValue, event_row::EventTable, ranks::ranked_by};
use crate::error::{Result, StoreError};

/// The metadata of a PAYLOAD_ERASED.
#[derive(Serialize, Deserialize, Default)]
pub(crate) struct ErasureRecord {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_logs: Vec<KeptLog>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_rows: Vec<KeptRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_changes: Vec<KeptChange>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_ranks: Vec<KeptRank>,
}

/// The row of an audit log.
#[derive(Serialize, Deserialize, PartialEq)]
pub(crate) struct KeptLog {
    pub(crate) seq: u64,
    pub(crate) id: String,
    /// Microseconds, as in the table.
    pub(crate) created_at: i64,
    pub(crate) risk_score: i64,
}

/// The columns of a row that its table keeps, in their order.
#[derive(Serialize, Deserialize, PartialEq)]
pub(crate) struct KeptRow {
    pub(crate) table: String,
    pub(crate) seq: u64,
    pub(crate) values: Vec<Value>,
}

/// The effect of an event on an investigation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptChange {
    pub(crate) seq: u64,
    pub(crate) investigation_id: InvestigationId,
    #[serde(flatten)]
    pub(crate) change: Change,
}

/// What an alert is ranked by.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct KeptRank {
    pub(crate) seq: u64,
    pub(crate) severity: Severity,
    pub(crate) score: Score,
}

impl ErasureRecord {
    /// Reads the metadata of a PAYLOAD_ERASED. Empty if it keeps nothing or can't be read.
    pub(crate) fn from_metadata(metadata: &str) -> Self {
        serde_json::from_str(metadata).unwrap_or_default()
    }

    pub(crate) fn metadata(&self) -> Result<String> {
        let Self { kept_logs, kept_rows, kept_changes, kept_ranks } = self;
        if kept_logs.is_empty() && kept_rows.is_empty() && kept_changes.is_empty() && kept_ranks.is_empty() {
            return Ok(NewEvent::NO_METADATA.to_owned());
        }
        Ok(serde_json::to_string(self)?)
    }

    /// Adds what is kept of the row of an event that is about to be erased. `values` are the columns after the position.
    pub(crate) fn keep_row(&mut self, table: EventTable, seq: u64, values: &[ColumnValue<'_>]) -> Result<()> {
        if table == EventTable::LogEntries {
            let log = kept_log(seq, values);
            self.kept_logs.push(log.ok_or_else(|| StoreError::Corrupt(format!("the row of log {seq} is damaged")))?);
        } else if table.is_repeated_by_erasures() {
            self.kept_rows.push(kept_row(table, seq, values));
        }
        Ok(())
    }

    /// Adds what is kept of an event that is about to be erased, beside its row. `of_report` gives the investigation that is
    /// stored with a report.
    pub(crate) fn keep_event(
        &mut self,
        seq: u64,
        event: &Event,
        of_report: impl FnOnce(&ReportId) -> Result<Option<String>>,
    ) -> Result<()> {
        self.kept_changes.extend(change_to_keep(seq, event, of_report)?);
        self.kept_ranks.extend(ranked_by(event).map(|(severity, score)| KeptRank { seq, severity, score }));
        Ok(())
    }
}

/// The part of an audit log's row that its erasure keeps. `None` if the row's values have types that the store never writes.
pub(crate) fn kept_log(seq: u64, values: &[ColumnValue<'_>]) -> Option<KeptLog> {
    let [id, created_at, risk_score, ..] = values else { return None };
    Some(KeptLog {
        seq,
        id: id.as_text()?.to_owned(),
        created_at: created_at.as_integer()?,
        risk_score: risk_score.as_integer()?,
    })
}

/// The columns of a row that its erasure repeats.
pub(crate) fn kept_row(table: EventTable, seq: u64, values: &[ColumnValue<'_>]) -> KeptRow {
    let json = |value: &ColumnValue<'_>| match value {
        ColumnValue::Integer(value) => Value::from(*value),
        ColumnValue::Text(text) => Value::from(text.as_ref()),
        ColumnValue::Null | ColumnValue::Unexpected => Value::Null,
    };
    let values = values.iter().take(table.columns_kept()).map(json).collect();
    KeptRow { table: table.name().to_owned(), seq, values }
}

/// How an event changed its case, without what is personal. `None` if it changed none. `of_report` gives the investigation that is
/// stored with a report.
pub(crate) fn change_to_keep(
    seq: u64,
    event: &Event,
    of_report: impl FnOnce(&ReportId) -> Result<Option<String>>,
) -> Result<Option<KeptChange>> {
    let Some((case_ref, change)) = change_of(event) else { return Ok(None) };
    let id = investigation_of(case_ref, of_report)?;
    Ok(id.map(|investigation_id| KeptChange { seq, investigation_id, change: change.without_names() }))
}

/// An erasure's record, by the positions of the erased events.
#[derive(Default)]
pub(crate) struct KeptByPosition {
    changes: BTreeMap<u64, KeptChange>,
    ranks: BTreeMap<u64, KeptRank>,
}

impl KeptByPosition {
    pub(crate) fn new(record: ErasureRecord) -> Self {
        Self {
            changes: record.kept_changes.into_iter().map(|change| (change.seq, change)).collect(),
            ranks: record.kept_ranks.into_iter().map(|rank| (rank.seq, rank)).collect(),
        }
    }

    pub(crate) fn change_of(&self, seq: u64) -> Option<&KeptChange> {
        self.changes.get(&seq)
    }

    pub(crate) fn rank_of(&self, seq: u64) -> Option<KeptRank> {
        self.ranks.get(&seq).copied()
    }
}

#[cfg(test)]
mod tests {
    use countersign_domain::EventType;

    use super::*;

    fn record(table: EventTable, values: &[ColumnValue<'_>]) -> Result<String> {
        let mut record = ErasureRecord::default();
        record.keep_row(table, 7, values)?;
        record.metadata()
    }

    #[test]
    fn only_the_columns_that_an_erasure_leaves_are_kept() {
        let (id, text) = (ColumnValue::text("l-1"), || ColumnValue::text("personal"));
        let log = [id.clone(), ColumnValue::Integer(5), ColumnValue::Integer(3), text()];
        let expected = r#"{"kept_logs":[{"seq":7,"id":"l-1","created_at":5,"risk_score":3}]}"#;
        assert_eq!(record(EventTable::LogEntries, &log).unwrap(), expected);
        let report = [id, ColumnValue::text("i-1"), ColumnValue::text("sar"), ColumnValue::Integer(2), text()];
        let expected = r#"{"kept_rows":[{"table":"report_entries","seq":7,"values":["l-1","i-1","sar",2]}]}"#;
        assert_eq!(record(EventTable::ReportEntries, &report).unwrap(), expected);
        assert_eq!(record(EventTable::Alerts, &[text(), text()]).unwrap(), NewEvent::NO_METADATA);
    }

    #[test]
    fn a_log_whose_row_is_damaged_is_not_erased() {
        let row = [ColumnValue::text("l-1"), ColumnValue::Unexpected, ColumnValue::Integer(3)];
        assert!(matches!(record(EventTable::LogEntries, &row), Err(StoreError::Corrupt(_))));
    }

    #[test]
    fn an_assignment_is_kept_without_the_assignee() {
        let payload = r#"{"investigation_id": "5bb0112c-b313-5c32-9af5-20108cf555a8", "assigned_to": "Ana Reis",
            "assigned_by": "Jo Lind", "assigned_at": "2026-03-01T09:31:00.000000Z"}"#;
        let event = Event::from_payload(EventType::InvestigationAssigned, payload).unwrap();
        let kept = change_to_keep(7, &event, |_| Ok(None)).unwrap().unwrap();
        assert_eq!((kept.seq, kept.change), (7, Change::Assigned { to: None }));
    }
}
