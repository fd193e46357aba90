//! Reading and checking what erasures keep (`derive/erasure.rs`).

use rusqlite::{Connection, OptionalExtension, types::ValueRef};
use serde_json::Value;

use super::{cases, event_tables::statements, ranks};
use crate::{
    check::Check,
    derive::{
        erasure::{ErasureRecord, KeptByPosition, KeptChange, KeptLog, KeptRank, KeptRow},
        event_row::EventTable,
    },
    error::Result,
};

/// What the erasure of these events will keep.
pub(crate) fn record(conn: &Connection, seqs: &[u64]) -> Result<ErasureRecord> {
    let mut record = ErasureRecord::default();
    for seq in seqs {
        record.kept_logs.extend(log(conn, *seq)?);
        for table in EventTable::ALL.into_iter().filter(|table| table.is_repeated_by_erasures()) {
            record.kept_rows.extend(row(conn, table, *seq)?);
        }
        record.kept_changes.extend(cases::change_to_keep(conn, *seq)?);
        let alert = ranks::read(conn, *seq)?;
        record.kept_ranks.extend(alert.map(|(severity, score)| KeptRank { seq: *seq, severity, score }));
    }
    Ok(record)
}

/// Compares the rows of erased events with what their erasure says. Returns the ids of the erased logs.
pub(crate) fn check(conn: &Connection, metadata: &str, check: &mut Check) -> Result<Vec<String>> {
    let record = ErasureRecord::from_metadata(metadata);
    for kept in &record.kept_logs {
        if log(conn, kept.seq)?.is_some_and(|stored| stored != *kept) {
            check.find(Some(kept.seq), None, "does not match its row in the table log_entries");
        }
    }
    for kept in &record.kept_rows {
        let table = EventTable::ALL.into_iter().find(|table| table.name() == kept.table);
        let stored = table.map_or(Ok(None), |table| row(conn, table, kept.seq))?;
        if stored.is_some_and(|stored| stored != *kept) {
            check.find(Some(kept.seq), None, format!("does not match its row in the table {}", kept.table));
        }
    }
    Ok(record.kept_logs.into_iter().map(|log| log.id).collect())
}

/// Looks up what erasures have kept. The last record is cached, because consecutive erased events often share an erasure.
#[derive(Default)]
pub(crate) struct Erasures {
    last: Option<(u64, KeptByPosition)>,
}

impl Erasures {
    /// The effect of an erased event on its investigation.
    pub(crate) fn change_of(&mut self, conn: &Connection, seq: u64) -> Result<Option<KeptChange>> {
        Ok(self.of(conn, seq)?.and_then(|kept| kept.change_of(seq)).cloned())
    }

    /// What an erased alert is ranked by.
    pub(crate) fn rank_of(&mut self, conn: &Connection, seq: u64) -> Result<Option<KeptRank>> {
        Ok(self.of(conn, seq)?.and_then(|kept| kept.rank_of(seq)))
    }

    /// Everything that the erasure of this event has kept.
    fn of(&mut self, conn: &Connection, seq: u64) -> Result<Option<&KeptByPosition>> {
        let sql = "SELECT event_seq FROM erasures WHERE seq = ?1";
        let erasure: Option<u64> = conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?;
        let Some(erasure) = erasure else { return Ok(None) };
        if self.last.as_ref().is_none_or(|(last, _)| *last != erasure) {
            self.last = Some((erasure, read(conn, erasure)?));
        }
        Ok(self.last.as_ref().map(|(_, kept)| kept))
    }
}

fn read(conn: &Connection, erasure: u64) -> Result<KeptByPosition> {
    let sql = "SELECT metadata FROM event_bodies WHERE seq = ?1";
    let metadata: Option<String> = conn.prepare_cached(sql)?.query_row([erasure], |row| row.get(0)).optional()?;
    Ok(KeptByPosition::new(ErasureRecord::from_metadata(&metadata.unwrap_or_default())))
}

fn log(conn: &Connection, seq: u64) -> Result<Option<KeptLog>> {
    let mut select = conn.prepare_cached("SELECT id, created_at, risk_score FROM log_entries WHERE seq = ?1")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(KeptLog { seq, id: row.get(0)?, created_at: row.get(1)?, risk_score: row.get(2)? })
    };
    Ok(select.query_row([seq], read).optional()?)
}

fn row(conn: &Connection, table: EventTable, seq: u64) -> Result<Option<KeptRow>> {
    let read = |row: &rusqlite::Row<'_>| {
        let values = (0..table.columns_kept()).map(|column| Ok(json(row.get_ref(column)?)));
        Ok(KeptRow { table: table.name().to_owned(), seq, values: values.collect::<rusqlite::Result<_>>()? })
    };
    Ok(conn.prepare_cached(statements(table).select)?.query_row([seq], read).optional()?)
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Integer(value) => value.into(),
        ValueRef::Text(value) => String::from_utf8_lossy(value).into(),
        _ => Value::Null,
    }
}
