//! Copies rows between a database file and a store on another database.

use std::path::Path;

use countersign_ledger::VerifyingKey;
use rusqlite::{
    Connection,
    types::{ToSqlOutput, ValueRef},
};

use super::{backup::check_backup, readers::open_read_only, schema};
use crate::{
    error::{Result, StoreError},
    tables::{Batch, ColumnBatch, Table, TableSink, TableSource},
};

/// A database file that rows are copied into. It gets its indexes, triggers and views after that: triggers would refuse rows of
/// later states, such as those that an erasure has blanked, and indexes are made faster from all rows.
pub(super) struct NewFile {
    conn: Connection,
}

impl NewFile {
    pub(super) fn create(path: &Path) -> Result<Self> {
        schema::create_private(path)?;
        let conn = Connection::open(path)?;
        // If copying fails, the file is deleted. It is synced once it is complete.
        conn.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN EXCLUSIVE;",
        )?;
        schema::create_tables(&conn)?;
        Ok(Self { conn })
    }

    /// Adds what the schema has besides tables.
    pub(super) fn finish(self) -> Result<()> {
        schema::complete(&self.conn)?;
        self.conn.execute_batch("COMMIT")?;
        schema::check_current(&self.conn)?;
        self.conn.close().map_err(|(_, error)| StoreError::from(error))
    }
}

impl TableSink for NewFile {
    fn write(&mut self, table: &Table, batch: Batch) -> Result<()> {
        let places: Vec<String> = (1..=table.columns.len()).map(|place| format!("?{place}")).collect();
        let sql = format!("INSERT INTO {} ({}) VALUES ({})", table.name, table.column_list(), places.join(", "));
        let mut insert = self.conn.prepare_cached(&sql)?;
        for row in 0..batch.rows() {
            for (place, column) in (1..).zip(&batch.columns) {
                insert.raw_bind_parameter(place, ToSqlOutput::Borrowed(value_at(column, row)))?;
            }
            insert.raw_execute()?;
        }
        Ok(())
    }
}

fn value_at(column: &ColumnBatch, row: usize) -> ValueRef<'_> {
    let value = match column {
        ColumnBatch::Integers(values) => values.get(row).copied().flatten().map(ValueRef::Integer),
        ColumnBatch::Texts(values) => {
            values.get(row).and_then(Option::as_deref).map(|text| ValueRef::Text(text.as_bytes()))
        }
        ColumnBatch::Blobs(values) => values.get(row).and_then(Option::as_deref).map(ValueRef::Blob),
    };
    value.unwrap_or(ValueRef::Null)
}

/// A backup that is to be restored to another database. All rows are read as of one moment, because the file may also be the
/// database of a store in use.
pub(crate) struct SourceFile {
    conn: Connection,
}

impl SourceFile {
    /// Checks the backup as a restore to SQLite does, and opens it.
    pub(crate) fn open(file: &Path, key: Option<&VerifyingKey>) -> Result<Self> {
        check_backup(file, key)?;
        let conn = open_read_only(file)?;
        conn.execute_batch("BEGIN")?;
        Ok(Self { conn })
    }
}

impl TableSource for SourceFile {
    fn events(&mut self) -> Result<u64> {
        Ok(self.conn.query_row("SELECT count(*) FROM event_log", [], |row| row.get(0))?)
    }

    fn read(&mut self, table: &Table, each: &mut dyn FnMut(Batch) -> Result<()>) -> Result<()> {
        let sql = format!("SELECT {} FROM {} ORDER BY {}", table.column_list(), table.name, table.order);
        let mut statement = self.conn.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut batch = Batch::of(table);
        while let Some(row) = rows.next()? {
            batch.add_row(|at, column| add(column, row.get_ref(at)?, table))?;
            if batch.is_full() {
                each(std::mem::replace(&mut batch, Batch::of(table)))?;
            }
        }
        if batch.is_empty() { Ok(()) } else { each(batch) }
    }
}

/// Adds a value to its column, and returns its size.
fn add(column: &mut ColumnBatch, value: ValueRef<'_>, table: &Table) -> Result<usize> {
    let corrupt = || StoreError::Corrupt(format!("{} has a value of another type than its column", table.name));
    match (column, value) {
        (ColumnBatch::Integers(values), ValueRef::Null) => values.push(None),
        (ColumnBatch::Texts(values), ValueRef::Null) => values.push(None),
        (ColumnBatch::Blobs(values), ValueRef::Null) => values.push(None),
        (ColumnBatch::Integers(values), ValueRef::Integer(value)) => values.push(Some(value)),
        (ColumnBatch::Texts(values), ValueRef::Text(value)) => {
            values.push(Some(std::str::from_utf8(value).map_err(|_| corrupt())?.to_owned()));
            return Ok(value.len());
        }
        (ColumnBatch::Blobs(values), ValueRef::Blob(value)) => {
            values.push(Some(value.to_vec()));
            return Ok(value.len());
        }
        _ => return Err(corrupt()),
    }
    Ok(size_of::<i64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{ColumnKind, TABLES};

    #[test]
    fn a_file_that_is_created_in_two_steps_has_the_schema_of_this_version() {
        let conn = Connection::open_in_memory().unwrap();
        schema::create_tables(&conn).unwrap();
        schema::complete(&conn).unwrap();
        schema::check_current(&conn).unwrap();
    }

    #[test]
    fn every_column_of_every_table_is_copied() {
        let conn = Connection::open_in_memory().unwrap();
        schema::create_tables(&conn).unwrap();
        let sql = "SELECT t.name || '.' || c.name || ' ' || c.type FROM sqlite_schema t, pragma_table_xinfo(t.name) c
                   WHERE t.type = 'table' AND c.hidden = 0";
        let mut statement = conn.prepare(sql).unwrap();
        let mut expected: Vec<String> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let type_of = |kind: &ColumnKind| match kind {
            ColumnKind::Integer => "INTEGER",
            ColumnKind::Text => "TEXT",
            ColumnKind::Blob => "BLOB",
        };
        let columns = |table: &Table| {
            let name = table.name;
            table.columns.iter().map(move |(column, kind)| format!("{name}.{column} {}", type_of(kind)))
        };
        let mut copied: Vec<String> = TABLES.iter().flat_map(columns).collect();
        expected.sort();
        copied.sort();
        assert_eq!(copied, expected);
    }
}
