//! Values that go into statements, and rows that come out of them.
//!
//! Statements are sent with the types of their values, so that they need no preparation: behind a pooler, the next statement may
//! run in another session, which would not know a prepared one.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use countersign_domain::Time;
use tokio_postgres::{
    Row,
    types::{FromSql, ToSql, Type},
};

use crate::{
    derive::column::ColumnValue,
    error::{Result, StoreError},
    tables::ColumnBatch,
};

/// A value with its type.
pub(super) type SqlValue<'a> = (&'a (dyn ToSql + Sync), Type);

/// The type in Postgres of a Rust type.
pub(super) trait SqlType: ToSql + Sync {
    const TYPE: Type;
}

macro_rules! sql_types {
    ($($rust:ty => $sql:ident),* $(,)?) => {
        $(impl SqlType for $rust {
            const TYPE: Type = Type::$sql;
        })*
    };
}

sql_types! {
    bool => BOOL, i64 => INT8, &str => TEXT, String => TEXT, Cow<'_, str> => TEXT, &[u8] => BYTEA, Vec<u8> => BYTEA,
    Vec<bool> => BOOL_ARRAY, Vec<i64> => INT8_ARRAY, Vec<Option<i64>> => INT8_ARRAY, &[i64] => INT8_ARRAY,
    Vec<&str> => TEXT_ARRAY, Vec<String> => TEXT_ARRAY, Vec<Cow<'_, str>> => TEXT_ARRAY,
    Vec<Option<&str>> => TEXT_ARRAY, Vec<Option<String>> => TEXT_ARRAY, Vec<Option<Cow<'_, str>>> => TEXT_ARRAY,
    Vec<Option<Vec<u8>>> => BYTEA_ARRAY, Vec<&[u8]> => BYTEA_ARRAY, Vec<Vec<u8>> => BYTEA_ARRAY,
}

impl<T: SqlType> SqlType for Option<T> {
    const TYPE: Type = T::TYPE;
}

/// Names the value's type, for the macro [`values!`].
pub(super) fn typed<T: SqlType>(value: &T) -> SqlValue<'_> {
    (value, T::TYPE)
}

/// The values of a statement, in the order of its parameters: `values![seq, name]`.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::postgres::values::typed(&$value)),*] };
}
pub(super) use values;

/// A position or a count as Postgres stores it. If it is too large, this is the largest number, where there is no event.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The length of a page, which the store has bounded.
pub(super) fn page_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The position before which a page begins. Without a position, the page begins at the newest event.
pub(super) fn before(seq: Option<u64>) -> i64 {
    seq.map_or(i64::MAX, number)
}

/// A column of several rows as the value of a statement.
pub(super) fn column_value(column: &ColumnBatch) -> SqlValue<'_> {
    match column {
        ColumnBatch::Integers(values) => typed(values),
        ColumnBatch::Texts(values) => typed(values),
        ColumnBatch::Blobs(values) => typed(values),
    }
}

pub(super) use crate::derive::column::storable;

/// The text in a column, as it is stored.
pub(super) fn text_of<'a>(value: &'a ColumnValue<'_>) -> Option<Cow<'a, str>> {
    match value {
        ColumnValue::Text(text) => Some(storable(text)),
        _ => None,
    }
}

/// The number in a column.
pub(super) fn number_of(value: &ColumnValue<'_>) -> Option<i64> {
    match value {
        ColumnValue::Integer(number) => Some(*number),
        _ => None,
    }
}

pub(super) fn corrupt(error: impl ToString) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

/// Reads columns of a row by their place. A value of another type than expected is `Corrupt`.
pub(super) trait Columns {
    fn column<'a, T: FromSql<'a>>(&'a self, at: usize) -> Result<T>;

    /// A position or a count.
    fn number(&self, at: usize) -> Result<u64> {
        u64::try_from(self.column::<i64>(at)?).map_err(corrupt)
    }

    fn number_if_any(&self, at: usize) -> Result<Option<u64>> {
        self.column::<Option<i64>>(at)?.map(|number| u64::try_from(number).map_err(corrupt)).transpose()
    }

    fn text(&self, at: usize) -> Result<&str> {
        self.column(at)
    }

    fn text_if_any(&self, at: usize) -> Result<Option<&str>> {
        self.column(at)
    }

    /// A text as the type that it is the text of.
    fn parsed<T: FromStr<Err: Display>>(&self, at: usize) -> Result<T> {
        self.text(at)?.parse().map_err(corrupt)
    }

    fn parsed_if_any<T: FromStr<Err: Display>>(&self, at: usize) -> Result<Option<T>> {
        self.text_if_any(at)?.map(|text| text.parse().map_err(corrupt)).transpose()
    }

    fn time(&self, at: usize) -> Result<Time> {
        self.parsed(at)
    }
}

impl Columns for Row {
    fn column<'a, T: FromSql<'a>>(&'a self, at: usize) -> Result<T> {
        self.try_get(at).map_err(corrupt)
    }
}
