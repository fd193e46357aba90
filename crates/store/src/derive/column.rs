//! The value of a column, in a form that doesn't depend on the database.

use std::borrow::Cow;

/// A column's value. Borrows its text from the event where it can, because rows are derived inside the transaction that appends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ColumnValue<'a> {
    Null,
    Integer(i64),
    Text(Cow<'a, str>),
    /// A value that no backend writes: one of another type, or a text that isn't UTF-8. It is only read from rows that were changed
    /// by hand, and differs from every value that follows from an event.
    Unexpected,
}

/// A text as every database can store it: Postgres refuses U+0000, so it stores another sign in its place.
pub(crate) fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{2400}").into() } else { text.into() }
}

/// Whether a database stores this text, or did before the store was copied to another database.
pub(crate) fn is_stored_text(stored: &str, expected: &str) -> bool {
    stored == expected || stored == storable(expected)
}

impl<'a> ColumnValue<'a> {
    pub(crate) fn text(value: &'a str) -> Self {
        Self::Text(Cow::Borrowed(value))
    }

    pub(crate) fn owned(value: impl ToString) -> Self {
        Self::Text(Cow::Owned(value.to_string()))
    }

    /// A position or a count.
    pub(crate) fn number(value: u64) -> Self {
        Self::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }

    pub(crate) fn or_null(value: Option<Self>) -> Self {
        value.unwrap_or(Self::Null)
    }

    /// The same value with a text of its own, which can outlive the event.
    pub(crate) fn into_owned(self) -> ColumnValue<'static> {
        match self {
            Self::Null => ColumnValue::Null,
            Self::Integer(value) => ColumnValue::Integer(value),
            Self::Text(text) => ColumnValue::Text(Cow::Owned(text.into_owned())),
            Self::Unexpected => ColumnValue::Unexpected,
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }
}
