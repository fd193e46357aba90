//! Copies rows between a store's database and another one: all of it for a backup, and into a new schema for a restore.

use std::pin::Pin;

use futures_util::StreamExt;
use tokio_postgres::{Row, RowStream};

use super::{
    PostgresDatabase, ledger, schema,
    session::{Session, Sessions, Threads},
    values::{Columns, SqlValue, column_value, storable},
};
use crate::{
    error::{Result, StoreError},
    store::Threading,
    tables::{Batch, ColumnBatch, Table, TableSink, TableSource, copy_tables},
};

/// A long log takes longer to copy than the time limits that suit other clients. Every table is read in the order of an index if
/// one has that order, because sorting the log would take its size again on the server.
const BEGIN_SQL: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
     SET LOCAL statement_timeout = 0;
     SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL enable_sort = off;
     SET LOCAL jit = off";

impl PostgresDatabase {
    /// Copies all tables as of one moment. Returns the number of events in the copy. Progress is counted in events.
    pub(crate) fn copy_to(&self, sink: &mut dyn TableSink, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
        // Dropping both closes the connection, which also ends what an error has interrupted.
        let threads = Threads::start(Threading::Threaded)?;
        let sessions = Sessions::new(&self.address, 1)?;
        let mut source = SnapshotTables::begin(&threads, &sessions)?;
        let events = source.events()?;
        let mut rows = 0;
        copy_tables(&mut source, sink, &mut |table, copied| {
            if table.is_log() {
                rows += copied as u64;
                progress(events.min(rows / 2), events);
            }
        })?;
        progress(events, events);
        Ok(events)
    }
}

/// All tables as of one moment.
struct SnapshotTables<'a> {
    threads: &'a Threads,
    session: Session,
}

impl<'a> SnapshotTables<'a> {
    fn begin(threads: &'a Threads, sessions: &Sessions) -> Result<Self> {
        let sessions = sessions.clone();
        let session = threads.block_on(async move {
            let session = sessions.get().await?;
            session.run(BEGIN_SQL).await?;
            schema::check_current(&session).await?;
            Ok(session)
        })?;
        Ok(Self { threads, session })
    }
}

impl TableSource for SnapshotTables<'_> {
    fn events(&mut self) -> Result<u64> {
        let session = self.session.clone();
        self.threads.block_on(async move {
            let head = ledger::read_head(&session).await?;
            head.map(|head| head.frontier.size()).ok_or_else(|| StoreError::Corrupt("the tree is missing".into()))
        })
    }

    fn read(&mut self, table: &Table, each: &mut dyn FnMut(Batch) -> Result<()>) -> Result<()> {
        let sql = format!("SELECT {} FROM countersign.{} ORDER BY {}", table.column_list(), table.name, table.order);
        let session = self.session.clone();
        let mut next = Some(self.threads.block_on(async move { session.stream(&sql).await })?);
        while let Some(rows) = next {
            let batch = Batch::of(table);
            let (batch, rest) = self.threads.block_on(fill(batch, rows))?;
            if !batch.is_empty() {
                each(batch)?;
            }
            next = rest;
        }
        Ok(())
    }
}

type Rows = Pin<Box<RowStream>>;

/// Adds rows until the batch is full. Returns what is left of the rows; `None` at the end.
async fn fill(mut batch: Batch, mut rows: Rows) -> Result<(Batch, Option<Rows>)> {
    while !batch.is_full() {
        match rows.next().await {
            Some(row) => {
                let row = row?;
                batch.add_row(|at, column| add(column, &row, at))?;
            }
            None => return Ok((batch, None)),
        }
    }
    Ok((batch, Some(rows)))
}

/// Adds a value to its column, and returns its size.
fn add(column: &mut ColumnBatch, row: &Row, at: usize) -> Result<usize> {
    Ok(match column {
        ColumnBatch::Integers(values) => {
            values.push(row.column(at)?);
            size_of::<i64>()
        }
        ColumnBatch::Texts(values) => {
            let value: Option<String> = row.column(at)?;
            let size = value.as_ref().map_or(0, String::len);
            values.push(value);
            size
        }
        ColumnBatch::Blobs(values) => {
            let value: Option<Vec<u8>> = row.column(at)?;
            let size = value.as_ref().map_or(0, Vec::len);
            values.push(value);
            size
        }
    })
}

/// The tables of a new schema, in a transaction that is open.
pub(super) struct NewTables<'a> {
    pub(super) threads: &'a Threads,
    pub(super) session: Session,
}

impl TableSink for NewTables<'_> {
    fn write(&mut self, table: &Table, mut batch: Batch) -> Result<()> {
        batch.columns.iter_mut().for_each(make_storable);
        let (sql, session) = (insert_sql(table), self.session.clone());
        self.threads.block_on(async move {
            let values: Vec<SqlValue<'_>> = batch.columns.iter().map(column_value).collect();
            session.execute(&sql, &values).await.map(drop)
        })
    }
}

/// Inserts rows of a table, given column by column.
pub(super) fn insert_sql(table: &Table) -> String {
    let arrays: Vec<String> = (1..=table.columns.len()).map(|place| format!("${place}")).collect();
    let (name, columns) = (table.name, table.column_list());
    format!("INSERT INTO countersign.{name} ({columns}) SELECT * FROM unnest({})", arrays.join(", "))
}

/// Rows derived from events may have a text with U+0000 on SQLite. In events and in reports' contents it is escaped.
fn make_storable(column: &mut ColumnBatch) {
    let ColumnBatch::Texts(texts) = column else { return };
    for text in texts.iter_mut().flatten().filter(|text| text.contains('\0')) {
        *text = storable(text).into_owned();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::tables::{ColumnKind, TABLES};

    const OBJECTS: &str = include_str!("../../migrations/postgres/objects.txt");

    /// Tables that are filled from others, or behind the log.
    const OWN: [&str; 7] =
        ["schema_version", "event_ids", "log_ids", "log_words", "log_counts", "search_progress", "leases"];

    #[test]
    fn every_column_of_every_table_is_copied() {
        let column = |line: &'static str| {
            let (name, definition) = line.strip_prefix("column ")?.split_once(": ")?;
            let (table, _) = name.split_once('.')?;
            let is_copied = !OWN.contains(&table) && !definition.contains(" generated ");
            is_copied.then(|| format!("{name} {}", definition.split(' ').next().unwrap_or_default()))
        };
        let expected: BTreeSet<String> = OBJECTS.lines().filter_map(column).collect();
        let type_of = |kind: &ColumnKind| match kind {
            ColumnKind::Integer => "bigint",
            ColumnKind::Text => "text",
            ColumnKind::Blob => "bytea",
        };
        let mut copied = BTreeSet::new();
        for table in &TABLES {
            copied.extend(table.columns.iter().map(|(name, kind)| format!("{}.{name} {}", table.name, type_of(kind))));
        }
        assert_eq!(copied, expected);
    }
}
