//! What an erasure leaves, said in the erasure's own event: the body that could confirm it is gone, and so what is still
//! counted or shown of it would be anybody's to change.
//!
//! Nothing here is personal, because an erasure can't be erased.

use std::collections::BTreeMap;

use countersign_domain::{InvestigationId, NewEvent, Score, Severity, investigation::Change};
use rusqlite::{Connection, OptionalExtension, types::ValueRef};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    cases,
    projection::{self, Table},
    ranks,
};
use crate::{check::Check, error::Result};

/// The metadata of a PAYLOAD_ERASED.
#[derive(Serialize, Deserialize, Default)]
pub(crate) struct ErasureRecord {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept_logs: Vec<KeptLog>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept_rows: Vec<KeptRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_changes: Vec<KeptChange>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept_ranks: Vec<KeptRank>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct KeptLog {
    seq: u64,
    id: String,
    /// Microseconds, as in the table.
    created_at: i64,
    risk_score: i64,
}

/// The columns of a row that its table keeps, in their order.
#[derive(Serialize, Deserialize, PartialEq)]
struct KeptRow {
    table: String,
    seq: u64,
    values: Vec<Value>,
}

/// What an event meant to an investigation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptChange {
    pub(crate) seq: u64,
    pub(crate) investigation_id: InvestigationId,
    #[serde(flatten)]
    pub(crate) change: Change,
}

/// What an alert is counted by.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct KeptRank {
    pub(crate) seq: u64,
    pub(crate) severity: Severity,
    pub(crate) score: Score,
}

impl ErasureRecord {
    /// Of these events, which are about to be erased.
    pub(crate) fn of(conn: &Connection, seqs: &[u64]) -> Result<Self> {
        let mut kept = Self::default();
        for seq in seqs {
            kept.kept_logs.extend(log(conn, *seq)?);
            for table in projection::TABLES.into_iter().filter(|table| table.says_what_it_keeps) {
                kept.kept_rows.extend(row(conn, table, *seq)?);
            }
            kept.kept_changes.extend(cases::kept(conn, *seq)?);
            let alert = ranks::read(conn, *seq)?;
            kept.kept_ranks.extend(alert.map(|(severity, score)| KeptRank { seq: *seq, severity, score }));
        }
        Ok(kept)
    }

    pub(crate) fn metadata(&self) -> Result<String> {
        let Self { kept_logs, kept_rows, kept_changes, kept_ranks } = self;
        if kept_logs.is_empty() && kept_rows.is_empty() && kept_changes.is_empty() && kept_ranks.is_empty() {
            return Ok(NewEvent::NO_METADATA.to_owned());
        }
        Ok(serde_json::to_string(self)?)
    }
}

/// Compares the rows with what was said of them. Returns the ids of the logs.
pub(crate) fn check(conn: &Connection, metadata: &str, check: &mut Check) -> Result<Vec<String>> {
    let Ok(said) = serde_json::from_str::<ErasureRecord>(metadata) else { return Ok(Vec::new()) };
    for said in &said.kept_logs {
        if log(conn, said.seq)?.is_some_and(|stored| stored != *said) {
            check.find(Some(said.seq), None, "reads differently in the table log_entries");
        }
    }
    for said in &said.kept_rows {
        let table = projection::TABLES.into_iter().find(|table| table.name == said.table);
        let stored = table.map_or(Ok(None), |table| row(conn, table, said.seq))?;
        if stored.is_some_and(|stored| stored != *said) {
            check.find(Some(said.seq), None, format!("reads differently in the table {}", said.table));
        }
    }
    Ok(said.kept_logs.into_iter().map(|log| log.id).collect())
}

/// What erasures have kept, read one erasure at a time: those of one customer's events are often the same.
#[derive(Default)]
pub(crate) struct Erasures {
    last: Option<(u64, Said)>,
}

#[derive(Default)]
struct Said {
    changes: BTreeMap<u64, KeptChange>,
    ranks: BTreeMap<u64, KeptRank>,
}

impl Erasures {
    /// What an erased event meant to an investigation.
    pub(crate) fn change_of(&mut self, conn: &Connection, seq: u64) -> Result<Option<KeptChange>> {
        Ok(self.about(conn, seq)?.and_then(|said| said.changes.get(&seq)).cloned())
    }

    /// What an erased alert is counted by.
    pub(crate) fn rank_of(&mut self, conn: &Connection, seq: u64) -> Result<Option<KeptRank>> {
        Ok(self.about(conn, seq)?.and_then(|said| said.ranks.get(&seq)).copied())
    }

    /// All that the erasure of this event says.
    fn about(&mut self, conn: &Connection, seq: u64) -> Result<Option<&Said>> {
        let sql = "SELECT event_seq FROM erasures WHERE seq = ?1";
        let by: Option<u64> = conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?;
        let Some(by) = by else { return Ok(None) };
        if self.last.as_ref().is_none_or(|(last, _)| *last != by) {
            self.last = Some((by, Said::by(conn, by)?));
        }
        Ok(self.last.as_ref().map(|(_, said)| said))
    }
}

impl Said {
    fn by(conn: &Connection, erasure: u64) -> Result<Self> {
        let sql = "SELECT metadata FROM event_bodies WHERE seq = ?1";
        let metadata: Option<String> = conn.prepare_cached(sql)?.query_row([erasure], |row| row.get(0)).optional()?;
        let kept =
            metadata.and_then(|metadata| serde_json::from_str::<ErasureRecord>(&metadata).ok()).unwrap_or_default();
        Ok(Self {
            changes: kept.kept_changes.into_iter().map(|change| (change.seq, change)).collect(),
            ranks: kept.kept_ranks.into_iter().map(|rank| (rank.seq, rank)).collect(),
        })
    }
}

fn log(conn: &Connection, seq: u64) -> Result<Option<KeptLog>> {
    let mut select = conn.prepare_cached("SELECT id, created_at, risk_score FROM log_entries WHERE seq = ?1")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(KeptLog { seq, id: row.get(0)?, created_at: row.get(1)?, risk_score: row.get(2)? })
    };
    Ok(select.query_row([seq], read).optional()?)
}

fn row(conn: &Connection, table: &Table, seq: u64) -> Result<Option<KeptRow>> {
    let read = |row: &rusqlite::Row<'_>| {
        let values = (0..table.kept).map(|column| Ok(json(row.get_ref(column)?)));
        Ok(KeptRow { table: table.name.to_owned(), seq, values: values.collect::<rusqlite::Result<_>>()? })
    };
    Ok(conn.prepare_cached(table.select)?.query_row([seq], read).optional()?)
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Integer(value) => value.into(),
        ValueRef::Text(value) => String::from_utf8_lossy(value).into(),
        _ => Value::Null,
    }
}
