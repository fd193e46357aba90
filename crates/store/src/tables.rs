//! The tables of a store, as every backend has them: their names, their columns, and rows on the way from one database to another.
//!
//! Backups are files of one format, whatever database the store is kept in, so rows are copied between databases as they are. This
//! does not list columns that a database computes itself, nor tables that only one backend has.

use crate::error::Result;

/// The most rows in a batch, and the size from which on nothing is added to it. One more row may be as large as a report.
const BATCH_ROWS: usize = 2_000;
const BATCH_BYTES: usize = 4 << 20;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Integer,
    Text,
    Blob,
}

/// A table, and the columns that are copied.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// The columns that its rows are read in the order of.
    pub(crate) order: &'static str,
    pub(crate) columns: &'static [(&'static str, ColumnKind)],
}

impl Table {
    /// The names of its columns, as a list for a statement.
    pub(crate) fn column_list(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// Whether it has a row for every event, or almost every one.
    pub(crate) fn is_log(&self) -> bool {
        matches!(self.name, "event_log" | "event_bodies")
    }
}

use ColumnKind::{Blob as B, Integer as I, Text as T};

const fn table(name: &'static str, order: &'static str, columns: &'static [(&'static str, ColumnKind)]) -> Table {
    Table { name, order, columns }
}

/// All tables, in the order in which they are copied: rows that others refer to come first.
pub(crate) const TABLES: [Table; 26] = [
    table("event_log", "seq", &[("seq", I), ("header", T), ("leaf_hash", B)]),
    table("event_bodies", "seq", &[("seq", I), ("salt", B), ("payload", T), ("metadata", T)]),
    table("erasures", "seq", &[("seq", I), ("event_seq", I)]),
    table("ledger_head", "id", &[("id", I), ("origin", T), ("size", I), ("root", B), ("frontier", B), ("seal", B)]),
    table("ledger_nodes", "level, idx", &[("level", I), ("idx", I), ("hash", B)]),
    table("checkpoints", "size", &[("size", I), ("note", T)]),
    table("transaction_ids", "seq", &[("seq", I), ("transaction_id", T)]),
    table("user_transactions", "seq", &[("seq", I), ("user_id", T)]),
    table(
        "alerts",
        "seq",
        &[("seq", I), ("alert_id", T), ("user_id", T), ("severity", T), ("score", I), ("transaction_id", T)],
    ),
    table("alert_ranks", "severity, score, seq", &[("seq", I), ("severity", T), ("score", I), ("nth", I)]),
    table(
        "investigations",
        "seq",
        &[("seq", I), ("investigation_id", T), ("alert_id", T), ("user_id", T), ("severity", T), ("risk_score", I)],
    ),
    table("log_entries", "seq", &[("seq", I), ("id", T), ("created_at", I), ("risk_score", I), ("idempotency", T)]),
    table("open_answers", "log_id", &[("log_id", T), ("seq", I), ("state", T)]),
    table(
        "report_entries",
        "seq",
        &[
            ("seq", I),
            ("id", T),
            ("investigation_id", T),
            ("report_type", T),
            ("version", I),
            ("fraud_detection_id", T),
            ("transaction_id", T),
            ("severity", T),
            ("risk_score", I),
            ("content_hash", T),
            ("generated_at", T),
            ("regeneration_of", T),
        ],
    ),
    table("report_bodies", "seq", &[("seq", I), ("content", T)]),
    table(
        "validation_entries",
        "seq",
        &[("seq", I), ("id", T), ("report_id", T), ("passed", I), ("validation_score", I), ("validated_at", T)],
    ),
    table("review_entries", "seq", &[("seq", I), ("report_id", T), ("investigation_id", T)]),
    table(
        "case_states",
        "investigation_id",
        &[
            ("investigation_id", T),
            ("seq", I),
            ("state", T),
            ("alert_state", T),
            ("severity", T),
            ("assigned_to", T),
            ("report_id", T),
            ("alert_seq", I),
            ("opened_seq", I),
            ("report_seq", I),
            ("assigned_seq", I),
        ],
    ),
    table("report_states", "seq", &[("seq", I), ("state", T)]),
    table(
        "dead_letters",
        "id",
        &[
            ("id", T),
            ("seq", I),
            ("agent", T),
            ("event_seq", I),
            ("event_id", T),
            ("event_type", T),
            ("attempts", I),
            ("error", T),
            ("dead_lettered_at", T),
            ("state", T),
        ],
    ),
    table(
        "access_keys",
        "id",
        &[
            ("id", T),
            ("seq", I),
            ("name", T),
            ("role", T),
            ("secret_sha256", T),
            ("created_at", T),
            ("expires_at", T),
            ("revoked_at", T),
        ],
    ),
    table("agent_progress", "agent", &[("agent", T), ("low", I)]),
    table("agent_done", "agent, seq", &[("agent", T), ("seq", I)]),
    table("agent_attempts", "agent, seq", &[("agent", T), ("seq", I), ("attempts", I)]),
    table(
        "agent_registry",
        "name",
        &[
            ("name", T),
            ("state", T),
            ("priority", I),
            ("paused", I),
            ("started_at", T),
            ("heartbeat_at", T),
            ("processed", I),
            ("failed", I),
            ("dead_lettered", I),
            ("lag", I),
            ("last_error", T),
        ],
    ),
    table("process_state", "id", &[("id", I), ("clean_stop", I)]),
];

/// The values of one column of several rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ColumnBatch {
    Integers(Vec<Option<i64>>),
    Texts(Vec<Option<String>>),
    Blobs(Vec<Option<Vec<u8>>>),
}

/// Rows of one table, column by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Batch {
    pub(crate) columns: Vec<ColumnBatch>,
    rows: usize,
    bytes: usize,
}

impl Batch {
    pub(crate) fn of(table: &Table) -> Self {
        let column = |(_, kind): &(&str, ColumnKind)| match kind {
            ColumnKind::Integer => ColumnBatch::Integers(Vec::new()),
            ColumnKind::Text => ColumnBatch::Texts(Vec::new()),
            ColumnKind::Blob => ColumnBatch::Blobs(Vec::new()),
        };
        Self { columns: table.columns.iter().map(column).collect(), rows: 0, bytes: 0 }
    }

    /// Adds a row. `add` adds the value at a place in the row to its column, and returns the value's size.
    pub(crate) fn add_row(&mut self, mut add: impl FnMut(usize, &mut ColumnBatch) -> Result<usize>) -> Result<()> {
        for (at, column) in self.columns.iter_mut().enumerate() {
            self.bytes += add(at, column)?;
        }
        self.rows += 1;
        Ok(())
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }
}

/// A store whose rows can be read table by table, all as of one moment.
pub(crate) trait TableSource {
    /// The number of events in its log.
    fn events(&mut self) -> Result<u64>;

    /// Calls `each` with all rows of a table, in its order, in batches that aren't empty.
    fn read(&mut self, table: &Table, each: &mut dyn FnMut(Batch) -> Result<()>) -> Result<()>;
}

/// A new store that rows are copied into.
pub(crate) trait TableSink {
    fn write(&mut self, table: &Table, batch: Batch) -> Result<()>;
}

/// Copies all tables. Calls `copied` after each batch with its table and its number of rows.
pub(crate) fn copy_tables(
    source: &mut dyn TableSource,
    sink: &mut dyn TableSink,
    copied: &mut dyn FnMut(&Table, usize),
) -> Result<()> {
    for table in &TABLES {
        source.read(table, &mut |batch| {
            let rows = batch.rows();
            sink.write(table, batch)?;
            copied(table, rows);
            Ok(())
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(rows: usize, size: usize) -> bool {
        let mut batch = Batch::of(&table("process_state", "id", &[("id", I), ("clean_stop", I)]));
        for _ in 0..rows {
            batch.add_row(|_, _| Ok(size)).unwrap();
        }
        batch.is_full()
    }

    #[test]
    fn a_batch_is_bounded_by_rows_and_by_bytes() {
        assert!(!full(BATCH_ROWS - 1, 1));
        assert!(full(BATCH_ROWS, 1));
        assert!(!full(1, BATCH_BYTES / 2 - 1));
        assert!(full(1, BATCH_BYTES / 2));
    }
}
