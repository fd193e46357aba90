//! Column values as SQLite stores them.

use rusqlite::{
    ToSql,
    types::{ToSqlOutput, ValueRef},
};

use crate::derive::column::ColumnValue;

/// Binds the value without copying it.
impl ToSql for ColumnValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(stored(self)))
    }
}

/// The value as SQLite stores it.
pub(super) fn stored<'a>(value: &'a ColumnValue<'_>) -> ValueRef<'a> {
    match value {
        ColumnValue::Null => ValueRef::Null,
        ColumnValue::Integer(value) => ValueRef::Integer(*value),
        ColumnValue::Text(text) => ValueRef::Text(text.as_bytes()),
    }
}
