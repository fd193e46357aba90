//! Reading and inserting rows of the tables that have one row per event. Which event gets which row is decided in
//! `derive/event_row.rs`; the columns are listed in `tables.rs`, the position first.

use std::borrow::Cow;

use super::{
    session::Session,
    values::{Columns, corrupt, number_of, text_of, values},
};
use crate::{
    derive::{column::ColumnValue, event_row::EventTable},
    error::Result,
    tables::{ColumnBatch, ColumnKind, TABLES, Table},
};

pub(super) fn table_of(table: EventTable) -> Result<&'static Table> {
    let found = TABLES.iter().find(|listed| listed.name == table.name());
    found.ok_or_else(|| corrupt(format!("the table {} is not listed", table.name())))
}

/// The rows of a table at these positions: the position, and the columns after it.
pub(super) async fn rows_at(
    session: &Session,
    table: EventTable,
    positions: &[i64],
) -> Result<Vec<(u64, Vec<ColumnValue<'static>>)>> {
    let table = table_of(table)?;
    let sql = format!("SELECT {} FROM countersign.{} WHERE seq = ANY ($1)", table.column_list(), table.name);
    let rows = session.rows(&sql, values![positions]).await?;
    let read = |row: &tokio_postgres::Row| {
        let value = |(at, (_, kind)): (usize, &(_, ColumnKind))| match kind {
            ColumnKind::Integer => Ok(row.column::<Option<i64>>(at)?.map(ColumnValue::Integer)),
            ColumnKind::Text | ColumnKind::Blob => Ok(row.text_if_any(at)?.map(ColumnValue::owned)),
        };
        let values = table.columns.iter().enumerate().skip(1).map(value);
        let values = values.map(|value| value.map(ColumnValue::or_null)).collect::<Result<_>>()?;
        Ok((row.number(0)?, values))
    };
    rows.iter().map(read).collect()
}

/// The values of rows, column by column, for columns of these kinds.
pub(super) fn columns_of<'k>(
    rows: &[Vec<ColumnValue<'_>>],
    kinds: impl Iterator<Item = &'k ColumnKind>,
) -> Vec<ColumnBatch> {
    let column = |(at, kind): (usize, &ColumnKind)| match kind {
        ColumnKind::Integer => ColumnBatch::Integers(rows.iter().map(|row| row.get(at).and_then(number_of)).collect()),
        ColumnKind::Text | ColumnKind::Blob => {
            ColumnBatch::Texts(rows.iter().map(|row| row.get(at).and_then(text_of).map(Cow::into_owned)).collect())
        }
    };
    kinds.enumerate().map(column).collect()
}
