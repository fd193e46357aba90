//! Column values as SQLite stores them.

use rusqlite::{
    Row, ToSql,
    types::{ToSqlOutput, ValueRef},
};

use crate::derive::column::ColumnValue;

/// Binds the value without copying it.
impl ToSql for ColumnValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let stored = match self {
            ColumnValue::Null => ValueRef::Null,
            ColumnValue::Integer(value) => ValueRef::Integer(*value),
            ColumnValue::Text(text) => ValueRef::Text(text.as_bytes()),
            ColumnValue::Unexpected => {
                return Err(rusqlite::Error::ToSqlConversionFailure("a value of an unexpected type".into()));
            }
        };
        Ok(ToSqlOutput::Borrowed(stored))
    }
}

/// The first columns of a row, borrowed from it.
pub(super) fn values<'a>(row: &'a Row<'_>, columns: usize) -> rusqlite::Result<Vec<ColumnValue<'a>>> {
    (0..columns).map(|column| row.get_ref(column).map(value)).collect()
}

fn value(stored: ValueRef<'_>) -> ColumnValue<'_> {
    match stored {
        ValueRef::Null => ColumnValue::Null,
        ValueRef::Integer(value) => ColumnValue::Integer(value),
        ValueRef::Text(text) => std::str::from_utf8(text).map_or(ColumnValue::Unexpected, ColumnValue::text),
        ValueRef::Real(_) | ValueRef::Blob(_) => ColumnValue::Unexpected,
    }
}
